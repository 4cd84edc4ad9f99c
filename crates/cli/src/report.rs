//! `raddle report`, and the reports of `raddle hunt --report`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use raddle_classpath::SourceFiles;
use raddle_report::{
    Baseline, HuntReport, ReadError, ReportError, ReportFormat, Sources, read_hunt, write_reports,
};

use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::hunt_arguments::OUT;

pub(crate) const REPORT_ABOUT: &str = "\
Make reports of a hunt for browsers, code hosts, build servers and pull requests

Nothing is hunted: the reports are made from the folder that raddle hunt has written, from the latest hunt of each class. They are written into the same folder, and their names are printed:
  sarif     report.sarif, SARIF 2.1.0, for code hosts and editors
  junit     report.xml, for build servers: one failed test for each finding
  markdown  report.md, for pull requests: a table, with details to expand
  html      report.html, for browsers: a single file that needs no network

raddle hunt --report writes the same reports at the end of a hunt.";

pub(crate) const REPORT_EXAMPLES: &str = "\
Examples:
  raddle report --format sarif,markdown
  raddle report build/raddle --format sarif --source-root core/src/main/java";

#[derive(Args)]
pub(crate) struct ReportArguments {
    /// The folder that raddle hunt has written.
    #[arg(value_name = "DIR", default_value = OUT)]
    folder: PathBuf,

    /// Findings that are accepted, a file that raddle baseline has written: reports list them as such [default: that of raddle.toml].
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Which reports, separated by commas: sarif, junit, markdown, html [default: all].
    #[arg(long, value_name = "FORMAT,…", value_parser = format, value_delimiter = ',')]
    format: Vec<ReportFormat>,

    #[command(flatten)]
    sources: SourceArguments,
}

#[derive(Args)]
pub(crate) struct SourceArguments {
    /// Directories or jars with sources, to show the lines of findings, and to name files in reports as the repository does; may be repeated [default: src/main/java, src/main/kotlin, src/test/java, src].
    ///
    /// Class files name their sources without the directories above the package. Run this in the root of the repository, and name directories relative to it. Lines are also looked for in a -sources.jar beside a jar of the class path, and in lib/src.zip of the JDK.
    #[arg(long, visible_alias = "sources", value_name = "DIR|JAR")]
    source_root: Vec<PathBuf>,
}

impl SourceArguments {
    /// Takes the directories of a configuration file, if none were typed.
    pub(crate) fn fill_in(&mut self, roots: Vec<PathBuf>) {
        if self.source_root.is_empty() {
            self.source_root = roots;
        }
    }

    pub(crate) fn sources(&self) -> Sources {
        Sources::new(self.source_root.clone())
    }

    /// Where lines of findings are looked for.
    pub(crate) fn files(&self, class_path: &[PathBuf], jdk_home: &Path) -> SourceFiles {
        SourceFiles::new(self.sources().roots(), class_path, Some(jdk_home))
    }
}

/// A report by its name.
pub(crate) fn format(text: &str) -> Result<ReportFormat, String> {
    text.parse()
        .map_err(|error: raddle_report::UnknownFormat| error.to_string())
}

pub(crate) fn run(mut arguments: ReportArguments) -> Result<ExitCode, Failure> {
    let mut config = Config::find(None)?;
    arguments
        .sources
        .fill_in(std::mem::take(&mut config.source_roots));
    let report = read(&arguments.folder, arguments.baseline, config)?;
    let formats = if arguments.format.is_empty() {
        ReportFormat::ALL.to_vec()
    } else {
        arguments.format
    };
    let written = write_reports(&arguments.folder, &report, &arguments.sources.sources(), &formats)?;
    let mut out = io::stdout().lock();
    for path in written {
        writeln!(out, "{}", path.display())?;
    }
    out.flush()?;
    Ok(ExitCode::Done)
}

/// The hunt in a folder, with what the project accepts.
pub(crate) fn read(folder: &Path, baseline: Option<PathBuf>, config: Config) -> Result<HuntReport, Failure> {
    let mut report = read_hunt(folder, (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")))?;
    if let Some(file) = baseline.or(config.baseline) {
        report.acceptance.baseline = Baseline::read(&file)?;
    }
    report.acceptance.excluded_methods = config.exclude_methods;
    report.acceptance.fail_on = config.fail_on.map(|kinds| kinds.into_iter().collect());
    Ok(report)
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Failure::bad_input(vec![error.to_string()])
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::Unreadable { .. } => Failure::bad_input(vec![error.to_string()]),
            ReportError::Unwritable { .. } => Failure::inconclusive(vec![error.to_string()]),
        }
    }
}
