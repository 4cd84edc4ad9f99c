//! Intruder: atomicity violations that two calls could show (Samak and Ramanathan, *Synthesizing Tests for Detecting
//! Atomicity Violations*, ESEC/FSE 2015).
//!
//! `symbols` says which objects a client can choose, `dependency` which locks a call holds when it accesses a field,
//! `pairs` which accesses of two calls violate atomicity, `feasible` which of them the locks allow, and `sharing` how the
//! calls come to share an object. Each file says where it departs from the paper. This one departs in the order: pairs
//! that need no setter come first, then those of short calls; pairs of two variables come last. Algorithm 5, the making
//! of tests, is not here.

pub(crate) mod dependency;
#[cfg(test)]
pub(crate) mod example;
pub(crate) mod feasible;
pub(crate) mod pairs;
pub(crate) mod sharing;
pub(crate) mod symbols;
#[cfg(test)]
mod tests;

use dependency::{Dependencies, Dependency, Distinct};
pub use feasible::{Guard, Obstacle};
use feasible::{Side, Way, scan};
use pairs::Pair;
use sharing::Sharer;
pub use sharing::{Shared, Sharing};

use crate::path::AccessPath;
use crate::setters::setters;
use crate::trace::{Field, Trace, TypeOrder};

/// How much is looked at and kept.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most pairs that are examined, of one and of two variables each.
    pub pairs: usize,
    /// The most triples of one variable, and the most races, that are kept.
    pub kept: usize,
    /// The most triples of two variables that are kept.
    pub kept_of_two: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            pairs: 20_000,
            kept: 500,
            kept_of_two: 200,
        }
    }
}

/// Accesses of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The index of the trace.
    pub trace: usize,
    /// The index of the call's `Enter`.
    pub enter: usize,
    /// The index of the step with the previous access, where that matters.
    pub previous: Option<usize>,
    /// The index of the step with the access.
    pub current: usize,
    /// How the call gets at the object; none for static fields.
    pub path: Option<AccessPath>,
    /// The field of the access.
    pub field: Field,
    /// The index, of array elements.
    pub index: Option<i32>,
}

/// What the accesses of a triple are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Variables {
    /// One field.
    Single,
    /// Two fields of one object: that of the local call's previous access, and that of its current one. The remote
    /// call accesses both, in any order.
    Pair(Field, Field),
}

/// Accesses that violate atomicity if the remote one comes between the two local ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triple {
    /// What they are about.
    pub variables: Variables,
    /// The call with previous and current access.
    pub local: Access,
    /// The call with the remote access. For two variables, its previous and current one must both come between.
    pub remote: Access,
    /// The lock, as the local call gets at it, that must be a different one for each call.
    pub dominant: Option<AccessPath>,
    /// How the calls come to access the same object; none if they do whatever they are given.
    pub sharing: Option<Sharing>,
}

/// A pair of calls that cannot interleave as they should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Infeasible {
    /// The call with previous and current access.
    pub local: Access,
    /// The call with the remote access.
    pub remote: Access,
    /// Why not.
    pub obstacle: Obstacle,
}

/// The atomicity violations that two calls could show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atomicity {
    /// How many variable-lock dependencies the traces have.
    pub dependencies: usize,
    /// How many pairs of one variable these make.
    pub pairs: usize,
    /// How many are left without redundant ones.
    pub unique: usize,
    /// Those that can happen, cheapest first; pairs of two variables after all others.
    pub feasible: Vec<Triple>,
    /// Pairs of one variable that cannot happen.
    pub infeasible: Vec<Infeasible>,
}

/// Finds atomicity violations that two calls of the traces could show if they ran together.
pub fn atomicity(traces: &[Trace], types: &dyn TypeOrder, limits: &Limits) -> Atomicity {
    let all = Dependencies::of(traces);
    let setters = setters(traces);
    let sharer = Sharer::new(&all.names, types, traces, &setters);

    let unique = pairs::single(&all, limits.pairs);
    let number = unique.len();
    let (mut feasible, infeasible) = scan_pairs(&all, &sharer, &all.single, &unique, limits.pairs);
    feasible.truncate(limits.kept);
    let (mut of_two, _) = scan_pairs(
        &all,
        &sharer,
        &all.double,
        &pairs::double(&all, limits.pairs),
        limits.pairs,
    );
    of_two.truncate(limits.kept_of_two);
    feasible.extend(of_two);
    Atomicity {
        dependencies: all.single.list.iter().map(|dependency| dependency.weight).sum(),
        pairs: pairs::count(&all),
        unique: number,
        feasible,
        infeasible,
    }
}

/// Algorithm 4 for all pairs, cheapest first.
fn scan_pairs(
    all: &Dependencies,
    sharer: &Sharer,
    distinct: &Distinct,
    pairs: &[Pair],
    limit: usize,
) -> (Vec<Triple>, Vec<Infeasible>) {
    let (mut feasible, mut infeasible) = (Vec::new(), Vec::new());
    for pair in pairs.iter().take(limit) {
        let (local, remote) = (&distinct.list[pair.local], &distinct.list[pair.remote]);
        let shape = all.shape(local);
        let current = all.access(local);
        let before = Side {
            location: current.location,
            locks: &shape.consistent,
            others: &shape.consistent_others,
        };
        let variables = match &shape.previous {
            Some(previous) if previous.field != current.field => {
                Variables::Pair(field(all, previous.field), field(all, current.field))
            }
            _ => Variables::Single,
        };
        let (local, remote_access) = (access(all, local), access(all, remote));
        match scan(all, sharer, before, held(all, remote)) {
            Ok(Way { dominant, sharing }) => {
                let remote = match variables {
                    Variables::Single => Access {
                        previous: None,
                        ..remote_access
                    },
                    Variables::Pair(..) => remote_access,
                };
                feasible.push(Triple {
                    variables,
                    local,
                    remote,
                    dominant,
                    sharing,
                });
            }
            Err(obstacle) => infeasible.push(Infeasible {
                local,
                remote: remote_access,
                obstacle,
            }),
        }
    }
    // The sort is stable: among those with as many setters, the order of the pairs stays.
    feasible.sort_by_key(|triple| calls_to_share(triple.sharing.as_ref()));
    (feasible, infeasible)
}

/// How many calls it takes to share an object.
pub(crate) fn calls_to_share(sharing: Option<&Sharing>) -> usize {
    sharing.map_or(0, |sharing| {
        sharing.local.setters.len() + sharing.remote.setters.len()
    })
}

/// The remote side of a pair, which counts all locks it holds.
pub(crate) fn held<'d>(all: &'d Dependencies, dependency: &Dependency) -> Side<'d> {
    let access = all.access(dependency);
    Side {
        location: access.location,
        locks: &access.held,
        others: &access.held_others,
    }
}

/// The accesses of a dependency.
pub(crate) fn access(all: &Dependencies, dependency: &Dependency) -> Access {
    let call = all.calls[dependency.call];
    let shape = all.access(dependency);
    let location = shape.location.map(|location| all.locations.thing(location));
    Access {
        trace: call.trace,
        enter: call.enter,
        previous: dependency.previous,
        current: dependency.current,
        path: location.map(|location| location.path(&all.names, location.fields.len())),
        field: field(all, shape.field),
        index: dependency.index,
    }
}

fn field(all: &Dependencies, number: usize) -> Field {
    (*all.names.fields.thing(number)).clone()
}
