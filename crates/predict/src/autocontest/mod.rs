//! AutoConTest (Terragni and Cheung, "Coverage-Driven Test Code Generation for Concurrent Classes", ICSE 2016; the slides of
//! the talk): what a call does when it runs alone, and in which ways two calls could get in each other's way.
//!
//! [`behaviours`] is the sequential coverage, [`requirements`] are the interleavings to cover.

mod accesses;
mod coverage;
mod patterns;
#[cfg(test)]
mod tests;

pub use accesses::Alone;
pub use coverage::behaviours;
pub use patterns::{Demand, Requirement, Turn, requirements};
