//! What `raddle hunt` and `raddle explain` can be told.

use std::collections::BTreeSet;
use std::io;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ColorChoice};
use raddle_campaign::{HuntOptions, Strength, UseStockJvm};
use raddle_execute::SessionOptions;
use raddle_generate::StrategyKind;
use raddle_oracle::Kind;
use raddle_report::{
    Acceptance, Baseline, BaselineError, ExcludedMethod, HuntFolder, HuntRequest, ReportFormat, ResumeError,
    Shard,
};

use crate::build_tool::{BuildTool, ProjectArguments};
use crate::config::Config;
use crate::failure::Failure;
use crate::report::{SourceArguments, format};
use crate::run_arguments::{JvmArguments, duration};
use crate::shard::ShardArgument;

/// Threads of a test.
fn thread_count(text: &str) -> Result<u8, String> {
    let count = text.parse().ok().filter(|count| (2..=4).contains(count));
    count.ok_or_else(|| "a test has 2, 3 or 4 threads".to_owned())
}

/// Where everything is written to, unless told otherwise.
pub(crate) const OUT: &str = "raddle-out";

pub(crate) const HUNT_ABOUT: &str = "\
Find out whether two threads can break a class

All it needs is the compiled class: no annotations, no tests, no list of operations. Raddle
  1. reads the class and finds the pairs of public methods that could hurt
     each other (see raddle analyze),
  2. writes tests for these pairs: objects, calls that bring them into some
     state, and calls for two threads,
  3. runs each test many times on a real JVM, under its own scheduler, which
     decides which thread runs next,
  4. compares the results with those of the same calls made one at a time, in
     every order,
  5. minimises what it found, and reproduces it in two fresh JVMs,
  6. replays the interleaving on an unmodified JVM with a self-contained Java
     file.

Only what was seen and reproduced is reported, and findings that step 6 does not show are labelled. Each fault is reported as soon as it is certain, and once more in a list at the end if there are several:
  exception     a call throws an exception that no sequential order throws
  deadlock      threads wait for each other's locks
  lost-wakeup   threads wait forever, but not for each other's locks
  livelock      threads keep running without getting anywhere
  result        results that no sequential order can produce
raddle explain KIND says more, and when a finding may not be a bug.

Everything is also written to raddle-out/CLASS as the hunt goes: run.json, events.jsonl, and for each finding a recording for raddle replay, the interleaving, the Java file of step 6, and the same as a JUnit test. --resume continues an interrupted hunt.

\"Nothing found\" is said only if a self-check passes: two planted bugs have to be caught in the same configuration. ^C ends the hunt and keeps what was found.

Tests call the code of the class with all kinds of arguments, so they run in a cage: they can write only to a temporary directory of their own, have no network, and cannot start processes. The JVMs of step 6 can talk to each other and to nobody else.";

pub(crate) const HUNT_EXAMPLES: &str = "\
Examples:
  A class of the JDK:
    raddle hunt java.lang.StringBuffer
  Your own class, for ten minutes:
    raddle hunt -cp target/classes com.acme.Cache --budget 10m
  Everything in a jar that looks meant to be shared (quote patterns):
    raddle hunt -cp 'lib/foo.jar:lib/deps/*' 'com.foo.**' --budget 20s
  All classes of a Maven project that was compiled:
    raddle hunt --maven --budget 20s
  Starting from your own tests:
    raddle hunt com.acme.Cache -cp target/classes:target/test-classes \\
        --from-tests com.acme.CacheTest
  Only deadlocks and exceptions, and no more than one finding:
    raddle hunt com.acme.Cache -cp target/classes --stop-at-first \\
        --kinds deadlock,exception
  Continue a hunt that was interrupted, or give a finished one more time:
    raddle hunt --resume
    raddle hunt --resume --budget 1h
  With the options in raddle.toml; only findings that are not accepted fail:
    raddle hunt --baseline raddle-baseline.toml --report sarif
  What was found, step by step:
    raddle replay \\
        raddle-out/com.acme.Cache/findings/deadlock-1f00c4a2/finding.json
  Every night, but only what is new:
    raddle hunt -cp target/classes 'com.acme.**' --changed
  A part of a large hunt, on one of four machines:
    raddle hunt -cp 'lib/*' '**' --shard 3/4 --resume
  For another program:
    raddle hunt --json java.util.Hashtable | jq '.classes[].findings[].sentence'";

pub(crate) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  raddle explain deadlock
  raddle explain result";

