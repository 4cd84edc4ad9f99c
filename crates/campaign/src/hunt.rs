//! The loop.

mod report;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use raddle_discover::{check_invariants, invariants};
use raddle_execute::{Ready, Session, Spent};
use raddle_generate::{
    Candidate, CannotTest, Skipped, Strategy, Target, TracedSeed, home, sequential_tests, strategy,
};
use raddle_plan::TestPlan;
use raddle_program::{ClassId, Program};
use raddle_summary::{Analyzer, ClassFacts, Precision};

use crate::confirm::Unconfirmed;
use crate::contracts::{Lookup, Terms};
use crate::error::HuntError;
use crate::event::{Also, Begun, ClassReport, Conclusion, HuntEvent, Progress};
use crate::finding::{Finding, Sighting};
use crate::found::finding;
use crate::guards::Guards;
use crate::journal::{Known, Settled, Tried};
use crate::lanes::{Answer, Lanes};
use crate::loadable::unloadable;
use crate::options::HuntOptions;
use crate::pairs::Methods;
use crate::promise::{Promise, Strength};
use crate::quarry::Quarry;
use crate::settle::{CameTo, Settling};
use crate::spending::{Spending, timed};
use crate::statics::changed_statics;
use crate::tally::Tally;
use crate::traces::{traced, traced_whole};
use crate::trial::{DEATHS, Subject, Suspect, Trial, try_candidate};

/// Beyond the budget, for a test that is under way.
const GRACE: Duration = Duration::from_secs(1);
/// Without a sign of life, and the same when a worker is busy. Shorter than elsewhere: there are more plans, and time
/// is short.
const SILENCE: Duration = Duration::from_secs(3);
const BUSY_SILENCE: Duration = Duration::from_secs(10);
/// Of the budget, the part that is left for tests however long the analysis takes.
const LEFT_FOR_TESTS: u32 = 2;
/// Of the budget, the part that sequential tests may take: with a class that is slow to make, other tests come to an end
/// sooner.
const SEED_SHARE: u32 = 10;
/// Of the budget, the part that one test may take, and how long that is at least and at most. One that waits for what nobody
/// sends would take all of it.
const TEST_SHARE: u32 = 16;
const SHORTEST_SHARE: Duration = Duration::from_secs(1);
const LONGEST_SHARE: Duration = Duration::from_secs(10);
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
}

/// What goes on in one hunt, whatever the class.
struct Run<'a, 'p> {
    options: &'a Arc<HuntOptions>,
    program: &'p Program,
    analyzer: Analyzer<'p>,
    lookup: Lookup<'p>,
    /// The package that tests are in, if they have to be.
    package: Option<String>,
    lanes: &'a Lanes,
    ready: Ready,
    /// What the tests that are known to fail did; none while they have not been run.
    probes: Option<Vec<String>>,
    /// By class.
    known: &'a BTreeMap<String, Known>,
    on_event: &'a mut dyn FnMut(HuntEvent),
}

/// A trial, how long it took, and how long the workers had of that.
type Tested = (Trial, Duration, Spent);

