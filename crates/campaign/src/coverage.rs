//! What the tests of a class have covered, what they have not and why, and whether that is enough to say that nothing was
//! found.

use std::collections::{BTreeMap, BTreeSet};

use crate::exercise::{Exercise, Fared, Reach};
use crate::pairs::{Methods, Pair, ordered};

/// "Nothing found" needs this share of the pairs that could hurt each other, in percent. `docs/exit-codes.md` says why.
pub const ENOUGH_PERCENT: usize = 50;
/// Plans that must show that the calls of a pair share nothing: those of a first one may find nothing in the object to
/// share.
const ENOUGH_APART: u32 = 2;
/// Methods that are named in a sentence.
const NAMED: usize = 3;

/// Why a pair is not covered.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Uncovered {
    /// No plan was made for it in time.
    NotTried,
    /// No plan for it could be run and judged.
    PlanFailed,
    /// One of its calls never returned normally, or not with the other.
    NeverReturned,
    /// Both returned normally, and were never under way at the same time.
    NeverOverlapped,
}

impl Uncovered {
    /// All of them.
    pub const ALL: [Uncovered; 4] = [
        Uncovered::NotTried,
        Uncovered::PlanFailed,
        Uncovered::NeverReturned,
        Uncovered::NeverOverlapped,
    ];
}

/// A method that never returned normally.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Silent {
    /// Name and parameter types.
    pub method: String,
    /// Whether it writes what outlives the call, takes part in a pair that could break, if there are any, and no overload that
    /// returned normally writes as much.
    pub is_mutator: bool,
    /// What it did instead most often, or why it was never called.
    pub why: String,
    /// Plans in which its thread was to call it.
    pub plans: u64,
}

/// What the tests of a class have covered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassCoverage {
    /// Pairs of methods that could hurt each other, by the analysis.
    pub pairs: usize,
    /// Those of them that are covered.
    pub covered: usize,
    /// Those of the covered ones whose calls touch nothing in common that changes, in all runs of some plan, and never met.
    pub apart: usize,
    /// Those that are not covered, and why.
    pub uncovered: Vec<(String, String, Uncovered)>,
    /// Methods that never returned normally; those that write come first.
    pub silent: Vec<Silent>,
    /// Why plans could not be run or judged, and how many, the most frequent first.
    pub failures: Vec<(String, u64)>,
    /// The classes of the objects that were tested.
    pub objects: Vec<String>,
    /// Whether analysis and runs agree that the class's methods share nothing that changes.
    pub shares_nothing: bool,
}

/// What is counted of a method.
#[derive(Clone, Debug, Default)]
struct Fares {
    has_returned: bool,
    plans: u64,
    /// What it did instead, by kind: the first such sentence, and how often.
    instead: BTreeMap<String, (String, u64)>,
}

/// What is counted of a pair.
#[derive(Copy, Clone, Debug)]
struct Reached {
    /// The furthest that a plan came, those aside in which the calls shared nothing.
    furthest: Reach,
    /// Plans in which the calls shared nothing.
    apart: u32,
}

impl Reached {
    fn reach(self) -> Reach {
        if self.furthest < Reach::Apart && self.apart >= ENOUGH_APART {
            Reach::Apart
        } else {
            self.furthest
        }
    }
}

/// All that plans have exercised so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exercised {
    pairs: BTreeMap<Pair, Reached>,
    methods: BTreeMap<usize, Fares>,
    objects: BTreeMap<String, u64>,
    handed_out: BTreeMap<String, u64>,
    /// Plans that were run, those whose calls never met, and those whose steps prove that they share nothing.
    run: u64,
    serial: u64,
    apart: u64,
}

impl Exercised {
    /// What one more plan exercised.
    pub(crate) fn add(&mut self, methods: &Methods, exercise: &Exercise, has_run: bool) {
        for (name, fared) in &exercise.methods {
            let Some(method) = methods.position(name) else {
                continue;
            };
            let fares = self.methods.entry(method).or_default();
            fares.plans += 1;
            let Some((kind, sentence)) = instead(fared) else {
                fares.has_returned = true;
                continue;
            };
            fares.instead.entry(kind).or_insert((sentence, 0)).1 += 1;
        }
        for ((first, second), reach) in &exercise.pairs {
            let (Some(first), Some(second)) = (methods.position(first), methods.position(second)) else {
                continue;
            };
            let known = self.pairs.entry(ordered((first, second))).or_insert(Reached {
                furthest: Reach::Failed,
                apart: 0,
            });
            let is_apart = *reach == Reach::Apart;
            known.apart += u32::from(is_apart);
            let reach = if is_apart { Reach::Serial } else { *reach };
            known.furthest = reach.max(known.furthest);
        }
        for class in &exercise.handed_out {
            *self.handed_out.entry(class.clone()).or_default() += 1;
        }
        if has_run {
            self.run += 1;
            self.serial += u64::from(exercise.is_serial);
            self.apart += u64::from(exercise.is_apart);
            for class in &exercise.objects {
                *self.objects.entry(class.clone()).or_default() += 1;
            }
        }
    }

    /// How many of the pairs that could hurt each other a plan was run for, and how many are covered.
    pub(crate) fn counts(&self, methods: &Methods) -> (usize, usize) {
        let of = |is_so: fn(Reach) -> bool| {
            let reached = self.pairs.iter();
            let counted = reached.filter(|(pair, one)| is_so(one.reach()) && methods.is_dependent(**pair));
            counted.count()
        };
        (of(|reach| reach > Reach::Failed), of(Reach::is_covered))
    }

    /// The classes of objects that calls of two threads both got.
    pub(crate) fn handed_out(&self) -> impl Iterator<Item = &str> {
        self.handed_out.keys().map(String::as_str)
    }