#[expect(clippy::struct_excessive_bools, reason = "clap makes a flag of each")]
#[derive(Args)]
pub(crate) struct HuntArguments {
    /// Classes to hunt: names, or quoted patterns such as 'com.acme.**'.
    ///
    /// In a pattern `*` stands for one part of a name and `**` for any number of parts. One that
    /// begins with either is about the classes of the class path, if there are any. Of the classes that a pattern
    /// matches, those are hunted that look meant to be shared: with a synchronized method or block, a volatile field, a
    /// field of `java.util.concurrent`, or documented as thread-safe. A class that is named is always hunted.
    #[arg(value_name = "CLASS")]
    pub(crate) classes: Vec<String>,

    /// How long each class is hunted: 500ms, 30s, 5m, 1h; findings made near the end are still confirmed, which may take longer [default: 60s].
    #[arg(long, value_name = "TIME", value_parser = duration)]
    budget: Option<Duration>,

    /// Stop hunting a class after this many tests, so that the hunt is the same on every machine [default: no limit].
    ///
    /// The budget must be long enough for them.
    #[arg(long, value_name = "N")]
    max_plans: Option<NonZeroU64>,

    /// Random seed; the same seed gives the same tests, schedules and findings [default: 1].
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Where tests come from: portfolio, listed, omen, intruder, narada, autocontest, depcon, covcon or contege [default:
    /// portfolio].
    ///
    /// portfolio begins with what calls that ran alone and the analysis point at, and goes on with variations of the tests
    /// that reached something new; listed is the same without these. The others are published methods: omen foresees deadlocks, intruder atomicity violations and narada races
    /// from calls that ran alone; autocontest covers patterns of accesses with few tests; depcon is guided by the analysis, covcon by coverage, contege by nothing.
    #[arg(long, value_name = "NAME")]
    strategy: Option<StrategyKind>,

    /// Classes with sequential tests to begin with, separated by commas: tests of JUnit, or main methods.
    ///
    /// They must be on the class path; those of JUnit 3 to 5 and others with a `@Test` are known. They are read and not
    /// run: each test method is followed up to its first branch, and its calls make the objects in the way that the class
    /// is used. For portfolio, omen, intruder and narada.
    #[arg(
        long,
        alias = "seeds",
        value_name = "CLASS,…",
        value_delimiter = ',',
        conflicts_with = "resume"
    )]
    pub(crate) from_tests: Vec<String>,

    /// Kinds to look for, separated by commas: exception, deadlock, lost-wakeup, livelock, result [default: all].
    #[arg(long, value_name = "KIND,…", value_parser = kind, value_delimiter = ',')]
    kinds: Vec<Kind>,

    /// Kinds of findings that lead to exit code 1, separated by commas [default: all].
    ///
    /// Findings of other kinds are still reported.
    #[arg(long, value_name = "KIND,…", value_parser = kind, value_delimiter = ',')]
    pub(crate) fail_on: Option<Vec<Kind>>,

    /// Findings that are accepted, a file that raddle baseline has written: only other findings lead to exit code 1.
    ///
    /// They are listed separately, and those that are gone are named.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// A file with options, see docs/configuration.md; what is typed wins [default: raddle.toml, if it is there].
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Classes that a pattern matches and that are passed over, from the configuration.
    #[arg(skip)]
    pub(crate) exclude_classes: Vec<String>,

    /// Methods whose findings are accepted, from the configuration.
    #[arg(skip)]
    pub(crate) exclude_methods: Vec<ExcludedMethod>,

    /// Also report what the documentation excuses, such as the results of `putAll` of `ConcurrentHashMap`, and what may be
    /// by design, such as a call that works in several steps.
    ///
    /// Without it such violations are counted and listed with the reason.
    #[arg(long)]
    strict: bool,

    /// Files with contracts of your own types: what they promise about threads, and what they do not.
    ///
    /// May be given more than once. docs/contracts.md describes the format. Such a file takes precedence over what Raddle
    /// knows of the JDK and of popular libraries.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub(crate) contracts: Vec<PathBuf>,

    /// A public method that is true, or throws nothing, whenever no thread is at work, as if it had the annotation @Invariant.
    ///
    /// It is called in every test when the threads have ended. May be given more than once.
    #[arg(long, value_name = "NAME", conflicts_with = "resume")]
    pub(crate) invariant: Vec<String>,

    /// Findings that count, by the promise that they break: all, built or documented.
    ///
    /// documented: the documentation or an annotation says that threads may share objects of the class. built: that, or
    /// the class has locks, volatile fields or concurrent collections. all: any class. Of classes that a pattern matches,
    /// those are hunted whose findings count, by default built. A class that is named is always hunted, and by
    /// default its findings count unless its documentation says that it is not thread-safe.
    #[arg(long, value_name = "PROMISE")]
    pub(crate) promise: Option<Strength>,

    /// Threads of a test, from 2 to 4 [default: 2].
    ///
    /// More than two make tests slower, and few faults need them. A third thread does what the first does.
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<u8>,

    /// Run each test 100 times without control, as the published tools do, for comparison. Whatever shows up
    /// is then looked for under control.
    #[arg(long)]
    stress: bool,

    /// Stop hunting a class after this many findings [default: 20].
    #[arg(long, value_name = "N")]
    max_findings: Option<NonZeroUsize>,

    /// Run the stand-alone reproducer of each finding on a stock JVM: auto (where there is a cage for that), always, never
    /// [default: auto].
    ///
    /// A reproducer is two JVMs that talk to each other, so its cage needs user namespaces. always runs reproducers without
    /// a cage where there is none, and --no-cage does without one altogether.
    #[arg(long, value_name = "WHEN", value_parser = use_stock_jvm)]
    stock_jvm: Option<UseStockJvm>,

    /// What --stock-jvm always was called before.
    #[arg(long, hide = true, conflicts_with_all = ["no_confirm", "stock_jvm"])]
    confirm: bool,

    /// What --stock-jvm never was called before.
    #[arg(long, hide = true, conflicts_with = "stock_jvm")]
    no_confirm: bool,

    /// Also count findings that the stand-alone reproducer does not show on a stock JVM.
    ///
    /// Without this, findings that were seen only under Raddle's scheduler are listed separately, and do not lead to exit code 1.
    #[arg(long)]
    pub(crate) count_unconfirmed: bool,

    /// End the hunt at the first finding.
    #[arg(long)]
    stop_at_first: bool,

    /// JVMs at the same time [default: half as many as there are cores].
    ///
    /// Tests are handed out in a fixed order, so a hunt with the same number can be repeated.
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    pub(crate) jvm: JvmArguments,

    #[command(flatten)]
    pub(crate) build: ProjectArguments,

    /// Directories with the classes of the project, if these are all that is hunted.
    #[arg(skip)]
    pub(crate) own: Vec<PathBuf>,

    /// Where to write everything, in a directory for each class.
    #[arg(long, value_name = "DIR", default_value = OUT)]
    pub(crate) out: PathBuf,

    /// Reports to write into the folder when all is done, separated by commas: sarif, junit, markdown, html.
    ///
    /// raddle report makes them later, from the folder, and says what they are for.
    #[arg(long, value_name = "FORMAT,…", value_parser = format, value_delimiter = ',')]
    pub(crate) report: Vec<ReportFormat>,

    #[command(flatten)]
    pub(crate) sources: SourceArguments,

    /// Continue the latest hunt in the folder, which was interrupted or killed.
    ///
    /// Nothing that was tried is run again, and nothing that was found is lost. The hunt keeps the options that it was
    /// started with. --budget, --max-plans and --max-findings may be given again: if they are larger, classes that were
    /// done are hunted further.
    #[arg(long)]
    pub(crate) resume: bool,

    /// Hunt only a part of the classes, for hunts on several machines: 3/4 is the third of four parts, auto asks the
    /// environment.
    ///
    /// The classes to hunt are sorted by name and dealt out in turn, so parts of the same hunt have nothing in common and
    /// together are the whole. Each is written to a folder of its own in that of --out, such as raddle-out/shard-3-of-4, and
    /// raddle merge joins them. With --resume, the part is begun if it was not yet, so that a job can be started again as it
    /// is. auto reads what Slurm sets for the tasks of an array, Kubernetes for indexed jobs (with `RADDLE_SHARD_COUNT`), and
    /// build servers for parallel jobs; see docs/scale.md.
    #[arg(long, value_name = "I/N", conflicts_with = "stop_at_first")]
    pub(crate) shard: Option<ShardArgument>,

    /// The part that this is, when it is known.
    #[arg(skip)]
    pub(crate) part: Option<Shard>,

    /// Hunt only classes that have changed since the latest hunt in the folder, if that had the same options.
    ///
    /// A class has changed if its bytes differ, or those of a class that it refers to, and so on; classes of the JDK are left
    /// out. Of the others, what was found still stands: it is listed, and counts for the exit code.
    #[arg(long, conflicts_with = "resume")]
    pub(crate) changed: bool,

    /// Write one JSON document to standard output when all is done, and nothing else.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print everything about each finding and each class, even if several classes are hunted.
    ///
    /// For a single class this is the default. For several, there is a line for each class, and a list of findings at the end.
    #[arg(short, long, conflicts_with = "json")]
    pub(crate) verbose: bool,

    /// Whether to use colour; auto: on a terminal, unless `NO_COLOR` is set.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,

    /// Leave a class uninstrumented, to see that Raddle notices.
    #[arg(long, value_name = "CLASS", hide = true)]
    pub(crate) unplug: Vec<String>,
}

