//! DepCon+ Algorithm 2: the double-lock summary DS(m) of a method of the class under test.

use std::sync::Arc;

use raddle_program::MethodId;
use rustc_hash::FxHashMap;

use super::body::Target;
use super::callee::{implementation, overrides};
use super::family::Family;
use super::library::{Library, MAX_DEPTH};
use super::unroll::{Nested, Unrolled, unroll};

/// Algorithm 2 on one method.
pub(super) fn summarize<'p>(family: &mut Family<'p>, library: &Library<'p>, method: MethodId) -> Vec<Nested> {
    let mut unroller = Unroller {
        family,
        library,
        computed: FxHashMap::default(),
        stack: Vec::new(),
    };
    unroller.unrolled(method).nested.clone()
}

/// GETUNROLLEDINSTRUCTIONS over the methods of the class under test, with the call stack that ends recursions.
struct Unroller<'a, 'b, 'p> {
    family: &'a mut Family<'p>,
    library: &'b Library<'p>,
    computed: FxHashMap<MethodId, Arc<Unrolled>>,
    stack: Vec<MethodId>,
}

impl Unroller<'_, '_, '_> {
    /// The callee's own sequence, unless it is on the call stack.
    fn callee(&mut self, callee: MethodId) -> Option<Arc<Unrolled>> {
        if !self.family.owns(callee) {
            return self.library.effect(callee).unrolled;
        }
        if self.stack.contains(&callee) || self.stack.len() >= MAX_DEPTH {
            return Unrolled::of_recursion(self.family.program, callee);
        }
        Some(self.unrolled(callee))
    }

    /// A call through a super type of a method on the call stack may be a recursion: `key.hashCode()` in `hashCode`.
    fn recursion(&self, callee: MethodId, is_virtual: bool) -> Option<Arc<Unrolled>> {
        let program = self.family.program;
        let over = self
            .stack
            .iter()
            .find(|&&method| method != callee && overrides(program, method, callee));
        Unrolled::of_recursion(program, *over.filter(|_| is_virtual)?)
    }

    fn unrolled(&mut self, method: MethodId) -> Arc<Unrolled> {
        if let Some(computed) = self.computed.get(&method) {
            return Arc::clone(computed);
        }
        self.stack.push(method);
        let body = self.family.body(method);
        let unrolled = Arc::new(unroll(method, &body, |call| {
            let Target::Method(named) = call.target else {
                return None;
            };
            let callee = implementation(self.family.program, self.family.class, named);
            let recursion = self.recursion(callee, call.is_virtual);
            match (self.callee(callee), recursion) {
                (Some(callee), Some(recursion)) => Some(Unrolled::either(&callee, &recursion)),
                (callee, recursion) => callee.or(recursion),
            }
        }));
        self.stack.pop();
        self.computed.insert(method, Arc::clone(&unrolled));
        unrolled
    }
}
