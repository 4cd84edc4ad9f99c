//! `raddle suite`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use raddle_campaign::{SuiteOptions, suite};
use raddle_classpath::{ClassPath, Jdk};
use raddle_execute::SessionOptions;
use raddle_generate::CoverageOptions;
use raddle_program::Program;
use raddle_report::{suite_json, suite_text, write_suite};

use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::hunt_arguments::absolute;
use crate::hunt_progress::HuntProgress;
use crate::reached::reached;
use crate::run::end_on_interrupt;
use crate::run_arguments::{JvmArguments, duration};
use crate::standard_output;
use crate::targets;

pub(crate) const SUITE_ABOUT: &str = "\
Write JUnit tests that force every way in which two calls of a class can interfere

For teams that want regression tests, whether or not there is a bug today.

  1. Raddle runs many sequences of calls on one object, and keeps those that
     show new behaviour.
  2. Where two calls start in the same state, it compares their accesses with
     eleven patterns that no serial order explains. Those that fit, and that no
     lock rules out, are to be covered.
  3. It forces each of them on a real JVM, or says why that does not work.
  4. The smallest set of these runs that covers them all becomes the tests: one
     file each, for JUnit 5, which do not need Raddle.

A test fails if, under its schedule, the calls give results that no sequential order can produce.";

pub(crate) const SUITE_EXAMPLES: &str = "\
Examples:
  raddle suite com.acme.Cache -cp target/classes
  raddle suite java.util.Vector --budget 2m --out src/test/java";

/// Where tests go unless told otherwise.
const OUT: &str = "raddle-suite";

#[derive(Args)]
pub(crate) struct SuiteArguments {
    /// The class.
    #[arg(value_name = "CLASS")]
    class: String,

    /// How long to look for interleavings: 500ms, 30s, 5m, 1h.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    budget: Duration,

    /// Random seed; the same seed gives the same tests.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Sequences of calls that are run for each set of values.
    #[arg(long, value_name = "N")]
    sequences: Option<NonZeroUsize>,

    /// Look at redundant sequences, too, to see what leaving them out saves.
    #[arg(long, hide = true)]
    no_pruning: bool,

    #[command(flatten)]
    jvm: JvmArguments,

    /// Where to write the tests, in a directory for the class.
    #[arg(long, value_name = "DIR", default_value = OUT)]
    out: PathBuf,

    /// Write one JSON document to standard output, and nothing else.
    #[arg(long)]
    json: bool,
}

impl SuiteArguments {
    fn coverage(&self) -> CoverageOptions {
        let mut coverage = CoverageOptions {
            prunes: !self.no_pruning,
            looks_again: false,
            ..CoverageOptions::default()
        };
        if let Some(sequences) = self.sequences {
            coverage.runs = sequences.get();
            coverage.patience = sequences.get();
        }
        coverage
    }
}

pub(crate) fn run(arguments: &SuiteArguments) -> Result<ExitCode, Failure> {
    let class_path = arguments.jvm.class_path().unwrap_or_default();
    let jdk = Jdk::locate(arguments.jvm.jdk.as_deref())?;
    let mut session = SessionOptions::new(jdk.home().to_owned())?;
    session.cage = !arguments.jvm.no_cage;
    session.require_cage = arguments.jvm.require_cage;
    session.opens.clone_from(&arguments.jvm.add_opens);
    session.class_path = absolute(&class_path)?;
    let opened = ClassPath::open(&class_path, jdk.feature())?;
    session.readable = reached(&opened, &class_path)?;
    let program = Program::new(jdk, opened);
    let targets = targets::resolve(&program, std::slice::from_ref(&arguments.class))?;
    let [target] = targets.as_slice() else {
        return Err(Failure::bad_input(vec![format!(
            "`{}` is not one class but {}; a suite is made for one",
            arguments.class,
            targets.len()
        )]));
    };
    let cancel = Arc::new(AtomicBool::new(false));
    end_on_interrupt(&cancel)?;
    let options = SuiteOptions {
        session,
        budget: arguments.budget,
        seed: arguments.seed,
        coverage: arguments.coverage(),
        cancel,
    };
    let mut progress = HuntProgress::new(arguments.json);
    progress.say("starting a JVM");
    let made = suite(&options, &program, target.id, &mut |state| {
        let text = format!(
            "{} interleavings covered, {} tests tried, {:.0} s",
            state.covered,
            state.tests,
            state.time.as_secs_f64()
        );
        progress.show_text(&target.name, &text);
    });
    progress.clear();
    let made = made?.map_err(|problem| Failure::bad_input(vec![problem]))?;
    let written = write_suite(&arguments.out, &made).map_err(|error| {
        Failure::bad_input(vec![format!(
            "{} cannot be written to: {error}",
            arguments.out.display()
        )])
    })?;
    if arguments.json {
        let json = suite_json(&made).map_err(|error| Failure::bad_input(vec![error.to_string()]))?;
        standard_output::write(&format!("{json}\n"))?;
    } else {
        standard_output::write(&suite_text(&made, &written))?;
    }
    Ok(if made.tests.iter().any(|test| test.fails) {
        ExitCode::ViolationsFound
    } else if made.is_complete {
        ExitCode::Done
    } else {
        ExitCode::Inconclusive
    })
}
