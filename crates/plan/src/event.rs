//! Traces: what the threads did, in order.

use serde::{Deserialize, Serialize};

use crate::event_kind::EventKind;
use crate::outcome::INITIALISER;
use crate::target::{FieldRef, MethodRef, Target};

/// A place in a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Binary name with dots.
    pub class: String,
    /// Method name.
    pub method: String,
    /// Method descriptor.
    pub descriptor: String,
    /// Bytecode index.
    pub bci: u32,
    /// Source file, if the class says.
    pub source: Option<String>,
    /// Source line, if the class says.
    pub line: Option<u32>,
}

impl Place {
    /// Class, method and bytecode index: enough to tell places of one program apart.
    pub fn spot(&self) -> String {
        format!("{}.{}:{}", self.class, self.method, self.bci)
    }
}

/// A line that is being executed while code below it does something. Only those outside the platform are listed, at most a
/// few of them; where there is none, the line that the plan's call has come to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Caller {
    /// Binary name with dots.
    pub class: String,
    /// Method name.
    pub method: String,
    /// Source file, if the class says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Source line, if the class says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// One event of a controlled thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The thread.
    pub thread: u32,
    /// Where.
    pub place: Option<Place>,
    /// How the thread came there, innermost first, if that was asked for. See [`Caller`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub callers: Vec<Caller>,
    /// What.
    pub kind: EventKind,
    /// The field or method it is about; none for array elements.
    pub target: Option<Target>,
    /// The object, numbered in order of appearance from 1; 0 for none.
    pub object: u32,
    /// What to call the object: `$0` for the plan's first variable, else its class.
    pub name: Option<String>,
    /// The array index, for elements.
    pub index: Option<i32>,
    /// The value read or written, as text; of atomic operations what became of what, as in `state 0 → 1`, or `unchanged`.
    pub value: Option<String>,
}

/// What of its object, or of the static state of a class, an access is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Accessed<'e> {
    /// An element of an array.
    Element(i32),
    /// A field.
    Field(&'e FieldRef),
    /// All of it, or nobody knows which part: a copy of an array, code that is not seen, or an atomic operation, which has
    /// an offset and no field.
    Any,
}

/// An object as values name it: `java.util.Vector#7`, `$0#3`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ObjectRef<'e> {
    /// What to call it, as in [`Event::name`].
    pub name: &'e str,
    /// Its number, as in [`Event::object`].
    pub object: u32,
}

impl Event {
    /// The class whose initialiser this is about, by binary name with dots.
    pub fn initialised_class(&self) -> Option<&str> {
        self.name.as_deref()?.strip_prefix(INITIALISER)
    }

    /// Whether it is an atomic operation that was seen to leave everything as it was.
    pub fn is_idle(&self) -> bool {
        self.kind == EventKind::Atomic && self.value.as_deref() == Some("unchanged")
    }

    /// The field that it is about, if it is about one.
    pub fn field(&self) -> Option<&FieldRef> {
        self.target.as_ref()?.as_field()
    }

    /// The method that it is about, if it is about one.
    pub fn method(&self) -> Option<&MethodRef> {
        self.target.as_ref()?.as_method()
    }

    /// What a read, a write or an atomic operation is about; none of other events. This is where all that compare accesses
    /// begin; which of them are about the same thing depends on what somebody is after.
    pub fn accessed(&self) -> Option<Accessed<'_>> {
        match (self.kind, self.index, self.field()) {
            (EventKind::Read | EventKind::Write, Some(index), _) => Some(Accessed::Element(index)),
            (EventKind::Read | EventKind::Write, None, Some(field)) => Some(Accessed::Field(field)),
            (kind, ..) => kind.is_access().then_some(Accessed::Any),
        }
    }

    /// The number that a write or an atomic operation has left behind, if it is a whole number and was noted.
    pub fn stored_number(&self) -> Option<i64> {
        let value = self.value.as_deref()?;
        let after = match self.kind {
            EventKind::Write => value,
            EventKind::Atomic => value.rsplit_once(" → ")?.1,
            _ => return None,
        };
        after.parse().ok()
    }

    /// The name of the field that an atomic operation has changed, if that was noted.
    pub fn changed_field(&self) -> Option<&str> {
        let value = self.value.as_deref().filter(|_| self.kind == EventKind::Atomic)?;
        let (name, change) = value.split_once(' ')?;
        let is_name = name.starts_with(|first: char| first.is_alphabetic() || first == '_' || first == '$');
        (is_name && change.contains(" → ")).then_some(name)
    }

    /// The number that an atomic operation has replaced, if it is a whole number and was noted.
    pub fn replaced_number(&self) -> Option<i64> {
        let value = self.value.as_deref().filter(|_| self.kind == EventKind::Atomic)?;
        let (before, _) = value.rsplit_once(" → ")?;
        // Behind the name of the field, where that is known.
        before.rsplit(' ').next()?.parse().ok()
    }

    /// The object that the value is, or that has come to be the value.
    pub fn referred(&self) -> Option<ObjectRef<'_>> {
        let value = self.value.as_deref()?;
        let (name, number) = value.rsplit_once('#')?;
        let object = number.parse().ok().filter(|_| !value.starts_with(['"', '\'']))?;
        Some(ObjectRef { name, object })
    }

    /// Of a write that says who has a lock of `java.util.concurrent.locks`: whether somebody has it now.
    pub fn is_lock_taken(&self) -> Option<bool> {
        let is_owner = self.kind == EventKind::Write && self.field().is_some_and(FieldRef::is_lock_owner);
        is_owner.then(|| self.value.as_deref().is_some_and(|value| value != "null"))
    }
}

/// A stack frame, as Java prints it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Frame(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_referred_to_by_number_and_texts_are_no_objects() {
        let referred = |value: &str| {
            let event = Event {
                thread: 1,
                place: None,
                callers: Vec::new(),
                kind: EventKind::Read,
                target: None,
                object: 0,
                name: None,
                index: None,
                value: Some(value.to_owned()),
            };
            event
                .referred()
                .map(|object| (object.name.to_owned(), object.object))
        };
        assert_eq!(referred("\"a#3\""), None);
        assert_eq!(referred("'#'"), None);
        assert_eq!(referred("7"), None);
        assert_eq!(referred("$0#3"), Some(("$0".to_owned(), 3)));
        assert_eq!(
            referred("java.util.Vector#7"),
            Some(("java.util.Vector".to_owned(), 7))
        );
    }
}
