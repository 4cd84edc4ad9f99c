//! Access paths: how an object or a location is reached from what a caller hands in.
//!
//! DESIGN: this / parameter / static / unknown roots, bounded field depth. An object path keeps two steps, which is
//! enough for `this.lock`, `this.map.mutex` and `this.table[]`; beyond that it is "something below". A location is
//! coarser: own fields and array elements are told apart, everything deeper is the state of the object held there
//! (`this.map.*`), so that a call that changes `this.map` is a write to one location whatever the map's class does.

use raddle_program::{ClassId, FieldId};

/// What paths need to know of fields.
pub(crate) trait FieldShapes {
    /// Declaring class.
    fn owner(&self, field: FieldId) -> ClassId;
    /// Whether it holds an object of its declaring class's own kind.
    fn is_self_typed(&self, field: FieldId) -> bool;
}

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
        Path {
            root,
            steps: [Step::Any; 3],
            len: 0,
        }
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

    /// The location touched when `step` of the object at `self` is accessed. Fields of what
    /// a self-typed field holds (a parent, a next) are told apart: they are the class's own fields.
    ///
    /// Shapes: `root.f`, `root.f[]`, `root.f.*`, `root.f[].*`, `root[]`, `root[].*`, `root.*`, and `root.f.g` for a
    /// self-typed `f`. Of an object somewhere below, only the field itself is known, whoever's it is.
    pub(crate) fn location(self, step: Step, fields: &dyn FieldShapes) -> Path {
        let base = Path::root(self.root);
        if let ([Step::Any], Step::Field(field)) = (self.steps(), step) {
            return Path::root(Root::Unknown(fields.owner(field))).push(step);
        }
        if let Root::Static(_) = self.root {
            // The static field itself is the location; its object's fields are its state.
            return match (self.steps(), step) {
                ([], Step::Element) => base.push(Step::Element),
                ([Step::Element, ..], _) => base.push(Step::Element).push(Step::Any),
                _ => base.push(Step::Any),
            };
        }
        match (self.steps(), step) {
            ([], step) => base.push(step),
            ([Step::Element, ..], _) => base.push(Step::Element).push(Step::Any),
            ([first @ Step::Field(_)], Step::Element) => base.push(*first).push(Step::Element),
            ([first @ Step::Field(held)], Step::Field(_)) if fields.is_self_typed(*held) => {
                base.push(*first).push(step)
            }
            ([first @ Step::Field(_), Step::Element, ..], _) => {
                base.push(*first).push(Step::Element).push(Step::Any)
            }
            ([first @ Step::Field(_), ..], _) => base.push(*first).push(Step::Any),
            ([Step::Any, ..], _) => base.push(Step::Any),
        }
    }

    /// Re-roots a location of a callee at the object `self` of the caller.
    pub(crate) fn relocate(self, location_steps: &[Step], fields: &dyn FieldShapes) -> Path {
        match location_steps {
            [] => self,
            [one] => self.location(*one, fields),
            [head @ .., last] => self.follow_all(head).location(*last, fields),
        }
    }
}
