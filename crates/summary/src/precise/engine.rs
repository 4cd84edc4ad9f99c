//! Method summaries for a whole program: computed on demand, shared between classes and threads.
//!
//! A request interprets the method with empty summaries for callees not seen yet, queues those, and re-interprets
//! callers whenever a callee's summary changes, newest first, until nothing changes. Recursion needs no special care
//! that way, the stack stays shallow, and the answer does not depend on which class was asked about first.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError, RwLock};

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_program::{ClassId, FieldId, MethodId, Program, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use super::fields::{FieldFacts, FieldTable};
use super::interp::{Interp, Lookup};
use super::models;
use super::path::{Path, Root, Step};
use super::summary::{Key, Site, SiteOrder, Summary};
use super::value::Item;

/// What a field can hold.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    Anything,
    Array,
    Object(ClassId),
}

/// Everything that does not depend on the class under test.
pub(crate) struct Engine<'p> {
    pub(crate) program: &'p Program,
    fields: FieldTable,
    cache: RwLock<FxHashMap<Key, Arc<Summary>>>,
    value_types: FxHashSet<ClassId>,
    callbacks: RwLock<FxHashMap<ClassId, bool>>,
    object_methods: Vec<(Symbol, Symbol)>,
    query_methods: Vec<(ClassId, Symbol, Symbol)>,
}

/// A body re-interpreted this often is left as it is; recursion over access paths settles in a handful.
const MAX_RUNS: u8 = 24;

