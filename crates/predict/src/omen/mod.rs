//! Deadlocks that sequential traces foretell.
//!
//! After M. Samak and M. K. Ramanathan, "Multithreaded Test Synthesis for Deadlock Detection" (OOPSLA 2014), which
//! calls its tool Omen. Locks of sequential tests form cycles by their types; where both locks of each call can be
//! chosen through its parameters, the cycle is a deadlock that a test could bring about. The files follow the paper's
//! sections, and their heads say where they leave it.

mod acquisition;
mod constraint;
mod cycle;
mod invocation;
mod node;
mod parameter;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_plan::Place;

use crate::path::AccessPath;
use crate::trace::{Method, Trace, TypeOrder};
use acquisition::{Acquisitions, Candidate};
use cycle::Matches;
use node::{NodeId, Relation};

/// How far to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CycleLimits {
    /// κ: of how many threads a deadlock may be.
    pub cycle_length: usize,
    /// How many cycles are examined.
    pub cycles: usize,
    /// How many choices of first locks and witnesses are examined for each cycle.
    pub choices: usize,
}

impl Default for CycleLimits {
    fn default() -> Self {
        Self {
            cycle_length: 3,
            cycles: 2000,
            choices: 16,
        }
    }
}

/// What traces foretell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deadlocks {
    /// How many lock nodes there are.
    pub nodes: usize,
    /// How many cycles of types they form, within the limits.
    pub cycles: usize,
    /// Whether a limit kept something from being examined; the length of cycles does not count.
    pub cut_short: bool,
    /// The deadlocks, cheapest first: fewest threads, then shortest paths, then shortest tests.
    pub predicted: Vec<Deadlock>,
    /// How many cycles came to nothing, and why; only reasons that occurred.
    pub unusable: Vec<(Unusable, usize)>,
}

/// Calls that can wait for each other in a circle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// One for each thread; each waits for the first lock of the next, the last for that of the first.
    pub acquisitions: Vec<Acquisition>,
    /// What they must share; one for each thread, in the same order.
    pub constraints: Vec<Same>,
}

/// A call that takes a lock while it has another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Acquisition {
    /// Which of the traces shows it.
    pub trace: usize,
    /// The step that begins the call.
    pub enter: usize,
    /// The step that takes the first lock.
    pub first_lock: usize,
    /// The step that takes the second lock, for which the call waits in the deadlock.
    pub second_lock: usize,
    /// How the call gets at the first lock.
    pub first: AccessPath,
    /// How the call gets at the second lock.
    pub second: AccessPath,
}

impl Acquisition {
    /// Less is easier to bring about: fewer fields to make the same, then fewer steps, then whatever comes first.
    fn cost(&self) -> (usize, usize, [usize; 4]) {
        let indices = [self.trace, self.enter, self.first_lock, self.second_lock];
        (
            self.first.fields.len() + self.second.fields.len(),
            self.second_lock,
            indices,
        )
    }
}

/// Two paths that must lead to the same object; each with the position of its acquisition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Same {
    /// The lock that one thread waits for.
    pub left: (usize, AccessPath),
    /// The first lock of another.
    pub right: (usize, AccessPath),
}

/// Why a cycle came to nothing.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unusable {
    /// A lock is made within the call: no other thread can have it.
    MadeInside,
    /// A lock is neither made within the call nor found by way of a parameter or a static field.
    UnknownOrigin,
    /// A lock is too many fields away from the parameters.
    TooFar,
    /// The two locks are not taken within the same call.
    OutsideCall,
    /// Two of the threads would hold the same static lock at the same time.
    Guarded,
    /// A static object would have to be another static object.
    StaticsDiffer,
}

/// Finds the deadlocks that the calls of these traces could have with each other.
///
/// Deadlocks that agree in methods, places of locks and paths are one, and the cheapest witness stands for them.
pub fn deadlocks(traces: &[Trace], types: &dyn TypeOrder, limits: &CycleLimits) -> Deadlocks {
    let relation = Relation::new(traces);
    let matches = Matches::new(&relation, types);
    let search = cycle::search(&relation, &matches, limits.cycle_length, limits.cycles);
    let mut acquisitions = Acquisitions::new(traces, &relation);
    let mut cut_short = search.cut_short;
    let mut unusable = BTreeMap::new();
    let mut predicted = BTreeMap::new();
    for cycle in &search.cycles {
        let chosen = match options(&relation, &matches, &mut acquisitions, cycle) {
            Ok(options) => {
                let sizes: Vec<usize> = options.iter().map(Vec::len).collect();
                let choices = choices(&sizes, limits.choices);
                cut_short |= choices.len() < sizes.iter().fold(1, |all, &size| all.saturating_mul(size));
                realise(&options, &choices, &mut predicted)
            }
            Err(reason) => Err(reason),
        };
        if let Err(reason) = chosen {
            *unusable.entry(reason).or_insert(0) += 1;
        }
    }
    let mut predicted: Vec<Deadlock> = predicted.into_values().collect();
    predicted.sort_by_cached_key(cost);
    Deadlocks {
        nodes: relation.nodes.len(),
        cycles: search.cycles.len(),
        cut_short,
        predicted,
        unusable: unusable.into_iter().collect(),
    }
}

