//! What the folder knows of a class that was hunted before: `run.json` and the recordings of findings, read back.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use raddle_campaign::{
    ClassReport, Finding, Numbers, Promise, Sighting, Silenced, StockJvm, Strength, TimeSpent, Tried, Weaker,
    calls_text,
};
use raddle_oracle::{Evidence, Kind, Violation, Weakness};
use raddle_plan::Recording;
use serde::Deserialize;

use crate::bounded;
use crate::coverage::CoverageMember;
use crate::hunt::FoundHere;
use crate::hunt_folder::RUN;
use crate::journal::SightingLine;
use crate::location::Location;
use crate::spent_time::SpentTime;

/// What the folder knows of a class.
#[derive(Clone, Debug, Default)]
pub struct KnownClass {
    /// Plans that were tried.
    pub tried: Vec<Tried>,
    /// Findings so far.
    pub findings: Vec<FoundHere>,
    /// What came of it, if it was done within the present bounds.
    pub report: Option<ClassReport>,
}

/// Why a hunt cannot be resumed.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
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

impl ResumeError {
    pub(crate) fn unreadable(path: &Path, reason: &dyn std::fmt::Display) -> ResumeError {
        ResumeError::Unreadable {
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
    #[serde(default)]
    unconfirmed: Vec<SightingLine>,
    #[serde(default)]
    weaker: Vec<Found>,
    gaps: Vec<String>,
    notes: Vec<String>,
    numbers: Option<Counts>,
    #[serde(default)]
    coverage: Option<CoverageMember>,
    #[serde(default)]
    predicted: BTreeMap<String, u64>,
    spent_ms: Option<SpentTime>,
    silenced: Vec<Silenced>,
    promise: Option<Promised>,
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
    #[serde(default)]
    locations: Vec<Location>,
    #[serde(default)]
    weakness: Option<Weakness>,
    #[serde(default)]
    state: BTreeSet<String>,
    #[serde(default)]
    unguarded: BTreeSet<String>,
    #[serde(default)]
    also: Vec<String>,
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
    promised: bool,
    after_ms: f64,
    evidence: Evidence,
}

#[derive(Deserialize)]
struct Counts {
    pairs: usize,
    pairs_tried: usize,
    #[serde(default)]
    pairs_covered: usize,
    plans: u64,
    failed_plans: u64,
    schedules: u64,
    steps: u64,
    repeats: u64,
    #[serde(default)]
    branches: usize,
    #[serde(default)]
    encounters: usize,
    time_ms: f64,
}

/// Reads a class's `run.json`, and the recordings that belong to it; nothing is known if there is none.
pub(crate) fn read_run(directory: &Path) -> Result<KnownClass, ResumeError> {
    let path = directory.join(RUN);
    let text = match bounded::read_text(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(KnownClass::default()),
        Err(error) => return Err(ResumeError::unreadable(&path, &error)),
    };
    let document: Document =
        serde_json::from_str(&text).map_err(|error| ResumeError::unreadable(&path, &error))?;
    let Document {
        jdk,
        strategy,
        seed,
        classes,
    } = document;
    let Some(mut class) = classes.into_iter().next() else {
        return Ok(KnownClass::default());
    };
    let sightings = class.unconfirmed.into_iter().map(Sighting::from).collect();
    let promise = class.promise.take().map(Promised::promise);
    let report = class.numbers.as_ref().map(|numbers| ClassReport {
        class: class.class.clone(),
        jdk_version: jdk.version,
        strategy: (strategy, seed),
        findings: ids(&class.findings, true),
        unpromised: ids(&class.findings, false),
        sightings,
        weaker: class.weaker.iter().filter_map(Found::weaker).collect(),
        also: class
            .findings
            .iter()
            .chain(&class.weaker)
            .filter(|found| !found.also.is_empty())
            .map(|found| (found.id.clone(), found.also.clone()))
            .collect(),
        gaps: class.gaps.clone(),
        notes: class.notes.clone(),
        numbers: numbers.numbers(),
        coverage: class
            .coverage
            .clone()
            .map(CoverageMember::coverage)
            .unwrap_or_default(),
        predicted: class.predicted.clone().into_iter().collect(),
        spending: class.spent_ms.as_ref().map(TimeSpent::from).unwrap_or_default(),
        silenced: class.silenced.clone(),
        promise,
        is_interrupted: false,
    });
    let findings = class
        .findings
        .into_iter()
        .chain(class.weaker)
        .map(|found| found.here(&class.class, directory))
        .collect::<Result<_, ResumeError>>()?;
    Ok(KnownClass {
        tried: Vec::new(),
        findings,
        report,
    })
}

/// Ids of the findings that break a promise which counts, or of the others.
fn ids(findings: &[Found], are_promised: bool) -> Vec<String> {
    let wanted = findings.iter().filter(|found| found.promised == are_promised);
    wanted.map(|found| found.id.clone()).collect()
}

impl Counts {
    fn numbers(&self) -> Numbers {
        Numbers {
            pairs: self.pairs,
            pairs_tried: self.pairs_tried,
            pairs_covered: self.pairs_covered,
            plans: self.plans,
            failed_plans: self.failed_plans,
            schedules: self.schedules,
            steps: self.steps,
            repeats: self.repeats,
            branches: self.branches,
            encounters: self.encounters,
            time: duration(self.time_ms),
        }
    }
}

impl Found {
    fn weaker(&self) -> Option<Weaker> {
        Some(Weaker {
            id: self.id.clone(),
            calls: calls_text(&self.methods),
            weakness: self.weakness.clone()?,
        })
    }

    fn here(self, class: &str, directory: &Path) -> Result<FoundHere, ResumeError> {
        let file = directory.join("findings").join(&self.id).join("finding.json");
        let recording = Recording::read(&file).map_err(|error| ResumeError::unreadable(&file, &error))?;
        let locations = self.locations;
        let finding = Finding {
            id: self.id,
            class: class.to_owned(),
            violation: Violation {
                kind: self.kind,
                summary: self.sentence,
                evidence: self.evidence,
            },
            weakness: self.weakness,
            state: self.state,
            unguarded: self.unguarded,
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
            is_promised: self.promised,
            after: duration(self.after_ms),
        };
        Ok(FoundHere {
            finding,
            file,
            locations,
        })
    }
}

fn duration(milliseconds: f64) -> Duration {
    Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt::HuntReport;
    use crate::hunt_json::hunt_json;
    use crate::hunt_sample;
    use std::fs;

    /// The document of one class, without findings, that took so long.
    fn report(time: Duration, schedules: u64) -> HuntReport {
        let mut report = hunt_sample::report();
        report.classes.retain(|class| class.class == "java.util.Vector");
        let numbers = &mut report.classes[0].report.as_mut().unwrap().numbers;
        (numbers.time, numbers.schedules) = (time, schedules);
        report
    }

    #[test]
    fn a_class_that_is_told_again_has_the_numbers_that_it_had() {
        for microseconds in (760_000..762_000).step_by(50).chain([1, 499, 500, 1_499]) {
            let first = report(Duration::from_micros(microseconds), 73);
            let text = hunt_json(&first).unwrap();
            let directory = tempfile::tempdir().unwrap();
            fs::write(directory.path().join(RUN), &text).unwrap();

            let mut again = first;
            again.classes[0].report = read_run(directory.path()).unwrap().report;
            assert_eq!(hunt_json(&again).unwrap(), text, "{microseconds} µs");
        }
    }
}
