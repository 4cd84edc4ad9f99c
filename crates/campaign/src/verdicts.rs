//! What the outcomes of an exploration mean.

use std::collections::{BTreeMap, BTreeSet};

use raddle_execute::{Distinct, Exploration};
use raddle_oracle::{Baseline, Judgement, Kind, Violation, judge, violations};
use raddle_plan::{CallResult, Outcome, TestPlan};

use crate::traces::OVERFLOW;

use raddle_oracle::stand_in::{fails_calls, is_to_blame};

use crate::contracts::Excuses;

/// A violation, and the runs that show it.
#[derive(Clone, Debug)]
pub struct Shown {
    /// What is wrong.
    pub violation: Violation,
    /// The first outcome that shows it.
    pub by: Distinct,
    /// Runs that show it.
    pub count: u64,
    /// Other outcomes that show the same calls doing something else that is wrong, up to a few of them.
    pub others: Vec<(Violation, Distinct)>,
}

/// Outcomes of one fault that are kept besides the first.
pub(crate) const MOST_OTHERS: usize = 3;

impl Shown {
    /// One more outcome that shows it. What differs in its words may differ in its cause.
    fn also(&mut self, violation: Violation, by: &Distinct) {
        self.count += by.count;
        let is_it = |known: &Violation| known.summary == violation.summary;
        let is_known = is_it(&self.violation) || self.others.iter().any(|(other, _)| is_it(other));
        if self.others.len() < MOST_OTHERS && !is_known {
            self.others.push((violation, by.clone()));
        }
    }
}

/// What the outcomes mean.
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    /// Each fault once, as [`Violation::signature`] tells them apart.
    pub violations: Vec<Shown>,
    /// Why more cannot be said, as sentences.
    pub gaps: Vec<String>,
    /// What was not judged because it is never the same, as sentences.
    pub notes: Vec<String>,
    /// Violations that the documentation excuses.
    pub(crate) excused: Vec<Excused>,
}

/// A violation that the documentation excuses.
#[derive(Clone, Debug)]
pub(crate) struct Excused {
    pub(crate) violation: Violation,
    /// What the documentation says, as a sentence without its end.
    pub(crate) because: String,
}

/// By what runs of a plan are judged.
struct Measure<'t> {
    plan: &'t TestPlan,
    baseline: Baseline,
    excuses: Option<Excuses<'t>>,
    /// Without the results that need not fit any single moment.
    lenient: Option<Baseline>,
    kinds: &'t BTreeSet<Kind>,
}

impl<'t> Measure<'t> {
    fn new(
        plan: &'t TestPlan,
        exploration: &Exploration,
        kinds: &'t BTreeSet<Kind>,
        excuses: Option<Excuses<'t>>,
    ) -> Measure<'t> {
        let baseline = Baseline::new(exploration.baseline.clone()).of_plan(plan);
        let snapshots = excuses.as_ref().map(Excuses::snapshots).unwrap_or_default();
        let lenient =
            (!snapshots.is_empty()).then(|| baseline.clone().ignoring_results(snapshots.into_keys()));
        Measure {
            plan,
            baseline,
            excuses,
            lenient,
            kinds,
        }
    }

    /// The first violation that nothing excuses; those before it that something does go to the list.
    fn judge(&self, outcome: &Outcome, excused: &mut Vec<Excused>) -> Judgement {
        match judge(&self.baseline, outcome) {
            // Whatever else is wrong with the run comes of that.
            Judgement::Violation(first) if is_to_blame(self.plan, &first) => Judgement::Clean,
            Judgement::Violation(first) if first.kind == Kind::Result && fails_calls(self.plan, outcome) => {
                Judgement::Clean
            }
            Judgement::Violation(_) => violations(&self.baseline, outcome)
                .into_iter()
                .filter(|violation| self.kinds.contains(&violation.kind))
                .find_map(|violation| self.unexcused(violation, outcome, excused))
                .map_or(Judgement::Clean, Judgement::Violation),
            judgement => judgement,
        }
    }

    /// What is left of a violation when all is taken away that the documentation excuses.
    fn unexcused(
        &self,
        violation: Violation,
        outcome: &Outcome,
        excused: &mut Vec<Excused>,
    ) -> Option<Violation> {
        let Some(excuses) = &self.excuses else {
            return Some(violation);
        };
        if let Some(rule) = excuses.find(&violation, outcome) {
            let because = rule.sentence();
            excused.push(Excused { violation, because });
            return None;
        }
        let Some(lenient) = self.lenient.as_ref().filter(|_| violation.kind == Kind::Result) else {
            return Some(violation);
        };
        let left = violations(lenient, outcome)
            .into_iter()
            .find(|violation| violation.kind == Kind::Result);
        if left.is_none() {
            let snapshots = excuses.snapshots();
            let shown = violation
                .decisive_calls()
                .iter()
                .find_map(|call| snapshots.get(call));
            let rule = shown.or_else(|| snapshots.values().next())?;
            let because = rule.sentence();
            excused.push(Excused { violation, because });
        }
        left
    }
}

