//! What crosses process and disk boundaries: test plans, schedules, outcomes, traces. Versioned and readable.

mod check;
mod document;
mod error;
mod event;
mod event_kind;
mod implementation;
mod java;
mod order;
mod outcome;
mod part;
pub mod plain;
mod plan;
mod primitive;
mod recording;
mod run;
mod target;

pub use check::class_literal;
pub use error::{CallPlace, CallProblem, PlanError};
pub use event::{Accessed, Caller, Event, Frame, ObjectRef, Place};
pub use event_kind::EventKind;
pub use implementation::{Deed, MOST_WRITTEN, MethodBody, Returned};
pub use java::{JavaCall, JavaCalls};
pub use order::{Clock, Order, Schedule, Switch};
pub use outcome::{CallOutcome, CallResult, End, Held, KeptLock, Outcome, ThreadEnd, ThreadState, Uncaught};
pub use part::{CallId, Part, Variable, Variables};
pub use plan::{Argument, Call, Invoke, MAX_THREADS, MemberRef, PLAN_VERSION, TestPlan};
pub use primitive::Primitive;
pub use recording::{RECORDING_VERSION, Recording};
pub use run::{Blocked, Run, Step, Touch, TouchKind};
pub use target::{FieldRef, MethodRef, Target};
