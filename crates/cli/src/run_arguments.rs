//! What `raddle run` and `raddle replay` can be told.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use raddle_classpath::split_class_path;
use raddle_execute::ExploreOptions;
use raddle_schedule::Config;

pub(crate) const RUN_ABOUT: &str = "\
Run a concurrent test under many schedules on a real JVM

A plan is a JSON file: calls that prepare, calls for each thread, calls that look at the result. Raddle runs it in a JVM in which only one thread runs at a time, and decides itself where threads are switched: before every access to a field or array element, every lock operation, wait, park, and call of the plan.

First it runs the calls in every order, one at a time. Whatever these runs do is right. Then it runs the plan under the scheduler, and reports what no order of whole calls explains:
  exception     a call throws an exception that no sequential order throws
  deadlock      threads wait for each other's locks
  lost wake-up  threads wait forever, but not for each other's locks
  livelock      threads keep running without getting anywhere
  wrong result  results that no sequential order can produce

Every violation is saved, run once more in a fresh JVM, and can be repeated with raddle replay.

Tests run arbitrary code, so the JVM is caged: it can only write to a temporary directory of its own, has no network, and cannot start processes.

If nothing is found, two plans that are known to fail are run in the same way. If they are not caught either, the answer is \"inconclusive\".";

pub(crate) const RUN_EXAMPLES: &str = "\
Examples:
  Ten thousand random schedules:
    raddle run -cp target/classes two-puts.json
  Every interleaving with at most two preemptions:
    raddle run -cp target/classes two-puts.json --scheduler bounded:2
  Every interleaving, but only once if they are equivalent:
    raddle run -cp target/classes two-puts.json --scheduler dpor
  Half a minute, with another seed:
    raddle run -cp target/classes two-puts.json --budget 30s --seed 7

A plan that makes two threads add to one list. Other arguments are {\"int\": 1}, {\"var\": \"list\"} and \"null\".
  {\"raddle_plan\": 1,
   \"prefix\": [{\"let\": \"list\", \"invoke\": \"new\",
               \"member\": \"java.util.ArrayList.<init>()V\"}],
   \"threads\": [[{\"invoke\": \"virtual\", \"on\": \"list\", \"args\": [{\"string\": \"a\"}],
                 \"member\": \"java.util.ArrayList.add(Ljava/lang/Object;)Z\"}],
               [{\"invoke\": \"virtual\", \"on\": \"list\", \"args\": [{\"string\": \"b\"}],
                 \"member\": \"java.util.ArrayList.add(Ljava/lang/Object;)Z\"}]],
   \"after\": [{\"invoke\": \"virtual\", \"on\": \"list\",
              \"member\": \"java.util.ArrayList.size()I\"}]}";

pub(crate) const REPLAY_ABOUT: &str = "\
Repeat a run that was saved, and show what the threads did

The plan is run once, with exactly the recorded switches. What the threads did is shown from top to bottom, one column per thread: accesses to what is shared, lock operations, calls, each with its source line.

Then it says whether the run was the recorded one. It is if the classes and the JDK are the same.";

pub(crate) const REPLAY_EXAMPLES: &str = "\
Examples:
  raddle replay raddle-out/two-puts-1-wrong-result.json
  With everything that the threads did:
    raddle replay --all raddle-out/two-puts-1-wrong-result.json
  After the class was changed:
    raddle replay -cp target/classes raddle-out/two-puts-1-wrong-result.json";

#[derive(Args)]
pub(crate) struct RunArguments {
    /// The test plan, a JSON file.
    #[arg(value_name = "PLAN")]
    pub(crate) plan: PathBuf,

    #[arg(
        long,
        value_name = "SCHEDULER",
        default_value = "random",
        help = format!("Who decides which thread runs: {}", Config::forms()),
        long_help = format!("Who decides which thread runs: {}.\n\n{}", Config::forms(), Config::about())
    )]
    pub(crate) scheduler: Config,

    /// How many schedules at most [default: 10000; as many as there are for bounded and dpor].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    schedules: Option<u64>,

    /// How long at most: 500ms, 30s, 5m, 1h.
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with = "schedules")]
    budget: Option<Duration>,

    /// Random seed; the same seed gives the same schedules.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// End a schedule after this many steps, as one that never ends.
    #[arg(long, value_name = "N", default_value_t = ExploreOptions::MAX_STEPS, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_steps: u32,

    #[command(flatten)]
    pub(crate) jvm: JvmArguments,

    /// Where violations are saved.
    #[arg(long, value_name = "DIR", default_value = "raddle-out")]
    pub(crate) save: PathBuf,

    /// Write one JSON document to standard output, and nothing else.
    #[arg(long)]
    pub(crate) json: bool,

    /// Leave a class uninstrumented, to see that Raddle notices.
    #[arg(long, value_name = "CLASS", hide = true)]
    pub(crate) unplug: Vec<String>,
}

#[derive(Args)]
pub(crate) struct ReplayArguments {
    /// The recording, a file that raddle run has saved.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Show everything that the threads did, and not only what other threads could notice.
    #[arg(long)]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) jvm: JvmArguments,
}

