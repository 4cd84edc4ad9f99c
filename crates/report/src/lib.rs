//! Facts in, output out: terminal text and JSON.
//!
//! The only crate that knows an output format. It prints nothing itself: [`TextReport`] and [`JsonReport`] write to
//! whatever they are given, one class at a time, so that a large run need not be held in memory. What `raddle run` and
//! `raddle replay` show is small, and is made as a whole by [`run_text`], [`run_json`] and [`interleaving`].

mod class_text;
mod coverage;
mod explain;
mod hunt;
mod hunt_folder;
mod hunt_json;
mod hunt_memory;
mod hunt_request;
#[cfg(test)]
mod hunt_sample;
mod interleaving;
mod journal;
mod json;
mod plan_text;
mod reproducer;
mod run;
mod run_json;
#[cfg(test)]
mod run_sample;
#[cfg(test)]
mod sample;
mod skipped;
#[cfg(test)]
mod snapshot;
mod spent_time;
mod suite;
mod text;
mod total;

use std::io;
use std::time::Duration;

use raddle_summary::ClassFacts;

pub use class_text::class_text;
pub use explain::{EXPLAINED, explain};
pub use hunt::{Counting, FoundHere, HuntClass, HuntReport, NotHunted, finding_text, hunt_text, known_text};
pub use hunt_folder::HuntFolder;
pub use hunt_json::hunt_json;
pub use hunt_memory::{ClassMemory, MemoryError};
pub use hunt_request::{Bounds, Confirm, HuntRequest};
pub use interleaving::{InterleavingOptions, interleaving};
pub use json::JsonReport;
pub use plan_text::with_names;
pub use reproducer::{REPRODUCER_NAME, ReproducerInput, junit_name, junit_test, reproducer, suite_test};
pub use run::{Conclusion, Finding, Rates, RunReport, run_text};
pub use run_json::run_json;
pub use skipped::{SkipKind, Skipped, skip_counts};
pub use suite::{suite_json, suite_text, write_suite};
pub use text::{DEFAULT_WIDTH, TextOptions, TextReport};

/// What produced the facts, and from which JDK.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Name of the program.
    pub tool: &'static str,
    /// Version of the program.
    pub version: &'static str,
    /// Home directory of the JDK.
    pub jdk_home: String,
    /// Version of the JDK.
    pub jdk_version: String,
}

/// One output of `analyze`: every class in order, then the end.
pub trait AnalyzeReport {
    /// Writes one class and the time its analysis took.
    fn class(&mut self, facts: &ClassFacts, time: Duration) -> io::Result<()>;

    /// Writes what was skipped and the totals, with the time of the whole run. Nothing may follow.
    fn finish(&mut self, skipped: &[Skipped], time: Duration) -> io::Result<()>;
}
