//! What has been done for a class so far.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use raddle_generate::Feedback;
use raddle_oracle::{Evidence, Kind, WeakKind, Weakness};

use crate::clock::Clock;
use crate::coverage::Exercised;
use crate::event::{Numbers, Weaker};
use crate::explore_candidate::Suspect;
use crate::finding::{Finding, Sighting};
use crate::journal::TrialRecord;
use crate::pairs::Methods;
use crate::silenced::Silenced;
use raddle_oracle::dedup_key::{inner_places, outer_methods};

/// Plans in a row whose objects cannot be prepared, after which nothing else is left to try: each of them was prepared in
/// another way.
const MOST_IN_VAIN: u64 = 400;
/// How often violations of a cause are looked into: up to four that may be by design, since one that is not may be among
/// them. One that could not be repeated counts twice, as that takes new JVMs.
const SETTLE_TRIES: u32 = 4;

/// What has been done for a class so far.
pub(crate) struct ClassStats {
    clock: Clock,
    /// When this part of the hunt was begun, and how long the parts before it took.
    begun: Instant,
    earlier: Duration,
    pub(crate) numbers: Numbers,
    exercised: Exercised,
    /// Causes that were reported, or are being looked at.
    causes: BTreeMap<String, u32>,
    /// The finding that each of these is known as.
    ids: BTreeMap<String, String>,
    /// State that wrong results are known to break, by rule if they may be by design, and the finding that says so. A
    /// wrong result that breaks nothing else is the same fault, whatever the methods: in a class without a lock every
    /// method goes wrong with every other.
    broken: BTreeMap<(Option<WeakKind>, String), String>,
    /// State that calls of reported violations access without a lock in common, by whether these are exceptions. What else
    /// comes of that is the same fault; but an exception is not to disappear behind a wrong result.
    unguarded: BTreeMap<(bool, String), String>,
    /// Places of reported deadlocks at which threads want a second lock. A deadlock that is made of these alone is the
    /// same fault in another combination: ten methods that lock a second object can be paired in 55 ways.
    inner: BTreeMap<String, String>,
    /// The same by the methods that hold the locks.
    outer: BTreeMap<BTreeSet<String>, String>,
    /// Exceptions that calls made one after the other threw.
    thrown: BTreeSet<String>,
    /// Findings that may be by design; they count apart.
    pub(crate) weaker: Vec<Weaker>,
    /// By finding, other calls that show the same fault.
    also: BTreeMap<String, BTreeSet<String>>,
    /// By finding, the calls that it was reported with.
    shown: BTreeMap<String, String>,
    /// Why plans could not be run or judged, by kind: one such reason, and how many plans.
    failures: BTreeMap<String, (String, u64)>,
    /// Why the calls that prepare the objects could not be made, by the class of the exception.
    unprepared: BTreeMap<String, (String, u64)>,
    /// How many plans failed for another reason than an argument of the prefix that does not suit the class, which is
    /// to be expected.
    pub(crate) undecided: u64,
    /// Plans in a row whose objects could not be prepared.
    in_vain: u64,
    pub(crate) blind_spots: BTreeSet<String>,
    pub(crate) notes: Vec<String>,
    pub(crate) findings: Vec<String>,
    /// Those that break a promise which is too weak to count.
    pub(crate) unpromised: Vec<String>,
    /// What was seen and not confirmed.
    pub(crate) sightings: Vec<Sighting>,
    /// What a strategy looked at to foresee violations, and how many of its predictions came true.
    pub(crate) predicted: Vec<(&'static str, u64)>,
    pub(crate) realised: BTreeSet<String>,
    /// Of these, those whose run was a violation.
    pub(crate) observable: BTreeSet<String>,
    /// Violations that the documentation excuses.
    pub(crate) silenced: Vec<Silenced>,
    /// What plans have reached, see [`Feedback`].
    branches: BTreeSet<u32>,
    encounters: BTreeSet<u32>,
}

impl ClassStats {
    pub(crate) fn new(clock: Clock, begun: Instant, pairs: usize) -> ClassStats {
        ClassStats {
            clock,
            begun,
            earlier: Duration::ZERO,
            numbers: Numbers {
                pairs,
                ..Numbers::default()
            },
            exercised: Exercised::default(),
            causes: BTreeMap::new(),
            ids: BTreeMap::new(),
            broken: BTreeMap::new(),
            unguarded: BTreeMap::new(),
            inner: BTreeMap::new(),
            outer: BTreeMap::new(),
            thrown: BTreeSet::new(),
            weaker: Vec::new(),
            also: BTreeMap::new(),
            shown: BTreeMap::new(),
            failures: BTreeMap::new(),
            unprepared: BTreeMap::new(),
            undecided: 0,
            in_vain: 0,
            blind_spots: BTreeSet::new(),
            notes: Vec::new(),
            findings: Vec::new(),
            unpromised: Vec::new(),
            sightings: Vec::new(),
            predicted: Vec::new(),
            realised: BTreeSet::new(),
            observable: BTreeSet::new(),
            silenced: Vec::new(),
            branches: BTreeSet::new(),
            encounters: BTreeSet::new(),
        }
    }

