//! What a test has done so far: its calls, its arrays, its fields.

use std::collections::BTreeMap;

use raddle_plan::{Invoke, MemberRef};
use raddle_program::{ClassId, FieldId};

use super::value::Value;

/// A call that the test makes.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) invoke: Invoke,
    pub(super) member: MemberRef,
    pub(super) on: Option<Value>,
    pub(super) args: Vec<Value>,
}

/// An array that the test fills element by element.
#[derive(Clone, Debug)]
pub(super) struct Array {
    /// The element type as a descriptor.
    pub(super) element: String,
    pub(super) items: Vec<Value>,
    /// Somebody else has it, so that what is in it is not known any more.
    pub(super) given: bool,
    /// Arrays in arrays.
    pub(super) height: usize,
}

/// What is known of the static fields of the test's classes.
#[derive(Clone, Debug, Default)]
pub(super) struct Statics {
    pub(super) values: BTreeMap<FieldId, Value>,
    /// Classes whose initialisers were followed, and whether to the end.
    pub(super) classes: BTreeMap<ClassId, bool>,
    /// A step may use them behind the test's back: from then on they are not followed.
    pub(super) out_of_sight: bool,
}

/// The state of a test.
#[derive(Clone, Debug, Default)]
pub(super) struct World {
    pub(super) steps: Vec<Step>,
    pub(super) arrays: Vec<Array>,
    /// Fields of the test object.
    pub(super) fields: BTreeMap<FieldId, Value>,
    pub(super) statics: Statics,
}

impl World {
    /// Notes that somebody else has an array, and what is in it.
    pub(super) fn give_away(&mut self, value: &Value) {
        let Value::Array(at) = value else { return };
        if let Some(array) = self.arrays.get_mut(*at) {
            // What is in it was given away when it was put in.
            array.given = true;
        }
    }
}
