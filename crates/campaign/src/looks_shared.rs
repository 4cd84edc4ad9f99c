//! Whether a class looks as if its objects were meant to be shared by threads.
//!
//! Asked only of classes that a pattern matched: most classes of a program promise nothing about threads, and a report
//! that says so of each of them helps nobody. A class that is named is hunted whatever it looks like.

use raddle_generate::is_handed_out;
use raddle_program::{Class, ClassId, Program};

use crate::contracts::Contracts;
use crate::promise::{Promise, Strength};

/// Whether a class looks as if its objects were meant to be shared by threads, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// It does.
    Meant(Promise),
    /// It does not, or there is nothing to share.
    Skipped(String),
}

/// Looks at a class and what it inherits. What promises less than `least` is passed over.
pub fn looks_shared(program: &Program, contracts: &Contracts, class: ClassId, least: Strength) -> Sharing {
    let loaded = match program.load(class) {
        Ok(loaded) => loaded,
        Err(error) => return Sharing::Skipped(error.to_string()),
    };
    if let Some(why) = unsuitable(program, loaded) {
        return Sharing::Skipped(why.to_owned());
    }
    let promise = Promise::of(program, contracts, class);
    if promise.strength < least {
        Sharing::Skipped(promise.sentence)
    } else if is_hidden(program, loaded) && !is_handed_out(program, class) {
        Sharing::Skipped("not public".to_owned())
    } else {
        Sharing::Meant(promise)
    }
}

/// Whether a package of the class path keeps the class to itself, and not another class: what is nested is a part of that.
fn is_of_package(program: &Program, class: &Class) -> bool {
    let name = program.internal_name(class.id());
    let nested = class.file().inner_classes();
    !class.is_platform() && !class.access().is_synthetic() && nested.iter().all(|entry| entry.inner != name)
}

/// Whether neither everybody nor a package may name the class.
fn is_hidden(program: &Program, class: &Class) -> bool {
    !class.access().is_public() && !is_of_package(program, class)
}

/// Why no test can have objects of the class.
fn unsuitable(program: &Program, class: &Class) -> Option<&'static str> {
    let access = class.access();
    if access.is_annotation() {
        Some("an annotation type")
    } else if access.is_interface() {
        Some("an interface")
    } else if access.is_abstract() {
        Some("abstract")
    } else if access.is_public() && program.public_methods(class.id()).is_empty() {
        Some("no public methods")
    } else if program
        .ancestry(class.id())
        .any(|ancestor| program.internal_name(ancestor.id()) == "java/lang/Throwable")
    {
        Some("an exception")
    } else {
        None
    }
}
