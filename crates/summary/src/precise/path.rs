//! Access paths: how an object or a location is reached from what a caller hands in.
//!
//! DESIGN: this / parameter / static / unknown roots, bounded field depth. An object path keeps two steps, which is
//! enough for `this.lock`, `this.map.mutex` and `this.table[]`; beyond that it is "something below". A location is
//! coarser: own fields and array elements are told apart, everything deeper is the state of the object held there
//! (`this.map.*`), so that a call that changes `this.map` is a write to one location whatever the map's class does.

use raddle_program::{ClassId, FieldId};

/// Where a path starts.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Root {
    /// Parameter of the summarised method; 0 is `this` in an instance method.
    Param(u16),
    /// A static field's value.
    Static(FieldId),
    /// An object of unknown origin, of at least this type.
    Unknown(ClassId),
}

/// One step away from the root.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Step {
    /// A field.
    Field(FieldId),
    /// Any element of an array, or of a collection.
    Element,
    /// Anything reachable below.
    Any,
}

/// A root and at most three steps; the third is always [`Step::Any`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Path {
    pub(crate) root: Root,
    steps: [Step; 3],
    len: u8,
}

impl Path {
    pub(crate) fn root(root: Root) -> Path {
        Path { root, steps: [Step::Any; 3], len: 0 }
    }

    pub(crate) fn param(index: u16) -> Path {
        Path::root(Root::Param(index))
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps[..usize::from(self.len)]
    }

    pub(crate) fn is_root(&self) -> bool {
        self.len == 0
    }

    pub(crate) fn last(&self) -> Option<Step> {
        self.steps().last().copied()
    }

    fn push(mut self, step: Step) -> Path {
        self.steps[usize::from(self.len)] = step;
        self.len += 1;
        self
    }

    /// The object found by following `step` from the object at `self`.
    pub(crate) fn follow(self, step: Step) -> Path {
        match self.last() {
            Some(Step::Any) => self,
            _ if self.len == 2 => self.push(Step::Any),
            _ => self.push(step),
        }
    }

    /// The object found by following all of `steps`.
    pub(crate) fn follow_all(self, steps: &[Step]) -> Path {
        steps.iter().fold(self, |path, &step| path.follow(step))
    }

    /// The location touched when `step` of the object at `self` is accessed.
    ///
    /// Shapes: `root.f`, `root.f[]`, `root.f.*`, `root.f[].*`, `root[]`, `root[].*`, `root.*`.
    pub(crate) fn location(self, step: Step) -> Path {
        let base = Path::root(self.root);
        let start = match self.root {
            // The static field itself is the location; its object's fields are its state.
            Root::Static(_) => {
                return match (self.steps(), step) {
                    ([], Step::Element) => base.push(Step::Element),
                    ([Step::Element, ..], _) => base.push(Step::Element).push(Step::Any),
                    _ => base.push(Step::Any),
                };
            }
            Root::Param(_) | Root::Unknown(_) => base,
        };
        match (self.steps(), step) {
            ([], step) => start.push(step),
            ([Step::Element, ..], _) => start.push(Step::Element).push(Step::Any),
            ([first @ Step::Field(_)], Step::Element) => start.push(*first).push(Step::Element),
            ([first @ Step::Field(_)], _) => start.push(*first).push(Step::Any),
            ([first @ Step::Field(_), Step::Element, ..], _) => {
                start.push(*first).push(Step::Element).push(Step::Any)
            }
            ([first @ Step::Field(_), ..], _) => start.push(*first).push(Step::Any),
            ([Step::Any, ..], _) => start.push(Step::Any),
        }
    }

    /// Re-roots a location of a callee at the object `self` of the caller.
    pub(crate) fn relocate(self, location_steps: &[Step]) -> Path {
        match location_steps {
            [] => self,
            [one] => self.location(*one),
            [head @ .., last] => self.follow_all(head).location(*last),
        }
    }
}
