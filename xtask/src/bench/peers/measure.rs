//! Makes one measurement after the other.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use raddle_classpath::Jdk;
use tempfile::TempDir;

use super::child;
use super::journal;
use super::kit::{Aim, Kit, Test};
use super::list::{List, Pair};
use super::record::{Key, Part, Record, Tool, Verdict};
use crate::bench::hunting::child::Hunt;
use crate::bench::hunting::class_path;
use crate::bench::hunting::expectation::Likeness;
use crate::bench::hunting::list::Subject;
use crate::bench::hunting::record::{self as hunting, End, Scheduler, Strategy};
use crate::bench::ours::Raddle;
use crate::bench::program::{PROGRAMS, PeerCalls, Program};
use crate::bench::{engine, machine, peer};
use crate::subjects::Cache;
use crate::{date, jdks};

/// All is run on this one.
const FEATURE: u32 = 17;
/// How long schedules are counted, after warming up where that can be told.
const WINDOW: Duration = Duration::from_secs(5);
const WARM_UP: Duration = Duration::from_secs(2);
/// Of a peer's run that only counts: time to start JVMs included, of which `JCStress` starts many before the first run.
const COUNTING: Duration = Duration::from_secs(12);
const COUNTING_WITH_MANY_JVMS: Duration = Duration::from_secs(30);

/// All that the runs have in common.
pub(super) struct Bench<'a> {
    executable: PathBuf,
    commit: String,
    budget: Duration,
    list: &'a List,
    subjects: &'a [Subject],
    cache: Cache,
    jdk: PathBuf,
    jdk_version: String,
    kit: Kit,
    directory: TempDir,
    /// By the class of the pair.
    tests: BTreeMap<String, Test<'a>>,
    /// Where the programs are.
    programs: PathBuf,
}

/// What is known of a run.
struct Outcome {
    verdict: Verdict,
    time: Duration,
    executions: Option<u64>,
    per_second: Option<f64>,
}

