//! Runs of `raddle run`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::Context;
use serde::Deserialize;

use super::machine;
use super::program::Program;
use crate::{product, workspace};

/// What a run says of itself, as far as it matters here; `docs/run-json.md` describes all of it.
#[derive(Deserialize)]
struct Document {
    gaps: Vec<String>,
    rates: Rates,
}

#[derive(Deserialize)]
struct Rates {
    schedules: u64,
    schedules_per_second: f64,
    events_per_schedule: f64,
    switches_per_schedule: f64,
}

/// One program under one JDK.
pub(super) struct Measured {
    pub(super) schedules_per_second: f64,
    pub(super) events: f64,
    pub(super) switches: f64,
    /// Of a schedule, in microseconds.
    pub(super) cpu: f64,
    /// What the run says was not run or could not be seen.
    pub(super) gaps: Vec<String>,
}

/// What all runs have in common.
pub(super) struct Raddle<'a> {
    pub(super) executable: &'a Path,
    pub(super) classes: &'a Path,
    pub(super) saved: &'a Path,
    /// As on the command line.
    pub(super) scheduler: &'a str,
}

/// The given executable, of which nobody knows what it was built from, or the release binary, built now; and the commit.
pub(super) fn executable(given: Option<&Path>) -> anyhow::Result<(PathBuf, String)> {
    match given {
        Some(path) => Ok((path.to_owned(), "unknown".to_owned())),
        None => Ok((product::build()?, machine::commit())),
    }
}

impl Raddle<'_> {
    /// The best of several rounds, because what else the machine does can only slow a run down.
    pub(super) fn measure(
        &self,
        program: &Program,
        jdk: &Path,
        budget: Duration,
        rounds: u32,
    ) -> anyhow::Result<Measured> {
        // What it takes to start and end is in neither count.
        let (_, around) = self.run(program, jdk, &["--schedules", "1"])?;
        let budget = format!("{}ms", budget.as_millis());
        let mut best: Option<Measured> = None;
        for _ in 0..rounds {
            let (document, cpu) = self.run(program, jdk, &["--budget", &budget])?;
            let measured = measured(document, cpu.saturating_sub(around));
            let is_better = |best: &Measured| measured.schedules_per_second > best.schedules_per_second;
            if best.as_ref().is_none_or(is_better) {
                best = Some(measured);
            }
        }
        best.with_context(|| format!("{} was run no times", program.name))
    }

    fn run(&self, program: &Program, jdk: &Path, how_long: &[&str]) -> anyhow::Result<(Document, Duration)> {
        let plan = workspace::root().join(program.plan);
        let before = machine::cpu_time_of_children();
        let output = Command::new(self.executable)
            .arg("run")
            .arg(&plan)
            .args(["--scheduler", self.scheduler, "--json", "--class-path"])
            .arg(self.classes)
            .arg("--jdk")
            .arg(jdk)
            .arg("--save")
            .arg(self.saved)
            .args(how_long)
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("cannot run {}", self.executable.display()))?;
        let cpu = machine::cpu_time_of_children().saturating_sub(before);
        // The exit code tells what was found, which is not asked here.
        let document = serde_json::from_slice(&output.stdout).with_context(|| {
            format!(
                "raddle run {} gives no result: {}",
                plan.display(),
                String::from_utf8_lossy(&output.stderr).trim()
            )
        })?;
        Ok((document, cpu))
    }
}

fn measured(document: Document, cpu: Duration) -> Measured {
    let rates = document.rates;
    #[expect(
        clippy::cast_precision_loss,
        reason = "schedules of seconds are far fewer than 2^52"
    )]
    let schedules = rates.schedules.max(1) as f64;
    Measured {
        schedules_per_second: rates.schedules_per_second,
        events: rates.events_per_schedule,
        switches: rates.switches_per_schedule,
        cpu: cpu.as_secs_f64() * 1e6 / schedules,
        gaps: document.gaps,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_told_per_schedule() {
        let text = r#"{"gaps": [], "notes": [], "rates": {"schedules": 200000, "outcomes": 2, "schedules_per_second": 1.0,
            "events_per_schedule": 9.0, "switches_per_schedule": 4.5}}"#;
        let measured = measured(serde_json::from_str(text).unwrap(), Duration::from_secs(5));
        assert!((measured.cpu - 25.0).abs() < 1e-9);
        assert!((measured.events - 9.0).abs() < 1e-9);
    }
}
