//! `bench/published.toml`, whose head explains the keys.

use std::collections::BTreeMap;

use anyhow::Context;
use serde::Deserialize;

use crate::workspace;

/// Relative to the root of the workspace.
const FILE: &str = "bench/published.toml";
/// What CovCon Table II prints where nothing was found within an hour.
const NEVER: u32 = 3600;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    result: Vec<Published>,
}

/// What the papers print for one subject.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::bench) struct Published {
    id: String,
    pub(in crate::bench) depcon: Option<Averages>,
    pub(in crate::bench) covcon_again: Option<Averages>,
    pub(in crate::bench) covcon: Option<Times>,
    pub(in crate::bench) omen: Option<Omen>,
    pub(in crate::bench) omen_volunteers: Option<Deadlocks>,
    pub(in crate::bench) omen_authors: Option<Deadlocks>,
    pub(in crate::bench) intruder: Option<Intruder>,
    pub(in crate::bench) narada: Option<Narada>,
}

/// Of five seeds.
#[derive(Copy, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::bench) struct Averages {
    /// In percent.
    pub(in crate::bench) success: u32,
    pub(in crate::bench) seconds: u32,
    pub(in crate::bench) tests: u32,
}

/// Seconds of two tools.
#[derive(Copy, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::bench) struct Times {
    pub(in crate::bench) seconds: u32,
    pub(in crate::bench) contege: u32,
}

/// With tests of Randoop as seeds.
#[derive(Copy, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::bench) struct Omen {
    pub(in crate::bench) lock_nodes: u32,
    pub(in crate::bench) cycles: u32,
    pub(in crate::bench) invocations: u32,
    pub(in crate::bench) tests: u32,
    pub(in crate::bench) deadlocks: u32,
    pub(in crate::bench) real: u32,
    pub(in crate::bench) seconds: u32,
}

/// With other tests as seeds.
#[derive(Copy, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::bench) struct Deadlocks {
    pub(in crate::bench) deadlocks: u32,
    pub(in crate::bench) real: u32,
}

/// Atomicity violations.
#[derive(Copy, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::bench) struct Intruder {
    pub(in crate::bench) pairs: u32,
    pub(in crate::bench) unique: u32,
    pub(in crate::bench) tests: u32,
    pub(in crate::bench) violations: u32,
    pub(in crate::bench) real: u32,
    pub(in crate::bench) seconds: f64,
}

/// Atomicity violations that tests for races came upon.
#[derive(Copy, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::bench) struct Narada {
    pub(in crate::bench) tests: u32,
    pub(in crate::bench) real: u32,
}

/// By the number of the subject.
pub(in crate::bench) struct Results(BTreeMap<String, Published>);

pub(in crate::bench) fn read() -> anyhow::Result<Results> {
    let text = workspace::read(workspace::root(), FILE.as_ref())?;
    let file: File = toml::from_str(&text).with_context(|| format!("cannot parse {FILE}"))?;
    let results = file.result.into_iter();
    Ok(Results(
        results.map(|result| (result.id.clone(), result)).collect(),
    ))
}

impl Results {
    /// None for subjects of other papers.
    pub(in crate::bench) fn of(&self, id: &str) -> Option<&Published> {
        self.0.get(id)
    }

    #[cfg(test)]
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

impl Averages {
    /// Such as `40 %, 2637 s`.
    pub(in crate::bench) fn cell(averages: Option<Averages>) -> String {
        averages.map_or_else(
            || "–".to_owned(),
            |averages| format!("{} %, {} s", averages.success, averages.seconds),
        )
    }
}

/// Seconds of CovCon Table II, or that there are none.
pub(in crate::bench) fn seconds_cell(seconds: Option<u32>) -> String {
    match seconds {
        None => "–".to_owned(),
        Some(NEVER) => "never".to_owned(),
        Some(seconds) => format!("{seconds} s"),
    }
}

/// Whether a time of CovCon Table II is one at which something was found.
pub(in crate::bench) fn is_found(seconds: u32) -> bool {
    seconds < NEVER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_averages_come_out() {
        let results = read().unwrap();
        let depcon: Vec<Averages> = results.0.values().filter_map(|result| result.depcon).collect();
        assert_eq!(depcon.len(), 19);
        let success: u32 = depcon.iter().map(|averages| averages.success).sum();
        // Table II: 68 % of 15 subjects; Table III: 100 % of 4.
        assert_eq!(success, 68 * 15 + 100 * 4);
        let seconds: u32 = depcon.iter().map(|averages| averages.seconds).sum();
        // 00:22:48 and 00:00:15, each rounded.
        assert!(seconds.abs_diff((22 * 60 + 48) * 15 + 15 * 4) <= 10, "{seconds}");
    }

    #[test]
    fn the_papers_totals_come_out() {
        let results = read().unwrap();
        let total =
            |number: fn(&Published) -> Option<u32>| -> u32 { results.0.values().filter_map(number).sum() };
        // Omen, last lines of Tables 6 and 7.
        assert_eq!(total(|papers| Some(papers.omen?.tests)), 26);
        assert_eq!(total(|papers| Some(papers.omen?.deadlocks)), 61);
        assert_eq!(total(|papers| Some(papers.omen?.real)), 45);
        assert_eq!(total(|papers| Some(papers.omen_volunteers?.deadlocks)), 63);
        assert_eq!(total(|papers| Some(papers.omen_volunteers?.real)), 42);
        assert_eq!(total(|papers| Some(papers.omen_authors?.deadlocks)), 81);
        assert_eq!(total(|papers| Some(papers.omen_authors?.real)), 60);
        // Intruder, last lines of Tables 6 and 7.
        assert_eq!(total(|papers| Some(papers.intruder?.pairs)), 359);
        assert_eq!(total(|papers| Some(papers.intruder?.unique)), 74);
        assert_eq!(total(|papers| Some(papers.intruder?.tests)), 40);
        assert_eq!(total(|papers| Some(papers.intruder?.violations)), 133);
        assert_eq!(total(|papers| Some(papers.intruder?.real)), 79);
        assert_eq!(total(|papers| Some(papers.narada?.tests)), 10);
        assert_eq!(total(|papers| Some(papers.narada?.real)), 20);
        let seconds: f64 = results
            .0
            .values()
            .filter_map(|papers| Some(papers.intruder?.seconds))
            .sum();
        assert!((seconds - 85.2).abs() < 1e-9, "{seconds}");
    }

    #[test]
    fn what_was_never_found_is_not_a_time() {
        assert_eq!(seconds_cell(Some(3600)), "never");
        assert_eq!(seconds_cell(Some(26)), "26 s");
        assert_eq!(seconds_cell(None), "–");
        assert!(is_found(26) && !is_found(3600));
    }
}
