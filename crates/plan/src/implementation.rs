//! Objects whose class the plan itself writes: implementations of interfaces, extensions of abstract classes.
//!
//! They have no state of their own, so any number of threads may use one. They may hold other objects of the plan, to give them
//! away or to call them: a source of connections, a listener that takes itself off the list.

use raddle_classfile::descriptor::{FieldType, MethodType};
use serde::{Deserialize, Serialize};

use crate::{Argument, Invoke, MemberRef, TestPlan};

/// Java says the same as an anonymous class of an interface with so many methods; what has more is a proxy there.
pub const MOST_WRITTEN: usize = 24;

/// A method of such a class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MethodBody {
    /// The name.
    pub name: String,
    /// Parameter and result types as in a class file.
    pub descriptor: String,
    /// The same as Java source has to say it, where a type argument stands in for a variable of a type above:
    /// `compareTo(Delayed)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_java: Option<String>,
    /// What it gives back: nothing if it is void, else 0, `false` or `null` unless said here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<Returned>,
    /// What it does before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub does: Option<Deed>,
}

/// A call that a method makes on an object that its own object holds, or that it is given. What it gives back is not used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deed {
    /// Which of the objects that are held, from 0.
    pub on: usize,
    /// Whether that is which parameter of the method instead, from 0: code that it is given to run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub given: bool,
    /// [`Invoke::Virtual`] or [`Invoke::Interface`].
    pub invoke: Invoke,
    /// The method.
    pub member: MemberRef,
    /// Its arguments: any but variables and arrays.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<Argument>,
}

/// What a method gives back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Returned {
    /// A parameter, from 0.
    Parameter(usize),
    /// A parameter, from 0, and 1 more.
    Increment(usize),
    /// The sum of two parameters, from 0.
    Sum(usize, usize),
    /// The larger of two parameters, from 0.
    Larger(usize, usize),
    /// What a static method without parameters makes.
    Made {
        /// [`Invoke::Static`] or [`Invoke::InterfaceStatic`].
        invoke: Invoke,
        /// The method.
        member: MemberRef,
    },
    /// Always the same: any argument but a variable and an array.
    Value(Argument),
    /// What its object holds, from 0: an argument of the call that makes it.
    Held(usize),
}

impl TestPlan {
    /// Whether a variable of the prefix holds an object that the plan implements, and that has no state therefore.
    pub fn implements(&self, variable: &str) -> bool {
        self.prefix
            .iter()
            .any(|call| call.bind.as_deref() == Some(variable) && call.invoke == Invoke::Implement)
    }
}

impl MethodBody {
    /// The descriptor in terms of Java source.
    pub fn java_descriptor(&self) -> &str {
        self.in_java.as_ref().unwrap_or(&self.descriptor)
    }

    /// Names for its parameters: `x`, `y`, `z`, or numbered ones.
    pub fn parameter_names(&self) -> Vec<String> {
        let count = MethodType::parse(&self.descriptor).map_or(0, |types| types.parameters.len());
        match count {
            0..=3 => ["x", "y", "z"][..count].iter().map(ToString::to_string).collect(),
            _ => (1..=count).map(|number| format!("x{number}")).collect(),
        }
    }

    /// What it gives back, if it is not void. The descriptor must be one.
    pub fn returned(&self) -> Option<Returned> {
        let result = MethodType::parse(&self.descriptor).ok()?.result?;
        Some(
            self.returns
                .clone()
                .unwrap_or_else(|| Returned::Value(zero(&result))),
        )
    }
}

impl Returned {
    /// The parameters that it depends on.
    pub fn parameters(&self) -> Vec<usize> {
        match self {
            Returned::Parameter(at) | Returned::Increment(at) => vec![*at],
            Returned::Sum(one, other) | Returned::Larger(one, other) => vec![*one, *other],
            Returned::Made { .. } | Returned::Value(_) | Returned::Held(_) => Vec::new(),
        }
    }
}

/// The value that a new field of the type has.
fn zero(field: &FieldType<'_>) -> Argument {
    match field {
        FieldType::Boolean => Argument::Boolean(false),
        FieldType::Byte => Argument::Byte(0),
        FieldType::Short => Argument::Short(0),
        FieldType::Char => Argument::Char(0),
        FieldType::Int => Argument::Int(0),
        FieldType::Long => Argument::Long(0),
        FieldType::Float => Argument::Float(0),
        FieldType::Double => Argument::Double(0),
        FieldType::Object(_) | FieldType::Array(_) => Argument::Null,
    }
}
