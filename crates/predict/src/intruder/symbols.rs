//! Symbols of one call: which objects a client can choose, and how the call gets at them (Intruder section 3.1:
//! `symbol`, `controllable`, aliases, relevant locks).
//!
//! Departures from section 3.1:
//! - The paper walks all fields of the parameters when a call begins. A trace shows only the fields that the call
//!   uses, so that symbols appear when a `Read` first leads to them; nothing that the call never touches is missed.
//! - The paper gives each parameter and each of its fields a symbol of its own, even when the client passed one object
//!   twice. Steps of a trace name objects, not variables, so that one object has one symbol in one call: that of its
//!   shortest path. Every call starts anew.
//! - Static fields are roots beside the parameters.
//! - The new object of a constructor is not controllable within that constructor, because no other thread can have it.
//! - An object the call made and put into a controllable object becomes controllable, but not *given*: another thread
//!   can get at it, but no client can choose it beforehand.
//! - Paths have at most [`DEPTH`] fields. Nobody prepares the thirteenth node of a list.

use std::collections::BTreeMap;

use crate::calls::Call;
use crate::interner::Interner;
use crate::path::{AccessPath, Root};
use crate::trace::{Field, Object};

/// The longest path that is followed.
const DEPTH: usize = 12;

/// A symbol of one call.
pub(crate) type SymbolId = usize;
/// A field, by the number that [`Names`] gave it.
pub(crate) type FieldId = usize;
/// A class, by the number that [`Names`] gave it.
pub(crate) type ClassId = usize;

/// Numbers that all calls share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names<'a> {
    pub(crate) fields: Interner<&'a Field>,
    pub(crate) classes: Interner<&'a str>,
}

/// Where a path begins.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Start {
    Parameter(usize),
    Static(FieldId),
}

/// How a call gets at an object, with what lies on the way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Location {
    pub(crate) start: Start,
    pub(crate) fields: Vec<FieldId>,
    /// The classes of the objects on the way: one more than fields, the last one that of the object itself.
    pub(crate) classes: Vec<Option<ClassId>>,
    /// How many of these objects were there when the call began. The others lie behind them.
    pub(crate) given: usize,
}

impl Location {
    /// The path, or its part with the first `length` fields.
    pub(crate) fn path(&self, names: &Names, length: usize) -> AccessPath {
        AccessPath {
            root: match self.start {
                Start::Parameter(number) => Root::Parameter(number),
                Start::Static(field) => Root::Static((*names.fields.thing(field)).clone()),
            },
            fields: self.fields[..length]
                .iter()
                .map(|&field| (*names.fields.thing(field)).clone())
                .collect(),
        }
    }
}

/// How a symbol was found.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Origin {
    /// The client has no hold of it.
    Internal,
    /// The holder of the static fields of a class: not an object, but everybody's.
    Statics,
    Start(Start),
    Field(SymbolId, FieldId),
}

#[derive(Clone, Debug)]
struct Symbol {
    class: Option<ClassId>,
    origin: Origin,
    given: bool,
    allocated: bool,
}

/// The symbols of one call.
#[derive(Clone, Debug)]
pub(crate) struct Symbols<'a> {
    call: Call<'a>,
    all: Vec<Symbol>,
    of_objects: BTreeMap<Object, SymbolId>,
    of_statics: BTreeMap<&'a str, SymbolId>,
    /// What the fields that were read or written hold now; `true` if this call wrote it.
    heap: BTreeMap<(SymbolId, FieldId, Option<i32>), (SymbolId, bool)>,
}

impl<'a> Symbols<'a> {
    /// Fresh symbols for the parameters of a call.
    pub(crate) fn new(call: Call<'a>, names: &mut Names<'a>) -> Self {
        let mut symbols = Self {
            call,
            all: Vec::new(),
            of_objects: BTreeMap::new(),
            of_statics: BTreeMap::new(),
            heap: BTreeMap::new(),
        };
        for (number, object) in call.parameters.iter().enumerate() {
            let Some(object) = *object else { continue };
            if symbols.of_objects.contains_key(&object) {
                continue;
            }
            let id = symbols.of(object, names);
            if number == 0 && call.is_constructor() {
                symbols.all[id].allocated = true;
            } else {
                symbols.all[id].origin = Origin::Start(Start::Parameter(number));
                symbols.all[id].given = true;
            }
        }
        symbols
    }

