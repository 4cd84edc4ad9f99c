//! Facts about a class in, test plans out. One file per strategy; deterministic from a seed.
//!
//! Data path: `callable` says how the class's methods are called, `recipe` and `maker` how its objects are made,
//! `values` where arguments come from. `workshop` puts calls together, `assembly` pairs of them; `strategies` decide
//! which to try, and hear what came of it.

mod assembly;
mod callable;
mod directed;
mod draft;
mod home;
mod insight;
mod kin;
mod maker;
mod memory;
mod observer;
mod observing;
mod provenance;
mod recipe;
mod rng;
pub mod seeds;
mod sequences;
mod strategies;
mod strategy;
mod target;
mod values;
mod views;
mod visible;
mod workshop;

pub use callable::Skipped;
pub use directed::{Expected, Hold, Point, Prediction, TracedSeed, sequential_tests};
pub use home::home;
pub use recipe::{Obstacle, Unmakeable};
pub use strategies::{Autocontest, CoverageOptions};
pub use strategy::{Candidate, Evidence, Feedback, Mode, Strategy};
pub use target::{CannotTest, StrategyKind, Target, UnknownStrategy, autocontest, strategy};
