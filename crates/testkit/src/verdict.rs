//! A class of `fixtures/engine` run by the `raddle` program, and whether the verdict is that of its folder.

use std::path::Path;
use std::process::{Command, Output};

use crate::engine::{EngineFixture, engine_classes};

/// How many random schedules a class without a line `//@ run:` is run with.
pub const SCHEDULES: u32 = 2000;
/// The scheduler of such a class.
const DEFAULT_SCHEDULER: &str = "random";
/// Schedulers that try everything within their bounds, so that a seed changes nothing.
const SYSTEMATIC: [&str; 2] = ["bounded", "dpor"];

impl EngineFixture {
    /// Whether the schedules follow from a seed.
    pub fn is_seeded(&self) -> bool {
        let run = self.directives("run").next().unwrap_or(DEFAULT_SCHEDULER);
        let scheduler = run.split(' ').next().unwrap_or(run);
        let name = scheduler.split(':').next().unwrap_or(scheduler);
        !SYSTEMATIC.contains(&name)
    }

    /// `raddle run` for the plan of this class, which the caller has written to a file; with so many schedules if the class
    /// does not say how many.
    pub fn command(&self, raddle: &Path, plan: &Path, schedules: u32) -> Result<Command, String> {
        let mut command = Command::new(raddle);
        command
            .arg("run")
            .arg(plan)
            .arg("-cp")
            .arg(engine_classes()?.classes());
        let default = format!("{DEFAULT_SCHEDULER} {schedules}");
        let run = self.directives("run").next().unwrap_or(&default);
        let (scheduler, schedules) = run.split_once(' ').unwrap_or((run, ""));
        command.args(["--scheduler", scheduler]);
        if !schedules.is_empty() {
            command.args(["--schedules", schedules]);
        }
        if let Some(steps) = self.directives("max-steps").next() {
            command.args(["--max-steps", steps]);
        }
        if self.directives("no-cage").next().is_some() {
            command.arg("--no-cage");
        }
        Ok(command)
    }

    /// What a run of that command has wrong, one sentence each.
    pub fn mistakes(&self, output: &Output) -> Vec<String> {
        let (code, kind) = self.expected();
        let text = String::from_utf8_lossy(&output.stdout);
        let mut mistakes = Vec::new();
        if output.status.code() != Some(code) {
            mistakes.push(match output.status.code() {
                Some(other) => format!("exit code {other} instead of {code}"),
                None => format!("{} instead of exit code {code}", output.status),
            });
        }
        for part in kind.into_iter().chain(self.directives("says")) {
            if !text.contains(part) {
                mistakes.push(format!("does not say {part:?}"));
            }
        }
        mistakes
    }

    /// How the verdict shows: the exit code, and the kind in the text.
    fn expected(&self) -> (i32, Option<&'static str>) {
        match self.verdict {
            "deadlock" => (1, Some("deadlock")),
            "exception" => (1, Some("exception")),
            "inconclusive" => (3, None),
            "livelock" => (1, Some("livelock")),
            "lost-wake-up" => (1, Some("lost wake-up")),
            "wrong-result" => (1, Some("wrong result")),
            _ => (0, None),
        }
    }
}
