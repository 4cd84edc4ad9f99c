//! AutoConTest (Terragni and Cheung, "Coverage-Driven Test Code Generation for Concurrent Classes", ICSE 2016; slides): tests
//! for interleavings that match one of eleven problematic access patterns, as few as cover them all.
//!
//! In turns: a search for the sequence of calls with most new behaviour (`sequences::search`), the states of that sequence
//! with the calls that could meet there (`sequences::meetings`), and the tests that these make; then the next iteration
//! with other values, until one shows nothing new. What differs from the slides, or is not said there:
//! - Tests of a state are tried as soon as its calls are known, those with most interleavings left to cover first.
//! - Only methods that the static analysis lets touch the same are put together; no others can match a pattern.
//! - An interleaving that did not come about in [`TRIES`] tests is not tried again.
//! - What counts as a fault is what an oracle sees, not the pattern. Whether it sees anything depends on values and on what
//!   else happens meanwhile. So the tests that would cover nothing new follow, [`AGAIN`] of an iteration, and then those
//!   in which a further call changes the object while one call is held, as in the slides a whole sequence would.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use raddle_plan::TestPlan;

use super::predicted::{Assembled, candidate};
use crate::directed::{Fused, Prediction, TracedTest};
use crate::plan_builder::PlanBuilder;
use crate::sequences::{Meetings, Pool, Search, SearchLimits, State};
use crate::{Candidate, Feedback, Mode, Strategy};

/// Iterations, each with its own pool of values.
const ITERATIONS: usize = 6;
/// Tests of an iteration that cover nothing new.
const AGAIN: usize = 60;
/// Tests in which an interleaving may fail to come about.
const TRIES: u32 = 3;

/// What is under way.
enum Stage {
    Search(Box<Search>),
    /// The states that are left, the last one first.
    Meet(Pool, Vec<State>, Box<Meetings>),
    /// The tests of a state are tried, and these states are left.
    Met(Pool, Vec<State>),
    Over,
}

/// How far AutoConTest goes.
#[derive(Copy, Clone, Debug)]
pub struct CoverageOptions {
    /// Whether redundant sequences are left alone.
    pub prunes: bool,
    /// Sequential tests of an iteration, and how many of these may follow the last that was better than all before.
    pub runs: usize,
    /// See there.
    pub patience: usize,
    /// Whether tests are tried, too, that cover nothing new but may show a fault.
    pub looks_again: bool,
}

impl Default for CoverageOptions {
    fn default() -> CoverageOptions {
        CoverageOptions {
            prunes: true,
            runs: 1500,
            patience: 120,
            looks_again: true,
        }
    }
}

/// The strategy.
pub struct Autocontest<'p> {
    builder: PlanBuilder<'p>,
    limits: SearchLimits,
    looks_again: bool,
    conflicts: BTreeSet<(usize, usize)>,
    stage: Stage,
    iterations: usize,
    /// Behaviours that a returned sequence has shown.
    covered: BTreeSet<u64>,
    queue: Vec<Assembled>,
    /// Of this iteration, with more calls.
    longer: Vec<Assembled>,
    /// What is tried though it covers nothing new.
    again: VecDeque<Assembled>,
    /// Marks of interleavings that came about, and how often others did not.
    realised: BTreeSet<String>,
    tried: BTreeMap<String, u32>,
    /// Of candidates that are being tried, by number.
    pending: BTreeMap<u64, Vec<String>>,
    count: Count,
}

#[derive(Default)]
struct Count {
    sequential_tests: u64,
    calls: u64,
    first_gain: u64,
    tests: u64,
    required: BTreeSet<String>,
    /// With the reasons.
    infeasible: BTreeMap<String, String>,
}

