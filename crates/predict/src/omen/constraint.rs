//! What the calls of a cycle must share (Omen section 3.3.4), and cycles that no sharing can close.
//!
//! Departures: cycles whose threads hold the same static lock are dropped; the paper leaves them to the detector that
//! watches the test (section 4). Any two threads that hold it are enough, and it does not matter whether it is taken
//! before the first lock: in a deadlock both would have to have it. A static lock that one thread waits for counts as
//! held by the next. Constraints between different static paths are dropped as well: parameters, all that a test can
//! choose, do not bear upon them.

use std::collections::BTreeSet;

use super::acquisition::Candidate;
use super::{Acquisition, Same, Unusable};
use crate::path::{AccessPath, Root};
use crate::trace::Field;

/// For each thread: the lock it waits for is the first lock of the next.
pub(super) fn constraints(acquisitions: &[Acquisition]) -> Vec<Same> {
    (0..acquisitions.len())
        .map(|waiting| {
            let holding = (waiting + 1) % acquisitions.len();
            Same {
                left: (waiting, acquisitions[waiting].second.clone()),
                right: (holding, acquisitions[holding].first.clone()),
            }
        })
        .collect()
}

/// Whether a path leads every call to the same lock. Array elements do not: the same path may be another element.
pub(super) fn is_gate(path: &AccessPath) -> bool {
    matches!(path.root, Root::Static(_)) && path.fields.iter().all(|field| field.name != Field::ELEMENT)
}

/// Why these acquisitions cannot be in a deadlock with each other, if that is known.
pub(super) fn refusal(candidates: &[&Candidate<'_>], constraints: &[Same]) -> Option<Unusable> {
    let mut held: Vec<BTreeSet<&AccessPath>> = candidates
        .iter()
        .map(|candidate| candidate.gates.iter().collect())
        .collect();
    for Same {
        left: (_, waited_for),
        right: (holding, _),
    } in constraints
    {
        if is_gate(waited_for) {
            held[*holding].insert(waited_for);
        }
    }
    let apart_from_rest = |(position, one): (usize, &BTreeSet<&AccessPath>)| {
        held[position + 1..].iter().all(|other| one.is_disjoint(other))
    };
    if !held.iter().enumerate().all(apart_from_rest) {
        return Some(Unusable::Guarded);
    }
    let differ = constraints.iter().any(
        |Same {
             left: (_, left),
             right: (_, right),
         }| {
            matches!((&left.root, &right.root), (Root::Static(_), Root::Static(_))) && left != right
        },
    );
    differ.then_some(Unusable::StaticsDiffer)
}
