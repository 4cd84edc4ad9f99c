//! Tests that grow: those that reached something new are kept and varied, as fuzzers do it.
//!
//! What counts as new is for the engine to say: that a thread comes by three places in code one after the other for the
//! first time, or that two threads are about to touch the same thing, each coming from one place to another, for the first
//! time. A test is kept as a list of calls, so that a variation of it leaves the other calls as they are. How likely a test
//! is to be varied follows from what it brought, and sinks with every variation of it: a variation that brings something is
//! kept for itself.

use std::collections::BTreeMap;

use raddle_plan::{Argument, Call, TestPlan};

use crate::plan_builder::PlanBuilder;
use crate::plan_draft::{PlanDraft, call, is_constant};
use crate::rng::Rng;
use crate::values::Taste;
use crate::{Candidate, Feedback, Mode};

/// Tests that are kept; of more, those that bring least are forgotten.
const MOST_KEPT: usize = 256;
/// Candidates that wait for feedback; who never answers is forgotten.
const MOST_PENDING: usize = 256;
/// Calls before the threads, in one thread, in all threads, and threads.
const MOST_BEFORE: usize = 8;
const MOST_IN_THREAD: usize = 3;
const MOST_IN_THREADS: usize = 5;
const MOST_THREADS: usize = 3;
/// How often a call is repeated to put more into an object.
const MOST_REPEATED: usize = 6;
/// Values that can be told apart and come again: few, so that calls are about the same one.
const PLAIN_VALUES: usize = 4;
/// Variations that come to no new test before the supply counts as exhausted.
const TRIES: usize = 60;
/// What an encounter of two threads is worth beside a branch: it is what tests are made for.
const ENCOUNTER: u64 = 4;
/// Worth is counted in such parts, so that it can be divided by the number of variations.
const FRESHNESS: u64 = 1 << 10;

/// A call of a test that is kept.
#[derive(Clone, Debug, PartialEq)]
struct Gene {
    method: usize,
    values: Values,
}

/// Where the arguments of a call come from.
#[derive(Clone, Debug, PartialEq)]
enum Values {
    /// They were seen in a test, and none of them is an object of it.
    Seen(Vec<Argument>),
    /// The first choice, shifted.
    Plain(usize),
    /// Drawn from a source of their own, so that the same come out every time.
    Drawn(u64),
}

/// A test that is kept.
#[derive(Clone, Debug, PartialEq)]
struct Genome {
    /// Of the object under test.
    made: usize,
    before: Vec<Gene>,
    threads: Vec<Vec<Gene>>,
}

struct Kept {
    genome: Genome,
    worth: u64,
    varied: u64,
}

/// The tests that are kept.
#[derive(Default)]
pub(super) struct Corpus {
    kept: Vec<Kept>,
    pending: BTreeMap<u64, Genome>,
}

impl Corpus {
    /// Remembers a test of whatever making until it is heard of.
    pub(super) fn watch(&mut self, builder: &PlanBuilder<'_>, candidate: &Candidate) {
        if let Some(genome) = Genome::of(builder, &candidate.plan) {
            self.pend(candidate.number, genome);
        }
    }

    fn pend(&mut self, number: u64, genome: Genome) {
        self.pending.insert(number, genome);
        if self.pending.len() > MOST_PENDING {
            self.pending.pop_first();
        }
    }

    /// What came of a test: it is kept if it reached something new. One that failed already is not: what comes of it fails
    /// for the same reason.
    pub(super) fn observe(&mut self, number: u64, feedback: &Feedback) {
        let Some(genome) = self.pending.remove(&number) else {
            return;
        };
        let is_of_use = !feedback.violation
            && !feedback.is_slow
            && feedback.refused.is_none()
            && feedback.prefix_threw.is_none();
        let worth = feedback.branches.len() as u64 + ENCOUNTER * feedback.encounters.len() as u64;
        if worth == 0 || !is_of_use || self.kept.iter().any(|kept| kept.genome == genome) {
            return;
        }
        self.kept.push(Kept {
            genome,
            worth,
            varied: 0,
        });
        if self.kept.len() > MOST_KEPT
            && let Some((least, _)) = self.kept.iter().enumerate().min_by_key(|(_, kept)| kept.energy())
        {
            self.kept.remove(least);
        }
    }

