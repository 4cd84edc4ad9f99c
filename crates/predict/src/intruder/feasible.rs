//! Which pairs can happen at the same time (Intruder section 3.5, Algorithm 4).
//!
//! Departures from section 3.5:
//! - Locks match if their classes are related, not only if they are equal: a client can pass the object of the subclass
//!   to both calls.
//! - Beside the relevant locks, all locks count that become the same when the object is shared: those behind the shared
//!   object, such as a lock object in a field, and those behind static fields, which nothing can tell apart.
//! - The paper leaves it to the test generator how the calls come to share the object where no lock is in the way. Here
//!   a pair is feasible only if there is a way: both are given the object, or setters put it where the calls find it.
//!   Of several ways, the one with the fewest setters is taken.
//! - What a call made itself cannot be chosen by the client, so that the shared object lies before it.

use super::dependency::{Dependencies, OtherLock};
use super::sharing::{Shared, Sharer, Sharing};
use super::symbols::{FieldId, Location, Start};
use crate::path::AccessPath;
use crate::trace::Object;

/// One side of a pair.
#[derive(Copy, Clone)]
pub(crate) struct Side<'d> {
    /// A number of [`Dependencies::locations`]; none for static fields.
    pub(crate) location: Option<usize>,
    /// The relevant locks that matter: the consistent ones of a local call, the held ones of a remote call.
    pub(crate) locks: &'d [usize],
    /// The other locks.
    pub(crate) others: &'d [usize],
}

/// A lock that both calls hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// How the local call gets at it; none for class objects.
    pub lock: Option<AccessPath>,
    /// Its class.
    pub class: Option<String>,
}

/// Why a pair cannot happen, as far as the traces show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Both calls hold this lock whenever they get at the same object.
    Guarded(Guard),
    /// Both calls hold this lock, and nothing is known that makes the object the same, but not the lock.
    GuardedWithoutSetter(Guard),
    /// Nothing is known that makes the object the same.
    NoSetter,
}

/// How a pair can happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    /// The lock that must be a different one for each call.
    pub(crate) dominant: Option<AccessPath>,
    /// None if the calls share the object whatever they are given.
    pub(crate) sharing: Option<Sharing>,
}

/// Algorithm 4 for one pair.
pub(crate) fn scan(all: &Dependencies, sharer: &Sharer, local: Side, remote: Side) -> Result<Way, Obstacle> {
    if let Some(guard) = everywhere(all, local, remote) {
        return Err(Obstacle::Guarded(guard));
    }
    let (Some(left), Some(right)) = (local.location, remote.location) else {
        return Ok(Way {
            dominant: None,
            sharing: None,
        });
    };
    let (left, right) = (all.locations.thing(left), all.locations.thing(right));
    let lengths = (left.fields.len(), right.fields.len());
    // `below` counts the last fields, which both paths have in common.
    let common = left
        .fields
        .iter()
        .rev()
        .zip(right.fields.iter().rev())
        .take_while(|(l, r)| l == r)
        .count();
    let same =
        |below: usize| sharer.related(left.classes[lengths.0 - below], right.classes[lengths.1 - below]);
    let dominant = (0..=common).find(|&below| {
        local.locks.contains(&(lengths.0 - below))
            && remote.locks.contains(&(lengths.1 - below))
            && same(below)
    });
    let guard = dominant.map(|below| guard(all, left, lengths.0 - below));
    if let Some(guard) = guard.clone().filter(|_| dominant == Some(0)) {
        return Err(Obstacle::Guarded(guard));
    }
    if left.start == right.start && left.fields == right.fields && matches!(left.start, Start::Static(_)) {
        return Ok(Way {
            dominant: None,
            sharing: None,
        });
    }

    let mut obstacle = None;
    let mut best: Option<Sharing> = None;
    for below in 0..dominant.unwrap_or(common + 1) {
        let (local_length, remote_length) = (lengths.0 - below, lengths.1 - below);
        if !same(below) || local_length >= left.given || remote_length >= right.given {
            continue;
        }
        let shares = (local_length, remote_length);
        if let Some(found) = common_behind(all, sharer, (left, local.others), (right, remote.others), shares)
        {
            obstacle = Some(found);
            continue;
        }
        let way = |location: &Location, length: usize, full: usize| {
            let found = sharer.find(location, length, dominant.map(|below| full - below))?;
            let setters = found.into_iter().cloned().collect();
            Some(Shared {
                path: location.path(&all.names, length),
                setters,
            })
        };
        let (Some(local), Some(remote)) = (
            way(left, local_length, lengths.0),
            way(right, remote_length, lengths.1),
        ) else {
            continue;
        };
        let calls = |sharing: &Sharing| sharing.local.setters.len() + sharing.remote.setters.len();
        let sharing = Sharing { local, remote };
        if best.as_ref().is_none_or(|best| calls(&sharing) < calls(best)) {
            best = Some(sharing);
        }
    }
    if let Some(sharing) = best {
        let dominant = guard.and_then(|guard| guard.lock);
        return Ok(Way {
            dominant,
            sharing: Some(sharing),
        });
    }
    Err(match guard.or(obstacle) {
        Some(guard) => Obstacle::GuardedWithoutSetter(guard),
        None => Obstacle::NoSetter,
    })
}

