//! The class under test with everything it inherits, and the bodies of its methods.

use std::collections::hash_map::Entry;
use std::rc::Rc;

use raddle_program::{Class, ClassId, MethodId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use super::body::{Body, Call, Target};

/// A class under test while it is analysed.
pub(super) struct Family<'p> {
    pub(super) program: &'p Program,
    pub(super) class: ClassId,
    inherited: FxHashSet<ClassId>,
    bodies: FxHashMap<MethodId, Rc<Body>>,
}

impl<'p> Family<'p> {
    pub(super) fn new(program: &'p Program, class: ClassId) -> Family<'p> {
        let superclasses = program.ancestry(class).map(Class::id);
        let inherited = superclasses
            .chain(program.all_interfaces(class))
            .filter(|&id| id != class && id != program.object())
            .collect();
        Family {
            program,
            class,
            inherited,
            bodies: FxHashMap::default(),
        }
    }

    /// A method's sequence, read once.
    pub(super) fn body(&mut self, method: MethodId) -> Rc<Body> {
        match self.bodies.entry(method) {
            Entry::Occupied(known) => Rc::clone(known.get()),
            Entry::Vacant(free) => Rc::clone(free.insert(Rc::new(Body::read(self.program, method)))),
        }
    }

    /// Whether the class under test declares or inherits a method's body.
    pub(super) fn owns(&self, method: MethodId) -> bool {
        method.class == self.class || self.inherited.contains(&method.class)
    }

    /// The callee, if it is "a method declared in the CUT" (Algorithm 1, line 23), whatever it is called on.
    pub(super) fn own_callee(&self, call: &Call) -> Option<MethodId> {
        match call.target {
            Target::Method(callee) if callee.class == self.class => Some(callee),
            _ => None,
        }
    }
}
