//! What is known of a program apart from the class under test: summaries, field facts, types. Shared between threads.

use std::sync::{Arc, PoisonError, RwLock};

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_program::{ClassId, FieldId, MethodId, Program, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use super::fields::{FieldFacts, FieldTable};
use super::interp::Interp;
use super::library_contracts;
use super::path::{FieldShapes, Path, Root, Step};
use super::solver::Solver;
use super::summary::{Key, Site, SiteOrder, Summary};
use super::value::Item;

/// What a field can hold.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    Anything,
    Array,
    Object(ClassId),
}

/// Summaries kept. Forgetting them costs time and changes nothing: they come out the same again.
const MAX_CACHED: usize = 120_000;

/// Everything that does not depend on the class under test.
pub(crate) struct Engine<'p> {
    pub(crate) program: &'p Program,
    fields: FieldTable,
    cache: RwLock<FxHashMap<Key, Arc<Summary>>>,
    /// Methods below which there are too many others.
    large: RwLock<FxHashSet<Key>>,
    value_types: FxHashSet<ClassId>,
    callbacks: RwLock<FxHashMap<ClassId, bool>>,
    object_methods: Vec<(Symbol, Symbol)>,
    query_methods: Vec<(ClassId, Symbol, Symbol)>,
}

impl<'p> Engine<'p> {
    pub(crate) fn new(program: &'p Program) -> Engine<'p> {
        let method = |(name, descriptor): (&str, &str)| (program.symbol(name), program.symbol(descriptor));
        let query = |(class, name, descriptor): (&str, &str, &str)| {
            (
                program.class_id(class),
                program.symbol(name),
                program.symbol(descriptor),
            )
        };
        Engine {
            program,
            fields: FieldTable::default(),
            cache: RwLock::default(),
            large: RwLock::default(),
            value_types: library_contracts::VALUE_TYPES
                .iter()
                .map(|name| program.class_id(name))
                .collect(),
            callbacks: RwLock::default(),
            object_methods: [
                ("toString", "()Ljava/lang/String;"),
                ("equals", "(Ljava/lang/Object;)Z"),
                ("hashCode", "()I"),
                ("compareTo", "(Ljava/lang/Object;)I"),
            ]
            .map(method)
            .to_vec(),
            query_methods: [
                ("java/util/Collection", "size", "()I"),
                ("java/util/Collection", "isEmpty", "()Z"),
                ("java/util/Collection", "iterator", "()Ljava/util/Iterator;"),
                ("java/util/Collection", "toArray", "()[Ljava/lang/Object;"),
                ("java/util/Collection", "contains", "(Ljava/lang/Object;)Z"),
                ("java/util/Map", "size", "()I"),
                ("java/util/Map", "isEmpty", "()Z"),
                ("java/util/Map", "entrySet", "()Ljava/util/Set;"),
                ("java/util/Map", "keySet", "()Ljava/util/Set;"),
                ("java/util/Map", "get", "(Ljava/lang/Object;)Ljava/lang/Object;"),
                ("java/util/Map", "containsKey", "(Ljava/lang/Object;)Z"),
            ]
            .map(query)
            .to_vec(),
        }
    }

    /// The settled summary of a method.
    pub(crate) fn summary(&self, key: Key) -> Arc<Summary> {
        if let Some(known) = self.cached(&key) {
            return known;
        }
        Solver::new(self).solve(key)
    }

    /// The same, unless that takes a look at more methods than these which nobody has looked at yet. What is too much once
    /// is not tried again.
    pub(crate) fn summary_within(&self, key: Key, methods: usize) -> Option<Arc<Summary>> {
        if let Some(known) = self.cached(&key) {
            return Some(known);
        }
        let is_known = |large: &FxHashSet<Key>| large.contains(&key);
        if is_known(&self.large.read().unwrap_or_else(PoisonError::into_inner)) {
            return None;
        }
        let summary = Solver::new(self).solve_within(key, methods);
        if summary.is_none() {
            let mut large = self.large.write().unwrap_or_else(PoisonError::into_inner);
            large.insert(key);
        }
        summary
    }

    /// Adds settled summaries; the first to arrive stays, and all are equal.
    pub(crate) fn settle(&self, summaries: impl Iterator<Item = (Key, Arc<Summary>)>) {
        let mut cache = self.cache.write().unwrap_or_else(PoisonError::into_inner);
        if cache.len() > MAX_CACHED {
            cache.clear();
        }
        for (key, summary) in summaries {
            cache.entry(key).or_insert(summary);
        }
    }

    pub(crate) fn cached(&self, key: &Key) -> Option<Arc<Summary>> {
        self.cache
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(key)
            .cloned()
    }

    pub(crate) fn field_facts(&self, field: FieldId) -> FieldFacts {
        self.fields.facts(self.program, field)
    }

    pub(crate) fn is_value_type(&self, class: ClassId) -> bool {
        self.value_types.contains(&class)
    }

    pub(crate) fn is_platform(&self, class: ClassId) -> bool {
        self.program
            .class(class)
            .is_some_and(raddle_program::Class::is_platform)
    }

    /// Whether `there` is part of the platform and neither in the same top-level class as `here` nor above it.
    pub(crate) fn is_foreign_platform(&self, here: ClassId, there: ClassId) -> bool {
        self.is_platform(there)
            && top_level(self.program.internal_name(here)) != top_level(self.program.internal_name(there))
            && self.program.is_subtype(here, there) != Some(true)
    }

    /// A static field that only the compiler knows of: a cached class literal, an enum's switch table, assertions.
    pub(crate) fn is_compiler_cache(&self, field: FieldId) -> bool {
        let name = self.program.text(self.program.field(field).name);
        name.starts_with("class$") || name.starts_with("array$") || name.starts_with('$')
    }

    pub(crate) fn is_static(&self, method: MethodId) -> bool {
        self.program
            .method(method)
            .is_some_and(|(_, method)| method.access.is_static())
    }

    /// Parameters, receiver included.
    pub(crate) fn parameter_count(&self, method: MethodId) -> usize {
        let Some((_, declared)) = self.program.method(method) else {
            return 0;
        };
        let count =
            MethodType::parse(self.program.text(declared.descriptor)).map_or(0, |t| t.parameters.len());
        count + usize::from(!declared.access.is_static())
    }

    /// Declared class of a field that holds an object (not an array).
    pub(crate) fn field_class(&self, field: FieldId) -> Option<ClassId> {
        let descriptor = self.program.text(self.program.field(field).descriptor);
        match FieldType::parse(descriptor) {
            Ok(FieldType::Object(name)) => Some(self.program.class_id(name)),
            _ => None,
        }
    }

    pub(crate) fn is_reference(&self, field: FieldId) -> bool {
        self.program
            .text(self.program.field(field).descriptor)
            .starts_with(['L', '['])
    }

    /// Whether a type is there to be implemented by clients and called back.
    pub(crate) fn is_callback(&self, class: ClassId) -> bool {
        if let Some(&known) = self
            .callbacks
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&class)
        {
            return known;
        }
        let program = self.program;
        let answer = library_contracts::is_callback_root(program.internal_name(class))
            || (program
                .class(class)
                .is_some_and(|class| class.access().is_interface())
                && program
                    .all_interfaces(class)
                    .into_iter()
                    .any(|parent| program.internal_name(parent) == "java/util/EventListener"));
        self.callbacks
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(class, answer);
        answer
    }

