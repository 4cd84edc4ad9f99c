//! Where a class was found.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Where a class was found, for messages and evidence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A module of the JDK.
    Jdk {
        /// Name of the module, `java.base`.
        module: Arc<str>,
    },
    /// A jar or directory of the class path.
    Entry {
        /// Position in the list given to [`ClassPath::open`](crate::ClassPath::open). A jar that was reached
        /// through the `Class-Path` attribute of another has the position of the entry that led to it.
        index: usize,
        /// The jar or directory itself.
        path: Arc<Path>,
    },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Jdk { module } => write!(f, "module {module}"),
            Self::Entry { path, .. } => path.display().fmt(f),
        }
    }
}
