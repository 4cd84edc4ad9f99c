//! Which classes are meant when somebody names a type that has no objects of its own, or none that matter.
//!
//! `Striped.lock(8)` and `Cache.create()` hand out objects of classes that nobody can name. What is to be hunted is those
//! classes: the type that declares their methods has no code that two threads could meet in.

use raddle_program::{Class, ClassId, Program, Scope};

use crate::factory_methods;
use crate::visible::{is_visible, package, seen_in};

/// Classes whose objects callers of this interface get; of an abstract class, those that nobody can name and that its package
/// hands out. Those of its own package come first.
pub fn implementers(program: &Program, class: ClassId) -> Vec<ClassId> {
    let Some(loaded) = program.class(class) else {
        return Vec::new();
    };
    let access = loaded.access();
    if !access.is_abstract() || access.is_annotation() || access.is_enum() {
        return Vec::new();
    }
    let below = program
        .concrete_subtypes(&Scope::of(loaded), class)
        .unwrap_or_default();
    let is_meant = |below: &ClassId| {
        let is_reachable = is_visible(program, *below) || seen_in(program, *below).is_some();
        *below != class && (is_reachable && access.is_interface() || is_handed_out(program, *below))
    };
    let mut found: Vec<ClassId> = below.into_iter().filter(is_meant).collect();
    let home = package(program.internal_name(class));
    found.sort_by_cached_key(|&below| {
        let name = program.internal_name(below);
        (package(name) != home, name.to_owned())
    });
    found
}

/// Whether objects of a class that nobody can name are handed out as something that people can: as a type of the class path, by
/// a method that they can call.
pub fn is_handed_out(program: &Program, class: ClassId) -> bool {
    let is_named = |above: &Class| !above.is_platform() && is_visible(program, above.id());
    let interfaces = program.all_interfaces(class);
    let above = program.ancestry(class).skip(1);
    let mut above = above.chain(interfaces.into_iter().filter_map(|id| program.class(id)));
    !is_visible(program, class) && above.any(is_named) && !factory_methods::makers(program, class).is_empty()
}
