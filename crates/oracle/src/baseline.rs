//! What the linearizations of a plan do.
//!
//! DepCon+, definition 4, takes it for granted that a linearization does the same every time. Here every one is run
//! twice, and what differs is not judged.

use std::collections::BTreeSet;

use raddle_plan::{Call, CallResult, End, Outcome, Part, TestPlan};

use crate::telling::Telling;
use crate::unordered;
use crate::verdict::Difference;
use crate::words::{self, Names};

/// What the linearizations of a plan do.
#[derive(Clone, Debug)]
pub struct Baseline {
    /// Both runs of every linearization.
    runs: Vec<Outcome>,
    names: Names,
    /// Why nothing can be judged by these.
    problem: Option<String>,
    /// By call.
    calls: Vec<Expected>,
    /// Calls that return what is for people, made while others change the object.
    texts_beside: BTreeSet<usize>,
    /// Calls that are left hanging together in a linearization that gets stuck.
    hangs: BTreeSet<Vec<usize>>,
    /// What threads that calls start throw and nobody catches.
    uncaught: BTreeSet<String>,
    ends_vary: bool,
    notes: Vec<String>,
}

/// What is known of a call.
#[derive(Clone, Debug, Default)]
struct Expected {
    results: BTreeSet<String>,
    exceptions: BTreeSet<String>,
    /// Two runs of the same order came to different results.
    result_varies: bool,
    /// As that, with an exception on one side at least.
    exception_varies: bool,
    /// Some linearization was cut short before the call came to its end.
    unknown: bool,
}

impl Baseline {
    /// From every linearization, each run twice.
    pub fn new(runs: Vec<(Outcome, Outcome)>) -> Baseline {
        let count = runs.first().map_or(0, |(run, _)| run.calls.len());
        let mut baseline = Baseline {
            runs: Vec::new(),
            names: Names::default(),
            problem: runs
                .is_empty()
                .then(|| "No sequential order of the calls was run.".to_owned()),
            calls: vec![Expected::default(); count],
            texts_beside: BTreeSet::new(),
            hangs: BTreeSet::new(),
            uncaught: BTreeSet::new(),
            ends_vary: false,
            notes: Vec::new(),
        };
        for (one, other) in runs {
            baseline.compare(&one, &other);
            baseline.learn(one);
            baseline.learn(other);
        }
        baseline.note_what_varies();
        baseline
    }

    /// Calls are called by the names in this plan.
    #[must_use]
    pub fn of_plan(mut self, plan: &TestPlan) -> Baseline {
        self.names = Names::of(plan);
        let is_beside = |part: Part| plan.threads.len() > 1 && matches!(part, Part::Thread(_));
        self.texts_beside = plan
            .calls()
            .filter(|(_, part, call)| is_beside(*part) && is_text(call))
            .map(|(id, ..)| id.0 as usize)
            .collect();
        self.notes.clear();
        self.note_what_varies();
        self
    }

    /// What these calls return is not judged. What they throw is.
    #[must_use]
    pub fn ignoring_results(mut self, calls: impl IntoIterator<Item = usize>) -> Baseline {
        for call in calls {
            if let Some(expected) = self.calls.get_mut(call) {
                expected.result_varies = true;
            }
        }
        self
    }

    /// What is not deterministic although nothing is concurrent, as sentences. It is not judged.
    pub fn nondeterminism(&self) -> &[String] {
        &self.notes
    }

    /// Why no run can be judged by these linearizations, if that is so.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// How many linearizations there are.
    pub fn linearizations(&self) -> usize {
        self.runs.len() / 2
    }

    fn compare(&mut self, one: &Outcome, other: &Outcome) {
        if one.calls.len() != self.calls.len() || other.calls.len() != self.calls.len() {
            self.problem
                .get_or_insert_with(|| "The sequential runs are not of the same plan.".to_owned());
            return;
        }
        if one.end != other.end || hanging(one) != hanging(other) {
            self.ends_vary = true;
        }
        for ((expected, a), b) in self.calls.iter_mut().zip(&one.calls).zip(&other.calls) {
            let (a, b) = (&a.result, &b.result);
            if text(a) != text(b) {
                expected.result_varies = true;
                let throws = |result: &CallResult| matches!(result, CallResult::Threw { .. });
                expected.exception_varies |= throws(a) || throws(b);
            }
        }
    }

    fn learn(&mut self, run: Outcome) {
        let how = match &run.end {
            End::Completed => None,
            End::Stuck => {
                self.hangs.insert(hanging(&run));
                None
            }
            End::StepBound => {
                for (expected, call) in self.calls.iter_mut().zip(&run.calls) {
                    expected.unknown |= matches!(call.result, CallResult::NotBegun | CallResult::Unfinished);
                }
                None
            }
            _ => words::no_verdict(&run),
        };
        if let Some(how) = how {
            self.problem
                .get_or_insert_with(|| format!("A sequential order of the calls could not be run: {how}"));
        }
        for (expected, call) in self.calls.iter_mut().zip(&run.calls) {
            expected.results.insert(text(&call.result));
            if let CallResult::Threw { class, .. } = &call.result {
                expected.exceptions.insert(class.clone());
            }
        }
        self.uncaught
            .extend(run.uncaught.iter().map(|thrown| thrown.class.clone()));
        self.runs.push(run);
    }

