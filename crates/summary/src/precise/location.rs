//! When two locations can be the same memory, and in which kind of test.
//!
//! Own fields are told apart by name. The state of objects held in fields is compared by type, unless the field owns
//! what it holds (only new objects are stored there and none is handed out): two fields that a client may have given
//! the same object must count as one.

use raddle_program::{ClassId, FieldId};

use super::engine::Engine;
use super::fields::FieldFacts;
use super::path::Step;
use super::role::{Role, Spot};

/// How the two calls of a test would have to be related for two locations to be one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Meeting {
    /// Both calls on the same receiver (and perhaps sharing an argument).
    SameReceiver,
    /// On any two receivers: the state is static.
    Apart,
    /// An argument (or something held by the receiver) of the first call is the receiver of the second.
    FirstHoldsSecond,
    /// The reverse.
    SecondHoldsFirst,
}

impl Meeting {
    pub(crate) const ALL: [Meeting; 4] = [
        Meeting::SameReceiver,
        Meeting::Apart,
        Meeting::FirstHoldsSecond,
        Meeting::SecondHoldsFirst,
    ];
}

/// Decides for one class under test.
pub(crate) struct Aliasing<'e, 'p> {
    pub(crate) engine: &'e Engine<'p>,
    pub(crate) class: ClassId,
}

impl Aliasing<'_, '_> {
    pub(crate) fn meeting(&self, left: &Spot, right: &Spot) -> Option<Meeting> {
        use Role::{Argument, Static, This, Unknown};
        match (left.role, right.role) {
            (This, This) => self.same_object(left, right),
            (Static(a), Static(b)) if a == b => suffixes(&left.steps, &right.steps).then_some(Meeting::Apart),
            // A class that cannot be found has no objects.
            (Unknown(class), _) | (_, Unknown(class)) if self.engine.program.class(class).is_none() => None,
            (Unknown(_), Unknown(_)) => {
                let anywhere = |spot: &Spot| {
                    spot.role == Unknown(self.engine.program.object()) && spot.steps == [Step::Any]
                };
                let meet =
                    anywhere(left) || anywhere(right) || same_field(left, right) || self.by_type(left, right);
                meet.then_some(Meeting::SameReceiver)
            }
            // Of an object that turned up somewhere below nothing ties it to what the test hands around.
            (Unknown(_), _) | (_, Unknown(_)) => None,
            (This, Argument(_)) if same_field(left, right) || self.is_state_of(right, left) => {
                Some(Meeting::SecondHoldsFirst)
            }
            (Argument(_), This) if same_field(left, right) || self.is_state_of(left, right) => {
                Some(Meeting::FirstHoldsSecond)
            }
            (Argument(_), Argument(_)) if same_field(left, right) || elements(left, right) => {
                Some(Meeting::SameReceiver)
            }
            _ => self.by_type(left, right).then_some(Meeting::SameReceiver),
        }
    }

    fn same_object(&self, left: &Spot, right: &Spot) -> Option<Meeting> {
        match (left.steps.as_slice(), right.steps.as_slice()) {
            ([Step::Any], [Step::Any]) => Some(Meeting::SameReceiver),
            ([Step::Any], [field @ Step::Field(_)]) | ([field @ Step::Field(_)], [Step::Any]) => {
                self.can_change(*field).then_some(Meeting::SameReceiver)
            }
            ([a @ Step::Field(_), left_rest @ ..], [b @ Step::Field(_), right_rest @ ..]) if a == b => {
                suffixes(left_rest, right_rest).then_some(Meeting::SameReceiver)
            }
            // A field of an object of the class's own kind, itself held in a field: the other call's receiver, perhaps.
            ([Step::Field(_), a @ Step::Field(_)], [b]) if a == b && self.can_change(*a) => {
                Some(Meeting::FirstHoldsSecond)
            }
            ([a], [Step::Field(_), b @ Step::Field(_)]) if a == b && self.can_change(*a) => {
                Some(Meeting::SecondHoldsFirst)
            }
            _ => self.by_type(left, right).then_some(Meeting::SameReceiver),
        }
    }

