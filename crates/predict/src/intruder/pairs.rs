//! Pairs of dependencies that make an access triple: previous and current of one call, remote of another (Intruder
//! section 3.4, Algorithm 3).
//!
//! Departures from section 3.4:
//! - The text asks for distinct dependencies, the example has (d3, d3). A dependency is paired with itself here: two
//!   threads can make the same call.
//! - Array elements make a pair only if they have the same index, or one index is unknown.
//! - Redundant pairs are dropped here (section 4): of pairs of the same methods, places, paths and locks, the one with
//!   the fewest steps is kept. The paper drops those on different fields, too. Places tell a scheduler where to switch,
//!   so that this would lose something here.
//! - Pairs of two variables: the remote call accesses both fields that the local call accesses one after the other, and
//!   at least one of each two accesses to the same field writes it.
//! - Where a field has very many different accesses, only those of the shortest calls are combined.

use std::collections::{BTreeMap, BTreeSet};

use super::dependency::{Dependencies, Dependency, Kind};

/// About how many combinations are looked at for each pair that may be examined.
const LOOKS: usize = 32;
/// How many accesses of a kind to the same field are combined with others, however many fields there are.
const FEWEST: usize = 16;
/// How many accesses of a kind to the same field are combined with others, however few fields there are.
const MOST: usize = 256;

/// Two dependencies, by index: the local call with previous and current access, and the remote one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) local: usize,
    pub(crate) remote: usize,
}

/// Whether the remote access must not come between the two others (Figure 6).
pub(crate) fn violates(previous: Option<Kind>, current: Kind, remote: Kind) -> bool {
    match (previous, current) {
        (None, _) => false,
        (Some(Kind::Write), Kind::Write) => remote == Kind::Read,
        (Some(_), _) => remote == Kind::Write,
    }
}

/// Whether two array indices can be the same; not elements are none, too.
pub(crate) fn may_equal(left: Option<i32>, right: Option<i32>) -> bool {
    left.is_none() || right.is_none() || left == right
}

/// How many pairs Algorithm 3 makes of all dependencies, redundant ones included.
pub(crate) fn count(all: &Dependencies) -> usize {
    // Per field and index: locals that a write violates, locals that a read violates, writes, reads.
    let mut fields: BTreeMap<usize, BTreeMap<Option<i32>, [usize; 4]>> = BTreeMap::new();
    for dependency in &all.single.list {
        let previous = all
            .shape(dependency)
            .previous
            .as_ref()
            .map(|previous| previous.kind);
        let access = all.access(dependency);
        let counts = fields
            .entry(access.field)
            .or_default()
            .entry(dependency.index)
            .or_default();
        let is = |remote| usize::from(violates(previous, access.kind, remote)) * dependency.weight;
        counts[0] += is(Kind::Write);
        counts[1] += is(Kind::Read);
        counts[if access.kind == Kind::Write { 2 } else { 3 }] += dependency.weight;
    }
    let mut pairs = 0;
    for indices in fields.values() {
        let product =
            |locals: [usize; 4], remotes: [usize; 4]| locals[0] * remotes[2] + locals[1] * remotes[3];
        let mut sum = [0; 4];
        for counts in indices.values() {
            sum = std::array::from_fn(|at| sum[at] + counts[at]);
        }
        let unknown = indices.get(&None).copied().unwrap_or_default();
        pairs += product(unknown, sum);
        for (_, &counts) in indices.iter().filter(|(index, _)| index.is_some()) {
            pairs += product(counts, counts) + product(counts, unknown);
        }
    }
    pairs
}

/// The pairs of one variable without redundant ones, those of short calls first.
pub(crate) fn single(all: &Dependencies, limit: usize) -> Vec<Pair> {
    let list = &all.single.list;
    let locals = |at: &Dependency| all.shape(at).previous.is_some();
    combine(
        (all, limit),
        list,
        &|at| all.access(at).field,
        &locals,
        &|at| all.shape(at).access,
        &|local, remote| {
            let previous = all.shape(local).previous.as_ref().map(|previous| previous.kind);
            may_equal(local.index, remote.index)
                && violates(previous, all.access(local).kind, all.access(remote).kind)
        },
    )
}

