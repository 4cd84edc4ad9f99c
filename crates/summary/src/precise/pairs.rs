//! M_pc: the pairs of calls for which some interleaving may differ from every serial order of the calls.
//!
//! Calls are transactions, and what two threads do is serial in effect unless conflicts and program order form a circle.
//! With two threads every shortest circle goes through one call `a` that has an access before and an access after what
//! the other thread did: `x < y ≤ z < w`, with `x` and `w` in `a`, `y` in a call `b` and `z` in a call `c` of the other
//! thread, `b` being `c` or coming before it. So a pair `(a, b)` may be left out if
//!
//! - one lock covers both calls whole: `y` cannot lie between `x` and `w`;
//! - or neither call has more than one access;
//! - or all accesses of `a` that conflict with `b` lie in one *group* of `a`, all those of `b` that conflict with `a` in
//!   one group of `b`, and the groups exclude each other: unbroken stretches of holding the same lock, or a single access
//!   each. Then `b` is never both before and after parts of `a` that it conflicts with.
//!
//! The third rule alone would lose circles in which `b` and `c` differ and meet different groups of `a`. Therefore each
//! call has one *favourite* group, and a pair is left out by that rule only if it meets the favourites of both calls. Of
//! any `b` and `c` that meet different groups of `a` at least one does not meet the favourite, and that pair is kept. So
//! every pair of suffixes that can fail, however long, has a pair of calls in M_pc.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use raddle_program::FieldId;

use super::bits::Bits;
use super::depend::{HeldLock, Method, PreciseAnalyzer, held_lock};
use super::location::Meeting;
use super::lock::{Lock, Section};
use super::relations::{Reach, Relations};
use super::role::{Role, Speaker, Spot};
use super::summary::AccessFact;
use crate::facts::{AccessKind, AccessMode, PairFacts};

/// What keeps the accesses of a group together.
enum Guard {
    /// One stretch of holding this lock.
    Lock(HeldLock),
    /// There is only one.
    Single,
}

/// Accesses of a call between which another call that respects the guard cannot come.
struct Group {
    guard: Guard,
    reads: Bits,
    writes: Bits,
}

/// Groups of one call, by index: first those of locks, then single accesses.
struct Groups {
    all: Vec<Group>,
    locks: usize,
    /// The single access at a location, unless there are several of its kind.
    single: FxHashMap<(usize, AccessKind), usize>,
}

/// Indices of groups of a call.
type Choice = SmallVec<[usize; 2]>;

/// A pair that conflicts and that no lock covers whole.
struct Open {
    at: usize,
    first: usize,
    second: usize,
    /// The meetings in which it conflicts and is not covered.
    meetings: SmallVec<[Meeting; 4]>,
    /// Groups that hold all of each call's accesses that conflict with the other.
    choices: [Choice; 2],
}

