//! What each public method of a class does and holds, as the class's other methods see it: DepCon+ Definitions 7 to 10
//! over the precise summaries.
//!
//! Beyond the definitions, M_pc takes write-write conflicts too: two methods that each set two fields can leave a mixture
//! behind that neither order would (Definition 7 leaves write-write out, arguing for one variable). A lock covers a call
//! (Definition 8) if every access to state that any public method may change lies in one unbroken stretch of holding it.
//! Which pairs follow from that, `pairs` says.
//!
//! Locks and conflicts are compared in the test where they would meet: `this` of one call and `this` of the other are
//! the same lock only when both calls have the same receiver.

use raddle_program::{ClassId, FieldId, Program};
use rustc_hash::FxHashSet;

use super::bits::Bits;
use super::engine::Engine;
use super::location::Aliasing;
use super::lock::{Lock, LockBase, Protection, Section};
use super::pairs::is_compound;
use super::path::{Path, Root, Step};
use super::relations::{Relations, Table};
use super::role::{Speaker, Spot};
use super::summary::{AccessFact, Collector, Key, NestedFact, OpenCall, Site, Summary};
use crate::facts::{AccessKind, AccessMode, ClassFacts, Crossing};

/// Analyses classes of one program.
pub(crate) struct PreciseAnalyzer<'p> {
    pub(crate) engine: Engine<'p>,
}

pub(crate) struct HeldLock {
    pub(crate) spot: Option<Spot>,
    pub(crate) class_object: Option<ClassId>,
    pub(crate) shared: bool,
}

pub(crate) struct TopLock {
    pub(crate) lock: Lock,
    pub(crate) text: String,
    pub(crate) class: Option<ClassId>,
    pub(crate) class_object: Option<ClassId>,
    /// The field, when nothing else can refer to the lock object.
    pub(crate) owned_field: Option<FieldId>,
}

pub(crate) struct Method {
    pub(crate) key: Key,
    pub(crate) summary: Summary,
    /// Index into the class's table of locations, by access.
    pub(crate) places: Vec<usize>,
    pub(crate) reads: Bits,
    pub(crate) writes: Bits,
    /// Locks that cover the call, after immutable state has been set aside.
    pub(crate) cover: Vec<HeldLock>,
    pub(crate) events: usize,
    pub(crate) nested: Vec<(TopLock, TopLock, NestedFact)>,
}

