//! What was typed.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use raddle_classpath::split_class_path;
use raddle_summary::Precision;

use crate::baseline::{self, BaselineArguments};
use crate::completions::{self, CompletionsArguments};
use crate::exit_code;
use crate::hunt_arguments::{self, ExplainArguments, HuntArguments};
use crate::man::{self, ManArguments};
use crate::mcp::{self, McpArguments};
use crate::merge::{self, MergeArguments};
use crate::report::{self, ReportArguments};
use crate::run_arguments::{self, ReplayArguments, RunArguments};
use crate::suite::{self, SuiteArguments};
use crate::test_arguments::{self, TestArguments};

const EXAMPLES: &str = "\
Examples:
  raddle hunt java.lang.StringBuffer
  raddle hunt -cp target/classes com.acme.Cache
  raddle test -cp target/classes:target/test-classes com.acme.CacheTest
  raddle analyze java.util.Hashtable
  raddle run -cp target/classes two-puts.json
  raddle help run

Results go to standard output, everything else to standard error.";

const ANALYZE_ABOUT: &str = "\
Say which public methods of a class can hurt each other when two threads call them

No JVM is started and no code of the class is run: Raddle reads class files.

For every public method it finds
  AS  the accesses: fields and array elements that are read (R) or written (W),
  LS  the locks that protect every access,
  DS  the double locks: pairs of locks, one taken inside the other.

From these it derives, for every pair of public methods,
  M_pc  pairs that access the same location, at least one of them to write,
        without a common lock,
  M_d   pairs, written m ⇌D n, that take two locks in opposite order and so
        can deadlock.

All other pairs need no concurrent test. A dependency is a reason to look, not yet a bug.";

const ANALYZE_EXAMPLES: &str = "\
Examples:
  A class of the JDK:
    raddle analyze java.util.Hashtable
  Your own class, with every access and its source line:
    raddle analyze -v -cp target/classes com.acme.Cache
  Everything in a jar and its libraries (quote patterns):
    raddle analyze -cp 'lib/foo.jar:lib/deps/*' 'com.foo.**'
  A nested class, in either spelling:
    raddle analyze java.util.AbstractMap.SimpleEntry
    raddle analyze 'java.util.AbstractMap$SimpleEntry'
  For another program:
    raddle analyze --json java.util.Vector | jq '.classes[0].counts'";

/// Finds out whether two threads can break a Java class.
///
/// Raddle takes nothing but compiled classes: no annotations, no tests, no build plug-in.
#[derive(Parser)]
#[command(version, long_version = env!("RADDLE_LONG_VERSION"), after_help = format!("{EXAMPLES}\n\n{}", exit_code::table()), max_term_width = 120)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    #[command(
        about = "Find out whether two threads can break a class",
        long_about = hunt_arguments::HUNT_ABOUT,
        after_help = "Try --help for examples and what is done.",
        after_long_help = format!("{}\n\n{}", hunt_arguments::HUNT_EXAMPLES, exit_code::table())
    )]
    Hunt(Box<HuntArguments>),

    #[command(
        about = "Run tests that you have, under many schedules",
        long_about = test_arguments::TEST_ABOUT,
        after_help = "Try --help for examples and what is done.",
        after_long_help = format!("{}\n\n{}", test_arguments::TEST_EXAMPLES, exit_code::table())
    )]
    Test(TestArguments),

    #[command(
        about = "Say what a kind of violation means, and when it may not be a bug",
        after_help = hunt_arguments::EXPLAIN_EXAMPLES
    )]
    Explain(ExplainArguments),

    #[command(
        about = "Make reports of a hunt for browsers, code hosts, build servers and pull requests",
        long_about = report::REPORT_ABOUT,
        after_help = "Try --help for examples.",
        after_long_help = format!("{}\n\n{}", report::REPORT_EXAMPLES, exit_code::table())
    )]
    Report(ReportArguments),

    #[command(
        about = "Join the parts of a hunt that ran on several machines",
        long_about = merge::MERGE_ABOUT,
        after_help = "Try --help for examples.",
        after_long_help = format!("{}\n\n{}", merge::MERGE_EXAMPLES, exit_code::table())
    )]
    Merge(MergeArguments),

    #[command(
        about = "Accept the findings of a hunt, so that later hunts fail only on new ones",
        long_about = baseline::BASELINE_ABOUT,
        after_help = "Try --help for examples.",
        after_long_help = format!("{}\n\n{}", baseline::BASELINE_EXAMPLES, exit_code::table())
    )]
    Baseline(BaselineArguments),

    #[command(
        about = "Say which public methods of a class can hurt each other",
        long_about = ANALYZE_ABOUT,
        after_help = "Try --help for examples and the meaning of the output.",
        after_long_help = format!("{ANALYZE_EXAMPLES}\n\n{}", exit_code::table())
    )]
    Analyze(AnalyzeArguments),

    #[command(
        about = "Write JUnit tests that force every way in which two calls can interfere",
        long_about = suite::SUITE_ABOUT,
        after_help = "Try --help for examples and what is done.",
        after_long_help = format!("{}\n\n{}", suite::SUITE_EXAMPLES, exit_code::table())
    )]
    Suite(SuiteArguments),

    #[command(
        about = "Run a concurrent test under many schedules on a real JVM",
        long_about = run_arguments::RUN_ABOUT,
        after_help = "Try --help for examples and the form of a plan.",
        after_long_help = format!("{}\n\n{}", run_arguments::RUN_EXAMPLES, exit_code::table())
    )]
    Run(RunArguments),

    #[command(
        about = "Repeat a run that was saved, and show what the threads did",
        long_about = run_arguments::REPLAY_ABOUT,
        after_help = "Try --help for examples.",
        after_long_help = format!("{}\n\n{}", run_arguments::REPLAY_EXAMPLES, exit_code::table())
    )]
    Replay(ReplayArguments),

    #[command(about = "Serve coding assistants over the Model Context Protocol", long_about = mcp::MCP_ABOUT)]
    Mcp(McpArguments),

    #[command(
        about = "Print a script that lets a shell complete commands and options",
        after_help = completions::COMPLETIONS_EXAMPLES
    )]
    Completions(CompletionsArguments),

    #[command(
        about = "Print the manual page, or write one for each command",
        after_help = man::MAN_EXAMPLES
    )]
    Man(ManArguments),
}

