//! `raddle replay`.

use std::io::{self, IsTerminal};

use raddle_plan::{End, Recording};
use raddle_report::{DEFAULT_WIDTH, InterleavingOptions, interleaving};

use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::run::{open, session_options};
use crate::run_arguments::ReplayArguments;
use crate::standard_output::{self, complain};

pub(crate) fn run(arguments: &ReplayArguments) -> Result<ExitCode, Failure> {
    let recording = Recording::read(&arguments.file)?;
    let class_path = arguments
        .jvm
        .class_path()
        .unwrap_or_else(|| recording.class_path.clone());
    let (mut options, _) = session_options(&arguments.jvm, &class_path, &recording.plan)?;
    options.unplugged.clone_from(&recording.unplugged);
    options.opens.extend(recording.opens.iter().cloned());
    let mut session = open(options)?;
    let version = session.ready().jdk_version.clone();
    if version != recording.jdk {
        complain!(
            "warning: recorded on JDK {}, repeated on JDK {version}: the steps may differ",
            recording.jdk
        );
    }
    let replayed = session.replay(&recording)?;
    let shown = InterleavingOptions {
        all: arguments.all,
        width: width(),
    };
    let mut text = interleaving(&recording.plan, &replayed.outcome, &replayed.events, shown);
    let same_results = replayed.outcome.digest == recording.outcome.digest;
    let same_steps = replayed.outcome.trace_hash == recording.outcome.trace_hash;
    let (sentence, code) = match (&replayed.outcome.end, same_results, same_steps) {
        (End::Diverged(why), ..) => (
            format!("not repeated: the recorded schedule cannot be followed ({why})"),
            ExitCode::Inconclusive,
        ),
        (_, true, true) => (
            format!(
                "identical: the same {} steps and the same outcome as recorded",
                replayed.outcome.steps
            ),
            ExitCode::Done,
        ),
        (_, true, false) => (
            "not identical: the same outcome as recorded, but other steps".to_owned(),
            ExitCode::Inconclusive,
        ),
        (_, false, _) => (
            "not identical: another outcome than recorded".to_owned(),
            ExitCode::Inconclusive,
        ),
    };
    text.push('\n');
    text.push_str(&sentence);
    text.push('\n');
    standard_output::write(&text)?;
    Ok(code)
}

/// The terminal's width, but the same width for every file and pipe.
pub(crate) fn width() -> usize {
    if !io::stdout().is_terminal() {
        return DEFAULT_WIDTH;
    }
    terminal_size::terminal_size().map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0))
}
