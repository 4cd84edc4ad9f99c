//! All oracles together.

use raddle_plan::{End, Outcome};

use crate::baseline::{Baseline, hanging};
use crate::deadlock::Deadlock;
use crate::exception::Exception;
use crate::livelock::{self, Livelock};
use crate::lost_wakeup::LostWakeup;
use crate::result::WrongResult;
use crate::verdict::{Judgement, Kind, Violation};
use crate::words;

/// Looks for one kind of violation.
pub trait Oracle: Send + Sync {
    /// The kind.
    fn kind(&self) -> Kind;

    /// The violation that the run shows, if any. The run has come to an end of its own, got stuck, or was cut short.
    fn look(&self, baseline: &Baseline, outcome: &Outcome) -> Option<Violation>;
}

/// One of each kind, in the order of [`Kind::ALL`]. An exception comes first since it is often the reason for what comes
/// later.
pub fn oracles() -> [&'static dyn Oracle; 5] {
    [&Exception, &Deadlock, &LostWakeup, &Livelock, &WrongResult]
}

/// All violations that a run shows, in the order of [`Kind::ALL`]. None if it cannot be judged.
pub fn violations(baseline: &Baseline, outcome: &Outcome) -> Vec<Violation> {
    if baseline.problem().is_some() || words::no_verdict(outcome).is_some() {
        return Vec::new();
    }
    let looked = oracles().into_iter();
    looked
        .filter_map(|oracle| oracle.look(baseline, outcome))
        .collect()
}

/// Compares a run with the linearizations.
pub fn judge(baseline: &Baseline, outcome: &Outcome) -> Judgement {
    if let Some(reason) = words::no_verdict(outcome) {
        return Judgement::Inconclusive(reason);
    }
    if let Some(problem) = baseline.problem() {
        return Judgement::Inconclusive(problem.to_owned());
    }
    if let Some(violation) = violations(baseline, outcome).into_iter().next() {
        return Judgement::Violation(violation);
    }
    match undecided(baseline, outcome) {
        Some(reason) => Judgement::Inconclusive(reason),
        None => Judgement::Clean,
    }
}

/// Why a run that shows no violation is not clean either.
fn undecided(baseline: &Baseline, outcome: &Outcome) -> Option<String> {
    match outcome.end {
        End::Stuck if baseline.ends_vary() => Some(
            "No thread could go on; but sequential runs of the same order end in different ways, so that says nothing."
                .to_owned(),
        ),
        End::Stuck if !baseline.hangs_likewise(&hanging(outcome)) => Some(
            "No thread could go on, and what is known of the threads does not say why: neither do they wait for each \
             other's locks, nor does one wait to be woken."
                .to_owned(),
        ),
        End::StepBound => Some(livelock::undecided(baseline, outcome)),
        _ => None,
    }
}