impl<'p> PreciseAnalyzer<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        PreciseAnalyzer {
            engine: Engine::new(program),
        }
    }

    pub(crate) fn analyze(&self, class: ClassId) -> ClassFacts {
        let program = self.engine.program;
        let aliasing = Aliasing {
            engine: &self.engine,
            class,
        };
        let mut table = Table::default();
        let mut methods: Vec<Method> = program
            .public_methods(class)
            .into_iter()
            .map(|method| {
                let receiver = (!self.engine.is_static(method)).then_some(class);
                self.method(class, Key { method, receiver }, &mut table)
            })
            .collect();
        let relations = Relations::new(&aliasing, &table);
        let written = methods.iter().fold(Bits::default(), |mut all, method| {
            all.add(&method.writes);
            all
        });
        let mutable = relations.closure(&written);
        let changed = changed_fields(&methods);
        for method in &mut methods {
            self.cover(method, &mutable, &changed);
        }
        let pairs = self.pairs(&methods, &relations, &mutable, &changed);
        self.facts(class, &methods, &changed, pairs)
    }

    /// The summary of a public method, calls that the class itself may answer included.
    fn method(&self, class: ClassId, key: Key, table: &mut Table) -> Method {
        let engine = &self.engine;
        let base = engine.summary(key);
        let mut collector = Collector::default();
        for fact in &base.accesses {
            collector.access(engine, fact.clone());
        }
        for fact in &base.nested {
            collector.nested(engine, fact.clone());
        }
        let own_kind = self.expand(class, key, &base, &mut collector);
        let mut summary = std::mem::take(&mut collector.summary);
        summary.opaque.clone_from(&base.opaque);
        let speaker = Speaker::new(engine, key);
        // Fields of one name in two classes read alike: the place tells them apart in an order that is not of ids.
        let site = |(method, bci): Site| (engine.program.internal_name(method.class), method.index, bci);
        summary
            .accesses
            .sort_by_cached_key(|fact| (speaker.say(fact.location), fact.kind, site(fact.place), fact.via));
        let places: Vec<usize> = summary
            .accesses
            .iter()
            .map(|fact| table.number(speaker.spot(fact.location)))
            .collect();
        let (mut reads, mut writes) = (Bits::default(), Bits::default());
        for (fact, &at) in summary.accesses.iter().zip(&places) {
            match fact.kind {
                AccessKind::Read => reads.set(at),
                AccessKind::Write => writes.set(at),
            }
        }
        let mut nested: Vec<(TopLock, TopLock, NestedFact)> = summary
            .nested
            .iter()
            .map(|fact| {
                let class_for = |lock: Lock| own_kind.contains(&lock).then_some(class);
                (
                    self.top_lock(&speaker, fact.first, class_for(fact.first)),
                    self.top_lock(&speaker, fact.second, class_for(fact.second)),
                    fact.clone(),
                )
            })
            .collect();
        nested.sort_by_cached_key(|(first, second, fact)| {
            (
                first.text.clone(),
                second.text.clone(),
                site(fact.first_place),
                site(fact.second_place),
                fact.via,
            )
        });
        Method {
            key,
            summary,
            places,
            reads,
            writes,
            cover: Vec::new(),
            events: 0,
            nested,
        }
    }

    /// Answers open calls with the class under test's own methods: a Hashtable may be a key of a Hashtable. Returns the
    /// locks that are locks of such objects.
    fn expand(&self, class: ClassId, key: Key, base: &Summary, collector: &mut Collector) -> Vec<Lock> {
        let engine = &self.engine;
        let program = engine.program;
        let mut own_kind = Vec::new();
        for open in &base.opens {
            let receiver = engine.path_class(key, open.receiver).unwrap_or(program.object());
            let can_be = |declared| program.is_subtype(class, declared) != Some(false);
            if !can_be(open.declared) || !can_be(receiver) {
                continue;
            }
            let Some(method) = program.select_method(class, open.name, open.descriptor) else {
                continue;
            };
            if method.class == program.object() {
                continue;
            }
            let callee = engine.summary(Key {
                method,
                receiver: Some(class),
            });
            self.expand_locks(open, &callee, collector, &mut own_kind);
            // A call that holds the object's own lock throughout is one step to everybody else; asked for by the
            // name of Object alone, it says nothing about this class's protocol.
            if open.declared == program.object() && self.covers_itself(&callee) {
                continue;
            }
            for fact in &callee.accesses {
                if fact.location.root != Root::Param(0) {
                    continue;
                }
                let held = merge_protection(open, &fact.held);
                collector.access(
                    engine,
                    AccessFact {
                        location: open.receiver.relocate(fact.location.steps(), engine),
                        kind: fact.kind,
                        mode: fact.mode,
                        held,
                        many: fact.many || open.many,
                        place: fact.place,
                        via: open.via,
                    },
                );
            }
        }
        own_kind
    }

    fn expand_locks(
        &self,
        open: &OpenCall,
        callee: &Summary,
        collector: &mut Collector,
        own_kind: &mut Vec<Lock>,
    ) {
        let engine = &self.engine;
        for acquire in &callee.acquires {
            let Some(second) = rebase(open.receiver, acquire.lock) else {
                continue;
            };
            if acquire.lock.base == LockBase::Path(Path::param(0)) && !own_kind.contains(&second) {
                own_kind.push(second);
            }
            for (first, first_place) in &open.outer {
                let fact = NestedFact {
                    first: *first,
                    second,
                    first_place: *first_place,
                    second_place: acquire.place,
                    via: open.via,
                };
                collector.nested(engine, fact);
            }
        }
        for nested in &callee.nested {
            if let (Some(first), Some(second)) = (
                rebase(open.receiver, nested.first),
                rebase(open.receiver, nested.second),
            ) {
                collector.nested(
                    engine,
                    NestedFact {
                        first,
                        second,
                        via: open.via,
                        ..nested.clone()
                    },
                );
            }
        }
    }

    fn top_lock(&self, speaker: &Speaker<'_, '_>, lock: Lock, own: Option<ClassId>) -> TopLock {
        let (class_object, owned_field) = match lock.base {
            LockBase::Class(class) => (Some(class), None),
            LockBase::Path(path) => match path.last() {
                Some(Step::Field(field)) if self.engine.field_facts(field).owned => (None, Some(field)),
                _ => (None, None),
            },
        };
        TopLock {
            lock,
            text: speaker.say_lock(lock),
            class: own.or_else(|| speaker.lock_class(lock)),
            class_object,
            owned_field,
        }
    }

    /// LS(m) over the state that can change, and the number of separate events.
    fn cover(&self, method: &mut Method, mutable: &Bits, changed: &FxHashSet<FieldId>) {
        let speaker = Speaker::new(&self.engine, method.key);
        let mut common: Option<Vec<(Lock, Section)>> = None;
        let mut events: Vec<((raddle_program::MethodId, u32), u32)> = Vec::new();
        let mut count = 0;
        for (fact, &at) in method.summary.accesses.iter().zip(&method.places) {
            if !mutable.has(at) {
                continue;
            }
            let held: Vec<(Lock, Section)> = fact.held.to_vec();
            common = Some(match common {
                None => held,
                Some(known) => known
                    .into_iter()
                    .filter(|(lock, section)| held.iter().any(|(l, s)| l == lock && s == section))
                    .collect(),
            });
            if fact.many || is_compound(fact) {
                count += 2;
            }
            let event = (fact.place, fact.via);
            if !(fact.mode == AccessMode::Atomic && events.contains(&event)) {
                events.push(event);
                count += 1;
            }
        }
        method.events = count;
        method.cover = common
            .unwrap_or_default()
            .into_iter()
            .filter(|(lock, section)| *section != Section::REPEATED && self.is_stable(*lock, Some(changed)))
            .map(|(lock, _)| held_lock(&speaker, lock))
            .collect();
    }

    /// A lock that is the same object in both calls: its path never changes after construction.
    pub(crate) fn is_stable(&self, lock: Lock, changed: Option<&FxHashSet<FieldId>>) -> bool {
        let LockBase::Path(path) = lock.base else {
            return true;
        };
        let settled = |field: FieldId| {
            let is_final = self
                .engine
                .program
                .field(field)
                .access
                .is_some_and(raddle_classfile::AccessFlags::is_final);
            let reassigned = || match changed {
                Some(changed) => changed.contains(&field),
                None => self.engine.field_facts(field).reassigned,
            };
            is_final || !reassigned()
        };
        let root = match path.root {
            Root::Param(_) => true,
            Root::Static(field) => settled(field),
            Root::Unknown(_) => false,
        };
        root && path
            .steps()
            .iter()
            .all(|step| matches!(step, Step::Field(field) if settled(*field)))
    }

    /// Definition 10 with its evidence.
    pub(crate) fn crossing(&self, a: &Method, b: &Method) -> Option<Crossing> {
        for (first_lock, (a1, a2, fact)) in a.nested.iter().enumerate() {
            for (second_lock, (b1, b2, other)) in b.nested.iter().enumerate() {
                if (a2.lock.shared && b1.lock.shared) || (a1.lock.shared && b2.lock.shared) {
                    continue;
                }
                if self.can_be_same(a1, b2)
                    && self.can_be_same(a2, b1)
                    && !(self.descends(fact) && self.descends(other))
                {
                    return Some(Crossing {
                        first_lock,
                        second_lock,
                    });
                }
            }
        }
        None
    }

    /// The compatible relation between locks (section 4.2), sharpened for locks nobody else can refer to.
    fn can_be_same(&self, left: &TopLock, right: &TopLock) -> bool {
        if left.class_object.is_some() || right.class_object.is_some() {
            return left.class_object == right.class_object;
        }
        if left.owned_field.is_some() || right.owned_field.is_some() {
            return left.owned_field == right.owned_field;
        }
        match (left.class, right.class) {
            (Some(a), Some(b)) => {
                let program = self.engine.program;
                program.is_subtype(a, b) != Some(false) || program.is_subtype(b, a) != Some(false)
            }
            _ => true,
        }
    }

    /// The inner lock hangs below the outer one's object by fields that are set once, at construction: no two such
    /// pairs can close a circle, since each object was there before the one that holds it.
    fn descends(&self, fact: &NestedFact) -> bool {
        let (LockBase::Path(outer), LockBase::Path(inner)) = (fact.first.base, fact.second.base) else {
            return false;
        };
        let is_final = |step: &Step| {
            matches!(step, Step::Field(field)
                if self.engine.program.field(*field).access.is_some_and(raddle_classfile::AccessFlags::is_final))
        };
        let owner = match outer.steps() {
            [] => &[][..],
            // A lock object held in a final field stands for the object that holds it.
            [.., last] if is_final(last) => &outer.steps()[..outer.steps().len() - 1],
            _ => return false,
        };
        let inner_owner = match inner.steps() {
            // The same lock field of a further object.
            [.., last] if outer.steps().last() == Some(last) => &inner.steps()[..inner.steps().len() - 1],
            steps if outer.steps().is_empty() => steps,
            _ => return false,
        };
        outer.root == inner.root
            && inner_owner.len() > owner.len()
            && inner_owner.starts_with(owner)
            && inner_owner[owner.len()..].iter().all(is_final)
    }

    /// Every access of a method lies in one stretch of holding a lock of its own object.
    fn covers_itself(&self, summary: &Summary) -> bool {
        let own = |lock: &Lock| matches!(lock.base, LockBase::Path(path) if path.root == Root::Param(0));
        summary.accesses.is_empty() || self.lock_summary(summary, None).iter().any(own)
    }

    /// LS(m) as printed: locks that are held, in one stretch, at every access that is not to a final field.
    pub(crate) fn lock_summary(&self, summary: &Summary, changed: Option<&FxHashSet<FieldId>>) -> Vec<Lock> {
        let mut common: Option<Vec<(Lock, Section)>> = None;
        for fact in &summary.accesses {
            let is_final = matches!(fact.location.last(), Some(Step::Field(field))
                if self.engine.program.field(field).access.is_some_and(raddle_classfile::AccessFlags::is_final));
            if is_final && fact.kind == AccessKind::Read {
                continue;
            }
            common = Some(match common {
                None => fact.held.to_vec(),
                Some(known) => known
                    .into_iter()
                    .filter(|entry| fact.held.contains(entry))
                    .collect(),
            });
        }
        common
            .unwrap_or_default()
            .into_iter()
            .filter(|(lock, section)| *section != Section::REPEATED && self.is_stable(*lock, changed))
            .map(|(lock, _)| lock)
            .collect()
    }
}

