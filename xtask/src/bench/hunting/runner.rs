//! Runs all hunts of a benchmark, several at a time, and writes each result down as it comes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use raddle_classpath::Jdk;
use raddle_testkit::crew;

use super::arguments::{Arguments, Jdks};
use super::child::{Ended, Hunt};
use super::expectation::{Likeness, are_all_met};
use super::list::{Group, Subject};
use super::record::{Aim, End, Key, Record, Scheduler, StockJvm, Strategy};
use super::results::{self, Results};
use super::series::Hit;
use super::{class_path, stock};
use crate::bench::{machine, ours};
use crate::subjects::Cache;
use crate::{date, jdks};

/// Most that is spent on a hunt for one deadlock.
const FIRST_DEADLOCK_BUDGET: Duration = Duration::from_secs(20);

/// What tells one benchmark from another.
pub(in crate::bench) struct Benchmark {
    /// As on the command line.
    pub(in crate::bench) name: &'static str,
    pub(in crate::bench) groups: Vec<Group>,
    pub(in crate::bench) jdks: Jdks,
    /// Unless the command line has another one.
    pub(in crate::bench) budget: Duration,
    /// Unless the command line has another number.
    pub(in crate::bench) seeds: u64,
    pub(in crate::bench) ways: Vec<Way>,
    /// What has to be found of everything that is expected for a hunt to end before its budget; none if nothing ends it.
    pub(in crate::bench) ends_at: Option<Likeness>,
    /// Whether findings are tried on a JVM without Raddle.
    pub(in crate::bench) tries_stock_jvm: bool,
}

/// A way to hunt classes.
#[derive(Copy, Clone)]
pub(in crate::bench) struct Way {
    pub(in crate::bench) strategy: Strategy,
    pub(in crate::bench) scheduler: Scheduler,
    pub(in crate::bench) aim: Aim,
    /// Which classes are hunted so.
    pub(in crate::bench) takes: fn(&Subject) -> bool,
}

impl Way {
    /// For everything, in every class.
    pub(in crate::bench) fn of_all(strategy: Strategy, scheduler: Scheduler) -> Way {
        Way {
            strategy,
            scheduler,
            aim: Aim::Everything,
            takes: |_| true,
        }
    }
}

/// All that the hunts have in common.
struct Crew<'a> {
    benchmark: &'a Benchmark,
    budget: Duration,
    executable: PathBuf,
    commit: String,
    homes: BTreeMap<u32, PathBuf>,
    /// By the subject's id.
    class_paths: BTreeMap<&'a str, Vec<PathBuf>>,
    keep: Option<&'a Path>,
}

/// One hunt that is to be made.
struct Job<'a> {
    subject: &'a Subject,
    key: Key,
}

/// Runs what is to be run; all results, those of earlier runs included where asked for.
pub(in crate::bench) fn records(
    arguments: &Arguments,
    benchmark: &Benchmark,
    subjects: &[Subject],
) -> anyhow::Result<Vec<Record>> {
    let path = arguments.results_path(benchmark.name);
    if !arguments.table_only {
        run(arguments, benchmark, subjects, &path)?;
    }
    let records = results::read(&path)?;
    if records.is_empty() {
        bail!("there are no results in {}", path.display());
    }
    Ok(records)
}

fn run(
    arguments: &Arguments,
    benchmark: &Benchmark,
    subjects: &[Subject],
    path: &Path,
) -> anyhow::Result<()> {
    let budget = arguments.budget.unwrap_or(benchmark.budget);
    let earlier = results::earlier(path, arguments.resume)?;
    check_budget(&earlier, budget, path)?;
    let mut jobs = jobs(arguments, benchmark, subjects)?;
    leave_out_done(&mut jobs, &earlier);

    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    let (executable, commit) = executable(arguments, directory.path())?;
    check_schedulers(&executable, benchmark)?;
    let homes = homes(&jobs)?;
    let class_paths = class_paths(&mut jobs, arguments, &homes, directory.path())?;
    let crew = Crew {
        benchmark,
        budget,
        executable,
        commit,
        homes,
        class_paths,
        keep: arguments.keep.as_deref(),
    };
    let results = Results::open(path, arguments.resume)?;
    eprintln!("{} hunts, results in {}", jobs.len(), path.display());
    let begun = Instant::now();
    let done = AtomicUsize::new(0);
    let is_broken = AtomicBool::new(false);
    let outcomes = crew::run(&jobs, arguments.parallel, |_, job| {
        // What went wrong once, such as a full disk, would go wrong every time.
        if is_broken.load(Ordering::Relaxed) {
            return Ok(());
        }
        let outcome = crew.hunt(job).and_then(|record| {
            let number = done.fetch_add(1, Ordering::Relaxed) + 1;
            eprintln!(
                "[{number}/{}, {}] {}",
                jobs.len(),
                time_left(begun.elapsed(), number, jobs.len()),
                progress_line(job.subject, &record)
            );
            results.add(&record)
        });
        if outcome.is_err() {
            is_broken.store(true, Ordering::Relaxed);
        }
        outcome
    });
    outcomes.into_iter().collect()
}

