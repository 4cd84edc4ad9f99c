//! Why a test has nothing to work on.

use std::io;
use std::path::PathBuf;

use raddle_classpath::{ClassPathError, JdkError};

/// Why sources could not be made into a program.
#[derive(Debug, thiserror::Error)]
pub enum KitError {
    /// No JDK at all.
    #[error(transparent)]
    Jdk(#[from] JdkError),
    /// A JDK without its compiler.
    #[error(
        "the tests need a JDK (with javac), not only a JRE: there is no {}; install one or set JAVA_HOME to its home \
         directory",
        javac.display()
    )]
    NoJavac {
        /// Where it should be.
        javac: PathBuf,
    },
    /// The full tests without a jar that they need.
    #[error(
        "the full tests need {}, which is not there; .ci/run fetches it, and cargo test does without",
        jar.display()
    )]
    NoJar {
        /// Where it should be.
        jar: PathBuf,
    },
    /// There is no place for jars.
    #[error("neither XDG_CACHE_HOME nor HOME is set, so there is nowhere to look for jars")]
    NoCache,
    /// The sources are no correct Java.
    #[error("javac rejects the sources:\n{output}")]
    Rejected {
        /// What javac printed.
        output: String,
    },
    /// The compiled classes could not be opened.
    #[error(transparent)]
    ClassPath(#[from] ClassPathError),
    /// A file or directory could not be read or written.
    #[error("{} cannot be used: {reason}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
}

impl KitError {
    /// For `map_err`: an IO error at a path.
    pub(crate) fn at(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> KitError {
        let path = path.into();
        move |reason| KitError::Io { path, reason }
    }
}
