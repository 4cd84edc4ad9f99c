//! The default analysis: flow-sensitive, interprocedural, over access paths.
//!
//! It computes the summaries of DepCon+ (sections 4 and 5, Definitions 5, 6, 9) by other means than the paper's
//! Algorithms 1 and 2, and lifts its stated limits (section 6.3): path insensitivity, `synchronized` only,
//! superclass dispatch. See ARCHITECTURE.md, "The static analysis", for the assumptions.

mod apply;
mod bits;
mod body;
mod call;
mod collection;
mod components;
mod construction;
mod depend;
mod effect;
mod engine;
mod fields;
mod heap;
mod interp;
mod lambda;
mod location;
mod lock;
mod mapping;
mod models;
mod monitor;
mod pairs;
mod path;
mod present;
mod relations;
mod role;
mod solver;
mod special;
mod state;
mod statics;
mod summary;
mod value;

pub(crate) use depend::PreciseAnalyzer;
