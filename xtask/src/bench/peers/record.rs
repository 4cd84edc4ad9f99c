//! What came of one run, as a line of the results file.

use serde::{Deserialize, Serialize};

use crate::bench::hunting::results::Row;

/// What runs a test.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum Tool {
    /// With its scheduler `random` where schedules are counted.
    Raddle,
    /// With its scheduler `pct:3`; only where schedules are counted.
    #[value(skip)]
    Pct,
    Lincheck,
    Vmlens,
    Jcstress,
    Stress,
}

/// What is measured.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum Part {
    /// Whether and when a known fault is found.
    Pairs,
    /// Schedules a second.
    Speed,
}

/// Tells runs apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Key {
    pub(super) part: Part,
    /// Class of a pair, or name of a program.
    pub(super) test: String,
    pub(super) tool: Tool,
    pub(super) round: u32,
}

/// What came of one run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Record {
    #[serde(flatten)]
    pub(super) key: Key,
    pub(super) budget_ms: u64,
    pub(super) date: String,
    pub(super) commit: String,
    /// How many threads wanted to run on the machine when the run began.
    pub(super) load: f64,
    pub(super) jdk_version: String,
    pub(super) verdict: Verdict,
    /// Until the finding, or the end of the run; all processes included.
    pub(super) seconds: f64,
    /// Schedules or uncontrolled executions; none if that is not known.
    pub(super) executions: Option<u64>,
    /// Of warm code, where speed is measured.
    pub(super) per_second: Option<f64>,
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    Found(String),
    /// Nothing, when the time was over.
    Nothing,
    /// Nothing, and it ended by itself before.
    Exhausted,
    Cannot(String),
    /// Speed was measured.
    Measured,
}

impl Row for Record {
    type Key = Key;

    fn key(&self) -> Key {
        self.key.clone()
    }
}

impl Tool {
    /// As in the heads of tables.
    pub(super) fn name(self) -> &'static str {
        match self {
            Tool::Raddle => "Raddle",
            Tool::Pct => "Raddle pct:3",
            Tool::Lincheck => "Lincheck 3.6",
            Tool::Vmlens => "VMLens 1.2.26",
            Tool::Jcstress => "JCStress 0.16",
            Tool::Stress => "plain stress",
        }
    }
}

#[cfg(test)]
impl Record {
    pub(super) fn sample(part: Part, test: &str, tool: Tool, verdict: Verdict) -> Record {
        Record {
            key: Key {
                part,
                test: test.to_owned(),
                tool,
                round: 1,
            },
            budget_ms: 20_000,
            date: "2026-01-02".to_owned(),
            commit: "abc".to_owned(),
            load: 1.5,
            jdk_version: "17.0.15".to_owned(),
            verdict,
            seconds: 1.25,
            executions: Some(7),
            per_second: None,
        }
    }
}
