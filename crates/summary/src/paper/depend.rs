//! DepCon+ Definitions 7, 8 and 10: conflict, parallel and double-lock dependency, and from them M_pc and M_d.

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_program::{ClassId, MethodId, Program, Symbol};
use rustc_hash::FxHashMap;

use super::MethodSummary;
use super::path::{Path, Root, Step};
use crate::facts::{AccessKind, Conflict, Counts, Crossing, PairFacts};

/// Every pair with at least one dependency, and how many there are.
pub(super) fn pairs(
    program: &Program,
    class: ClassId,
    methods: &[MethodSummary],
) -> (Vec<PairFacts>, Counts) {
    let accesses = Accesses::new(methods);
    let mut crossings = Crossings::new(program, class, methods);
    let mut pairs = Vec::new();
    let mut counts = Counts {
        m: methods.len() * (methods.len() + 1) / 2,
        mpc: 0,
        md: 0,
        union: 0,
    };
    for first in 0..methods.len() {
        for second in first..methods.len() {
            let conflict = accesses.conflict(methods, first, second);
            let parallel = parallel(methods, first, second);
            let double_lock = crossings.crossing(first, second);
            let mpc = conflict.is_some() && parallel;
            counts.mpc += usize::from(mpc);
            counts.md += usize::from(double_lock.is_some());
            counts.union += usize::from(mpc || double_lock.is_some());
            if conflict.is_some() || parallel || double_lock.is_some() {
                pairs.push(PairFacts {
                    first,
                    second,
                    conflict,
                    parallel,
                    double_lock,
                    mpc,
                });
            }
        }
    }
    (pairs, counts)
}

/// Definition 8. A lock that starts at a parameter is the same lock only in the same method.
fn parallel(methods: &[MethodSummary], first: usize, second: usize) -> bool {
    let (Some(left), Some(right)) = (methods.get(first), methods.get(second)) else {
        return true;
    };
    !left.locks.iter().any(|lock| {
        let comparable = first == second || !matches!(lock.root, Root::Param(_));
        comparable && right.locks.contains(lock)
    })
}

/// Definition 7.
struct Accesses {
    /// Per method: location numbers read and written, each with the access, sorted.
    reads: Vec<Vec<(usize, usize)>>,
    writes: Vec<Vec<(usize, usize)>>,
}

impl Accesses {
    fn new(methods: &[MethodSummary]) -> Accesses {
        let mut numbers: FxHashMap<Path, usize> = FxHashMap::default();
        let mut collect = |kind: AccessKind| -> Vec<Vec<(usize, usize)>> {
            methods
                .iter()
                .map(|method| {
                    let mut found: Vec<(usize, usize)> = Vec::new();
                    for (at, access) in method.accesses.iter().enumerate().filter(|(_, a)| a.kind == kind) {
                        let next = numbers.len();
                        found.push((*numbers.entry(access.location.identity()).or_insert(next), at));
                    }
                    found.sort_unstable();
                    found
                })
                .collect()
        };
        Accesses {
            reads: collect(AccessKind::Read),
            writes: collect(AccessKind::Write),
        }
    }

    /// The evidence is, if there is one, a pair with the very same location, and of those the first.
    fn conflict(&self, methods: &[MethodSummary], first: usize, second: usize) -> Option<Conflict> {
        let exact = |left: usize, right: usize| {
            let location = |method: usize, access: usize| {
                methods
                    .get(method)
                    .and_then(|method| method.accesses.get(access))
                    .map(|access| access.location)
            };
            location(first, left) == location(second, right)
        };
        let write_read = common(self.writes.get(first)?, self.reads.get(second)?);
        let read_write = common(self.reads.get(first)?, self.writes.get(second)?);
        let best = write_read
            .chain(read_write)
            .min_by_key(|&(left, right)| (!exact(left, right), left, right));
        best.map(|(first_access, second_access)| Conflict {
            kind: crate::facts::ConflictKind::ReadWrite,
            first_access,
            second_access,
        })
    }
}

/// The accesses of two sorted lists that have the same location number.
fn common<'a>(
    left: &'a [(usize, usize)],
    right: &'a [(usize, usize)],
) -> impl Iterator<Item = (usize, usize)> + 'a {
    left.iter().flat_map(move |&(location, access)| {
        let from = right.partition_point(|&(other, _)| other < location);
        right
            .iter()
            .skip(from)
            .take_while(move |&&(other, _)| other == location)
            .map(move |&(_, other)| (access, other))
    })
}

/// What `≐` looks at: the class of a lock object, or the lock itself where that says nothing.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum LockType {
    Object(ClassId),
    Array(Symbol),
    /// A class identifier, which can be replaced by nothing else.
    Class(ClassId),
    Untyped(Path),
}

/// Definition 10.
struct Crossings<'p> {
    compatible: Compatible<'p>,
    /// The distinct pairs of lock types, in order of first occurrence.
    types: Vec<(LockType, LockType)>,
    /// Per method: numbers of the type pairs in DS(m), sorted, each with the first double lock that has it.
    nested: Vec<Vec<(usize, usize)>>,
    /// Per method: which set of type pairs it has. Methods often share them.
    sets: Vec<usize>,
    /// The type pairs that cross, by the two methods' sets.
    known: FxHashMap<(usize, usize), Option<(usize, usize)>>,
}

