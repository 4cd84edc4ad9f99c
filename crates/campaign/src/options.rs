//! What a hunt is told.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use raddle_execute::{ExploreOptions, SessionOptions};
use raddle_generate::StrategyKind;
use raddle_oracle::Kind;
use raddle_plan::TestPlan;
use raddle_schedule::Config;

use crate::contracts::Contracts;
use crate::stock_jvm::UseStockJvm;

/// What a hunt is told.
#[derive(Clone, Debug)]
pub struct HuntOptions {
    /// How workers are started.
    pub session: SessionOptions,
    /// How long each class is hunted.
    pub budget: Duration,
    /// What all random choices follow from.
    pub seed: u64,
    /// Where plans come from.
    pub strategy: StrategyKind,
    /// What counts; runs that show other kinds only are passed over.
    pub kinds: BTreeSet<Kind>,
    /// Whether what the documentation excuses counts all the same.
    pub is_strict: bool,
    /// What the documentation of types promises.
    pub contracts: Arc<Contracts>,
    /// Whether tests run without control, as the published tools run them. What is seen is then looked for under control,
    /// or it could not be repeated.
    pub is_stress: bool,
    /// Sequential tests that the user has, each with one thread.
    pub seed_tests: Vec<TestPlan>,
    /// Methods that must be true of objects, or throw nothing, whenever no thread is at work, by their names.
    pub invariants: Vec<String>,
    /// What is to be said of them, as sentences.
    pub seed_notes: Vec<String>,
    /// Findings after which a class is left.
    pub max_findings: usize,
    /// Plans after which a class is left, if there is a bound.
    pub max_plans: Option<u64>,
    /// Whether the first finding of any class ends the hunt.
    pub stop_at_first: bool,
    /// Threads of a test, at least two.
    pub threads: NonZeroUsize,
    /// Workers at the same time.
    pub jobs: NonZeroUsize,
    /// Whether findings are tried on a stock JVM.
    pub stock_jvm: UseStockJvm,
    /// Set from elsewhere to end the hunt; what was found is kept.
    pub cancel: Arc<AtomicBool>,
}

impl HuntOptions {
    /// A minute for each class, all kinds, one worker.
    pub fn new(session: SessionOptions, strategy: StrategyKind) -> HuntOptions {
        HuntOptions {
            session,
            budget: HuntOptions::BUDGET,
            seed: 1,
            strategy,
            kinds: Kind::ALL.into_iter().collect(),
            is_strict: false,
            contracts: Arc::default(),
            is_stress: false,
            seed_tests: Vec::new(),
            invariants: Vec::new(),
            seed_notes: Vec::new(),
            max_findings: HuntOptions::MAX_FINDINGS,
            max_plans: None,
            stop_at_first: false,
            threads: NonZeroUsize::MIN.saturating_add(1),
            jobs: NonZeroUsize::MIN,
            stock_jvm: UseStockJvm::default(),
            cancel: Arc::new(AtomicBool::new(false)),
        }
    }

    /// How long a class is hunted unless told otherwise.
    pub const BUDGET: Duration = Duration::from_mins(1);
    /// A class with so many faults is not meant to be shared, and more of them say nothing new.
    pub const MAX_FINDINGS: usize = 20;

    /// Points after which a run is cut short. Calls of big libraries take more than what a plan written by hand does.
    pub(crate) const MAX_STEPS: u32 = 60_000;
    /// The same for calls that are made one after the other. Nothing is interleaved there, so that a run of millions of points
    /// may take a tenth of a second.
    pub(crate) const LONG_STEPS: u32 = 25 * HuntOptions::MAX_STEPS;

    /// An exploration of so many schedules.
    pub(crate) fn explore(
        &self,
        scheduler: Config,
        seed: u64,
        schedules: u64,
        time: Duration,
    ) -> ExploreOptions {
        ExploreOptions {
            schedules: Some(schedules),
            time: Some(time),
            cancel: Arc::clone(&self.cancel),
            max_steps: HuntOptions::MAX_STEPS,
            ..ExploreOptions::new(scheduler, seed)
        }
    }
}
