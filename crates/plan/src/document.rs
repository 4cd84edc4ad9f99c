//! JSON files that carry their version: reading, writing, and what to say when one is of another kind.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::PlanError;

/// A value that is kept in a file of its own.
pub(crate) trait Document: Serialize + DeserializeOwned {
    /// What it is, for messages.
    const WHAT: &'static str;
    /// The member that has the version.
    const MEMBER: &'static str;
    /// The version that is read and written.
    const VERSION: u32;

    /// Whether its parts fit each other.
    fn check_all(&self) -> Result<(), PlanError>;
}

pub(crate) fn read<D: Document>(path: &Path) -> Result<D, PlanError> {
    let text = fs::read_to_string(path).map_err(|reason| PlanError::Unreadable {
        path: path.to_owned(),
        reason,
    })?;
    from_json(&text).map_err(PlanError::in_file(path))
}

pub(crate) fn from_json<D: Document>(text: &str) -> Result<D, PlanError> {
    // The version is looked at first: of another version, other members are to be expected.
    let value: Value = serde_json::from_str(text).map_err(|error| form(&error))?;
    match value.get(D::MEMBER) {
        Some(found) if found.as_u64() == Some(u64::from(D::VERSION)) => {}
        Some(found) => {
            return Err(PlanError::Version {
                what: D::WHAT,
                found: found.to_string(),
                version: D::VERSION,
            });
        }
        None => {
            return Err(PlanError::Kind {
                what: D::WHAT,
                member: D::MEMBER,
                version: D::VERSION,
            });
        }
    }
    // From the text again, since only that knows lines.
    let document: D = serde_json::from_str(text).map_err(|error| form(&error))?;
    document.check_all()?;
    Ok(document)
}

pub(crate) fn to_json<D: Document>(document: &D) -> Result<String, PlanError> {
    let mut text = serde_json::to_string_pretty(document).map_err(|error| PlanError::Unwritten {
        reason: error.to_string(),
    })?;
    text.push('\n');
    Ok(text)
}

/// The file is there as a whole or not at all, even if the process ends meanwhile.
pub(crate) fn write<D: Document>(document: &D, path: &Path) -> Result<(), PlanError> {
    let text = to_json(document)?;
    let unwritable = |reason: io::Error| PlanError::Unwritable {
        path: path.to_owned(),
        reason,
    };
    let name = path
        .file_name()
        .ok_or_else(|| unwritable(io::Error::other("it has no file name")))?;
    let mut unfinished = name.to_owned();
    unfinished.push(format!(".{}.tmp", std::process::id()));
    let unfinished = path.with_file_name(unfinished);
    // A process that was killed may have had the same number; or a stranger has put a link there, which is not followed.
    let _ = fs::remove_file(&unfinished);
    let created = OpenOptions::new().write(true).create_new(true).open(&unfinished);
    let written = created
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .and_then(|()| fs::rename(&unfinished, path));
    written.map_err(|reason| {
        // It may not even exist; the first problem is the one to report.
        let _ = fs::remove_file(&unfinished);
        unwritable(reason)
    })
}

fn form(error: &serde_json::Error) -> PlanError {
    let (line, column) = (error.line(), error.column());
    let text = error.to_string();
    let place = format!(" at line {line} column {column}");
    let reason = text.strip_suffix(&place).unwrap_or(&text).to_owned();
    PlanError::Form { line, column, reason }
}