/// A lock that is the same in every test.
#[derive(Clone, PartialEq, Eq)]
enum Fixed {
    Behind(FieldId, Vec<FieldId>),
    Class(usize, Object),
}

/// The locks of one side that are the same in every test.
fn fixed(all: &Dependencies, side: Side) -> Vec<(Fixed, Guard)> {
    let part = |location: &Location, length: usize| match location.start {
        Start::Static(field) => Some((
            Fixed::Behind(field, location.fields[..length].to_vec()),
            guard(all, location, length),
        )),
        Start::Parameter(_) => None,
    };
    let object = side.location.map(|location| all.locations.thing(location));
    let relevant = side.locks.iter().filter_map(|&length| part(object?, length));
    let others = side
        .others
        .iter()
        .filter_map(|&lock| match all.locks.thing(lock) {
            OtherLock::At(location) => part(location, location.fields.len()),
            OtherLock::Class(trace, object) => {
                let class = Some("java.lang.Class".to_owned());
                Some((Fixed::Class(*trace, *object), Guard { lock: None, class }))
            }
        });
    relevant.chain(others).collect()
}

/// A lock that both calls hold whatever they are given.
fn everywhere(all: &Dependencies, local: Side, remote: Side) -> Option<Guard> {
    let remote = fixed(all, remote);
    let mut local = fixed(all, local).into_iter();
    local
        .find(|(lock, _)| remote.iter().any(|(other, _)| other == lock))
        .map(|(_, guard)| guard)
}

/// A lock that is no part of the paths to the object, but lies behind the object that is shared.
fn common_behind(
    all: &Dependencies,
    sharer: &Sharer,
    (left, left_locks): (&Location, &[usize]),
    (right, right_locks): (&Location, &[usize]),
    (left_length, right_length): (usize, usize),
) -> Option<Guard> {
    let remote: Vec<_> = right_locks
        .iter()
        .filter_map(|&lock| behind(all, right, right_length, lock))
        .collect();
    left_locks
        .iter()
        .filter_map(|&lock| behind(all, left, left_length, lock))
        .find_map(|(lock, rest)| {
            let class = |location: &Location| location.classes.last().copied().flatten();
            let shared = remote
                .iter()
                .any(|(other, other_rest)| rest == *other_rest && sharer.related(class(lock), class(other)));
            shared.then(|| guard(all, lock, lock.fields.len()))
        })
}

/// A lock that lies behind the part of `location` with `length` fields, and the fields from there to it.
fn behind<'d>(
    all: &'d Dependencies,
    location: &Location,
    length: usize,
    lock: usize,
) -> Option<(&'d Location, &'d [FieldId])> {
    let OtherLock::At(lock) = all.locks.thing(lock) else {
        return None;
    };
    let rest = lock.fields.strip_prefix(&location.fields[..length])?;
    (lock.start == location.start).then_some((lock, rest))
}

fn guard(all: &Dependencies, location: &Location, length: usize) -> Guard {
    Guard {
        lock: Some(location.path(&all.names, length)),
        class: location.classes[length].map(|class| (*all.names.classes.thing(class)).to_owned()),
    }
}
