//! The limit on scheduling points was reached, in no linearization. That is a suspicion: a limit cannot tell a run that
//! never ends from one that takes longer.

use raddle_plan::{End, Outcome};

use crate::baseline::{Baseline, hanging};
use crate::judge::Oracle;
use crate::verdict::{Evidence, Kind, Violation};
use crate::words;

/// A run must be so many times as long as the longest linearization: threads that get in each other's way may well make
/// it somewhat longer.
const FACTOR: u32 = 2;

/// Looks for runs that do not end.
#[derive(Copy, Clone, Debug)]
pub struct Livelock;

impl Oracle for Livelock {
    fn kind(&self) -> Kind {
        Kind::Livelock
    }

    fn look(&self, baseline: &Baseline, outcome: &Outcome) -> Option<Violation> {
        let longest = baseline.longest();
        if outcome.end != End::StepBound
            || baseline.ends_vary()
            || baseline.is_cut_short()
            || outcome.steps / FACTOR < longest
        {
            return None;
        }
        let calls = hanging(outcome);
        let names: Vec<String> = calls.iter().map(|call| baseline.name(*call)).collect();
        let under_way = if names.is_empty() {
            "the run had not come to its end".to_owned()
        } else {
            format!("not yet at an end: {}", words::list(&names, "and"))
        };
        Some(Violation {
            kind: Kind::Livelock,
            summary: format!(
                "Suspected livelock: after {} scheduling points, {under_way}. In {} every call completes, after \
                 at most {longest} points. The limit cannot tell a run that never ends from a very long one.",
                outcome.steps,
                words::orders(baseline.linearizations()),
            ),
            evidence: Evidence::Livelock {
                steps: outcome.steps,
                sequential_steps: longest,
                calls,
            },
        })
    }
}

/// Why a run that was cut short is no livelock.
pub(crate) fn undecided(baseline: &Baseline, outcome: &Outcome) -> String {
    let steps = outcome.steps;
    if baseline.is_cut_short() {
        format!(
            "The run was cut short after {steps} scheduling points, as are sequential orders of the same calls."
        )
    } else {
        format!(
            "The run was cut short after {steps} scheduling points, which says nothing: sequential orders of the same \
             calls take up to {}. Raise the limit.",
            baseline.longest()
        )
    }
}
