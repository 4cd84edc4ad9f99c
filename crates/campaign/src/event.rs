//! What the world hears of a hunt while it goes on.

use std::collections::BTreeMap;
use std::time::Duration;

use raddle_execute::Ready;
use raddle_oracle::Weakness;
use raddle_summary::Counts;

use crate::coverage::ClassCoverage;
use crate::finding::{Finding, Sighting, StockJvm};
use crate::journal::Tried;
use crate::promise::Promise;
use crate::silenced::Silenced;
use crate::timing::TimeSpent;

/// What the world hears of a hunt while it goes on.
#[derive(Clone, Debug)]
pub enum HuntEvent {
    /// The first worker is there; always the first event.
    Ready(Ready),
    /// A class is begun.
    Begun(Begun),
    /// How far the class is; after every plan.
    Progress(Progress),
    /// A violation, minimised and confirmed.
    Found(Box<Finding>),
    /// Other calls showed the fault of a finding.
    Also(Also),
    /// A finding was tried on a stock JVM, perhaps after its class was done.
    StockJvm(StockTrial),
    /// All is done but for so many findings that have yet to be tried on a stock JVM.
    AwaitingStockJvm(usize),
    /// A plan was tried, and nothing of it is left to do; what a hunt that is resumed need not do again.
    Tried(Box<Tried>),
    /// The class is done.
    Ended(Box<ClassReport>),
}

/// Other calls that showed the fault of a finding.
#[derive(Clone, Debug)]
pub struct Also {
    /// Id of the finding.
    pub id: String,
    /// The calls: `add(int) ∥ size()`.
    pub calls: String,
    /// Since the class was begun.
    pub after: Duration,
}

/// What came of a finding on a stock JVM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StockTrial {
    /// The class, by its Java name.
    pub class: String,
    /// Id of the finding.
    pub id: String,
    /// What came of it.
    pub came_to: StockJvm,
}

/// A class that is begun.
#[derive(Clone, Debug)]
pub struct Begun {
    /// Its Java name.
    pub class: String,
    /// How many public methods it has, and how many pairs of them can hurt each other.
    pub methods: usize,
    /// See `methods`.
    pub counts: Counts,
    /// The strategy.
    pub strategy: String,
    /// The budget.
    pub budget: Duration,
    /// Whether it was begun in an earlier part of the hunt.
    pub is_resumed: bool,
}

/// How far a class is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The class.
    pub class: String,
    /// So far.
    pub numbers: Numbers,
    /// Findings so far.
    pub findings: usize,
    /// Until the budget is used up.
    pub left: Duration,
}

/// How much was done for a class.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// Pairs of methods that can hurt each other, by the analysis.
    pub pairs: usize,
    /// Those of them that a plan was run for.
    pub pairs_tried: usize,
    /// Those of them that are covered, see [`ClassCoverage`].
    pub pairs_covered: usize,
    /// Plans that were run and judged.
    pub plans: u64,
    /// Plans that could not be run, or not be judged.
    pub failed_plans: u64,
    /// Schedules, those of minimising and confirming included.
    pub schedules: u64,
    /// Scheduling points of all of them.
    pub steps: u64,
    /// Violations that were seen again after they had been reported.
    pub repeats: u64,
    /// Threes of places in code that a thread came by one after the other.
    pub branches: usize,
    /// Pairs of places at which two threads were about to touch the same thing.
    pub encounters: usize,
    /// Since the class was begun.
    pub time: Duration,
}

/// What came of a class.
#[derive(Clone, Debug)]
pub struct ClassReport {
    /// Its Java name.
    pub class: String,
    /// The JDK.
    pub jdk_version: String,
    /// The strategy and its seed.
    pub strategy: (String, u64),
    /// Ids of the findings, in the order in which they were found.
    pub findings: Vec<String>,
    /// Ids of those that break a promise which is too weak to count.
    pub unpromised: Vec<String>,
    /// What was seen, but could not be confirmed in fresh JVMs.
    pub sightings: Vec<Sighting>,
    /// Findings that may be by design, unless these count as findings.
    pub weaker: Vec<Weaker>,
    /// By finding, other calls that show the same fault.
    pub also: BTreeMap<String, Vec<String>>,
    /// Why more cannot be said, as sentences; none if the work was done.
    pub gaps: Vec<String>,
    /// What happened besides, as sentences.
    pub notes: Vec<String>,
    /// How much was done.
    pub numbers: Numbers,
    /// What was covered, and what was not.
    pub coverage: ClassCoverage,
    /// What was looked at to foresee violations, and how many predictions came true, by name; empty if none were made.
    pub predicted: Vec<(String, u64)>,
    /// Where the time went, in this part of the hunt.
    pub spending: TimeSpent,
    /// Violations that were seen and are not reported, since the documentation excuses them.
    pub silenced: Vec<Silenced>,
    /// What the class promises; none if it could not be looked at.
    pub promise: Option<Promise>,
    /// Whether it was ended from outside before its time.
    pub is_interrupted: bool,
}

/// A finding that may be by design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weaker {
    /// Its id.
    pub id: String,
    /// The calls: `clear() ∥ size()`.
    pub calls: String,
    /// Why it may be by design.
    pub weakness: Weakness,
}

/// The answer in one word.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// Nothing was found that counts, the work was done, and tests that are known to fail did fail.
    NothingFound,
    /// Something was found that counts.
    Violations,
    /// Nothing was found, but that says little.
    Inconclusive,
}

impl ClassReport {
    /// The answer in one word.
    pub fn conclusion(&self) -> Conclusion {
        if !self.findings.is_empty() {
            Conclusion::Violations
        } else if self.gaps.is_empty() {
            Conclusion::NothingFound
        } else {
            Conclusion::Inconclusive
        }
    }
}
