//! Calls through which a client puts an object of its choice somewhere (Intruder section 3.1: `writable`, and the
//! single calls of which `setter` makes sequences).
//!
//! Departures from section 3.1:
//! - The paper looks at single assignments. What counts here is the heap when the call is over: a parameter that lies
//!   behind another one, or behind a static field, and got there by a write of this call. So `put(key, value)` of a
//!   table is a setter, although it puts the value into an entry that it made itself.
//! - Constructors are setters of the object that they make.
//! - The source can lie behind a parameter, as in `addAll(other)`: the client then chooses the other collection.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::calls::{Call, calls};
use crate::path::{AccessPath, Root};
use crate::trace::{Action, Field, Method, Object, Trace};

/// The most fields between a parameter and what was put behind it.
const TARGET_DEPTH: usize = 5;
/// The most fields between a parameter and what was taken from it.
const SOURCE_DEPTH: usize = 3;

/// A call that puts an object of the client's choice somewhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Setter {
    /// The index of a trace that has such a call.
    pub trace: usize,
    /// The index of its `Enter`.
    pub enter: usize,
    /// The method.
    pub method: Method,
    /// What is set, as a path from a parameter of this call. For a constructor, parameter 0 is the new object.
    pub target: AccessPath,
    /// What it is set to.
    pub source: AccessPath,
    /// The class of the object it was set to in the trace.
    pub class: Option<String>,
}

impl Setter {
    /// Whether it makes the object of which it sets something.
    pub fn is_constructor(&self) -> bool {
        self.method.name == "<init>" && self.target.root == Root::Parameter(0)
    }
}

/// All setters in the traces, each method, target and source once, in the shortest call. Methods come before
/// constructors, short targets and calls before long ones.
pub fn setters(traces: &[Trace]) -> Vec<Setter> {
    let mut distinct: BTreeMap<(Method, AccessPath, AccessPath), (usize, Setter)> = BTreeMap::new();
    for call in calls(traces) {
        for setter in of_call(&call) {
            let key = (
                setter.method.clone(),
                setter.target.clone(),
                setter.source.clone(),
            );
            let length = call.body.len();
            if distinct.get(&key).is_none_or(|(known, _)| length < *known) {
                distinct.insert(key, (length, setter));
            }
        }
    }
    let mut found: Vec<(usize, Setter)> = distinct.into_values().collect();
    found.sort_by_cached_key(|(length, setter)| {
        let depths = setter.target.fields.len() + setter.source.fields.len();
        (setter.is_constructor(), depths, *length, setter.clone())
    });
    found.into_iter().map(|(_, setter)| setter).collect()
}

/// What the fields hold that a call uses, and whether it wrote that; by the object, none for static fields.
type Heap<'a> = BTreeMap<Option<Object>, BTreeMap<(&'a Field, Option<i32>), (Option<Object>, bool)>>;

/// The heap when the call begins and when it is over, as far as it uses it.
fn heaps<'a>(call: &Call<'a>) -> (Heap<'a>, Heap<'a>) {
    let (mut before, mut after) = (Heap::new(), Heap::new());
    for step in call.body {
        match &step.action {
            Action::Read {
                base,
                field,
                index,
                value,
            } => {
                let slot = (field, *index);
                let fields = after.entry(*base).or_default();
                if !fields.contains_key(&slot) {
                    before.entry(*base).or_default().insert(slot, (*value, false));
                }
                let written = fields.get(&slot).is_some_and(|known| *known == (*value, true));
                fields.insert(slot, (*value, written));
            }
            Action::Write {
                base,
                field,
                index,
                value,
            } => {
                after
                    .entry(*base)
                    .or_default()
                    .insert((field, *index), (*value, true));
            }
            _ => {}
        }
    }
    (before, after)
}

/// An object on a way through the heap.
#[derive(Clone)]
struct Visit<'a> {
    object: Option<Object>,
    fields: Vec<&'a Field>,
    /// Whether this call wrote one of the fields.
    written: bool,
}

/// All objects behind `start` (the static fields, if none), each at most twice: by the shortest way, and by the
/// shortest way that this call wrote.
fn reach<'a>(heap: &Heap<'a>, start: Option<Object>, depth: usize) -> Vec<Visit<'a>> {
    let mut seen = BTreeSet::from([(start, false)]);
    let mut queue = VecDeque::from([Visit {
        object: start,
        fields: Vec::new(),
        written: false,
    }]);
    let mut visits = Vec::new();
    while let Some(visit) = queue.pop_front() {
        if visit.fields.len() < depth {
            for (&(field, _), &(value, wrote)) in heap.get(&visit.object).into_iter().flatten() {
                let written = visit.written || wrote;
                if value.is_some() && seen.insert((value, written)) {
                    let fields = visit.fields.iter().copied().chain([field]).collect();
                    queue.push_back(Visit {
                        object: value,
                        fields,
                        written,
                    });
                }
            }
        }
        visits.push(visit);
    }
    visits
}

