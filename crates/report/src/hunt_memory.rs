//! What the folder knows of a class that was hunted before: `run.json` and the recordings of findings, read back.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use raddle_campaign::{
    ClassReport, Finding, Numbers, Promise, Silenced, Spending, StockJvm, Strength, Tried,
};
use raddle_oracle::{Evidence, Kind, Violation};
use raddle_plan::Recording;
use serde::Deserialize;

use crate::hunt::FoundHere;
use crate::hunt_folder::RUN;
use crate::spent_time::SpentTime;

/// What the folder knows of a class.
#[derive(Clone, Debug, Default)]
pub struct ClassMemory {
    /// Plans that were tried.
    pub tried: Vec<Tried>,
    /// Findings so far.
    pub findings: Vec<FoundHere>,
    /// What came of it, if it was done within the present bounds.
    pub report: Option<ClassReport>,
}

/// Why a hunt cannot be resumed.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// There was no hunt, or one of a program that could not resume.
    #[error(
        "there is no hunt to resume in {}; begin one with raddle hunt CLASS, or name its folder with --out",
        .folder.display()
    )]
    Nothing {
        /// The folder.
        folder: PathBuf,
    },
    /// A file cannot be used.
    #[error(
        "the hunt cannot be resumed, since {} cannot be used: {reason}; leave --resume out to begin a new hunt",
        .path.display()
    )]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

impl MemoryError {
    pub(crate) fn unreadable(path: &Path, reason: &dyn std::fmt::Display) -> MemoryError {
        MemoryError::Unreadable {
            path: path.to_owned(),
            reason: reason.to_string(),
        }
    }
}

#[derive(Deserialize)]
struct Document {
    jdk: Jdk,
    strategy: String,
    seed: u64,
    classes: Vec<Hunted>,
}

#[derive(Deserialize)]
struct Jdk {
    version: String,
}

#[derive(Deserialize)]
struct Hunted {
    class: String,
    findings: Vec<Found>,
    gaps: Vec<String>,
    notes: Vec<String>,
    numbers: Option<Counts>,
    #[serde(default)]
    predicted: BTreeMap<String, u64>,
    spent_ms: Option<SpentTime>,
    silenced: Vec<Silenced>,
    promise: Option<Promised>,
    counts: bool,
}

#[derive(Deserialize)]
struct Promised {
    strength: Strength,
    sentence: String,
}

impl Promised {
    fn promise(self) -> Promise {
        Promise {
            strength: self.strength,
            sentence: self.sentence,
        }
    }
}

#[derive(Deserialize)]
struct Found {
    id: String,
    kind: Kind,
    sentence: String,
    methods: Vec<String>,
    cause: String,
    first_cause: String,
    minimal: bool,
    reason: String,
    preemptions: Option<u32>,
    first_calls: usize,
    stock_jvm: String,
    stock_jvm_note: Option<String>,
    analysis_bug: Option<String>,
    #[serde(default)]
    beside: Vec<String>,
    promise: Promised,
    after_ms: f64,
    evidence: Evidence,
}

#[derive(Deserialize)]
struct Counts {
    pairs: usize,
    pairs_tried: usize,
    plans: u64,
    failed_plans: u64,
    schedules: u64,
    steps: u64,
    repeats: u64,
    time_ms: f64,
}

/// Reads a class's `run.json`, and the recordings that belong to it; nothing is known if there is none.
pub(crate) fn read_run(directory: &Path) -> Result<ClassMemory, MemoryError> {
    let path = directory.join(RUN);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(ClassMemory::default()),
        Err(error) => return Err(MemoryError::unreadable(&path, &error)),
    };
    let document: Document =
        serde_json::from_str(&text).map_err(|error| MemoryError::unreadable(&path, &error))?;
    let Document {
        jdk,
        strategy,
        seed,
        classes,
    } = document;
    let Some(mut class) = classes.into_iter().next() else {
        return Ok(ClassMemory::default());
    };
    let promise = class.promise.take().map(Promised::promise);
    let report = class.numbers.as_ref().map(|numbers| ClassReport {
        class: class.class.clone(),
        jdk_version: jdk.version,
        strategy: (strategy, seed),
        findings: class.findings.iter().map(|found| found.id.clone()).collect(),
        gaps: class.gaps.clone(),
        notes: class.notes.clone(),
        numbers: numbers.numbers(),
        predicted: class.predicted.clone().into_iter().collect(),
        spending: class.spent_ms.as_ref().map(Spending::from).unwrap_or_default(),
        silenced: class.silenced.clone(),
        promise,
        counts: class.counts,
        is_interrupted: false,
    });
    let findings = class
        .findings
        .into_iter()
        .map(|found| found.here(&class.class, directory))
        .collect::<Result<_, MemoryError>>()?;
    Ok(ClassMemory {
        tried: Vec::new(),
        findings,
        report,
    })
}

impl Counts {
    fn numbers(&self) -> Numbers {
        Numbers {
            pairs: self.pairs,
            pairs_tried: self.pairs_tried,
            plans: self.plans,
            failed_plans: self.failed_plans,
            schedules: self.schedules,
            steps: self.steps,
            repeats: self.repeats,
            time: duration(self.time_ms),
        }
    }
}

impl Found {
    fn here(self, class: &str, directory: &Path) -> Result<FoundHere, MemoryError> {
        let file = directory.join("findings").join(&self.id).join("finding.json");
        let recording = Recording::read(&file).map_err(|error| MemoryError::unreadable(&file, &error))?;
        let finding = Finding {
            id: self.id,
            class: class.to_owned(),
            violation: Violation {
                kind: self.kind,
                summary: self.sentence,
                evidence: self.evidence,
            },
            cause: self.cause,
            first_cause: self.first_cause,
            is_minimal: self.minimal,
            methods: self.methods,
            reason: self.reason,
            recording,
            // They were shown when it was found.
            events: Vec::new(),
            preemptions: self.preemptions,
            first_calls: self.first_calls,
            stock_jvm: match self.stock_jvm.as_str() {
                "confirmed" => StockJvm::Confirmed,
                "not_confirmed" => StockJvm::NotConfirmed(self.stock_jvm_note.unwrap_or_default()),
                _ => StockJvm::Untried(self.stock_jvm_note.unwrap_or_default()),
            },
            analysis_bug: self.analysis_bug,
            beside: self.beside,
            promise: self.promise.promise(),
            after: duration(self.after_ms),
        };
        Ok(FoundHere { finding, file })
    }
}

fn duration(milliseconds: f64) -> Duration {
    Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default()
}