/// A lock in terms of roles.
pub(crate) fn held_lock(speaker: &Speaker<'_, '_>, lock: Lock) -> HeldLock {
    let (spot, class_object) = match lock.base {
        LockBase::Class(class) => (None, Some(class)),
        LockBase::Path(path) => (Some(speaker.spot(path)), None),
    };
    HeldLock {
        spot,
        class_object,
        shared: lock.shared,
    }
}

/// Fields that some public method may write.
fn changed_fields(methods: &[Method]) -> FxHashSet<FieldId> {
    let writes = methods.iter().flat_map(|method| &method.summary.accesses);
    writes
        .filter(|fact| fact.kind == AccessKind::Write)
        .filter_map(|fact| match (fact.location.last(), fact.location.root) {
            (Some(Step::Field(field)), _) | (None, Root::Static(field)) => Some(field),
            _ => None,
        })
        .collect()
}

/// A lock of the class's own method, on the object an open call goes to.
fn rebase(receiver: Path, lock: Lock) -> Option<Lock> {
    match lock.base {
        LockBase::Class(_) => Some(lock),
        LockBase::Path(path) => match path.root {
            Root::Param(0) => Some(Lock {
                base: LockBase::Path(receiver.follow_all(path.steps())),
                shared: lock.shared,
            }),
            Root::Static(_) => Some(lock),
            _ => None,
        },
    }
}

fn merge_protection(open: &OpenCall, inner: &Protection) -> Protection {
    let mut held = open.held.clone();
    for (lock, section) in inner {
        if let Some(lock) = rebase(open.receiver, *lock)
            && !held.iter().any(|(known, _)| *known == lock)
        {
            let section = if open.many {
                Section::REPEATED
            } else {
                section.within_call(open.via)
            };
            held.push((lock, section));
        }
    }
    held
}
