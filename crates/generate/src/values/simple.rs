//! Objects that are written down and not made: strings, boxed values, enum constants, class literals.

use raddle_plan::{Argument, Primitive};
use raddle_program::{ClassId, Method, Program};

use super::{Spot, Taste, Values};
use crate::visible::is_visible;

/// What a string is, besides an object.
const OF_STRINGS: [&str; 4] = [
    "java/lang/String",
    "java/lang/CharSequence",
    "java/lang/Comparable",
    "java/io/Serializable",
];
/// Units of time, the first two of which are shorter than the steps of a clock: whoever waits so long has waited before anybody
/// could come.
const UNITS: &str = "java/util/concurrent/TimeUnit";
const TOO_SHORT: usize = 2;
/// Classes for `Class` parameters.
const CLASSES: [&str; 3] = ["java.lang.String", "java.lang.Object", "java.lang.Integer"];

/// Whether a class has values that are written down.
pub(crate) fn is_simple(program: &Program, class: ClassId) -> bool {
    let name = program.internal_name(class);
    matches!(name, "java/lang/Object" | "java/lang/Number" | "java/lang/Class")
        || OF_STRINGS.contains(&name)
        || Primitive::from_wrapper(name).is_some()
        || !constants(program, class).is_empty()
}

/// Whether a class with constants has other objects, too: constants are its special cases, such as `Duration.ZERO`, and what it is
/// used with comes from its constructors and factories.
pub(super) fn is_more_than_constants(program: &Program, class: ClassId) -> bool {
    let own = format!("L{};", program.internal_name(class));
    program.class(class).is_some_and(|loaded| {
        let access = loaded.access();
        let makes_one = |method: &Method| {
            let descriptor = program.text(method.descriptor);
            let is_factory = method.access.is_static() && descriptor.ends_with(&own);
            let is_constructor = program.text(method.name) == "<init>" && !access.is_abstract();
            method.access.is_public() && !method.access.is_synthetic() && (is_factory || is_constructor)
        };
        let is_other = !access.is_enum() && (access.is_interface() || loaded.methods().iter().any(makes_one));
        is_other && !constants(program, class).is_empty()
    })
}

/// The constants of a visible class: of an enum, or what others have in their place, such as `Level.INFO`.
fn constants(program: &Program, class: ClassId) -> Vec<String> {
    match program.class(class) {
        Some(loaded) if is_visible(program, class) => {
            let own = format!("L{};", program.internal_name(class));
            loaded
                .fields()
                .iter()
                .filter(|field| {
                    let access = field.access;
                    let is_constant = access.is_public() && access.is_static() && access.is_final();
                    is_constant && program.text(field.descriptor) == own
                })
                .map(|field| program.text(field.name).to_owned())
                .collect()
        }
        _ => Vec::new(),
    }
}

impl Values<'_> {
    /// A value that is written down, for a class that has such.
    pub(super) fn simple(&mut self, class: ClassId, spot: Spot<'_>, taste: Taste) -> Option<Argument> {
        let name = self.program.internal_name(class);
        if let Some(primitive) = Primitive::from_wrapper(name) {
            return Some(self.primitive(primitive, spot, taste));
        }
        if OF_STRINGS.contains(&name) || name == "java/lang/Object" {
            let may_be_number = matches!(name, "java/lang/Object" | "java/lang/Comparable");
            let is_drawn =
                taste == Taste::Drawn && !self.learnt.is_ordered() && may_be_number && self.rng.one_in(3);
            if is_drawn || (may_be_number && spot.kind.is_boxed()) {
                return Some(self.primitive(Primitive::Int, spot, taste));
            }
            return Some(Argument::String(self.string(spot.rank, spot.kind, taste)));
        }
        if name == "java/lang/Number" {
            return Some(self.primitive(Primitive::Int, spot, taste));
        }
        if name == "java/lang/Class" {
            let index = match taste {
                Taste::Plain(shift) => (spot.rank + shift) % CLASSES.len(),
                Taste::Drawn => self.rng.below(CLASSES.len()),
            };
            return Some(Argument::Class(CLASSES[index].to_owned()));
        }
        let mut constants = constants(self.program, class);
        if name == UNITS {
            constants.drain(..TOO_SHORT.min(constants.len()));
        }
        let constant = match taste {
            Taste::Plain(shift) => constants.get((spot.rank + shift) % constants.len().max(1)),
            Taste::Drawn => self.rng.pick(&constants),
        };
        Some(Argument::Enum {
            class: self.program.name(class),
            constant: constant?.clone(),
        })
    }
}