impl PreciseAnalyzer<'_> {
    /// Dependent pairs, M_pc and M_d. `changed` are the fields that public methods write.
    pub(crate) fn pairs(
        &self,
        methods: &[Method],
        relations: &Relations,
        mutable: &Bits,
        changed: &FxHashSet<FieldId>,
    ) -> Vec<PairFacts> {
        let reach: Vec<Reach> = methods.iter().map(|method| relations.reach(method)).collect();
        let mut pairs = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        for first in 0..methods.len() {
            for second in first..methods.len() {
                let (a, b) = (&methods[first], &methods[second]);
                let mut conflict = false;
                let mut parallel = false;
                let mut meetings = SmallVec::new();
                for meeting in Meeting::ALL {
                    let free = !shares_lock(meeting, a, b);
                    if meeting == Meeting::SameReceiver {
                        parallel |= free;
                    }
                    if reach[first].conflicts(b, meeting) {
                        conflict = true;
                        if free {
                            meetings.push(meeting);
                        }
                    }
                }
                let mpc = !meetings.is_empty() && (a.events > 1 || b.events > 1);
                let double_lock = self.crossing(a, b);
                if !conflict && double_lock.is_none() {
                    continue;
                }
                if mpc {
                    open.push(Open {
                        at: pairs.len(),
                        first,
                        second,
                        meetings,
                        choices: [Choice::new(), Choice::new()],
                    });
                }
                pairs.push(PairFacts {
                    first,
                    second,
                    conflict: conflict.then(|| relations.evidence(a, b)).flatten(),
                    parallel,
                    double_lock,
                    mpc,
                });
            }
        }
        for at in self.grouped(methods, &reach, mutable, changed, open) {
            pairs[at].mpc = false;
        }
        pairs
    }

    /// Those of the open pairs that meet each other's favourite groups only, by place in the list of pairs.
    fn grouped(
        &self,
        methods: &[Method],
        reach: &[Reach],
        mutable: &Bits,
        changed: &FxHashSet<FieldId>,
        mut open: Vec<Open>,
    ) -> Vec<usize> {
        let groups: Vec<Groups> = methods
            .iter()
            .map(|method| self.groups(method, mutable, changed))
            .collect();
        let mut votes: Vec<Vec<usize>> = groups.iter().map(|of| vec![0; of.all.len()]).collect();
        for pair in &mut open {
            let (a, b) = (pair.first, pair.second);
            let mine = groups[a].holding(&methods[a], &reach[b]);
            let theirs = groups[b].holding(&methods[b], &reach[a]);
            let exclude = |x: usize, y: usize| {
                excludes(&groups[a].all[x].guard, &groups[b].all[y].guard, &pair.meetings)
            };
            let first = mine.iter().filter(|&&x| theirs.iter().any(|&y| exclude(x, y)));
            let second = theirs.iter().filter(|&&y| mine.iter().any(|&x| exclude(x, y)));
            pair.choices = [first.copied().collect(), second.copied().collect()];
            for &x in &pair.choices[0] {
                votes[a][x] += 1;
            }
            if a != b {
                for &y in &pair.choices[1] {
                    votes[b][y] += 1;
                }
            }
        }
        // The first of those with most votes; groups are in the order of the summary, which is one of words.
        let favourites: Vec<Option<usize>> = votes
            .iter()
            .map(|votes| (0..votes.len()).rev().max_by_key(|&group| votes[group]))
            .collect();
        let met = |pair: &&Open| {
            let (Some(x), Some(y)) = (favourites[pair.first], favourites[pair.second]) else {
                return false;
            };
            pair.choices[0].contains(&x)
                && pair.choices[1].contains(&y)
                && excludes(
                    &groups[pair.first].all[x].guard,
                    &groups[pair.second].all[y].guard,
                    &pair.meetings,
                )
        };
        open.iter().filter(met).map(|pair| pair.at).collect()
    }

    fn groups(&self, method: &Method, mutable: &Bits, changed: &FxHashSet<FieldId>) -> Groups {
        let speaker = Speaker::new(&self.engine, method.key);
        let accesses = || {
            let all = method.summary.accesses.iter().zip(&method.places);
            all.filter(|(_, at)| mutable.has(**at))
        };
        let mut stretches: Vec<(Lock, Section)> = Vec::new();
        for (fact, _) in accesses() {
            for &(lock, section) in &fact.held {
                if section != Section::REPEATED
                    && !stretches.contains(&(lock, section))
                    && self.is_stable(lock, Some(changed))
                {
                    stretches.push((lock, section));
                }
            }
        }
        let mut groups: Vec<Group> = stretches
            .iter()
            .map(|stretch| {
                // A location is in the group if all its accesses are.
                let mut outside = [Bits::default(), Bits::default()];
                for (fact, &at) in accesses().filter(|(fact, _)| !fact.held.contains(stretch)) {
                    outside[fact.kind as usize].set(at);
                }
                let mut group = Group {
                    guard: Guard::Lock(held_lock(&speaker, stretch.0)),
                    reads: Bits::default(),
                    writes: Bits::default(),
                };
                for (fact, &at) in accesses() {
                    if !outside[fact.kind as usize].has(at) {
                        group.add(fact.kind, at);
                    }
                }
                group
            })
            .collect();
        let locks = groups.len();
        let mut single = FxHashMap::default();
        for (nth, (fact, &at)) in accesses().enumerate() {
            let alone = accesses()
                .enumerate()
                .all(|(other, (fact2, at2))| other == nth || fact2.kind != fact.kind || *at2 != at);
            if fact.many || is_compound(fact) || !alone {
                continue;
            }
            let partner = accesses().find(|(other, at2)| {
                **at2 == at && other.kind != fact.kind && other.mode == AccessMode::Atomic && !other.many
            });
            let same_event = |(other, _): &(&AccessFact, &usize)| {
                fact.mode == AccessMode::Atomic && (other.place, other.via) == (fact.place, fact.via)
            };
            // An atomic update is a read and a write and one event: the read's group stands for both.
            let updates = partner.is_some_and(|partner| same_event(&partner));
            if updates
                && fact.kind == AccessKind::Write
                && let Some(&known) = single.get(&(at, AccessKind::Read))
            {
                single.insert((at, AccessKind::Write), known);
                continue;
            }
            let mut group = Group {
                guard: Guard::Single,
                reads: Bits::default(),
                writes: Bits::default(),
            };
            group.add(fact.kind, at);
            if updates {
                group.writes.set(at);
            }
            single.insert((at, fact.kind), groups.len());
            groups.push(group);
        }
        Groups {
            all: groups,
            locks,
            single,
        }
    }
}

