//! Our own: cheapest evidence first.
//!
//! Interleavings that were foreseen in sequential tests come first, in turns with the rest; then deadlock pairs crosswise,
//! with nothing in the objects, with an equal element each, with each other; conflict pairs in the way of sharing that the
//! evidence speaks of, or on two objects if they meet in static state, single calls before two in a row, little state
//! before more; then variations of the tests that reached something new, and random ones, for ever. All pairs get a step
//! before any gets the next one, pairs of a method with itself go ahead, of overloads the first, and a pair with a violation
//! goes to the end of the queue, as do pairs of a method that does nothing but throw.

mod contents;
mod queue;
mod steps;
mod yields;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

use contents::Contents;
use queue::{Queue, When};
use steps::{CONFLICT_STEPS, DEADLOCK_STEPS, Follow, Job, Setting, Step};
pub(super) use yields::Yield;

use super::corpus::Corpus;
use super::predicted::{self, Assembled, in_turns};
use super::{predict_atomicity, predict_deadlocks};
use crate::directed::{TracedTest, Types};
use crate::kin::kin_pairs;
use crate::pair_plans::{Content, Pair, Sharing, Suffixes, conflict_pairs, deadlock_pairs, unseen_pairs};
use crate::plan_builder::{Lesson, PlanBuilder};
use crate::plan_draft::PlanDraft;
use crate::values::{Circumstances, Taste};
use crate::views::view_pairs;
use crate::{Candidate, Evidence, Feedback, Mode, Strategy, StrategyKind};

/// Rounds of steps after which tests that grow get turns, and every which turn that is; and how many turns random tests get
/// once there are no more steps.
const CHEAP_ROUNDS: usize = 48;
const GROWN_EVERY: usize = 5;
/// Rounds in which all objects are made in the usual way.
const USUAL_ROUNDS: usize = 3;
/// So many other ways are all tried in every round.
const FEW_WAYS: usize = 2;
const RANDOM_EVERY: usize = 2;
/// Other values for a test that did not get to the point.
const MAX_RETRIES: u32 = 2;
/// Tests with objects in themselves or in each other that may fail in a row.
const MAX_IN_VAIN: usize = 4;
/// Tests in which a method only threw, after which those to come can wait.
const BARREN: u32 = 6;
/// The same for tests that took more than their share of the time.
const TOO_SLOW: u32 = 2;
/// Methods that are called first, one after the other, where a call is refused.
const MAX_PRIMED: usize = 4;
/// What a class throws at a call for which its object is not ready.
const REFUSAL: &str = "java.lang.IllegalStateException";
const OVERFLOW: &str = "java.lang.StackOverflowError";
/// Predicted interleavings of each kind that are tried; what has more of them shows with fewer what it can show.
const MAX_FORESEEN: usize = 150;
/// Directed random tests that come to nothing before a plain random one is made.
const TRIES: usize = 20;

/// The default strategy.
pub(crate) struct Portfolio<'p> {
    builder: PlanBuilder<'p>,
    deadlocks: Queue,
    conflicts: Queue,
    /// Tests of predicted interleavings, and the pairs of those that wait for feedback.
    foreseen: VecDeque<Assembled>,
    foretold: BTreeMap<u64, (Mode, Option<(usize, usize)>)>,
    /// Jobs of candidates that wait for feedback.
    given: BTreeMap<u64, Given>,
    broken: BTreeSet<(Mode, (usize, usize))>,
    /// Tests that reached something new; none if there is to be nothing but the steps and random tests.
    corpus: Option<Corpus>,
    /// For the random part.
    all: Vec<(Mode, Pair)>,
    turn: usize,
    round: usize,
    /// How predictions and deadlock tests have paid.
    foretelling: Yield,
    deadlocking: Yield,
    /// The same for all tests of pairs, deadlock tests among them.
    pairing: Yield,
    /// Whether a test asked for the time.
    asks_time: bool,
    /// Tests with objects in themselves or in each other that came to nothing, in a row: not every class can hold its own
    /// kind, and calls that never end take long to overflow the stack.
    in_vain: usize,
    /// Tests in which a method threw whatever the order, until one in which it did not.
    barren: BTreeMap<usize, Option<u32>>,
    /// Methods that refuse calls, and the one that has to be called before; none if that is none of those that were tried.
    primers: BTreeMap<usize, Option<usize>>,
    /// Tests of a method that were cut because they took too long.
    slow: BTreeMap<usize, u32>,
    contents: Contents,
    /// Methods that call themselves until the stack overflows when they are given an object of the class, and whether
    /// that takes objects that hold each other.
    endless: BTreeSet<(bool, usize)>,
}

