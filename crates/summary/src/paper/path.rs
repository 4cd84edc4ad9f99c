//! DepCon+ section 5.1: what the alias analysis can name.
//!
//! An alias is a chain of references that starts at the receiver, a parameter, a static field or a class object. A value
//! that starts anywhere else (a new object, the result of a call) has no name and cannot be shared.

use raddle_program::{ClassId, FieldId};

/// The outermost reference of a chain.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Root {
    /// The current object.
    This,
    /// A parameter, by its position among all arguments: the receiver, where there is one, is argument 0.
    Param(u16),
    /// The value of a static field.
    Static(FieldId),
    /// A class object.
    Class(ClassId),
}

/// One link of a chain.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Step {
    /// An instance field.
    Field(FieldId),
    /// Any element of an array: an array is a single location.
    Element,
}

/// Links that are told apart; what lies deeper is taken for the last of them.
const MAX_STEPS: usize = 4;

/// A chain of references, or the location at its end.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Path {
    pub(super) root: Root,
    steps: [Option<Step>; MAX_STEPS],
}

/// What a stack slot or local variable is known to hold.
pub(super) type Value = Option<Path>;

impl Path {
    pub(super) fn new(root: Root) -> Path {
        Path {
            root,
            steps: [None; MAX_STEPS],
        }
    }

    pub(super) fn steps(&self) -> impl DoubleEndedIterator<Item = Step> {
        self.steps.iter().copied().flatten()
    }

    pub(super) fn last(&self) -> Option<Step> {
        self.steps().next_back()
    }

    /// The chain one link longer.
    pub(super) fn then(mut self, step: Step) -> Path {
        if let Some(free) = self.steps.iter_mut().find(|slot| slot.is_none()) {
            *free = Some(step);
        }
        self
    }

    /// The chain without the array elements at its end: an array and the field that holds it are one location.
    pub(super) fn without_elements(mut self) -> Path {
        for slot in self.steps.iter_mut().rev() {
            match slot {
                Some(Step::Field(_)) => break,
                Some(Step::Element) | None => *slot = None,
            }
        }
        self
    }

    /// ISSHAREDLOCATION (Algorithm 1): the current object, its fields, and static fields.
    pub(super) fn is_shared(&self) -> bool {
        matches!(self.root, Root::This | Root::Static(_))
    }

    /// Whether the outermost reference is a parameter or the receiver.
    pub(super) fn is_argument(&self) -> bool {
        matches!(self.root, Root::This | Root::Param(_))
    }

    /// A callee's chain as its caller sees it; `None` when it starts at an argument that has no name there.
    pub(super) fn in_caller(&self, arguments: &[Value]) -> Value {
        let argument = match self.root {
            Root::Static(_) | Root::Class(_) => return Some(*self),
            Root::This => 0,
            Root::Param(index) => usize::from(index),
        };
        let start = arguments.get(argument).copied().flatten()?;
        Some(self.steps().fold(start, Path::then))
    }
}
