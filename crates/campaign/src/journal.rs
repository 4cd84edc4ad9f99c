//! What must be remembered of a hunt to go on with it later.
//!
//! The plans of a strategy follow from its seed and from what it has heard of the plans before. So a hunt is brought back
//! to where it was by telling a new strategy the same again, and nothing need be run.

use std::time::Duration;

use raddle_generate::Feedback;
use raddle_plan::TestPlan;

use crate::event::Numbers;
use crate::exercise::Exercise;
use crate::finding::{Finding, Sighting};
use crate::silenced::Silenced;
use crate::stock_jvm::Untried;
use raddle_oracle::fingerprint;

/// A plan that was tried, and all that came of it. Plans are told of in the order in which the strategy made them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// How many plans the strategy was asked for, this one and those after it, before it heard of this one.
    pub window: usize,
    /// What the strategy heard.
    pub trial: TrialRecord,
    /// Violations of new causes that were looked into.
    pub settled: Vec<Settled>,
    /// All in all until then.
    pub numbers: Numbers,
    /// How much of the budget was used until then.
    pub used: Duration,
}

/// What came of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrialRecord {
    /// Tells the plan from others.
    pub plan: String,
    /// What the strategy heard of it.
    pub feedback: Feedback,
    /// Why it could not be run, or not be judged; none if it was.
    pub failure: Option<String>,
    /// What could not be instrumented.
    pub blind_spots: Option<String>,
    /// What happened besides, as sentences.
    pub notes: Vec<String>,
    /// What it exercised of the class.
    pub exercise: Exercise,
    /// Marks of the exceptions that calls made one after the other threw.
    pub thrown: Vec<String>,
    /// Violations that the documentation excuses.
    pub silenced: Vec<Silenced>,
}

/// A violation that was looked into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Its cause in the plan that showed it first.
    pub cause: String,
    /// The finding's id; or what was seen and is none.
    pub came_to: Result<String, Sighting>,
    /// The calls that showed it, if it was the same fault as that of an earlier finding.
    pub also: Option<String>,
}

/// What is known of a class from an earlier part of the same hunt.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// In the order in which it happened.
    pub tried: Vec<Tried>,
    /// All findings so far, with those of plans that were under way when the earlier part ended.
    pub findings: Vec<Finding>,
    /// Those of them that have yet to be tried on a stock JVM.
    pub untried: Vec<Untried>,
}

/// Tells a plan from others of the same strategy.
pub(crate) fn plan_mark(plan: &TestPlan) -> String {
    // The name of a plan is for people, and may change.
    let text = format!("{:?} {:?} {:?}", plan.prefix, plan.threads, plan.after);
    format!("{:08x}", fingerprint(text.bytes()))
}