/// A candidate that a lane has; the answer is none if it was not begun in time.
struct UnderWay {
    candidate: Candidate,
    answer: Answer<Option<Tested>>,
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
        }
    }

    /// Goes on with a hunt of which this is known, by class.
    #[must_use]
    pub fn resume(mut self, known: BTreeMap<String, Known>) -> Hunt<'p> {
        self.known = known;
        self
    }

    /// Hunts all classes; everything that is to be known comes as an event. An error means that no worker can be had;
    /// what concerns one class only is told in its report.
    pub fn run(&self, on_event: &mut dyn FnMut(HuntEvent)) -> Result<(), HuntError> {
        let (lanes, ready) = Lanes::open(&self.options.session, self.options.jobs.get())?;
        on_event(HuntEvent::Ready(ready.clone()));
        let mut run = Run {
            options: &self.options,
            program: self.program,
            analyzer: Analyzer::new(self.program, Precision::Precise),
            lookup: Lookup::new(self.program, Arc::clone(&self.options.contracts)),
            package: None,
            lanes: &lanes,
            ready,
            probes: None,
            known: &self.known,
            on_event,
        };
        for target in &self.classes {
            let report = run.class(*target)?;
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

    fn class(&mut self, hunted: HuntTarget) -> Result<ClassReport, HuntError> {
        let begun = Instant::now();
        let class = hunted.class;
        let name = self.program.name(class);
        if let Some(problem) = unloadable(self.program, class) {
            return Ok(self.not_hunted(name, problem, begun));
        }
        let facts = self.analyzer.analyze(class);
        let target = facts.as_ref().ok().map(|facts| self.target(class, facts));
        if self.package.is_none()
            && let Some(package) = home(self.program, class, target)
        {
            return self.class_inside(hunted, package);
        }
        let facts = match facts {
            Ok(facts) => facts,
            Err(error) => return Ok(self.not_hunted(name, error.to_string(), begun)),
        };
        let target = self.target(class, &facts);
        let mut spending = Spending {
            analysis: begun.elapsed(),
            ..Spending::default()
        };
        // Looking at a class of a big library takes seconds the first time. They are part of the budget, but they leave time for
        // tests.
        let deadline =
            (begun + self.options.budget).max(Instant::now() + self.options.budget / LEFT_FOR_TESTS);
        let seeds = match self.seeds(target, deadline)? {
            Ok(seeds) => seeds,
            Err(problem) => return Ok(self.not_hunted(name, problem.to_string(), begun)),
        };
        spending.seeds = begun.elapsed().saturating_sub(spending.analysis);
        let preparing = Instant::now();
        let mut strategy = match strategy(self.options.strategy, target, self.options.seed, &seeds) {
            Ok(strategy) => strategy,
            Err(problem) => return Ok(self.not_hunted(name, problem.to_string(), begun)),
        };
        spending.generation = preparing.elapsed();
        let known = self.known.get(&name);
        let mut quarry = self.quarry(name, hunted, &facts, begun);
        quarry.spending = spending;
        quarry.deadline = deadline;
        quarry.tally.notes.extend(self.options.seed_notes.iter().cloned());
        quarry.tally.notes.extend(uncallable(&target.skipped_methods()));
        if let Some(known) = known {
            quarry.catch_up(known, &mut *strategy, &mut |plan| self.alone(plan))?;
            let used = known.tried.last().map_or(Duration::ZERO, |tried| tried.used);
            quarry.deadline = Instant::now() + self.options.budget.saturating_sub(used);
        }
        (self.on_event)(HuntEvent::Begun(Begun {
            class: quarry.subject.class.clone(),
            methods: facts.methods.len(),
            counts: facts.counts,
            strategy: strategy.name().to_owned(),
            budget: self.options.budget,
            is_resumed: known.is_some(),
        }));
        self.chase(&mut quarry, &mut *strategy)?;
        quarry.tally.predicted = strategy.numbers();
        quarry.left_out = strategy.left_out();
        let skipped = target.skipped_methods().into_iter();
        let skipped: Vec<(String, String)> = skipped.map(|one| (one.signature, one.reason)).collect();
        self.report(quarry, &facts, &skipped)
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
    fn class_inside(&mut self, hunted: HuntTarget, package: String) -> Result<ClassReport, HuntError> {
        let program = self.program.seen_from(&package);
        let class = program.class_id(self.program.internal_name(hunted.class));
        let mut inside = Run {
            options: self.options,
            program: &program,
            analyzer: Analyzer::new(&program, Precision::Precise),
            lookup: Lookup::new(&program, Arc::clone(&self.options.contracts)),
            package: Some(package),
            lanes: self.lanes,
            ready: self.ready.clone(),
            probes: self.probes.take(),
            known: self.known,
            on_event: &mut *self.on_event,
        };
        let report = inside.class(HuntTarget { class, ..hunted });
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
    fn checked(&self, quarry: &Quarry, mut plan: TestPlan) -> TestPlan {
        if !quarry.subject.invariants.is_empty() {
            let calls = plan.threads.iter().flatten();
            let used: BTreeSet<String> = calls.filter_map(|call| call.on.clone()).collect();
            let is_meant =
                |variable: &str, class: &str| class == quarry.subject.class && used.contains(variable);
            check_invariants(self.program, &mut plan, &self.options.invariants, is_meant);
        }
        plan
    }

    /// Runs the sequential tests that the strategy looks at: the user's own, and those made for the class.
    fn seeds(
        &mut self,
        target: Target<'_>,
        deadline: Instant,
    ) -> Result<Result<Vec<TracedSeed>, CannotTest>, HuntError> {
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
        let begun = Instant::now();
        let enough = deadline.saturating_duration_since(begun) / SEED_SHARE;
        for batch in plans.chunks(self.lanes.window()) {
            if self.is_cancelled() || begun.elapsed() > enough {
                break;
            }
            let work = batch
                .iter()
                .map(|plan| {
                    let resets = changed_statics(self.program, &self.analyzer, plan);
                    let plan = plan.clone();
                    move |session: &mut Session| {
                        session.until(Some(begun + enough + GRACE));
                        let seed = traced(session, plan, &resets);
                        session.until(None);
                        seed
                    }
                })
                .collect();
            seeds.extend(self.lanes.run(work)?.into_iter().flatten());
        }
        Ok(Ok(seeds))
    }

    /// Runs a sequential test that a strategy asks for.
    fn alone(&mut self, plan: TestPlan) -> Result<Option<TracedSeed>, HuntError> {
        let plan = self.at_home(plan);
        let resets = changed_statics(self.program, &self.analyzer, &plan);
        let work = move |session: &mut Session| traced_whole(session, plan, &resets);
        Ok(self.lanes.run(vec![work])?.into_iter().next().flatten())
    }

    fn quarry(&self, name: String, target: HuntTarget, facts: &ClassFacts, begun: Instant) -> Quarry {
        let HuntTarget { class, least } = target;
        let contracts = &self.options.contracts;
        let guards = Guards::of(self.program, contracts, class, facts);
        let methods = Methods::new(self.program, class, facts);
        Quarry {
            tally: Tally::new(begun, methods.dependent().len()),
            subject: Subject {
                class: name,
                methods: Arc::new(methods),
                options: Arc::clone(self.options),
                resets: Vec::new(),
                terms: Arc::default(),
                invariants: invariants(self.program, class, &self.options.invariants).into(),
            },
            class,
            promise: Promise::of(self.program, contracts, class).with_numbers(&guards),
            guards,
            least,
            deadline: Instant::now() + self.options.budget,
            begun: VecDeque::new(),
            is_left: Arc::default(),
            awaited: Vec::new(),
            settled: Vec::new(),
            is_exhausted: false,
            left_out: 0,
            spending: Spending::default(),
        }
    }

    /// What is known of the calls of a plan for the class.
    fn terms(&self, class: ClassId, plan: &TestPlan) -> Arc<Terms> {
        Arc::new(self.lookup.terms(&self.analyzer, class, plan))
    }

    fn most_findings(&self) -> usize {
        if self.options.stop_at_first {
            1
        } else {
            self.options.max_findings
        }
    }

    fn is_over(&self, quarry: &Quarry) -> bool {
        self.is_cancelled() || Instant::now() >= quarry.deadline || self.has_enough(quarry)
    }

    /// Whether the class is over by a number, and not by time.
    fn has_enough(&self, quarry: &Quarry) -> bool {
        let is_last = |most| quarry.tally.tried_plans() >= most;
        quarry.tally.findings.len() >= self.most_findings()
            || self.options.max_plans.is_some_and(is_last)
            || quarry.tally.is_in_vain()
    }

    /// Takes candidates from the strategy until the budget is used up. So many are made before the first of them is heard
    /// of that no lane waits for another; they are heard of in the order in which they were made.
    fn chase(&mut self, quarry: &mut Quarry, strategy: &mut dyn Strategy) -> Result<(), HuntError> {
        let begun_before = std::mem::take(&mut quarry.begun);
        let mut under_way: VecDeque<UnderWay> = VecDeque::new();
        for candidate in begun_before {
            under_way.push_back(self.begin(quarry, candidate)?);
        }
        loop {
            while under_way.len() < self.lanes.window() && !self.is_over(quarry) {
                let Some(candidate) = self.make(quarry, strategy)? else {
                    quarry.is_exhausted = under_way.is_empty() && !self.is_over(quarry);
                    break;
                };
                under_way.push_back(self.begin(quarry, candidate)?);
            }
            let Some(UnderWay { candidate, answer }) = under_way.pop_front() else {
                break;
            };
            match answer.wait()? {
                Some(tested) if !self.has_enough(quarry) => {
                    self.hear(quarry, strategy, &candidate, tested)?;
                }
                // Not begun in time, or not needed: how many of these were begun is different every time.
                _ => {}
            }
            if self.is_over(quarry) {
                quarry.is_left.store(true, Ordering::Relaxed);
            }
        }
        // These were seen and confirmed, even if there was no time to see them again.
        for finding in std::mem::take(&mut quarry.awaited) {
            quarry.tally.take(&finding, self.options.is_strict);
        }
        Ok(())
    }

    /// The strategy's next candidate, once the sequential tests are run that it asks for.
    fn make(
        &mut self,
        quarry: &mut Quarry,
        strategy: &mut dyn Strategy,
    ) -> Result<Option<Candidate>, HuntError> {
        loop {
            let begun = Instant::now();
            let Some(plan) = strategy.next_alone() else {
                let candidate = strategy.next().map(|candidate| Candidate {
                    plan: self.checked(quarry, self.at_home(candidate.plan)),
                    ..candidate
                });
                quarry.spending.generation += begun.elapsed();
                return Ok(candidate);
            };
            strategy.observe_alone(self.alone(plan)?);
            quarry.spending.seeds += begun.elapsed();
            if self.is_over(quarry) {
                return Ok(None);
            }
        }
    }

    /// What came of a candidate, and what comes of the violations that it showed.
    fn hear(
        &mut self,
        quarry: &mut Quarry,
        strategy: &mut dyn Strategy,
        candidate: &Candidate,
        (trial, took, spent): Tested,
    ) -> Result<(), HuntError> {
        quarry.spending.tested(took, spent);
        let begun = Instant::now();
        let mut record = trial.record(&candidate.plan, &quarry.subject.methods);
        quarry.tally.keep_news(&mut record.feedback);
        quarry.tally.numbers.schedules += trial.schedules;
        quarry.tally.numbers.steps += trial.steps;
        quarry.hear(candidate, &record, strategy);
        quarry.spending.generation += begun.elapsed();
        self.progress(quarry);
        let begun = Instant::now();
        self.settle_all(quarry, trial.suspects)?;
        quarry.spending.settling += begun.elapsed();
        let settled = std::mem::take(&mut quarry.settled);
        // What ends the class may have cut the last plan short. A hunt that is resumed tries it again.
        if !self.is_over(quarry) {
            (self.on_event)(HuntEvent::Tried(Box::new(Tried {
                window: self.lanes.window(),
                trial: record,
                settled,
                numbers: quarry.tally.numbers(),
                used: self.options.budget.saturating_sub(quarry.left()),
            })));
        }
        Ok(())
    }

    /// Looks into violations whose cause is new, as many at a time as there are lanes and findings may be.
    fn settle_all(&mut self, quarry: &mut Quarry, suspects: Vec<Suspect>) -> Result<(), HuntError> {
        let mut suspects = suspects.into_iter();
        loop {
            let room = self.most_findings().saturating_sub(quarry.tally.findings.len());
            let most = room.min(self.lanes.len());
            let mut batch: Vec<Suspect> = Vec::new();
            while batch.len() < most
                && let Some(suspect) = suspects.next()
            {
                match quarry.tally.is_new(&suspect) {
                    Ok(()) => batch.push(suspect),
                    Err(Some(id)) => {
                        let also = quarry.is_also(&suspect, id, false);
                        self.tell_also(also);
                    }
                    Err(None) => {}
                }
            }
            if batch.is_empty() {
                return Ok(());
            }
            self.settle(quarry, &batch)?;
            self.progress(quarry);
        }
    }

    /// Gives a candidate to a lane.
    fn begin(&mut self, quarry: &Quarry, candidate: Candidate) -> Result<UnderWay, HuntError> {
        let subject = Subject {
            resets: changed_statics(self.program, &self.analyzer, &candidate.plan),
            terms: self.terms(quarry.class, &candidate.plan),
            ..quarry.subject.clone()
        };
        let (deadline, is_left) = (quarry.deadline, Arc::clone(&quarry.is_left));
        let tried = candidate.clone();
        let share = (self.options.budget / TEST_SHARE).clamp(SHORTEST_SHARE, LONGEST_SHARE);
        let answer = self.lanes.submit(move |session: &mut Session| {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || is_left.load(Ordering::Relaxed) {
                return Ok(None);
            }
            // What takes no notice of the time is cut; at the end of all time, it was not tried.
            let enough = Instant::now() + share;
            session.until(Some(enough.min(deadline + GRACE)));
            let tested = timed(session, |session| {
                try_candidate(session, &subject, &tried, left.min(share))
            });
            session.until(None);
            let now = Instant::now();
            tested.map(|(mut trial, time, spent)| {
                trial.feedback.is_slow = now > enough;
                (now <= deadline + GRACE || !trial.suspects.is_empty()).then_some((trial, time, spent))
            })
        })?;
        Ok(UnderWay { candidate, answer })
    }

    /// Makes violations as small as possible, and makes sure of them, unless that was done before the hunt was resumed.
    fn settle(&mut self, quarry: &mut Quarry, batch: &[Suspect]) -> Result<(), HuntError> {
        let known: Vec<Option<Finding>> = batch
            .iter()
            .map(|suspect| quarry.take_awaited(&suspect.cause))
            .collect();
        let unknown = batch.iter().zip(&known).filter(|(_, known)| known.is_none());
        let unknown: Vec<&Suspect> = unknown.map(|(suspect, _)| suspect).collect();
        let mut settling = Settling {
            lanes: self.lanes,
            program: self.program,
            quarry,
        };
        let mut answers = settling.settle(&unknown)?.into_iter();
        for (suspect, known) in batch.iter().zip(known) {
            let came_to = if let Some(finding) = known {
                quarry.tally.take(&finding, self.options.is_strict);
                Ok(finding.id)
            } else {
                match answers.next().ok_or(HuntError::LostLane)? {
                    CameTo::Known(id) => {
                        quarry.tally.numbers.repeats += 1;
                        let also = quarry.is_also(suspect, id, true);
                        self.tell_also(also);
                        continue;
                    }
                    CameTo::Unconfirmed(minimal, Unconfirmed { why, is_unfair }) => Err(Sighting {
                        kind: minimal.violation.kind,
                        methods: quarry.subject.methods.names(&minimal.plan),
                        summary: minimal.violation.summary,
                        why,
                        is_unfair,
                    }),
                    CameTo::New(sure) => {
                        let finding = finding(self.program, quarry, suspect, *sure);
                        Ok(self.found(quarry, finding))
                    }
                }
            };
            if let Err(sighting) = &came_to {
                quarry.tally.saw(&suspect.cause, sighting.clone());
            }
            quarry.settled.push(Settled {
                cause: suspect.cause.clone(),
                came_to,
                also: None,
            });
        }
        Ok(())
    }

    fn tell_also(&mut self, also: Option<Also>) {
        if let Some(also) = also {
            (self.on_event)(HuntEvent::Also(also));
        }
    }

    /// Takes a finding in; its id.
    fn found(&mut self, quarry: &mut Quarry, finding: Finding) -> String {
        let id = finding.id.clone();
        // Of the earlier part of the hunt, when there was no time to make it smaller.
        quarry
            .awaited
            .retain(|known| known.is_minimal || known.first_cause != finding.first_cause);
        if quarry.tally.take(&finding, self.options.is_strict) {
            (self.on_event)(HuntEvent::Found(Box::new(finding)));
        }
        id
    }

    fn progress(&mut self, quarry: &Quarry) {
        (self.on_event)(HuntEvent::Progress(Progress {
            class: quarry.subject.class.clone(),
            numbers: quarry.tally.numbers(),
            findings: quarry.tally.findings.len(),
            left: quarry.left(),
        }));
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
