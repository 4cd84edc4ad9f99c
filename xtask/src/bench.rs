//! `cargo xtask bench`: what Raddle can do, measured. One file per benchmark, listed in [`Benchmark`].

mod autocontest;
mod awkward;
mod backend;
mod cage;
mod coverage;
mod directed;
mod dpor;
mod engine;
mod false_alarms;
mod hunt;
mod hunting;
mod kept;
pub(crate) mod machine;
mod ours;
mod peer;
mod peers;
mod program;
mod report;
mod sample;
mod scale;
mod scoreboard;
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
    /// Make every table, and a page of them: the quick ones in an hour; a run that was interrupted goes on.
    All(scoreboard::AllArgs),
    /// Copy tables, results and plots of `bench all` into the repository, and make `docs/results.md`.
    Publish(scoreboard::PublishArgs),
    /// Count the schedules per second of four small tests, beside those of another tool.
    Engine(engine::Args),
    /// Look for known faults with Raddle and with tools that need a test to be written, and count their schedules.
    Peers(peers::Args),
    /// Hunt classes that are known to be faulty, and tell what was found and how soon.
    Hunt(hunt::Args),
    /// Hunt classes that are known to be correct, and tell what was found all the same.
    FalseAlarms(false_alarms::Args),
    /// Hunt the frozen sample, classes that nobody has chosen, and tell how many of the findings are true.
    Sample(sample::Args),
    /// Hunt classes that do not end, end the virtual machine or take everything, and tell how long that takes.
    Awkward(awkward::Args),
    /// Measure what the cage costs.
    Cage(cage::Args),
    /// Hunt a sample project by a pattern, and tell which of its faults were found.
    Backend(backend::Args),
    /// Compare the published strategies, with and without control over the threads.
    Strategies(strategies::Args),
    /// Hunt the classes of two papers that predict violations, to the end of the predictions.
    Directed(directed::Args),
    /// Cover the interleavings of the classes of AutoConTest, and look for their faults.
    Autocontest(autocontest::Args),
    /// Try pairs of methods over time, and tell where the time goes.
    Coverage(coverage::Args),
    /// Count the interleavings of small tests with and without partial-order reduction.
    Dpor(dpor::Args),
    /// Measure and plot how Raddle grows with workers, with the size of a class, and with the class path.
    Scale(scale::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    dispatch(&args.benchmark)
}

fn dispatch(benchmark: &Benchmark) -> anyhow::Result<()> {
    match benchmark {
        Benchmark::All(args) => scoreboard::all(args),
        Benchmark::Publish(args) => scoreboard::publish(args),
        Benchmark::Engine(args) => engine::run(args),
        Benchmark::Peers(args) => peers::run(args),
        Benchmark::Hunt(args) => hunt::run(args),
        Benchmark::FalseAlarms(args) => false_alarms::run(args),
        Benchmark::Sample(args) => sample::run(args),
        Benchmark::Awkward(args) => awkward::run(args),
        Benchmark::Cage(args) => cage::run(args),
        Benchmark::Backend(args) => backend::run(args),
        Benchmark::Strategies(args) => strategies::run(args),
        Benchmark::Directed(args) => directed::run(args),
        Benchmark::Autocontest(args) => autocontest::run(args),
        Benchmark::Coverage(args) => coverage::run(args),
        Benchmark::Dpor(args) => dpor::run(args),
        Benchmark::Scale(args) => scale::run(args),
    }
}