impl<'p> Autocontest<'p> {
    pub(crate) fn new(mut builder: PlanBuilder<'p>, options: CoverageOptions) -> Autocontest<'p> {
        let limits = SearchLimits {
            prunes: options.prunes,
            runs: options.runs,
            patience: options.patience,
            ..SearchLimits::default()
        };
        let pairs = builder.target.facts.pairs.iter();
        let conflicts = pairs
            .filter(|pair| pair.conflict.is_some())
            .flat_map(|pair| [(pair.first, pair.second), (pair.second, pair.first)])
            .collect();
        let stage = search(&mut builder, 0, BTreeSet::new(), limits);
        Autocontest {
            builder,
            limits,
            looks_again: options.looks_again,
            conflicts,
            stage,
            iterations: 0,
            covered: BTreeSet::new(),
            queue: Vec::new(),
            longer: Vec::new(),
            again: VecDeque::new(),
            realised: BTreeSet::new(),
            tried: BTreeMap::new(),
            pending: BTreeMap::new(),
            count: Count::default(),
        }
    }

    /// How many calls of the first sequence did something new; none while it is looked for.
    pub fn first_sequence(&self) -> Option<u64> {
        (self.iterations > 0).then_some(self.count.first_gain)
    }

    /// Interleavings that a lock makes impossible wherever the calls were seen, and why.
    pub fn kept_apart(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.count.infeasible.iter();
        let never = all.filter(|(mark, _)| !self.count.required.contains(*mark));
        never.map(|(mark, reason)| (&**mark, &**reason))
    }

    fn is_open(&self, prediction: &Prediction) -> bool {
        let is_tired = self
            .tried
            .get(&prediction.mark)
            .is_some_and(|times| *times >= TRIES);
        !is_tired && !self.realised.contains(&prediction.mark)
    }

    fn open_count(&self, test: &Assembled) -> usize {
        let open = test
            .predictions
            .iter()
            .filter(|prediction| self.is_open(prediction));
        open.count()
    }

    /// The test with most interleavings that are still to be covered.
    fn best(&mut self) -> Option<Assembled> {
        // The first of equals.
        let best = (0..self.queue.len())
            .rev()
            .max_by_key(|&at| self.open_count(&self.queue[at]))?;
        (self.open_count(&self.queue[best]) > 0).then(|| self.queue.remove(best))
    }

    fn has_open(&self) -> bool {
        self.queue.iter().any(|test| self.open_count(test) > 0)
    }

    /// Whether a test can show something that came about in another.
    fn is_feasible(&self, test: &Assembled) -> bool {
        let mut predictions = test.predictions.iter();
        predictions.any(|prediction| self.realised.contains(&prediction.mark))
    }

    /// Turns to what is left of an iteration.
    fn once_more(&mut self) {
        let queue = std::mem::take(&mut self.queue);
        let longer = std::mem::take(&mut self.longer);
        if !self.looks_again {
            return;
        }
        let all = queue.into_iter().chain(longer);
        self.again = all.filter(|test| self.is_feasible(test)).take(AGAIN).collect();
    }

    /// What to do when a search or a state has nothing more to ask for.
    fn go_on(&mut self) {
        match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Search(search) => {
                let found = search.best();
                if self.iterations == 0 {
                    self.count.first_gain = found.gain() as u64;
                }
                self.iterations += 1;
                self.count.calls += found.path.len() as u64;
                self.covered.extend(found.new.iter().flatten());
                if found.gain() == 0 {
                    return;
                }
                let mut states = State::all(found);
                states.reverse();
                self.stage = self.meet(search.pool().clone(), states);
            }
            Stage::Meet(pool, states, meetings) => {
                self.take(&meetings);
                self.stage = Stage::Met(pool, states);
            }
            Stage::Met(pool, states) => {
                if states.is_empty() {
                    self.once_more();
                }
                self.stage = self.meet(pool, states);
            }
            Stage::Over => {}
        }
    }

    /// The next state, or the next iteration.
    fn meet(&mut self, pool: Pool, mut states: Vec<State>) -> Stage {
        if let Some(state) = states.pop() {
            let conflicts = |one, other| self.conflicts.contains(&(one, other));
            let meetings = Meetings::new(pool.clone(), state, &conflicts);
            return Stage::Meet(pool, states, Box::new(meetings));
        }
        if self.iterations >= ITERATIONS {
            return Stage::Over;
        }
        search(
            &mut self.builder,
            self.iterations,
            self.covered.clone(),
            self.limits,
        )
    }

