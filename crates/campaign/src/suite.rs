//! Few tests that cover all interleavings in which two calls of a class can get in each other's way.
//!
//! AutoConTest finds the interleavings and the tests that show them; each is forced once. Of all runs that were made, those
//! are chosen that cover most of what is left, until all is covered. A chosen run is made again in a fresh JVM, and the
//! results of its calls in every sequential order are put beside it: that is what the test will ask for later.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use raddle_execute::{Session, SessionError, SessionOptions};
use raddle_generate::{Candidate, CoverageOptions, Feedback, Strategy, Target, autocontest};
use raddle_plan::{CallResult, Event, Outcome, RECORDING_VERSION, Recording, Schedule, TestPlan};
use raddle_program::{ClassId, Program};
use raddle_schedule::Config;
use raddle_summary::{Analyzer, Precision};

use crate::error::HuntError;
use crate::jvm_loadable::unloadable;
use crate::options::HuntOptions;
use crate::realise_prediction::{Realised, realise};
use crate::statics::changed_statics;
use crate::traces::traced_whole;

/// Scheduling points of a run in which an interleaving is looked for.
const MAX_STEPS: u32 = 20_000;

/// What a suite is made of.
#[derive(Clone, Debug)]
pub struct SuiteOptions {
    /// How workers are started.
    pub session: SessionOptions,
    /// How long interleavings are looked for.
    pub budget: Duration,
    /// What all random choices follow from.
    pub seed: u64,
    /// How far to search.
    pub coverage: CoverageOptions,
    /// Set from elsewhere to end the search; what was covered is kept.
    pub cancel: Arc<AtomicBool>,
}

/// How far the search is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuiteProgress {
    /// Since the search began.
    pub time: Duration,
    /// Tests that were tried.
    pub tests: u64,
    /// Interleavings that were covered.
    pub covered: usize,
    /// Numbers of the strategy, by name.
    pub numbers: Vec<(&'static str, u64)>,
}

/// What became of an interleaving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// It was forced; the tests that show it, by their numbers in the suite.
    Feasible(Vec<usize>),
    /// Locks keep the accesses apart.
    KeptApart(String),
    /// It did not come about, and why.
    Unrealised(String),
}

/// A test: calls, and who runs when.
#[derive(Clone, Debug)]
pub struct SuiteTest {
    /// The run.
    pub recording: Recording,
    /// What its threads did.
    pub events: Vec<Event>,
    /// The interleavings that it shows.
    pub covers: Vec<String>,
    /// What the calls come to in each sequential order, by call; none for what is not always the same.
    pub allowed: Vec<Vec<Option<String>>>,
    /// Whether the run came to something else, so that the test fails.
    pub fails: bool,
}

/// The tests for a class.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The class.
    pub class: String,
    /// The tests.
    pub tests: Vec<SuiteTest>,
    /// All interleavings that were looked at.
    pub interleavings: BTreeMap<String, Coverage>,
    /// How the coverage grew: one entry for each test that added to it, and the last state.
    pub progress: Vec<SuiteProgress>,
    /// What should be known besides, as sentences.
    pub notes: Vec<String>,
    /// Whether the search came to its end.
    pub is_complete: bool,
}

/// A run that showed something.
struct Shown {
    plan: TestPlan,
    resets: Vec<String>,
    schedule: Schedule,
    marks: BTreeSet<String>,
}

