//! What every strategy offers: plans, one after the other, and ears for what came of them.

use raddle_plan::TestPlan;

use crate::directed::{Prediction, TracedTest};

/// What a plan is after.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// Exceptions and wrong results: one object under test.
    Exception,
    /// Deadlocks: two objects under test, calls crosswise.
    Deadlock,
}

/// Why a plan was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// What it is after.
    pub mode: Mode,
    /// The two methods, as indices into the class's public methods, if it is about a pair.
    pub pair: Option<(usize, usize)>,
    /// For people: `append ⇌D append`.
    pub text: String,
}

/// One plan to try.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Counted from 0 within a strategy; feedback names it.
    pub number: u64,
    /// The plan.
    pub plan: TestPlan,
    /// Why it was made.
    pub evidence: Evidence,
    /// The interleavings that it was made for, if there are any.
    pub predictions: Vec<Prediction>,
}

/// What came of a candidate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Feedback {
    /// The call of the prefix that threw, by its number in the plan, and the exception's class.
    pub prefix_threw: Option<(usize, String)>,
    /// Calls that throw in every sequential order, by their number in the plan, and the exception's class.
    pub always_throws: Vec<(usize, String)>,
    /// Of the calls that threw, the class that a cast wanted of what they were given.
    pub wanted: Vec<(usize, String)>,
    /// Whether a violation was found with it.
    pub violation: bool,
    /// Whether two calls of different threads were seen under way at the same time (CovCon's coverage); pairs of
    /// indices into the class's public methods.
    pub covered: Vec<(usize, usize)>,
    /// Why the plan could not be run at all.
    pub refused: Option<String>,
    /// The marks of predictions that came true.
    pub realised: Vec<String>,
    /// Of these, the marks of those whose run was a violation.
    pub observable: Vec<String>,
    /// Whether it was cut because it took more than its share of the time.
    pub is_slow: bool,
    /// Scheduling points of all its runs, the sequential ones too: what it has cost, told without a clock.
    pub work: u64,
    /// Whether a run asked for the time, or waited for a limited time.
    pub asks_time: bool,
    /// What no plan of the hunt had reached before: numbers of three places in code, one after the other in a thread.
    pub branches: Vec<u32>,
    /// The same for places at which two threads were about to touch the same thing, in this order.
    pub encounters: Vec<u32>,
}

impl Feedback {
    /// The class that a cast wanted of what a call was given.
    pub(crate) fn wanted(&self, call: usize) -> Option<&str> {
        let wanted = self.wanted.iter().find(|(at, _)| *at == call);
        wanted.map(|(_, class)| class.as_str())
    }
}

/// A source of plans.
pub trait Strategy: Send {
    /// Its name on the command line.
    fn name(&self) -> &'static str;
    /// The next plan; none if there is nothing more to try.
    fn next(&mut self) -> Option<Candidate>;
    /// What came of a plan.
    fn observe(&mut self, number: u64, feedback: &Feedback);
    /// A sequential test that it wants to see before it makes more plans; none if it wants none. Each is answered before
    /// anything else is asked.
    fn next_alone(&mut self) -> Option<TestPlan> {
        None
    }
    /// What the sequential test did that was asked for last; none if it could not be run, or threw.
    fn observe_alone(&mut self, _seed: Option<TracedTest>) {}
    /// How many plans it did not make, because calls that are known to throw would prepare their objects.
    fn left_out(&self) -> u64 {
        0
    }
    /// What it has looked at to make its plans, by name.
    fn numbers(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}
