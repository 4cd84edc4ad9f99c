//! How far a hunt is, from the folder that it writes.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Deserialize;

/// See `docs/raddle-out.md`.
const EVENTS: &str = "events.jsonl";
/// More than a few lines of it.
const TAIL: u64 = 8 << 10;

#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line {
    Progress {
        plans: u64,
        pairs_covered: u64,
        schedules: u64,
        findings: u64,
    },
    #[serde(other)]
    Other,
}

/// What the hunt that writes to this folder does at the moment, as a sentence; none before it has begun. Files from before
/// `since` are those of other hunts.
pub(super) fn sentence(folder: &Path, since: SystemTime) -> Option<String> {
    let class = latest_class(folder, since)?;
    let name = class.file_name()?.to_string_lossy().into_owned();
    let tail = tail(&class.join(EVENTS)).ok()?;
    let lines = tail.lines().rev();
    let mut parsed = lines.filter_map(|line| serde_json::from_str(line).ok());
    let latest = parsed.find_map(|line| match line {
        Line::Progress {
            plans,
            pairs_covered,
            schedules,
            findings,
        } => Some(format!(
            "{name}: tests {plans}, schedules {schedules}, pairs of methods covered {pairs_covered}, findings {findings}"
        )),
        Line::Other => None,
    });
    Some(latest.unwrap_or_else(|| format!("{name}: looking at the first test")))
}

/// The directory of the class whose events were written last.
fn latest_class(folder: &Path, since: SystemTime) -> Option<PathBuf> {
    let directories = fs::read_dir(folder).ok()?.filter_map(Result::ok);
    directories
        .filter_map(|entry| {
            let written = fs::metadata(entry.path().join(EVENTS)).ok()?.modified().ok()?;
            (written >= since).then(|| (written, entry.path()))
        })
        .max()
        .map(|(_, path)| path)
}

/// The end of a file. What is cut off in front is no whole line, and is not understood.
fn tail(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_progress_of_the_latest_class_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let since = SystemTime::UNIX_EPOCH;
        assert_eq!(sentence(folder.path(), since), None);
        let class = folder.path().join("a.B");
        fs::create_dir(&class).unwrap();
        let events = class.join(EVENTS);
        fs::write(&events, "{\"event\":\"begun\",\"class\":\"a.B\"}\n").unwrap();
        let told = sentence(folder.path(), since).unwrap();
        assert_eq!(told, "a.B: looking at the first test");
        let line = |plans| {
            format!(
                "{{\"event\":\"progress\",\"plans\":{plans},\"pairs_covered\":1,\"schedules\":9,\"findings\":0,\"new\":1}}\n"
            )
        };
        let many: String = (0..200).map(line).collect();
        fs::write(&events, many + "{\"event\":\"also\"}\n{\"event\":\"prog").unwrap();
        let told = sentence(folder.path(), since).unwrap();
        assert_eq!(
            told,
            "a.B: tests 199, schedules 9, pairs of methods covered 1, findings 0"
        );
        let later = fs::metadata(&events).unwrap().modified().unwrap() + std::time::Duration::from_secs(1);
        assert_eq!(sentence(folder.path(), later), None, "it is another hunt's");
    }
}
