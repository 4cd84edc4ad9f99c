//! Runs one test under many schedules, and says what came of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use raddle_campaign::{changed_statics, judge_all};
use raddle_discover::{DeclaredOutcome, Expectation, Test, invariants_of, static_state};
use raddle_execute::{Distinct, Exploration, ExploreOptions, Session, SessionOptions};
use raddle_oracle::{
    Declared, DeclaredOutcomes, Kind, TestCalls, TestVerdict, Violation, judge_test, name_invariant, veto,
};
use raddle_plan::plan_text::with_names;
use raddle_plan::{CallResult, End, Outcome, RECORDING_VERSION, Recording, TestPlan};
use raddle_program::Program;
use raddle_report::{InterleavingOptions, TestConclusion, TestResult, interleaving};
use raddle_schedule::Config;
use raddle_summary::{Analyzer, Precision};

use crate::failure::Failure;
use crate::progress::Line;
use crate::replay::width;
use crate::run::{gaps_of, open, unwritable};
use crate::test_arguments::TestArguments;

/// The schedulers that take turns, and their parts of the budget in percent. The first looks at every interleaving once and
/// comes to an end with small tests; the second finds what needs one preemption, wherever that is; the others find what
/// needs more, each something else.
const STAGES: [(Config, u64); 5] = [
    (Config::Dpor, 20),
    (Config::Bounded { preemptions: 1 }, 25),
    (Config::Pos, 25),
    (Config::Pct { depth: 3 }, 20),
    (Config::Random, 10),
];

/// The same for tests of so many steps that the first two would never come to an end, and are slow.
const LONG_STAGES: [(Config, u64); 3] = [
    (Config::Pos, 50),
    (Config::Pct { depth: 3 }, 30),
    (Config::Random, 20),
];

/// How many times as long as others a test may be that comes to its end without a preemption; and how many times shorter than
/// the bound it has to be for a search of all its interleavings.
const LONGER: u32 = 10;

/// How many rows of arguments are expected, in all or to come.
const LIKELY_ROWS: u32 = 4;

/// Runs tests, one after the other.
pub(crate) struct Runner<'r> {
    arguments: &'r TestArguments,
    program: &'r Program,
    analyzer: Analyzer<'r>,
    options: SessionOptions,
    /// Opened when first needed, and again after it was lost.
    session: Option<Session>,
    cancel: Arc<AtomicBool>,
}

/// A failing outcome, and the scheduler that had it.
struct Failing {
    plan: TestPlan,
    violation: Violation,
    by: Distinct,
    scheduler: Config,
    max_steps: u32,
}

/// What is known of a test so far.
#[derive(Default)]
struct Found {
    schedules: u64,
    failed_schedules: u64,
    failing: Option<Failing>,
    gaps: BTreeSet<String>,
    skipped: Option<String>,
    /// Of every plan that was run completely, how many interleavings it has.
    complete: Vec<u64>,
    /// Plans of which nothing came, since what goes before their threads throws.
    futile: usize,
    without_preemption: bool,
    started_threads: usize,
    /// What came of runs, and how often, if the test has words for that.
    seen: BTreeMap<String, u64>,
}

impl Found {
    fn is_settled(&self) -> bool {
        self.failing.is_some() || self.skipped.is_some()
    }

    fn add(
        &mut self,
        verdict: TestVerdict,
        plan: &TestPlan,
        by: &Distinct,
        (scheduler, max_steps): (Config, u32),
    ) {
        match verdict {
            TestVerdict::Passed => {}
            TestVerdict::Skipped(reason) => self.skipped = Some(reason),
            TestVerdict::Undecided(reason) => {
                self.gaps.insert(reason);
            }
            TestVerdict::Failed(violation) => {
                self.failed_schedules += by.count;
                self.failing.get_or_insert_with(|| Failing {
                    plan: plan.clone(),
                    violation,
                    by: by.clone(),
                    scheduler,
                    max_steps,
                });
            }
        }
    }
}

/// A part of what one test may use.
#[derive(Copy, Clone)]
struct Budget {
    begun: Instant,
    time: Duration,
}

