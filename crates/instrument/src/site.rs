//! Places in code that call a hook.

use std::sync::Arc;

use raddle_plan::Target;

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal;)*) => {
        /// What happens at a site.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum SiteKind { $($(#[doc = $doc])* $variant,)* }

        impl SiteKind {
            /// The name in traces, in lower case. It is part of what a site's number is made from.
            pub const fn name(self) -> &'static str {
                match self { $(SiteKind::$variant => $name,)* }
            }
        }
    };
}

kinds! {
    /// An instance field is read.
    Read "read";
    /// An instance field is written.
    Write "write";
    /// A static field is read.
    ReadStatic "read static";
    /// A static field is written.
    WriteStatic "write static";
    /// An array element is read.
    ReadElement "read element";
    /// An array element is written.
    WriteElement "write element";
    /// A variable is accessed through `VarHandle` or `Unsafe`.
    Atomic "atomic";
    /// A monitor is acquired.
    Enter "enter";
    /// A monitor was released.
    Exit "exit";
    /// `Object.wait`.
    Wait "wait";
    /// `Object.notify`.
    Notify "notify";
    /// `Object.notifyAll`.
    NotifyAll "notify all";
    /// The thread parks.
    Park "park";
    /// A thread is unparked.
    Unpark "unpark";
    /// `Thread.sleep`.
    Sleep "sleep";
    /// `Thread.yield` or `Thread.onSpinWait`.
    Yield "yield";
    /// `Thread.isAlive`.
    Alive "alive";
    /// A clock is read.
    Time "time";
    /// `System.arraycopy`.
    ArrayCopy "arraycopy";
    /// An array is cloned.
    Clone "clone";
    /// `Math.random`.
    Random "random";
    /// A branch goes backward.
    Loop "loop";
    /// A thread is started.
    Start "start";
    /// A thread ends.
    End "end";
    /// `Thread.join`.
    Join "join";
    /// `Thread.interrupt`.
    Interrupt "interrupt";
    /// The JVM is asked to exit or halt.
    ExitVm "exit vm";
    /// A generator of random numbers chooses its seed.
    Seed "seed";
}

/// A place in the code of a class as it was before it was rewritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The class, with dots: `java.util.Map$Entry`.
    pub class: Arc<str>,
    /// The method's name.
    pub method: Arc<str>,
    /// The method's descriptor.
    pub descriptor: Arc<str>,
    /// Whether the method is static.
    pub is_static: bool,
    /// Position of the instruction in the original code; 0 for what happens on entry to the method.
    pub bci: u16,
    /// Its line, when the class file has it.
    pub line: Option<u16>,
    /// The source file, when the class file has it.
    pub source: Option<Arc<str>>,
    /// What happens there.
    pub kind: SiteKind,
    /// The field, or the method called.
    pub target: Option<Arc<Target>>,
    /// Whether the field is volatile, when it is declared by the class itself and so is known.
    pub volatile: Option<bool>,
}
