//! `raddle man`.

use std::fs;
use std::io;
use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_mangen::Man;

use crate::arguments::Cli;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::standard_output;

pub(crate) const MAN_EXAMPLES: &str = "\
Examples:
  raddle man | man -l -
  raddle man ~/.local/share/man/man1";

#[derive(Args)]
pub(crate) struct ManArguments {
    /// Where to write a page for raddle and for each of its commands: raddle.1, raddle-hunt.1 and so on.
    ///
    /// Without it, the page of raddle itself is printed.
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,
}

pub(crate) fn run(arguments: &ManArguments) -> Result<ExitCode, Failure> {
    // `help` has no page of its own: it would be one for each command once more.
    let command = Cli::command().disable_help_subcommand(true);
    if let Some(directory) = &arguments.directory {
        let written =
            fs::create_dir_all(directory).and_then(|()| clap_mangen::generate_to(command, directory));
        written.map_err(|reason| unwritable(directory, &reason))?;
        return Ok(ExitCode::Done);
    }
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    standard_output::write(&String::from_utf8_lossy(&page))?;
    Ok(ExitCode::Done)
}

fn unwritable(directory: &std::path::Path, reason: &io::Error) -> Failure {
    Failure::bad_input(vec![format!(
        "the manual pages cannot be written to {}: {reason}; name a directory that can be written to",
        directory.display()
    )])
}
