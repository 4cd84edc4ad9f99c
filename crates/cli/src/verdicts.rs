//! What the outcomes of an exploration mean.

use raddle_execute::{Distinct, Exploration};
use raddle_oracle::{Baseline, Judgement, Kind, Violation, judge};
use raddle_plan::TestPlan;

/// A violation, and the runs that show it.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) violation: Violation,
    /// The first outcome that shows it.
    pub(crate) by: Distinct,
    /// Runs that show it.
    pub(crate) count: u64,
}

/// What the outcomes mean.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verdicts {
    /// Each fault once.
    pub(crate) violations: Vec<Shown>,
    /// Why more cannot be said, as sentences.
    pub(crate) gaps: Vec<String>,
    /// What was not judged because it is never the same, as sentences.
    pub(crate) notes: Vec<String>,
}

impl Verdicts {
    fn add_gap(&mut self, gap: String) {
        if !self.gaps.contains(&gap) {
            self.gaps.push(gap);
        }
    }
}

/// Why a violation may be none: an order of the calls that was not run may explain it. No order of whole calls makes
/// threads wait for each other's locks.
fn unexplained(violation: &Violation, exploration: &Exploration) -> Option<String> {
    let gap = exploration.baseline_gap.as_ref()?;
    if violation.kind == Kind::Deadlock {
        return None;
    }
    Some(format!(
        "a {} was seen that may be none, because {gap}: {}",
        violation.kind, violation.summary
    ))
}

/// Compares every outcome with those of the calls made one after the other.
pub(crate) fn judge_all(plan: &TestPlan, exploration: &Exploration) -> Verdicts {
    let baseline = Baseline::new(exploration.baseline.clone()).of_plan(plan);
    let mut verdicts = Verdicts {
        notes: baseline.nondeterminism().to_vec(),
        ..Verdicts::default()
    };
    if let Some(problem) = baseline.problem() {
        // Why there are no sequential runs, those that died over them say better.
        if !exploration.baseline.is_empty() || exploration.deaths.is_empty() {
            verdicts.gaps.push(problem.to_owned());
        }
        return verdicts;
    }
    let mut signatures = Vec::new();
    for distinct in &exploration.outcomes {
        match judge(&baseline, &distinct.outcome) {
            Judgement::Clean => {}
            Judgement::Inconclusive(reason) => verdicts.add_gap(reason),
            Judgement::Violation(violation) => {
                if let Some(unknown) = unexplained(&violation, exploration) {
                    verdicts.add_gap(unknown);
                    continue;
                }
                let signature = violation.signature();
                if let Some(at) = signatures.iter().position(|known| *known == signature) {
                    verdicts.violations[at].count += distinct.count;
                } else {
                    signatures.push(signature);
                    verdicts.violations.push(Shown {
                        violation,
                        by: distinct.clone(),
                        count: distinct.count,
                    });
                }
            }
        }
    }
    verdicts
}
