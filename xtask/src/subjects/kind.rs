//! Why a pair is dependent, told from its evidence.

use std::collections::BTreeMap;

use raddle_summary::{Access, AccessKind, ClassFacts, PairFacts};

/// Where two calls meet, and how. In the order of the report.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    OwnReadWrite,
    OwnWriteWrite,
    Held,
    HeldAlike,
    ArgumentAlike,
    SharedArgument,
    ElsewhereAlike,
    SharedElsewhere,
    Static,
    NoEvidence,
    LockOfHeld,
    LockOfArgument,
    LockOfElsewhere,
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
            Kind::HeldAlike => "held object of the class's own kind",
            Kind::ArgumentAlike => "argument of the class's own kind",
            Kind::SharedArgument => "argument that both calls share",
            Kind::ElsewhereAlike => "object from elsewhere of the class's own kind",
            Kind::SharedElsewhere => "object from elsewhere that both calls reach",
            Kind::Static => "static state",
            Kind::NoEvidence => "without evidence",
            Kind::LockOfHeld => "double lock through a held object",
            Kind::LockOfArgument => "double lock through an argument",
            Kind::LockOfElsewhere => "double lock through an object from elsewhere",
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
        } else if roots.contains(&Root::Elsewhere) {
            Kind::LockOfElsewhere
        } else if roots.contains(&Root::Argument) {
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
    use Root::{Argument, Elsewhere, Static, This};
    match (Root::of(&first.location), Root::of(&second.location)) {
        (Static, _) | (_, Static) => Kind::Static,
        (Elsewhere, This) | (This, Elsewhere) => Kind::ElsewhereAlike,
        (Elsewhere, _) | (_, Elsewhere) => Kind::SharedElsewhere,
        (Argument, Argument) => Kind::SharedArgument,
        (Argument, This) | (This, Argument) => Kind::ArgumentAlike,
        (This, This) => match (held_field(&first.location), held_field(&second.location)) {
            (Some(_), Some(_)) => Kind::Held,
            (Some(field), None) if field == second.location => Kind::Held,
            (None, Some(field)) if field == first.location => Kind::Held,
            (Some(_), None) | (None, Some(_)) => Kind::HeldAlike,
            (None, None) if first.kind == AccessKind::Write && second.kind == AccessKind::Write => {
                Kind::OwnWriteWrite
            }
            (None, None) => Kind::OwnReadWrite,
        },
    }
}

/// What a location or lock starts at.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Root {
    This,
    Static,
    Argument,
    /// Neither: the result of a call, an element of a collection.
    Elsewhere,
}

impl Root {
    fn of(location: &str) -> Root {
        let end = location.find(['.', '[', ' ']).unwrap_or(location.len());
        let name = &location[..end];
        if name == "this" {
            Root::This
        } else if name.starts_with('?') {
            Root::Elsewhere
        } else if name.contains('$') || name.starts_with(char::is_uppercase) {
            // A class name; parameters begin with a small letter.
            Root::Static
        } else {
            Root::Argument
        }
    }
}

/// The field of `this` whose object a location lies in: `this.map` of `this.map.*`, nothing of `this.table[]`.
fn held_field(location: &str) -> Option<&str> {
    let (end, _) = location.match_indices('.').nth(1)?;
    Some(location[..end].trim_end_matches("[]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_told_from_their_names() {
        for (location, expected) in [
            ("this", Root::This),
            ("this.count", Root::This),
            ("this[]", Root::This),
            ("Day.FORMAT.*", Root::Static),
            ("Map$Entry.x", Root::Static),
            ("Day.class", Root::Static),
            ("o.size", Root::Argument),
            ("?Vector.elementData[]", Root::Elsewhere),
        ] {
            assert_eq!(Root::of(location), expected, "{location}");
        }
    }

    #[test]
    fn a_field_and_its_elements_are_own_state() {
        assert_eq!(held_field("this.table"), None);
        assert_eq!(held_field("this.table[]"), None);
        assert_eq!(held_field("this.map.*"), Some("this.map"));
        assert_eq!(held_field("this.table[].next"), Some("this.table"));
    }
}
