//! `cargo xtask bench`: what parts of Raddle can do in a second. One file per benchmark, listed in [`Benchmark`].

mod engine;
mod machine;
mod ours;
mod peer;
mod program;
mod report;

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
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.benchmark {
        Benchmark::Engine(args) => engine::run(args),
    }
}