    /// `equals`, `hashCode`, `toString` and `compareTo`.
    pub(crate) fn object_methods(&self) -> Vec<(Symbol, Symbol)> {
        self.object_methods.clone()
    }

    /// The descriptor of no method: stands for what an open `equals` or `compareTo` does to its argument.
    pub(crate) fn compared(&self) -> Symbol {
        self.program.symbol("compared")
    }

    pub(crate) fn is_object_method(&self, name: Symbol, descriptor: Symbol) -> bool {
        self.object_methods.contains(&(name, descriptor))
    }

    pub(crate) fn to_string(&self) -> Option<(Symbol, Symbol)> {
        self.object_methods.first().copied()
    }

    /// Methods that reading a collection may call.
    pub(crate) fn query_methods(&self) -> Vec<(ClassId, Symbol, Symbol)> {
        self.query_methods.clone()
    }

    /// Class of the object at a path of a method, as far as declarations tell.
    pub(crate) fn path_class(&self, key: Key, path: Path) -> Option<ClassId> {
        match path.last() {
            Some(Step::Field(field)) => self.field_facts(field).exact.or_else(|| self.field_class(field)),
            Some(Step::Element | Step::Any) => None,
            None => match path.root {
                Root::Static(field) => self.field_facts(field).exact.or_else(|| self.field_class(field)),
                Root::Unknown(class) => Some(class),
                Root::Param(index) => self.parameter_class(key, index),
            },
        }
    }

