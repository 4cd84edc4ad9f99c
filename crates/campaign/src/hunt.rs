//! A hunt: one class after the other, and for each all that comes before its loop and after.

mod class_loop;
mod new_faults;
mod report;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use raddle_discover::{check_invariants, invariants};
use raddle_execute::Ready;
use raddle_generate::{
    CannotTest, Skipped, Strategy, StrategyKind, Target, TracedTest, home, sequential_tests, strategy,
};
use raddle_plan::TestPlan;
use raddle_program::{ClassId, Program};
use raddle_summary::{Analyzer, ClassFacts, Precision};

use crate::class_state::ClassState;
use crate::class_stats::ClassStats;
use crate::clock::Clock;
use crate::contracts::{Lookup, Terms};
use crate::error::HuntError;
use crate::event::{Begun, ClassReport, Conclusion, HuntEvent};
use crate::executor::{Executor, Open, sessions};
use crate::explore_candidate::{DEATHS, Subject};
use crate::guards::Guards;
use crate::journal::Known;
use crate::jvm_loadable::unloadable;
use crate::long_calls::LongCalls;
use crate::options::HuntOptions;
use crate::pairs::Methods;
use crate::promise::{Promise, Strength};
use crate::statics::changed_statics;
use crate::stock_jvm::{OpenStock, StockTrials, Untried, stock_jvms};
use crate::timing::TimeSpent;
use crate::traces::{traced, traced_whole};
use crate::worker_pool::WorkerPool;

/// Beyond the budget, for a test that is under way.
const GRACE: Duration = Duration::from_secs(1);
/// Without a sign of life, and the same when a worker is busy. Shorter than elsewhere: there are more plans, and time
/// is short.
const SILENCE: Duration = Duration::from_secs(3);
const BUSY_SILENCE: Duration = Duration::from_secs(10);
/// What is left for tests however long the analysis takes, but no more than half of the budget.
const LEFT_FOR_TESTS: Duration = Duration::from_secs(2);
/// Of the budget, the part that sequential tests may take: with a class that is slow to make, other tests come to an end
/// sooner.
const SEED_SHARE: u32 = 10;

/// A class to hunt.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct HuntTarget {
    /// The class.
    pub class: ClassId,
    /// The weakest promise whose findings count. Whoever names a class means to share its objects; whoever names a pattern
    /// does not.
    pub least: Strength,
}

/// Looks for violations in classes, one class after the other.
pub struct Hunt<'p> {
    options: Arc<HuntOptions>,
    program: &'p Program,
    classes: Vec<HuntTarget>,
    known: BTreeMap<String, Known>,
    untried: Vec<Untried>,
    around: Around,
}

/// Makes the strategy of a class.
type MakeStrategy = Arc<
    dyn for<'t> Fn(
        StrategyKind,
        Target<'t>,
        u64,
        &[TracedTest],
    ) -> Result<Box<dyn Strategy + 't>, CannotTest>,
>;

/// What a hunt finds around it. Tests bring their own.
#[derive(Clone)]
struct Around {
    open: Open,
    clock: Clock,
    strategy: MakeStrategy,
    stock: OpenStock,
}

/// What goes on in one hunt, whatever the class.
struct Run<'a, 'p> {
    options: &'a Arc<HuntOptions>,
    clock: Clock,
    make_strategy: MakeStrategy,
    program: &'p Program,
    analyzer: Analyzer<'p>,
    lookup: Lookup<'p>,
    /// The package that tests are in, if they have to be.
    package: Option<String>,
    pool: &'a WorkerPool,
    ready: Ready,
    /// What the tests that are known to fail did; none while they have not been run.
    probes: Option<Vec<String>>,
    /// By class.
    known: &'a BTreeMap<String, Known>,
    on_event: &'a mut dyn FnMut(HuntEvent),
}

