//! What one plan exercised of its class: which methods returned, and which pairs of them met.

use std::collections::BTreeMap;

use raddle_execute::{Exploration, Stop};
use raddle_plan::{CallResult, End, Outcome, TestPlan};

use crate::pairs::{Methods, ordered};

/// Of an exception's message, what is kept.
const LONGEST_MESSAGE: usize = 160;

/// How far the tests of a pair of methods have come; the later, the further.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reach {
    /// A plan with both could not be run, or not be judged.
    Failed,
    /// In no sequential order did both calls return normally, nor each in one if they are calls of one method.
    Threw,
    /// Both returned normally, one after the other, and were never under way at the same time.
    Serial,
    /// Both returned normally, and every step of all their runs says that they touch nothing in common that changes.
    Apart,
    /// Both returned normally, and were under way at the same time in some run.
    Met,
}

impl Reach {
    /// Whether the pair is covered.
    pub fn is_covered(self) -> bool {
        self >= Reach::Apart
    }
}

/// How a method fared in the sequential orders of a plan.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fared {
    /// It returned normally in one of them.
    Returned,
    /// It threw in those in which it came to an end: the exception and its message.
    Threw(String, String),
    /// It did not come to an end.
    Hung,
    /// It was never called, since the calls before did not come to their end: the exception and its message.
    Unprepared(String, String),
    /// It was never called, since the plan could not be run.
    Refused(String),
}

/// What one plan exercised. Methods go by name and parameter types.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exercise {
    /// The methods that its threads call.
    pub methods: BTreeMap<String, Fared>,
    /// Pairs of those that different threads call.
    pub pairs: BTreeMap<(String, String), Reach>,
    /// The classes of the objects under test.
    pub objects: Vec<String>,
    /// The classes of objects that calls of different threads both returned.
    pub handed_out: Vec<String>,
    /// Whether no two calls were under way at the same time in any run.
    pub is_serial: bool,
    /// Whether every step says that the threads touch nothing in common that changes.
    pub is_apart: bool,
}

/// Whether the steps of an exploration prove that the threads touch nothing in common that changes. `is_blind` is whether
/// code ran that nobody sees.
fn proves_apart(exploration: &Exploration, is_blind: bool) -> bool {
    let ends = exploration.outcomes.iter().map(|distinct| &distinct.outcome.end);
    exploration.is_apart
        && !is_blind
        && exploration.stop == Some(Stop::Exhausted)
        && exploration.baseline_gap.is_none()
        && ends.into_iter().all(|end| *end == End::Completed)
}

impl Exercise {
    /// Of an exploration that could be done. Calls on objects that are of another class do not count, nor do those before
    /// and after the threads.
    pub(crate) fn of(
        plan: &TestPlan,
        exploration: &Exploration,
        methods: &Methods,
        is_blind: bool,
        is_stress: bool,
    ) -> Exercise {
        let runs: Vec<&Outcome> = exploration
            .baseline
            .iter()
            .flat_map(|(one, other)| [one, other])
            .collect();
        let calls = methods.calls(plan, &exploration.meetings.kinds);
        let is_apart = proves_apart(exploration, is_blind);
        let has_run = runs.iter().any(|run| run.end != End::PrefixThrew);
        // Nobody sees how uncontrolled threads meet.
        let is_beside = is_stress && has_run && exploration.progress.schedules > 0;
        let overlaps = |one: usize, other: usize| {
            let both = (one.min(other) as u32, one.max(other) as u32);
            is_beside || exploration.meetings.overlaps.contains(&both)
        };
        let mut exercise = Exercise {
            objects: methods.objects(plan, &exploration.meetings.kinds),
            handed_out: exploration.meetings.handed_out.clone(),
            is_serial: exploration.meetings.overlaps.is_empty() && !is_beside,
            is_apart,
            ..Exercise::default()
        };
        for call in &calls {
            let name = methods.signature(call.method);
            exercise.note_method(name, fared(&runs, call.number));
        }
        for (at, one) in calls.iter().enumerate() {
            for other in calls[at + 1..].iter().filter(|other| other.thread != one.thread) {
                let returned =
                    |run: &&Outcome| has_returned(run, one.number) && has_returned(run, other.number);
                // What can be done only once refuses one of the two in every order.
                let is_done_once = || {
                    let returned = |number| runs.iter().any(|run| has_returned(run, number));
                    one.method == other.method && returned(one.number) && returned(other.number)
                };
                let reach = if !has_run {
                    Reach::Failed
                } else if !runs.iter().any(returned) && !is_done_once() {
                    Reach::Threw
                } else if overlaps(one.number, other.number) {
                    Reach::Met
                } else if is_apart {
                    Reach::Apart
                } else {
                    Reach::Serial
                };
                let (first, second) = ordered((one.method, other.method));
                exercise.note_pair(methods.signature(first), methods.signature(second), reach);
            }
        }
        exercise
    }