/// Makes a suite for a class. A class that cannot be tested is an error of its own, as a sentence.
pub fn suite(
    options: &SuiteOptions,
    program: &Program,
    class: ClassId,
    on_progress: &mut dyn FnMut(&SuiteProgress),
) -> Result<Result<Suite, String>, HuntError> {
    let name = program.name(class);
    if let Some(problem) = unloadable(program, class) {
        return Ok(Err(problem));
    }
    let analyzer = Analyzer::new(program, Precision::Precise);
    let facts = match analyzer.analyze(class) {
        Ok(facts) => facts,
        Err(problem) => return Ok(Err(problem.to_string())),
    };
    let target = Target {
        program,
        class,
        facts: &facts,
        threads: 2,
        has_seeds: false,
    };
    let mut strategy = match autocontest(target, options.seed, options.coverage) {
        Ok(strategy) => strategy,
        Err(problem) => return Ok(Err(problem.to_string())),
    };
    let mut session_options = options.session.clone();
    session_options.keep_classes = true;
    let mut session = Session::open(session_options)?;
    if let Some(cage) = session.ready().cage.as_ref().filter(|cage| cage.is_open()) {
        return Err(HuntError::NoCage(cage.gaps().join("; ")));
    }
    let mut search = Search {
        session: &mut session,
        shown: Vec::new(),
        unrealised: BTreeMap::new(),
        begun: Instant::now(),
        tests: 0,
        progress: Vec::new(),
    };
    let mut is_complete = false;
    while !options.cancel.load(Ordering::Relaxed) && search.begun.elapsed() < options.budget {
        let resets = |plan: &TestPlan| changed_statics(program, &analyzer, plan);
        if let Some(plan) = strategy.next_alone() {
            let resets = resets(&plan);
            strategy.observe_alone(traced_whole(search.session, plan, &resets)?);
            if strategy.first_sequence().is_some() && search.progress.is_empty() {
                search.note(&strategy);
            }
        } else if let Some(candidate) = strategy.next() {
            let feedback = search.try_one(&candidate, &resets(&candidate.plan))?;
            strategy.observe(candidate.number, &feedback);
            if !feedback.realised.is_empty() {
                search.note(&strategy);
            }
        } else {
            is_complete = true;
            break;
        }
        on_progress(&search.state(&strategy));
    }
    search.note(&strategy);
    let Search {
        shown,
        unrealised,
        progress,
        ..
    } = search;
    let mut interleavings: BTreeMap<String, Coverage> = BTreeMap::new();
    for (mark, reason) in strategy.kept_apart() {
        interleavings.insert(mark.to_owned(), Coverage::KeptApart(reason.to_owned()));
    }
    for (mark, reason) in unrealised {
        interleavings.insert(mark, Coverage::Unrealised(reason.to_owned()));
    }
    let mut tests = Vec::new();
    let mut notes = Vec::new();
    for shown in chosen(shown) {
        for mark in &shown.marks {
            let covered = interleavings.entry(mark.clone());
            let covered = covered.or_insert_with(|| Coverage::Feasible(Vec::new()));
            if !matches!(covered, Coverage::Feasible(_)) {
                *covered = Coverage::Feasible(Vec::new());
            }
        }
        match record(&mut session, options, &shown)? {
            Ok(test) => {
                for mark in &test.covers {
                    if let Some(Coverage::Feasible(by)) = interleavings.get_mut(mark) {
                        by.push(tests.len());
                    }
                }
                tests.push(test);
            }
            Err(problem) => notes.push(format!("{} could not be made a test: {problem}", shown.plan.name)),
        }
    }
    Ok(Ok(Suite {
        class: name,
        tests,
        interleavings,
        progress,
        notes,
        is_complete,
    }))
}

struct Search<'s> {
    session: &'s mut Session,
    shown: Vec<Shown>,
    unrealised: BTreeMap<String, &'static str>,
    begun: Instant,
    tests: u64,
    progress: Vec<SuiteProgress>,
}

impl Search<'_> {
    fn covered(&self) -> usize {
        let marks: BTreeSet<&String> = self.shown.iter().flat_map(|shown| &shown.marks).collect();
        marks.len()
    }

    fn state(&self, strategy: &dyn Strategy) -> SuiteProgress {
        SuiteProgress {
            time: self.begun.elapsed(),
            tests: self.tests,
            covered: self.covered(),
            numbers: strategy.numbers(),
        }
    }

    fn note(&mut self, strategy: &dyn Strategy) {
        let state = self.state(strategy);
        self.progress.push(state);
    }

    /// Forces the interleavings of a candidate.
    fn try_one(&mut self, candidate: &Candidate, resets: &[String]) -> Result<Feedback, SessionError> {
        self.tests += 1;
        let realisation = realise(self.session, resets, candidate, MAX_STEPS)?;
        for (mark, reason) in realisation.unrealised {
            self.unrealised.insert(mark, reason);
        }
        let mut realised = Vec::new();
        for Realised { mark, schedule, .. } in realisation.realised {
            realised.push(mark.clone());
            let same = |shown: &&mut Shown| shown.schedule == schedule && shown.plan == candidate.plan;
            if let Some(shown) = self.shown.iter_mut().find(same) {
                shown.marks.insert(mark);
            } else {
                self.shown.push(Shown {
                    plan: candidate.plan.clone(),
                    resets: resets.to_vec(),
                    schedule,
                    marks: [mark].into(),
                });
            }
        }
        Ok(Feedback {
            realised,
            ..Feedback::default()
        })
    }
}

/// As few runs as cover all: the one that adds most, again and again (the greedy set cover).
fn chosen(mut shown: Vec<Shown>) -> Vec<Shown> {
    let mut covered: BTreeSet<String> = BTreeSet::new();
    let mut chosen = Vec::new();
    loop {
        let gain = |shown: &Shown| shown.marks.difference(&covered).count();
        // The first of equals.
        let Some(best) = (0..shown.len()).rev().max_by_key(|&at| gain(&shown[at])) else {
            return chosen;
        };
        if gain(&shown[best]) == 0 {
            return chosen;
        }
        let best = shown.remove(best);
        covered.extend(best.marks.iter().cloned());
        chosen.push(best);
    }
}

