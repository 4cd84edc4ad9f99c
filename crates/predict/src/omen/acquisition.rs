//! Calls that take two locks as a cycle needs it: every first lock, every witness (Omen sections 3.3.3 and 4).
//!
//! Departure: the paper picks one witness of a node at random. Here all are tried, those first whose test gets to the
//! second lock in the fewest steps, and each that differs in method or paths is kept. Only of a call that takes the
//! locks many times, the first few stand for all.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use raddle_plan::Place;

use super::constraint;
use super::invocation::Invocations;
use super::node::{NodeId, Relation};
use super::parameter::Origins;
use super::{Acquisition, Unusable};
use crate::path::AccessPath;
use crate::trace::{Action, Method, Trace};

/// How many witnesses are tried of one call. Loops have thousands, which differ in nothing that counts here.
const WITNESSES_PER_CALL: usize = 8;

/// An acquisition, with what is needed to choose among them.
#[derive(Debug)]
pub(super) struct Candidate<'a> {
    pub(super) acquisition: Acquisition,
    pub(super) method: &'a Method,
    /// Of the first and the second lock.
    pub(super) places: [Option<&'a Place>; 2],
    /// Those of the locks held when the second is taken that are the same for every call.
    pub(super) gates: BTreeSet<AccessPath>,
}

/// Candidates in the order in which they should be tried, or why there are none.
type Candidates<'a> = Result<Vec<Rc<Candidate<'a>>>, Unusable>;

/// Makes candidates, each once.
#[derive(Debug)]
pub(super) struct Acquisitions<'a, 'r> {
    traces: &'a [Trace],
    relation: &'r Relation<'a>,
    invocations: Invocations<'a>,
    origins: BTreeMap<(usize, usize), Origins<'a>>,
    known: BTreeMap<(NodeId, NodeId), Candidates<'a>>,
}

impl<'a, 'r> Acquisitions<'a, 'r> {
    pub(super) fn new(traces: &'a [Trace], relation: &'r Relation<'a>) -> Self {
        Self {
            traces,
            relation,
            invocations: Invocations::new(traces),
            origins: BTreeMap::new(),
            known: BTreeMap::new(),
        }
    }

    /// For the node `second`, with any of `firsts` as its first lock; cheapest first.
    pub(super) fn candidates(&mut self, firsts: &[NodeId], second: NodeId) -> Candidates<'a> {
        let mut usable = Vec::new();
        let mut reason = None;
        for &first in firsts {
            if !self.known.contains_key(&(first, second)) {
                let candidates = self.witnessed(first, second);
                self.known.insert((first, second), candidates);
            }
            match &self.known[&(first, second)] {
                Ok(candidates) => usable.extend(candidates.iter().cloned()),
                Err(why) => reason = reason.or(Some(*why)),
            }
        }
        if usable.is_empty() {
            return Err(reason.unwrap_or(Unusable::UnknownOrigin));
        }
        usable.sort_by_key(|candidate| candidate.acquisition.cost());
        Ok(usable)
    }

    fn witnessed(&mut self, first: NodeId, second: NodeId) -> Candidates<'a> {
        let relation = self.relation;
        let mut witnesses: Vec<(usize, usize)> = relation.nodes[second].witnesses.iter().copied().collect();
        witnesses.sort_by_key(|&(trace, step)| (step, trace));
        let mut usable = Vec::new();
        let mut seen = BTreeSet::new();
        let mut reason = None;
        let mut tried = BTreeMap::new();
        for witness in witnesses {
            let tried = tried
                .entry((witness.0, self.invocations.enter(witness.0, witness.1)))
                .or_insert(0);
            *tried += 1;
            if *tried > WITNESSES_PER_CALL {
                continue;
            }
            match self.acquisition(first, witness) {
                Ok((method, acquisition)) => {
                    if seen.insert((method, acquisition.first.clone(), acquisition.second.clone())) {
                        usable.push(Rc::new(Candidate {
                            gates: self.gates(second, &acquisition),
                            acquisition,
                            method,
                            places: [first, second].map(|node| relation.nodes[node].place),
                        }));
                    }
                }
                Err(why) => reason = reason.or(Some(why)),
            }
        }
        if usable.is_empty() {
            Err(reason.unwrap_or(Unusable::UnknownOrigin))
        } else {
            Ok(usable)
        }
    }

    fn acquisition(
        &mut self,
        first: NodeId,
        witness: (usize, usize),
    ) -> Result<(&'a Method, Acquisition), Unusable> {
        let (trace, second_lock) = witness;
        let first_lock = self.relation.taken(first, witness).ok_or(Unusable::OutsideCall)?;
        let enter = self
            .invocations
            .enter(trace, second_lock)
            .ok_or(Unusable::OutsideCall)?;
        if first_lock < enter {
            return Err(Unusable::OutsideCall);
        }
        let (method, _) = self
            .invocations
            .called(trace, enter)
            .ok_or(Unusable::OutsideCall)?;
        let first = self.path(trace, enter, first_lock)?;
        let second = self.path(trace, enter, second_lock)?;
        Ok((
            method,
            Acquisition {
                trace,
                enter,
                first_lock,
                second_lock,
                first,
                second,
            },
        ))
    }

    fn gates(&mut self, second: NodeId, acquisition: &Acquisition) -> BTreeSet<AccessPath> {
        let relation = self.relation;
        let &Acquisition {
            trace,
            enter,
            second_lock,
            ..
        } = acquisition;
        let locks = relation.nodes[second].held.iter();
        locks
            .filter_map(|&held| relation.taken(held, (trace, second_lock)))
            .filter_map(|step| self.path(trace, enter, step).ok())
            .filter(constraint::is_gate)
            .collect()
    }

    /// How the call that begins at `enter` gets at what is locked at `step`.
    fn path(&mut self, trace: usize, enter: usize, step: usize) -> Result<AccessPath, Unusable> {
        let Action::Lock(lock) = self.traces[trace].steps[step].action else {
            return Err(Unusable::UnknownOrigin);
        };
        self.origins(trace, enter).path(lock, step)
    }

    fn origins(&mut self, trace: usize, enter: usize) -> &Origins<'a> {
        let (traces, invocations) = (self.traces, &self.invocations);
        self.origins
            .entry((trace, enter))
            .or_insert_with(|| Origins::new(traces, invocations, trace, enter))
    }
}
