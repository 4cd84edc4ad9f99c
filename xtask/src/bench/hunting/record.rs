//! What came of one hunt, as a line of the results file.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::expectation::Kind;
use super::results::Row;

/// Where tests come from.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(in crate::bench) enum Strategy {
    Portfolio,
    Depcon,
    Covcon,
    Contege,
    Omen,
    Intruder,
    Narada,
}

/// Who decides which thread runs.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(in crate::bench) enum Scheduler {
    /// Raddle.
    Controlled,
    /// The operating system, as in the papers.
    Stress,
}

/// What is looked for.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::bench) enum Aim {
    /// Violations of all kinds, any number of them.
    #[default]
    Everything,
    /// One deadlock, which ends the hunt.
    FirstDeadlock,
}

/// Tells hunts apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(in crate::bench) struct Key {
    /// Its `id` in `bench/hunts.toml`.
    pub(in crate::bench) hunt: String,
    /// Feature version.
    pub(in crate::bench) jdk: u32,
    pub(in crate::bench) strategy: Strategy,
    pub(in crate::bench) scheduler: Scheduler,
    #[serde(default)]
    pub(in crate::bench) aim: Aim,
    pub(in crate::bench) seed: u64,
}

/// What came of one hunt.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::bench) struct Record {
    #[serde(flatten)]
    pub(in crate::bench) key: Key,
    pub(in crate::bench) class: String,
    pub(in crate::bench) budget_ms: u64,
    pub(in crate::bench) date: String,
    pub(in crate::bench) commit: String,
    /// How many threads wanted to run on the machine when the hunt began.
    pub(in crate::bench) load: f64,
    pub(in crate::bench) jdk_version: String,
    pub(in crate::bench) end: End,
    /// In the order in which they were found.
    pub(in crate::bench) findings: Vec<Found>,
    /// What is told apart because it may be by design; none in results of earlier versions.
    #[serde(default)]
    pub(in crate::bench) apart: Vec<Found>,
    pub(in crate::bench) plans: u64,
    pub(in crate::bench) failed_plans: u64,
    pub(in crate::bench) schedules: u64,
    /// Of the whole process.
    pub(in crate::bench) seconds: f64,
    /// Of the class alone, without what comes before and after; none in results of earlier versions.
    #[serde(default)]
    pub(in crate::bench) class_seconds: f64,
    /// Numbers by the names that the strategy has for them; none of strategies that predict nothing.
    #[serde(default)]
    pub(in crate::bench) predicted: BTreeMap<String, u64>,
    pub(in crate::bench) gaps: Vec<String>,
    pub(in crate::bench) notes: Vec<String>,
}

impl Row for Record {
    type Key = Key;

    fn key(&self) -> Key {
        self.key.clone()
    }
}

/// How a hunt ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::bench) enum End {
    /// Everything that was expected had been found.
    Met,
    /// The hunt ended by itself.
    Itself,
    /// It did not end long after its budget, and was ended.
    Stuck,
    /// It gave no result, but said this.
    Failed(String),
}

/// Another test that shows the fault of a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::bench) struct Also {
    /// A thread each.
    pub(in crate::bench) methods: Vec<String>,
    /// Since the class was begun.
    pub(in crate::bench) seconds: f64,
}

/// One finding.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::bench) struct Found {
    pub(in crate::bench) id: String,
    pub(in crate::bench) kind: Kind,
    pub(in crate::bench) methods: Vec<String>,
    /// The same, for each thread of the minimal test; none in results of earlier versions.
    #[serde(default)]
    pub(in crate::bench) threads: Vec<Vec<String>>,
    /// Such as `java.util.Vector.get`: of an exception, its stack from the innermost frame on, as far as it is kept; of a
    /// deadlock, where the locks were taken. None in results of earlier versions.
    #[serde(default)]
    pub(in crate::bench) places: Vec<String>,
    /// Other tests that show the same fault; none in results of earlier versions.
    #[serde(default)]
    pub(in crate::bench) also_shown: Vec<Also>,
    /// Class of what is thrown.
    pub(in crate::bench) exception: Option<String>,
    /// Since the class was begun.
    pub(in crate::bench) seconds: f64,
    /// Until then, or up to a second more.
    pub(in crate::bench) plans: u64,
    /// As `plans`.
    pub(in crate::bench) schedules: u64,
    /// Until the violation was seen, before it was made as small as possible; none if that is not known exactly.
    #[serde(default)]
    pub(in crate::bench) seen_schedules: Option<u64>,
    pub(in crate::bench) analysis_bug: Option<String>,
    pub(in crate::bench) stock_jvm: StockJvm,
}