impl HuntArguments {
    /// Makes this a hunt of a part of the classes. Where it was not begun yet, there is nothing to resume.
    pub(crate) fn take_part(&mut self, shard: Shard) {
        self.out.push(shard.folder());
        self.part = Some(shard);
        let begun = HuntFolder::new(&self.out).request();
        self.resume &= !matches!(begun, Err(ResumeError::Nothing { .. }));
    }

    /// Takes the class path from the build, and all classes of the project if no others are named. `configured` is the tool
    /// of the configuration, for hunts that have no class path.
    pub(crate) fn take_project(&mut self, configured: Option<BuildTool>) -> Result<(), Failure> {
        if self.resume {
            return Ok(());
        }
        let configured = configured.filter(|_| self.jvm.class_path().is_none());
        if let Some(project) = self.build.project(configured)? {
            self.jvm.configured_class_path = Some(project.class_path);
            if self.classes.is_empty() {
                self.classes = vec!["**".to_owned()];
                self.own = project.own;
            }
        }
        Ok(())
    }

    /// Takes from the configuration what was not typed. A hunt that is resumed has the options that it was begun with, so
    /// only what is done with its findings can still be said.
    pub(crate) fn fill_in(&mut self, config: Config) {
        self.fail_on = self.fail_on.take().or(config.fail_on);
        self.baseline = self.baseline.take().or(config.baseline);
        self.exclude_methods = config.exclude_methods;
        self.exclude_classes = config.exclude_classes;
        self.sources.fill_in(config.source_roots);
        if self.report.is_empty() {
            self.report = config.report;
        }
        if self.resume {
            return;
        }
        self.jvm.configured_class_path = config.class_path;
        self.budget = self.budget.or(config.budget);
        self.promise = self.promise.or(config.promise);
        if self.classes.is_empty() {
            self.classes = config.classes;
        }
        if self.kinds.is_empty() {
            self.kinds = config.kinds;
        }
        if self.contracts.is_empty() {
            self.contracts = config.contracts;
        }
    }

