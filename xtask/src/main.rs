//! Developer commands, run as `cargo xtask <command>`: one file per command, listed in [`Command`].
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program prints"
)]

mod bench;
mod date;
mod dist;
mod file;
mod javac;
mod javap;
mod jdks;
mod markdown;
mod maven;
mod process;
mod product;
mod seeds;
mod soak;
mod subjects;
mod svg;
mod sweep;
mod tidy;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Raddle's developer commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// To add a command: one variant here, one arm in `run`, one file with its arguments and its `run`.
#[derive(Subcommand)]
enum Command {
    /// Measure what the engine does in a second, and what hunts find.
    Bench(bench::Args),
    /// Make what is handed out: executable, archive, package for Debian, jar.
    Dist(dist::Args),
    /// Measure whole runs of raddle against runs of javap.
    Javap(javap::Args),
    /// Run the classes of fixtures/engine with many seeds, and print the verdicts that are wrong.
    Seeds(seeds::Args),
    /// Disturb hunts in every way, and compare with what they come to when left alone.
    Soak(soak::Args),
    /// Analyse the classes of the papers and compare with what those print.
    Subjects(subjects::Args),
    /// Read and analyse every class of the installed JDKs.
    Sweep(sweep::Args),
    /// Check the rules that compilers and linters do not: documents, crate order, source files.
    Tidy(tidy::Args),
}

impl Command {
    fn run(&self) -> anyhow::Result<()> {
        match self {
            Command::Bench(args) => bench::run(args),
            Command::Dist(args) => dist::run(args),
            Command::Javap(args) => javap::run(args),
            Command::Seeds(args) => seeds::run(args),
            Command::Soak(args) => soak::run(args),
            Command::Subjects(args) => subjects::run(args),
            Command::Sweep(args) => sweep::run(args),
            Command::Tidy(args) => tidy::run(args),
        }
    }
}

fn main() -> ExitCode {
    match Cli::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