/// The pairs of two variables without redundant ones, those of short calls first.
pub(crate) fn double(all: &Dependencies, limit: usize) -> Vec<Pair> {
    let fields = |at: &Dependency| {
        let current = all.access(at);
        let previous = all
            .shape(at)
            .previous
            .as_ref()
            .map_or((current.field, current.kind), |p| (p.field, p.kind));
        [previous, (current.field, current.kind)]
    };
    let group = |at: &Dependency| {
        let [(previous, _), (current, _)] = fields(at);
        (previous.min(current), previous.max(current))
    };
    combine(
        (all, limit),
        &all.double.list,
        &group,
        &|_| true,
        &|at| at.shape,
        &|local, remote| {
            fields(local).iter().all(|&(field, kind)| {
                let other = fields(remote).into_iter().find(|&(other, _)| other == field);
                other.is_some_and(|(_, other)| kind == Kind::Write || other == Kind::Write)
            })
        },
    )
}

/// The pairs of accesses without redundant ones of which at least one writes; each pair once.
pub(crate) fn conflicting(all: &Dependencies, limit: usize) -> Vec<Pair> {
    let shape = |at: &Dependency| all.shape(at).access;
    let mut pairs = combine(
        (all, limit),
        &all.single.list,
        &|at| all.access(at).field,
        &|_| true,
        &shape,
        &|left, right| {
            let written = [left, right].iter().any(|at| all.access(at).kind == Kind::Write);
            written && may_equal(left.index, right.index)
        },
    );
    let access = |at: usize| all.shape(&all.single.list[at]).access;
    let mut known = BTreeSet::new();
    pairs.retain(|pair| {
        let (left, right) = (access(pair.local), access(pair.remote));
        known.insert((left.min(right), left.max(right)))
    });
    pairs
}

/// All pairs that fit within a group, one for each two shapes. `remote_shape` is what matters of a remote access.
/// `limit` is how many pairs will be examined.
fn combine<G: Ord>(
    (all, limit): (&Dependencies, usize),
    list: &[Dependency],
    group: &dyn Fn(&Dependency) -> G,
    local: &dyn Fn(&Dependency) -> bool,
    remote_shape: &dyn Fn(&Dependency) -> usize,
    fits: &dyn Fn(&Dependency, &Dependency) -> bool,
) -> Vec<Pair> {
    #[derive(Default)]
    struct Group {
        locals: Vec<usize>,
        writes: Vec<usize>,
        reads: Vec<usize>,
    }
    let mut shortest: Vec<usize> = (0..list.len()).collect();
    shortest.sort_by_key(|&at| (all.length(&list[at]), at));

    let mut groups: BTreeMap<G, Group> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for at in shortest {
        let dependency = &list[at];
        let found = groups.entry(group(dependency)).or_default();
        if local(dependency) {
            found.locals.push(at);
        }
        if seen.insert((remote_shape(dependency), dependency.index)) {
            match all.access(dependency).kind {
                Kind::Read => found.reads.push(at),
                Kind::Write => found.writes.push(at),
            }
        }
    }
    let most = (limit.saturating_mul(LOOKS) / groups.len().max(1))
        .isqrt()
        .clamp(FEWEST, MOST);

    let mut unique: BTreeMap<(usize, usize), (usize, Pair)> = BTreeMap::new();
    for found in groups.values() {
        let remotes = found
            .writes
            .iter()
            .take(most)
            .chain(found.reads.iter().take(most));
        for &local in found.locals.iter().take(most) {
            for &remote in remotes
                .clone()
                .filter(|&&remote| fits(&list[local], &list[remote]))
            {
                let cost = all.length(&list[local]) + all.length(&list[remote]);
                let candidate = (cost, Pair { local, remote });
                let kept = unique
                    .entry((list[local].shape, remote_shape(&list[remote])))
                    .or_insert(candidate);
                if cost < kept.0 {
                    *kept = candidate;
                }
            }
        }
    }
    let mut pairs: Vec<(usize, Pair)> = unique.into_values().collect();
    pairs.sort_by_key(|(cost, pair)| (*cost, pair.local, pair.remote));
    pairs.into_iter().map(|(_, pair)| pair).collect()
}