impl<'a> Bench<'a> {
    pub(super) fn new(
        executable: &Path,
        commit: String,
        budget: Duration,
        offline: bool,
        list: &'a List,
        subjects: &'a [Subject],
    ) -> anyhow::Result<Bench<'a>> {
        let jdk = home()?;
        let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
        let kit = Kit::new(&jdk, directory.path())?;
        let programs = directory.path().join("programs");
        engine::compile(&jdk, &programs, Some(&peer::LINCHECK.jars()?))?;
        Ok(Bench {
            executable: executable
                .canonicalize()
                .with_context(|| format!("cannot find {}", executable.display()))?,
            commit,
            budget,
            list,
            subjects,
            cache: Cache::open(offline)?,
            jdk_version: Jdk::open(&jdk)?.version().to_owned(),
            jdk,
            kit,
            directory,
            tests: BTreeMap::new(),
            programs,
        })
    }

    /// None if a class cannot be had, of which is told on standard error.
    pub(super) fn run(&mut self, key: &Key) -> anyhow::Result<Option<Record>> {
        let load = machine::load();
        let outcome = match key.part {
            Part::Pairs => self.pair(key)?,
            Part::Speed => Some(self.speed(key)?),
        };
        Ok(outcome.map(|outcome| Record {
            key: key.clone(),
            budget_ms: u64::try_from(self.budget.as_millis()).unwrap_or(u64::MAX),
            date: date::today(),
            commit: self.commit.clone(),
            load: load
                .split(' ')
                .next()
                .and_then(|load| load.parse().ok())
                .unwrap_or(0.0),
            jdk_version: self.jdk_version.clone(),
            verdict: outcome.verdict,
            seconds: outcome.time.as_secs_f64(),
            executions: outcome.executions,
            per_second: outcome.per_second,
        }))
    }

    fn pair(&mut self, key: &Key) -> anyhow::Result<Option<Outcome>> {
        let list = self.list;
        let pair = list.pair.iter().find(|pair| pair.class == key.test);
        let pair = pair.with_context(|| format!("there is no pair {}", key.test))?;
        let subject = pair.subject(self.subjects)?;
        let classes = class_path::prepare(subject, &self.cache, &self.jdk, self.directory.path())?;
        let classes = match classes {
            Ok(classes) => classes,
            Err(why) => {
                eprintln!("{} is left out: {why}", pair.class);
                return Ok(None);
            }
        };
        if key.tool == Tool::Raddle {
            return self.hunt(pair, subject, &classes, key.round).map(Some);
        }
        self.compile(&pair.class, &classes, &pair.opens)?;
        let ended = self.peer(&pair.class, key.tool, Aim::Find, self.budget)?;
        Ok(Some(Outcome {
            verdict: ended.verdict,
            time: ended.time,
            executions: Some(journal::executions(&ended.journals)),
            per_second: None,
        }))
    }

    /// Raddle gets the name of the class and nothing else. The round is its seed.
    fn hunt(
        &self,
        pair: &Pair,
        subject: &Subject,
        class_path: &[PathBuf],
        round: u32,
    ) -> anyhow::Result<Outcome> {
        let expectation = pair.expectation(subject)?;
        let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
        let hunt = Hunt {
            executable: &self.executable,
            class: &subject.class,
            class_path,
            opens: &subject.opens,
            jdk: &self.jdk,
            strategy: Strategy::Portfolio,
            scheduler: Scheduler::Controlled,
            aim: hunting::Aim::Everything,
            seed: u64::from(round),
            budget: self.budget,
        };
        let begun = Instant::now();
        let seen: Cell<Option<Duration>> = Cell::new(None);
        let ended = hunt.run(directory.path(), |findings| {
            let is_found = expectation.first_in(findings, Likeness::Kind).is_some();
            if is_found && seen.get().is_none() {
                seen.set(Some(begun.elapsed()));
            }
            is_found
        })?;
        let finding = expectation.first_in(&ended.findings, Likeness::Kind);
        let time = seen.get().unwrap_or(ended.time);
        let verdict = match (finding, &ended.end) {
            (Some(finding), _) if time <= self.budget => Verdict::Found(finding.id.clone()),
            (_, End::Failed(said)) => Verdict::Cannot(said.clone()),
            // A hunt ends by itself a little after its budget, or before when it has tried everything.
            _ if time < self.budget => Verdict::Exhausted,
            _ => Verdict::Nothing,
        };
        Ok(Outcome {
            verdict,
            time,
            executions: Some(ended.schedules()),
            per_second: None,
        })
    }

    fn compile(&mut self, class: &str, classes: &[PathBuf], opens: &'a [String]) -> anyhow::Result<()> {
        if !self.tests.contains_key(class) {
            let test = self.kit.test(class, classes, opens)?;
            self.tests.insert(class.to_owned(), test);
        }
        Ok(())
    }

    fn peer(&self, class: &str, tool: Tool, aim: Aim, budget: Duration) -> anyhow::Result<child::Ended> {
        let test = self.tests.get(class).context("a pair was not compiled")?;
        let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
        child::run(self.kit.steps(tool, test, aim, directory.path())?, budget)
    }

    fn speed(&mut self, key: &Key) -> anyhow::Result<Outcome> {
        let (program, calls) = program(&key.test)?;
        let begun = Instant::now();
        let per_second = match key.tool {
            Tool::Raddle => Some(self.ours(program, "random")?),
            Tool::Pct => Some(self.ours(program, "pct:3")?),
            Tool::Lincheck => {
                let jars = peer::LINCHECK.jars()?;
                let measured = jars.measure(calls, &self.jdk, &self.programs, WINDOW)?;
                Some(measured.schedules_per_second)
            }
            Tool::Vmlens | Tool::Jcstress | Tool::Stress => {
                self.compile(calls.pair, &[], &[])?;
                let time = match key.tool {
                    Tool::Jcstress => COUNTING_WITH_MANY_JVMS,
                    _ => COUNTING,
                };
                let ended = self.peer(calls.pair, key.tool, Aim::Count, time)?;
                let rate = journal::rate(&ended.journals, WARM_UP);
                if let (Verdict::Cannot(why), None) = (&ended.verdict, rate) {
                    eprintln!("{} of {}: {why}", key.tool.name(), key.test);
                }
                rate
            }
        };
        Ok(Outcome {
            verdict: per_second.map_or_else(
                || Verdict::Cannot("no run after warming up".to_owned()),
                |_| Verdict::Measured,
            ),
            time: begun.elapsed(),
            executions: None,
            per_second,
        })
    }

    fn ours(&self, program: &Program, scheduler: &str) -> anyhow::Result<f64> {
        let saved = self.directory.path().join("saved");
        let raddle = Raddle {
            executable: &self.executable,
            classes: &self.programs,
            saved: &saved,
            scheduler,
        };
        let measured = raddle.measure(program, &self.jdk, WINDOW, 1)?;
        Ok(measured.schedules_per_second)
    }
}

fn program(name: &str) -> anyhow::Result<(&'static Program, &'static PeerCalls)> {
    let program = PROGRAMS.iter().find(|program| program.name == name);
    program
        .and_then(|program| Some((program, program.peer.as_ref()?)))
        .with_context(|| format!("there is no program {name} for peers"))
}

fn home() -> anyhow::Result<PathBuf> {
    for home in jdks::installed()? {
        if Jdk::open(&home)?.feature() == FEATURE {
            return Ok(home);
        }
    }
    anyhow::bail!("there is no JDK {FEATURE} beside the default one; install it there")
}
