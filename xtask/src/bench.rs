//! `cargo xtask bench`: what Raddle can do, measured. One file per benchmark, listed in [`Benchmark`].

mod autocontest;
mod directed;
mod dpor;
mod engine;
mod false_alarms;
mod hunt;
mod hunting;
mod machine;
mod ours;
mod peer;
mod program;
mod report;
mod strategies;

use clap::Subcommand;

/// Arguments of `bench`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    benchmark: Benchmark,
}

#[derive(Subcommand)]
enum Benchmark {
    /// Count the schedules per second of four small tests, beside those of another tool.
    Engine(engine::Args),
    /// Hunt classes that are known to be faulty, and tell what was found and how soon.
    Hunt(hunt::Args),
    /// Hunt classes that are known to be correct, and tell what was found all the same.
    FalseAlarms(false_alarms::Args),
    /// Compare the published strategies, with and without control over the threads.
    Strategies(strategies::Args),
    /// Hunt the classes of two papers that predict violations, to the end of the predictions.
    Directed(directed::Args),
    /// Cover the interleavings of the classes of AutoConTest, and look for their faults.
    Autocontest(autocontest::Args),
    /// Count the interleavings of small tests with and without partial-order reduction.
    Dpor(dpor::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.benchmark {
        Benchmark::Engine(args) => engine::run(args),
        Benchmark::Hunt(args) => hunt::run(args),
        Benchmark::FalseAlarms(args) => false_alarms::run(args),
        Benchmark::Strategies(args) => strategies::run(args),
        Benchmark::Directed(args) => directed::run(args),
        Benchmark::Autocontest(args) => autocontest::run(args),
        Benchmark::Dpor(args) => dpor::run(args),
    }
}