/// Whether the stand-alone reproducer shows a finding on a JVM without Raddle.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::bench) enum StockJvm {
    Untried,
    Confirmed,
    NotConfirmed,
}

impl Found {
    /// The methods that each thread calls. Where only the methods of all threads are known, one that stands alone is called
    /// by both threads, and several are called by a thread each.
    pub(super) fn threads(&self) -> Vec<Vec<String>> {
        match (&self.threads[..], &self.methods[..]) {
            ([], [only]) => vec![vec![only.clone()]; 2],
            ([], methods) => methods.iter().map(|method| vec![method.clone()]).collect(),
            (threads, _) => threads.to_vec(),
        }
    }
}

impl Strategy {
    /// As on the command line.
    pub(in crate::bench) fn name(self) -> &'static str {
        match self {
            Strategy::Portfolio => "portfolio",
            Strategy::Depcon => "depcon",
            Strategy::Covcon => "covcon",
            Strategy::Contege => "contege",
            Strategy::Omen => "omen",
            Strategy::Intruder => "intruder",
            Strategy::Narada => "narada",
        }
    }
}

impl Scheduler {
    pub(in crate::bench) fn name(self) -> &'static str {
        match self {
            Scheduler::Controlled => "controlled",
            Scheduler::Stress => "stress",
        }
    }
}

impl fmt::Display for Key {
    /// Such as `S17-jdk17-portfolio-controlled-1`, which is also good as the name of a directory. Where only the first
    /// deadlock is looked for, `-first` follows.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{}-jdk{}-{}-{}-{}",
            self.hunt,
            self.jdk,
            self.strategy.name(),
            self.scheduler.name(),
            self.seed
        )?;
        match self.aim {
            Aim::Everything => Ok(()),
            Aim::FirstDeadlock => formatter.write_str("-first"),
        }
    }
}

#[cfg(test)]
impl Found {
    pub(in crate::bench) fn sample(kind: Kind, seconds: f64) -> Found {
        Found {
            id: format!("{}-0", kind.name()),
            kind,
            methods: vec!["a()".to_owned(), "b(int)".to_owned()],
            threads: Vec::new(),
            places: Vec::new(),
            also_shown: Vec::new(),
            exception: None,
            seconds,
            plans: 10,
            schedules: 1000,
            seen_schedules: None,
            analysis_bug: None,
            stock_jvm: StockJvm::Confirmed,
        }
    }
}

#[cfg(test)]
impl Record {
    pub(in crate::bench) fn sample(hunt: &str, seed: u64, findings: Vec<Found>) -> Record {
        Record {
            key: Key {
                hunt: hunt.to_owned(),
                jdk: 17,
                strategy: Strategy::Portfolio,
                scheduler: Scheduler::Controlled,
                aim: Aim::Everything,
                seed,
            },
            class: "a.B".to_owned(),
            budget_ms: 60_000,
            date: "2026-01-02".to_owned(),
            commit: "abc".to_owned(),
            load: 1.5,
            jdk_version: "17.0.15".to_owned(),
            end: End::Itself,
            findings,
            apart: Vec::new(),
            plans: 100,
            failed_plans: 1,
            schedules: 10_000,
            seconds: 60.5,
            class_seconds: 59.5,
            predicted: BTreeMap::new(),
            gaps: Vec::new(),
            notes: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_earlier_versions_can_be_read() {
        let mut value =
            serde_json::to_value(Record::sample("S17", 1, vec![Found::sample(Kind::Deadlock, 1.0)])).unwrap();
        let record = value.as_object_mut().unwrap();
        record.remove("aim").unwrap();
        record.remove("predicted").unwrap();
        record.remove("class_seconds").unwrap();
        record["findings"][0]
            .as_object_mut()
            .unwrap()
            .remove("seen_schedules")
            .unwrap();
        let record: Record = serde_json::from_value(value).unwrap();
        assert_eq!(record.key.aim, Aim::Everything);
        assert!(record.predicted.is_empty());
    }

    #[test]
    fn hunts_for_the_first_deadlock_have_names_of_their_own() {
        let mut key = Record::sample("S17", 1, Vec::new()).key;
        let everything = key.to_string();
        key.aim = Aim::FirstDeadlock;
        assert_eq!(key.to_string(), format!("{everything}-first"));
    }
}
