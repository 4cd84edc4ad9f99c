//! Lock nodes and the lock dependency relation (Omen section 3.1.2).
//!
//! Departure: acquisitions of a lock that the thread has already make no node. The paper keeps them and calls them
//! harmless (section 2); without them no cycle needs to be taken back.

use std::collections::{BTreeMap, BTreeSet};

use raddle_plan::Place;

use crate::trace::{Action, Object, Trace};

/// A lock node, by its position in [`Relation::nodes`].
pub(super) type NodeId = usize;

/// One way to take a lock: all acquisitions of the same type, at the same place, under the same locks.
#[derive(Debug)]
pub(super) struct Node<'a> {
    /// τ: the class of the lock.
    pub(super) class: &'a str,
    /// s: where it is taken.
    pub(super) place: Option<&'a Place>,
    /// H: what is held already. These nodes come before this one in the relation.
    pub(super) held: BTreeSet<NodeId>,
    /// TI: trace and step of every such acquisition.
    pub(super) witnesses: BTreeSet<(usize, usize)>,
}

/// The lock dependency relation D, nodes in the order in which they were first seen.
#[derive(Debug, Default)]
pub(super) struct Relation<'a> {
    pub(super) nodes: Vec<Node<'a>>,
}

/// A lock that a trace holds at the moment.
struct Held {
    object: Object,
    node: NodeId,
    times: usize,
}

impl<'a> Relation<'a> {
    pub(super) fn new(traces: &'a [Trace]) -> Self {
        let mut relation = Self::default();
        let mut known = BTreeMap::new();
        for (number, trace) in traces.iter().enumerate() {
            let mut held: Vec<Held> = Vec::new();
            for (index, step) in trace.steps.iter().enumerate() {
                match step.action {
                    Action::Lock(object) => {
                        if let Some(again) = held.iter_mut().find(|lock| lock.object == object) {
                            again.times += 1;
                            continue;
                        }
                        let Some(class) = trace.types.get(&object) else {
                            continue;
                        };
                        let under: BTreeSet<NodeId> = held.iter().map(|lock| lock.node).collect();
                        let place = step.place.as_ref();
                        let node = *known
                            .entry((class.as_str(), place, under))
                            .or_insert_with_key(|key| {
                                relation.nodes.push(Node {
                                    class,
                                    place,
                                    held: key.2.clone(),
                                    witnesses: BTreeSet::new(),
                                });
                                relation.nodes.len() - 1
                            });
                        relation.nodes[node].witnesses.insert((number, index));
                        held.push(Held {
                            object,
                            node,
                            times: 1,
                        });
                    }
                    Action::Unlock(object) => {
                        if let Some(at) = held.iter().position(|lock| lock.object == object) {
                            held[at].times -= 1;
                            if held[at].times == 0 {
                                held.remove(at);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        relation
    }

    /// The step at which `witness` took the lock `held`, which it holds.
    ///
    /// That is the latest one before it: a lock that is taken under `held` has it in its own H and is another node.
    pub(super) fn taken(&self, held: NodeId, (trace, step): (usize, usize)) -> Option<usize> {
        let before = self.nodes[held].witnesses.range((trace, 0)..(trace, step));
        before.last().map(|&(_, step)| step)
    }
}
