//! The results file: a record a line, in the order in which hunts ended, so that a benchmark that was killed can go on.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::workspace;

/// What a results file holds.
pub(in crate::bench) trait Row: Serialize + DeserializeOwned {
    /// Tells rows apart.
    type Key: Ord;

    fn key(&self) -> Self::Key;
}

/// A results file that grows.
pub(in crate::bench) struct Results {
    path: PathBuf,
    file: Mutex<File>,
}

/// Where results are unless told otherwise: with what is built, since they are of this machine and this build.
pub(in crate::bench) fn default_path(benchmark: &str) -> PathBuf {
    workspace::target()
        .join("bench")
        .join(benchmark)
        .with_extension("jsonl")
}

/// All records; of several with the same key, the last.
pub(in crate::bench) fn read<R: Row>(path: &Path) -> anyhow::Result<Vec<R>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut records: BTreeMap<R::Key, R> = BTreeMap::new();
    // A line without an end was being written when the benchmark was killed.
    for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        let record: R = serde_json::from_str(line).with_context(|| {
            format!(
                "{} has a line that is no result; move the file away: {line}",
                path.display()
            )
        })?;
        records.insert(record.key(), record);
    }
    Ok(records.into_values().collect())
}

/// What an earlier run left, if it is to be gone on with.
pub(in crate::bench) fn earlier<R: Row>(path: &Path, is_resumed: bool) -> anyhow::Result<Vec<R>> {
    if is_resumed && path.exists() {
        read(path)
    } else {
        Ok(Vec::new())
    }
}

impl Results {
    /// To go on with, or to begin anew.
    pub(in crate::bench) fn open(path: &Path, is_resumed: bool) -> anyhow::Result<Results> {
        if is_resumed {
            Results::append(path)
        } else {
            Results::create(path)
        }
    }

    /// Begins anew, and keeps an earlier file beside the new one.
    pub(in crate::bench) fn create(path: &Path) -> anyhow::Result<Results> {
        let kept = path.with_extension("jsonl.old");
        match fs::rename(path, &kept) {
            Ok(()) => eprintln!("earlier results are now in {}", kept.display()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("cannot rename {}", path.display())),
        }
        Results::append(path)
    }

    /// Goes on where the file ends, after its last whole line.
    pub(in crate::bench) fn append(path: &Path) -> anyhow::Result<Results> {
        let cannot_write = || format!("cannot write {}", path.display());
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).with_context(cannot_write)?;
        }
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .with_context(cannot_write)?;
        let text = fs::read_to_string(path).with_context(cannot_write)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).with_context(cannot_write)?;
        Ok(Results {
            path: path.to_owned(),
            file: Mutex::new(file),
        })
    }

    pub(in crate::bench) fn add(&self, record: &impl Row) -> anyhow::Result<()> {
        let mut line = serde_json::to_string(record)?;
        line.push('\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(line.as_bytes())
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::expectation::Kind;
    use super::super::record::{Found, Record};
    use super::*;

    fn record(seed: u64, findings: usize) -> Record {
        Record::sample("S17", seed, vec![Found::sample(Kind::Deadlock, 1.5); findings])
    }

    #[test]
    fn a_benchmark_that_was_killed_goes_on_after_the_last_whole_line() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("made/hunt.jsonl");
        let results = Results::create(&path).unwrap();
        results.add(&record(1, 0)).unwrap();
        results.add(&record(2, 1)).unwrap();
        drop(results);
        let mut text = fs::read_to_string(&path).unwrap();
        text.truncate(text.len() - 10);
        fs::write(&path, text).unwrap();
        assert_eq!(read::<Record>(&path).unwrap().len(), 1);

        let results = Results::append(&path).unwrap();
        results.add(&record(2, 3)).unwrap();
        results.add(&record(1, 2)).unwrap();
        let read = read::<Record>(&path).unwrap();
        let findings: Vec<usize> = read.iter().map(|record| record.findings.len()).collect();
        assert_eq!(findings, [2, 3], "the last record of a key counts");
    }

    #[test]
    fn a_new_benchmark_keeps_the_old_results() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("hunt.jsonl");
        Results::create(&path).unwrap().add(&record(1, 0)).unwrap();
        Results::create(&path).unwrap();
        assert!(read::<Record>(&path).unwrap().is_empty());
        assert_eq!(
            read::<Record>(&path.with_extension("jsonl.old")).unwrap().len(),
            1
        );
    }
}
