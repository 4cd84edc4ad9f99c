//! `raddle merge`.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use raddle_campaign::Conclusion;
use raddle_oracle::Kind;
use raddle_report::{
    Acceptance, Baseline, DEFAULT_WIDTH, HuntReport, MergeError, Paint, ReadError, ReportFormat, Shards,
    class_text, closing_text, hunt_json, hunt_text, read_hunt, write_reports,
};

use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::hunt_arguments::kind;
use crate::report::{SourceArguments, format};
use crate::standard_output::{self, complain};

pub(crate) const MERGE_ABOUT: &str = "\
Join the parts of a hunt that ran on several machines

The folders that raddle hunt --shard has written are read, and the folder is written that a hunt without --shard would have written: raddle report, raddle baseline, raddle replay and raddle hunt --resume take it. The findings are listed as at the end of a hunt.

The exit code is that of the whole hunt. If a shard is missing or not finished, raddle merge says so, joins the others, and ends with exit code 3. Merge again when the rest is there.";

pub(crate) const MERGE_EXAMPLES: &str = "\
Examples:
  Four shards that have written to one directory:
    raddle merge raddle-out --output raddle-merged
  Folders that were brought together from several machines, with a report:
    raddle merge shards/* --output raddle-merged --report html";

#[derive(Args)]
pub(crate) struct MergeArguments {
    /// Folders that raddle hunt --shard has written, or directories that hold them.
    #[arg(value_name = "FOLDER", required = true)]
    folders: Vec<PathBuf>,

    /// Where to write the folder of the whole hunt.
    #[arg(long, value_name = "DIR", alias = "out")]
    output: PathBuf,

    /// Findings that are accepted, as for raddle hunt [default: that of raddle.toml].
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Kinds of findings that lead to exit code 1, separated by commas [default: those of raddle.toml, else all].
    #[arg(long, value_name = "KIND,…", value_parser = kind, value_delimiter = ',')]
    fail_on: Option<Vec<Kind>>,

    /// Reports to write into the folder, separated by commas: sarif, junit, markdown, html.
    #[arg(long, value_name = "FORMAT,…", value_parser = format, value_delimiter = ',')]
    report: Vec<ReportFormat>,

    #[command(flatten)]
    sources: SourceArguments,

    /// Print everything about each finding and each class.
    #[arg(short, long, conflicts_with = "json")]
    verbose: bool,

    /// Write one JSON document to standard output, as raddle hunt --json does, and nothing else.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(mut arguments: MergeArguments) -> Result<ExitCode, Failure> {
    let config = Config::find(None)?;
    arguments.sources.fill_in(config.source_roots);
    let acceptance = Acceptance {
        baseline: match arguments.baseline.or(config.baseline) {
            Some(file) => Baseline::read(&file)?,
            None => Baseline::default(),
        },
        fail_on: arguments
            .fail_on
            .or(config.fail_on)
            .map(|kinds| kinds.into_iter().collect()),
        excluded_methods: config.exclude_methods,
    };
    let shards = Shards::open(&arguments.folders)?;
    let missing = shards.missing()?;
    shards.write(&arguments.output)?;
    for sentence in &missing {
        complain!("WARNING: {sentence}");
    }
    let tool = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    let mut report = match read_hunt(&arguments.output, tool) {
        // No class was begun yet.
        Err(ReadError::Nothing { .. }) if !missing.is_empty() => return Ok(ExitCode::Inconclusive),
        read => read?,
    };
    report.acceptance = acceptance;
    if arguments.json {
        standard_output::write(&hunt_json(&report).map_err(io::Error::from)?)?;
    } else {
        if arguments.verbose {
            standard_output::write(&details(&report))?;
        }
        let closing = closing_text(&report, arguments.verbose, DEFAULT_WIDTH, Paint::Plain);
        standard_output::write(&closing)?;
        standard_output::write(&hunt_text(&report))?;
    }
    let sources = arguments.sources.sources();
    for path in write_reports(&arguments.output, &report, &sources, &arguments.report)? {
        say(&path, arguments.json)?;
    }
    if !missing.is_empty() {
        return Ok(ExitCode::Inconclusive);
    }
    Ok(match report.verdict() {
        Conclusion::NothingFound => ExitCode::Done,
        Conclusion::Violations => ExitCode::ViolationsFound,
        Conclusion::Inconclusive => ExitCode::Inconclusive,
    })
}

/// What the shards have printed: of each class its findings, and what came of it.
fn details(report: &HuntReport) -> String {
    let mut text = String::new();
    for class in &report.classes {
        for found in &class.findings {
            let told = found.file.with_file_name("interleaving.txt");
            text += &std::fs::read_to_string(told).unwrap_or_default();
            text.push('\n');
        }
        text += &class_text(class, report.counting(), Paint::Plain);
    }
    text
}

fn say(path: &Path, is_quiet: bool) -> Result<(), Failure> {
    if !is_quiet {
        standard_output::write(&format!("{}\n", path.display()))?;
    }
    Ok(())
}

impl From<MergeError> for Failure {
    fn from(error: MergeError) -> Self {
        match error {
            MergeError::Copy { .. } => Failure::inconclusive(vec![error.to_string()]),
            _ => Failure::bad_input(vec![error.to_string()]),
        }
    }
}
