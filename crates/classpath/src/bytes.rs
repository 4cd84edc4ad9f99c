//! The bytes of one class file.

use std::fmt;
use std::ops::Deref;

/// Bytes of one class file, either borrowed from a mapped image or owned.
#[derive(Clone, PartialEq, Eq)]
pub enum ClassBytes<'a> {
    /// A slice of a mapped run-time image.
    Mapped(&'a [u8]),
    /// Bytes read from a file or inflated from a jar.
    Owned(Vec<u8>),
}

impl ClassBytes<'_> {
    /// The bytes as an owned vector; copies only when they are mapped.
    pub fn into_owned(self) -> Vec<u8> {
        match self {
            Self::Mapped(bytes) => bytes.to_vec(),
            Self::Owned(bytes) => bytes,
        }
    }
}

impl Deref for ClassBytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(bytes) => bytes,
            Self::Owned(bytes) => bytes,
        }
    }
}

impl AsRef<[u8]> for ClassBytes<'_> {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl fmt::Debug for ClassBytes<'_> {
    // Thousands of numbers help nobody in a failed assertion.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self {
            Self::Mapped(_) => "Mapped",
            Self::Owned(_) => "Owned",
        };
        write!(f, "ClassBytes::{kind}({} bytes)", self.len())
    }
}
