//! Flags in, exit code out. The only product crate that prints.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program prints"
)]

mod analyze;
mod arguments;
mod baseline;
mod build_tool;
mod changed;
mod color;
mod completions;
mod config;
mod diagnosis;
mod exit_code;
mod explain;
mod failure;
mod hunt;
mod hunt_arguments;
mod hunt_progress;
mod hunt_resume;
mod hunt_setup;
mod in_order;
mod man;
mod mcp;
mod merge;
mod panic_hook;
mod plan_members;
mod progress;
mod reached;
mod replay;
mod report;
mod run;
mod run_arguments;
mod shard;
mod standard_output;
mod suite;
mod targets;
mod test;
mod test_arguments;
mod test_runner;

use crate::standard_output::complain;
use arguments::Command;
use raddle_execute::{STOCK_COMMAND, WORKER_COMMAND};
use raddle_plan::plain::lines;
use raddle_worker::descriptors::keep_inherited_from_children;

fn main() -> std::process::ExitCode {
    // Hidden from users: the first argument of the processes that `raddle` starts to have a JVM in each.
    match std::env::args_os().nth(1) {
        Some(argument) if argument == WORKER_COMMAND => return raddle_worker::main(),
        Some(argument) if argument == STOCK_COMMAND => return raddle_worker::stock::stock_main(),
        _ => {}
    }
    panic_hook::install();
    diagnosis::install();
    if let Err(error) = keep_inherited_from_children() {
        complain!("WARNING: tests may inherit open files: {error}");
    }
    let result = match arguments::parse().command {
        Command::Analyze(arguments) => analyze::run(&arguments),
        Command::Hunt(arguments) => hunt::run(*arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Report(arguments) => report::run(arguments),
        Command::Merge(arguments) => merge::run(arguments),
        Command::Baseline(arguments) => baseline::run(&arguments),
        Command::Suite(arguments) => suite::run(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Test(arguments) => test::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Mcp(arguments) => mcp::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
    };
    let code = result.unwrap_or_else(|failure| {
        for message in &failure.messages {
            complain!("error: {}", lines(message));
        }
        failure.code
    });
    code.into()
}