    /// The symbol of an object. One that was never seen before is internal.
    pub(crate) fn of(&mut self, object: Object, names: &mut Names<'a>) -> SymbolId {
        if let Some(&known) = self.of_objects.get(&object) {
            return known;
        }
        let class = self
            .call
            .class_of(object)
            .map(|class| names.classes.number(class));
        let id = self.push(Symbol {
            class,
            origin: Origin::Internal,
            given: false,
            allocated: false,
        });
        self.of_objects.insert(object, id);
        id
    }

    /// The symbol of what holds a field: its object, or the class for a static field.
    pub(crate) fn holder(
        &mut self,
        base: Option<Object>,
        field: &'a Field,
        names: &mut Names<'a>,
    ) -> SymbolId {
        if let Some(base) = base {
            return self.of(base, names);
        }
        if let Some(&known) = self.of_statics.get(field.class.as_str()) {
            return known;
        }
        let id = self.push(Symbol {
            class: None,
            origin: Origin::Statics,
            given: true,
            allocated: false,
        });
        self.of_statics.insert(&field.class, id);
        id
    }

    /// A new object.
    pub(crate) fn allocate(&mut self, object: Object, names: &mut Names<'a>) {
        let id = self.of(object, names);
        self.all[id].allocated = true;
    }

    /// A field was read and led to an object.
    pub(crate) fn read(&mut self, holder: SymbolId, field: FieldId, index: Option<i32>, value: SymbolId) {
        let key = (holder, field, index);
        let written = self
            .heap
            .get(&key)
            .is_some_and(|&(known, written)| written && known == value);
        self.heap.insert(key, (value, written));
        self.found(holder, field, value, !written);
    }

    /// A field was written with an object.
    pub(crate) fn write(&mut self, holder: SymbolId, field: FieldId, index: Option<i32>, value: SymbolId) {
        self.heap.insert((holder, field, index), (value, true));
        self.found(holder, field, value, false);
    }

    /// Whether a client has a hold of it.
    pub(crate) fn controllable(&self, id: SymbolId) -> bool {
        self.all[id].origin != Origin::Internal
    }

    /// The relevant locks of a symbol, outermost first; the last one is the symbol itself.
    pub(crate) fn relevant(&self, id: SymbolId) -> Vec<SymbolId> {
        let mut chain = vec![id];
        let mut at = id;
        while let Origin::Field(parent, _) = self.all[at].origin {
            chain.push(parent);
            at = parent;
        }
        chain.reverse();
        chain
    }

    /// How the call gets at it; none if the client has no hold of it, and for holders of static fields.
    pub(crate) fn location(&self, id: SymbolId) -> Option<Location> {
        let chain = self.relevant(id);
        let Origin::Start(start) = self.all[*chain.first()?].origin else {
            return None;
        };
        let mut location = Location {
            start,
            fields: Vec::new(),
            classes: Vec::new(),
            given: 0,
        };
        for id in chain {
            let symbol = &self.all[id];
            if let Origin::Field(_, field) = symbol.origin {
                location.fields.push(field);
            }
            location.classes.push(symbol.class);
            location.given += usize::from(symbol.given);
        }
        Some(location)
    }

    fn push(&mut self, symbol: Symbol) -> SymbolId {
        self.all.push(symbol);
        self.all.len() - 1
    }

    /// `holder.field` leads to `value`; `before` if it may have done so when the call began.
    fn found(&mut self, holder: SymbolId, field: FieldId, value: SymbolId, before: bool) {
        let mut found = vec![(holder, field, value, before)];
        while let Some((holder, field, value, before)) = found.pop() {
            let origin = match self.all[holder].origin {
                Origin::Internal => continue,
                Origin::Statics => Origin::Start(Start::Static(field)),
                Origin::Start(_) | Origin::Field(..) => Origin::Field(holder, field),
            };
            let depth = if let Origin::Field(..) = origin {
                self.relevant(holder).len()
            } else {
                0
            };
            let given = before && self.all[holder].given && !self.all[value].allocated;
            let internal = !self.controllable(value);
            // A path that this call made says nothing about what the client must prepare; it is only used where
            // there is no other.
            let better = given && (!self.all[value].given || depth + 1 < self.relevant(value).len());
            if depth > DEPTH || !(internal || better) {
                continue;
            }
            self.all[value].origin = origin;
            self.all[value].given = given;
            if internal {
                let held = self.heap.range((value, 0, None)..(value + 1, 0, None));
                found.extend(held.map(|(&(_, field, _), &(inner, written))| (value, field, inner, !written)));
            }
        }
    }
}