impl<'p> Hunt<'p> {
    /// A hunt for violations in these classes.
    pub fn new(mut options: HuntOptions, program: &'p Program, classes: Vec<HuntTarget>) -> Hunt<'p> {
        // Loading the classes of a library takes longer than most plans.
        options.session.keep_classes = true;
        options.session.interrupt = Arc::clone(&options.cancel);
        let limits = &mut options.session.limits;
        limits.deaths = if options.is_stress { 1 } else { DEATHS };
        limits.silence = limits.silence.min(SILENCE);
        limits.busy_silence = limits.busy_silence.min(BUSY_SILENCE);
        Hunt {
            options: Arc::new(options),
            program,
            classes,
            known: BTreeMap::new(),
            untried: Vec::new(),
            around: Around {
                open: sessions(),
                clock: Clock::system(),
                strategy: Arc::new(strategy),
                stock: stock_jvms(),
            },
        }
    }

    /// Goes on with a hunt of which this is known, by class.
    #[must_use]
    pub fn resume(mut self, known: BTreeMap<String, Known>) -> Hunt<'p> {
        self.known = known;
        self
    }

    /// Also tries these findings on a stock JVM. Their classes need not be among those that are hunted.
    #[must_use]
    pub fn untried(mut self, findings: Vec<Untried>) -> Hunt<'p> {
        self.untried = findings;
        self
    }

    /// Hunts all classes; everything that is to be known comes as an event. An error means that no worker can be had;
    /// what concerns one class only is told in its report.
    pub fn run(&self, on_event: &mut dyn FnMut(HuntEvent)) -> Result<(), HuntError> {
        let mut trials = StockTrials::new(&self.options, &self.around.stock);
        for untried in &self.untried {
            trials.submit(untried.clone());
        }
        let hunted = if self.classes.is_empty() {
            Ok(())
        } else {
            self.hunt_classes(&mut |event| {
                if let HuntEvent::Begun(begun) = &event
                    && let Some(known) = self.known.get(&begun.class)
                {
                    known
                        .untried
                        .iter()
                        .for_each(|untried| trials.submit(untried.clone()));
                }
                trials.pass(event, on_event);
            })
        };
        // What was found before something went wrong is as good as any.
        let tried = trials.finish(&self.around.clock, on_event);
        hunted.and(tried)
    }

    fn hunt_classes(&self, on_event: &mut dyn FnMut(HuntEvent)) -> Result<(), HuntError> {
        let (pool, ready) =
            WorkerPool::open(&self.around.open, &self.options.session, self.options.jobs.get())?;
        on_event(HuntEvent::Ready(ready.clone()));
        let mut run = Run {
            options: &self.options,
            clock: self.around.clock.clone(),
            make_strategy: Arc::clone(&self.around.strategy),
            program: self.program,
            analyzer: Analyzer::new(self.program, Precision::Precise),
            lookup: Lookup::new(self.program, Arc::clone(&self.options.contracts)),
            package: None,
            pool: &pool,
            ready,
            probes: None,
            known: &self.known,
            on_event,
        };
        for target in &self.classes {
            let begun = run.clock.now();
            let report = run.class(*target, begun)?;
            let is_enough = self.options.stop_at_first && report.conclusion() == Conclusion::Violations;
            (run.on_event)(HuntEvent::Ended(Box::new(report)));
            if is_enough || run.is_cancelled() {
                break;
            }
        }
        Ok(())
    }
}

