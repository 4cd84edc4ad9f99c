//! The loop: generate, run, judge, minimise, confirm; emits events.
//!
//! [`Hunt`] is the only loop over all the other stages. Data path for one class:
//!
//! ```text
//!   summary             facts of the class
//!   generate            a strategy that offers candidates, and hears what came of them
//!   explore_candidate   a candidate under a few well-chosen schedules, judged
//!   exercise            what it exercised of the class; coverage adds that up
//!   shrink              the smallest plan and the fewest preemptions that still show it
//!   confirm             the same run twice more, each in a fresh JVM
//!   settle              whether it is another fault, or may be by design
//!   stock_jvm           the same on a JVM without Raddle, beside the loop
//!   event               what the world hears
//!   journal             what a hunt needs to be resumed
//! ```
//!
//! Nothing is printed or written here. The clock is read here and nowhere above: it decides when to stop, and never
//! what is done next, so the same seed gives the same findings as far as the budget reaches.

mod annotations;
mod blind_spots;
mod class_state;
mod class_stats;
mod clock;
mod confirm;
mod contracts;
mod coverage;
mod error;
mod event;
mod executor;
mod exercise;
mod explore_candidate;
mod feedback;
mod finding;
mod found;
mod guards;
mod hunt;
mod journal;
mod judged_kinds;
mod jvm_loadable;
mod long_calls;
mod looks_shared;
mod null_answers;
mod options;
mod pairs;
mod promise;
mod realise_prediction;
mod related_evidence;
mod settle;
mod shareable;
mod shrink;
mod silenced;
mod state_fields;
mod statics;
mod step_orders;
mod stock_jvm;
mod suite;
mod timing;
mod traces;
mod verdicts;
mod worker_pool;

pub use blind_spots::blind_spots;
pub use contracts::{ContractError, Contracts};
pub use coverage::{ClassCoverage, ENOUGH_PERCENT, Silent, Uncovered};
pub use error::HuntError;
pub use event::{Also, Begun, ClassReport, Conclusion, HuntEvent, Numbers, Progress, StockTrial, Weaker};
pub use exercise::{Exercise, Fared, Reach};
pub use finding::{Finding, Sighting, StockJvm, calls_text};
pub use hunt::{Hunt, HuntTarget};
pub use journal::{Known, Settled, TrialRecord, Tried};
pub use looks_shared::{Sharing, looks_shared};
pub use options::HuntOptions;
pub use promise::{Promise, Strength};
pub use raddle_execute::Spent;
pub use silenced::Silenced;
pub use statics::changed_statics;
pub use stock_jvm::{Untried, UseStockJvm};
pub use suite::{Coverage, Suite, SuiteOptions, SuiteProgress, SuiteTest, suite};
pub use timing::TimeSpent;
pub use verdicts::{Shown, Verdicts, judge_all};