    /// A field that is not final, in word or in effect: a private field that only its object's construction sets is not
    /// changed by whatever is done to the state of the finished object.
    fn can_change(&self, step: Step) -> bool {
        match step {
            Step::Field(field) => {
                let access = self.engine.program.field(field).access;
                access.is_none_or(|access| !access.is_final()) && self.engine.field_facts(field).reassigned
            }
            Step::Element | Step::Any => false,
        }
    }

    /// The whole state of an argument that may be an object of the class under test, against one of its fields.
    fn is_state_of(&self, whole: &Spot, part: &Spot) -> bool {
        let Role::Argument(Some(class)) = whole.role else {
            return false;
        };
        whole.steps == [Step::Any]
            && matches!(part.steps.as_slice(), [field] if self.can_change(*field))
            && self.engine.program.is_subtype(self.class, class) == Some(true)
    }

    /// States of two objects that could be one object.
    fn by_type(&self, left: &Spot, right: &Spot) -> bool {
        match (self.state_class(left), self.state_class(right)) {
            (Some(a), Some(b)) => self.can_share(left, right) && self.engine.can_be_one(a, b),
            _ => false,
        }
    }

    /// Whether one object can have got to both places: it was put into one from outside, and into the other from
    /// outside too or came out of it.
    fn can_share(&self, left: &Spot, right: &Spot) -> bool {
        let (left, right) = (self.traffic(left), self.traffic(right));
        (left.fed && (right.fed || right.leaked)) || (left.leaked && right.fed)
    }

    fn traffic(&self, spot: &Spot) -> FieldFacts {
        match (spot.role, spot.steps.first()) {
            (Role::This | Role::Argument(_), Some(Step::Field(field))) if spot.steps.len() > 1 => {
                self.engine.field_facts(*field)
            }
            (Role::Static(field), _) => self.engine.field_facts(field),
            _ => FieldFacts {
                fed: true,
                leaked: true,
                ..FieldFacts::default()
            },
        }
    }

    /// Class of what a field holds, unless nothing else can refer to it.
    fn unowned_class(&self, field: FieldId) -> Option<ClassId> {
        let facts = self.engine.field_facts(field);
        if facts.owned {
            return None;
        }
        facts.exact.or_else(|| self.engine.field_class(field))
    }

    /// The class of the object whose state a spot is, when some other path may lead to the same object.
    fn state_class(&self, spot: &Spot) -> Option<ClassId> {
        let program = self.engine.program;
        match (spot.role, spot.steps.as_slice()) {
            (_, [Step::Field(field), Step::Any]) => self.unowned_class(*field),
            (Role::Static(field), [Step::Any]) => self.unowned_class(field),
            (Role::Argument(class), [Step::Any]) => class,
            (Role::Unknown(class), [Step::Any]) => Some(class),
            // A known field of an argument is part of the state of whatever object that is.
            (Role::Argument(_) | Role::Unknown(_), [Step::Field(field)]) => Some(program.field(*field).owner),
            _ => None,
        }
        .filter(|class| *class != program.object())
    }
}

/// The same field, of whatever objects.
fn same_field(left: &Spot, right: &Spot) -> bool {
    match (left.steps.as_slice(), right.steps.as_slice()) {
        ([a @ Step::Field(_), left_rest @ ..], [b @ Step::Field(_), right_rest @ ..]) => {
            a == b && suffixes(left_rest, right_rest)
        }
        _ => false,
    }
}

fn elements(left: &Spot, right: &Spot) -> bool {
    left.steps.first() == Some(&Step::Element)
        && right.steps.first() == Some(&Step::Element)
        && suffixes(&left.steps, &right.steps)
}

/// Whether what follows a common object overlaps: the slot itself, elements, state, or the elements' state.
fn suffixes(left: &[Step], right: &[Step]) -> bool {
    match (left, right) {
        ([], []) => true,
        ([], _) | (_, []) => false,
        ([Step::Field(a)], [Step::Field(b)]) => a == b,
        ([Step::Element, Step::Any], other) | (other, [Step::Element, Step::Any]) => {
            matches!(other, [Step::Element, Step::Any])
        }
        _ => true,
    }
}
