//! `raddle baseline`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use raddle_report::{Baseline, BaselineError, FoundHere, read_hunt};

use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::hunt_arguments::OUT;

pub(crate) const BASELINE_ABOUT: &str = "\
Accept the findings of a hunt, so that later hunts fail only on new ones

The folder that raddle hunt has written is read, and the findings in it that count are added to a file, each with the reason that you give. Put that file under version control. raddle hunt --baseline FILE, or baseline in raddle.toml, then lists them apart, ends with exit code 1 only if there are others, and says which of them are gone.

Findings are recognised by their fingerprints, which stay the same when lines move. Entries that are already in the file keep their reasons.";

pub(crate) const BASELINE_EXAMPLES: &str = "\
Examples:
  raddle baseline --reason 'known before we began to look'
  raddle baseline raddle-out deadlock-1f00c4a2 --reason 'guarded by Pool'
  raddle baseline --prune";

/// Where accepted findings are, unless told otherwise.
const FILE: &str = "raddle-baseline.toml";

#[derive(Args)]
pub(crate) struct BaselineArguments {
    /// The folder that raddle hunt has written.
    #[arg(value_name = "DIR", default_value = OUT)]
    folder: PathBuf,

    /// Ids of the findings to accept [default: all that count].
    #[arg(value_name = "ID")]
    ids: Vec<String>,

    /// Why they are accepted.
    #[arg(long, value_name = "TEXT", required_unless_present = "prune")]
    reason: Option<String>,

    /// The file of accepted findings [default: that of raddle.toml, else raddle-baseline.toml].
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// Remove those from the file that the hunt did not find again; without --reason, do nothing else.
    #[arg(long)]
    prune: bool,
}

pub(crate) fn run(arguments: &BaselineArguments) -> Result<ExitCode, Failure> {
    let report = read_hunt(
        &arguments.folder,
        (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")),
    )?;
    let file = match &arguments.file {
        Some(file) => file.clone(),
        None => Config::find(None)?.baseline.unwrap_or_else(|| FILE.into()),
    };
    let mut baseline = Baseline::read_or_new(&file)?;
    let findings = || report.classes.iter().flat_map(|class| &class.findings);
    let unknown = |id: &&String| !findings().any(|found| found.finding.id == **id);
    if let Some(id) = arguments.ids.iter().find(unknown) {
        return Err(Failure::bad_input(vec![format!(
            "there is no finding {id} in {}",
            arguments.folder.display()
        )]));
    }
    let is_meant = |found: &&FoundHere| {
        if arguments.ids.is_empty() {
            found.counts(report.counting())
        } else {
            arguments.ids.contains(&found.finding.id)
        }
    };
    let mut accepted = 0;
    if let Some(reason) = &arguments.reason {
        for found in findings().filter(is_meant) {
            accepted += usize::from(baseline.accept(&found.finding, reason));
        }
    }
    let pruned = if arguments.prune {
        baseline.prune(&report)
    } else {
        0
    };
    baseline.write(&file).map_err(|reason| {
        Failure::bad_input(vec![format!("{} cannot be written: {reason}", file.display())])
    })?;
    let mut out = io::stdout().lock();
    writeln!(out, "{}: {accepted} accepted, {pruned} taken out", file.display())?;
    out.flush()?;
    Ok(ExitCode::Done)
}

impl From<BaselineError> for Failure {
    fn from(error: BaselineError) -> Self {
        Failure::bad_input(vec![error.to_string()])
    }
}
