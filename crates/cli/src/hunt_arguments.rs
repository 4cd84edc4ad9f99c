//! What `raddle hunt` and `raddle explain` can be told.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use raddle_campaign::HuntOptions;
use raddle_execute::SessionOptions;
use raddle_generate::StrategyKind;
use raddle_oracle::Kind;

use crate::run_arguments::{JvmArguments, duration};

pub(crate) const HUNT_ABOUT: &str = "\
Find out whether two threads can break a class

Nothing is needed but the compiled class: no annotations, no tests, no list of operations. Raddle
  1. reads the class and finds the pairs of public methods that could hurt each other (see raddle analyze),
  2. makes tests for these pairs: objects, calls that bring them into a state, and calls for two threads,
  3. runs each test in a JVM in which it decides itself which thread runs, under many different schedules,
  4. compares with what the same calls do one after the other, in every order,
  5. makes what it found as small as it can, and repeats it in two fresh JVMs.

Only what was seen and repeated is reported. Each fault is reported once, as soon as it is sure:
  exception     a call throws what it throws in no order
  deadlock      threads wait for each other's locks
  lost-wakeup   threads wait for ever for something else
  livelock      threads run on without coming to an end
  result        calls return what they return in no order
raddle explain KIND tells more, and when a finding may be no bug.

Everything is also written to raddle-out/CLASS as the hunt goes: run.json, events.jsonl, and for each finding a
recording for raddle replay, the interleaving, and the test as a Java file.

\"Nothing found\" is said only if two tests that are known to fail were caught in the same way. ^C ends the hunt and
keeps what was found.

Tests run the code of the class with all kinds of arguments, so JVMs are caged: they can write to a temporary directory
of their own only, have no network, and can start no process.";

pub(crate) const HUNT_EXAMPLES: &str = "\
Examples:
  A class of the JDK:
    raddle hunt java.lang.StringBuffer
  Your own class, for ten minutes:
    raddle hunt -cp target/classes com.acme.Cache --budget 10m
  Everything in a jar that looks meant to be shared; quote patterns, or the shell expands them:
    raddle hunt -cp 'lib/foo.jar:lib/deps/*' 'com.foo.**' --budget 20s
  Only what no class may do, and no more than one finding:
    raddle hunt com.acme.Cache -cp target/classes --kinds deadlock,exception --stop-at-first
  What was found, step by step:
    raddle replay raddle-out/com.acme.Cache/findings/deadlock-1f00c4a2/finding.json
  For another program:
    raddle hunt --json java.util.Hashtable | jq '.classes[].findings[].sentence'";

pub(crate) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  raddle explain deadlock
  raddle explain result";

#[derive(Args)]
pub(crate) struct HuntArguments {
    /// Classes to hunt: names, or quoted patterns such as 'com.acme.**'.
    ///
    /// In a pattern `*` stands for one part of a name and `**` for any number of parts. Of the classes that a pattern
    /// matches, those are hunted that look meant to be shared: with a synchronized method or block, a volatile field,
    /// `java.util.concurrent`, or `@ThreadSafe`. A class that is named is hunted in any case.
    #[arg(value_name = "CLASS", required = true)]
    pub(crate) classes: Vec<String>,

    /// How long each class is hunted: 500ms, 30s, 5m, 1h. What is found in the end is still made sure of.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    budget: Duration,

    /// What random choices follow from: the same seed, the same tests, schedules and findings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Where tests come from: portfolio, depcon, covcon or contege.
    ///
    /// portfolio begins with what the analysis points at and goes on with what has not been covered. depcon, covcon and
    /// contege are the published methods, for comparison.
    #[arg(long, value_name = "NAME", default_value = "portfolio")]
    strategy: StrategyKind,

    /// Kinds to look for, separated by commas: exception, deadlock, lost-wakeup, livelock, result [default: all].
    #[arg(long, value_name = "KIND,…", value_parser = kind, value_delimiter = ',')]
    kinds: Vec<Kind>,

    /// Leave a class after so many findings.
    #[arg(long, value_name = "N", default_value = "20")]
    max_findings: NonZeroUsize,

    /// Run the stand-alone reproducer of each finding on a stock JVM.
    ///
    /// It runs without Raddle, and so without the cage: only for classes that do no harm.
    #[arg(long)]
    pub(crate) confirm: bool,

    /// End the hunt with the first finding.
    #[arg(long)]
    stop_at_first: bool,

    /// JVMs at the same time [default: half as many as there are cores].
    ///
    /// Tests are handed out in a fixed order, so a hunt with the same number can be repeated.
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    pub(crate) jvm: JvmArguments,

    /// Where everything is written to, a directory for each class.
    #[arg(long, value_name = "DIR", default_value = "raddle-out")]
    pub(crate) out: PathBuf,

    /// Write one JSON document to standard output when all is done, and nothing else.
    #[arg(long)]
    pub(crate) json: bool,

    /// Leave a class uninstrumented, to see that Raddle notices.
    #[arg(long, value_name = "CLASS", hide = true)]
    pub(crate) unplug: Vec<String>,
}

impl HuntArguments {
    pub(crate) fn options(&self, session: SessionOptions) -> HuntOptions {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let kinds: BTreeSet<Kind> = self.kinds.iter().copied().collect();
        let mut options = HuntOptions::new(session, self.strategy);
        options.budget = self.budget;
        options.seed = self.seed;
        if !kinds.is_empty() {
            options.kinds = kinds;
        }
        options.max_findings = self.max_findings.get();
        options.stop_at_first = self.stop_at_first;
        options.jobs = self
            .jobs
            .or(NonZeroUsize::new(cores / 2))
            .unwrap_or(NonZeroUsize::MIN);
        options
    }
}

#[derive(Args)]
pub(crate) struct ExplainArguments {
    /// The kind: exception, deadlock, lost-wakeup, livelock or result.
    #[arg(value_name = "KIND", value_parser = kind)]
    pub(crate) kind: Kind,
}

/// A kind by its name in the output.
fn kind(text: &str) -> Result<Kind, String> {
    Kind::ALL
        .into_iter()
        .find(|kind| kind.name() == text)
        .ok_or_else(|| format!("choose one of {}", Kind::ALL.map(Kind::name).join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Test {
        #[command(flatten)]
        hunt: HuntArguments,
    }

    fn options(arguments: &[&str]) -> Result<HuntOptions, String> {
        let all = ["hunt", "a.B"].iter().chain(arguments);
        let session = SessionOptions::new(PathBuf::from("/jdk")).unwrap();
        Test::try_parse_from(all)
            .map(|test| test.hunt.options(session))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn the_defaults_are_those_of_the_campaign() {
        let options = options(&[]).unwrap();
        assert_eq!(options.budget, HuntOptions::BUDGET);
        assert_eq!(options.max_findings, HuntOptions::MAX_FINDINGS);
        assert_eq!(options.kinds.len(), Kind::ALL.len());
    }

    #[test]
    fn kinds_are_a_list() {
        let options = options(&["--kinds", "deadlock,lost-wakeup"]).unwrap();
        assert_eq!(
            options.kinds.into_iter().collect::<Vec<_>>(),
            [Kind::Deadlock, Kind::LostWakeup]
        );
    }

    #[test]
    fn a_wrong_kind_is_explained() {
        let problem = options(&["--kinds", "race"]).unwrap_err();
        assert!(problem.contains("choose one of exception, deadlock"), "{problem}");
    }
}
