//! The hooks: static methods of `java.lang.Raddle`. The site is always their last parameter, except for those that stand in for a
//! method in a handle, as in `System::nanoTime`.

/// Internal name of the class that has the hooks.
pub(crate) const CLASS: &str = "java/lang/Raddle";

macro_rules! hooks {
    ($($variant:ident $name:literal $descriptor:literal;)*) => {
        /// One hook.
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        pub(crate) enum Hook { $($variant,)* }

        impl Hook {
            /// How many there are.
            pub(crate) const COUNT: usize = [$(Hook::$variant,)*].len();

            /// Name and descriptor of the method.
            pub(crate) fn signature(self) -> (&'static str, &'static str) {
                match self { $(Hook::$variant => ($name, $descriptor),)* }
            }
        }
    };
}

hooks! {
    Read "read" "(Ljava/lang/Object;I)V";
    Write "write" "(Ljava/lang/Object;I)V";
    ReadStatic "readStatic" "(I)V";
    WriteStatic "writeStatic" "(I)V";
    ReadElement "readElement" "(Ljava/lang/Object;II)V";
    WriteElement "writeElement" "(Ljava/lang/Object;II)V";
    Atomic "atomic" "(Ljava/lang/Object;JI)V";
    Enter "enter" "(Ljava/lang/Object;I)V";
    Exit "exit" "(Ljava/lang/Object;I)V";
    Wait "waitOn" "(Ljava/lang/Object;I)V";
    WaitMillis "waitOn" "(Ljava/lang/Object;JI)V";
    WaitNanos "waitOn" "(Ljava/lang/Object;JII)V";
    NotifyOne "notifyOne" "(Ljava/lang/Object;I)V";
    NotifyAll "notifyAll" "(Ljava/lang/Object;I)V";
    Park "park" "(Ljava/lang/Object;ZJI)V";
    Unpark "unpark" "(Ljava/lang/Object;Ljava/lang/Object;I)V";
    Sleep "sleep" "(JI)V";
    SleepNanos "sleep" "(JII)V";
    Yield "yield" "(I)V";
    IsAlive "isAlive" "(Ljava/lang/Thread;I)Z";
    NanoTime "nanoTime" "(I)J";
    CurrentTimeMillis "currentTimeMillis" "(I)J";
    NanoTimeAdjustment "nanoTimeAdjustment" "(JI)J";
    Salt "salt" "(I)J";
    ArrayCopy "arraycopy" "(Ljava/lang/Object;ILjava/lang/Object;III)V";
    Random "random" "(I)D";
    Loop "loop" "(I)V";
    Starting "starting" "(Ljava/lang/Thread;I)V";
    Began "began" "(Ljava/lang/Thread;I)V";
    Ended "ended" "()V";
    Uncaught "uncaught" "(Ljava/lang/Thread;Ljava/lang/Throwable;I)Z";
    Join "join" "(Ljava/lang/Thread;JI)Z";
    Interrupting "interrupting" "(Ljava/lang/Thread;I)V";
    Exiting "exiting" "(II)V";
    Seed "seed" "(I)J";
    Called "called" "(Ljava/lang/Object;I)V";
    Asked "asked" "(Ljava/lang/Object;I)V";
    CalledStatic "calledStatic" "(I)V";
    AskedStatic "askedStatic" "(I)V";
    Chance "chance" "(I)J";
    Entropy "entropy" "([BI)Z";
    Passed "passed" "(Ljava/lang/Object;I)V";
    Filled "filled" "(Ljava/lang/Object;I)V";
    Reflected "reflected" "(Ljava/lang/Object;I)V";
    Inspected "inspected" "(Ljava/lang/Object;I)V";
    ZoneEnter "zoneEnter" "()V";
    ZoneExit "zoneExit" "()V";
    Initialised "initialised" "(Ljava/lang/Class;)V";
    Touched "touched" "(Ljava/lang/Class;Ljava/lang/String;I)V";
    Entered "entered" "(Ljava/lang/Class;I)V";
    FirstRound "firstRound" "(Ljava/lang/Object;)Z";
    NanoTimeByHandle "nanoTime" "()J";
    CurrentTimeMillisByHandle "currentTimeMillis" "()J";
    RandomByHandle "random" "()D";
    SleepByHandle "sleep" "(J)V";
    YieldByHandle "yield" "()V";
}

impl Hook {
    /// What stands in for the same method in a method handle, where there is no code to say which site it is.
    pub(crate) fn by_handle(self) -> Option<Hook> {
        match self {
            Hook::NanoTime => Some(Hook::NanoTimeByHandle),
            Hook::CurrentTimeMillis => Some(Hook::CurrentTimeMillisByHandle),
            Hook::Random => Some(Hook::RandomByHandle),
            Hook::Sleep => Some(Hook::SleepByHandle),
            Hook::Yield => Some(Hook::YieldByHandle),
            _ => None,
        }
    }
}