    fn take(&mut self, meetings: &Meetings) {
        let conflicts = |one, other| self.conflicts.contains(&(one, other));
        for meeting in meetings.finish(&conflicts) {
            let marks = meeting
                .predictions
                .iter()
                .map(|prediction| prediction.mark.clone());
            self.count.required.extend(marks);
            self.count.infeasible.extend(meeting.infeasible);
            if meeting.predictions.is_empty() {
                continue;
            }
            let test = |fused: Fused| Assembled {
                text: format!("{}: accesses that are not serialisable", fused.title()),
                mode: Mode::Exception,
                predictions: meeting.predictions.clone(),
                fused,
            };
            self.longer.extend(meeting.longer.into_iter().map(test));
            self.queue.push(test(meeting.fused));
        }
    }
}

fn search(
    builder: &mut PlanBuilder<'_>,
    iteration: usize,
    covered: BTreeSet<u64>,
    limits: SearchLimits,
) -> Stage {
    match Pool::draw(builder, iteration) {
        Some(pool) => Stage::Search(Box::new(Search::new(pool, covered, limits))),
        None => Stage::Over,
    }
}

impl Strategy for Autocontest<'_> {
    fn name(&self) -> &'static str {
        "autocontest"
    }

    fn next_alone(&mut self) -> Option<TestPlan> {
        // What is known to be possible is tried before anything else is looked for.
        while !self.has_open() && self.again.is_empty() {
            let plan = match &mut self.stage {
                Stage::Search(search) => search.next(),
                Stage::Meet(_, _, meetings) => meetings.next(),
                Stage::Met(..) => None,
                Stage::Over => return None,
            };
            if plan.is_some() {
                self.count.sequential_tests += 1;
                return plan;
            }
            self.go_on();
        }
        None
    }

    fn observe_alone(&mut self, seed: Option<TracedTest>) {
        match &mut self.stage {
            Stage::Search(search) => search.observe(seed.as_ref()),
            Stage::Meet(_, _, meetings) => meetings.observe(seed),
            Stage::Met(..) | Stage::Over => {}
        }
    }

    fn next(&mut self) -> Option<Candidate> {
        while let Some(test) = self.best().or_else(|| self.again.pop_front()) {
            let marks = test.predictions.iter().map(|prediction| prediction.mark.clone());
            let marks: Vec<String> = marks.collect();
            if let Some(candidate) = candidate(&mut self.builder, test) {
                self.count.tests += 1;
                self.pending.insert(candidate.number, marks);
                return Some(candidate);
            }
        }
        None
    }

    fn observe(&mut self, number: u64, feedback: &Feedback) {
        self.builder.learn(number, feedback);
        self.realised.extend(feedback.realised.iter().cloned());
        for mark in self.pending.remove(&number).unwrap_or_default() {
            *self.tried.entry(mark).or_default() += 1;
        }
    }

    fn numbers(&self) -> Vec<(&'static str, u64)> {
        let Count {
            sequential_tests,
            calls,
            first_gain,
            tests,
            required,
            infeasible: _,
        } = &self.count;
        let kept_apart = self.kept_apart().count() as u64;
        let first_gain = match &self.stage {
            Stage::Search(search) if self.iterations == 0 => search.best().gain() as u64,
            _ => *first_gain,
        };
        vec![
            ("sequential tests", *sequential_tests),
            ("iterations", self.iterations as u64),
            ("calls in sequences", *calls),
            ("behaviours", self.covered.len() as u64),
            ("behaviours of the first sequence", first_gain),
            ("requirements", required.len() as u64 + kept_apart),
            ("kept apart by locks", kept_apart),
            ("tests", *tests),
        ]
    }
}