#[derive(Args)]
pub(crate) struct AnalyzeArguments {
    /// Classes to analyse: names, or quoted patterns such as 'com.acme.**'.
    ///
    /// In a pattern `*` stands for one part of a name and `**` for any number of parts. One that
    /// begins with either is about the classes of the class path, if there are any. Interfaces, annotation types
    /// and classes without public methods are skipped when a pattern matches them, and are errors when named.
    #[arg(value_name = "CLASS", required = true)]
    pub(crate) classes: Vec<String>,

    /// Jars and directories to search besides the JDK; also spelled -cp.
    ///
    /// Written as for java: separated by `:` (`;` on Windows), and `dir/*` means all jars in dir. The JDK's own
    /// classes are always found. Without this option nothing else is searched.
    #[arg(
        long,
        value_name = "PATH",
        visible_alias = "cp",
        alias = "classpath",
        overrides_with = "class_path"
    )]
    class_path: Option<String>,

    /// Home directory of the JDK, 17 or later [default: JAVA_HOME, else the JDK of java on PATH].
    #[arg(long, value_name = "HOME")]
    pub(crate) jdk: Option<PathBuf>,

    /// Which analysis to use.
    #[arg(long, value_enum, default_value_t = PrecisionName::Precise)]
    precision: PrecisionName,

    /// Show every access, lock pair and unknown call with its place, and all pairs with their evidence.
    #[arg(short, long, conflicts_with = "json")]
    pub(crate) verbose: bool,

    /// Write one JSON document to standard output, and nothing else.
    #[arg(long)]
    pub(crate) json: bool,

    /// Classes to analyse at the same time [default: one per core].
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

#[derive(Copy, Clone, ValueEnum)]
enum PrecisionName {
    /// The algorithms of DepCon+ as published, for comparison.
    Paper,
    /// Flow-sensitive, follows calls, knows java.util.concurrent locks and atomics.
    Precise,
}

impl AnalyzeArguments {
    /// Class path entries, in order.
    pub(crate) fn class_path(&self) -> Vec<PathBuf> {
        self.class_path
            .as_deref()
            .map(split_class_path)
            .unwrap_or_default()
    }

    pub(crate) fn precision(&self) -> Precision {
        match self.precision {
            PrecisionName::Paper => Precision::Paper,
            PrecisionName::Precise => Precision::Precise,
        }
    }
}

/// The arguments of this process. Ends it for `--help`, `--version` and wrong usage.
pub(crate) fn parse() -> Cli {
    Cli::parse_from(with_long_class_path(std::env::args_os()))
}

/// Java's `-cp` and `-classpath` as `--class-path`: clap would read them as rows of one-letter options.
fn with_long_class_path(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut only_names = false;
    arguments
        .map(|argument| {
            only_names |= argument == "--";
            if !only_names && (argument == "-cp" || argument == "-classpath") {
                OsString::from("--class-path")
            } else {
                argument
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn analyze(arguments: &[&str]) -> AnalyzeArguments {
        let all = ["raddle", "analyze"].iter().chain(arguments).map(OsString::from);
        match Cli::parse_from(with_long_class_path(all)).command {
            Command::Analyze(arguments) => arguments,
            _ => unreachable!("the command is analyze"),
        }
    }

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_spelling_of_the_class_path_is_understood() {
        for spelling in ["-cp", "--cp", "-classpath", "--classpath", "--class-path"] {
            let arguments = analyze(&[spelling, "a.jar:b", "C"]);
            assert_eq!(
                arguments.class_path(),
                [PathBuf::from("a.jar"), PathBuf::from("b")],
                "{spelling}"
            );
            assert_eq!(arguments.classes, ["C"], "{spelling}");
        }
    }

    #[test]
    fn the_last_class_path_counts_as_with_java() {
        assert_eq!(
            analyze(&["-cp", "a", "-cp", "b", "C"]).class_path(),
            [PathBuf::from("b")]
        );
        assert!(analyze(&["C"]).class_path().is_empty());
    }

    #[test]
    fn after_two_dashes_everything_is_a_name() {
        assert_eq!(analyze(&["--", "-cp"]).classes, ["-cp"]);
    }
}
