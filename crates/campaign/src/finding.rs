//! A violation that was minimised and confirmed.

use std::collections::BTreeSet;
use std::time::Duration;

use raddle_oracle::{Kind, Violation, Weakness};
use raddle_plan::{Event, Recording};

use crate::promise::Promise;
use raddle_oracle::dedup_key::lasting_mark;

/// A violation that was minimised and confirmed.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Equal in every run that finds the same fault: `deadlock-1f00c4a2`.
    pub id: String,
    /// The class under test, by its Java name.
    pub class: String,
    /// What is wrong, in the minimal plan.
    pub violation: Violation,
    /// Why it may be by design; none for a plain violation.
    pub weakness: Option<Weakness>,
    /// The state on which the calls of a wrong result meet.
    pub state: BTreeSet<String>,
    /// The fields under which the calls of a wrong result, or those around an exception, meet without a lock in common.
    pub unguarded: BTreeSet<String>,
    /// What faults are told apart by.
    pub cause: String,
    /// The same for the plan that showed it first.
    pub first_cause: String,
    /// Whether all was tried to make it smaller; not if the hunt was ended meanwhile.
    pub is_minimal: bool,
    /// The public methods that run at the same time, by name and parameter types.
    pub methods: Vec<String>,
    /// Why the plan was made, for people.
    pub reason: String,
    /// The minimal plan, its schedule, and what came of it.
    pub recording: Recording,
    /// What the threads did.
    pub events: Vec<Event>,
    /// What else the run shows, as sentences: races, locks that are taken crosswise.
    pub beside: Vec<String>,
    /// The fewest preemptions that show it, if it was found by counting them up.
    pub preemptions: Option<u32>,
    /// Calls of the plan that showed it first; the minimal one has fewer.
    pub first_calls: usize,
    /// Whether a JVM without Raddle shows it too.
    pub stock_jvm: StockJvm,
    /// What is surprising about it, as a sentence: the analysis has no such pair of methods.
    pub analysis_bug: Option<String>,
    /// How strong the promise is that it breaks.
    pub promise: Promise,
    /// Whether that is strong enough to count.
    pub is_promised: bool,
    /// Since the class was begun.
    pub after: Duration,
}

/// A violation that was seen and could not be confirmed in fresh JVMs. It is no finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// Of this kind.
    pub kind: Kind,
    /// What was seen.
    pub summary: String,
    /// The public methods that run at the same time, by name and parameter types.
    pub methods: Vec<String>,
    /// Why it does not count, as a part of a sentence.
    pub why: String,
    /// Whether it is no violation at all, see `confirm.rs`.
    pub is_no_violation: bool,
}

impl Finding {
    /// Equal for the same fault also after lines of the source have moved, which the id need not be. Two faults of a class that
    /// only lines tell apart have the same.
    pub fn lasting_mark(&self) -> String {
        lasting_mark(self.violation.kind, &self.class, &self.cause)
    }

    /// The methods that run at the same time: `add(int) ∥ size()`.
    pub fn calls_text(&self) -> String {
        calls_text(&self.methods)
    }
}

/// Methods that run at the same time; one that is alone does so with itself.
pub fn calls_text(methods: &[String]) -> String {
    match methods {
        [method] => format!("{method} ∥ {method}"),
        several => several.join(" ∥ "),
    }
}

/// Whether a JVM without Raddle shows a violation too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StockJvm {
    /// That was not tried, for this reason.
    Untried(String),
    /// It is being tried, or is to be before the hunt is over.
    Awaited,
    /// The stand-alone reproducer shows it.
    Confirmed,
    /// The stand-alone reproducer was run and does not show it; what it said.
    NotConfirmed(String),
}