impl<'p> Engine<'p> {
    pub(crate) fn new(program: &'p Program) -> Engine<'p> {
        let method = |(name, descriptor): (&str, &str)| (program.symbol(name), program.symbol(descriptor));
        let query = |(class, name, descriptor): (&str, &str, &str)| {
            (program.class_id(class), program.symbol(name), program.symbol(descriptor))
        };
        Engine {
            program,
            fields: FieldTable::default(),
            cache: RwLock::default(),
            value_types: models::VALUE_TYPES.iter().map(|name| program.class_id(name)).collect(),
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
        Solver { engine: self, index: FxHashMap::default(), nodes: Vec::new(), dirty: BTreeSet::new(), current: 0 }
            .solve(key)
    }

    fn cached(&self, key: &Key) -> Option<Arc<Summary>> {
        self.cache.read().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    pub(crate) fn field_facts(&self, field: FieldId) -> FieldFacts {
        self.fields.facts(self.program, field)
    }

    pub(crate) fn is_value_type(&self, class: ClassId) -> bool {
        self.value_types.contains(&class)
    }

    pub(crate) fn is_platform(&self, class: ClassId) -> bool {
        self.program.class(class).is_some_and(raddle_program::Class::is_platform)
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
        self.program.method(method).is_some_and(|(_, method)| method.access.is_static())
    }

    /// Parameters, receiver included.
    pub(crate) fn parameter_count(&self, method: MethodId) -> usize {
        let Some((_, declared)) = self.program.method(method) else { return 0 };
        let count = MethodType::parse(self.program.text(declared.descriptor)).map_or(0, |t| t.parameters.len());
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
        self.program.text(self.program.field(field).descriptor).starts_with(['L', '['])
    }

    /// Whether a type is there to be implemented by clients and called back.
    pub(crate) fn is_callback(&self, class: ClassId) -> bool {
        if let Some(&known) = self.callbacks.read().unwrap_or_else(PoisonError::into_inner).get(&class) {
            return known;
        }
        let program = self.program;
        let answer = models::is_callback_root(program.internal_name(class))
            || (program.class(class).is_some_and(|class| class.access().is_interface())
                && program
                    .all_interfaces(class)
                    .into_iter()
                    .any(|parent| program.internal_name(parent) == "java/util/EventListener"));
        self.callbacks.write().unwrap_or_else(PoisonError::into_inner).insert(class, answer);
        answer
    }

    /// `equals`, `hashCode`, `toString` and `compareTo`.
    pub(crate) fn object_methods(&self) -> Vec<(Symbol, Symbol)> {
        self.object_methods.clone()
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

    fn is_open_interface(&self, class: ClassId) -> bool {
        self.program.class(class).is_none_or(|class| class.access().is_interface())
    }

    fn is_final(&self, class: ClassId) -> bool {
        self.program.class(class).is_some_and(|class| class.access().is_final())
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

impl SiteOrder for Engine<'_> {
    fn is_before(&self, left: Site, right: Site) -> bool {
        let key = |site: Site| (self.program.internal_name(site.0.class), site.0.index, site.1);
        key(left) < key(right)
    }
}

struct Node {
    key: Key,
    summary: Arc<Summary>,
    callers: FxHashSet<usize>,
    runs: u8,
}

struct Solver<'e, 'p> {
    engine: &'e Engine<'p>,
    index: FxHashMap<Key, usize>,
    nodes: Vec<Node>,
    dirty: BTreeSet<usize>,
    current: usize,
}

impl Solver<'_, '_> {
    fn solve(mut self, root: Key) -> Arc<Summary> {
        self.node(root);
        while let Some(next) = self.dirty.pop_last() {
            self.current = next;
            let engine = self.engine;
            let key = self.nodes[next].key;
            let summary = Interp::summarize(engine, &mut self, key);
            let node = &mut self.nodes[next];
            node.runs += 1;
            if std::env::var("RDBG").is_ok() {
                let t: usize = self.nodes.iter().map(|n| n.runs as usize).sum();
                if t % 3000 == 0 { let n=&self.nodes[next]; eprintln!("t {} nodes {} dirty {} root {} now {}.{} acc {} opens {} nested {}", t, self.nodes.len(), self.dirty.len(), crate::place::signature(self.engine.program, root.method), self.engine.program.name(n.key.method.class), crate::place::signature(self.engine.program, n.key.method), n.summary.accesses.len(), n.summary.opens.len(), n.summary.nested.len()); }
            }
            let node = &mut self.nodes[next];
            if *node.summary != summary {
                node.summary = Arc::new(summary);
                let callers: Vec<usize> = node.callers.iter().copied().collect();
                for caller in callers {
                    if self.nodes[caller].runs < MAX_RUNS {
                        self.dirty.insert(caller);
                    }
                }
            }
        }
        if std::env::var("RDBG").is_ok() && self.nodes.len() > 200 {
            let total: usize = self.nodes.iter().map(|n| n.runs as usize).sum();
            eprintln!("root {} nodes {} runs {}", self.engine.program.name(root.method.class), self.nodes.len(), total);
            let mut v: Vec<_> = self.nodes.iter().collect();
            v.sort_by_key(|n| std::cmp::Reverse(n.summary.accesses.len() + n.summary.opens.len()));
            for o in v[0].summary.opens.iter().take(60) { eprintln!("      open {:?} {} {}.{}", o.receiver.steps().len(), match o.receiver.root { Root::Param(i) => format!("P{i}"), Root::Static(_) => "S".into(), Root::Unknown(c) => format!("?{}", self.engine.program.name(c)) }, self.engine.program.name(o.declared), self.engine.program.text(o.name)); }
            for n in v.iter().take(8) { eprintln!("   acc {} opens {} nested {} stores {} runs {} {} {}", n.summary.accesses.len(), n.summary.opens.len(), n.summary.nested.len(), n.summary.stores.len(), n.runs, self.engine.program.name(n.key.method.class), crate::place::signature(self.engine.program, n.key.method)); }
            v.sort_by_key(|n| std::cmp::Reverse(n.runs));
            for n in v.iter().take(8) { eprintln!("   runs {} {} {}", n.runs, self.engine.program.name(n.key.method.class), crate::place::signature(self.engine.program, n.key.method)); }
        }
        let mut cache = self.engine.cache.write().unwrap_or_else(PoisonError::into_inner);
        for node in &self.nodes {
            cache.entry(node.key).or_insert_with(|| Arc::clone(&node.summary));
        }
        drop(cache);
        Arc::clone(&self.nodes[0].summary)
    }

    fn node(&mut self, key: Key) -> usize {
        if let Some(&known) = self.index.get(&key) {
            return known;
        }
        let number = self.nodes.len();
        self.nodes.push(Node { key, summary: Arc::default(), callers: FxHashSet::default(), runs: 0 });
        self.index.insert(key, number);
        self.dirty.insert(number);
        number
    }
}

impl Lookup for Solver<'_, '_> {
    fn summary(&mut self, key: Key) -> Arc<Summary> {
        if let Some(known) = self.engine.cached(&key) {
            return known;
        }
        let number = self.node(key);
        let current = self.current;
        self.nodes[number].callers.insert(current);
        Arc::clone(&self.nodes[number].summary)
    }
}
