//! Traces of sequential tests (Omen section 3.1.1; Intruder section 3.2).
//!
//! Where the papers have variables, these traces have objects: an assignment between local variables changes nothing,
//! so that Omen's `load` has no counterpart here. A field read is Omen's `store` (it stores into a variable).

use std::collections::BTreeMap;

use raddle_plan::Place;

/// An object of one trace, by number. Numbers of different traces have nothing to do with each other.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Object(pub u32);

/// A field.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Field {
    /// The class that declares it, or an array type, binary name with dots.
    pub class: String,
    /// Its name; [`Field::ELEMENT`] for all elements of an array.
    pub name: String,
}

impl Field {
    /// The name that stands for the elements of an array.
    pub const ELEMENT: &'static str = "[]";
}

/// A method that a test calls; constructors are called `<init>`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Method {
    /// The class it is called on, binary name with dots.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// The test calls a method. Calls within the library are not recorded.
    Enter {
        /// The method.
        method: Method,
        /// The receiver first (a constructor's is the new object), then the arguments; none for null and for values
        /// that are no objects.
        parameters: Vec<Option<Object>>,
    },
    /// The call is over.
    Exit {
        /// What it returned, if that is an object.
        result: Option<Object>,
    },
    /// A new object.
    Alloc(Object),
    /// A field or array element is read.
    Read {
        /// Whose; none for static fields.
        base: Option<Object>,
        /// Which.
        field: Field,
        /// The index, of array elements.
        index: Option<i32>,
        /// The object found there, if it is one.
        value: Option<Object>,
    },
    /// A field or array element is written.
    Write {
        /// Whose; none for static fields.
        base: Option<Object>,
        /// Which.
        field: Field,
        /// The index, of array elements.
        index: Option<i32>,
        /// The object put there, if it is one.
        value: Option<Object>,
    },
    /// A lock is taken; also when the thread has it already.
    Lock(Object),
    /// A lock is given back, as often as it was taken.
    Unlock(Object),
}

/// One step of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where in the library; none for the test's own steps.
    pub place: Option<Place>,
    /// What.
    pub action: Action,
}

/// What one sequential test did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The class of each object, binary name with dots.
    pub types: BTreeMap<Object, String>,
    /// In order. Calls are not nested.
    pub steps: Vec<Step>,
}

/// Which objects can stand for which.
pub trait TypeOrder {
    /// Whether an object of class `from` is also one of `to`. Binary names with dots.
    fn is_a(&self, from: &str, to: &str) -> bool;
}
