//! Damaged documents: plans, recordings, folders of hunts, messages of workers, contracts and accepted findings.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::random::Random;
use crate::{cases, mutate, whole_document};

/// Of each kind; `RADDLE_MUTATION_CASES` asks for more.
const CASES: u64 = 5_000;
const MORE: &str = "RADDLE_MUTATION_CASES";
/// Where numbers, names and brackets could be.
const WORDS: [&str; 16] = [
    "18446744073709551615",
    "-1",
    "4294967296",
    "1e400",
    "0",
    "null",
    "[]",
    "{}",
    "\"\"",
    "\"\\u0000\"",
    "\"<init>\"",
    "\"../../x\"",
    "true",
    "[[[[[[[[",
    "\"java.lang.Object.<init>()V\"",
    "\"(\"",
];

fn count() -> u64 {
    let more = std::env::var(MORE).ok().and_then(|text| text.parse().ok());
    more.unwrap_or(CASES)
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All files below these folders that end like this.
fn files(folders: &[&str], extension: &str) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let mut pending: Vec<PathBuf> = folders.iter().map(|folder| workspace().join(folder)).collect();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let mut inner: Vec<PathBuf> = fs::read_dir(&path)
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .collect();
            inner.sort();
            pending.extend(inner);
        } else if path.to_string_lossy().ends_with(extension) {
            found.push(fs::read(&path).unwrap());
        }
    }
    assert!(!found.is_empty(), "{folders:?}");
    found
}

/// Another word in the place of one, or damage anywhere.
fn damage(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    if random.below(3) == 0 {
        mutate::anywhere(bytes, other, random);
        return;
    }
    for _ in 0..=random.below(3) {
        let is_edge = |byte: &u8| b",:[]{}\n= ".contains(byte);
        let from = random.below(bytes.len());
        let start = bytes
            .iter()
            .skip(from)
            .position(is_edge)
            .map_or(from, |at| from + at + 1);
        let length = bytes.iter().skip(start).position(is_edge).unwrap_or(0);
        let word = random.pick(&WORDS).bytes();
        bytes.splice(start.min(bytes.len())..(start + length).min(bytes.len()), word);
    }
}

/// Damages samples; some of what comes of it still makes sense, or nothing but the first check was tried.
fn run(kind: &'static str, samples: &[Vec<u8>], read: impl Fn(&[u8], u64) -> bool + Sync) {
    let readable = AtomicU64::new(0);
    let run = cases::run(kind, count(), |number, mut random| {
        let mut bytes = random.pick(samples).clone();
        let other = random.pick(samples);
        damage(&mut bytes, other, &mut random);
        if read(&bytes, number) {
            readable.fetch_add(1, Ordering::Relaxed);
        }
    });
    let readable = readable.into_inner();
    // Hardly anything of a recording can be changed without its end.
    assert!(readable >= run / 500, "only {readable} of {run} can be read");
}

#[test]
fn damaged_plans_are_read_or_refused() {
    let samples = files(&["fixtures/engine/plans", "bench/plans"], ".json");
    run("plan", &samples, |bytes, _| whole_document::plan(bytes));
}

#[test]
fn damaged_recordings_are_read_or_refused() {
    let samples = files(&["fixtures/hunt-folder"], "finding.json");
    run("recording", &samples, |bytes, _| whole_document::recording(bytes));
}

#[test]
fn damaged_messages_are_read_or_refused() {
    let outcome = files(&["fixtures/hunt-folder"], "finding.json");
    let outcome: serde_json::Value = serde_json::from_slice(&outcome[0]).unwrap();
    let new = serde_json::json!({"new_outcome": {"index": 7, "order": {"schedule": []},
        "outcome": outcome["outcome"], "count": 3}});
    let lines = [
        r#"{"at":{"index":100,"count":50}}"#.to_owned(),
        r#"{"progress":{"schedules":70,"steps":4000,"milliseconds":31,"outcomes":2}}"#.to_owned(),
        r#"{"loaded":{"left_alone":[]}}"#.to_owned(),
        r#"{"failed":{"fault":"plan","sentence":"there is no such method"}}"#.to_owned(),
        r#"{"stuck":{"stacks":"thread 1\n  at A.b"}}"#.to_owned(),
        r#""cancel""#.to_owned(),
        new.to_string(),
    ];
    let samples: Vec<Vec<u8>> = lines
        .iter()
        .map(|line| format!("{line}\n{}\n", lines[0]).into_bytes())
        .collect();
    run("message", &samples, |bytes, _| whole_document::messages(bytes));
}

#[test]
fn damaged_contracts_are_read_or_refused() {
    let samples = files(&["crates/campaign/contracts"], ".toml");
    let place = tempfile::tempdir().unwrap();
    run("contract", &samples, |bytes, number| {
        let place = place.path().join(number.to_string());
        fs::create_dir(&place).unwrap();
        let is_read = whole_document::contracts(bytes, &place);
        fs::remove_dir_all(&place).unwrap();
        is_read
    });
}

#[test]
fn damaged_lists_of_accepted_findings_are_read_or_refused() {
    let sample = "[[accepted]]\nid = \"result-4572a55e\"\nclass = \"a.B\"\nkind = \"result\"\nreason = \"known\"\n\
                  fingerprint = \"0badcafe\"\n";
    let samples = [sample.repeat(2).into_bytes(), b"version = 1\n".to_vec()];
    let place = tempfile::tempdir().unwrap();
    cases::run("baseline", count(), |number, mut random| {
        let mut bytes = random.pick(&samples).clone();
        damage(&mut bytes, &samples[0], &mut random);
        let place = place.path().join(number.to_string());
        fs::create_dir(&place).unwrap();
        whole_document::baseline(&bytes, &place);
        fs::remove_dir_all(&place).unwrap();
    });
}

/// One file of the folder is damaged, and all of it is read.
#[test]
fn damaged_folders_of_hunts_are_read_or_refused() {
    let root = workspace().join("fixtures/hunt-folder");
    let mut names: Vec<PathBuf> = Vec::new();
    let mut pending = vec![root.clone()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else {
                names.push(path.strip_prefix(&root).unwrap().to_owned());
            }
        }
    }
    names.sort();
    let place = tempfile::tempdir().unwrap();
    let readable = AtomicU64::new(0);
    // Each is many files.
    let run = cases::run("folder", count().div_ceil(5), |number, mut random| {
        let damaged = random.pick(&names);
        let folder = place.path().join(number.to_string());
        for name in &names {
            let mut bytes = fs::read(root.join(name)).unwrap();
            if name == damaged {
                let other = bytes.clone();
                damage(&mut bytes, &other, &mut random);
            }
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        if whole_document::hunt_folder(&folder) {
            readable.fetch_add(1, Ordering::Relaxed);
        }
        fs::remove_dir_all(&folder).unwrap();
    });
    let readable = readable.into_inner();
    assert!(readable >= run / 100, "only {readable} of {run} can be read");
}
