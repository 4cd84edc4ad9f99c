//! What was not rewritten although its name asks for it.

use std::fmt;

use raddle_classfile::ClassFileError;

/// A class or method that was not rewritten, or not completely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftAlone {
    /// The class, with dots.
    pub class: String,
    /// Name and descriptor of the method; `None` when it is the whole class.
    pub method: Option<String>,
    /// Why.
    pub reason: Reason,
}

/// Why something was not rewritten.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The class file or the method's code cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] ClassFileError),
    /// A branch, switch or exception-table entry leads into the middle of an instruction.
    #[error("the code jumps into the middle of the instruction before pc {pc}")]
    SplitInstruction {
        /// The pc that is no instruction's first.
        pc: u32,
    },
    /// The class would need more constants than a class file can have.
    #[error("the constant pool would have more than 65535 entries")]
    PoolFull,
    /// The method would be longer than a method can be.
    #[error("the code would be longer than 65535 bytes")]
    TooLong,
    /// The method would need more stack, local variables or exception-table entries than it can have.
    #[error("the method would have more than 65535 stack slots, local variables or exception handlers")]
    TooWide,
    /// With all hooks the method would be too long, so its data accesses and loops have none. Its locks have.
    #[error("the code would be longer than 65535 bytes, so only its locks are instrumented")]
    DataLeftOut,
    /// It was asked for.
    #[error("left alone on purpose")]
    Unplugged,
    /// The method is synchronized and native, so nothing can be put around it.
    #[error("a synchronized native method locks where no hook can be")]
    SynchronizedNative,
}

impl fmt::Display for LeftAlone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.class)?;
        if let Some(method) = &self.method {
            write!(f, ".{method}")?;
        }
        write!(f, ": {}", self.reason)
    }
}
