//! Flags in, exit code out. The only product crate that prints.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program prints"
)]

mod analyze;
mod arguments;
mod exit_code;
mod failure;
mod in_order;
mod panic_hook;
mod progress;
mod targets;

use arguments::Command;

fn main() -> std::process::ExitCode {
    panic_hook::install();
    let result = match arguments::parse().command {
        Command::Analyze(arguments) => analyze::run(&arguments),
    };
    let code = result.unwrap_or_else(|failure| {
        for message in &failure.messages {
            eprintln!("error: {message}");
        }
        failure.code
    });
    code.into()
}
