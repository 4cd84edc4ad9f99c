//! Facts in, output out: terminal text and JSON.
//!
//! The only crate that knows an output format. It prints nothing itself: [`TextReport`] and [`JsonReport`] write to
//! whatever they are given, one class at a time, so that a large run need not be held in memory. What `raddle run` and
//! `raddle replay` show is small, and is made as a whole by [`run_text`], [`run_json`] and [`interleaving`].

mod acceptance;
mod baseline;
mod bounded;
mod class_record;
mod class_text;
mod closing;
mod columns;
mod coverage;
mod excerpt;
mod explain;
mod finding_locations;
mod headline;
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
mod location;
mod merge;
mod own_line;
mod own_tests;
mod paint;
mod plan_text;
mod read_back;
mod reports;
mod reproducer;
mod run;
mod run_json;
#[cfg(test)]
mod run_sample;
#[cfg(test)]
mod sample;
mod shard;
mod skipped;
#[cfg(test)]
mod snapshot;
mod spent_time;
mod suite;
mod text;
mod total;
mod trace;

use std::io;
use std::time::Duration;

use raddle_summary::ClassFacts;

pub use acceptance::{Acceptance, ExcludedMethod, NoMethod};
pub use baseline::{Accepted, Baseline, BaselineError};
pub use class_record::{ClassRecord, RecordedClass, day};
pub use class_text::{class_line, class_text, unchanged_line};
pub use closing::{by_weight, closing_text};
pub use explain::{EXPLAINED, explain};
pub use hunt::{
    Counting, FoundHere, HuntClass, HuntReport, NotHunted, finding_text, hunt_text, known_text,
    reproducer_file,
};
pub use hunt_folder::{HuntFolder, LockError};
pub use hunt_json::hunt_json;
pub use hunt_memory::{ClassMemory, MemoryError};
pub use hunt_request::{Bounds, Confirm, HuntRequest};
pub use interleaving::{InterleavingOptions, interleaving};
pub use json::JsonReport;
pub use location::Location;
pub use merge::{MergeError, Shards};
pub use own_tests::{TestConclusion, TestReport, TestResult, test_text, tests_json, tests_total};
pub use paint::Paint;
pub use plan_text::with_names;
pub use read_back::{ReadError, read_hunt};
pub use reports::{ReportError, ReportFormat, Sources, UnknownFormat, write_reports};
pub use reproducer::{
    HELPER_FILE, REPRODUCER_NAME, ReproducerInput, helper_file, junit_file, junit_name, junit_test,
    reproducer, suite_test,
};
pub use run::{Conclusion, Finding, Rates, RunReport, run_text};
pub use run_json::run_json;
pub use shard::{NoShard, Shard};
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
