//! `raddle completions`.

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use crate::arguments::Cli;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::standard_output;

pub(crate) const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  source <(raddle completions bash)
  raddle completions zsh > ~/.zfunc/_raddle
  raddle completions fish > ~/.config/fish/completions/raddle.fish";

#[derive(Args)]
pub(crate) struct CompletionsArguments {
    /// The shell.
    shell: Shell,
}

pub(crate) fn run(arguments: &CompletionsArguments) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut Cli::command(), "raddle", &mut script);
    standard_output::write(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::Done)
}