    /// Of a plan that could not be run at all.
    pub(crate) fn refused(plan: &TestPlan, methods: &Methods, why: &str) -> Exercise {
        let mut exercise = Exercise {
            is_serial: true,
            ..Exercise::default()
        };
        for call in methods.calls(plan, &[]) {
            let why = Fared::Refused(shortened(why));
            exercise.note_method(methods.signature(call.method), why);
        }
        for (first, second) in methods.overlapping(plan) {
            exercise.note_pair(methods.signature(first), methods.signature(second), Reach::Failed);
        }
        exercise
    }

    fn note_method(&mut self, name: &str, fared: Fared) {
        let known = self
            .methods
            .entry(name.to_owned())
            .or_insert_with(|| fared.clone());
        if fared < *known {
            *known = fared;
        }
    }

    fn note_pair(&mut self, first: &str, second: &str, reach: Reach) {
        let pair = (first.to_owned(), second.to_owned());
        let known = self.pairs.entry(pair).or_insert(reach);
        *known = reach.max(*known);
    }

    /// Takes in what other runs of the same plan exercised.
    pub(crate) fn merge(&mut self, other: Exercise) {
        for (name, fared) in other.methods {
            self.note_method(&name, fared);
        }
        for ((first, second), reach) in other.pairs {
            self.note_pair(&first, &second, reach);
        }
        self.objects.extend(other.objects);
        self.objects.sort_unstable();
        self.objects.dedup();
        self.handed_out.extend(other.handed_out);
        self.handed_out.sort_unstable();
        self.handed_out.dedup();
        self.is_serial &= other.is_serial;
        self.is_apart |= other.is_apart;
    }

    /// The plan was run and could not be judged, so that it says nothing of its pairs.
    pub(crate) fn not_judged(&mut self) {
        self.is_apart = false;
        for reach in self.pairs.values_mut() {
            *reach = Reach::Failed;
        }
    }
}

fn has_returned(run: &Outcome, call: usize) -> bool {
    let call = run.calls.get(call);
    matches!(call.map(|call| &call.result), Some(CallResult::Returned(_)))
}

/// How a call fared in the sequential orders: the best of them.
fn fared(runs: &[&Outcome], call: usize) -> Fared {
    let of = |run: &&Outcome| match run.calls.get(call).map(|call| &call.result) {
        Some(CallResult::Returned(_)) => Fared::Returned,
        Some(CallResult::Threw { class, message, .. }) => Fared::Threw(class.clone(), shortened(message)),
        _ if run.end == End::PrefixThrew => unprepared(run),
        _ => Fared::Hung,
    };
    let best = runs.iter().map(of).min();
    best.unwrap_or_else(|| Fared::Refused("it was not run in any order".to_owned()))
}

fn unprepared(run: &Outcome) -> Fared {
    let mut thrown = run.calls.iter().filter_map(|call| match &call.result {
        CallResult::Threw { class, message, .. } => Some((class, message)),
        _ => None,
    });
    match thrown.next() {
        Some((class, message)) => Fared::Unprepared(class.clone(), shortened(message)),
        None => Fared::Unprepared("an exception".to_owned(), String::new()),
    }
}

/// A message on one line that is not too long.
fn shortened(message: &str) -> String {
    let words: Vec<&str> = message.split_whitespace().collect();
    words.join(" ").chars().take(LONGEST_MESSAGE).collect()
}