    /// Leaves only what no plan has reached before.
    pub(crate) fn keep_news(&self, feedback: &mut Feedback) {
        feedback.branches.retain(|one| !self.branches.contains(one));
        feedback.encounters.retain(|one| !self.encounters.contains(one));
    }

    /// The strategy's numbers, with what came of its predictions.
    pub(crate) fn predicted(&self) -> Vec<(String, u64)> {
        let came_true = [
            ("realised", self.realised.len() as u64),
            ("observable", self.observable.len() as u64),
        ];
        let came_true = came_true.into_iter().filter(|_| !self.predicted.is_empty());
        let all = self.predicted.iter().copied().chain(came_true);
        all.map(|(name, number)| (name.to_owned(), number)).collect()
    }

    pub(crate) fn numbers(&self) -> Numbers {
        Numbers {
            time: self.earlier + self.clock.since(self.begun),
            ..self.numbers
        }
    }

    /// Goes on from the numbers of an earlier part of the hunt. Pairs and plans have been counted again.
    pub(crate) fn go_on_from(&mut self, earlier: &Numbers) {
        self.begun = self.clock.now();
        self.earlier = earlier.time;
        self.numbers.schedules = earlier.schedules;
        self.numbers.steps = earlier.steps;
        self.numbers.repeats = earlier.repeats;
    }

    /// Sentences for the report; each is said once.
    fn note(&mut self, sentences: &[String]) {
        for sentence in sentences {
            if !self.notes.contains(sentence) {
                self.notes.push(sentence.clone());
            }
        }
    }

    /// Plans that were tried, whatever came of them.
    pub(crate) fn tried_plans(&self) -> u64 {
        self.numbers.plans + self.numbers.failed_plans
    }

    /// What came of a candidate.
    pub(crate) fn add(&mut self, methods: &Methods, trial: &TrialRecord) {
        self.exercised
            .add(methods, &trial.exercise, trial.failure.is_none());
        (self.numbers.pairs_tried, self.numbers.pairs_covered) = self.exercised.counts(methods);
        self.branches.extend(&trial.feedback.branches);
        self.encounters.extend(&trial.feedback.encounters);
        self.numbers.branches = self.branches.len();
        self.numbers.encounters = self.encounters.len();
        self.blind_spots.extend(trial.blind_spots.clone());
        self.note(&trial.notes);
        self.thrown.extend(trial.thrown.iter().cloned());
        for silenced in &trial.silenced {
            Silenced::count(&mut self.silenced, silenced.clone());
        }
        if let Some(failure) = &trial.failure {
            self.numbers.failed_plans += 1;
            let (reasons, kind) = if let Some((_, exception)) = &trial.feedback.prefix_threw {
                self.in_vain += 1;
                (&mut self.unprepared, exception.clone())
            } else {
                self.undecided += 1;
                (&mut self.failures, without_numbers(failure))
            };
            reasons.entry(kind).or_insert_with(|| (failure.clone(), 0)).1 += 1;
            return;
        }
        self.numbers.plans += 1;
        self.in_vain = 0;
    }

    /// Whether so many plans in a row could not prepare their objects that more of them would not either.
    pub(crate) fn is_in_vain(&self) -> bool {
        self.in_vain >= MOST_IN_VAIN
    }

    /// What the plans have exercised.
    pub(crate) fn exercised(&self) -> &Exercised {
        &self.exercised
    }

    /// Why plans could not be run or judged, and how many, the most frequent first.
    pub(crate) fn failure_counts(&self) -> Vec<(String, u64)> {
        let mut reasons: Vec<(String, u64)> = self
            .failures
            .values()
            .chain(self.unprepared.values())
            .cloned()
            .collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        reasons
    }

    /// Whether a violation is worth looking at: its cause is not known yet. If it is, the finding that it is known as.
    pub(crate) fn is_new(&mut self, suspect: &Suspect) -> Result<(), Option<String>> {
        let explained = match &suspect.violation.evidence {
            Evidence::Deadlock { cycle, calls } => {
                let by_outer = || self.outer.get(&outer_methods(cycle)?).cloned();
                one_of(&self.inner, &inner_places(&suspect.plan, cycle, calls)).or_else(by_outer)
            }
            _ => None,
        };
        let tries = self.causes.entry(suspect.cause.clone()).or_default();
        if explained.is_some() || *tries >= SETTLE_TRIES {
            self.numbers.repeats += 1;
            return Err(explained.or_else(|| self.ids.get(&suspect.cause).cloned()));
        }
        *tries += 1;
        Ok(())
    }

    /// The finding that breaks the same state, in the same way.
    pub(crate) fn breaking(&self, state: &BTreeSet<String>, weakness: Option<&Weakness>) -> Option<String> {
        let rule = weakness.map(|weakness| weakness.rule);
        let mut ids = state.iter().map(|point| self.broken.get(&(rule, point.clone())));
        let first = ids.next()??;
        ids.all(|id| id.is_some()).then(|| first.clone())
    }

