//! Which locations of a class can meet, and which of its methods therefore conflict.

use rustc_hash::FxHashMap;

use super::bits::Bits;
use super::depend::Method;
use super::location::{Aliasing, Meeting};
use super::role::Spot;
use crate::facts::{AccessKind, Conflict, ConflictKind};

/// The distinct locations of a class.
#[derive(Default)]
pub(crate) struct Table {
    pub(crate) spots: Vec<Spot>,
    numbers: FxHashMap<Spot, usize>,
}

impl Table {
    pub(crate) fn number(&mut self, spot: Spot) -> usize {
        if let Some(&known) = self.numbers.get(&spot) {
            return known;
        }
        let number = self.spots.len();
        self.numbers.insert(spot.clone(), number);
        self.spots.push(spot);
        number
    }
}

/// Which locations can be the same, by how the calls meet.
pub(crate) struct Relations {
    /// By meeting, then by location.
    by_meeting: [Vec<Bits>; Meeting::ALL.len()],
}

/// Everything one method's reads and writes can meet in another, by meeting.
pub(crate) struct Reach {
    accessed: [Bits; Meeting::ALL.len()],
    written: [Bits; Meeting::ALL.len()],
    /// By any meeting.
    pub(crate) any_accessed: Bits,
    pub(crate) any_written: Bits,
}

impl Relations {
    pub(crate) fn new(aliasing: &Aliasing<'_, '_>, table: &Table) -> Relations {
        let count = table.spots.len();
        let mut relations = Relations {
            by_meeting: Meeting::ALL.map(|_| vec![Bits::default(); count]),
        };
        for left in 0..count {
            for right in 0..count {
                if let Some(meeting) = aliasing.meeting(&table.spots[left], &table.spots[right]) {
                    relations.by_meeting[meeting as usize][left].set(right);
                }
            }
        }
        relations
    }

    pub(crate) fn closure(&self, of: &Bits) -> Bits {
        let mut all = of.clone();
        for at in of.iter() {
            for relation in &self.by_meeting {
                all.add(&relation[at]);
            }
        }
        all
    }

    pub(crate) fn reach(&self, method: &Method) -> Reach {
        let spread = |of: &Bits, relation: &[Bits]| {
            let mut all = Bits::default();
            for at in of.iter() {
                all.add(&relation[at]);
            }
            all
        };
        let mut accessed = method.reads.clone();
        accessed.add(&method.writes);
        let accessed = std::array::from_fn(|at| spread(&accessed, &self.by_meeting[at]));
        let written = std::array::from_fn(|at| spread(&method.writes, &self.by_meeting[at]));
        Reach {
            any_accessed: union(&accessed),
            any_written: union(&written),
            accessed,
            written,
        }
    }

    /// Two accesses that conflict; a read against a write tells more than two writes.
    pub(crate) fn evidence(&self, a: &Method, b: &Method) -> Option<Conflict> {
        let meets = |x: usize, y: usize| self.by_meeting.iter().any(|relation| relation[x].has(y));
        let mut fallback = None;
        for (first_access, (left, &x)) in a.summary.accesses.iter().zip(&a.places).enumerate() {
            for (second_access, (right, &y)) in b.summary.accesses.iter().zip(&b.places).enumerate() {
                if (left.kind == AccessKind::Read && right.kind == AccessKind::Read) || !meets(x, y) {
                    continue;
                }
                if left.kind != right.kind {
                    return Some(Conflict {
                        kind: ConflictKind::ReadWrite,
                        first_access,
                        second_access,
                    });
                }
                let found = Conflict {
                    kind: ConflictKind::WriteWrite,
                    first_access,
                    second_access,
                };
                fallback = fallback.or(Some(found));
            }
        }
        fallback
    }
}

fn union(sets: &[Bits]) -> Bits {
    let mut all = Bits::default();
    for set in sets {
        all.add(set);
    }
    all
}

impl Reach {
    pub(crate) fn conflicts(&self, other: &Method, meeting: Meeting) -> bool {
        let at = meeting as usize;
        self.written[at].meets(&other.reads)
            || self.written[at].meets(&other.writes)
            || self.accessed[at].meets(&other.writes)
    }
}
