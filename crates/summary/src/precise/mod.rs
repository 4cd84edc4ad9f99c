//! The default analysis: flow-sensitive, interprocedural, over access paths.
//!
//! It computes the summaries of DepCon+ (sections 4 and 5, Definitions 5, 6, 9) by other means than the paper's
//! Algorithms 1 and 2, and lifts its stated limits (section 6.3): path insensitivity, `synchronized` only,
//! superclass dispatch. See ARCHITECTURE.md, "The static analysis", for the assumptions.

mod bits;
mod body;
mod call;
mod call_effects;
mod collection;
mod components;
mod construction;
mod depend;
mod engine;
mod fields;
mod heap;
mod interp;
mod intrinsics;
mod lambda;
mod library_contracts;
mod location;
mod lock;
mod mapping;
mod monitor;
mod pairs;
mod path;
mod relations;
mod role;
mod solver;
mod stack_effects;
mod state;
mod statics;
mod summary;
mod to_facts;
mod value;

pub(crate) use depend::PreciseAnalyzer;
