//! `raddle analyze`.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::thread;
use std::time::Instant;

use raddle_classpath::{ClassPath, Jdk};
use raddle_program::{Program, is_glob};
use raddle_report::{
    AnalyzeReport, DEFAULT_WIDTH, Header, JsonReport, SkipKind, Skipped, TextOptions, TextReport, skip_counts,
};
use raddle_summary::{AnalyzeError, Analyzer};

use crate::arguments::AnalyzeArguments;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::in_order;
use crate::progress::Progress;
use crate::standard_output::complain;
use crate::targets::{self, Target};

pub(crate) fn run(arguments: &AnalyzeArguments) -> Result<ExitCode, Failure> {
    let start = Instant::now();
    let jdk = Jdk::locate(arguments.jdk.as_deref())?;
    let class_path = ClassPath::open(&arguments.class_path(), jdk.feature())?;
    let header = Header {
        tool: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        jdk_home: jdk.home().display().to_string(),
        jdk_version: jdk.version().to_owned(),
    };
    let program = Program::new(jdk, class_path);
    let targets = targets::resolve(&program, &arguments.classes)?;
    let is_listed = warn_of_unlisted(&program, &arguments.classes);

    let mut out = BufWriter::new(io::stdout().lock());
    let mut report = open_report(&mut out, &header, arguments)?;
    let outcome = analyze_all(&program, &targets, arguments, &mut *report)?;
    report.finish(&outcome.skipped, start.elapsed())?;
    outcome.exit_code(&targets, is_listed)
}

/// What did not end up in the report.
#[derive(Default)]
struct Outcome {
    skipped: Vec<Skipped>,
    /// Sentences about classes that were named and could not be analysed.
    errors: Vec<String>,
    /// Whether a class that a pattern matched could not be read.
    has_unreadable: bool,
}

impl Outcome {
    fn add_failed(&mut self, target: &Target, error: &AnalyzeError) {
        let kind = skip_kind(error);
        let reason = error.to_string();
        if target.is_named {
            self.errors.push(reason.clone());
        } else if kind == SkipKind::Unreadable {
            complain!("warning: {reason}");
            self.has_unreadable = true;
        }
        self.skipped.push(Skipped {
            class: target.name.clone(),
            kind,
            reason,
        });
    }

    fn exit_code(self, targets: &[Target], is_listed: bool) -> Result<ExitCode, Failure> {
        if !self.errors.is_empty() {
            return Err(Failure::bad_input(self.errors));
        }
        if self.has_unreadable || !is_listed {
            return Ok(ExitCode::Inconclusive);
        }
        if self.skipped.len() == targets.len() {
            return Err(Failure::bad_input(vec![format!(
                "nothing to analyse, all that matches is {}; choose a pattern that matches other classes",
                skip_counts(&self.skipped)
            )]));
        }
        Ok(ExitCode::Done)
    }
}

fn analyze_all(
    program: &Program,
    targets: &[Target],
    arguments: &AnalyzeArguments,
    report: &mut dyn AnalyzeReport,
) -> io::Result<Outcome> {
    let analyzer = Analyzer::new(program, arguments.precision());
    let jobs = arguments
        .jobs
        .or_else(|| thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN);
    let progress = Progress::new(targets.len());
    let mut outcome = Outcome::default();
    let analyze = |target: &Target| {
        let start = Instant::now();
        let result = analyzer.analyze(target.id);
        (result, start.elapsed())
    };
    let flow = in_order::for_each(targets, jobs, analyze, |target, (result, time)| {
        let written = progress.suspend(|| match result {
            Ok(facts) => report.class(&facts, time),
            Err(error) => {
                outcome.add_failed(target, &error);
                Ok(())
            }
        });
        progress.advance(&target.name);
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    });
    progress.clear();
    match flow {
        ControlFlow::Continue(()) => Ok(outcome),
        ControlFlow::Break(error) => Err(error),
    }
}

fn skip_kind(error: &AnalyzeError) -> SkipKind {
    match error {
        AnalyzeError::Interface { .. } => SkipKind::Interface,
        AnalyzeError::Annotation { .. } => SkipKind::Annotation,
        AnalyzeError::NoPublicMethods { .. } => SkipKind::NoPublicMethods,
        AnalyzeError::Load(_) => SkipKind::Unreadable,
    }
}

/// Warns of directories that a pattern could not look into; whether there were none.
fn warn_of_unlisted(program: &Program, typed: &[String]) -> bool {
    if !typed.iter().any(|text| is_glob(text)) {
        return true;
    }
    let problems = program.class_path().list().problems;
    for problem in &problems {
        complain!("warning: {problem}");
    }
    problems.is_empty()
}

fn open_report<'w>(
    out: &'w mut dyn Write,
    header: &Header,
    arguments: &AnalyzeArguments,
) -> io::Result<Box<dyn AnalyzeReport + 'w>> {
    if arguments.json {
        return Ok(Box::new(JsonReport::begin(out, header)?));
    }
    let options = TextOptions {
        verbose: arguments.verbose,
        width: text_width(),
    };
    Ok(Box::new(TextReport::new(out, header, options)))
}

/// The terminal's width, but the same width for every file and pipe.
fn text_width() -> usize {
    if !io::stdout().is_terminal() {
        return DEFAULT_WIDTH;
    }
    terminal_size::terminal_size().map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0))
}