    /// A variation of a test that is kept; none if there is nothing left to vary.
    pub(super) fn next(&mut self, builder: &mut PlanBuilder<'_>) -> Option<Candidate> {
        for _ in 0..TRIES {
            let chosen = self.choose(&mut builder.values.rng)?;
            let other = builder.values.rng.below(self.kept.len());
            let other = self.kept.get(other)?.genome.clone();
            let kept = self.kept.get_mut(chosen)?;
            kept.varied += 1;
            let mut genome = kept.genome.clone();
            let steps = 1 + builder.values.rng.small(3);
            for _ in 0..steps {
                genome.vary(&other, builder);
            }
            let Some(draft) = genome.draft(builder) else {
                continue;
            };
            let text = genome.text(builder);
            let pair = genome.pair();
            if let Some(candidate) = builder.finish(draft, Mode::Exception, pair, text) {
                self.pend(candidate.number, genome);
                return Some(candidate);
            }
        }
        None
    }

    /// One of those that are kept, the likelier the more it promises.
    fn choose(&self, rng: &mut Rng) -> Option<usize> {
        let all: u64 = self.kept.iter().map(Kept::energy).sum();
        let mut at = rng.below(usize::try_from(all).unwrap_or(usize::MAX)) as u64;
        for (index, kept) in self.kept.iter().enumerate() {
            match at.checked_sub(kept.energy()) {
                Some(rest) => at = rest,
                None => return Some(index),
            }
        }
        None
    }
}

impl Kept {
    fn energy(&self) -> u64 {
        1 + self.worth.saturating_mul(FRESHNESS) / (1 + self.varied)
    }
}

impl Genome {
    /// The calls of a plan that are made on an object of the class under test, as if they were all made on one.
    fn of(builder: &PlanBuilder<'_>, plan: &TestPlan) -> Option<Genome> {
        let gene = |call: &Call| {
            let method = builder.index_of(&call.member)?;
            let values = if call.args.iter().all(is_constant) {
                Values::Seen(call.args.clone())
            } else {
                Values::Plain(0)
            };
            Some(Gene { method, values })
        };
        let genes =
            |calls: &[Call], most: usize| -> Vec<Gene> { calls.iter().filter_map(gene).take(most).collect() };
        let before: Vec<Call> = plan
            .prefix
            .iter()
            .filter(|call| call.bind.is_none())
            .cloned()
            .collect();
        let threads: Vec<Vec<Gene>> = plan
            .threads
            .iter()
            .take(MOST_THREADS)
            .map(|calls| genes(calls, MOST_IN_THREAD))
            .filter(|calls| !calls.is_empty())
            .collect();
        (threads.len() > 1).then(|| Genome {
            made: 0,
            before: genes(&before, MOST_BEFORE),
            threads,
        })
    }

