//! The fields and methods that events are about, by the names that code has for them: an owner may be a subclass of the
//! class that declares the member.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A field; its text is `p.Owner.name:descriptor`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldRef {
    /// The class, with dots.
    pub owner: Arc<str>,
    /// The name.
    pub name: Arc<str>,
    /// The type as in a class file.
    pub descriptor: Arc<str>,
}

/// A method; its text is `p.Owner.name(parameters)result`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodRef {
    /// The class, with dots.
    pub owner: Arc<str>,
    /// The name.
    pub name: Arc<str>,
    /// Parameter and result types as in a class file.
    pub descriptor: Arc<str>,
}

/// The field or method that an event is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Target {
    /// A field that is accessed.
    Field(FieldRef),
    /// A method that is called, and does what the event says.
    Method(MethodRef),
}

impl FieldRef {
    /// Whether it says who has a lock of `java.util.concurrent.locks`.
    pub fn is_lock_owner(&self) -> bool {
        &*self.name == "exclusiveOwnerThread" && &*self.descriptor == "Ljava/lang/Thread;"
    }
}

impl Target {
    /// The field of a class whose name is written with dots.
    pub fn field(owner: &str, name: &str, descriptor: &str) -> Target {
        Target::Field(FieldRef {
            owner: owner.into(),
            name: name.into(),
            descriptor: descriptor.into(),
        })
    }

    /// The method of a class whose name is written with dots.
    pub fn method(owner: &str, name: &str, descriptor: &str) -> Target {
        Target::Method(MethodRef {
            owner: owner.into(),
            name: name.into(),
            descriptor: descriptor.into(),
        })
    }

    /// The class, with dots.
    pub fn owner(&self) -> &str {
        match self {
            Target::Field(field) => &field.owner,
            Target::Method(method) => &method.owner,
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        match self {
            Target::Field(field) => &field.name,
            Target::Method(method) => &method.name,
        }
    }

    /// The field, if it is one.
    pub fn as_field(&self) -> Option<&FieldRef> {
        match self {
            Target::Field(field) => Some(field),
            Target::Method(_) => None,
        }
    }

    /// The method, if it is one.
    pub fn as_method(&self) -> Option<&MethodRef> {
        match self {
            Target::Field(_) => None,
            Target::Method(method) => Some(method),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Field(FieldRef {
                owner,
                name,
                descriptor,
            }) => write!(f, "{owner}.{name}:{descriptor}"),
            Target::Method(MethodRef {
                owner,
                name,
                descriptor,
            }) => write!(f, "{owner}.{name}{descriptor}"),
        }
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Target, String> {
        // Neither a member's name nor a descriptor has a dot.
        let parts = text.rsplit_once('.').and_then(|(owner, rest)| {
            let (name, descriptor) = rest.split_at(rest.find([':', '('])?);
            Some(match descriptor.strip_prefix(':') {
                Some(descriptor) => Target::field(owner, name, descriptor),
                None => Target::method(owner, name, descriptor),
            })
        });
        parts.ok_or_else(|| format!("`{text}` is neither CLASS.NAME:TYPE nor CLASS.NAME(PARAMETERS)RESULT"))
    }
}

impl TryFrom<String> for Target {
    type Error = String;

    fn try_from(text: String) -> Result<Target, String> {
        text.parse()
    }
}

impl From<Target> for String {
    fn from(target: Target) -> String {
        target.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_methods_are_read_as_they_are_written() {
        for (text, target) in [
            (
                "p.Owner$1.names:[Ljava/lang/String;",
                Target::field("p.Owner$1", "names", "[Ljava/lang/String;"),
            ),
            (
                "java.lang.System.arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V",
                Target::method(
                    "java.lang.System",
                    "arraycopy",
                    "(Ljava/lang/Object;ILjava/lang/Object;II)V",
                ),
            ),
            (
                "[Lp.Owner;.clone()Ljava/lang/Object;",
                Target::method("[Lp.Owner;", "clone", "()Ljava/lang/Object;"),
            ),
            // A class that no compiler of Java makes.
            ("a:b.c:I", Target::field("a:b", "c", "I")),
        ] {
            assert_eq!(text.parse(), Ok(target.clone()));
            assert_eq!(target.to_string(), text);
            let json = serde_json::to_string(&target).unwrap();
            assert_eq!(json, format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<Target>(&json).unwrap(), target);
        }
    }

    #[test]
    fn what_is_neither_is_refused() {
        for text in ["", "size", "p.Table", "size:I", "p.Table."] {
            assert!(text.parse::<Target>().is_err(), "{text}");
        }
    }
}