impl<'r> Runner<'r> {
    pub(crate) fn new(
        arguments: &'r TestArguments,
        program: &'r Program,
        options: SessionOptions,
        cancel: Arc<AtomicBool>,
    ) -> Runner<'r> {
        Runner {
            arguments,
            program,
            analyzer: Analyzer::new(program, Precision::Precise),
            options,
            session: None,
            cancel,
        }
    }

    /// The JDK that tests run on; empty if none has run.
    pub(crate) fn jdk_version(&self) -> String {
        let session = self.session.as_ref();
        session
            .map(|session| session.ready().jdk_version.clone())
            .unwrap_or_default()
    }

    fn session(&mut self) -> Result<&mut Session, Failure> {
        if self.session.is_none() {
            self.session = Some(open(self.options.clone())?);
        }
        self.session
            .as_mut()
            .ok_or_else(|| Failure::inconclusive(vec!["there is no JVM".to_owned()]))
    }

    /// Runs a test.
    pub(crate) fn test(&mut self, test: &Test, line: &Line) -> Result<TestResult, Failure> {
        let begun = Instant::now();
        let mut found = Found::default();
        let judge = Judge::of(self.program, test);
        let mut notes = Vec::new();
        match &judge {
            Err(reason) => {
                found.gaps.insert(format!("it cannot be taken: {reason}"));
            }
            Ok(judge) => {
                for (number, plan) in test.plans.iter().enumerate() {
                    let left = u32::try_from(test.plans.len() - number).unwrap_or(u32::MAX);
                    // Few tables have as many rows as they may have.
                    let left = if test.row.is_some() {
                        left.min(LIKELY_ROWS)
                    } else {
                        left
                    };
                    let budget = Budget {
                        begun: Instant::now(),
                        time: self.arguments.budget.saturating_sub(begun.elapsed()) / left,
                    };
                    self.explore(test, plan, judge, budget, &mut found, line)?;
                    if test.row.is_some() && found.futile > 0 {
                        // There are no rows behind the last one.
                        found.futile = test.plans.len() - number;
                        break;
                    }
                    if found.is_settled() || self.cancel.load(Ordering::Relaxed) {
                        break;
                    }
                }
                notes = judge.notes(&found, test.plans.len());
            }
        }
        if found.futile == test.plans.len() {
            found.gaps.insert(match test.row {
                Some(_) => "there are no arguments for it".to_owned(),
                None => "what goes before its threads throws".to_owned(),
            });
        }
        let (schedules, failed_schedules) = (found.schedules, found.failed_schedules);
        let started_threads = found.started_threads;
        let covered = covered(&found, test);
        let verdict = match (found.failing, found.skipped) {
            (Some(failing), _) => self.save(test, &failing, found.without_preemption)?,
            (None, Some(reason)) => TestConclusion::Skipped { reason },
            (None, None) if found.gaps.is_empty() => covered,
            (None, None) => TestConclusion::Inconclusive {
                reasons: found.gaps.into_iter().collect(),
            },
        };
        Ok(TestResult {
            test: test.name(),
            verdict,
            schedules,
            failed_schedules,
            started_threads,
            notes,
            time: begun.elapsed(),
        })
    }

    /// Runs one plan of a test under one scheduler after the other.
    fn explore(
        &mut self,
        test: &Test,
        plan: &TestPlan,
        judge: &Judge<'_>,
        budget: Budget,
        found: &mut Found,
        line: &Line,
    ) -> Result<(), Failure> {
        let resets = self.resets(test, plan);
        let mut max_steps = self.arguments.max_steps;
        let mut is_long = false;
        // Every test begins with classes of its own, which stay for all its schedulers.
        self.session()?.keep_classes(false);
        if !judge.needs_orders() {
            let Some(mut first) = self.alone(plan, max_steps, budget, &resets, found, line)? else {
                return Ok(());
            };
            // A run that is slow, and not only long, would use up the whole budget.
            let is_quick = budget.begun.elapsed() * LONGER <= budget.time;
            if first.end == End::StepBound && (self.arguments.schedules.is_some() || is_quick) {
                let longer = max_steps.saturating_mul(LONGER);
                let Some(again) = self.alone(plan, longer, budget, &resets, found, line)? else {
                    return Ok(());
                };
                first = again;
            }
            let is_cut = first.end == End::StepBound;
            let steps = if is_cut { 0 } else { first.steps };
            is_long = is_cut || steps > max_steps / LONGER;
            max_steps = max_steps.max(steps.saturating_mul(2));
        }
        let stages: Vec<(Config, u64)> = match self.arguments.scheduler {
            Some(scheduler) => vec![(scheduler, 100)],
            None if is_long => LONG_STAGES.to_vec(),
            None => STAGES.to_vec(),
        };
        for (scheduler, share) in stages {
            if found.schedules > 0 && self.is_over(budget) {
                // Stages before it have taken more than their share.
                return Ok(());
            }
            let options = ExploreOptions {
                orders: judge.needs_orders(),
                max_steps,
                ..self.explore_options(scheduler, share, budget, &resets)
            };
            let Some(exploration) = self.explored(plan, &options, found, line)? else {
                return Ok(());
            };
            // Code that runs for the first time takes steps that it never takes again.
            let exploration = if diverges(&exploration) {
                found.schedules += exploration.progress.schedules;
                let Some(again) = self.explored(plan, &options, found, line)? else {
                    return Ok(());
                };
                again
            } else {
                exploration
            };
            found.schedules += exploration.progress.schedules;
            found.started_threads = found.started_threads.max(started(plan, &exploration));
            if judge.is_futile(plan, &exploration) {
                found.futile += 1;
                return Ok(());
            }
            judge.look(plan, &exploration, (scheduler, max_steps), found);
            found.gaps.extend(gaps_of(plan, &exploration));
            if let Some(interleavings) = complete(scheduler, &exploration) {
                found.complete.push(interleavings);
                return Ok(());
            }
            if found.is_settled() || self.cancel.load(Ordering::Relaxed) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// What came of a stage; nothing, and a gap, if the JVM is lost.
    fn explored(
        &mut self,
        plan: &TestPlan,
        options: &ExploreOptions,
        found: &mut Found,
        line: &Line,
    ) -> Result<Option<Exploration>, Failure> {
        let explored = self
            .session()?
            .explore(plan, options, &mut |progress| line.show(progress));
        Ok(match explored {
            Ok(exploration) => {
                self.session()?.keep_classes(true);
                Some(exploration)
            }
            Err(error) => {
                found.gaps.insert(error.to_string());
                self.session = None;
                None
            }
        })
    }

    /// The run without a preemption.
    fn alone(
        &mut self,
        plan: &TestPlan,
        max_steps: u32,
        budget: Budget,
        resets: &[String],
        found: &mut Found,
        line: &Line,
    ) -> Result<Option<Outcome>, Failure> {
        let options = ExploreOptions {
            schedules: Some(0),
            max_steps,
            ..self.explore_options(Config::Random, 0, budget, resets)
        };
        let explored = self.explored(plan, &options, found, line)?;
        let alone = explored.and_then(|explored| explored.baseline.into_iter().next());
        Ok(alone.map(|(outcome, _)| outcome))
    }

    fn is_over(&self, budget: Budget) -> bool {
        self.arguments.schedules.is_none() && budget.begun.elapsed() >= budget.time
    }

    /// Classes whose static state is made anew before every schedule.
    fn resets(&self, test: &Test, plan: &TestPlan) -> Vec<String> {
        let mut resets: BTreeSet<String> = changed_statics(self.program, &self.analyzer, plan)
            .into_iter()
            .collect();
        let class = self.program.class_id(&test.class.replace('.', "/"));
        resets.extend(static_state(self.program, class));
        resets.into_iter().collect()
    }

    /// A share of what the plan may use. What the stages before have not used is for those after them.
    fn explore_options(
        &self,
        scheduler: Config,
        share: u64,
        budget: Budget,
        resets: &[String],
    ) -> ExploreOptions {
        let part = budget.time * u32::try_from(share).unwrap_or(100) / 100;
        let left = budget.time.saturating_sub(budget.begun.elapsed());
        ExploreOptions {
            schedules: self
                .arguments
                .schedules
                .map(|schedules| (schedules * share / 100).max(1)),
            time: self
                .arguments
                .schedules
                .is_none()
                .then(|| part.min(left).max(Duration::from_millis(50))),
            max_steps: self.arguments.max_steps,
            orders: false,
            cancel: Arc::clone(&self.cancel),
            ..ExploreOptions::new(scheduler, self.arguments.seed)
        }
        .resetting(resets)
    }

    /// Writes the recording, and repeats it in a fresh JVM, which also says what the threads did.
    fn save(
        &mut self,
        test: &Test,
        failing: &Failing,
        without_preemption: bool,
    ) -> Result<TestConclusion, Failure> {
        let plan = &failing.plan;
        let resets = self.resets(test, plan);
        let outcome = &failing.by.outcome;
        let directory = &self.arguments.save;
        let file = directory.join(format!("{}.json", file_name(&test.name())));
        let session = self.session()?;
        let recording = Recording {
            raddle_recording: RECORDING_VERSION,
            raddle: env!("CARGO_PKG_VERSION").to_owned(),
            jdk: session.ready().jdk_version.clone(),
            class_path: session.options().class_path.clone(),
            max_steps: Some(failing.max_steps),
            unplugged: Vec::new(),
            opens: session.options().opens.clone(),
            resets,
            test: Some(test.name()),
            plan: plan.clone(),
            schedule: outcome.schedule.clone(),
            outcome: outcome.clone(),
        };
        write(directory, &file, &recording)?;
        let replayed = session.replay(&recording).ok();
        let repeated = replayed
            .as_ref()
            .is_some_and(|replayed| replayed.outcome.is_same_run(outcome));
        let kind = failing.violation.kind;
        let sentence = with_names(plan, &failing.violation.summary);
        if test.expects == Expectation::Sequential
            && let Some(replayed) = replayed.as_ref().filter(|_| repeated)
            && let Some(why) = veto(plan.threads.len(), kind, &replayed.events)
        {
            return Ok(TestConclusion::Inconclusive {
                reasons: vec![format!("seen but not counted ({why}): {sentence}")],
            });
        }
        let options = InterleavingOptions {
            all: false,
            width: width().saturating_sub(4),
        };
        let columns = replayed.map_or_else(String::new, |replayed| {
            interleaving(plan, &replayed.outcome, &replayed.events, options)
        });
        Ok(TestConclusion::Failed {
            kind,
            sentence,
            without_preemption,
            preemptions: match failing.scheduler {
                Config::Bounded { preemptions } => Some(preemptions as usize),
                _ => None,
            },
            columns,
            file,
            repeated,
        })
    }
}

fn write(directory: &Path, file: &Path, recording: &Recording) -> Result<(), Failure> {
    std::fs::create_dir_all(directory).map_err(|error| unwritable(directory, &error))?;
    recording.write(file)?;
    Ok(())
}

/// By what the runs of a test are judged.
struct Judge<'a> {
    program: &'a Program,
    test: &'a Test,
    outcomes: Option<DeclaredOutcomes>,
}

