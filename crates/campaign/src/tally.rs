//! What has been done for a class so far.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use raddle_generate::Candidate;
use raddle_oracle::Evidence;

use crate::cause::{called, lockers};
use crate::event::Numbers;
use crate::finding::Finding;
use crate::journal::TrialRecord;
use crate::pairs::{Methods, Pair, ordered};
use crate::silenced::Silenced;
use crate::trial::Suspect;

/// Reasons that are told, the most frequent first.
const REASONS: usize = 5;
/// A violation that could not be repeated is tried once more, in another plan.
const SETTLE_TRIES: u32 = 2;

/// What has been done for a class so far.
pub(crate) struct Tally {
    /// When this part of the hunt was begun, and how long the parts before it took.
    begun: Instant,
    earlier: Duration,
    pub(crate) numbers: Numbers,
    tried: BTreeSet<Pair>,
    /// Causes that were reported, or are being looked at.
    causes: BTreeMap<String, u32>,
    /// Names of methods whose results are known to be wrong. Wrong results of these alone, in whatever combination and
    /// with whatever parameters, are the same fault as far as anyone can tell: in a class without a lock every method
    /// goes wrong with every other.
    wrong: BTreeSet<String>,
    /// Methods that are part of a deadlock that was reported. A deadlock that is made of these alone is the same faults
    /// in another combination: ten methods that lock a second object can be paired in 55 ways.
    lockers: BTreeSet<String>,
    /// Why plans could not be run or judged, by kind: one such reason, and how many plans.
    failures: BTreeMap<String, (String, u64)>,
    /// Why the calls that prepare the objects could not be made, by the class of the exception.
    unprepared: BTreeMap<String, (String, u64)>,
    /// How many plans failed for another reason than an argument of the prefix that does not suit the class, which is
    /// to be expected.
    pub(crate) undecided: u64,
    pub(crate) blind_spots: BTreeSet<String>,
    pub(crate) notes: Vec<String>,
    pub(crate) findings: Vec<String>,
    /// What a strategy looked at to foresee violations, and how many of its predictions came true.
    pub(crate) predicted: Vec<(&'static str, u64)>,
    pub(crate) realised: BTreeSet<String>,
    /// Of these, those whose run was a violation.
    pub(crate) observable: BTreeSet<String>,
    /// Violations that the documentation excuses.
    pub(crate) silenced: Vec<Silenced>,
}

impl Tally {
    pub(crate) fn new(begun: Instant, pairs: usize) -> Tally {
        Tally {
            begun,
            earlier: Duration::ZERO,
            numbers: Numbers {
                pairs,
                ..Numbers::default()
            },
            tried: BTreeSet::new(),
            causes: BTreeMap::new(),
            wrong: BTreeSet::new(),
            lockers: BTreeSet::new(),
            failures: BTreeMap::new(),
            unprepared: BTreeMap::new(),
            undecided: 0,
            blind_spots: BTreeSet::new(),
            notes: Vec::new(),
            findings: Vec::new(),
            predicted: Vec::new(),
            realised: BTreeSet::new(),
            observable: BTreeSet::new(),
            silenced: Vec::new(),
        }
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
            pairs_tried: self.tried.len(),
            time: self.earlier + self.begun.elapsed(),
            ..self.numbers
        }
    }

    /// Goes on from the numbers of an earlier part of the hunt. Pairs and plans have been counted again.
    pub(crate) fn go_on_from(&mut self, earlier: &Numbers) {
        self.begun = Instant::now();
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
    pub(crate) fn add(&mut self, methods: &Methods, candidate: &Candidate, trial: &TrialRecord) {
        self.blind_spots.extend(trial.blind_spots.clone());
        self.note(&trial.notes);
        for silenced in &trial.silenced {
            Silenced::count(&mut self.silenced, silenced.clone());
        }
        if let Some(failure) = &trial.failure {
            self.numbers.failed_plans += 1;
            let (reasons, kind) = if let Some((_, exception)) = &trial.feedback.prefix_threw {
                (&mut self.unprepared, exception.clone())
            } else {
                self.undecided += 1;
                (&mut self.failures, without_numbers(failure))
            };
            reasons.entry(kind).or_insert_with(|| (failure.clone(), 0)).1 += 1;
            return;
        }
        self.numbers.plans += 1;
        let pairs = candidate
            .evidence
            .pair
            .into_iter()
            .chain(trial.feedback.covered.iter().copied());
        self.tried
            .extend(pairs.map(ordered).filter(|pair| methods.is_dependent(*pair)));
    }

    /// Whether a violation is worth looking at: its cause is not known yet.
    pub(crate) fn is_new(&mut self, suspect: &Suspect) -> bool {
        let is_explained = match &suspect.violation.evidence {
            Evidence::Result { .. } => called(&suspect.plan).is_subset(&self.wrong),
            Evidence::Deadlock { cycle, .. } => lockers(cycle).is_subset(&self.lockers),
            _ => false,
        };
        let tries = self.causes.entry(suspect.cause.clone()).or_default();
        if is_explained || *tries >= SETTLE_TRIES {
            self.numbers.repeats += 1;
            return false;
        }
        *tries += 1;
        true
    }

    /// A violation of this cause was looked into in an earlier part of the hunt.
    pub(crate) fn count_try(&mut self, cause: &str) {
        *self.causes.entry(cause.to_owned()).or_default() += 1;
    }

    /// Takes a finding in, unless the same was reported before.
    pub(crate) fn take(&mut self, finding: &Finding) -> bool {
        self.causes.insert(finding.first_cause.clone(), SETTLE_TRIES);
        self.causes.insert(finding.cause.clone(), SETTLE_TRIES);
        match &finding.violation.evidence {
            Evidence::Result { .. } => self.wrong.extend(called(&finding.recording.plan)),
            Evidence::Deadlock { cycle, .. } => self.lockers.extend(lockers(cycle)),
            _ => {}
        }
        if self.findings.contains(&finding.id) {
            self.numbers.repeats += 1;
            return false;
        }
        self.findings.push(finding.id.clone());
        self.notes.extend(finding.analysis_bug.clone());
        true
    }

    /// Why plans could not be run or judged, as sentences. With some plans that could be, which exception kept others
    /// from it says more of the arguments than of the class.
    pub(crate) fn failures(&self) -> Vec<String> {
        let unprepared: u64 = self.unprepared.values().map(|(_, count)| count).sum();
        let threw = ("the calls that prepare the objects threw".to_owned(), unprepared);
        let threw = (unprepared > 0).then_some(threw);
        told(self.failures.values().chain(&threw))
    }

    /// The same with every exception.
    pub(crate) fn failures_in_detail(&self) -> Vec<String> {
        told(self.failures.values().chain(self.unprepared.values()))
    }
}

/// Reasons and how many plans each concerns, the most frequent first.
fn told<'r>(reasons: impl Iterator<Item = &'r (String, u64)>) -> Vec<String> {
    let mut reasons: Vec<&(String, u64)> = reasons.collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let more = reasons.len().saturating_sub(REASONS);
    let mut sentences: Vec<String> = reasons
        .into_iter()
        .take(REASONS)
        .map(|(why, count)| {
            let plural = if *count == 1 { "" } else { "s" };
            format!("{count} plan{plural} could not be run or judged: {why}")
        })
        .collect();
    if more > 0 {
        sentences.push(format!("and {more} more reasons of that kind"));
    }
    sentences
}

/// Reasons that differ in numbers only are one.
fn without_numbers(reason: &str) -> String {
    reason.chars().filter(|c| !c.is_ascii_digit()).collect()
}
