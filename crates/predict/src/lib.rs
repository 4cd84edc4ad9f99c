//! What calls that ran alone say about calls that run together.
//!
//! Input are traces of sequential tests. Output are predictions: two or more calls, what their arguments must share,
//! and the places between which the threads must switch. Nothing here knows of plans, schedules or a JVM, and nothing
//! here is a finding: a prediction becomes one only when a run has shown it.

mod autocontest;
mod calls;
mod interner;
mod intruder;
mod narada;
mod omen;
mod path;
mod setters;
mod trace;

pub use autocontest::{Alone, Demand, Requirement, Turn, behaviours, requirements};
pub use intruder::{
    Access, Atomicity, Guard, Infeasible, Limits, Obstacle, Shared, Sharing, Triple, Variables, atomicity,
};
pub use narada::{Race, Races, races};
pub use omen::{Acquisition, CycleLimits, Deadlock, Deadlocks, Same, Unusable, deadlocks};
pub use path::{AccessPath, Root};
pub use setters::{Setter, setters};
pub use trace::{Action, Field, Method, Object, Step, Trace, TypeOrder};