    /// Whether plans were run and no two calls of any of them were ever under way at the same time.
    pub(crate) fn is_serial(&self) -> bool {
        self.run > 0 && self.serial == self.run
    }

    /// All in all. `skipped` are methods that no plan can call, and why.
    pub(crate) fn coverage(
        &self,
        methods: &Methods,
        skipped: &[(String, String)],
        failures: Vec<(String, u64)>,
    ) -> ClassCoverage {
        let reach = |pair: &Pair| self.pairs.get(pair).map(|one| one.reach());
        let dependent = methods.dependent();
        let (_, covered) = self.counts(methods);
        let uncovered = dependent.iter().filter_map(|pair| {
            let why = match reach(pair) {
                None => Uncovered::NotTried,
                Some(Reach::Failed) => Uncovered::PlanFailed,
                Some(Reach::Threw) => Uncovered::NeverReturned,
                Some(Reach::Serial) => Uncovered::NeverOverlapped,
                Some(Reach::Apart | Reach::Met) => return None,
            };
            let name = |method: usize| methods.signature(method).to_owned();
            Some((name(pair.0), name(pair.1), why))
        });
        let is_apart = |pair: &&Pair| reach(pair) == Some(Reach::Apart);
        let writes = (0..methods.len()).any(|method| methods.is_mutator(method));
        ClassCoverage {
            pairs: dependent.len(),
            covered,
            apart: dependent.iter().filter(is_apart).count(),
            uncovered: uncovered.collect(),
            silent: self.silent(methods, skipped),
            failures,
            objects: self.objects.keys().cloned().collect(),
            shares_nothing: dependent.is_empty() && !writes && self.run > 0 && self.apart == self.run,
        }
    }

    /// Methods that never returned normally, of those that were called or take part in a pair that could break.
    fn silent(&self, methods: &Methods, skipped: &[(String, String)]) -> Vec<Silent> {
        let pairs = methods.dependent().iter();
        let taking_part: BTreeSet<usize> = pairs.flat_map(|(first, second)| [*first, *second]).collect();
        let mut silent: Vec<Silent> = (0..methods.len())
            .filter_map(|method| {
                let fares = self.methods.get(&method);
                let is_dependent = taking_part.contains(&method);
                if fares.is_some_and(|fares| fares.has_returned) || (fares.is_none() && !is_dependent) {
                    return None;
                }
                let has_returned = |other: &usize| {
                    let fares = self.methods.get(other);
                    fares.is_some_and(|fares| fares.has_returned)
                };
                let mut others = (0..methods.len()).filter(has_returned);
                let is_stood_in_for = others.any(|other| methods.stands_in(method, other));
                let name = methods.signature(method);
                let refused = skipped.iter().find(|(signature, _)| signature == name);
                Some(Silent {
                    method: name.to_owned(),
                    is_mutator: (is_dependent || taking_part.is_empty())
                        && methods.is_mutator(method)
                        && !is_stood_in_for,
                    why: match (fares, refused) {
                        (Some(fares), _) => fares.most_frequent(),
                        (None, Some((_, reason))) => format!("never called: {reason}"),
                        (None, None) => "never called: not tried in time".to_owned(),
                    },
                    plans: fares.map_or(0, |fares| fares.plans),
                })
            })
            .collect();
        silent.sort_by_key(|silent| (!silent.is_mutator, std::cmp::Reverse(silent.plans)));
        silent
    }
}

impl Fares {
    fn most_frequent(&self) -> String {
        let most = self.instead.values().max_by_key(|(_, count)| *count);
        most.map(|(sentence, _)| sentence.clone()).unwrap_or_default()
    }
}

/// What a method did instead of returning normally: the kind, and a part of a sentence.
fn instead(fared: &Fared) -> Option<(String, String)> {
    let thrown = |class: &str, message: &str| {
        if message.is_empty() {
            class.to_owned()
        } else {
            format!("{class}: {message}")
        }
    };
    match fared {
        Fared::Returned => None,
        Fared::Threw(class, message) => Some((class.clone(), thrown(class, message))),
        Fared::Hung => Some(("hung".to_owned(), "hung".to_owned())),
        Fared::Unprepared(class, message) => Some((
            format!("unprepared {class}"),
            format!(
                "never called: the calls that prepare the objects threw {}",
                thrown(class, message)
            ),
        )),
        Fared::Refused(why) => Some(("refused".to_owned(), format!("never called: {why}"))),
    }
}

impl ClassCoverage {
    /// Pairs that are not covered for this reason.
    pub fn count(&self, reason: Uncovered) -> usize {
        self.uncovered.iter().filter(|(_, _, why)| *why == reason).count()
    }

    /// Why "nothing found" cannot be said, as sentences.
    pub(crate) fn gaps(&self) -> Vec<String> {
        let mut gaps = Vec::new();
        let silent: Vec<&Silent> = self.silent.iter().filter(|silent| silent.is_mutator).collect();
        if let Some(first) = silent.first() {
            let names: Vec<&str> = silent.iter().take(NAMED).map(|one| one.method.as_str()).collect();
            let more = match silent.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let verb = if silent.len() == 1 { "changes" } else { "change" };
            gaps.push(format!(
                "{}{more} {verb} state and never returned normally; {}: {}",
                names.join(", "),
                first.method,
                first.why
            ));
        }
        if self.covered * 100 < self.pairs * ENOUGH_PERCENT {
            gaps.push(format!(
                "only {} of {} pairs of methods that could hurt each other were covered",
                self.covered, self.pairs
            ));
        }
        gaps
    }
}

#[cfg(test)]
mod tests;
