//! Program in, dependencies out: which public methods of a class can hurt each other.
//!
//! Two analyses behind one interface, [`Analyzer`]: [`Precision::Paper`] is DepCon+ Algorithms 1 and 2 as published,
//! [`Precision::Precise`] is Raddle's own. Both answer with [`ClassFacts`]: every fact carries the bytecode place that
//! proves it. No JVM is started, nothing is executed.

mod analyzer;
mod facts;
mod initialisation;
mod paper;
mod place;
mod precise;

pub use analyzer::{AnalyzeError, Analyzer};
pub use facts::*;
pub use initialisation::Initialisation;
pub use place::parameter_names;
