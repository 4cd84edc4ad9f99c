//! How a call gets at an object: from one of its parameters, or a static field, through fields.

use crate::trace::Field;

/// Where an access path begins.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Root {
    /// A parameter of the call, 0 for the receiver.
    Parameter(usize),
    /// A static field.
    Static(Field),
}

/// How a call gets at an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccessPath {
    /// Where it begins.
    pub root: Root,
    /// What is dereferenced from there, outermost first.
    pub fields: Vec<Field>,
}
