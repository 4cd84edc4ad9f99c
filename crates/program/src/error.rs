//! Why a class could not be had.

use raddle_classfile::ClassFileError;
use raddle_classpath::{ClassPathError, Origin};

/// A class that is named somewhere but could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Nowhere on the class path, nor in the JDK.
    #[error("class {name} is neither on the class path nor in the JDK")]
    Missing {
        /// Name in Java form.
        name: String,
    },
    /// Found, but not a class file Raddle can read.
    #[error("class {name} in {origin} cannot be read: {reason}")]
    Malformed {
        /// Name in Java form.
        name: String,
        /// Where it was found.
        origin: Origin,
        /// What the reader objected to.
        reason: ClassFileError,
    },
    /// Found under a file name that does not fit the name inside.
    #[error("the file for class {name} in {origin} holds class {found}; rebuild or remove that file")]
    Misnamed {
        /// Name that was asked for.
        name: String,
        /// Where it was found.
        origin: Origin,
        /// Name in the file.
        found: String,
    },
    /// The class path could not be read.
    #[error(transparent)]
    ClassPath(#[from] ClassPathError),
}

/// A class name given by a person that names nothing.
#[derive(Debug, thiserror::Error)]
pub enum NameError {
    /// No such class; perhaps one of these was meant.
    #[error("no class {name} on the class path or in the JDK{}", suggestion_clause(.suggestions))]
    Unknown {
        /// As typed.
        name: String,
        /// Nearest names, best first.
        suggestions: Vec<String>,
    },
    /// A package, and no class.
    #[error(
        "{name} is a package; write '{name}.*' for its classes, or '{name}.**' for those of its subpackages too"
    )]
    Package {
        /// As typed.
        name: String,
    },
    /// An array type has no methods of its own.
    #[error("{name} is an array type; name its element class instead")]
    Array {
        /// As typed.
        name: String,
    },
    /// A pattern that matches no class.
    #[error("no class matches {pattern}; `*` stands for one part of a name, `**` for any number of parts")]
    NoMatch {
        /// As typed.
        pattern: String,
    },
    /// The class exists but cannot be loaded.
    #[error("{0}")]
    Load(std::sync::Arc<LoadError>),
}

fn suggestion_clause(suggestions: &[String]) -> String {
    match suggestions {
        [] => "; check the spelling and the class path (-cp)".to_owned(),
        [one] => format!("; did you mean {one}?"),
        [head @ .., last] => format!("; did you mean {} or {last}?", head.join(", ")),
    }
}
