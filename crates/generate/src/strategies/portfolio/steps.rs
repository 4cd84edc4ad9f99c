//! What is tried with a pair of methods, and in which order.

use crate::Mode;
use crate::pair_plans::{Content, Pair, Sharing};
use crate::siblings::Siblings;
use crate::values::Taste;
use crate::views::View;

/// One thing to try with a pair.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Two objects, crosswise.
    Cross(Content),
    /// Both calls on one object: for locks that all belong to one.
    OneObject,
    /// A conflict in the way of sharing that the evidence speaks of.
    Meet(usize, Follow),
    /// The object as its own argument.
    Itself,
    /// The same, with the object in itself from the beginning.
    InItself,
    /// Another way of sharing.
    Share(Sharing),
    /// Two objects that have nothing but static state in common, of which this one has been used before.
    Strangers(usize),
    /// A conflict with arguments that call the object back.
    Acting,
    /// A conflict with arguments that fail when they are called.
    Failing,
    /// A conflict with arguments that count how often they are called, on an object that holds so many elements.
    Counting(usize),
    /// The first method beside one of an object that the second handed out; numbered.
    View(usize, View),
    /// Two calls on one object that the second method handed out; numbered.
    Handed(usize),
    /// Two calls, each on an object of its own that the method handed out; numbered.
    Siblings(usize, Siblings),
    /// Calls on two objects that know each other, by a numbered way.
    Kin(usize),
    /// A conflict on an object that holds one element less than a number that the class compares with; numbered.
    Brink(usize),
}

/// What the threads of a conflict test do besides the calls of the pair.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Follow {
    Nothing,
    /// The second thread has other values than the first.
    Apart,
    /// The second thread has the first one's real numbers with the opposite sign, and texts of the other kind: what one
    /// makes bigger, the other makes smaller, and what one can read, the other cannot.
    Opposite,
    /// The call of the first or second thread has null for an object, and had another before.
    Null(usize),
    /// A third method comes before the second thread's call, or after it; numbered.
    Before(usize),
    After(usize),
    /// The same, before the first thread's call.
    Ahead(usize),
    Crossing,
    Twice,
    /// The second thread's arguments have changed places.
    Swapped,
    /// A third thread makes the call of the first or second one too.
    Crowd(usize),
}

/// What surrounds a test and is not in its calls. A limiter refuses nothing while the time stands still, and a registry whose
/// collaborator says no to everything registers nothing.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// Stand-ins say no, and no time passes before the threads begin.
    Usual,
    /// Stand-ins say yes to whatever they are asked.
    Agreeing,
    /// Time passes before the threads begin.
    Later,
    /// All options of builders and configurations are set, to small values.
    Configured,
    /// Different strings have the same hash code.
    Colliding,
    /// The objects under test are made in another way; numbered.
    MadeOtherwise(usize),
}

/// A step for a pair.
#[derive(Copy, Clone, Debug)]
pub(super) struct Job {
    pub(super) pair: Pair,
    pub(super) mode: Mode,
    pub(super) step: Step,
    pub(super) setting: Setting,
    pub(super) taste: Taste,
    /// How often it was tried in vain.
    pub(super) retries: u32,
    /// Which of the methods that change what the pair looks at is called before the threads begin, in place of the usual one: a
    /// call that was refused may want the object started, opened or registered first.
    pub(super) primed: Option<usize>,
}

impl Job {
    /// Whether objects under test are given to each other or to themselves.
    pub(super) fn is_reflexive(&self) -> bool {
        match self.step {
            Step::Cross(_) | Step::Itself | Step::InItself | Step::Share(_) => true,
            Step::Meet(..) => self.pair.meets_in_argument,
            _ => false,
        }
    }

    /// Whether there is more than one thing in the objects.
    pub(super) fn is_about_many(&self) -> bool {
        matches!(
            self.step,
            Step::Meet(2.., _) | Step::Cross(Content::Elements(2..)) | Step::Counting(2..)
        )
    }

    /// Whether it is worth trying in another setting: objects in each other have trouble enough.
    pub(super) fn has_settings(&self) -> bool {
        self.mode == Mode::Exception && !self.is_reflexive()
    }

    /// Whether the objects hold each other or themselves before the threads begin.
    pub(super) fn is_knotted(&self) -> bool {
        matches!(self.step, Step::InItself | Step::Cross(Content::EachOther))
    }
}

pub(super) const DEADLOCK_STEPS: [Step; 5] = [
    Step::Cross(Content::Elements(0)),
    Step::Cross(Content::Elements(1)),
    Step::Cross(Content::EachOther),
    Step::OneObject,
    Step::Cross(Content::Elements(2)),
];
pub(super) const CONFLICT_STEPS: [Step; 39] = [
    Step::Meet(0, Follow::Nothing),
    Step::Meet(1, Follow::Null(0)),
    Step::Meet(1, Follow::Null(1)),
    Step::Meet(1, Follow::Nothing),
    Step::Strangers(0),
    Step::Strangers(1),
    Step::Counting(0),
    Step::Counting(1),
    Step::Cross(Content::Elements(1)),
    Step::Meet(2, Follow::Swapped),
    Step::Meet(1, Follow::Apart),
    Step::Brink(0),
    Step::Itself,
    Step::Meet(1, Follow::Before(0)),
    Step::Meet(1, Follow::Before(1)),
    Step::Meet(3, Follow::Nothing),
    Step::Meet(2, Follow::Crossing),
    Step::Meet(0, Follow::Crowd(0)),
    Step::Meet(1, Follow::Crowd(0)),
    Step::Meet(0, Follow::Crowd(1)),
    Step::Meet(1, Follow::Crowd(1)),
    Step::Brink(1),
    Step::Brink(2),
    Step::Brink(3),
    Step::Acting,
    Step::Failing,
    Step::Share(Sharing::ArgumentOfFirst),
    Step::Share(Sharing::ArgumentOfSecond),
    Step::Meet(1, Follow::After(0)),
    Step::Meet(1, Follow::After(1)),
    Step::Meet(1, Follow::Ahead(0)),
    Step::Meet(1, Follow::Ahead(1)),
    Step::Meet(1, Follow::Before(2)),
    Step::Meet(1, Follow::After(2)),
    Step::Meet(1, Follow::Before(3)),
    Step::Meet(1, Follow::After(3)),
    Step::Meet(3, Follow::Twice),
    Step::Brink(4),
    Step::Brink(5),
];
