//! The cage: what keeps a worker, which runs arbitrary code, from doing harm.
//!
//! It is entered before the JVM exists, cannot be left, and is inherited by every thread started afterwards.
//!
//! - Files (Landlock): read and execute everywhere, write only below the worker's own directory.
//! - System calls (seccomp): no network, no process, no signal to anyone else, nothing that changes the machine.
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

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use self::calls::Caller;
use crate::protocol::CageLimits;

/// A cage that nobody is in yet.
#[derive(Debug)]
pub struct Cage {
    directory: PathBuf,
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
    /// The kernel knows only a part of it.
    Partial,
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
            limits,
        }
    }

    /// Puts this process into the cage, for ever.
    ///
    /// Threads that exist already are only held by a part of it, so there should be none that do anything.
    pub fn enter(&self) -> Result<CageReport, CageError> {
        limits::set(&self.limits)?;
        let files = files::restrict(&self.directory, true)?;
        // Last, because it forbids what the others are made with.
        let calls = calls::restrict(Caller::Worker);
        Ok(CageReport { files, calls })
    }

    /// Puts this process into a cage for a stock JVM, for ever: it may start processes, which are killed with the first
    /// one that it starts, and the network is the loopback interface of these processes alone.
    ///
    /// The process must have one thread only.
    pub fn enter_with_children(&self, cpu_seconds: u64) -> Result<CageReport, CageError> {
        namespaces::enter()?;
        limits::set(&self.limits)?;
        limits::set_cpu(cpu_seconds)?;
        let files = files::restrict(&self.directory, false)?;
        let calls = calls::restrict(Caller::Stock);
        Ok(CageReport { files, calls })
    }
}

impl CageReport {
    /// What does not hold as meant, as sentences.
    pub fn gaps(&self) -> Vec<String> {
        let mut gaps = Vec::new();
        match &self.files {
            Hold::Full => {}
            Hold::Partial => gaps.push(
                "this kernel's Landlock is older than Raddle knows: tests may be able to truncate files, or to use \
                 devices, outside their directory"
                    .to_owned(),
            ),
            Hold::Missing(why) => gaps.push(format!(
                "tests can write to any file you can write to: no Landlock ({why})"
            )),
        }
        match &self.calls {
            Hold::Full | Hold::Partial => {}
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
            ["tests can write to any file you can write to: no Landlock (not enabled at boot)"]
        );
    }
}
