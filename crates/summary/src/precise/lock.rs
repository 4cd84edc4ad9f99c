//! Locks and the locks held at a point.

use raddle_program::{ClassId, MethodId};
use smallvec::SmallVec;

use super::path::Path;

/// What is locked.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum LockBase {
    /// The object at a path.
    Path(Path),
    /// A class object.
    Class(ClassId),
}

/// A lock and how it is taken. Read locks admit each other; everything else excludes.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Lock {
    pub(crate) base: LockBase,
    pub(crate) shared: bool,
}

impl Lock {
    pub(crate) fn exclusive(base: LockBase) -> Lock {
        Lock { base, shared: false }
    }
}

/// One stretch of code during which a lock is held without a gap. Equal numbers mean the same stretch;
/// [`Section::REPEATED`] means there may be several.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Section(u64);

/// The upper bits count the calls between the stretch and the summarised method.
const DEPTH_SHIFT: u32 = 60;
const MAX_CALL_DEPTH: u64 = 4;

impl Section {
    pub(crate) const REPEATED: Section = Section(0);

    /// The stretch that begins at an instruction of the summarised method.
    pub(crate) fn at(bci: u32) -> Section {
        Section(u64::from(bci) + 1)
    }

    /// A callee's stretch, seen from one call instruction of the caller. Some calls down it is only "some stretch": a
    /// recursive method would otherwise never stop finding new ones.
    pub(crate) fn within_call(self, bci: u32) -> Section {
        let depth = self.0 >> DEPTH_SHIFT;
        if self == Section::REPEATED || depth == MAX_CALL_DEPTH {
            return Section::REPEATED;
        }
        let mixed = (self.0 ^ (u64::from(bci) << 24)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let folded = (mixed ^ (mixed >> 29)) & ((1 << DEPTH_SHIFT) - 1);
        Section(folded | ((depth + 1) << DEPTH_SHIFT))
    }
}

/// A lock held at a point of the summarised method.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Held {
    pub(crate) lock: Lock,
    pub(crate) section: Section,
    /// Held on every path to this point.
    pub(crate) must: bool,
    /// Re-entries beyond the first.
    pub(crate) depth: u8,
    /// Where it was taken.
    pub(crate) place: (MethodId, u32),
}

/// Locks held, in order of acquisition.
pub(crate) type HeldLocks = SmallVec<[Held; 2]>;

/// Locks certainly held at an access, with their sections.
pub(crate) type Protection = SmallVec<[(Lock, Section); 2]>;

/// What is certainly held.
pub(crate) fn protection(held: &HeldLocks) -> Protection {
    held.iter()
        .filter(|held| held.must)
        .map(|held| (held.lock, held.section))
        .collect()
}

/// What both of two accesses certainly hold, section by section.
pub(crate) fn common(left: &Protection, right: &Protection) -> Protection {
    left.iter()
        .filter_map(|(lock, section)| {
            let (_, other) = right.iter().find(|(other, _)| other == lock)?;
            Some((
                *lock,
                if other == section {
                    *section
                } else {
                    Section::REPEATED
                },
            ))
        })
        .collect()
}

/// Joins two paths of control: what is held on either may be held, what is held on both in one stretch must be.
pub(crate) fn join(into: &mut HeldLocks, from: &HeldLocks) -> bool {
    let mut changed = false;
    for held in into.iter_mut() {
        match from.iter().find(|other| other.lock == held.lock) {
            Some(other) => {
                if held.must && !other.must {
                    held.must = false;
                    changed = true;
                }
                if held.section != other.section && held.section != Section::REPEATED {
                    held.section = Section::REPEATED;
                    changed = true;
                }
                if held.depth != other.depth {
                    let depth = held.depth.min(other.depth);
                    changed |= depth != held.depth;
                    held.depth = depth;
                }
            }
            None if held.must => {
                held.must = false;
                changed = true;
            }
            None => {}
        }
    }
    for other in from {
        if !into.iter().any(|held| held.lock == other.lock) {
            into.push(Held {
                must: false,
                ..*other
            });
            changed = true;
        }
    }
    changed
}
