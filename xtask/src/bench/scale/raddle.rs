//! Runs of `raddle analyze` and `raddle hunt`, and what they say of themselves.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Context;
use serde::Deserialize;

use super::process::{self, Ran};
use super::record::{Analysis, Hunt};

/// An analysis takes milliseconds, a hunt seconds.
const ANALYSIS_TICK: Duration = Duration::from_micros(250);
const HUNT_TICK: Duration = Duration::from_millis(25);
/// The system counts processor time in hundredths of a second, so that of one run would be nothing.
const RUNS_PER_ROUND: u32 = 10;
/// After the budget: what was found is made sure of.
const LIMIT: Duration = Duration::from_mins(3);
/// So many that no hunt ends for them.
const MAX_FINDINGS: &str = "100000";

/// Where things are.
pub(super) struct Raddle<'a> {
    pub(super) executable: &'a Path,
    pub(super) jdk: &'a Path,
    pub(super) class: &'a str,
    pub(super) class_path: &'a [PathBuf],
}

/// One hunt.
#[derive(Copy, Clone)]
pub(super) struct Options {
    pub(super) jobs: u32,
    pub(super) seed: u64,
    pub(super) budget: Duration,
    pub(super) until: Until,
}

/// When a hunt ends besides.
#[derive(Copy, Clone)]
pub(super) enum Until {
    Budget,
    FirstFinding,
    Plans(u32),
}

#[derive(Deserialize)]
struct Analysed {
    classes: Vec<AnalysedClass>,
}

#[derive(Deserialize)]
struct AnalysedClass {
    counts: Counts,
}

#[derive(Deserialize)]
struct Counts {
    m: u64,
    union: u64,
}

#[derive(Deserialize)]
struct Hunted {
    jdk: Jdk,
    classes: Vec<HuntedClass>,
}

#[derive(Deserialize)]
struct Jdk {
    version: String,
}

#[derive(Deserialize)]
struct HuntedClass {
    findings: Vec<Finding>,
    numbers: Numbers,
}

#[derive(Deserialize)]
struct Finding {
    after_ms: f64,
}

#[derive(Deserialize)]
struct Numbers {
    plans: u64,
    schedules: u64,
    time_ms: f64,
}

impl Raddle<'_> {
    pub(super) fn analyse(&self, rounds: u32) -> anyhow::Result<Analysis> {
        let mut analysis = Analysis {
            pairs: 0,
            dependent: 0,
            wall_ms: Vec::new(),
            cpu_ms: Vec::new(),
            peak_kib: 0,
        };
        for _ in 0..rounds {
            let mut cpu = Duration::ZERO;
            for _ in 0..RUNS_PER_ROUND {
                let mut command = self.command("analyze")?;
                command.args(["--jobs", "1", self.class]);
                let ran = process::run(&mut command, ANALYSIS_TICK, LIMIT)?;
                let document: Analysed = parse(&ran)?;
                let class = document
                    .classes
                    .first()
                    .context("raddle analyze tells of no class")?;
                analysis.pairs = class.counts.m;
                analysis.dependent = class.counts.union;
                analysis.wall_ms.push(milliseconds(ran.wall));
                analysis.peak_kib = analysis.peak_kib.max(ran.memory.coordinator);
                cpu += ran.cpu;
            }
            analysis.cpu_ms.push(milliseconds(cpu / RUNS_PER_ROUND));
        }
        Ok(analysis)
    }

    /// The hunt, and the version of the JDK.
    pub(super) fn hunt(&self, options: Options) -> anyhow::Result<(Hunt, String)> {
        let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
        let mut command = self.command("hunt")?;
        command
            .current_dir(directory.path())
            // JVMs that confirm findings would take the place of workers that are measured.
            .args(["--no-confirm", "--max-findings", MAX_FINDINGS])
            .args(["--jobs", &options.jobs.to_string()])
            .args(["--seed", &options.seed.to_string()])
            .args(["--budget", &format!("{}ms", options.budget.as_millis())]);
        match options.until {
            Until::Budget => {}
            Until::FirstFinding => {
                command.arg("--stop-at-first");
            }
            Until::Plans(plans) => {
                command.args(["--max-plans", &plans.to_string()]);
            }
        }
        command.arg(self.class);
        let ran = process::run(&mut command, HUNT_TICK, options.budget + LIMIT)?;
        let document: Hunted = parse(&ran)?;
        let class = document
            .classes
            .first()
            .context("raddle hunt tells of no class")?;
        let hunt = Hunt {
            wall_ms: milliseconds(ran.wall),
            cpu_ms: milliseconds(ran.cpu),
            time_ms: class.numbers.time_ms,
            plans: class.numbers.plans,
            schedules: class.numbers.schedules,
            findings: class.findings.len() as u64,
            first_finding_ms: class.findings.first().map(|finding| finding.after_ms),
            memory: ran.memory,
        };
        Ok((hunt, document.jdk.version))
    }

    fn command(&self, name: &str) -> anyhow::Result<Command> {
        let mut command = Command::new(self.executable);
        command.args([name, "--json", "--jdk"]).arg(self.jdk);
        if !self.class_path.is_empty() {
            let class_path = env::join_paths(self.class_path).context("a path contains a colon")?;
            command.arg("--class-path").arg(class_path);
        }
        Ok(command)
    }
}

fn parse<'a, T: Deserialize<'a>>(ran: &'a Ran) -> anyhow::Result<T> {
    serde_json::from_slice(&ran.stdout)
        .with_context(|| format!("raddle gives no result: {}", ran.stderr.trim()))
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
