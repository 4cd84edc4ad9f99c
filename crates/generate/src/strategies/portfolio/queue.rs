//! The order in which pairs get their steps.

use std::collections::VecDeque;

use super::steps::{Follow, Job, Setting, Step};
use crate::Mode;
use crate::pair_plans::{Content, Origin, Pair};
use crate::siblings::Siblings;
use crate::values::Taste;
use crate::views::View;

/// Rounds before those of pairs that the analysis says nothing of; methods of objects that were handed out, and ways for two
/// objects to know each other, that are tried.
const BEFORE_BEYOND: usize = 8;
const MOST_VIEWS: usize = 4;
const MOST_RELATIONS: usize = 3;
/// Ways to call two methods of an object that was handed out.
const MOST_HANDED: usize = 6;
const UNSEEN_STEPS: [Step; 5] = [
    Step::Meet(1, Follow::Nothing),
    Step::Meet(1, Follow::Before(0)),
    // What is asked for need not be what was touched last.
    Step::Meet(3, Follow::Nothing),
    // The analysis does not see what the code does that the class is given.
    Step::Acting,
    Step::Failing,
];
/// For pairs that meet in an argument: mostly there are few of them, and they are the ones that nobody thinks of.
const ARGUMENT_STEPS: [Step; 7] = [
    Step::Meet(1, Follow::Nothing),
    Step::Meet(2, Follow::Nothing),
    Step::Meet(1, Follow::Before(0)),
    Step::Meet(1, Follow::Before(1)),
    Step::Meet(1, Follow::Before(2)),
    Step::Meet(1, Follow::After(0)),
    Step::Meet(1, Follow::After(1)),
];
/// So many such pairs are few.
const FEW: usize = 24;

/// The steps of one kind of pairs, made round by round.
pub(super) struct Queue {
    mode: Mode,
    pub(super) steps: &'static [Step],
    pairs: Vec<Pair>,
    /// Steps and pairs to come.
    round: VecDeque<Job>,
    /// Rounds to come.
    rounds: VecDeque<(Step, Group)>,
    /// Rounds that were begun.
    begun: usize,
    /// Pairs that have failed already.
    pub(super) later: VecDeque<Job>,
}

/// Which of its jobs a queue gives.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum When {
    InTurn,
    Late,
}

/// Which pairs a round is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Group {
    /// A method with itself.
    OfOne,
    /// Two methods.
    OfTwo,
    /// Pairs that meet in an argument of one of them; they are in another group too.
    Argument,
    /// Those that the analysis says nothing of, for this reason.
    Beyond(Origin),
}

impl Group {
    fn holds(self, pair: &Pair) -> bool {
        let is_of_one = pair.first == pair.second;
        match self {
            Group::OfOne => is_of_one && pair.origin == Origin::Analysis,
            Group::OfTwo => !is_of_one && pair.origin == Origin::Analysis,
            Group::Argument => pair.meets_in_argument,
            Group::Beyond(origin) => pair.origin == origin,
        }
    }
}

impl Queue {
    pub(super) fn new(mode: Mode, steps: &'static [Step], pairs: Vec<Pair>) -> Queue {
        Queue {
            mode,
            steps,
            rounds: match mode {
                // A method with itself first, through all steps: there are few such pairs, and most faults.
                Mode::Deadlock => [Group::OfOne, Group::OfTwo]
                    .into_iter()
                    .flat_map(|group| steps.iter().map(move |step| (*step, group)))
                    .collect(),
                // All pairs get a step before any gets the next.
                Mode::Exception => {
                    let crossing = steps
                        .iter()
                        .flat_map(|step| [Group::OfOne, Group::OfTwo].map(|group| (*step, group)));
                    let mut crossing: Vec<(Step, Group)> = crossing.collect();
                    let views = (0..MOST_VIEWS).flat_map(|number| {
                        View::ALL.map(|way| (Step::View(number, way), Group::Beyond(Origin::View)))
                    });
                    let handed =
                        (0..MOST_HANDED).map(|number| (Step::Handed(number), Group::Beyond(Origin::View)));
                    let siblings = (0..MOST_HANDED).flat_map(|number| {
                        Siblings::ALL.map(|way| (Step::Siblings(number, way), Group::Beyond(Origin::View)))
                    });
                    let kin =
                        (0..MOST_RELATIONS).map(|number| (Step::Kin(number), Group::Beyond(Origin::Kin)));
                    let unseen = UNSEEN_STEPS
                        .iter()
                        .map(|step| (*step, Group::Beyond(Origin::Unseen)));
                    let at = BEFORE_BEYOND.min(crossing.len());
                    let beyond = kin.chain(handed).chain(siblings).chain(unseen).chain(views);
                    crossing.splice(at..at, beyond);
                    let first = [
                        (Step::InItself, Group::OfOne),
                        (Step::Meet(0, Follow::Opposite), Group::OfOne),
                        (Step::Cross(Content::Elements(1)), Group::OfOne),
                    ];
                    let in_argument = ARGUMENT_STEPS.iter().map(|step| (*step, Group::Argument));
                    let rare = [(Step::InItself, Group::OfTwo)].into_iter().chain(in_argument);
                    // What is tried first because there is little of it waits where there is much.
                    let is_rare = pairs.iter().filter(|pair| pair.meets_in_argument).count() <= FEW;
                    let at = if is_rare { 0 } else { at };
                    crossing.splice(at..at, rare);
                    first.into_iter().chain(crossing).collect()
                }
            },
            pairs,
            begun: 0,
            round: VecDeque::new(),
            later: VecDeque::new(),
        }
    }

    /// The next job; those that can wait, by this, are kept for later. Each step is made in these settings, too.
    pub(super) fn next(&mut self, can_wait: &dyn Fn(&Job) -> bool, settings: &[Setting]) -> Option<Job> {
        loop {
            while let Some(job) = self.round.pop_front() {
                if can_wait(&job) {
                    self.later.push_back(job);
                } else {
                    return Some(job);
                }
            }
            let (step, group) = self.rounds.pop_front()?;
            self.begun += 1;
            let mode = self.mode;
            for &setting in [Setting::Usual].iter().chain(settings) {
                let chosen = self.pairs.iter().filter(|pair| group.holds(pair));
                let jobs = chosen.map(|&pair| Job {
                    pair,
                    mode,
                    step,
                    setting,
                    taste: Taste::Plain(0),
                    retries: 0,
                    primed: None,
                });
                self.round
                    .extend(jobs.filter(|job| setting == Setting::Usual || job.has_settings()));
            }
        }
    }

    /// Rounds that were begun.
    pub(super) fn begun(&self) -> usize {
        self.begun
    }

    /// To be tried again soon, in another way.
    pub(super) fn again(&mut self, job: Job) {
        self.round.push_front(job);
    }
}
