//! A hunt that is over, read back from its folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::acceptance::Acceptance;
use crate::hunt::{HuntClass, HuntReport};
use crate::hunt_folder::{HuntFolder, RUN};
use crate::resume_state::{ResumeError, read_run};

/// Why there is nothing to report on.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// No hunt was written there.
    #[error("there is no hunt in {}; name the folder that raddle hunt has written", .folder.display())]
    Nothing {
        /// The folder.
        folder: PathBuf,
    },
    /// A file cannot be used.
    #[error("{} cannot be used: {reason}; hunt again to write it anew", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

impl From<ResumeError> for ReadError {
    fn from(error: ResumeError) -> ReadError {
        match error {
            ResumeError::Nothing { folder } => ReadError::Nothing { folder },
            ResumeError::Unreadable { path, reason } => ReadError::Unreadable { path, reason },
        }
    }
}

/// Everything that the folder has: of each class the latest hunt, by name. `tool` is who reads.
pub fn read_hunt(root: &Path, tool: (&'static str, &'static str)) -> Result<HuntReport, ReadError> {
    let request = HuntFolder::new(root).request()?;
    let mut classes = Vec::new();
    for directory in class_directories(root)? {
        let name = directory
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let memory = read_run(&directory)?;
        classes.push(HuntClass {
            class: name.unwrap_or_default(),
            findings: memory.findings,
            report: memory.report,
        });
    }
    if classes.is_empty() {
        return Err(ReadError::Nothing {
            folder: root.to_owned(),
        });
    }
    let times = classes.iter().flat_map(|class| &class.report);
    Ok(HuntReport {
        tool,
        jdk_version: request.jdk_version,
        strategy: (request.strategy, request.seed),
        budget: Duration::from_millis(request.bounds.budget_ms),
        is_strict: request.strict,
        time: times.map(|report| report.numbers.time).sum(),
        finished: classes.iter().all(|class| class.report.is_some()),
        classes,
        skipped: Vec::new(),
        counts_unconfirmed: request.count_unconfirmed,
        acceptance: Acceptance::default(),
    })
}

/// The directories of classes, in the order of their names.
fn class_directories(root: &Path) -> Result<Vec<PathBuf>, ReadError> {
    let unreadable = |reason: io::Error| ReadError::Unreadable {
        path: root.to_owned(),
        reason: reason.to_string(),
    };
    let mut directories = Vec::new();
    for entry in fs::read_dir(root).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.join(RUN).is_file() {
            directories.push(path);
        }
    }
    directories.sort_unstable();
    Ok(directories)
}
