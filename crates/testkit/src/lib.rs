//! Java sources for tests: compiled, opened as a `Program`, and read for what they expect.
//!
//! [`fixtures`] is the folder `fixtures` of the workspace, compiled at most once per test process. [`compile`] takes
//! sources that a test brings along. Both use javac of the JDK that the product itself would find.

pub mod crew;
mod engine;
mod error;
mod expectation;
mod fixtures;
mod jars;
mod javac;
mod junit;
pub mod run_sample;
mod verdict;

pub use engine::{EngineFixture, INTERLEAVINGS, VERDICTS, engine_classes, engine_fixtures, engine_root};
pub use error::KitError;
pub use expectation::{Analysis, Claim, Expectation, MethodRef, Mistake, Relation, Summary, parse};
pub use fixtures::{Fixture, Fixtures, fixtures};
pub use jars::cached_jar;
pub use javac::{Compiled, compile, program};
pub use junit::run_junit;
pub use verdict::SCHEDULES;