fn of_call(call: &Call) -> Vec<Setter> {
    let (before, after) = heaps(call);
    let parameters: Vec<(usize, Object)> = call
        .parameters
        .iter()
        .enumerate()
        .filter_map(|(number, object)| Some((number, (*object)?)))
        .collect();
    let made = |number: usize| number == 0 && call.is_constructor();

    let mut sources: BTreeMap<Object, Vec<(usize, Vec<&Field>)>> = BTreeMap::new();
    for &(number, object) in parameters.iter().filter(|(number, _)| !made(*number)) {
        for visit in reach(&before, Some(object), SOURCE_DEPTH) {
            if let Some(reached) = visit.object {
                sources.entry(reached).or_default().push((number, visit.fields));
            }
        }
    }

    let mut found = Vec::new();
    let targets = parameters
        .iter()
        .map(|&(number, object)| (Some(number), Some(object)))
        .chain([(None, None)]);
    for (target, start) in targets {
        for visit in reach(&after, start, TARGET_DEPTH)
            .into_iter()
            .filter(|visit| visit.written)
        {
            let Some(set) = visit.object else { continue };
            for (source, path) in sources.get(&set).into_iter().flatten() {
                // What moves within one object, or between two names of it, is not the client's choice.
                let same = target.is_some_and(|target| call.parameters[target] == call.parameters[*source]);
                let Some((root, fields)) = rooted(target, &visit.fields).filter(|_| !same) else {
                    continue;
                };
                found.push(Setter {
                    trace: call.trace,
                    enter: call.enter,
                    method: call.method.clone(),
                    target: AccessPath { root, fields },
                    source: AccessPath {
                        root: Root::Parameter(*source),
                        fields: path.iter().map(|&field| field.clone()).collect(),
                    },
                    class: call.class_of(set).map(str::to_owned),
                });
            }
        }
    }
    found
}

/// A path from a parameter, or from the static field that comes first.
fn rooted(parameter: Option<usize>, fields: &[&Field]) -> Option<(Root, Vec<Field>)> {
    let owned = |fields: &[&Field]| fields.iter().map(|&field| field.clone()).collect();
    match parameter {
        Some(number) => Some((Root::Parameter(number), owned(fields))),
        None => fields
            .split_first()
            .map(|(&first, rest)| (Root::Static(first.clone()), owned(rest))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intruder::example::{Writer, figure_5, figure_8, path};

    fn of(traces: &[Trace]) -> Vec<(String, AccessPath, AccessPath)> {
        setters(traces)
            .into_iter()
            .map(|found| (found.method.name, found.target, found.source))
            .collect()
    }

    #[test]
    fn figures_5_and_8_have_the_setter_set_f_alone() {
        assert_eq!(
            of(&[figure_5(), figure_8()]),
            [("setF".to_owned(), path(0, &["A.f"]), path(1, &[]))]
        );
    }

    #[test]
    fn a_table_takes_a_value_through_an_entry_of_its_own() {
        let mut writer = Writer::default();
        let [map, key, value, table, entry] =
            ["Map", "K", "V", "Entry[]", "Entry"].map(|class| writer.object(class));
        writer.call("Map.put(LK;LV;)V", &[map, key, value]);
        writer.read(map, "Map.table", Some(table));
        writer.alloc(entry);
        writer.write(entry, "Entry.key", Some(key));
        writer.write(entry, "Entry.value", Some(value));
        writer.write_element(table, "Entry[]", 3, Some(entry));
        let found = setters(&[writer.finish()]);
        let paths: Vec<_> = found
            .iter()
            .map(|found| (found.target.clone(), found.source.clone()))
            .collect();
        assert_eq!(
            paths,
            [
                (path(0, &["Map.table", "Entry[].[]", "Entry.key"]), path(1, &[])),
                (path(0, &["Map.table", "Entry[].[]", "Entry.value"]), path(2, &[])),
            ]
        );
        assert_eq!(found[1].class.as_deref(), Some("V"));
    }

    #[test]
    fn a_constructor_sets_fields_of_what_it_makes() {
        let mut writer = Writer::default();
        let (a, b) = (writer.object("A"), writer.object("B"));
        writer.call("A.<init>(LB;)V", &[a, b]);
        writer.write(a, "A.f", Some(b));
        let found = setters(&[writer.finish()]);
        assert_eq!((found.len(), found[0].is_constructor()), (1, true));
        assert_eq!(
            (&found[0].target, &found[0].source),
            (&path(0, &["A.f"]), &path(1, &[]))
        );
    }

    #[test]
    fn what_was_there_before_was_not_set() {
        let mut writer = Writer::default();
        let (a, b) = (writer.object("A"), writer.object("B"));
        writer.call("A.compare(LB;)V", &[a, b]);
        writer.read(a, "A.f", Some(b));
        writer.write(b, "B.count", None);
        assert_eq!(of(&[writer.finish()]), []);
    }

    #[test]
    fn what_is_overwritten_was_not_set() {
        let mut writer = Writer::default();
        let (a, b) = (writer.object("A"), writer.object("B"));
        writer.call("A.use(LB;)V", &[a, b]);
        writer.write(a, "A.f", Some(b));
        writer.write(a, "A.f", None);
        assert_eq!(of(&[writer.finish()]), []);
    }

    #[test]
    fn the_source_can_lie_behind_a_parameter() {
        let mut writer = Writer::default();
        let [a, other, b] = ["A", "A", "B"].map(|class| writer.object(class));
        writer.call("A.copy(LA;)V", &[a, other]);
        writer.read(other, "A.f", Some(b));
        writer.write(a, "A.f", Some(b));
        assert_eq!(
            of(&[writer.finish()]),
            [("copy".to_owned(), path(0, &["A.f"]), path(1, &["A.f"]))],
        );
    }

    #[test]
    fn static_fields_can_be_set() {
        let mut writer = Writer::default();
        let b = writer.object("B");
        writer.call("A.setShared(LB;)V", &[b]);
        writer.write(None, "A.shared", Some(b));
        let root = Root::Static(crate::intruder::example::field("A.shared"));
        let target = AccessPath {
            root,
            fields: Vec::new(),
        };
        assert_eq!(
            of(&[writer.finish()]),
            [("setShared".to_owned(), target, path(0, &[]))]
        );
    }
}
