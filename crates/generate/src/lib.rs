//! Facts about a class in, test plans out. One file per strategy; deterministic from a seed.

mod strategy;

pub use strategy::{Candidate, Evidence, Feedback, Mode, Strategy};
