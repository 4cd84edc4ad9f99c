//! Why a pair is dependent, told from its evidence.

use std::collections::BTreeMap;

use raddle_summary::{Access, AccessKind, ClassFacts, PairFacts};

/// Where two calls meet, and how. In the order of the report.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    OwnReadWrite,
    OwnWriteWrite,
    Held,
    HeldOwnKind,
    ArgumentOwnKind,
    SharedArgument,
    Static,
    NoEvidence,
    LockOfHeld,
    LockOfArgument,
    LockOfClass,
}

/// Number of pairs by kind. A pair in both M_pc and M_d counts in each.
#[derive(Default)]
pub(super) struct Kinds(BTreeMap<Kind, usize>);

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::OwnReadWrite => "own field, read-write",
            Kind::OwnWriteWrite => "own field, write-write",
            Kind::Held => "state of an object held in a field",
            Kind::HeldOwnKind => "held object of the class's own kind",
            Kind::ArgumentOwnKind => "argument of the class's own kind",
            Kind::SharedArgument => "argument that both calls share",
            Kind::Static => "static state",
            Kind::NoEvidence => "without evidence",
            Kind::LockOfHeld => "double lock through a held object",
            Kind::LockOfArgument => "double lock through an argument",
            Kind::LockOfClass => "double lock with a static lock",
        }
    }

    /// The kind of an M_pc pair.
    pub(super) fn of_conflict(facts: &ClassFacts, pair: &PairFacts) -> Kind {
        let accesses = pair.conflict.and_then(|conflict| {
            let first = facts
                .methods
                .get(pair.first)?
                .accesses
                .get(conflict.first_access)?;
            let second = facts
                .methods
                .get(pair.second)?
                .accesses
                .get(conflict.second_access)?;
            Some((first, second))
        });
        accesses.map_or(Kind::NoEvidence, |(first, second)| of_accesses(first, second))
    }

    /// The kind of an M_d pair.
    pub(super) fn of_crossing(facts: &ClassFacts, pair: &PairFacts) -> Kind {
        let locks = pair.double_lock.and_then(|crossing| {
            let first = facts
                .methods
                .get(pair.first)?
                .double_locks
                .get(crossing.first_lock)?;
            let second = facts
                .methods
                .get(pair.second)?
                .double_locks
                .get(crossing.second_lock)?;
            Some([&first.first, &first.second, &second.first, &second.second])
        });
        let Some(locks) = locks else {
            return Kind::NoEvidence;
        };
        let roots = locks.map(|lock| Root::of(lock));
        if roots.contains(&Root::Static) {
            Kind::LockOfClass
        } else if roots.contains(&Root::Other) {
            Kind::LockOfArgument
        } else {
            Kind::LockOfHeld
        }
    }
}

impl Kinds {
    pub(super) fn of<'a>(facts: &ClassFacts, pairs: impl Iterator<Item = &'a PairFacts>) -> Kinds {
        let mut kinds = Kinds::default();
        for pair in pairs {
            if pair.mpc {
                kinds.count(Kind::of_conflict(facts, pair));
            }
            if pair.double_lock.is_some() {
                kinds.count(Kind::of_crossing(facts, pair));
            }
        }
        kinds
    }

    fn count(&mut self, kind: Kind) {
        *self.0.entry(kind).or_default() += 1;
    }

    /// `own field, read-write 12; static state 3`.
    pub(super) fn words(&self) -> String {
        let each: Vec<String> = self
            .0
            .iter()
            .map(|(kind, count)| format!("{} {count}", kind.name()))
            .collect();
        each.join("; ")
    }
}

fn of_accesses(first: &Access, second: &Access) -> Kind {
    match (Root::of(&first.location), Root::of(&second.location)) {
        (Root::Static, _) | (_, Root::Static) => Kind::Static,
        (Root::Other, Root::Other) => Kind::SharedArgument,
        (Root::Other, Root::This) | (Root::This, Root::Other) => Kind::ArgumentOwnKind,
        (Root::This, Root::This) => match (is_held_state(&first.location), is_held_state(&second.location)) {
            (true, true) => Kind::Held,
            (true, false) | (false, true) => Kind::HeldOwnKind,
            (false, false) if first.kind == AccessKind::Write && second.kind == AccessKind::Write => {
                Kind::OwnWriteWrite
            }
            (false, false) => Kind::OwnReadWrite,
        },
    }
}

/// What a location or lock starts at.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Root {
    This,
    Static,
    /// An argument, or an object that came from somewhere unknown.
    Other,
}

impl Root {
    fn of(location: &str) -> Root {
        let end = location.find(['.', '[', ' ']).unwrap_or(location.len());
        let name = &location[..end];
        if name == "this" {
            Root::This
        } else if name.contains('$') || name.starts_with(char::is_uppercase) {
            // A class name; parameters begin with a small letter.
            Root::Static
        } else {
            Root::Other
        }
    }
}

/// Whether a location of `this` is beyond its fields and their elements: `this.map.*`, `this.next.value`.
fn is_held_state(location: &str) -> bool {
    location.matches('.').count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_told_from_their_names() {
        for (location, is_this, is_static) in [
            ("this", true, false),
            ("this.count", true, false),
            ("this[]", true, false),
            ("Day.FORMAT.*", false, true),
            ("Map$Entry.x", false, true),
            ("Day.class", false, true),
            ("o.size", false, false),
            ("?Vector.elementData[]", false, false),
        ] {
            let root = Root::of(location);
            assert_eq!(
                (root == Root::This, root == Root::Static),
                (is_this, is_static),
                "{location}"
            );
        }
    }

    #[test]
    fn a_field_and_its_elements_are_own_state() {
        assert!(!is_held_state("this.table"));
        assert!(!is_held_state("this.table[]"));
        assert!(is_held_state("this.map.*"));
        assert!(is_held_state("this.table[].next"));
    }
}