/// As if what is left took as long as what is done.
fn time_left(elapsed: Duration, done: usize, all: usize) -> String {
    let each = elapsed / u32::try_from(done.max(1)).unwrap_or(u32::MAX);
    let left = each * u32::try_from(all.saturating_sub(done)).unwrap_or(u32::MAX);
    match left.as_secs() {
        0 => "done".to_owned(),
        seconds @ 1..=90 => format!("{seconds} s left"),
        seconds => format!("{} min left", seconds.div_ceil(60)),
    }
}

/// Results of different budgets in one table would mislead.
fn check_budget(earlier: &[Record], budget: Duration, path: &Path) -> anyhow::Result<()> {
    let other = earlier
        .iter()
        .find(|record| u128::from(record.budget_ms) != budget_for(record.key.aim, budget).as_millis());
    if let Some(other) = other {
        bail!(
            "{} has results of a budget of {} ms; go on with the same --budget, or give another --results",
            path.display(),
            other.budget_ms
        );
    }
    Ok(())
}

fn budget_for(aim: Aim, budget: Duration) -> Duration {
    match aim {
        Aim::Everything => budget,
        Aim::FirstDeadlock => budget.min(FIRST_DEADLOCK_BUDGET),
    }
}

/// Seed by seed, so that a benchmark that is not finished has something of every class.
fn jobs<'a>(
    arguments: &Arguments,
    benchmark: &Benchmark,
    subjects: &'a [Subject],
) -> anyhow::Result<Vec<Job<'a>>> {
    let mut jobs = Vec::new();
    for name in &arguments.only {
        let is_meant =
            |subject: &Subject| benchmark.groups.contains(&subject.group) && subject.is_called(name);
        if !subjects.iter().any(is_meant) {
            bail!("no class of this benchmark is called {name}; bench/hunts.toml lists them");
        }
    }
    for seed in 1..=arguments.seeds.unwrap_or(benchmark.seeds) {
        for way in &benchmark.ways {
            for subject in subjects {
                let is_wanted =
                    arguments.only.is_empty() || arguments.only.iter().any(|name| subject.is_called(name));
                if !is_wanted || !benchmark.groups.contains(&subject.group) || !(way.takes)(subject) {
                    continue;
                }
                let jdks = subject.group.jdks().iter().copied();
                jobs.extend(
                    jdks.filter(|feature| benchmark.jdks.includes(*feature))
                        .map(|jdk| Job {
                            subject,
                            key: Key {
                                hunt: subject.id.clone(),
                                jdk,
                                strategy: way.strategy,
                                scheduler: way.scheduler,
                                aim: way.aim,
                                seed,
                            },
                        }),
                );
            }
        }
    }
    Ok(jobs)
}

/// A hunt that gave no result is made again.
fn leave_out_done(jobs: &mut Vec<Job<'_>>, earlier: &[Record]) {
    let done: BTreeSet<&Key> = earlier
        .iter()
        .filter(|record| matches!(record.end, End::Met | End::Itself))
        .map(|record| &record.key)
        .collect();
    jobs.retain(|job| !done.contains(&job.key));
}

/// A copy, so that building anew meanwhile changes nothing, and what it is a build of.
fn executable(arguments: &Arguments, directory: &Path) -> anyhow::Result<(PathBuf, String)> {
    let (built, commit) = ours::executable(arguments.raddle.as_deref())?;
    let copy = directory.join("raddle");
    fs::copy(&built, &copy).with_context(|| format!("cannot copy {}", built.display()))?;
    Ok((copy, commit))
}