    /// Whether the object at a path is declared to be an array.
    pub(crate) fn is_array(&self, key: Key, path: Path) -> bool {
        let is_array = |field: FieldId| {
            self.program
                .text(self.program.field(field).descriptor)
                .starts_with('[')
        };
        match (path.last(), path.root) {
            (Some(Step::Field(field)), _) | (None, Root::Static(field)) => is_array(field),
            (None, Root::Param(index)) => self.parameter_class(key, index).is_none(),
            _ => false,
        }
    }

    /// A platform type that code outside the platform may extend or implement.
    pub(crate) fn is_extensible_platform(&self, class: ClassId) -> bool {
        let name = self.program.internal_name(class);
        (name.starts_with("java/") || name.starts_with("javax/")) && self.is_platform(class)
    }

    fn parameter_class(&self, key: Key, index: u16) -> Option<ClassId> {
        let (class, method) = self.program.method(key.method)?;
        let receiver = u16::from(!method.access.is_static());
        if index < receiver {
            return Some(key.receiver.unwrap_or(class.id()));
        }
        let types = MethodType::parse(self.program.text(method.descriptor)).ok()?;
        match types.parameters.get(usize::from(index - receiver))? {
            FieldType::Object(name) => Some(self.program.class_id(name)),
            _ => None,
        }
    }

    /// Whether one object can be of both types.
    pub(crate) fn compatible(&self, left: ClassId, right: ClassId) -> bool {
        let program = self.program;
        program.is_subtype(left, right) != Some(false)
            || program.is_subtype(right, left) != Some(false)
            || (self.is_open_interface(left) && !self.is_final(right))
            || (self.is_open_interface(right) && !self.is_final(left))
    }

    /// Whether two fields of these declared types may hold one object: one type is above the other, or a class of the
    /// class path is both.
    pub(crate) fn can_be_one(&self, left: ClassId, right: ClassId) -> bool {
        let program = self.program;
        if program.is_subtype(left, right) != Some(false) || program.is_subtype(right, left) != Some(false) {
            return true;
        }
        let (interface, other) = match (self.is_open_interface(left), self.is_open_interface(right)) {
            (true, _) => (left, right),
            (_, true) => (right, left),
            _ => return false,
        };
        let both = |class: ClassId| program.is_subtype(class, other) == Some(true);
        match program.concrete_subtypes(&raddle_program::Scope::ClassPath, interface) {
            Some(classes) => classes.into_iter().any(both),
            None => self.is_open_interface(other),
        }
    }

    fn is_open_interface(&self, class: ClassId) -> bool {
        self.program
            .class(class)
            .is_none_or(|class| class.access().is_interface())
    }

    fn is_final(&self, class: ClassId) -> bool {
        self.program
            .class(class)
            .is_some_and(|class| class.access().is_final())
    }

    pub(crate) fn held_by(&self, field: FieldId) -> Holds {
        match self.field_class(field) {
            Some(class) => Holds::Object(class),
            None => Holds::Array,
        }
    }

    /// Whether something a new object refers to can be what a field holds.
    pub(crate) fn may_be(&self, interp: &Interp<'_, 'p>, item: Item, wanted: Holds) -> bool {
        let known = match item {
            Item::Path(path) => self.path_class(interp.key, path),
            Item::Fresh(number) => interp.allocs[usize::from(number)].class,
            _ => None,
        };
        match (wanted, known) {
            (Holds::Anything, _) | (_, None) => true,
            (Holds::Array, Some(class)) => class == self.program.object(),
            (Holds::Object(class), Some(known)) => self.compatible(known, class),
        }
    }
}

fn top_level(internal: &str) -> &str {
    internal.split('$').next().unwrap_or(internal)
}

impl FieldShapes for Engine<'_> {
    fn owner(&self, field: FieldId) -> ClassId {
        self.program.field(field).owner
    }

    fn is_self_typed(&self, field: FieldId) -> bool {
        let owner = self.owner(field);
        self.field_class(field).is_some_and(|class| {
            class != self.program.object()
                && !self.is_open_interface(class)
                && (self.program.is_subtype(owner, class) == Some(true)
                    || self.program.is_subtype(class, owner) == Some(true))
        })
    }
}

impl SiteOrder for Engine<'_> {
    fn is_before(&self, left: Site, right: Site) -> bool {
        let key = |site: Site| (self.program.internal_name(site.0.class), site.0.index, site.1);
        key(left) < key(right)
    }
}