/// The run once more in a fresh JVM, and what is allowed.
fn record(
    session: &mut Session,
    options: &SuiteOptions,
    shown: &Shown,
) -> Result<Result<SuiteTest, String>, HuntError> {
    let explore = raddle_execute::ExploreOptions {
        schedules: Some(1),
        cancel: Arc::clone(&options.cancel),
        max_steps: HuntOptions::MAX_STEPS,
        ..raddle_execute::ExploreOptions::new(Config::Random, options.seed)
    }
    .resetting(&shown.resets);
    let explored = match session.explore(&shown.plan, &explore, &mut |_| {}) {
        Ok(explored) => explored,
        Err(SessionError::Refused(problem)) => return Ok(Err(problem)),
        Err(SessionError::Died(death)) => return Ok(Err(death.to_string())),
        Err(error) => return Err(error.into()),
    };
    if let Some(gap) = explored.baseline_gap {
        return Ok(Err(gap));
    }
    let session_options = session.options();
    let mut recording = Recording {
        raddle_recording: RECORDING_VERSION,
        raddle: env!("CARGO_PKG_VERSION").to_owned(),
        jdk: session.ready().jdk_version.clone(),
        class_path: session_options.class_path.clone(),
        max_steps: Some(HuntOptions::MAX_STEPS),
        unplugged: session_options.unplugged.clone(),
        opens: session_options.opens.clone(),
        resets: shown.resets.clone(),
        test: None,
        plan: shown.plan.clone(),
        schedule: shown.schedule.clone(),
        // What came of it is known when it has been made again.
        outcome: explored
            .baseline
            .first()
            .map(|(first, _)| first.clone())
            .ok_or_else(|| {
                HuntError::Session(SessionError::Refused("there is no order of the calls".to_owned()))
            })?,
    };
    let replayed = match session.replay(&recording) {
        Ok(replayed) => replayed,
        Err(SessionError::Refused(problem)) => return Ok(Err(problem)),
        Err(SessionError::Died(death)) => return Ok(Err(death.to_string())),
        Err(error) => return Err(error.into()),
    };
    let allowed = allowed(&shown.plan, &explored.baseline);
    let came_to = results(&shown.plan, &replayed.outcome);
    let fits = |order: &Vec<Option<String>>| {
        let mut calls = order.iter().zip(&came_to);
        calls.all(|(allowed, came_to)| allowed.as_ref().is_none_or(|allowed| allowed == came_to))
    };
    recording.schedule = replayed.outcome.schedule.clone();
    let fails = !allowed.iter().any(fits);
    recording.outcome = replayed.outcome;
    Ok(Ok(SuiteTest {
        recording,
        events: replayed.events,
        covers: shown.marks.iter().cloned().collect(),
        allowed,
        fails,
    }))
}

/// What calls come to in each sequential order. What is not the same in two runs of one order is left out of all.
fn allowed(plan: &TestPlan, baseline: &[(Outcome, Outcome)]) -> Vec<Vec<Option<String>>> {
    let both: Vec<(Vec<String>, Vec<String>)> = baseline
        .iter()
        .map(|(first, second)| (results(plan, first), results(plan, second)))
        .collect();
    let varies = |call: usize| {
        both.iter()
            .any(|(first, second)| first.get(call) != second.get(call))
    };
    let masked = |first: &Vec<String>| {
        let calls = first.iter().enumerate();
        calls
            .map(|(call, text)| (!varies(call)).then(|| text.clone()))
            .collect()
    };
    let mut allowed: Vec<Vec<Option<String>>> = Vec::new();
    for (first, _) in &both {
        let order: Vec<Option<String>> = masked(first);
        if !allowed.contains(&order) {
            allowed.push(order);
        }
    }
    allowed
}

/// What calls came to, in the words of the tests.
fn results(plan: &TestPlan, outcome: &Outcome) -> Vec<String> {
    let calls = plan.calls().zip(&outcome.calls);
    calls
        .map(|((_, _, call), came_to)| match &came_to.result {
            CallResult::Threw { class, .. } => format!("threw {class}"),
            CallResult::Returned(_) if call.result_descriptor().is_none() => "returned".to_owned(),
            CallResult::Returned(value) => format!("returned {value}"),
            CallResult::NotBegun | CallResult::Unfinished => "did not end".to_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(marks: &[&str]) -> Shown {
        Shown {
            plan: TestPlan::from_json(r#"{"raddle_plan": 1, "threads": [[]]}"#).unwrap(),
            resets: Vec::new(),
            schedule: Schedule::default(),
            marks: marks.iter().map(|mark| (*mark).to_owned()).collect(),
        }
    }

    #[test]
    fn few_runs_cover_what_many_did() {
        let all = vec![
            shown(&["a"]),
            shown(&["a", "b"]),
            shown(&["b", "c", "d"]),
            shown(&["d"]),
        ];
        let chosen = chosen(all);
        let marks: Vec<Vec<&str>> = chosen
            .iter()
            .map(|shown| shown.marks.iter().map(String::as_str).collect())
            .collect();
        assert_eq!(marks, [vec!["b", "c", "d"], vec!["a"]], "the first of equals");
    }
}