/// Asked before hours are spent.
fn check_schedulers(executable: &Path, benchmark: &Benchmark) -> anyhow::Result<()> {
    let wants_stress = benchmark
        .ways
        .iter()
        .any(|way| way.scheduler == Scheduler::Stress);
    if !wants_stress {
        return Ok(());
    }
    let help = Command::new(executable)
        .args(["hunt", "--help"])
        .output()
        .with_context(|| format!("cannot run {}", executable.display()))?;
    if !String::from_utf8_lossy(&help.stdout).contains("--stress") {
        bail!("this raddle hunt has no --stress; leave it out with --schedulers controlled");
    }
    Ok(())
}

/// Home directories of the JDKs that are needed, by feature version.
fn homes(jobs: &[Job<'_>]) -> anyhow::Result<BTreeMap<u32, PathBuf>> {
    let mut installed = BTreeMap::new();
    for home in jdks::installed()? {
        let feature = Jdk::open(&home)?.feature();
        installed.entry(feature).or_insert(home);
    }
    let wanted: BTreeSet<u32> = jobs.iter().map(|job| job.key.jdk).collect();
    if let Some(missing) = wanted.iter().find(|feature| !installed.contains_key(feature)) {
        bail!(
            "there is no JDK {missing} beside the default one; install it there, or choose with --jdk what there is"
        );
    }
    installed.retain(|feature, _| wanted.contains(feature));
    Ok(installed)
}

/// Leaves out the jobs whose classes cannot be had, and says so.
fn class_paths<'a>(
    jobs: &mut Vec<Job<'a>>,
    arguments: &Arguments,
    homes: &BTreeMap<u32, PathBuf>,
    directory: &Path,
) -> anyhow::Result<BTreeMap<&'a str, Vec<PathBuf>>> {
    let mut found: BTreeMap<&str, Vec<PathBuf>> = BTreeMap::new();
    // Its classes can be run by all the others.
    let Some(oldest) = homes.values().next() else {
        return Ok(found);
    };
    let cache = Cache::open(arguments.offline)?;
    let mut absent: BTreeSet<&str> = BTreeSet::new();
    for job in jobs.iter() {
        let id = job.subject.id.as_str();
        if found.contains_key(id) || absent.contains(id) {
            continue;
        }
        match class_path::prepare(job.subject, &cache, oldest, directory)? {
            Ok(class_path) => {
                found.insert(id, class_path);
            }
            Err(why) => {
                eprintln!("{id} is left out: {why}");
                absent.insert(id);
            }
        }
    }
    jobs.retain(|job| found.contains_key(job.subject.id.as_str()));
    Ok(found)
}

impl Crew<'_> {
    fn hunt(&self, job: &Job<'_>) -> anyhow::Result<Record> {
        let Job { subject, key } = job;
        let home = self.homes.get(&key.jdk).context("a JDK was not looked for")?;
        let class_path: &[PathBuf] = self
            .class_paths
            .get(subject.id.as_str())
            .map(Vec::as_slice)
            .unwrap_or_default();
        let hunt = Hunt {
            executable: &self.executable,
            class: &subject.class,
            class_path,
            opens: &subject.opens,
            jdk: home,
            strategy: key.strategy,
            scheduler: key.scheduler,
            aim: key.aim,
            seed: key.seed,
            budget: budget_for(key.aim, self.budget),
        };
        let load = machine::load();
        let directory = self.directory(key)?;
        let mut ended = hunt.run(directory.path(), |findings| {
            let ends_at = self.benchmark.ends_at;
            ends_at.is_some_and(|likeness| are_all_met(&subject.expected, findings, likeness))
        })?;
        if self.benchmark.tries_stock_jvm {
            let folder = hunt.folder(directory.path()).join("findings");
            for finding in &mut ended.findings {
                finding.stock_jvm = stock::confirm(&folder.join(&finding.id), class_path, home)?;
            }
        }
        Ok(self.record(job, ended, &load))
    }

    fn directory(&self, key: &Key) -> anyhow::Result<Directory> {
        let Some(keep) = self.keep else {
            let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
            return Ok(Directory::ThrownAway(directory));
        };
        let directory = keep.join(key.to_string());
        let cannot_make = || format!("cannot make {}", directory.display());
        if directory.exists() {
            fs::remove_dir_all(&directory).with_context(cannot_make)?;
        }
        fs::create_dir_all(&directory).with_context(cannot_make)?;
        Ok(Directory::Kept(
            directory.canonicalize().with_context(cannot_make)?,
        ))
    }

    fn record(&self, job: &Job<'_>, ended: Ended, load: &str) -> Record {
        let Ended {
            end,
            document,
            findings,
            apart,
            time,
        } = ended;
        let numbers = document.numbers().unwrap_or_default();
        Record {
            key: job.key.clone(),
            class: job.subject.class.clone(),
            budget_ms: u64::try_from(budget_for(job.key.aim, self.budget).as_millis()).unwrap_or(u64::MAX),
            date: date::today(),
            commit: self.commit.clone(),
            load: load
                .split(' ')
                .next()
                .and_then(|load| load.parse().ok())
                .unwrap_or(0.0),
            gaps: document.gaps(),
            notes: document.notes(),
            predicted: document.predicted(),
            jdk_version: document.jdk.version,
            end,
            findings,
            apart,
            plans: numbers.plans,
            failed_plans: numbers.failed_plans,
            schedules: numbers.schedules,
            seconds: time.as_secs_f64(),
            class_seconds: numbers.time_ms / 1000.0,
        }
    }
}