impl Group {
    fn add(&mut self, kind: AccessKind, at: usize) {
        match kind {
            AccessKind::Read => self.reads.set(at),
            AccessKind::Write => self.writes.set(at),
        }
    }
}

impl Groups {
    /// Groups that hold every access of the call that conflicts with another call.
    fn holding(&self, method: &Method, other: &Reach) -> Choice {
        let holds = |group: &Group| {
            method.reads.meets_only_in(&other.any_written, &group.reads)
                && method.writes.meets_only_in(&other.any_accessed, &group.writes)
        };
        let mut found: Choice = (0..self.locks).filter(|&at| holds(&self.all[at])).collect();
        let met = method
            .writes
            .first_met(&other.any_accessed)
            .map(|at| (at, AccessKind::Write))
            .or_else(|| {
                let read = method.reads.first_met(&other.any_written)?;
                Some((read, AccessKind::Read))
            });
        if let Some(&at) = met.and_then(|key| self.single.get(&key))
            && holds(&self.all[at])
        {
            found.push(at);
        }
        found
    }
}

/// More than one access in the guise of one: the state of an object, and not by an atomic operation on it.
pub(crate) fn is_compound(fact: &AccessFact) -> bool {
    fact.mode == AccessMode::Plain && fact.location.last() == Some(super::path::Step::Any)
}

fn excludes(left: &Guard, right: &Guard, meetings: &[Meeting]) -> bool {
    match (left, right) {
        (Guard::Single, Guard::Single) => true,
        (Guard::Lock(left), Guard::Lock(right)) => {
            meetings.iter().all(|&meeting| is_same_lock(meeting, left, right))
        }
        _ => false,
    }
}

/// Whether one lock covers both calls, in a test where they meet this way.
fn shares_lock(meeting: Meeting, a: &Method, b: &Method) -> bool {
    a.cover
        .iter()
        .any(|left| b.cover.iter().any(|right| is_same_lock(meeting, left, right)))
}

/// Whether two locks are certainly one and exclude each other, in a test where the calls meet this way.
fn is_same_lock(meeting: Meeting, left: &HeldLock, right: &HeldLock) -> bool {
    if left.shared && right.shared {
        return false;
    }
    if left.class_object.is_some() || right.class_object.is_some() {
        return left.class_object == right.class_object;
    }
    let (Some(left), Some(right)) = (&left.spot, &right.spot) else {
        return false;
    };
    if let (Role::Static(x), Role::Static(y)) = (left.role, right.role) {
        return x == y && left.steps == right.steps;
    }
    let argument = |spot: &Spot| matches!(spot.role, Role::Argument(_));
    let roles = match meeting {
        Meeting::Apart => false,
        Meeting::SameReceiver => left.role == Role::This && right.role == Role::This,
        Meeting::FirstHoldsSecond => argument(left) && right.role == Role::This,
        Meeting::SecondHoldsFirst => left.role == Role::This && argument(right),
    };
    roles && left.steps == right.steps
}
