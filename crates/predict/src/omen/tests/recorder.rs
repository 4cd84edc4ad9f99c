//! Traces written by hand, and short ways to say what is expected of them.

use raddle_plan::Place;

use crate::{AccessPath, Action, Field, Method, Object, Root, Step, Trace, TypeOrder};

/// A trace in the making. What adds a step answers with its index.
#[derive(Default)]
pub(super) struct Recorder {
    pub(super) trace: Trace,
}

impl Recorder {
    /// An object from before the trace.
    pub(super) fn object(&mut self, class: &str) -> Object {
        let object = Object(u32::try_from(self.trace.types.len()).unwrap());
        self.trace.types.insert(object, class.to_owned());
        object
    }

    fn step(&mut self, line: Option<u32>, action: Action) -> usize {
        let place = line.map(|line| Place {
            class: "Library".to_owned(),
            method: "method".to_owned(),
            descriptor: "()V".to_owned(),
            bci: line,
            source: None,
            line: Some(line),
        });
        self.trace.steps.push(Step { place, action });
        self.trace.steps.len() - 1
    }

    pub(super) fn enter(&mut self, class: &str, name: &str, parameters: &[Object]) -> usize {
        let method = Method {
            class: class.to_owned(),
            name: name.to_owned(),
            descriptor: "()V".to_owned(),
        };
        let parameters = parameters.iter().copied().map(Some).collect();
        self.step(None, Action::Enter { method, parameters })
    }

    pub(super) fn exit(&mut self) -> usize {
        self.step(None, Action::Exit { result: None })
    }

    pub(super) fn alloc(&mut self, class: &str) -> Object {
        let object = self.object(class);
        self.step(Some(1), Action::Alloc(object));
        object
    }

    pub(super) fn read(&mut self, base: impl Into<Option<Object>>, name: &str, value: Object) -> usize {
        let (base, field) = (base.into(), field(name));
        self.step(
            Some(1),
            Action::Read {
                base,
                field,
                index: None,
                value: Some(value),
            },
        )
    }

    pub(super) fn write(&mut self, base: impl Into<Option<Object>>, name: &str, value: Object) -> usize {
        let (base, field) = (base.into(), field(name));
        self.step(
            Some(1),
            Action::Write {
                base,
                field,
                index: None,
                value: Some(value),
            },
        )
    }

    pub(super) fn element(&mut self, array: Object, index: i32, value: Object) -> usize {
        let field = field("Object[].[]");
        self.step(
            Some(1),
            Action::Read {
                base: Some(array),
                field,
                index: Some(index),
                value: Some(value),
            },
        )
    }

    pub(super) fn lock(&mut self, line: u32, object: Object) -> usize {
        self.step(Some(line), Action::Lock(object))
    }

    /// A field is read and what it holds is locked.
    pub(super) fn lock_in(&mut self, line: u32, base: Object, name: &str, value: Object) -> usize {
        self.read(base, name, value);
        self.lock(line, value)
    }

    /// In the order given.
    pub(super) fn unlock(&mut self, objects: &[Object]) {
        for &object in objects {
            self.step(Some(1), Action::Unlock(object));
        }
    }
}

/// A field as `Class.name`.
pub(super) fn field(name: &str) -> Field {
    let (class, name) = name.rsplit_once('.').unwrap();
    Field {
        class: class.to_owned(),
        name: name.to_owned(),
    }
}

/// A path from a parameter.
pub(super) fn from(parameter: usize, fields: &[&str]) -> AccessPath {
    AccessPath {
        root: Root::Parameter(parameter),
        fields: fields.iter().map(|name| field(name)).collect(),
    }
}

/// A path that is a static field.
pub(super) fn global(name: &str) -> AccessPath {
    AccessPath {
        root: Root::Static(field(name)),
        fields: Vec::new(),
    }
}

/// Pairs of a class and one above it.
pub(super) struct Above(pub(super) &'static [(&'static str, &'static str)]);

impl TypeOrder for Above {
    fn is_a(&self, from: &str, to: &str) -> bool {
        from == to || self.0.contains(&(from, to))
    }
}