#[derive(Args)]
pub(crate) struct JvmArguments {
    /// Jars and directories with the classes, written as for java; also spelled -cp.
    ///
    /// With replay, these replace the recorded ones.
    #[arg(
        long,
        value_name = "PATH",
        visible_alias = "cp",
        alias = "classpath",
        overrides_with = "class_path"
    )]
    class_path: Option<String>,

    /// Class path entries of a configuration file, which count if none were typed.
    #[arg(skip)]
    pub(crate) configured_class_path: Option<Vec<PathBuf>>,

    /// Home directory of the JDK, 17 or later [default: JAVA_HOME, else the JDK of java on PATH].
    #[arg(long, value_name = "HOME")]
    pub(crate) jdk: Option<PathBuf>,

    /// Open a package of a module to the classes, as `java --add-opens` does: java.base/java.util; may be repeated.
    ///
    /// For classes that use internals of the JDK, for which java needs the same option. replay opens what was
    /// recorded.
    #[arg(long, value_name = "MODULE/PACKAGE", value_parser = package)]
    pub(crate) add_opens: Vec<String>,

    /// Let tests write files, use the network and start processes: for systems without Landlock and seccomp,
    /// or tests that need it.
    #[arg(long)]
    pub(crate) no_cage: bool,

    /// Run nothing if the kernel lacks a part of the cage; docs/security.md has the list.
    #[arg(long, conflicts_with = "no_cage")]
    pub(crate) require_cage: bool,
}

/// `java.base/java.util`, or that with `=ALL-UNNAMED` behind it, as for `java`.
fn package(text: &str) -> Result<String, String> {
    let text = text.strip_suffix("=ALL-UNNAMED").unwrap_or(text);
    let is_name = |name: &str| {
        let is_part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
        name.split('.').all(is_part)
    };
    match text.split_once('/') {
        Some((module, package)) if is_name(module) && is_name(package) => Ok(text.to_owned()),
        _ => Err("a module and a package are needed, as in java.base/java.util".to_owned()),
    }
}

impl JvmArguments {
    /// Class path entries, in order; none if no class path was given.
    pub(crate) fn class_path(&self) -> Option<Vec<PathBuf>> {
        let typed = self.class_path.as_deref().map(split_class_path);
        typed.or_else(|| self.configured_class_path.clone())
    }
}

impl RunArguments {
    /// Schedules that are run when neither a number nor a time was given.
    const SCHEDULES: u64 = 10_000;

    /// What to explore.
    pub(crate) fn options(&self) -> ExploreOptions {
        let is_endless = !self.scheduler.begins_anew() && !matches!(self.scheduler, Config::Directed(_));
        let default = (is_endless && self.budget.is_none()).then_some(RunArguments::SCHEDULES);
        ExploreOptions {
            schedules: self.schedules.or(default),
            time: self.budget,
            max_steps: self.max_steps,
            ..ExploreOptions::new(self.scheduler, self.seed)
        }
    }
}

/// `500ms`, `30s`, `5m`, `1h`, `1m30s`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let problem = || format!("`{text}` is not a time: write 500ms, 30s, 5m, 1h or 1m30s");
    let mut total: u64 = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let (number, tail) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(problem)?);
        let (unit, tail) = tail.split_at(tail.find(|c: char| c.is_ascii_digit()).unwrap_or(tail.len()));
        let milliseconds: u64 = match unit {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            _ => return Err(problem()),
        };
        let number: u64 = number.parse().map_err(|_| problem())?;
        let part = number.checked_mul(milliseconds).ok_or_else(problem)?;
        total = total.checked_add(part).ok_or_else(problem)?;
        rest = tail;
    }
    match total {
        0 if text.is_empty() => Err(problem()),
        0 => Err(format!("`{text}` is too short: write at least 1ms")),
        total => Ok(Duration::from_millis(total)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Test {
        #[command(flatten)]
        run: RunArguments,
    }

    fn parse(arguments: &[&str]) -> Result<RunArguments, String> {
        let all = ["run", "plan.json"].iter().chain(arguments);
        Test::try_parse_from(all)
            .map(|test| test.run)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn times_have_units() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("5m"), Ok(Duration::from_mins(5)));
        assert_eq!(duration("1h"), Ok(Duration::from_hours(1)));
        assert_eq!(duration("1m30s"), Ok(Duration::from_secs(90)));
        for wrong in ["30", "s", "", "1.5s", "-1s", "3d", "0s", "99999999999999999999s"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn random_schedulers_have_a_default_number_and_systematic_ones_have_none() {
        assert_eq!(parse(&[]).unwrap().options().schedules, Some(10_000));
        for systematic in ["bounded:2", "dpor"] {
            let options = parse(&["--scheduler", systematic]).unwrap().options();
            assert_eq!((options.schedules, options.time), (None, None));
        }
        let budget = parse(&["--budget", "2s"]).unwrap().options();
        assert_eq!(
            (budget.schedules, budget.time),
            (None, Some(Duration::from_secs(2)))
        );
        assert_eq!(parse(&["--schedules", "7"]).unwrap().options().schedules, Some(7));
    }

    #[test]
    fn a_wrong_scheduler_is_explained() {
        let problem = parse(&["--scheduler", "dice"]).err().unwrap();
        assert!(problem.contains("choose random, pct:DEPTH"), "{problem}");
        assert!(parse(&["--schedules", "0"]).is_err());
    }
}