    fn note_what_varies(&mut self) {
        for call in 0..self.calls.len() {
            if self.calls[call].result_varies {
                let name = self.name(call);
                self.notes.push(format!(
                    "Two runs of the same sequential order gave different results of {name}, so they are not judged."
                ));
            }
        }
        if self.ends_vary {
            self.notes.push(
                "Two runs of the same sequential order ended in different ways, so hangs are not judged."
                    .to_owned(),
            );
        }
    }

    pub(crate) fn name(&self, call: usize) -> String {
        self.names.of_call(call, self.calls.len())
    }

    /// How what a call came to is told, beside all that it comes to in linearizations.
    pub(crate) fn telling(&self, call: usize, result: &str) -> Telling {
        let known = self.calls.get(call).map(|expected| &expected.results);
        let all = known.into_iter().flatten().map(String::as_str).chain([result]);
        Telling::of(self.names.is_void(call), all)
    }

    /// A result as it is told to people: cut to a length that can be read, and with the name of the call whose object it is.
    pub(crate) fn told(&self, call: usize, result: &str) -> String {
        let owner = result.strip_prefix("returned the object of call ");
        match owner.and_then(|number| number.parse::<usize>().ok()) {
            Some(number) if number > 0 => {
                format!("returned the object that {} returned", self.name(number - 1))
            }
            _ => self.telling(call, result).past(result),
        }
    }

    /// What a call comes to in linearizations, where it came to something else: `returns 1, 10 or 11`.
    pub(crate) fn told_sequential(&self, difference: &Difference) -> String {
        let results: Vec<String> = difference
            .sequential
            .iter()
            .map(|result| match self.told(difference.call, result) {
                object if object.starts_with("returned the object that ") => object,
                _ => result.clone(),
            })
            .collect();
        self.telling(difference.call, &difference.got)
            .present(results.iter().map(String::as_str))
    }

    /// What the call throws in linearizations, unless that cannot be known.
    pub(crate) fn exceptions(&self, call: usize) -> Option<&BTreeSet<String>> {
        let expected = self.calls.get(call)?;
        (!expected.exception_varies && !expected.unknown).then_some(&expected.exceptions)
    }

    /// What threads that calls start throw in linearizations, unless that cannot be known.
    pub(crate) fn uncaught(&self) -> Option<&BTreeSet<String>> {
        (!self.is_cut_short()).then_some(&self.uncaught)
    }

    /// What the call comes to in linearizations, unless that varies by itself or nobody is promised anything about it.
    pub(crate) fn results(&self, call: usize) -> Option<&BTreeSet<String>> {
        let expected = self.calls.get(call)?;
        (!expected.result_varies && !self.texts_beside.contains(&call)).then_some(&expected.results)
    }

    /// Whether some linearization was cut short.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.runs.iter().any(|run| run.end == End::StepBound)
    }

    pub(crate) const fn ends_vary(&self) -> bool {
        self.ends_vary
    }

    /// Whether some linearization leaves exactly these calls hanging.
    pub(crate) fn hangs_likewise(&self, calls: &[usize]) -> bool {
        self.hangs.contains(calls)
    }

    pub(crate) fn hangs_at_all(&self) -> bool {
        !self.hangs.is_empty()
    }

    /// The most scheduling points of a linearization.
    pub(crate) fn longest(&self) -> u32 {
        self.runs.iter().map(|run| run.steps).max().unwrap_or(0)
    }

    /// What every call came to, for every run of a linearization.
    pub(crate) fn vectors(&self) -> impl Iterator<Item = Vec<String>> {
        self.runs
            .iter()
            .map(|run| run.calls.iter().map(|call| text(&call.result)).collect())
    }
}

/// Whether a call is of `Object.toString`, whoever overrides it. Text is for people: of an object that others change at the
/// same time, no class promises that it is that of one moment.
fn is_text(call: &Call) -> bool {
    call.member.name == "toString" && call.member.descriptor == "()Ljava/lang/String;"
}

/// The calls that were under way when a run got stuck.
pub(crate) fn hanging(run: &Outcome) -> Vec<usize> {
    let under_way = |result: &CallResult| *result == CallResult::Unfinished;
    run.calls
        .iter()
        .enumerate()
        .filter(|(_, call)| under_way(&call.result))
        .map(|(number, _)| number)
        .collect()
}

/// A result as text: equal for what counts as equal. Messages of exceptions often name threads or times, so only the
/// class counts.
pub(crate) fn text(result: &CallResult) -> String {
    match result {
        CallResult::NotBegun => "did not begin".to_owned(),
        CallResult::Unfinished => "did not end".to_owned(),
        CallResult::Returned(value) if value.is_empty() => "returned".to_owned(),
        CallResult::Returned(value) => format!("returned {}", unordered::text(value)),
        CallResult::Threw { class, .. } => format!("threw {class}"),
    }
}