impl Verdicts {
    fn add_gap(&mut self, gap: String) {
        if !self.gaps.contains(&gap) {
            self.gaps.push(gap);
        }
    }
}

/// Which of these outcomes of the plan, besides those of the exploration, are violations of these kinds: their digests.
pub(crate) fn violating<'o>(
    plan: &TestPlan,
    exploration: &Exploration,
    kinds: &BTreeSet<Kind>,
    excuses: Option<Excuses<'_>>,
    outcomes: impl Iterator<Item = &'o Outcome>,
) -> BTreeSet<u64> {
    let by_digest: BTreeMap<u64, &Outcome> = outcomes.map(|outcome| (outcome.digest, outcome)).collect();
    if by_digest.is_empty() {
        return BTreeSet::new();
    }
    let measure = Measure::new(plan, exploration, kinds, excuses);
    if measure.baseline.problem().is_some() {
        return BTreeSet::new();
    }
    let is_violation = |outcome: &Outcome| {
        let judgement = measure.judge(outcome, &mut Vec::new());
        matches!(judgement, Judgement::Violation(violation) if unexplained(&violation, exploration).is_none())
    };
    let found = by_digest.into_iter().filter(|(_, outcome)| is_violation(outcome));
    found.map(|(digest, _)| digest).collect()
}

/// Compares every outcome with those of the calls made one after the other. Only the kinds asked for count; a run that
/// shows several shows the first of them, in the order of [`Kind::ALL`], since that is often the reason for the others.
pub fn judge_all(plan: &TestPlan, exploration: &Exploration, kinds: &BTreeSet<Kind>) -> Verdicts {
    judge_promised(plan, exploration, kinds, None)
}

/// The same, but what the documentation excuses is told apart.
pub(crate) fn judge_promised(
    plan: &TestPlan,
    exploration: &Exploration,
    kinds: &BTreeSet<Kind>,
    excuses: Option<Excuses<'_>>,
) -> Verdicts {
    let measure = Measure::new(plan, exploration, kinds, excuses);
    let mut verdicts = Verdicts {
        notes: measure.baseline.nondeterminism().to_vec(),
        ..Verdicts::default()
    };
    if let Some(problem) = measure.baseline.problem() {
        // Why there are no sequential runs, those that died over them say better.
        if !exploration.baseline.is_empty() || exploration.deaths.is_empty() {
            verdicts.gaps.push(problem.to_owned());
        }
        return verdicts;
    }
    let mut signatures = Vec::new();
    for distinct in &exploration.outcomes {
        match measure.judge(&distinct.outcome, &mut verdicts.excused) {
            Judgement::Clean => {}
            Judgement::Inconclusive(reason) => verdicts.add_gap(reason),
            Judgement::Violation(violation) => {
                if let Some(unknown) = unexplained(&violation, exploration) {
                    verdicts.add_gap(unknown);
                    continue;
                }
                let signature = violation.signature();
                if let Some(at) = signatures.iter().position(|known| *known == signature) {
                    verdicts.violations[at].also(violation, distinct);
                } else {
                    signatures.push(signature);
                    verdicts.violations.push(Shown {
                        violation,
                        by: distinct.clone(),
                        count: distinct.count,
                        others: Vec::new(),
                    });
                }
            }
        }
    }
    // Runs that differ in nothing but where the threads were switched show one violation.
    let mut seen = BTreeSet::new();
    verdicts
        .excused
        .retain(|excused| seen.insert((excused.violation.signature(), excused.because.clone())));
    verdicts
}

/// Whether some sequential order ends with a full stack. How far calls get until then is an accident.
pub(crate) fn overflows(exploration: &Exploration) -> bool {
    let is_full =
        |result: &CallResult| matches!(result, CallResult::Threw { class, .. } if class == OVERFLOW);
    let mut runs = exploration.baseline.iter().flat_map(|(one, other)| [one, other]);
    runs.any(|run| run.calls.iter().any(|call| is_full(&call.result)))
}

/// Why a violation may be none: an order of the calls that was not run may explain it. No order of whole calls makes
/// threads wait for each other's locks.
fn unexplained(violation: &Violation, exploration: &Exploration) -> Option<String> {
    if violation.kind == Kind::Deadlock {
        return None;
    }
    let overflow = || overflows(exploration).then_some("calls made one after the other fill the stack");
    let gap = exploration.baseline_gap.as_deref().or_else(overflow)?;
    Some(format!(
        "a {} was seen that may be none, because {gap}: {}",
        violation.kind, violation.summary
    ))
}
