//! What every policy is to its user.

use raddle_plan::{Order, Run};
use serde::{Deserialize, Serialize};

/// Hands out runs to make, and learns from those made.
///
/// The caller asks for some orders, has them carried out, reports each, and asks again. An order that was not reported
/// by the next call of [`Scheduler::next`] counts as lost.
pub trait Scheduler: Send {
    /// The name it is chosen by.
    fn name(&self) -> &'static str;

    /// The next runs to make, at most `most`. Empty when there is nothing more to ask; a random policy never ends.
    /// There may be fewer than `most`, when the rest depends on what comes of these.
    fn next(&mut self, most: usize) -> Vec<Order>;

    /// What came of an order. Orders are reported in the order in which they were handed out. Most policies learn nothing
    /// from it.
    fn observe(&mut self, _order: &Order, _run: &Run) {}

    /// Whether the orders handed out last need [`Run::steps`]. May change from one batch to the next.
    fn needs_steps(&self) -> bool {
        false
    }

    /// Whether [`raddle_plan::Step::shared`] is to be found out, which takes time.
    fn needs_shared(&self) -> bool {
        false
    }

    /// Whether [`raddle_plan::Step::touch`] and [`Run::blocked`] are to be found out, which takes time.
    fn needs_touches(&self) -> bool {
        false
    }

    /// Whether no step of any run was about something that another thread was about too, and there is no run that this is
    /// not known of. Only a policy that asks for [`raddle_plan::Step::shared`] can say so.
    fn is_apart(&self) -> bool {
        false
    }

    /// About how many runs there are to come, as far as that can be seen now.
    fn left(&self) -> Option<u64> {
        None
    }

    /// What may be said of the runs made so far; nothing unless the policy is a systematic one.
    fn claim(&self) -> Option<Claim> {
        None
    }
}

/// What a systematic policy may say of its runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// A sentence for people.
    pub text: String,
    /// How many different interleavings were run.
    pub interleavings: u64,
    /// Whether these are all within the policy's bound.
    pub complete: bool,
}