/// Where a hunt runs.
enum Directory {
    ThrownAway(tempfile::TempDir),
    Kept(PathBuf),
}

impl Directory {
    fn path(&self) -> &Path {
        match self {
            Directory::ThrownAway(directory) => directory.path(),
            Directory::Kept(directory) => directory,
        }
    }
}

fn progress_line(subject: &Subject, record: &Record) -> String {
    let mut parts: Vec<String> = Vec::new();
    for expectation in &subject.expected {
        let seconds = |likeness| {
            let hit = Hit::of(expectation, record, likeness);
            hit.map(|hit| format!("{:.1} s", hit.seconds))
        };
        match (seconds(Likeness::Kind), seconds(Likeness::Fault)) {
            (Some(kind), Some(fault)) => {
                parts.push(format!("{expectation} {kind}, the fault itself {fault}"));
            }
            (Some(kind), None) => parts.push(format!("{expectation} {kind}, the fault itself missed")),
            _ if subject.group == Group::Correct => {}
            _ => parts.push(format!("{expectation} missed")),
        }
    }
    parts.push(format!("{} findings", record.findings.len()));
    let with_verdict = |verdict: StockJvm| {
        let findings = record.findings.iter();
        findings.filter(|finding| finding.stock_jvm == verdict).count()
    };
    let confirmed = with_verdict(StockJvm::Confirmed);
    if confirmed + with_verdict(StockJvm::NotConfirmed) > 0 {
        parts.push(format!("{confirmed} confirmed"));
    }
    parts.push(format!("{} plans", record.plans));
    parts.push(format!("{:.1} s", record.seconds));
    match &record.end {
        End::Met | End::Itself => {}
        End::Stuck => parts.push("it did not end".to_owned()),
        End::Failed(said) => parts.push(format!("it gave no result: {said}")),
    }
    format!("{} {}: {}", record.key, record.class, parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::expectation::Kind;
    use super::super::list;
    use super::super::record::Found;
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn arguments(line: &[&str]) -> Arguments {
        Line::parse_from(["bench"].iter().chain(line)).arguments
    }

    fn benchmark(jdks: Jdks) -> Benchmark {
        Benchmark {
            name: "hunt",
            groups: vec![Group::Jdk, Group::Library, Group::Standin],
            jdks,
            budget: Duration::from_mins(1),
            seeds: 5,
            ways: vec![Way::of_all(Strategy::Portfolio, Scheduler::Controlled)],
            ends_at: Some(Likeness::Fault),
            tries_stock_jvm: true,
        }
    }

    fn keys(line: &[&str], jdks: Jdks) -> Vec<String> {
        let subjects = list::read().unwrap();
        let jobs = jobs(&arguments(line), &benchmark(jdks), &subjects).unwrap();
        jobs.iter().map(|job| job.key.to_string()).collect()
    }

    #[test]
    fn only_classes_of_the_jdk_are_hunted_on_both() {
        let both = keys(&["--only", "S13,S17", "--seeds", "2"], Jdks::Both);
        assert_eq!(
            both,
            [
                "S17-jdk17-portfolio-controlled-1",
                "S17-jdk25-portfolio-controlled-1",
                "S13-jdk17-portfolio-controlled-1",
                "S13-standin-jdk17-portfolio-controlled-1",
                "S17-jdk17-portfolio-controlled-2",
                "S17-jdk25-portfolio-controlled-2",
                "S13-jdk17-portfolio-controlled-2",
                "S13-standin-jdk17-portfolio-controlled-2",
            ]
        );
        let one = keys(&["--only", "S13,S17", "--seeds", "1"], Jdks::TwentyFive);
        assert_eq!(one, ["S17-jdk25-portfolio-controlled-1"]);
    }

    #[test]
    fn a_way_is_for_some_classes() {
        let subjects = list::read().unwrap();
        let mut benchmark = benchmark(Jdks::Seventeen);
        benchmark.seeds = 1;
        benchmark.ways.push(Way {
            strategy: Strategy::Omen,
            scheduler: Scheduler::Controlled,
            aim: Aim::FirstDeadlock,
            takes: |subject| subject.group == Group::Library,
        });
        let jobs = jobs(&arguments(&["--only", "S17,S35"]), &benchmark, &subjects).unwrap();
        let keys: Vec<String> = jobs.iter().map(|job| job.key.to_string()).collect();
        assert_eq!(
            keys,
            [
                "S17-jdk17-portfolio-controlled-1",
                "S35-jdk17-portfolio-controlled-1",
                "S35-jdk17-omen-controlled-1-first",
            ]
        );
    }

    #[test]
    fn a_name_of_nothing_is_an_error() {
        let subjects = list::read().unwrap();
        let answer = jobs(
            &arguments(&["--only", "AtomicInteger"]),
            &benchmark(Jdks::Both),
            &subjects,
        );
        let message = answer.err().unwrap().to_string();
        assert!(message.contains("AtomicInteger"), "{message}");
    }

    #[test]
    fn hunts_that_have_a_result_are_left_out_when_going_on() {
        let subjects = list::read().unwrap();
        let arguments = arguments(&["--only", "S17", "--seeds", "3"]);
        let mut jobs = jobs(&arguments, &benchmark(Jdks::Seventeen), &subjects).unwrap();
        let mut failed = Record::sample("S17", 2, Vec::new());
        failed.end = End::Failed("no JVM".to_owned());
        leave_out_done(&mut jobs, &[Record::sample("S17", 1, Vec::new()), failed]);
        let seeds: Vec<u64> = jobs.iter().map(|job| job.key.seed).collect();
        assert_eq!(seeds, [2, 3]);
    }

    #[test]
    fn the_time_left_goes_by_what_was_done() {
        let minute = Duration::from_mins(1);
        assert_eq!(time_left(minute, 2, 4), "60 s left");
        assert_eq!(time_left(minute, 1, 4), "3 min left");
        assert_eq!(time_left(minute, 4, 4), "done");
    }

    #[test]
    fn budgets_are_not_mixed() {
        let earlier = [Record::sample("S17", 1, Vec::new())];
        let path = Path::new("hunt.jsonl");
        assert!(check_budget(&earlier, Duration::from_mins(1), path).is_ok());
        assert!(check_budget(&earlier, Duration::from_secs(20), path).is_err());
        let mut first = Record::sample("S17", 1, Vec::new());
        first.key.aim = Aim::FirstDeadlock;
        first.budget_ms = 20_000;
        let both = [earlier[0].clone(), first];
        assert!(
            check_budget(&both, Duration::from_mins(1), path).is_ok(),
            "one deadlock is looked for in less time"
        );
    }

    #[test]
    fn the_progress_line_tells_what_was_expected() {
        let subjects = list::read().unwrap();
        let subject = subjects.iter().find(|subject| subject.id == "S16").unwrap();
        let record = Record::sample("S16", 1, vec![Found::sample(Kind::Deadlock, 0.64)]);
        assert_eq!(
            progress_line(subject, &record),
            "S16-jdk17-portfolio-controlled-1 a.B: deadlock 0.6 s, the fault itself missed, exception missed, 1 findings, 1 confirmed, 100 plans, \
             60.5 s"
        );
    }
}
