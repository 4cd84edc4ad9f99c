//! The cage: what keeps a worker, which runs arbitrary code, from doing harm.
//!
//! It is entered before the JVM exists, cannot be left, and is inherited by every thread started afterwards.
//!
//! - Files (Landlock): write only below the worker's own directory; read the system's libraries, the JDK, the class path
//!   and that directory, but nothing else that the user has, and nothing of other processes.
//! - System calls (seccomp): those that a JVM needs, and of these no network, no process, no signal to anyone else.
//! - Rights (capabilities): none, whoever starts it.
//! - Limits: size of a file, open descriptors, memory, no core dump.
//!
//! A stock JVM that runs a reproducer has a cage of the same making, in which it may start a second JVM and talk to it:
//! there, namespaces keep the network and everybody's processes away.
//!
//! What cannot be limited from inside, such as the number of threads when root runs the worker, and the total size of
//! the directory, is watched by the supervisor.

mod calls;
mod files;
mod limits;
mod namespaces;
mod rights;

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use self::calls::Caller;
use self::files::Processes;
use crate::protocol::CageLimits;

/// A cage that nobody is in yet.
#[derive(Debug)]
pub struct Cage {
    directory: PathBuf,
    readable: Vec<PathBuf>,
    limits: CageLimits,
}

/// What holds a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CageReport {
    /// Landlock.
    pub files: Hold,
    /// Seccomp.
    pub calls: Hold,
}

/// How well a part of the cage holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hold {
    /// As meant.
    Full,
    /// The kernel knows only a part of it; what tests can do for that, as a sentence.
    Partial(String),
    /// The kernel lacks it.
    Missing(String),
}

/// Why a worker is not in its cage.
#[derive(Debug, thiserror::Error)]
pub enum CageError {
    /// A limit could not be set.
    #[error("cannot limit {what}: {error}")]
    Limit {
        /// What was to be limited.
        what: &'static str,
        /// What the system said.
        error: io::Error,
    },
    /// The directory cannot be used.
    #[error("cannot use the directory {}: {error}", directory.display())]
    Directory {
        /// Where the worker was to live.
        directory: PathBuf,
        /// What the system said.
        error: String,
    },
    /// What the tests need cannot be read from inside.
    #[error(
        "{} cannot be read without special rights, which tests do not have even if root runs them; make it readable for \
         the user who runs raddle, or let its owner run it",
        path.display()
    )]
    Unreadable {
        /// A part of the class path, the JDK, or the worker's own directory.
        path: PathBuf,
    },
    /// The system does not give a part of the cage for a stock JVM.
    #[error("the system gives no process {what}: {error}")]
    Namespace {
        /// What it does not give.
        what: &'static str,
        /// What it said.
        error: io::Error,
    },
}

impl Cage {
    /// A cage around this directory, which must exist.
    pub fn new(directory: &Path, limits: CageLimits) -> Cage {
        Cage {
            directory: directory.to_owned(),
            readable: Vec::new(),
            limits,
        }
    }

    /// The same, with these files and directories readable, and all that is below them.
    #[must_use]
    pub fn reading(mut self, paths: impl IntoIterator<Item = PathBuf>) -> Cage {
        self.readable.extend(paths);
        self
    }

    /// Puts this process into the cage, for ever.
    ///
    /// Threads that exist already are only held by a part of it, so there should be none that do anything.
    pub fn enter(&self) -> Result<CageReport, CageError> {
        limits::set(&self.limits)?;
        let files = self.hold(true, Processes::Itself)?;
        // Last, because it forbids what the others are made with.
        let calls = calls::restrict(Caller::Worker);
        Ok(CageReport { files, calls })
    }

    /// The first half of the cage for a stock JVM: the network is the loopback interface of this process and its children
    /// alone, and these children are killed with the first of them. It is for that one to go into the other half.
    ///
    /// The process must have one thread only.
    pub fn prepare_for_children() -> Result<(), CageError> {
        limits::end_with_parent()?;
        namespaces::enter()
    }

    /// The second half, for ever: whoever is in it may start processes.
    ///
    /// The process must have one thread only.
    pub fn enter_with_children(&self, cpu_seconds: u64) -> Result<CageReport, CageError> {
        let processes = if namespaces::show_own_processes() {
            Processes::OfTheNamespace
        } else {
            Processes::None
        };
        limits::set(&self.limits)?;
        limits::set_cpu(cpu_seconds)?;
        let files = self.hold(false, processes)?;
        let calls = calls::restrict(Caller::Stock);
        Ok(CageReport { files, calls })
    }

    /// Files and rights.
    fn hold(&self, without_tcp: bool, processes: Processes) -> Result<Hold, CageError> {
        rights::give_up().map_err(|error| CageError::Limit {
            what: "special rights",
            error: error.into(),
        })?;
        let files = files::restrict(&self.directory, &self.readable, processes, without_tcp)?;
        files::check(&self.directory, &self.readable)?;
        Ok(files)
    }
}

impl CageReport {
    /// What does not hold as meant, as sentences.
    pub fn gaps(&self) -> Vec<String> {
        let mut gaps = Vec::new();
        match &self.files {
            Hold::Full => {}
            Hold::Partial(gap) => gaps.push(gap.clone()),
            Hold::Missing(why) => gaps.push(format!(
                "tests can read and write any file you can: no Landlock ({why})"
            )),
        }
        match &self.calls {
            Hold::Full => {}
            Hold::Partial(gap) => gaps.push(gap.clone()),
            Hold::Missing(why) => gaps.push(format!(
                "tests can use the network and start processes: no seccomp ({why})"
            )),
        }
        gaps
    }

    /// Whether a whole part is missing, so that arbitrary code should not be run.
    pub fn is_open(&self) -> bool {
        matches!(self.files, Hold::Missing(_)) || matches!(self.calls, Hold::Missing(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_cage_has_no_gaps() {
        let report = CageReport {
            files: Hold::Full,
            calls: Hold::Full,
        };
        assert!(report.gaps().is_empty() && !report.is_open());
    }

    #[test]
    fn a_missing_part_is_named() {
        let report = CageReport {
            files: Hold::Missing("not enabled at boot".to_owned()),
            calls: Hold::Full,
        };
        assert!(report.is_open());
        assert_eq!(
            report.gaps(),
            ["tests can read and write any file you can: no Landlock (not enabled at boot)"]
        );
    }
}
