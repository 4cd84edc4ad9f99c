//! What crosses process and disk boundaries: test plans, schedules, outcomes, traces. Versioned and readable.

mod check;
mod document;
mod error;
mod event;
mod event_kind;
mod implementation;
mod java;
mod numbering;
mod outcome;
pub mod plain;
mod plan;
pub mod plan_text;
mod primitive;
mod recording;
mod run_feedback;
mod run_request;
mod target;

pub use check::class_literal;
pub use error::{CallPlace, CallProblem, PlanError};
pub use event::{Accessed, Caller, Event, Frame, ObjectRef, Place};
pub use event_kind::EventKind;
pub use implementation::{Deed, MOST_WRITTEN, MethodBody, Returned};
pub use java::{JavaCall, JavaCalls};
pub use numbering::{CallId, Part, Variable, Variables};
pub use outcome::{CallOutcome, CallResult, End, Held, KeptLock, Outcome, ThreadEnd, ThreadState, Uncaught};
pub use plan::{Argument, Call, Invoke, MAX_THREADS, MemberRef, PLAN_VERSION, TestPlan};
pub use primitive::Primitive;
pub use recording::{RECORDING_VERSION, Recording};
pub use run_feedback::{Blocked, Run, Step, Touch, TouchKind};
pub use run_request::{Clock, Order, Schedule, Switch};
pub use target::{FieldRef, MethodRef, Target};