/// Whether all that a method did so far was to throw, often enough that its tests can wait.
fn is_barren(barren: &BTreeMap<usize, Option<u32>>, method: usize) -> bool {
    barren
        .get(&method)
        .is_some_and(|count| count.is_some_and(|count| count >= BARREN))
}

/// A candidate that waits for feedback.
struct Given {
    job: Job,
    /// Numbers of the calls of its threads.
    threads: Range<usize>,
    /// Elements that its objects hold; none if something else than a number decides on that.
    held: Option<usize>,
}

impl<'p> Portfolio<'p> {
    pub(crate) fn new(builder: PlanBuilder<'p>, seeds: &[TracedTest], grows: bool) -> Portfolio<'p> {
        let types = Types(builder.program());
        let own = builder.class_name();
        let mut foreseen = in_turns(predict_deadlocks(seeds, &types).tests);
        foreseen.truncate(MAX_FORESEEN);
        let mut between = in_turns(predict_atomicity(seeds, &types, &own).tests);
        between.truncate(MAX_FORESEEN);
        foreseen.extend(between);
        let deadlocks = deadlock_pairs(&builder);
        let mut conflicts = conflict_pairs(&builder);
        // A method that gets null for want of a value mostly says so, and nothing else is tried.
        let poor: BTreeSet<usize> = conflicts
            .iter()
            .flat_map(|pair| [pair.first, pair.second])
            .collect::<BTreeSet<usize>>()
            .into_iter()
            .filter(|&index| builder.lacks_values(index))
            .collect();
        conflicts.sort_by_key(|pair| poor.contains(&pair.first) || poor.contains(&pair.second));
        conflicts.extend(view_pairs(&builder));
        conflicts.extend(kin_pairs(&builder));
        conflicts.extend(unseen_pairs(&builder));
        let of = |mode: Mode, pairs: &[Pair]| pairs.iter().map(|&pair| (mode, pair)).collect::<Vec<_>>();
        let all = [of(Mode::Deadlock, &deadlocks), of(Mode::Exception, &conflicts)].concat();
        Portfolio {
            builder,
            deadlocks: Queue::new(Mode::Deadlock, &DEADLOCK_STEPS, deadlocks),
            conflicts: Queue::new(Mode::Exception, &CONFLICT_STEPS, conflicts),
            foreseen: foreseen.into(),
            foretold: BTreeMap::new(),
            given: BTreeMap::new(),
            broken: BTreeSet::new(),
            corpus: grows.then(Corpus::default),
            all,
            turn: 0,
            round: 0,
            foretelling: Yield::default(),
            deadlocking: Yield::default(),
            pairing: Yield::default(),
            asks_time: false,
            in_vain: 0,
            barren: BTreeMap::new(),
            primers: BTreeMap::new(),
            slow: BTreeMap::new(),
            contents: Contents::default(),
            endless: BTreeSet::new(),
        }
    }

    /// Takes note of which of the pair's methods threw whatever the order.
    fn note_barren(&mut self, sides: [(usize, usize); 2], feedback: &Feedback) {
        for (call, method) in sides {
            let count = self.barren.entry(method).or_insert(Some(0));
            if feedback.always_throws.iter().any(|(at, _)| *at == call) {
                *count = count.map(|count| count + 1);
            } else {
                *count = None;
            }
        }
    }

    /// Whether a call was refused and the test is made again with another call before it; what helps is kept in mind.
    fn is_primed_again(&mut self, job: Job, sides: [(usize, usize); 2], feedback: &Feedback) -> bool {
        let is_refused = |call: usize| {
            let mut thrown = feedback.always_throws.iter();
            thrown.any(|(at, class)| *at == call && class == REFUSAL)
        };
        let refusing: Vec<usize> = sides
            .iter()
            .filter(|(call, _)| is_refused(*call))
            .map(|(_, method)| *method)
            .collect();
        let changers = self.builder.changers(job.pair.first, job.pair.second);
        if refusing.is_empty() {
            if let Some(helpful) = job.primed.and_then(|number| changers.get(number)) {
                for method in [job.pair.first, job.pair.second] {
                    self.primers.entry(method).or_insert(Some(*helpful));
                }
            }
            return false;
        }
        let next = job.primed.map_or(0, |number| number + 1);
        if refusing.iter().any(|method| self.primers.contains_key(method)) {
            return false;
        }
        if next >= changers.len().min(MAX_PRIMED) {
            self.primers
                .extend(refusing.into_iter().map(|method| (method, None)));
            return false;
        }
        self.conflicts.again(Job {
            primed: Some(next),
            ..job
        });
        true
    }

    fn is_hopeless(&self, job: &Job) -> bool {
        let is_endless = |method| {
            let always = self.endless.contains(&(false, method));
            always || (job.is_knotted() && self.endless.contains(&(true, method)))
        };
        let is_in_vain = job.mode == Mode::Exception && self.in_vain > MAX_IN_VAIN;
        job.is_reflexive() && (is_in_vain || is_endless(job.pair.first) || is_endless(job.pair.second))
    }

    /// The next test of a pair. A turn is not used up by steps that a pair has no test for.
    fn paired(&mut self) -> Option<Candidate> {
        self.turn += 1;
        let is_conflicts_turn = self.turn.is_multiple_of(self.deadlocking.conflicts_every());
        let order = if is_conflicts_turn {
            [Mode::Exception, Mode::Deadlock]
        } else {
            [Mode::Deadlock, Mode::Exception]
        };
        order
            .into_iter()
            .find_map(|mode| self.first_of(mode, When::InTurn))
            .or_else(|| self.first_of(Mode::Deadlock, When::Late))
            .or_else(|| self.first_of(Mode::Exception, When::Late))
    }

    /// Takes jobs from a queue until one has a test.
    fn first_of(&mut self, mode: Mode, when: When) -> Option<Candidate> {
        while !self.builder.is_at_its_end() {
            let (broken, barren, slow) = (&self.broken, &self.barren, &self.slow);
            let is_slow = |method: &usize| slow.get(method).is_some_and(|count| *count >= TOO_SLOW);
            let can_wait = |job: &Job| {
                let (first, second) = job.pair.indices();
                broken.contains(&(mode, (first, second)))
                    || [first, second]
                        .iter()
                        .any(|method| is_barren(barren, *method) || is_slow(method))
            };
            let settings = self.settings();
            let queue = match mode {
                Mode::Deadlock => &mut self.deadlocks,
                Mode::Exception => &mut self.conflicts,
            };
            let job = match when {
                When::InTurn => queue.next(&can_wait, &settings),
                When::Late => queue.later.pop_front(),
            }?;
            if let Some(candidate) = self.candidate(job) {
                return Some(candidate);
            }
        }
        None
    }

    /// The settings that can make a difference, besides the usual one.
    fn settings(&self) -> Vec<Setting> {
        let seen = self.builder.values.stand_ins;
        let agreeing = seen.answer.then_some(Setting::Agreeing);
        let later = (seen.tell_time || self.asks_time).then_some(Setting::Later);
        let configured = seen.have_options.then_some(Setting::Configured);
        let colliding = self.builder.values.asks_for_hashes.then_some(Setting::Colliding);
        // One way a round where a class has many.
        let others = self.builder.other_ways();
        let begun = self.conflicts.begun();
        let ways = match others {
            _ if begun <= USUAL_ROUNDS => 0..0,
            0..=FEW_WAYS => 0..others,
            _ => begun % others..begun % others + 1,
        };
        let otherwise = ways.map(Setting::MadeOtherwise);
        let settings = agreeing.into_iter().chain(later).chain(configured);
        settings.chain(colliding).chain(otherwise).collect()
    }

    fn candidate(&mut self, job: Job) -> Option<Candidate> {
        let held = match self.content(&job) {
            Some(Content::Elements(held)) => Some(held),
            _ => None,
        };
        let draft = self.draft_in_setting(job)?;
        let relation = match job.mode {
            Mode::Deadlock => "⇌D",
            Mode::Exception => "⇌PC",
        };
        let text = self.builder.pair_text(job.pair.first, relation, job.pair.second);
        let left_out = self.builder.left_out();
        let finished = self
            .builder
            .finish(draft, job.mode, Some(job.pair.indices()), text);
        if self.builder.left_out() > left_out {
            // Nothing can be put in.
            for method in [job.pair.first, job.pair.second] {
                self.contents.cannot_be_met(method);
            }
        }
        let candidate = finished?;
        self.watch(&candidate);
        let begin = candidate.plan.prefix.len();
        let calls: usize = candidate.plan.threads.iter().map(Vec::len).sum();
        self.given.insert(
            candidate.number,
            Given {
                job,
                threads: begin..begin + calls,
                held,
            },
        );
        Some(candidate)
    }

    /// The next test of a predicted interleaving.
    fn foretold(&mut self) -> Option<Candidate> {
        while let Some(mut test) = self.foreseen.pop_front() {
            test.predictions.truncate(predicted::MOST_PREDICTIONS);
            if let Some(candidate) = predicted::candidate(&mut self.builder, test) {
                let Evidence { mode, pair, .. } = candidate.evidence;
                self.foretold.insert(candidate.number, (mode, pair));
                return Some(candidate);
            }
        }
        None
    }

    fn draft_in_setting(&mut self, job: Job) -> Option<PlanDraft> {
        let values = &mut self.builder.values;
        values.circumstances = Circumstances {
            agree: job.setting == Setting::Agreeing,
            have_clocks: job.setting == Setting::Later,
            are_roomy: job.is_about_many(),
            are_configured: Some(job.setting == Setting::Configured),
            made_otherwise: match job.setting {
                Setting::MadeOtherwise(number) => Some(number),
                _ => None,
            },
            collide: job.setting == Setting::Colliding,
        };
        let before = std::mem::take(&mut values.stand_ins);
        let draft = self.draft(job);
        let values = &mut self.builder.values;
        values.circumstances = Circumstances::default();
        let seen = values.stand_ins;
        values.stand_ins = before.and(seen);
        let mut draft = draft?;
        // Without what it is about, a setting makes the same test again.
        let makes_a_difference = match job.setting {
            Setting::Usual => true,
            Setting::Agreeing => seen.answer,
            Setting::Later => seen.tell_time || self.asks_time,
            Setting::Configured => seen.have_options,
            Setting::Colliding => seen.collide,
            Setting::MadeOtherwise(_) => draft.is_made_otherwise,
        };
        if !makes_a_difference {
            return None;
        }
        if job.setting == Setting::Later {
            draft.pass_time();
        }
        Some(draft)
    }

    fn draft(&mut self, job: Job) -> Option<PlanDraft> {
        let Job {
            pair,
            mode,
            step,
            taste,
            ..
        } = job;
        if self.is_hopeless(&job) {
            return None;
        }
        let builder = &mut self.builder;
        match step {
            // Objects that cannot be given to each other, or to themselves, do not meet.
            Step::Cross(Content::Elements(_)) | Step::Itself if builder.takers(pair) == 0 => None,
            // The other ways to share have that covered.
            Step::Cross(_) if mode == Mode::Exception && builder.takers(pair) < 2 => None,
            Step::Cross(content) => {
                let mut draft = builder.crosswise(pair, content, taste)?;
                if mode == Mode::Exception {
                    let objects = draft.subjects();
                    let changed_by = [pair.first, pair.second];
                    builder.observe_objects(&mut draft, &objects, &changed_by, true);
                }
                Some(draft)
            }
            Step::OneObject => builder.meeting(
                pair,
                Sharing::Receiver,
                Content::Elements(1),
                Suffixes::Single,
                taste,
            ),
            Step::Itself => builder.meeting(
                pair,
                Sharing::Itself,
                Content::Elements(2),
                Suffixes::Single,
                taste,
            ),
            Step::InItself if !builder.takes_own_kind(pair) => None,
            Step::InItself => {
                builder.meeting(pair, Sharing::Itself, Content::Itself, Suffixes::Single, taste)
            }
            // The same calls the other way round.
            Step::Strangers(1) if pair.first == pair.second => None,
            Step::Strangers(_) if !builder.meets_in_statics(pair) => None,
            Step::Strangers(used) => builder.meeting(
                pair,
                Sharing::Statics(used),
                Content::Elements(1),
                Suffixes::Single,
                taste,
            ),
            Step::Counting(held) => builder.counting(pair, held, taste),
            Step::Acting => builder.acting(pair, taste),
            Step::Failing => builder.failing(pair, taste),
            Step::Kin(number) => builder.kin(pair, number, taste),
            Step::Handed(number) => builder.handed(pair, number, taste),
            Step::Siblings(number, way) => builder.siblings(pair, number, way, taste),
            Step::View(number, way) => builder.view(pair, number, way, taste),
            Step::Brink(number) => {
                let brink = builder.values.brink(number)?;
                let sharing = builder.sharing(pair);
                let beyond = Suffixes::Beyond(brink);
                builder.meeting(pair, sharing, Content::Elements(brink), beyond, taste)
            }
            Step::Share(sharing) => {
                let takes = match sharing {
                    Sharing::ArgumentOfFirst => pair.first,
                    _ => pair.second,
                };
                let method = builder.callable(takes)?;
                builder.partner_parameter(method, None)?;
                if sharing == builder.sharing(pair) {
                    return None;
                }
                builder.meeting(pair, sharing, Content::Elements(1), Suffixes::Single, taste)
            }
            Step::Meet(_, follow) => {
                let sharing = builder.sharing(pair);
                let suffixes = match follow {
                    Follow::Nothing => Suffixes::Single,
                    Follow::Apart => Suffixes::Apart,
                    Follow::Opposite => Suffixes::Opposite,
                    Follow::Crossing => Suffixes::Crossing,
                    Follow::Twice => Suffixes::Twice,
                    Follow::Swapped => Suffixes::Swapped,
                    Follow::Crowd(side) => Suffixes::Crowd(side),
                    Follow::Null(side) => Suffixes::Null(side),
                    Follow::Before(number) => Suffixes::Before(self.third(pair, number)?),
                    Follow::After(number) => Suffixes::After(self.third(pair, number)?),
                    Follow::Ahead(number) => Suffixes::Ahead(self.third(pair, number)?),
                };
                let content = self.content(&job)?;
                self.builder.meeting(pair, sharing, content, suffixes, taste)
            }
        }
    }

    /// What the objects of a meeting hold.
    fn content(&mut self, job: &Job) -> Option<Content> {
        let Step::Meet(elements, follow) = job.step else {
            return None;
        };
        let methods = [job.pair.first, job.pair.second];
        Some(match (follow, job.primed) {
            (Follow::Null(0), _) => Content::By(job.pair.first),
            (Follow::Null(_), _) => Content::By(job.pair.second),
            (_, Some(number)) => {
                let changers = self.builder.changers(job.pair.first, job.pair.second);
                Content::By(*changers.get(number)?)
            }
            (_, None) => {
                let mut primers = methods.iter().filter_map(|method| self.primers.get(method));
                let least = methods.iter().map(|method| self.contents.least(*method));
                let elements = least.fold(elements, usize::max);
                primers
                    .find_map(|primer| *primer)
                    .map_or(Content::Elements(elements), Content::By)
            }
        })
    }

    /// A third method that changes what the pair looks at. Those that take something away come first: what the objects
    /// hold was put in before.
    fn third(&mut self, pair: Pair, number: usize) -> Option<usize> {
        let changers = self.builder.changers(pair.first, pair.second);
        let mut others = changers.into_iter().rev().filter(|&index| index != pair.second);
        others.nth(number)
    }

    /// A variation of a test that reached something new.
    fn grown(&mut self) -> Option<Candidate> {
        self.corpus.as_mut()?.next(&mut self.builder)
    }

    /// Random tests: of a dependent pair, or of anything.
    fn random(&mut self) -> Option<Candidate> {
        if self.builder.values.rng.one_in(2) {
            for _ in 0..TRIES {
                let Some(&(mode, pair)) = self.builder.values.rng.pick(&self.all) else {
                    break;
                };
                let steps = match mode {
                    Mode::Deadlock => self.deadlocks.steps,
                    Mode::Exception => self.conflicts.steps,
                };
                let Some(&step) = self.builder.values.rng.pick(steps) else {
                    break;
                };
                let job = Job {
                    pair,
                    mode,
                    step,
                    setting: Setting::Usual,
                    taste: Taste::Drawn,
                    retries: MAX_RETRIES,
                    primed: None,
                };
                if let Some(candidate) = self.candidate(job) {
                    return Some(candidate);
                }
            }
        }
        let candidate = self.builder.random()?;
        self.watch(&candidate);
        Some(candidate)
    }

    fn watch(&mut self, candidate: &Candidate) {
        if let Some(corpus) = &mut self.corpus {
            corpus.watch(&self.builder, candidate);
        }
    }
}

impl Strategy for Portfolio<'_> {
    fn name(&self) -> &'static str {
        if self.corpus.is_some() {
            StrategyKind::Portfolio.name()
        } else {
            StrategyKind::Listed.name()
        }
    }

    fn next(&mut self) -> Option<Candidate> {
        if self.builder.is_at_its_end() {
            return None;
        }
        self.round += 1;
        let is_foretelling =
            self.round.is_multiple_of(self.foretelling.pace(2, 6)) && self.foretelling.is_due(self.pairing);
        if is_foretelling && let Some(candidate) = self.foretold() {
            return Some(candidate);
        }
        let is_growing = self.conflicts.begun() > CHEAP_ROUNDS && self.round.is_multiple_of(GROWN_EVERY);
        if is_growing && let Some(candidate) = self.grown() {
            return Some(candidate);
        }
        let candidate = self.paired().or_else(|| self.foretold());
        if candidate.is_some() {
            return candidate;
        }
        // What a fixed list has no more of, tests that grow have, and random ones now and then.
        if self.round.is_multiple_of(RANDOM_EVERY) {
            return self.random().or_else(|| self.grown());
        }
        self.grown().or_else(|| self.random())
    }

    fn left_out(&self) -> u64 {
        self.builder.left_out()
    }

    fn observe(&mut self, number: u64, feedback: &Feedback) {
        let lesson = self.builder.learn(number, feedback);
        if let Some(corpus) = &mut self.corpus {
            corpus.observe(number, feedback);
        }
        if let Some((mode, pair)) = self.foretold.remove(&number) {
            self.foretelling.count(feedback);
            if let Some(pair) = pair.filter(|_| feedback.violation) {
                self.broken.insert((mode, pair));
            }
        }
        let Some(Given { job, threads, held }) = self.given.remove(&number) else {
            return;
        };
        self.pairing.count(feedback);
        self.asks_time |= feedback.asks_time;
        if job.mode == Mode::Deadlock {
            self.deadlocking.count(feedback);
        }
        if feedback.is_slow {
            let methods = BTreeSet::from([job.pair.first, job.pair.second]);
            for method in methods {
                *self.slow.entry(method).or_default() += 1;
            }
            if !feedback.violation {
                return;
            }
        }
        let sides = [
            (threads.start, job.pair.first),
            (threads.end.wrapping_sub(1), job.pair.second),
        ];
        // An empty object has every reason to throw, whatever it is asked.
        let is_empty = held == Some(0) || job.step == Step::Cross(Content::Elements(0));
        // There, the last call is not that of the pair's second method.
        let ends_otherwise = matches!(job.step, Step::Meet(_, Follow::After(_) | Follow::Crossing));
        let is_telling = feedback.prefix_threw.is_none() && feedback.refused.is_none();
        // Who is given values of another kind next has not been tried yet, and an object in itself is a bad place to be tried.
        let is_fair = !is_empty && !ends_otherwise && !job.is_knotted();
        if is_fair && is_telling && lesson != Lesson::OtherKind {
            self.note_barren(sides, feedback);
        }
        if job.is_reflexive() {
            let is_endless = |(at, class): &(usize, String)| threads.contains(at) && class == OVERFLOW;
            let is_in_vain = match &feedback.prefix_threw {
                Some(_) => job.step == Step::InItself,
                None => feedback.always_throws.iter().any(is_endless),
            };
            if job.mode == Mode::Exception {
                self.in_vain = if is_in_vain { self.in_vain + 1 } else { 0 };
            }
            for (call, method) in sides {
                let overflows = |(at, class): &(usize, String)| *at == call && class == OVERFLOW;
                if feedback.always_throws.iter().any(overflows) {
                    self.endless.insert((job.is_knotted(), method));
                }
            }
            if is_in_vain || (job.step == Step::InItself && lesson != Lesson::Ran) {
                return;
            }
        }
        if feedback.violation {
            self.broken.insert((job.mode, job.pair.indices()));
            return;
        }
        if matches!(job.step, Step::Meet(..)) && is_telling && self.is_primed_again(job, sides, feedback) {
            return;
        }
        let held = held.filter(|_| is_telling && !ends_otherwise);
        let can_be_filled = |method| self.builder.can_be_filled_beside(method);
        if held.is_some_and(|held| self.contents.hear(sides, held, feedback, &can_be_filled)) {
            self.conflicts.again(job);
            return;
        }
        if lesson == Lesson::WantsMore {
            return;
        }
        let is_over = job.retries == MAX_RETRIES && lesson != Lesson::OtherKind;
        let is_empty_meeting = held == Some(0);
        if lesson == Lesson::Ran || (lesson == Lesson::Throws && is_empty_meeting) || is_over {
            return;
        }
        let again = Job {
            // There are only so many kinds of values.
            retries: job.retries + u32::from(lesson != Lesson::OtherKind),
            // What was learnt leads to another choice; values that throw have to be drawn anew.
            taste: if lesson == Lesson::Throws {
                Taste::Drawn
            } else {
                job.taste
            },
            ..job
        };
        match job.mode {
            Mode::Deadlock => self.deadlocks.again(again),
            Mode::Exception => self.conflicts.again(again),
        }
    }
}
