//! Reports for other readers than a terminal: code hosts, build servers, pull requests, browsers. `docs/reports.md` describes
//! them.
//!
//! They are made of what a hunt has found and of the folder that it has written, so they can be made while a hunt ends and
//! long afterwards.

mod html;
mod junit;
mod markdown;
mod sarif;
mod sources;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::hunt::HuntReport;
use crate::hunt_folder::write_whole;

pub use sources::Sources;

/// What a report is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReportFormat {
    /// Code hosts that show findings beside the lines.
    Sarif,
    /// Build servers.
    Junit,
    /// Pull requests.
    Markdown,
    /// Browsers.
    Html,
}

impl ReportFormat {
    /// All of them.
    pub const ALL: [ReportFormat; 4] = [
        ReportFormat::Sarif,
        ReportFormat::Junit,
        ReportFormat::Markdown,
        ReportFormat::Html,
    ];

    /// As it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            ReportFormat::Sarif => "sarif",
            ReportFormat::Junit => "junit",
            ReportFormat::Markdown => "markdown",
            ReportFormat::Html => "html",
        }
    }

    /// Beside the directories of classes.
    pub const fn file_name(self) -> &'static str {
        match self {
            ReportFormat::Sarif => "report.sarif",
            ReportFormat::Junit => "report.xml",
            ReportFormat::Markdown => "report.md",
            ReportFormat::Html => "report.html",
        }
    }
}

impl fmt::Display for ReportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ReportFormat {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<ReportFormat, UnknownFormat> {
        let mut all = ReportFormat::ALL.into_iter();
        all.find(|format| format.name() == text).ok_or(UnknownFormat)
    }
}

/// No report has this name.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("choose from {}", ReportFormat::ALL.map(ReportFormat::name).join(", "))]
pub struct UnknownFormat;

/// Why a report could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file of the folder cannot be read.
    #[error("{} cannot be read: {reason}; hunt again, or remove the directory of the class", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// A report cannot be written.
    #[error("{} cannot be written: {reason}", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
}

/// Writes these reports into a folder. Returns their files.
pub fn write_reports(
    folder: &Path,
    report: &HuntReport,
    sources: &Sources,
    formats: &[ReportFormat],
) -> Result<Vec<PathBuf>, ReportError> {
    let mut written = Vec::new();
    for format in formats {
        let path = folder.join(format.file_name());
        let unwritable = |reason: io::Error| ReportError::Unwritable {
            path: path.clone(),
            reason,
        };
        let text = match format {
            ReportFormat::Sarif => sarif::sarif(report, sources)?,
            ReportFormat::Junit => junit::junit(report).map_err(unwritable)?,
            ReportFormat::Markdown => markdown::markdown(report)?,
            ReportFormat::Html => html::html(report, sources)?,
        };
        write_whole(&path, &text).map_err(unwritable)?;
        written.push(path);
    }
    Ok(written)
}
