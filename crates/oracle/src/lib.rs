//! Outcome -> verdict, with evidence.
//!
//! The oracle is that of DepCon+ (Terragni, Pezzè, "Statically Driven Generation of Concurrent Tests for Thread-Safe
//! Classes"), definition 4: a run is a violation if it does what no linearization of its calls does. A [`Baseline`]
//! knows what the linearizations do; one [`Oracle`] per kind of violation compares a run with it. The definition counts
//! exceptions and endless hangs; wrong results are a kind of their own here.
//!
//! A violation may have a [`Weakness`]: a reason to think that the class never promised otherwise.
//!
//! Beside verdicts there is [`RunEvidence`]: what the order of a run's events says about other orders. It is no verdict.

mod baseline;
mod deadlock;
mod declared;
pub mod dedup_key;
mod evidence;
mod exception;
mod fingerprint;
mod invariant;
mod judge;
mod livelock;
mod lost_wakeup;
mod own_test;
mod result;
mod serial;
pub mod stand_in;
mod telling;
mod unordered;
mod verdict;
mod weakness;
mod words;

pub use baseline::Baseline;
pub use deadlock::Deadlock;
pub use declared::{Declared, DeclaredOutcomes};
pub use evidence::{Access, LockCycle, LockEdge, LockUse, Race, RunEvidence, evidence};
pub use exception::Exception;
pub use fingerprint::fingerprint;
pub use invariant::name_invariant;
pub use judge::{Oracle, judge, oracles, violations};
pub use livelock::Livelock;
pub use lost_wakeup::LostWakeup;
pub use own_test::{TestCalls, TestVerdict, judge_test};
pub use result::WrongResult;
pub use serial::{is_order_of_steps, sequential_order, veto};
pub use verdict::{Difference, Evidence, Judgement, Kind, Link, Violation, Waiter};
pub use weakness::{
    Case, Holder, Role, RunEvents, StepCalls, WeakKind, Weakness, changing_calls, changing_step_calls,
    finds_others_in_its_own, is_failing_answer, meeting_points, roles, stack_text, step_calls,
    unguarded_state, weakness,
};