    /// The finding that shows that this state lacks a lock: all of it together, or each part of it.
    pub(crate) fn leaving_unguarded(&self, kind: Kind, state: &BTreeSet<String>) -> Option<String> {
        let known = |state: String| {
            let by_exception = self.unguarded.get(&(true, state.clone()));
            by_exception.or_else(|| {
                self.unguarded
                    .get(&(false, state))
                    .filter(|_| kind == Kind::Result)
            })
        };
        if let Some(id) = known(joined(state)) {
            return Some(id.clone());
        }
        let mut ids = state.iter().map(|part| known(part.clone()));
        let first = ids.next()??;
        ids.all(|id| id.is_some()).then(|| first.clone())
    }

    /// A violation of this cause is the fault of a finding. Says if its calls are not listed with that yet.
    pub(crate) fn is_also(&mut self, cause: &str, id: &str, calls: &str) -> bool {
        if !self.weaker.iter().any(|weaker| weaker.id == id) {
            self.causes.insert(cause.to_owned(), SETTLE_TRIES);
        }
        self.ids.insert(cause.to_owned(), id.to_owned());
        let is_shown = self.shown.get(id).is_some_and(|shown| shown == calls);
        !is_shown
            && self
                .also
                .entry(id.to_owned())
                .or_default()
                .insert(calls.to_owned())
    }

    /// By finding, other calls that show the same fault.
    pub(crate) fn also(&self) -> BTreeMap<String, Vec<String>> {
        let lists = self.also.iter().filter(|(_, calls)| !calls.is_empty());
        lists
            .map(|(id, calls)| (id.clone(), calls.iter().cloned().collect()))
            .collect()
    }

    /// Whether calls made one after the other threw this, by its mark.
    pub(crate) fn is_thrown_alone(&self, mark: &str) -> bool {
        self.thrown.contains(mark)
    }

    /// A violation of this cause was seen and not confirmed.
    pub(crate) fn saw(&mut self, cause: &str, sighting: Sighting) {
        self.count_try(cause);
        self.sightings.push(sighting);
    }

    /// A violation of this cause was looked into in an earlier part of the hunt.
    pub(crate) fn count_try(&mut self, cause: &str) {
        *self.causes.entry(cause.to_owned()).or_default() += 1;
    }

    /// Takes a finding in, unless the same was reported before. Findings that may be by design count apart, or not.
    pub(crate) fn take(&mut self, finding: &Finding, counts_weak: bool) -> bool {
        let is_weaker = finding.weakness.is_some() && !counts_weak;
        for cause in [&finding.first_cause, &finding.cause] {
            if is_weaker {
                self.ids
                    .entry(cause.clone())
                    .or_insert_with(|| finding.id.clone());
            } else {
                self.causes.insert(cause.clone(), SETTLE_TRIES);
                self.ids.insert(cause.clone(), finding.id.clone());
            }
        }
        let rule = finding.weakness.as_ref().map(|weakness| weakness.rule);
        for point in &finding.state {
            let known = self.broken.entry((rule, point.clone()));
            known.or_insert_with(|| finding.id.clone());
        }
        if finding.weakness.is_none() && !finding.unguarded.is_empty() {
            let is_exception = finding.violation.kind == Kind::Exception;
            let known = self.unguarded.entry((is_exception, joined(&finding.unguarded)));
            known.or_insert_with(|| finding.id.clone());
        }
        // What may be by design must not hide a plain deadlock at the same place.
        if let Evidence::Deadlock { cycle, calls } = &finding.violation.evidence
            && finding.weakness.is_none()
        {
            for place in inner_places(&finding.recording.plan, cycle, calls) {
                self.inner.entry(place).or_insert_with(|| finding.id.clone());
            }
            if let Some(methods) = outer_methods(cycle) {
                self.outer.entry(methods).or_insert_with(|| finding.id.clone());
            }
        }
        if self.shown.contains_key(&finding.id) {
            self.numbers.repeats += 1;
            return false;
        }
        let calls = finding.calls_text();
        self.shown.insert(finding.id.clone(), calls.clone());
        match &finding.weakness {
            Some(weakness) if !counts_weak => self.weaker.push(Weaker {
                id: finding.id.clone(),
                calls,
                weakness: weakness.clone(),
            }),
            _ if finding.is_promised => self.findings.push(finding.id.clone()),
            _ => self.unpromised.push(finding.id.clone()),
        }
        self.notes.extend(finding.analysis_bug.clone());
        true
    }
}

fn joined(state: &BTreeSet<String>) -> String {
    let parts: Vec<&str> = state.iter().map(String::as_str).collect();
    parts.join(" ")
}

/// The finding that all of these are known from, or the first of several.
fn one_of(known: &BTreeMap<String, String>, wanted: &BTreeSet<String>) -> Option<String> {
    let mut ids = wanted.iter().map(|place| known.get(place));
    let first = ids.next()??;
    ids.all(|id| id.is_some()).then(|| first.clone())
}

/// Reasons that differ in numbers only are one.
fn without_numbers(reason: &str) -> String {
    reason.chars().filter(|c| !c.is_ascii_digit()).collect()
}
