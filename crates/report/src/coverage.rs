//! What the tests of a class have covered, as text and for the JSON document.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use raddle_campaign::{ClassCoverage, Silent, Uncovered};
use serde::{Deserialize, Serialize};

/// Of each list, what the text shows; JSON has all.
const SHOWN: usize = 5;

/// How the names of classes begin that a test writes to have an object at all.
const WRITTEN: &str = "RaddlePlan$";

fn plain_name(class: &str) -> &str {
    if class.starts_with(WRITTEN) {
        "a subclass that the tests generate"
    } else {
        class
    }
}

/// The lines about what was not covered; none if all was.
pub(crate) fn coverage_text(class: &str, coverage: &ClassCoverage) -> String {
    let mut text = String::new();
    if coverage.apart > 0 {
        let _ = writeln!(
            text,
            "  {} of the covered pairs share nothing that changes",
            coverage.apart
        );
    }
    if coverage.objects.iter().any(|object| object != class) {
        let mut names: Vec<&str> = coverage.objects.iter().map(|object| plain_name(object)).collect();
        names.dedup();
        let _ = writeln!(text, "  tested with objects of {}", names.join(", "));
    }
    let reasons: Vec<String> = Uncovered::ALL
        .into_iter()
        .map(|reason| (coverage.count(reason), reason))
        .filter(|(count, _)| *count > 0)
        .map(|(count, reason)| format!("{count} {}", phrase(reason)))
        .collect();
    if !reasons.is_empty() {
        let _ = writeln!(text, "  pairs not covered: {}", reasons.join(", "));
    }
    list(
        &mut text,
        "methods that never returned normally:",
        &coverage.silent,
        |Silent { method, why, .. }| format!("{method}: {why}"),
    );
    list(
        &mut text,
        "plans that could not be run or judged:",
        &coverage.failures,
        |(why, count)| format!("{count}: {why}"),
    );
    text
}

fn list<T>(text: &mut String, title: &str, items: &[T], line: impl Fn(&T) -> String) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(text, "  {title}");
    for item in items.iter().take(SHOWN) {
        let _ = writeln!(text, "    {}", line(item).replace('\n', "\n      "));
    }
    let more = items.len().saturating_sub(SHOWN);
    if more > 0 {
        let _ = writeln!(text, "    and {more} more, which --json lists");
    }
}

fn phrase(reason: Uncovered) -> &'static str {
    match reason {
        Uncovered::NotTried => "not tried in time",
        Uncovered::PlanFailed => "whose plans could not be run",
        Uncovered::NeverReturned => "with a call that never returned normally",
        Uncovered::NeverOverlapped => "whose calls never overlapped",
    }
}

/// Of the JSON document; also read when a hunt is resumed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct CoverageMember {
    pairs: usize,
    covered: usize,
    apart: usize,
    shares_nothing: bool,
    objects: Vec<String>,
    /// What the numbers in `uncovered` stand for.
    methods: Vec<String>,
    uncovered: BTreeMap<ReasonName, Vec<(usize, usize)>>,
    never_returned: Vec<SilentMember>,
    failed_plans: Vec<FailedMember>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ReasonName {
    NotTried,
    PlanFailed,
    NeverReturned,
    NeverOverlapped,
}

impl ReasonName {
    fn of(reason: Uncovered) -> ReasonName {
        match reason {
            Uncovered::NotTried => ReasonName::NotTried,
            Uncovered::PlanFailed => ReasonName::PlanFailed,
            Uncovered::NeverReturned => ReasonName::NeverReturned,
            Uncovered::NeverOverlapped => ReasonName::NeverOverlapped,
        }
    }

    fn reason(self) -> Uncovered {
        match self {
            ReasonName::NotTried => Uncovered::NotTried,
            ReasonName::PlanFailed => Uncovered::PlanFailed,
            ReasonName::NeverReturned => Uncovered::NeverReturned,
            ReasonName::NeverOverlapped => Uncovered::NeverOverlapped,
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SilentMember {
    method: String,
    mutator: bool,
    why: String,
    plans: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct FailedMember {
    reason: String,
    plans: u64,
}

impl CoverageMember {
    pub(crate) fn of(coverage: &ClassCoverage) -> CoverageMember {
        let pairs = coverage.uncovered.iter();
        let methods: BTreeSet<&String> = pairs.flat_map(|(first, second, _)| [first, second]).collect();
        let methods: Vec<String> = methods.into_iter().cloned().collect();
        let number = |method: &String| methods.binary_search(method).unwrap_or_default();
        let mut uncovered: BTreeMap<ReasonName, Vec<(usize, usize)>> = BTreeMap::new();
        for (first, second, reason) in &coverage.uncovered {
            let pairs = uncovered.entry(ReasonName::of(*reason)).or_default();
            pairs.push((number(first), number(second)));
        }
        let silent = coverage.silent.iter().cloned();
        let failures = coverage.failures.iter().cloned();
        CoverageMember {
            pairs: coverage.pairs,
            covered: coverage.covered,
            apart: coverage.apart,
            shares_nothing: coverage.shares_nothing,
            objects: coverage.objects.clone(),
            uncovered,
            methods,
            never_returned: silent
                .map(|silent| SilentMember {
                    method: silent.method,
                    mutator: silent.is_mutator,
                    why: silent.why,
                    plans: silent.plans,
                })
                .collect(),
            failed_plans: failures
                .map(|(reason, plans)| FailedMember { reason, plans })
                .collect(),
        }
    }

    pub(crate) fn coverage(self) -> ClassCoverage {
        let methods = self.methods;
        let name = |number: usize| methods.get(number).cloned().unwrap_or_default();
        let uncovered = self.uncovered.into_iter().flat_map(|(reason, pairs)| {
            let pairs = pairs.into_iter();
            pairs.map(move |(first, second)| (first, second, reason.reason()))
        });
        ClassCoverage {
            pairs: self.pairs,
            covered: self.covered,
            apart: self.apart,
            uncovered: uncovered
                .map(|(first, second, reason)| (name(first), name(second), reason))
                .collect(),
            silent: self
                .never_returned
                .into_iter()
                .map(|silent| Silent {
                    method: silent.method,
                    is_mutator: silent.mutator,
                    why: silent.why,
                    plans: silent.plans,
                })
                .collect(),
            failures: self
                .failed_plans
                .into_iter()
                .map(|failed| (failed.reason, failed.plans))
                .collect(),
            objects: self.objects,
            shares_nothing: self.shares_nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt_sample;

    #[test]
    fn coverage_is_read_as_it_was_written() {
        let report = hunt_sample::report();
        let coverage = &report.classes[1].report.as_ref().unwrap().coverage;
        let text = serde_json::to_string(&CoverageMember::of(coverage)).unwrap();
        let mut read = serde_json::from_str::<CoverageMember>(&text).unwrap().coverage();
        let mut coverage = coverage.clone();
        coverage.uncovered.sort_by_key(|(_, _, reason)| *reason);
        read.uncovered.sort_by_key(|(_, _, reason)| *reason);
        assert_eq!(read, coverage);
    }
}