impl<'a> Judge<'a> {
    fn of(program: &'a Program, test: &'a Test) -> Result<Judge<'a>, String> {
        let outcomes = match &test.expects {
            Expectation::Outcomes(declared) | Expectation::Terminates(declared) => {
                let declared = declared.iter().map(|declared: &DeclaredOutcome| Declared {
                    ids: declared.ids.clone(),
                    is_acceptable: declared.is_acceptable,
                    description: declared.description.clone(),
                });
                Some(DeclaredOutcomes::new(declared.collect())?)
            }
            _ => None,
        };
        Ok(Judge {
            program,
            test,
            outcomes,
        })
    }

    /// Whether runs are compared with those in which calls come one after the other.
    fn needs_orders(&self) -> bool {
        self.test.expects == Expectation::Sequential
    }

    /// Whether a plan that was made up turns out to make no sense, or to be about a row that is not there.
    fn is_futile(&self, plan: &TestPlan, exploration: &Exploration) -> bool {
        let is_futile = |outcome: &Outcome| match self.test.row {
            Some(get) => matches!(
                outcome.calls.get(get).map(|call| &call.result),
                Some(CallResult::Threw { class, .. }) if class.ends_with("IndexOutOfBoundsException")
            ),
            None => self.needs_orders() && outcome.end == End::PrefixThrew,
        };
        let mut alone = exploration.baseline.iter();
        !plan.prefix.is_empty()
            && !exploration.baseline.is_empty()
            && alone.all(|(outcome, _)| is_futile(outcome))
    }

    fn look(&self, plan: &TestPlan, exploration: &Exploration, by: (Config, u32), found: &mut Found) {
        if self.needs_orders() {
            let verdicts = judge_all(plan, exploration, &Kind::ALL.into_iter().collect());
            found.gaps.extend(verdicts.gaps);
            let invariants = self.invariants(plan);
            for mut shown in verdicts.violations {
                name_invariant(&mut shown.violation, &shown.by.outcome, &invariants);
                let verdict = TestVerdict::Failed(shown.violation);
                found.add(verdict, plan, &shown.by, by);
            }
            return;
        }
        let alone = exploration.baseline.first().map(|(outcome, _)| outcome);
        found.without_preemption |=
            alone.is_some_and(|alone| matches!(self.judge(plan, alone).0, TestVerdict::Failed(_)));
        for distinct in &exploration.outcomes {
            let (verdict, text) = self.judge(plan, &distinct.outcome);
            if let Some(text) = text {
                *found.seen.entry(text).or_default() += distinct.count;
            }
            found.add(verdict, plan, distinct, by);
        }
    }

    /// The calls that must be true.
    fn invariants(&self, plan: &TestPlan) -> BTreeMap<usize, String> {
        invariants_of(plan, |member| self.test.invariants.contains(member))
    }

    /// What a run says, and what came of it in the words of the test.
    fn judge(&self, plan: &TestPlan, outcome: &Outcome) -> (TestVerdict, Option<String>) {
        let first = plan.prefix.len();
        let count: usize = plan.threads.iter().map(Vec::len).sum();
        let calls = TestCalls {
            test: first..first + count,
            invariants: self.invariants(plan),
        };
        if let Some(outcomes) = &self.outcomes {
            return match self.test.expects {
                Expectation::Terminates(_) => outcomes.judge_end(outcome, &calls),
                _ => outcomes.judge(outcome, &calls),
            };
        }
        let Expectation::Throws(expected) = &self.test.expects else {
            return (judge_test(outcome, &calls, None), None);
        };
        let is_expected = |class: &str| {
            let id = |name: &str| self.program.class_id(&name.replace('.', "/"));
            let is_below = |expected: &String| self.program.is_subtype(id(class), id(expected)) == Some(true);
            expected.iter().any(is_below)
        };
        (judge_test(outcome, &calls, Some(&is_expected)), None)
    }

    /// What came of the runs, and what could have and did not.
    fn notes(&self, found: &Found, plans: usize) -> Vec<String> {
        let mut notes = Vec::new();
        if self.test.row.is_some() && found.futile == 0 && !found.is_settled() {
            notes.push(format!("only the first {plans} rows of its arguments were taken"));
        }
        let Some(outcomes) = &self.outcomes else {
            return notes;
        };
        if !found.seen.is_empty() {
            let seen: Vec<String> = found
                .seen
                .iter()
                .map(|(text, count)| match count {
                    1 => format!("`{text}` once"),
                    count => format!("`{text}` {count} times"),
                })
                .collect();
            notes.push(format!("seen: {}", seen.join(", ")));
        }
        let unseen = outcomes.unseen(&found.seen.keys().cloned().collect());
        if !unseen.is_empty() && !found.is_settled() {
            let unseen = unseen.join(", ");
            notes.push(if found.complete.len() == plans {
                format!("not explored: needs weak memory: {unseen}")
            } else {
                format!("not explored: needs weak memory, or more schedules: {unseen}")
            });
        }
        notes
    }
}

