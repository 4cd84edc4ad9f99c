//! What one hunt tells of its progress and its time.

use std::collections::BTreeMap;
use std::fmt;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::bench::hunting::record::Strategy;
use crate::bench::hunting::results::Row;
use crate::bench::hunting::statistics::count;

/// Tells hunts apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Key {
    /// Its `id` in `bench/hunts.toml`.
    pub(super) hunt: String,
    pub(super) strategy: Strategy,
    pub(super) seed: u64,
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} {} seed {}",
            self.hunt,
            self.strategy.name(),
            self.seed
        )
    }
}

/// What came of one hunt.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Record {
    #[serde(flatten)]
    pub(super) key: Key,
    pub(super) class: String,
    pub(super) date: String,
    pub(super) commit: String,
    pub(super) load: String,
    pub(super) budget_ms: u64,
    #[serde(flatten)]
    pub(super) told: Told,
}

/// What a hunt tells of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Told {
    pub(super) jdk_version: String,
    /// Pairs of methods that could hurt each other.
    pub(super) pairs: u64,
    pub(super) plans: u64,
    pub(super) schedules: u64,
    pub(super) findings: u64,
    /// Pairs that were tried after so many milliseconds.
    pub(super) progress: Vec<(u64, u64)>,
    /// Milliseconds, by what they were spent on.
    pub(super) spent: BTreeMap<String, f64>,
}

impl Row for Record {
    type Key = Key;

    fn key(&self) -> Key {
        self.key.clone()
    }
}

/// Files that a hunt leaves.
pub(super) struct Source {
    pub(super) run: String,
    pub(super) events: String,
}

/// `docs/hunt-json.md` describes all of it.
#[derive(Deserialize)]
struct Document {
    jdk: Jdk,
    classes: Vec<Class>,
}

#[derive(Deserialize)]
struct Jdk {
    version: String,
}

#[derive(Deserialize)]
struct Class {
    findings: Vec<serde_json::Value>,
    numbers: Option<Numbers>,
    spent_ms: Option<BTreeMap<String, f64>>,
}

#[derive(Deserialize)]
struct Numbers {
    pairs: u64,
    pairs_tried: u64,
    plans: u64,
    schedules: u64,
    time_ms: f64,
}

/// `docs/raddle-out.md` describes all of it.
#[derive(Deserialize)]
struct Event {
    #[serde(rename = "event")]
    name: String,
    time_ms: Option<f64>,
    pairs_tried: Option<u64>,
}

impl Source {
    pub(super) fn told(&self) -> anyhow::Result<Told> {
        let document: Document = serde_json::from_str(&self.run)?;
        let class = document
            .classes
            .into_iter()
            .next()
            .context("no class was hunted")?;
        let numbers = class.numbers.context("the class was not hunted to the end")?;
        let mut progress = Vec::new();
        for line in self.events.lines() {
            let event: Event = serde_json::from_str(line)?;
            if let ("progress", Some(time), Some(pairs)) =
                (event.name.as_str(), event.time_ms, event.pairs_tried)
            {
                progress.push((whole(time), pairs));
            }
        }
        progress.push((whole(numbers.time_ms), numbers.pairs_tried));
        Ok(Told {
            jdk_version: document.jdk.version,
            pairs: numbers.pairs,
            plans: numbers.plans,
            schedules: numbers.schedules,
            findings: class.findings.len() as u64,
            progress,
            spent: class.spent_ms.unwrap_or_default(),
        })
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "milliseconds of a hunt"
)]
fn whole(milliseconds: f64) -> u64 {
    milliseconds.max(0.0) as u64
}

impl Told {
    /// In percent of the pairs, after so many milliseconds.
    pub(super) fn share_at(&self, milliseconds: f64) -> f64 {
        let reached = self
            .progress
            .iter()
            .take_while(|(time, _)| count(*time) <= milliseconds)
            .last();
        let tried = reached.map_or(0, |(_, tried)| *tried);
        100.0 * count(tried) / count(self.pairs.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_and_times_are_read() {
        let source = Source {
            run:
                r#"{"jdk": {"version": "17.0.1"}, "classes": [{"findings": [], "spent_ms": {"analysis": 2.0},
                "numbers": {"pairs": 10, "pairs_tried": 5, "plans": 7, "schedules": 9, "time_ms": 3000.0}}]}"#
                    .to_owned(),
            events:
                "{\"event\": \"begun\"}\n{\"event\": \"progress\", \"time_ms\": 900.0, \"pairs_tried\": 2}\n"
                    .to_owned(),
        };
        let told = source.told().unwrap();
        assert_eq!(told.progress, [(900, 2), (3000, 5)]);
        assert_eq!(told.spent.get("analysis"), Some(&2.0));
        let shares = [500.0, 1000.0, 4000.0].map(|time| format!("{:.1}", told.share_at(time)));
        assert_eq!(shares, ["0.0", "20.0", "50.0"]);
    }
}