    /// What does not fail the hunt although it counts.
    pub(crate) fn acceptance(&self) -> Result<Acceptance, BaselineError> {
        Ok(Acceptance {
            baseline: match &self.baseline {
                Some(file) => Baseline::read(file)?,
                None => Baseline::default(),
            },
            fail_on: self.fail_on.as_ref().map(|kinds| kinds.iter().copied().collect()),
            excluded_methods: self.exclude_methods.clone(),
        })
    }

    /// What the hunt is told, for one that is not resumed.
    pub(crate) fn options(&self, session: SessionOptions) -> HuntOptions {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let mut options = HuntOptions::new(session, self.strategy.unwrap_or_default());
        if let Some(seed) = self.seed {
            options.seed = seed;
        }
        if !self.kinds.is_empty() {
            options.kinds = self.kinds();
        }
        options.invariants.clone_from(&self.invariant);
        options.is_strict = self.strict;
        options.is_stress = self.stress;
        if let Some(threads) = self.threads.and_then(|count| NonZeroUsize::new(count.into())) {
            options.threads = threads;
        }
        options.stop_at_first = self.stop_at_first;
        options.jobs = self
            .jobs
            .or(NonZeroUsize::new(cores / 2))
            .unwrap_or(NonZeroUsize::MIN);
        self.set_bounds(&mut options);
        options
    }

    /// What the hunt is told that goes on with an earlier one, which this does not contradict.
    pub(crate) fn resumed_options(&self, session: SessionOptions, earlier: &HuntRequest) -> HuntOptions {
        // All of them by name, so that none can be forgotten.
        let mut options = HuntOptions {
            seed_tests: Vec::new(),
            seed_notes: Vec::new(),
            invariants: earlier.invariants.clone(),
            session,
            budget: Duration::from_millis(earlier.bounds.budget_ms),
            seed: earlier.seed,
            strategy: earlier.strategy.parse().unwrap_or_default(),
            kinds: earlier.kinds.iter().copied().collect(),
            is_strict: earlier.strict,
            contracts: Arc::default(),
            is_stress: earlier.stress,
            max_findings: earlier.bounds.max_findings,
            max_plans: earlier.bounds.max_plans,
            threads: earlier.threads,
            stop_at_first: self.stop_at_first || earlier.stop_at_first,
            jobs: earlier.jobs,
            stock_jvm: earlier.confirm,
            cancel: Arc::default(),
        };
        self.set_bounds(&mut options);
        options
    }

