//! Supervises worker processes: limits, crashes, hangs, replacement.
//!
//! A [`Session`] has one worker at a time, which it kills and replaces when that crashes, hangs or uses more than it
//! may. What a worker had found before it died is kept. No verdict is made here.
//!
//! The only crate that starts processes. A worker dies with the *thread* that started it, so a session must not
//! outlive the thread that uses it.

mod account;
mod canaries;
mod death;
mod error;
mod exploration;
mod options;
mod output;
mod process_stats;
mod run_reproducer;
mod scratch;
mod session;
mod spent;
mod untrusted;
mod worker;

pub use canaries::{Canary, CanaryReport};
pub use death::{Cause, Death};
pub use error::SessionError;
pub use exploration::{Distinct, Exploration};
pub use options::{ExploreOptions, Limits, SessionOptions, WORKER_COMMAND};
pub use raddle_schedule::Claim;
pub use raddle_worker::cage::{CageReport, Hold};
pub use raddle_worker::protocol::{Alone, LeftAlone, Link, Meetings, Progress, Ready, Replayed, Stop};
pub use raddle_worker::usable_cpus;
pub use run_reproducer::{STOCK_COMMAND, StockOptions, StockVerdict, run_reproducer, run_reproducer_text};
pub use scratch::NoScratch;
pub use session::{Repeated, Session};
pub use spent::Spent;
