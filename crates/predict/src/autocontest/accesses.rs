//! The accesses of one call to what another call can get at too, with the locks that it has meanwhile.
//!
//! Two calls that were each made last in a test, after the same calls, begin in the same state. An object of that state is
//! the same in both traces if it has the same number before the calls, or if both calls come to it in the same way: from
//! a variable of the tests, a static field or another such object.

use std::collections::BTreeMap;

use crate::trace::{Action, Field, Object, Step, Trace};

/// Accesses of a call to one location at one place that are looked at.
const TIMES: usize = 2;
/// Accesses of a call that are looked at.
const MOST: usize = 400;

/// A call that was the last of a test.
#[derive(Copy, Clone, Debug)]
pub struct Alone<'a> {
    /// What the test did.
    pub trace: &'a Trace,
    /// The step with which the call begins.
    pub enter: usize,
    /// The objects that are variables of the test.
    pub variables: &'a BTreeMap<Object, String>,
}

/// What two calls agree to call an object.
pub(super) type Name = String;

/// A field of an object, or an element.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Location {
    /// None for static fields.
    pub(super) object: Option<Name>,
    pub(super) field: Field,
    pub(super) index: Option<i32>,
}

/// A lock, and the step with which it was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) lock: Name,
    pub(super) since: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) step: usize,
    pub(super) is_write: bool,
    pub(super) location: Location,
    pub(super) held: Vec<Held>,
}

impl Access {
    /// The locks that are not given back between two accesses.
    pub(super) fn held_until(&self, later: &Access) -> Vec<&Name> {
        let stays = self.held.iter().filter(|held| later.held.contains(held));
        stays.map(|held| &held.lock).collect()
    }

    /// The first of these locks that this access is made with.
    pub(super) fn needs<'l>(&self, locks: &[&'l Name]) -> Option<&'l Name> {
        let has = |lock: &&&Name| self.held.iter().any(|held| held.lock == ***lock);
        locks.iter().find(has).copied()
    }
}

impl Alone<'_> {
    fn body(&self) -> impl Iterator<Item = (usize, &Step)> {
        let steps = self.trace.steps.iter().enumerate().skip(self.enter + 1);
        steps.take_while(|(_, step)| !matches!(step.action, Action::Enter { .. } | Action::Exit { .. }))
    }

    pub(super) fn accesses(&self) -> Vec<Access> {
        let mut names = self.names_before();
        let mut held: Vec<(Object, Held)> = Vec::new();
        let mut found: Vec<Access> = Vec::new();
        for (number, step) in self.body() {
            match &step.action {
                Action::Lock(object) => {
                    let lock = names.get(object).cloned();
                    held.push((
                        *object,
                        Held {
                            // What only this call knows keeps nobody out.
                            lock: lock.unwrap_or_else(|| format!("own {number}")),
                            since: number,
                        },
                    ));
                }
                Action::Unlock(object) => {
                    if let Some(at) = held.iter().rposition(|(lock, _)| lock == object) {
                        held.remove(at);
                    }
                }
                Action::Read { .. } | Action::Write { .. } => {
                    let Some((location, value, is_write)) = location(&names, &step.action) else {
                        continue;
                    };
                    if !is_write && let Some(value) = value {
                        names.entry(value).or_insert_with(|| part_name(&location));
                    }
                    let known = |access: &&Access| {
                        access.location == location
                            && access.is_write == is_write
                            && self.trace.steps.get(access.step).map(|step| &step.place) == Some(&step.place)
                    };
                    if step.place.is_some()
                        && found.len() < MOST
                        && found.iter().filter(known).count() < TIMES
                    {
                        found.push(Access {
                            step: number,
                            is_write,
                            location,
                            held: held.iter().map(|(_, held)| held.clone()).collect(),
                        });
                    }
                }
                Action::Enter { .. } | Action::Exit { .. } | Action::Alloc(_) => {}
            }
        }
        found
    }

    /// Objects that were there before the call.
    fn names_before(&self) -> BTreeMap<Object, Name> {
        let mut names: BTreeMap<Object, Name> = BTreeMap::new();
        let before = self.trace.steps.iter().take(self.enter);
        for step in before {
            let (base, value) = match step.action {
                Action::Read { base, value, .. } | Action::Write { base, value, .. } => (base, value),
                Action::Lock(object) | Action::Unlock(object) => (Some(object), None),
                Action::Enter { .. } | Action::Exit { .. } | Action::Alloc(_) => continue,
            };
            for object in base.into_iter().chain(value) {
                names.entry(object).or_insert_with(|| format!("#{}", object.0));
            }
        }
        for (object, name) in self.variables {
            names.insert(*object, name.clone());
        }
        names
    }
}

/// Where an access goes, and the object that it finds or puts there; none if nobody else can get there.
fn location(names: &BTreeMap<Object, Name>, action: &Action) -> Option<(Location, Option<Object>, bool)> {
    let (base, field, index, value, is_write) = match action {
        Action::Read {
            base,
            field,
            index,
            value,
        } => (base, field, index, value, false),
        Action::Write {
            base,
            field,
            index,
            value,
        } => (base, field, index, value, true),
        _ => return None,
    };
    let object = match base {
        Some(base) => Some(names.get(base)?.clone()),
        None => None,
    };
    let location = Location {
        object,
        field: field.clone(),
        index: *index,
    };
    Some((location, *value, is_write))
}

fn part_name(location: &Location) -> Name {
    let object = location.object.as_deref().unwrap_or_default();
    let index = location
        .index
        .map(|index| format!("[{index}]"))
        .unwrap_or_default();
    format!("{object}.{}.{}{index}", location.field.class, location.field.name)
}