/// What a test that no schedule fails was run with.
fn covered(found: &Found, test: &Test) -> TestConclusion {
    let plans = test.plans.len();
    let scenarios = if test.row.is_some() { "rows" } else { "scenarios" };
    let is_complete = found.complete.len() + found.futile == plans;
    let interleavings: u64 = found.complete.iter().sum();
    let mut covered = match interleavings {
        _ if !is_complete => format!("{} schedules", found.schedules),
        1 => "its only interleaving".to_owned(),
        many => format!("all {many} interleavings, up to equivalence"),
    };
    if plans - found.futile > 1 {
        covered = format!("{covered}, of {} {scenarios}", plans - found.futile);
    }
    TestConclusion::Passed { covered, is_complete }
}

/// The most threads that a run has started: the plan's own have the first numbers.
fn started(plan: &TestPlan, exploration: &Exploration) -> usize {
    let outcomes = exploration.outcomes.iter().map(|distinct| &distinct.outcome);
    let switches = outcomes.flat_map(|outcome| &outcome.schedule.switches);
    let last = switches.map(|switch| switch.thread as usize).max();
    last.unwrap_or(0).saturating_sub(plan.threads.len())
}

/// Whether a run has not followed its schedule.
fn diverges(exploration: &Exploration) -> bool {
    let mut outcomes = exploration.outcomes.iter();
    outcomes.any(|distinct| matches!(distinct.outcome.end, End::Diverged(_)))
}

/// How many interleavings there are, if all of them were run.
fn complete(scheduler: Config, exploration: &Exploration) -> Option<u64> {
    let claim = exploration.claim.as_ref().filter(|claim| claim.complete)?;
    (scheduler == Config::Dpor).then_some(claim.interleavings)
}

fn file_name(test: &str) -> String {
    let keep = |c: char| {
        if c.is_alphanumeric() || "._-".contains(c) {
            c
        } else {
            '-'
        }
    };
    test.chars().map(keep).collect()
}
