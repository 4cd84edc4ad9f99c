//! Values as far as they are known without running anything.

use std::sync::Arc;

use raddle_classfile::descriptor::FieldType;

/// What a local variable, a field or a place on the stack holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// An int, or anything narrower.
    Int(i32),
    Long(i64),
    /// By its bits, so that equal is the same.
    Float(u32),
    Double(u64),
    Null,
    String(String),
    /// A class literal, by the name that `Class.getName` gives.
    Class(String),
    /// An enum constant, or what a class has in its place.
    Constant {
        class: String,
        name: String,
    },
    /// What a step gave, by its position.
    Result {
        step: usize,
        wide: bool,
    },
    /// An array that the test fills itself, by its position.
    Array(usize),
    /// The object that the test method belongs to.
    This,
    /// `System.out` or `System.err`.
    Console,
    /// An object whose constructor was not called yet, by the place of the `new`.
    Raw {
        pc: u32,
        class: Arc<str>,
    },
    /// Anything else; the text says what, as in "a lambda".
    Unknown {
        wide: bool,
        what: Arc<str>,
    },
}

impl Value {
    /// A reference, or a number of one slot, of which only this is known.
    pub(super) fn unknown(what: impl Into<Arc<str>>) -> Value {
        Value::Unknown {
            wide: false,
            what: what.into(),
        }
    }

    /// A value of a type of which only this is known.
    pub(super) fn unknown_of(field: &FieldType<'_>, what: impl Into<Arc<str>>) -> Value {
        Value::Unknown {
            wide: field.slots() == 2,
            what: what.into(),
        }
    }

    /// What a new field of the type holds.
    pub(super) fn zero(field: &FieldType<'_>) -> Value {
        match field {
            FieldType::Long => Value::Long(0),
            FieldType::Float => Value::Float(0),
            FieldType::Double => Value::Double(0),
            FieldType::Object(_) | FieldType::Array(_) => Value::Null,
            FieldType::Byte | FieldType::Char | FieldType::Int | FieldType::Short | FieldType::Boolean => {
                Value::Int(0)
            }
        }
    }

    /// Slots of the stack or of local variables.
    pub(super) fn slots(&self) -> usize {
        let is_wide = match self {
            Value::Long(_) | Value::Double(_) => true,
            Value::Result { wide, .. } | Value::Unknown { wide, .. } => *wide,
            _ => false,
        };
        if is_wide { 2 } else { 1 }
    }
}
