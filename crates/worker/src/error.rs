//! What can go wrong with a JVM, as sentences.

use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;

use raddle_classpath::JdkError;

/// Why a JVM could not be started or did not do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// There is no such JDK.
    #[error(transparent)]
    Jdk(#[from] JdkError),
    /// The JDK is older than what can be controlled.
    #[error("the JDK in {} has version {version}, and tests run on 17 or later only; give the home directory of such a JDK", home.display())]
    TooOld {
        /// Its home directory.
        home: PathBuf,
        /// Its version.
        version: String,
    },
    /// The JDK has no JVM that can be loaded.
    #[error("the JVM {} cannot be loaded ({reason}); give the home directory of a complete HotSpot JDK", path.display())]
    Library {
        /// The library.
        path: PathBuf,
        /// What the dynamic loader says.
        reason: String,
    },
    /// The executable hides its entry point for the JVM.
    #[error(
        "this program was linked without its entry point for the JVM; build it with cargo, whose build script asks for that"
    )]
    NotExported,
    /// The JVM did not start.
    #[error("the JVM of {} did not start (code {code}); its own message says why", home.display())]
    Create {
        /// The JDK's home directory.
        home: PathBuf,
        /// What `JNI_CreateJavaVM` returned.
        code: i32,
    },
    /// A process has one JVM only.
    #[error("this process has had its JVM already; start another process")]
    SecondJvm,
    /// The runtime's Java half does not fit this half.
    #[error(
        "Raddle's runtime did not come up in the JVM: {reason}; this is a fault of Raddle, please report it"
    )]
    Runtime {
        /// What was missing.
        reason: String,
    },
    /// Java code threw.
    #[error("{0}")]
    Thrown(JavaException),
    /// The Java half gave an answer that cannot be read.
    #[error("the runtime's answer cannot be read ({reason}); this is a fault of Raddle, please report it")]
    Answer {
        /// What is wrong with it.
        reason: String,
    },
    /// The thread that talks to the JVM is gone.
    #[error("the JVM's thread has ended; start another worker")]
    Gone,
    /// The operating system gave no thread.
    #[error("the JVM's thread cannot be started ({0}); lower the number of processes or raise the limit")]
    Thread(std::io::Error),
}

/// A Java exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JavaException {
    /// Its class, with dots.
    pub class: String,
    /// Its message; empty if there is none.
    pub message: String,
    /// Its stack, innermost first, as Java prints it.
    pub frames: Vec<String>,
}

impl Display for JavaException {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.class)?;
        if !self.message.is_empty() {
            write!(out, ": {}", self.message)?;
        }
        self.frames
            .iter()
            .try_for_each(|frame| write!(out, "\n    at {frame}"))
    }
}