    /// Also what a hunt that is resumed may be told anew.
    fn set_bounds(&self, options: &mut HuntOptions) {
        if let Some(when) = self.stock_jvm() {
            options.stock_jvm = when;
        }
        if let Some(budget) = self.budget {
            options.budget = budget;
        }
        if let Some(most) = self.max_plans {
            options.max_plans = Some(most.get());
        }
        if let Some(most) = self.max_findings {
            options.max_findings = most.get();
        }
    }

    /// Whether findings are tried on a stock JVM, if that was said.
    fn stock_jvm(&self) -> Option<UseStockJvm> {
        match (self.confirm, self.no_confirm) {
            (true, _) => Some(UseStockJvm::Always),
            (false, true) => Some(UseStockJvm::Never),
            (false, false) => self.stock_jvm,
        }
    }

    fn kinds(&self) -> BTreeSet<Kind> {
        self.kinds.iter().copied().collect()
    }

    /// An option of the earlier hunt that is another now, as it was typed or could have been.
    pub(crate) fn contradicts(&self, earlier: &HuntRequest) -> io::Result<Option<String>> {
        let class_path = self
            .jvm
            .class_path()
            .map(|entries| absolute(&entries))
            .transpose()?;
        let names = |kinds: &[Kind]| kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(",");
        let joined = |paths: &[PathBuf]| {
            let paths: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
            paths.join(":")
        };
        let differences = [
            (
                !self.classes.is_empty() && self.classes != earlier.classes,
                format!("for {}", earlier.classes.join(" ")),
            ),
            (
                self.seed.is_some_and(|seed| seed != earlier.seed),
                format!("with --seed {}", earlier.seed),
            ),
            (
                self.strategy
                    .is_some_and(|strategy| strategy.name() != earlier.strategy),
                format!("with --strategy {}", earlier.strategy),
            ),
            (
                !self.kinds.is_empty() && self.kinds() != earlier.kinds.iter().copied().collect(),
                format!("with --kinds {}", names(&earlier.kinds)),
            ),
            (
                self.jobs.is_some_and(|jobs| jobs != earlier.jobs),
                format!("with --jobs {}", earlier.jobs),
            ),
            (
                class_path.is_some_and(|entries| entries != earlier.class_path),
                format!("with --class-path '{}'", joined(&earlier.class_path)),
            ),
            (
                self.threads
                    .is_some_and(|threads| usize::from(threads) != earlier.threads.get()),
                format!("with --threads {}", earlier.threads),
            ),
            (self.strict && !earlier.strict, "without --strict".to_owned()),
            (
                self.promise.is_some() && self.promise != earlier.promise,
                match earlier.promise {
                    Some(promise) => format!("with --promise {promise}"),
                    None => "without --promise".to_owned(),
                },
            ),
            (self.stress && !earlier.stress, "without --stress".to_owned()),
            (self.jvm.no_cage && earlier.cage, "without --no-cage".to_owned()),
            (
                !self.unplug.is_empty() && self.unplug != earlier.unplugged,
                format!("with --unplug {}", earlier.unplugged.join(",")),
            ),
        ];
        Ok(differences
            .into_iter()
            .find_map(|(is_other, then)| is_other.then_some(then)))
    }
}

fn use_stock_jvm(text: &str) -> Result<UseStockJvm, String> {
    match text {
        "auto" => Ok(UseStockJvm::Auto),
        "always" => Ok(UseStockJvm::Always),
        "never" => Ok(UseStockJvm::Never),
        _ => Err("it is auto, always or never".to_owned()),
    }
}

/// Paths that mean the same whatever the current directory is.
pub(crate) fn absolute(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    paths.iter().map(std::path::absolute).collect()
}

#[derive(Args)]
pub(crate) struct ExplainArguments {
    /// The kind: exception, deadlock, lost-wakeup, livelock or result.
    #[arg(value_name = "KIND", value_parser = kind)]
    pub(crate) kind: Kind,
}

/// A kind by its name in the output.
pub(crate) fn kind(text: &str) -> Result<Kind, String> {
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
