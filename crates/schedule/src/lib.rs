//! Policies that decide which thread runs next. Pure: no clock, no IO.
//!
//! A [`Scheduler`] hands out [`Order`](raddle_plan::Order)s and hears what came of them. The orders are carried out
//! by the runtime inside the JVM; [`model`] is the same machine in Rust, and the definition of what an order means.

mod bounded;
mod branch_points;
mod delay;
mod directed;
mod dpor;
mod fair;
mod fixed_schedule;
mod focused;
mod pct;
mod pos;
mod random;
pub mod reference_machine;
mod registry;
mod replay;
mod rng;
mod scheduler;
mod seed_stream;
mod sequential;
mod stress;

pub use bounded::{Bounded, DEFAULT_BYTES};
pub use delay::Delay;
pub use directed::{Directed, Holds};
pub use dpor::Dpor;
pub use fixed_schedule::{PATIENCE, stay_or_next, switches};
pub use pct::Pct;
pub use pos::Pos;
pub use random::Random;
pub use registry::{Config, ConfigError, Entry, Resume};
pub use replay::Replay;
pub use rng::{Rng, run_seed, splitmix64};
pub use scheduler::{Claim, Scheduler};
pub use sequential::{Listed, Sequential};
pub use stress::Stress;