impl<'p> Run<'_, 'p> {
    fn is_cancelled(&self) -> bool {
        self.options.cancel.load(Ordering::Relaxed)
    }

    fn class(&mut self, hunted: HuntTarget, begun: Instant) -> Result<ClassReport, HuntError> {
        let class = hunted.class;
        let name = self.program.name(class);
        let _span = tracing::info_span!("class", name).entered();
        if let Some(problem) = unloadable(self.program, class) {
            return Ok(self.not_hunted(name, problem, begun));
        }
        if self.package.is_none() {
            // Where tests have to be shows without the analysis, which is made once only.
            let outline = self.analyzer.outline(class);
            let target = outline.as_ref().ok().map(|facts| self.target(class, facts));
            if let Some(package) = home(self.program, class, target) {
                return self.class_inside(hunted, package, begun);
            }
        }
        let facts = match self.analyzer.analyze(class) {
            Ok(facts) => facts,
            Err(error) => return Ok(self.not_hunted(name, error.to_string(), begun)),
        };
        let target = self.target(class, &facts);
        let mut spending = TimeSpent {
            analysis: self.clock.since(begun),
            ..TimeSpent::default()
        };
        // Looking at a class of a big library takes seconds the first time. They are part of the budget, but they leave time for
        // a few tests.
        let least = LEFT_FOR_TESTS.min(self.options.budget / 2);
        let deadline = (begun + self.options.budget).max(self.clock.now() + least);
        let seeds = match self.seeds(target, deadline)? {
            Ok(seeds) => seeds,
            Err(problem) => return Ok(self.not_hunted(name, problem.to_string(), begun)),
        };
        spending.seeds = self.clock.since(begun).saturating_sub(spending.analysis);
        let preparing = self.clock.now();
        let mut strategy =
            match (self.make_strategy)(self.options.strategy, target, self.options.seed, &seeds) {
                Ok(strategy) => strategy,
                Err(problem) => return Ok(self.not_hunted(name, problem.to_string(), begun)),
            };
        spending.generation = self.clock.since(preparing);
        let known = self.known.get(&name);
        let mut class_state = self.class_state(name, hunted, &facts, begun);
        class_state.spending = spending;
        class_state.deadline = deadline;
        class_state
            .stats
            .notes
            .extend(self.options.seed_notes.iter().cloned());
        class_state
            .stats
            .notes
            .extend(uncallable(&target.skipped_methods()));
        if let Some(known) = known {
            class_state.catch_up(known, &mut *strategy, &mut |plan| self.alone(plan, None))?;
            let used = known.tried.last().map_or(Duration::ZERO, |tried| tried.used);
            class_state.deadline = self.clock.now() + self.options.budget.saturating_sub(used);
        }
        (self.on_event)(HuntEvent::Begun(Begun {
            class: class_state.subject.class.clone(),
            methods: facts.methods.len(),
            counts: facts.counts,
            strategy: strategy.name().to_owned(),
            budget: self.options.budget,
            is_resumed: known.is_some(),
        }));
        self.chase(&mut class_state, &mut *strategy)?;
        class_state.stats.predicted = strategy.numbers();
        class_state.left_out = strategy.left_out();
        let skipped = target.skipped_methods().into_iter();
        let skipped: Vec<(String, String)> = skipped.map(|one| (one.signature, one.reason)).collect();
        self.report(class_state, &facts, &skipped)
    }

    fn target<'t>(&self, class: ClassId, facts: &'t ClassFacts) -> Target<'t>
    where
        'p: 't,
    {
        Target {
            program: self.program,
            class,
            facts,
            threads: self.options.threads.get(),
            has_seeds: !self.options.seed_tests.is_empty(),
        }
    }

    /// Hunts a class with tests that are in its package, which sees more of it.
    fn class_inside(
        &mut self,
        hunted: HuntTarget,
        package: String,
        begun: Instant,
    ) -> Result<ClassReport, HuntError> {
        let program = self.program.seen_from(&package);
        let class = program.class_id(self.program.internal_name(hunted.class));
        let mut inside = Run {
            options: self.options,
            clock: self.clock.clone(),
            make_strategy: Arc::clone(&self.make_strategy),
            program: &program,
            analyzer: Analyzer::new(&program, Precision::Precise),
            lookup: Lookup::new(&program, Arc::clone(&self.options.contracts)),
            package: Some(package),
            pool: self.pool,
            ready: self.ready.clone(),
            probes: self.probes.take(),
            known: self.known,
            on_event: &mut *self.on_event,
        };
        let report = inside.class(HuntTarget { class, ..hunted }, begun);
        self.probes = inside.probes.take();
        report
    }

    /// A plan where it has to be.
    fn at_home(&self, plan: TestPlan) -> TestPlan {
        TestPlan {
            package: self.package.clone(),
            ..plan
        }
    }

    /// A plan that also checks the invariants of the objects whose methods its threads call.
    fn checked(&self, class_state: &ClassState, mut plan: TestPlan) -> TestPlan {
        if !class_state.subject.invariants.is_empty() {
            let calls = plan.threads.iter().flatten();
            let used: BTreeSet<String> = calls.filter_map(|call| call.on.clone()).collect();
            let is_meant =
                |variable: &str, class: &str| class == class_state.subject.class && used.contains(variable);
            check_invariants(self.program, &mut plan, &self.options.invariants, is_meant);
        }
        plan
    }

    /// Runs the sequential tests that the strategy looks at: the user's own, and those made for the class.
    fn seeds(
        &mut self,
        target: Target<'_>,
        deadline: Instant,
    ) -> Result<Result<Vec<TracedTest>, CannotTest>, HuntError> {
        let most = self.options.strategy.sequential_tests();
        if most == 0 {
            return Ok(Ok(Vec::new()));
        }
        let made = match sequential_tests(target, self.options.seed, most) {
            Ok(made) => made,
            Err(problem) => return Ok(Err(problem)),
        };
        let plans = self.options.seed_tests.iter().cloned().chain(made);
        let plans: Vec<TestPlan> = plans.map(|plan| self.at_home(plan)).collect();
        let mut seeds = Vec::new();
        let begun = self.clock.now();
        let enough = deadline.saturating_duration_since(begun) / SEED_SHARE;
        for batch in plans.chunks(self.pool.window()) {
            if self.is_cancelled() || self.clock.since(begun) > enough {
                break;
            }
            let work = batch
                .iter()
                .map(|plan| {
                    let resets = changed_statics(self.program, &self.analyzer, plan);
                    let plan = plan.clone();
                    move |session: &mut dyn Executor| {
                        session.until(Some(begun + enough + GRACE));
                        let seed = traced(session, plan, &resets);
                        session.until(None);
                        seed
                    }
                })
                .collect();
            seeds.extend(self.pool.run(work)?.into_iter().flatten());
        }
        Ok(Ok(seeds))
    }

    /// Runs a sequential test that a strategy asks for, if it comes to an end in time.
    fn alone(&mut self, plan: TestPlan, deadline: Option<Instant>) -> Result<Option<TracedTest>, HuntError> {
        let plan = self.at_home(plan);
        let resets = changed_statics(self.program, &self.analyzer, &plan);
        let work = move |session: &mut dyn Executor| {
            session.until(deadline.map(|deadline| deadline + GRACE));
            let seed = traced_whole(session, plan, &resets);
            session.until(None);
            seed
        };
        Ok(self.pool.run(vec![work])?.into_iter().next().flatten())
    }

    fn class_state(
        &self,
        name: String,
        target: HuntTarget,
        facts: &ClassFacts,
        begun: Instant,
    ) -> ClassState {
        let HuntTarget { class, least } = target;
        let contracts = &self.options.contracts;
        let guards = Guards::of(self.program, contracts, class, facts);
        let methods = Methods::new(self.program, class, facts);
        ClassState {
            stats: ClassStats::new(self.clock.clone(), begun, methods.dependent().len()),
            subject: Subject {
                class: name,
                methods: Arc::new(methods),
                options: Arc::clone(self.options),
                clock: self.clock.clone(),
                deadline: self.clock.now() + self.options.budget,
                resets: Vec::new(),
                terms: Arc::default(),
                invariants: invariants(self.program, class, &self.options.invariants).into(),
                may_take_long: true,
            },
            class,
            promise: Promise::of(self.program, contracts, class).with_numbers(&guards),
            guards,
            least,
            deadline: self.clock.now() + self.options.budget,
            long_calls: LongCalls::default(),
            begun: VecDeque::new(),
            is_left: Arc::default(),
            awaited: Vec::new(),
            settled: Vec::new(),
            is_exhausted: false,
            left_out: 0,
            spending: TimeSpent::default(),
        }
    }

    /// What is known of the calls of a plan for the class.
    fn terms(&self, class: ClassId, plan: &TestPlan) -> Arc<Terms> {
        Arc::new(self.lookup.terms(&self.analyzer, class, plan))
    }
}

/// Public methods that no plan calls, as a sentence.
fn uncallable(skipped: &[Skipped]) -> Option<String> {
    let first = skipped.first()?;
    let others = match skipped.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    Some(format!(
        "not called in any plan: {}, because {}{others}",
        first.signature, first.reason
    ))
}
