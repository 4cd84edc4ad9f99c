//! Traces: what the threads did, in order.

use serde::{Deserialize, Serialize};

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

/// One event of a controlled thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The thread.
    pub thread: u32,
    /// Where.
    pub place: Option<Place>,
    /// What: `read`, `write`, `enter`, `exit`, `wait`, `park`, …
    pub kind: String,
    /// The field, array element or method it is about.
    pub target: Option<String>,
    /// The object, numbered in order of appearance from 1; 0 for none.
    pub object: u32,
    /// What to call the object: `$0` for the plan's first variable, else its class.
    pub name: Option<String>,
    /// The array index, for elements.
    pub index: Option<i32>,
    /// The value read or written, as text.
    pub value: Option<String>,
}

/// A stack frame, as Java prints it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Frame(pub String);
