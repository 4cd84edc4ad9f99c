//! What is by design, for every class: rules that tell a violation of a promise which nearly every class makes from one of
//! a promise which few make.
//!
//! A violation with a [`Weakness`] is no plain violation: its calls did what no order of whole calls does, in a way that
//! many classes are meant to. It is told apart, with the rule and the reason, and never dropped. The rules look at what
//! the calls did, never at names of classes.

mod between;
mod calls;
mod crosswise;
mod early;
mod elements;
mod failed;
mod meeting;
mod merged;
mod nested;
mod owner;
mod refusal;
mod release;
mod snapshot;
mod steps;
mod unfinished;
mod unrefused;

use std::collections::BTreeSet;
use std::fmt;

use raddle_plan::{Call, FieldRef, Outcome, Part, TestPlan};
use serde::{Deserialize, Serialize};

pub(crate) use calls::changes;
pub use calls::{Holder, RunEvents};
pub use failed::is_failing_answer;
pub use meeting::{meeting_points, unguarded_state};
pub use owner::{Role, roles};
pub use refusal::stack_text;
pub use steps::{StepCalls, changing_calls, changing_step_calls, finds_others_in_its_own, step_calls};

use calls::Calls;

use crate::verdict::Violation;

/// The ways in which a violation may be by design. Their names are part of the output and stay.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WeakKind {
    /// Explained by other calls between the steps of a bulk or traversing call.
    Steps,
    /// A reader of several variables saw them at different times.
    Snapshot,
    /// A call failed, changing nothing, although no order makes it fail.
    FailedAnswer,
    /// A call with nothing left to do returned while another one was still doing it.
    Early,
    /// A call shares the work and the result of the same call in another thread.
    Merged,
    /// Two callers of a method that is meant for one.
    SingleOwner,
    /// The class refuses the call, as it does with one thread.
    Refusal,
    /// A call that something else refuses in every order came to its end.
    Unrefused,
    /// Objects hold themselves or each other.
    Nested,
    /// A lock was released by a thread that does not have it.
    ForeignRelease,
    /// An argument was changed by another thread while it was read.
    Crosswise,
    /// The documentation says that what happens then is not defined.
    Undefined,
}

impl WeakKind {
    /// The name in the output.
    pub const fn name(self) -> &'static str {
        match self {
            WeakKind::Steps => "steps",
            WeakKind::Snapshot => "snapshot",
            WeakKind::FailedAnswer => "failed-answer",
            WeakKind::Early => "early",
            WeakKind::Merged => "merged",
            WeakKind::SingleOwner => "single-owner",
            WeakKind::Refusal => "refusal",
            WeakKind::Unrefused => "unrefused",
            WeakKind::Nested => "nested",
            WeakKind::ForeignRelease => "foreign-release",
            WeakKind::Crosswise => "crosswise",
            WeakKind::Undefined => "undefined",
        }
    }
}

impl fmt::Display for WeakKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a violation may be by design.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Weakness {
    /// In which way.
    pub rule: WeakKind,
    /// For people, without a full stop: what the class would have to promise.
    pub sentence: String,
    /// The calls that it is about, numbered through the plan.
    pub calls: Vec<usize>,
}

/// All that the rules look at.
pub struct Case<'c> {
    /// The class under test, by its Java name.
    pub class: &'c str,
    /// It, and all that it inherits from.
    pub family: &'c BTreeSet<String>,
    /// The test.
    pub plan: &'c TestPlan,
    /// What is wrong.
    pub violation: &'c Violation,
    /// The run that shows it.
    pub run: RunEvents<'c>,
    /// What came of its calls.
    pub outcome: &'c Outcome,
    /// Runs of the calls one after the other, in some orders at least.
    pub sequential: &'c [Outcome],
    /// Whether the calls fill the stack when they are made one after the other.
    pub overflows: bool,
    /// The bulk and traversing calls, if other calls between their steps explain the outcome.
    pub steps: Option<&'c StepCalls>,
    /// Calls that return nothing or say no, and without which the rest is what an order of whole calls gives.
    pub spare: &'c [usize],
    /// The calls that change something when calls are made one after the other.
    pub changing: &'c BTreeSet<usize>,
    /// Methods that are one side of two, by what the analysis says.
    pub roles: &'c [Role],
    /// Whether null is an answer that the code of a call's method knows.
    pub may_answer_null: &'c dyn Fn(&Call) -> bool,
    /// Whether a field is only ever set to constants: it says in which state something is.
    pub is_state: &'c dyn Fn(&FieldRef) -> bool,
    /// Whether a field is part of something that threads wait for until it has a result.
    pub is_of_future: &'c dyn Fn(&FieldRef) -> bool,
    /// Whether calls made one after the other threw this, in any test; asked with what [`stack_text`] makes.
    pub is_thrown_alone: &'c dyn Fn(&str) -> bool,
}

impl Case<'_> {
    /// A call of the plan by number, and where it is.
    fn call(&self, number: usize) -> Option<(Part, &Call)> {
        let mut calls = self.plan.calls();
        let found = calls.find(|(id, _, _)| id.0 as usize == number);
        found.map(|(_, part, call)| (part, call))
    }

    /// Whether a call returns a text.
    fn is_text(&self, number: usize) -> bool {
        self.call(number)
            .is_some_and(|(_, call)| call.member.descriptor.ends_with(")Ljava/lang/String;"))
    }

    fn is_same_method(&self, one: usize, other: usize) -> bool {
        let member = |number| self.call(number).map(|(_, call)| &call.member);
        member(one) == member(other)
    }

    fn name(&self, number: usize) -> String {
        self.call(number)
            .map_or_else(String::new, |(_, call)| call.member.name.clone())
    }
}

/// One way in which a violation may be by design.
trait Rule {
    /// Says why the violation may be by design; none if this rule has no reason.
    fn look(&self, case: &Case<'_>, calls: &Calls) -> Option<Weakness>;
}

/// The first reason why a violation may be by design, those first that say most of the class; none if there is none.
pub fn weakness(case: &Case<'_>) -> Option<Weakness> {
    let rules: [&dyn Rule; 13] = [
        &release::ForeignRelease,
        &owner::SingleOwner,
        &nested::Nested,
        &elements::Elements,
        &crosswise::Crosswise,
        &refusal::Refusal,
        &unrefused::Unrefused,
        &steps::Steps,
        &snapshot::Snapshot,
        &between::InBetween,
        &failed::FailedAnswer,
        &early::Early,
        &merged::Merged,
    ];
    let calls = Calls::of(&case.run);
    rules.iter().find_map(|rule| rule.look(case, &calls))
}

#[cfg(test)]
mod tests;
