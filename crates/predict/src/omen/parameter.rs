//! How a call gets at the objects it locks (Omen section 3.3.3, Figure 10).
//!
//! The search goes backwards, as the paper's: a state is an object, and the fields that lead from it to the lock.
//! Departures, all allowed by objects in the place of variables:
//! - Where several paths lead to a lock, the shortest is taken; the paper follows the last assignment.
//! - STORE is applied only to what the field held when the call began, and LOAD is implied: an object that the call
//!   itself put into a field is followed to where the call had it from. So a path that is found is one by which a test
//!   finds the lock before the call, under any alias (the paper's implementation does not see aliases, section 4).
//! - Static fields are roots too. They may be filled by the call: the next call finds the same object there.
//! - The receiver of a constructor is made by the call: no other thread can have it.
//! - Paths are of limited length: in a list of thousands each element has one, and no test could use most of them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Unusable;
use super::invocation::Invocations;
use crate::path::{AccessPath, Root};
use crate::trace::{Action, Field, Object, Trace};

/// How many fields a path may have.
pub(super) const FARTHEST: usize = 8;

/// Where the objects of one call come from.
#[derive(Debug, Default)]
pub(super) struct Origins<'a> {
    parameters: BTreeMap<Object, usize>,
    made: BTreeSet<Object>,
    /// For each object where it was found, as far as it was there when the call began; in order.
    found: BTreeMap<Object, Vec<Found<'a>>>,
}

/// A field that held an object.
#[derive(Debug)]
struct Found<'a> {
    /// The first step that read it.
    step: usize,
    /// None for static fields.
    base: Option<Object>,
    field: &'a Field,
}

/// A state of the search, Figure 10's `{b, F, e_m, p}` while p is not known yet.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct State<'a> {
    /// b.
    pub(super) base: Object,
    /// The first of F, with the state that has the rest; none for the lock itself.
    pub(super) field: Option<(&'a Field, usize)>,
}

/// The states that were visited, and where the last of them comes from.
#[derive(Debug)]
pub(super) struct Tracking<'a> {
    pub(super) states: Vec<State<'a>>,
    /// The state whose base is a parameter or was found in a static field.
    pub(super) end: Result<(usize, Root), Unusable>,
}

impl Tracking<'_> {
    /// The fields from the root to the lock.
    fn path(self) -> Result<AccessPath, Unusable> {
        let (mut state, root) = self.end?;
        let mut fields = Vec::new();
        while let Some((field, next)) = self.states[state].field {
            fields.push(field.clone());
            state = next;
        }
        Ok(AccessPath { root, fields })
    }
}

impl<'a> Origins<'a> {
    /// For the call that begins at step `enter`.
    pub(super) fn new(
        traces: &'a [Trace],
        invocations: &Invocations<'a>,
        trace: usize,
        enter: usize,
    ) -> Self {
        let mut origins = Self::default();
        if let Some((method, parameters)) = invocations.called(trace, enter) {
            for (position, parameter) in parameters.iter().enumerate() {
                let Some(object) = *parameter else { continue };
                if position == 0 && method.name == "<init>" {
                    origins.made.insert(object);
                } else {
                    origins.parameters.entry(object).or_insert(position);
                }
            }
        }
        let mut written = BTreeSet::new();
        let mut known = BTreeSet::new();
        for at in invocations.steps(trace, enter) {
            match &traces[trace].steps[at].action {
                Action::Alloc(object) => {
                    origins.made.insert(*object);
                }
                Action::Write {
                    base, field, index, ..
                } => {
                    written.insert((*base, field, *index));
                }
                Action::Read {
                    base,
                    field,
                    index,
                    value: Some(value),
                } => {
                    let made_static = base.is_none() && origins.made.contains(value);
                    if (made_static || !written.contains(&(*base, field, *index)))
                        && known.insert((*value, *base, field))
                    {
                        origins.found.entry(*value).or_default().push(Found {
                            step: at,
                            base: *base,
                            field,
                        });
                    }
                }
                _ => {}
            }
        }
        origins
    }

    /// How the call gets at the object that it locks at `step`.
    pub(super) fn path(&self, lock: Object, step: usize) -> Result<AccessPath, Unusable> {
        self.track(lock, step).path()
    }

    /// Figure 10, to the nearest parameter or static field.
    pub(super) fn track(&self, lock: Object, step: usize) -> Tracking<'a> {
        let mut states = vec![State {
            base: lock,
            field: None,
        }];
        let mut visited = BTreeSet::from([lock]);
        let mut pending = VecDeque::from([(0, 0)]);
        let mut reason = Unusable::UnknownOrigin;
        while let Some((state, distance)) = pending.pop_front() {
            let base = states[state].base;
            if let Some(&position) = self.parameters.get(&base) {
                return Tracking {
                    states,
                    end: Ok((state, Root::Parameter(position))),
                };
            }
            let found = self.found.get(&base).map_or(&[][..], Vec::as_slice);
            let found = &found[..found.partition_point(|found| found.step < step)];
            if let Some(shared) = found.iter().rev().find(|found| found.base.is_none()) {
                return Tracking {
                    states,
                    end: Ok((state, Root::Static(shared.field.clone()))),
                };
            }
            if self.made.contains(&base) {
                reason = Unusable::MadeInside;
                continue;
            }
            if distance == FARTHEST && !found.is_empty() {
                reason = Unusable::TooFar;
                continue;
            }
            for Found { base, field, .. } in found.iter().rev() {
                let Some(base) = *base else { continue };
                if visited.insert(base) {
                    pending.push_back((states.len(), distance + 1));
                    states.push(State {
                        base,
                        field: Some((field, state)),
                    });
                }
            }
        }
        Tracking {
            states,
            end: Err(reason),
        }
    }
}
