//! What has been done for a class so far.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use raddle_generate::Candidate;
use raddle_oracle::Evidence;

use crate::cause::{cross_pairs, lockers};
use crate::event::Numbers;
use crate::finding::Finding;
use crate::pairs::{Methods, Pair, ordered};
use crate::trial::{Suspect, Trial};

/// Reasons that are told, the most frequent first.
const REASONS: usize = 5;
/// A violation that could not be repeated is tried once more, in another plan.
const SETTLE_TRIES: u32 = 2;

const PREFIX_THREW: &str = "the calls that prepare the objects threw";

/// What has been done for a class so far.
pub(crate) struct Tally {
    begun: Instant,
    pub(crate) numbers: Numbers,
    tried: BTreeSet<Pair>,
    /// Causes that were reported, or are being looked at.
    causes: BTreeMap<String, u32>,
    /// Pairs of methods whose results are known to be wrong.
    wrong: BTreeSet<(String, String)>,
    /// Methods that are part of a deadlock that was reported. A deadlock that is made of these alone is the same faults
    /// in another combination: ten methods that lock a second object can be paired in 55 ways.
    lockers: BTreeSet<String>,
    /// Why plans could not be run or judged, by kind: one such reason, and how many plans.
    failures: BTreeMap<String, (String, u64)>,
    /// How many of them failed for another reason than an argument of the prefix that does not suit the class, which is
    /// to be expected.
    pub(crate) undecided: u64,
    pub(crate) blind_spots: BTreeSet<String>,
    pub(crate) notes: Vec<String>,
    pub(crate) findings: Vec<String>,
}

impl Tally {
    pub(crate) fn new(begun: Instant, pairs: usize) -> Tally {
        Tally {
            begun,
            numbers: Numbers {
                pairs,
                ..Numbers::default()
            },
            tried: BTreeSet::new(),
            causes: BTreeMap::new(),
            wrong: BTreeSet::new(),
            lockers: BTreeSet::new(),
            failures: BTreeMap::new(),
            undecided: 0,
            blind_spots: BTreeSet::new(),
            notes: Vec::new(),
            findings: Vec::new(),
        }
    }

    pub(crate) fn numbers(&self) -> Numbers {
        Numbers {
            pairs_tried: self.tried.len(),
            time: self.begun.elapsed(),
            ..self.numbers
        }
    }

    /// A candidate has been run.
    pub(crate) fn add(&mut self, methods: &Methods, candidate: &Candidate, trial: &Trial) {
        self.numbers.schedules += trial.schedules;
        self.numbers.steps += trial.steps;
        self.blind_spots.extend(trial.blind_spots.clone());
        if let Some(failure) = &trial.failure {
            self.numbers.failed_plans += 1;
            let kind = if trial.feedback.prefix_threw.is_some() {
                // Which exception it was says more of the arguments than of the class.
                PREFIX_THREW.to_owned()
            } else {
                self.undecided += 1;
                without_numbers(failure)
            };
            let (_, count) = self.failures.entry(kind.clone()).or_insert_with(|| {
                let told = if kind == PREFIX_THREW {
                    kind
                } else {
                    failure.clone()
                };
                (told, 0)
            });
            *count += 1;
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
            Evidence::Result { .. } => cross_pairs(&suspect.plan)
                .iter()
                .any(|pair| self.wrong.contains(pair)),
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

    /// Takes a finding in, unless the same was reported before.
    pub(crate) fn take(&mut self, finding: &Finding, first_cause: &str) -> bool {
        self.causes.insert(first_cause.to_owned(), SETTLE_TRIES);
        self.causes.insert(finding.cause.clone(), SETTLE_TRIES);
        match &finding.violation.evidence {
            Evidence::Result { .. } => self.wrong.extend(cross_pairs(&finding.recording.plan)),
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

    /// Why plans could not be run or judged, as sentences.
    pub(crate) fn failures(&self) -> Vec<String> {
        let mut reasons: Vec<&(String, u64)> = self.failures.values().collect();
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
}

/// Reasons that differ in numbers only are one.
fn without_numbers(reason: &str) -> String {
    reason.chars().filter(|c| !c.is_ascii_digit()).collect()
}
