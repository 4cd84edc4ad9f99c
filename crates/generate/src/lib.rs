//! Facts about a class in, test plans out. One file per strategy; deterministic from a seed.
//!
//! Data path: `callable` says how the class's methods are called, `constructions` and `factory_methods` how its objects are made,
//! `values` where arguments come from. `plan_builder` puts calls together, `pair_plans` pairs of them; `strategies` decide
//! which to try, and hear what came of it.

mod acting;
mod callable;
mod constructions;
mod directed;
mod fact_queries;
mod factory_methods;
mod filling;
mod home;
mod implementers;
mod kin;
mod observer;
mod observing;
mod other_ways;
mod pair_plans;
mod plan_builder;
mod plan_draft;
mod provenance;
mod recipes;
mod rng;
mod sequences;
mod siblings;
mod strategies;
mod strategy;
mod target;
mod throw_history;
pub mod user_tests;
mod values;
mod views;
mod visible;

pub use callable::Skipped;
pub use constructions::{Obstacle, Unmakeable};
pub use directed::{Expected, Hold, Point, Prediction, TracedTest, sequential_tests};
pub use home::home;
pub use implementers::{implementers, is_handed_out};
pub use strategies::{Autocontest, CoverageOptions};
pub use strategy::{Candidate, Evidence, Feedback, Mode, Strategy};
pub use target::{CannotTest, StrategyKind, Target, UnknownStrategy, autocontest, strategy};