impl<'p> Crossings<'p> {
    fn new(program: &'p Program, class: ClassId, methods: &[MethodSummary]) -> Crossings<'p> {
        let mut numbers: FxHashMap<(LockType, LockType), usize> = FxHashMap::default();
        let mut set_numbers: FxHashMap<Vec<usize>, usize> = FxHashMap::default();
        let mut types = Vec::new();
        let mut nested = Vec::new();
        let mut sets = Vec::new();
        for method in methods {
            let mut found: Vec<(usize, usize)> = Vec::new();
            for (at, nested) in method.nested.iter().enumerate() {
                let outer = lock_type(program, class, method.id, &nested.outer.lock);
                let inner = lock_type(program, class, method.id, &nested.inner.lock);
                let number = *numbers.entry((outer, inner)).or_insert_with(|| {
                    types.push((outer, inner));
                    types.len() - 1
                });
                found.push((number, at));
            }
            found.sort_unstable();
            found.dedup_by_key(|(number, _)| *number);
            let set: Vec<usize> = found.iter().map(|&(number, _)| number).collect();
            let next = set_numbers.len();
            sets.push(*set_numbers.entry(set).or_insert(next));
            nested.push(found);
        }
        let compatible = Compatible {
            program,
            known: FxHashMap::default(),
        };
        Crossings {
            compatible,
            types,
            nested,
            sets,
            known: FxHashMap::default(),
        }
    }

    fn crossing(&mut self, first: usize, second: usize) -> Option<Crossing> {
        let (left, right) = (self.nested.get(first)?, self.nested.get(second)?);
        let sets = (*self.sets.get(first)?, *self.sets.get(second)?);
        let (types, compatible) = (&self.types, &mut self.compatible);
        let crossing = *self.known.entry(sets).or_insert_with(|| {
            left.iter().find_map(|&(p, _)| {
                let &(a, b) = types.get(p)?;
                right.iter().find_map(|&(q, _)| {
                    let &(c, d) = types.get(q)?;
                    (compatible.holds(a, d) && compatible.holds(b, c)).then_some((p, q))
                })
            })
        });
        let (p, q) = crossing?;
        let lock_of = |nested: &[(usize, usize)], number: usize| {
            let at = nested.binary_search_by_key(&number, |&(number, _)| number).ok()?;
            nested.get(at).map(|&(_, lock)| lock)
        };
        Some(Crossing {
            first_lock: lock_of(left, p)?,
            second_lock: lock_of(right, q)?,
        })
    }
}

/// The compatible relation `≐`.
struct Compatible<'p> {
    program: &'p Program,
    known: FxHashMap<(LockType, LockType), bool>,
}

impl Compatible<'_> {
    fn holds(&mut self, left: LockType, right: LockType) -> bool {
        if left == right {
            return true;
        }
        let program = self.program;
        *self
            .known
            .entry((left, right))
            .or_insert_with(|| match (left, right) {
                (LockType::Object(left), LockType::Object(right)) => {
                    // A missing class that hides the answer might make it yes.
                    program.is_subtype(left, right).unwrap_or(true)
                        || program.is_subtype(right, left).unwrap_or(true)
                }
                (LockType::Object(object), LockType::Array(_))
                | (LockType::Array(_), LockType::Object(object)) => object == program.object(),
                _ => false,
            })
    }
}

/// The class of a lock: the class under test for `this`, else the declared type of the parameter or field.
fn lock_type(program: &Program, class: ClassId, method: MethodId, lock: &Path) -> LockType {
    let elements = lock
        .steps()
        .rev()
        .take_while(|step| *step == Step::Element)
        .count();
    let descriptor = match (lock.without_elements().last(), lock.root) {
        (Some(Step::Field(field)), _) | (None, Root::Static(field)) => {
            Some(program.text(program.field(field).descriptor))
        }
        (None, Root::This) => return LockType::Object(class),
        (None, Root::Class(class)) => return LockType::Class(class),
        (None, Root::Param(index)) => return parameter_type(program, method, index, elements, lock),
        (Some(Step::Element), _) => None,
    };
    let parsed = descriptor.and_then(|descriptor| FieldType::parse(descriptor).ok());
    parsed.map_or(LockType::Untyped(*lock), |declared| {
        typed(program, declared, elements, lock)
    })
}

fn parameter_type(program: &Program, method: MethodId, index: u16, elements: usize, lock: &Path) -> LockType {
    let declared = program.method(method).and_then(|(_, method)| {
        let types = MethodType::parse(program.text(method.descriptor)).ok()?;
        let position = usize::from(index).checked_sub(usize::from(!method.access.is_static()))?;
        types.parameters.into_iter().nth(position)
    });
    declared.map_or(LockType::Untyped(*lock), |declared| {
        typed(program, declared, elements, lock)
    })
}

/// The type `elements` dimensions below `declared`.
fn typed(program: &Program, declared: FieldType<'_>, elements: usize, lock: &Path) -> LockType {
    let mut current = declared;
    for _ in 0..elements {
        current = match current {
            FieldType::Array(element) => match FieldType::parse(element) {
                Ok(element) => element,
                Err(_) => return LockType::Untyped(*lock),
            },
            _ => return LockType::Untyped(*lock),
        };
    }
    match current {
        FieldType::Object(name) => LockType::Object(program.class_id(name)),
        FieldType::Array(element) => LockType::Array(program.symbol(element)),
        _ => LockType::Untyped(*lock),
    }
}
