//! The file `classes.json`: which classes a hunt is about, and of what bytes they were.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::bounded;
use crate::hunt_folder::write_whole;
use crate::resume_state::ResumeError;

const FILE: &str = "classes.json";
/// Changes its number whenever a reader of the old file would misread the new one.
const VERSION: u32 = 1;

/// The classes of a hunt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassRecord {
    raddle_classes: u32,
    /// By their Java names.
    pub classes: BTreeMap<String, RecordedClass>,
}

/// A class of a hunt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedClass {
    /// Changes with the bytes of the class, and of all that it refers to.
    pub fingerprint: String,
    /// The day on which it was hunted, as in `2026-11-17`.
    pub hunted: String,
}

impl ClassRecord {
    /// A record of these classes.
    pub fn new(classes: BTreeMap<String, RecordedClass>) -> ClassRecord {
        ClassRecord {
            raddle_classes: VERSION,
            classes,
        }
    }

    /// That of the hunt in a folder; none if there is none.
    pub fn read(folder: &Path) -> Result<Option<ClassRecord>, ResumeError> {
        let path = folder.join(FILE);
        let text = match bounded::read_text(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(ResumeError::unreadable(&path, &error)),
        };
        let record: ClassRecord =
            serde_json::from_str(&text).map_err(|error| ResumeError::unreadable(&path, &error))?;
        // Another version knows nothing that could be used here.
        Ok((record.raddle_classes == VERSION).then_some(record))
    }

    /// Writes it into the folder of a hunt.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        write_whole(&folder.join(FILE), &text)
    }
}

/// The day in Greenwich, as in `2026-11-17`.
pub fn day(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let mut days = since.as_secs() / (24 * 60 * 60);
    let mut year = 1970;
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if days < length {
            break;
        }
        days -= length;
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", days + 1)
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (1_735_689_599, "2024-12-31"),
            (1_735_689_600, "2025-01-01"),
            (1_794_888_000, "2026-11-17"),
        ] {
            assert_eq!(day(UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        }
    }
}