    /// The methods of the first two threads, if each calls one.
    fn pair(&self) -> Option<(usize, usize)> {
        match &self.threads[..] {
            [first, second] => match (&first[..], &second[..]) {
                ([first], [second]) => {
                    Some((first.method.min(second.method), first.method.max(second.method)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn text(&self, builder: &PlanBuilder<'_>) -> String {
        let names = |calls: &Vec<Gene>| {
            let names: Vec<&str> = calls.iter().map(|gene| builder.name(gene.method)).collect();
            names.join(", ")
        };
        let threads: Vec<String> = self.threads.iter().map(names).collect();
        threads.join(" ∥ ")
    }

    fn draft(&self, builder: &mut PlanBuilder<'_>) -> Option<PlanDraft> {
        let mut draft = PlanDraft::default();
        let object = if builder.has_subject() {
            Some(builder.subject(&mut draft, Taste::Plain(self.made))?)
        } else {
            None
        };
        let object = object.as_deref();
        for gene in &self.before {
            let call = gene.call(builder, &mut draft, object)?;
            draft.prefix.push(call);
        }
        for (number, thread) in self.threads.iter().enumerate() {
            draft.enter_thread(Some(number));
            let mut calls = Vec::new();
            for gene in thread {
                calls.push(gene.call(builder, &mut draft, object)?);
            }
            draft.threads.push(calls);
        }
        draft.enter_thread(None);
        let objects: Vec<String> = object.map(str::to_owned).into_iter().collect();
        let changed_by: Vec<usize> = self.threads.iter().flatten().map(|gene| gene.method).collect();
        builder.observe_objects(&mut draft, &objects, &changed_by, true);
        Some(draft)
    }

    fn vary(&mut self, other: &Genome, builder: &mut PlanBuilder<'_>) {
        let rng = &mut builder.values.rng;
        match rng.below(10) {
            // Values: those that comparisons in the class ask for are among the ones that are drawn.
            0 | 1 => {
                let values = Values::any(rng);
                if let Some(gene) = self.any_gene(rng) {
                    gene.values = values;
                }
            }
            // One more call before.
            2 | 3 => {
                if self.before.len() < MOST_BEFORE
                    && let Some(gene) = Gene::any(builder)
                {
                    let at = builder.values.rng.below(self.before.len() + 1);
                    self.before.insert(at, gene);
                }
            }
            // More elements.
            4 => {
                let times = 1 + rng.below(MOST_REPEATED);
                let at = rng.below(self.before.len());
                if let Some(gene) = self.before.get(at).cloned() {
                    let room = MOST_BEFORE.saturating_sub(self.before.len());
                    let more = (1..=times.min(room)).map(|shift| Gene {
                        values: Values::Plain(shift),
                        ..gene.clone()
                    });
                    self.before.extend(more);
                }
            }
            // A call beside another.
            5 => {
                if let Some(gene) = Gene::any(builder)
                    && let Some(place) = self.any_in_thread(&mut builder.values.rng)
                {
                    *place = gene;
                }
            }
            // One more call in a thread, mostly one that is in the test already.
            6 => {
                let known = if rng.one_in(2) {
                    None
                } else {
                    self.any_gene(rng).cloned()
                };
                let gene = match known {
                    Some(gene) => Some(gene),
                    None => Gene::any(builder),
                };
                let rng = &mut builder.values.rng;
                let thread = rng.below(self.threads.len());
                if self.in_threads() < MOST_IN_THREADS
                    && let Some(gene) = gene
                    && let Some(calls) = self.threads.get_mut(thread)
                    && calls.len() < MOST_IN_THREAD
                {
                    let at = rng.below(calls.len() + 1);
                    calls.insert(at, gene);
                }
            }
            // One thread more.
            7 => {
                let from = rng.below(self.threads.len());
                if self.threads.len() < MOST_THREADS
                    && self.in_threads() < MOST_IN_THREADS
                    && let Some(gene) = self.threads.get(from).and_then(|calls| calls.first()).cloned()
                {
                    self.threads.push(vec![gene]);
                }
            }
            // A call less.
            8 => self.shorten(rng),
            // What another test does: before, or in a thread.
            _ => {
                if rng.one_in(2) {
                    self.before.clone_from(&other.before);
                    self.made = other.made;
                } else if let Some(calls) = rng.pick(&other.threads).cloned() {
                    let at = rng.below(self.threads.len());
                    if let Some(place) = self.threads.get_mut(at) {
                        *place = calls;
                    }
                }
            }
        }
        if builder.values.rng.one_in(16) {
            self.made = builder.values.rng.below(PLAIN_VALUES);
        }
    }

    fn in_threads(&self) -> usize {
        self.threads.iter().map(Vec::len).sum()
    }

    fn any_gene(&mut self, rng: &mut Rng) -> Option<&mut Gene> {
        let count = self.before.len() + self.in_threads();
        let at = rng.below(count);
        let all = self.before.iter_mut().chain(self.threads.iter_mut().flatten());
        all.into_iter().nth(at)
    }

    fn any_in_thread(&mut self, rng: &mut Rng) -> Option<&mut Gene> {
        let at = rng.below(self.in_threads());
        self.threads.iter_mut().flatten().nth(at)
    }

    fn shorten(&mut self, rng: &mut Rng) {
        if !self.before.is_empty() && rng.one_in(2) {
            let at = rng.below(self.before.len());
            self.before.remove(at);
        } else if self.threads.len() > 2 && rng.one_in(2) {
            self.threads.pop();
        } else {
            let at = rng.below(self.threads.len());
            if let Some(calls) = self.threads.get_mut(at).filter(|calls| calls.len() > 1) {
                let at = rng.below(calls.len());
                calls.remove(at);
            }
        }
    }
}

impl Gene {
    /// A call of any method that is not known to throw.
    fn any(builder: &mut PlanBuilder<'_>) -> Option<Gene> {
        let method = builder.random_method()?;
        let values = Values::any(&mut builder.values.rng);
        Some(Gene { method, values })
    }

    fn call(
        &self,
        builder: &mut PlanBuilder<'_>,
        draft: &mut PlanDraft,
        object: Option<&str>,
    ) -> Option<Call> {
        match &self.values {
            Values::Seen(args) => {
                let method = builder.callable(self.method)?.clone();
                let on = if method.is_static() { None } else { Some(object?) };
                Some(call(method.invoke, method.member, on, args.clone()))
            }
            Values::Plain(shift) => builder.call(draft, self.method, object, &[], Taste::Plain(*shift)),
            Values::Drawn(seed) => {
                let rng = std::mem::replace(&mut builder.values.rng, Rng::new(*seed));
                let call = builder.call(draft, self.method, object, &[], Taste::Drawn);
                builder.values.rng = rng;
                call
            }
        }
    }
}

impl Values {
    fn any(rng: &mut Rng) -> Values {
        if rng.one_in(2) {
            Values::Plain(rng.below(PLAIN_VALUES))
        } else {
            Values::Drawn(rng.below(usize::MAX) as u64)
        }
    }
}
