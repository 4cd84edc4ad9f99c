//! Small copyable names for the things a [`crate::Program`] owns.
//!
//! Numbers are handed out in order of first sight, which may differ between two runs on several threads. They are for
//! looking things up, never for ordering what a user sees.

/// An interned string: a member's name or descriptor.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub(crate) u32);

/// A class by name, loaded or not, existing or not.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ClassId(pub(crate) u32);

/// A method that exists: its declaring class and its position in that class file.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MethodId {
    /// Declaring class.
    pub class: ClassId,
    /// Position in the class file's method table.
    pub index: u16,
}

/// A field by declaring class, name and descriptor; the class may be missing.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FieldId(pub(crate) u32);

impl Symbol {
    /// The number itself, for packing into denser keys.
    pub fn raw(self) -> u32 {
        self.0
    }
}

impl ClassId {
    /// The number itself, for packing into denser keys.
    pub fn raw(self) -> u32 {
        self.0
    }
}

impl FieldId {
    /// The number itself, for packing into denser keys.
    pub fn raw(self) -> u32 {
        self.0
    }
}
