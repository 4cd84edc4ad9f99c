//! A class of `fixtures/engine` run by the `raddle` program, and whether the verdict is that of its folder.

use std::path::Path;
use std::process::{Command, Output};

use crate::engine::{EngineFixture, engine_classes};

/// What a fixture without a line `//@ run:` is run with.
const DEFAULT_RUN: &str = "random 2000";
/// Schedulers that try everything within their bounds, so that a seed changes nothing.
const SYSTEMATIC: [&str; 2] = ["bounded", "dpor"];

impl EngineFixture {
    /// Whether the schedules follow from a seed.
    pub fn is_seeded(&self) -> bool {
        let (scheduler, _) = self.scheduler();
        let name = scheduler.split(':').next().unwrap_or(scheduler);
        !SYSTEMATIC.contains(&name)
    }

    /// `raddle run` for the plan of this class, which the caller has written to a file.
    pub fn command(&self, raddle: &Path, plan: &Path) -> Result<Command, String> {
        let mut command = Command::new(raddle);
        command
            .arg("run")
            .arg(plan)
            .arg("-cp")
            .arg(engine_classes()?.classes());
        let (scheduler, schedules) = self.scheduler();
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

    /// The scheduler, and how many schedules; nothing if it has no number.
    fn scheduler(&self) -> (&str, &str) {
        let run = self.directives("run").next().unwrap_or(DEFAULT_RUN);
        run.split_once(' ').unwrap_or((run, ""))
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
