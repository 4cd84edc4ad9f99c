//! A public method's summary as a test sees it: receiver, arguments, static state, something unknown.
//!
//! Parameter numbers mean nothing between two methods; what matters is whether an object is the receiver (the shared
//! object under test), an argument (which the test may share, or which may be the other call's receiver), or neither.

use raddle_program::{ClassId, FieldId, Program};

use super::engine::Engine;
use super::lock::{Lock, LockBase};
use super::path::{Path, Root, Step};
use super::summary::Key;
use crate::place::parameter_names;

/// Whose object a path starts at.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Role {
    This,
    Argument(Option<ClassId>),
    Static(FieldId),
    Unknown(ClassId),
}

/// A location or object in terms of roles.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Spot {
    pub(crate) role: Role,
    pub(crate) steps: Vec<Step>,
}

/// Turns paths of one public method into spots and words.
pub(crate) struct Speaker<'e, 'p> {
    engine: &'e Engine<'p>,
    key: Key,
    names: Vec<String>,
    is_static: bool,
}

impl<'e, 'p> Speaker<'e, 'p> {
    pub(crate) fn new(engine: &'e Engine<'p>, key: Key) -> Self {
        let names = parameter_names(engine.program, key.method);
        Speaker {
            engine,
            key,
            names,
            is_static: engine.is_static(key.method),
        }
    }

    pub(crate) fn spot(&self, path: Path) -> Spot {
        let role = match path.root {
            Root::Param(0) if !self.is_static => Role::This,
            Root::Param(index) => Role::Argument(self.engine.path_class(self.key, Path::param(index))),
            Root::Static(field) => Role::Static(field),
            Root::Unknown(class) => Role::Unknown(class),
        };
        Spot {
            role,
            steps: path.steps().to_vec(),
        }
    }

    /// Class of a lock's object.
    pub(crate) fn lock_class(&self, lock: Lock) -> Option<ClassId> {
        match lock.base {
            LockBase::Path(path) => self.engine.path_class(self.key, path),
            LockBase::Class(_) => None,
        }
    }

    pub(crate) fn say(&self, path: Path) -> String {
        let program = self.engine.program;
        let mut text = match path.root {
            Root::Param(0) if !self.is_static => "this".to_owned(),
            Root::Param(index) => {
                let at = usize::from(index) - usize::from(!self.is_static);
                self.names.get(at).cloned().unwrap_or_else(|| format!("arg{at}"))
            }
            Root::Static(field) => static_name(program, field),
            Root::Unknown(class) => format!("?{}", simple_name(program, class)),
        };
        for step in path.steps() {
            match step {
                Step::Field(field) => {
                    text.push('.');
                    text.push_str(program.text(program.field(*field).name));
                }
                Step::Element => text.push_str("[]"),
                Step::Any => text.push_str(".*"),
            }
        }
        text
    }

    pub(crate) fn say_lock(&self, lock: Lock) -> String {
        let name = match lock.base {
            LockBase::Path(path) => self.say(path),
            LockBase::Class(class) => format!("{}.class", simple_name(self.engine.program, class)),
        };
        if lock.shared {
            format!("{name} (shared)")
        } else {
            name
        }
    }
}

fn static_name(program: &Program, field: FieldId) -> String {
    let info = program.field(field);
    format!("{}.{}", simple_name(program, info.owner), program.text(info.name))
}

fn simple_name(program: &Program, class: ClassId) -> String {
    let name = program.internal_name(class);
    let simple = name.rsplit('/').next().unwrap_or(name);
    // `Outer$Inner` is called `Inner`; an anonymous class keeps its outer name, having none of its own.
    match simple.rsplit_once('$') {
        Some((_, inner)) if !inner.is_empty() && !inner.starts_with(|c: char| c.is_ascii_digit()) => {
            inner.to_owned()
        }
        _ => simple.to_owned(),
    }
}