/// For each node of a cycle the calls that can stand for it.
fn options<'a>(
    relation: &Relation<'a>,
    matches: &Matches,
    acquisitions: &mut Acquisitions<'a, '_>,
    cycle: &[NodeId],
) -> Result<Vec<Vec<Rc<Candidate<'a>>>>, Unusable> {
    (0..cycle.len())
        .map(|position| {
            let before = cycle[(position + cycle.len() - 1) % cycle.len()];
            let firsts = matches.first_locks(relation, before, cycle[position]);
            acquisitions.candidates(&firsts, cycle[position])
        })
        .collect()
}

/// What makes a deadlock another one, thread by thread.
type Identity<'a> = Vec<(&'a Method, [Option<&'a Place>; 2], [AccessPath; 2])>;

/// Adds the deadlocks that these choices of candidates make, or says why none does.
fn realise<'a>(
    options: &[Vec<Rc<Candidate<'a>>>],
    choices: &[Vec<usize>],
    predicted: &mut BTreeMap<Identity<'a>, Deadlock>,
) -> Result<(), Unusable> {
    let mut reason = None;
    let mut usable = false;
    for choice in choices {
        let candidates: Vec<&Candidate<'a>> = options
            .iter()
            .zip(choice)
            .map(|(options, &chosen)| options[chosen].as_ref())
            .collect();
        let acquisitions: Vec<Acquisition> = candidates
            .iter()
            .map(|candidate| candidate.acquisition.clone())
            .collect();
        let constraints = constraint::constraints(&acquisitions);
        if let Some(why) = constraint::refusal(&candidates, &constraints) {
            reason = reason.or(Some(why));
            continue;
        }
        usable = true;
        let deadlock = Deadlock {
            acquisitions,
            constraints,
        };
        let known = predicted
            .entry(identity(&candidates))
            .or_insert_with(|| deadlock.clone());
        if cost(&deadlock) < cost(known) {
            *known = deadlock;
        }
    }
    match reason {
        Some(why) if !usable => Err(why),
        _ => Ok(()),
    }
}

/// The same for the same circle, whichever thread comes first.
fn identity<'a>(candidates: &[&Candidate<'a>]) -> Identity<'a> {
    let mut identity: Identity<'a> = candidates
        .iter()
        .map(|candidate| {
            let Acquisition { first, second, .. } = &candidate.acquisition;
            (
                candidate.method,
                candidate.places,
                [first.clone(), second.clone()],
            )
        })
        .collect();
    let rotated = |by: usize| identity[by..].iter().chain(&identity[..by]);
    let least = (0..identity.len())
        .min_by(|&one, &other| rotated(one).cmp(rotated(other)))
        .unwrap_or(0);
    identity.rotate_left(least);
    identity
}

/// Threads, fields and steps, and to have an order always, the positions in the traces.
fn cost(deadlock: &Deadlock) -> (usize, usize, usize, Vec<[usize; 4]>) {
    let mut total = (deadlock.acquisitions.len(), 0, 0, Vec::new());
    for (fields, steps, indices) in deadlock.acquisitions.iter().map(Acquisition::cost) {
        total.1 += fields;
        total.2 += steps;
        total.3.push(indices);
    }
    total
}

/// At most `limit` ways to choose one of each, of so many; those early in all lists first, so that no list is tried to
/// its end before another is begun.
fn choices(sizes: &[usize], limit: usize) -> Vec<Vec<usize>> {
    fn choose(
        sizes: &[usize],
        ranks: usize,
        begun: &mut Vec<usize>,
        limit: usize,
        all: &mut Vec<Vec<usize>>,
    ) {
        let Some((&size, rest)) = sizes.split_first() else {
            if ranks == 0 {
                all.push(begun.clone());
            }
            return;
        };
        let most: usize = rest.iter().map(|size| size - 1).sum();
        for rank in ranks.saturating_sub(most)..size.min(ranks + 1) {
            if all.len() >= limit {
                return;
            }
            begun.push(rank);
            choose(rest, ranks - rank, begun, limit, all);
            begun.pop();
        }
    }
    let mut all = Vec::new();
    if sizes.contains(&0) {
        return all;
    }
    for ranks in 0..=sizes.iter().map(|size| size - 1).sum() {
        if all.len() >= limit {
            break;
        }
        choose(sizes, ranks, &mut Vec::new(), limit, &mut all);
    }
    all
}
