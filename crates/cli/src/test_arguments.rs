//! What `raddle test` can be told.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use raddle_execute::ExploreOptions;
use raddle_schedule::Config;

use crate::run_arguments::{JvmArguments, duration};

pub(crate) const TEST_ABOUT: &str = "\
Run tests that you have, under many schedules

It takes tests as they are: JUnit 3, 4, 5 and 6, TestNG, JCStress, Lincheck, Fray, VMLens, and, for a class that is named, main(String[]) or run() of a Runnable. Tests that it cannot take are named, with the reason.

Each schedule runs the test once, with fresh static state. All threads that the test starts are controlled: plain and virtual threads, executors, the common pool, parallel streams, timers. Time is virtual, so sleeping costs nothing.

A test fails if it throws, if a thread that it starts dies of an exception, if threads wait forever, or if the outcome is one that it forbids. Assertions are on.

A test that passes was run under all interleavings, or under as many schedules as the budget allowed; the report says which. If something could not be controlled, the answer is inconclusive.";

pub(crate) const TEST_EXAMPLES: &str = "\
Examples:
  All tests of a class:
    raddle test -cp target/classes:target/test-classes:lib/* com.acme.CacheTest
  One of them, for a minute:
    raddle test -cp … com.acme.CacheTest#evictsOnce --budget 1m
  Everything in a package (quote patterns):
    raddle test -cp … 'com.acme.**'
  A program:
    raddle test -cp target/classes com.acme.Main";

#[derive(Args)]
pub(crate) struct TestArguments {
    /// Classes with tests: names, or quoted patterns such as 'com.acme.**'; #name after a class for one of its tests.
    #[arg(value_name = "TEST", required = true)]
    pub(crate) tests: Vec<String>,

    /// How long each test is run: 500ms, 30s, 5m, 1h.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10s")]
    pub(crate) budget: Duration,

    /// How many schedules of each test at most; with this, results do not depend on how fast the machine is.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) schedules: Option<u64>,

    /// Who decides which thread runs, as for `raddle run` [default: several in turn].
    #[arg(long, value_name = "SCHEDULER")]
    pub(crate) scheduler: Option<Config>,

    /// Random seed: the same seed gives the same schedules.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// End a schedule after this many steps.
    #[arg(long, value_name = "N", default_value_t = 10 * ExploreOptions::MAX_STEPS, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_steps: u32,

    /// A public method that is true, or throws nothing, whenever no thread is at work, as if it had the annotation @Invariant.
    #[arg(long, value_name = "NAME")]
    pub(crate) invariant: Vec<String>,

    #[command(flatten)]
    pub(crate) jvm: JvmArguments,

    /// Where failing schedules are saved.
    #[arg(long, value_name = "DIR", default_value = "raddle-out")]
    pub(crate) save: PathBuf,

    /// Write one JSON document to standard output, and nothing else.
    #[arg(long)]
    pub(crate) json: bool,
}
