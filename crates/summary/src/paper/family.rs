//! The class under test with everything it inherits, and the bodies of its methods.

use std::collections::hash_map::Entry;
use std::rc::Rc;

use raddle_program::{ClassId, MethodId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use super::body::{Body, Call, Target};
use super::path::{Path, Root};

/// A class under test while it is analysed.
pub(super) struct Family<'p> {
    pub(super) program: &'p Program,
    pub(super) class: ClassId,
    inherited: FxHashSet<ClassId>,
    bodies: FxHashMap<MethodId, Rc<Body>>,
}

impl<'p> Family<'p> {
    pub(super) fn new(program: &'p Program, class: ClassId) -> Family<'p> {
        let superclasses = program.ancestry(class).map(|class| class.id());
        let inherited = superclasses
            .chain(program.all_interfaces(class))
            .filter(|&id| id != class && id != program.object())
            .collect();
        Family { program, class, inherited, bodies: FxHashMap::default() }
    }

    /// A method's sequence, read once.
    pub(super) fn body(&mut self, method: MethodId) -> Rc<Body> {
        match self.bodies.entry(method) {
            Entry::Occupied(known) => Rc::clone(known.get()),
            Entry::Vacant(free) => Rc::clone(free.insert(Rc::new(Body::read(self.program, method)))),
        }
    }

    /// Whether a method's body belongs to the class under test, declared or inherited.
    pub(super) fn owns(&self, method: MethodId) -> bool {
        method.class == self.class || self.inherited.contains(&method.class)
    }

    /// The callee, if it is a method of the class under test for Algorithm 1: one that the class declares, whatever it
    /// is called on, or one that it inherits and calls on itself.
    pub(super) fn own_callee(&self, call: &Call) -> Option<MethodId> {
        let Target::Method(callee) = call.target else {
            return None;
        };
        if callee.class == self.class {
            return Some(callee);
        }
        if !self.inherited.contains(&callee.class) {
            return None;
        }
        let (_, method) = self.program.method(callee)?;
        let on_itself = call.arguments.first().copied().flatten() == Some(Path::new(Root::This));
        (method.access.is_static() || on_itself).then_some(callee)
    }
}
