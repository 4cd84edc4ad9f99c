//! Terminal text of `raddle run`.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use raddle_oracle::Kind;
use raddle_plan::plain::{lines, one_line, unbroken};
use raddle_plan::{End, Outcome, TestPlan, ThreadEnd, ThreadState};
use raddle_schedule::Config;

use crate::interleaving::results;
use crate::own_line::Owners;
use raddle_plan::plan_text::{place_text, with_names};

/// What came of a run, with every judgement made.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// Name and version of the program.
    pub tool: (&'static str, &'static str),
    /// The plan.
    pub plan: TestPlan,
    /// The JDK.
    pub jdk_version: String,
    /// The scheduler and its seed.
    pub scheduler: (Config, u64),
    /// Violations, one for each kind and place.
    pub findings: Vec<Finding>,
    /// Why more cannot be said, as sentences; none if the work was done.
    pub gaps: Vec<String>,
    /// What happened besides, as sentences.
    pub notes: Vec<String>,
    /// How much was run.
    pub rates: Rates,
    /// What may be said of what was covered, as a sentence.
    pub claim: Option<String>,
    /// What was covered completely, as the end of "no violation in".
    pub covered: Option<String>,
}

/// A violation.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Of this kind.
    pub kind: Kind,
    /// What is wrong, as a sentence.
    pub sentence: String,
    /// The run that showed it first.
    pub outcome: Outcome,
    /// How many runs showed it.
    pub count: u64,
    /// Number of the schedule.
    pub index: Option<u64>,
    /// Where it was saved.
    pub file: Option<PathBuf>,
    /// Whether a fresh JVM did the same again; none if that was not tried.
    pub repeated: Option<bool>,
}

/// How much was run.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Rates {
    /// Schedules.
    pub schedules: u64,
    /// Scheduling points of all of them.
    pub steps: u64,
    /// Switches of all of them.
    pub switches: u64,
    /// Different outcomes.
    pub outcomes: u64,
    /// All in all.
    pub time: Duration,
}

impl Rates {
    #[expect(clippy::cast_precision_loss, reason = "rates are rounded anyway")]
    fn per_schedule(self, total: u64) -> f64 {
        if self.schedules == 0 {
            return 0.0;
        }
        total as f64 / self.schedules as f64
    }

    /// Events of a schedule.
    pub fn events_per_schedule(self) -> f64 {
        self.per_schedule(self.steps)
    }

    /// Switches of a schedule.
    pub fn switches_per_schedule(self) -> f64 {
        self.per_schedule(self.switches)
    }

    /// Schedules in a second.
    #[expect(clippy::cast_precision_loss, reason = "rates are rounded anyway")]
    pub fn schedules_per_second(self) -> f64 {
        let seconds = self.time.as_secs_f64();
        if seconds == 0.0 {
            return 0.0;
        }
        self.schedules as f64 / seconds
    }
}

/// The answer in one word.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// Nothing was found, and all that was asked for was done.
    NoViolation,
    /// Something was found.
    Violations,
    /// Nothing was found, but not all could be done.
    Inconclusive,
}

impl RunReport {
    /// The answer in one word.
    pub fn conclusion(&self) -> Conclusion {
        if !self.findings.is_empty() {
            Conclusion::Violations
        } else if self.gaps.is_empty() {
            Conclusion::NoViolation
        } else {
            Conclusion::Inconclusive
        }
    }
}

/// The whole of it as text.
pub fn run_text(report: &RunReport) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        text.push_str(&finding_text(&report.plan, finding, report.rates.schedules));
        text.push('\n');
    }
    text.push_str(&rates_text(report));
    if let Some(claim) = &report.claim {
        let _ = writeln!(text, "{claim}");
    }
    for note in &report.notes {
        let _ = writeln!(text, "note: {}", note.replace('\n', "\n    "));
    }
    text.push_str(&conclusion_text(report));
    lines(&text).into_owned()
}

fn conclusion_text(report: &RunReport) -> String {
    let mut text = String::new();
    let gaps = |text: &mut String| {
        for gap in &report.gaps {
            let _ = writeln!(text, "  - {}", gap.replace('\n', "\n    "));
        }
    };
    match report.conclusion() {
        Conclusion::Violations => {
            let count = report.findings.len();
            let plural = if count == 1 { "" } else { "s" };
            let _ = writeln!(text, "{count} violation{plural}");
            if !report.gaps.is_empty() {
                text.push_str("there may be more, because:\n");
                gaps(&mut text);
            }
        }
        Conclusion::NoViolation => {
            let covered = report
                .covered
                .clone()
                .unwrap_or_else(|| format!("{} schedules", report.rates.schedules));
            let _ = writeln!(text, "no violation in {covered}");
        }
        Conclusion::Inconclusive => {
            text.push_str("inconclusive: nothing was found, but that says little, because:\n");
            gaps(&mut text);
        }
    }
    text
}

fn finding_text(plan: &TestPlan, finding: &Finding, schedules: u64) -> String {
    let mut text = kind_text(finding.kind).to_owned();
    if !plan.name.is_empty() {
        let _ = write!(text, "   {}", one_line(&plan.name));
    }
    let _ = writeln!(text, "\n  {}", unbroken(&finding.sentence));
    text.push('\n');
    for line in results(plan, &finding.outcome).lines() {
        let _ = writeln!(text, "  {line}");
    }
    if finding.outcome.end != End::Completed {
        text.push_str(&threads_text(plan, &finding.outcome));
    }
    let _ = write!(text, "\n  seen in {} of {schedules} schedules", finding.count);
    if let Some(index) = finding.index {
        let _ = write!(text, ", first in number {index}");
    }
    text.push('\n');
    match finding.repeated {
        Some(true) => text.push_str("  a fresh JVM did the same again\n"),
        Some(false) => text.push_str("  a fresh JVM did not do the same again: take this with care\n"),
        None => {}
    }
    if let Some(file) = &finding.file {
        let _ = writeln!(text, "  raddle replay {}", file.display());
    }
    text
}

pub(crate) fn kind_text(kind: Kind) -> &'static str {
    match kind {
        Kind::Exception => "exception",
        Kind::Deadlock => "deadlock",
        Kind::LostWakeup => "lost wake-up",
        Kind::Livelock => "livelock",
        Kind::Result => "wrong result",
    }
}

/// The threads that had not come to their end.
pub(crate) fn threads_text(plan: &TestPlan, outcome: &Outcome) -> String {
    let owners = Owners::of(plan);
    let mut text = String::new();
    for (number, thread) in outcome.threads.iter().enumerate() {
        if thread.state == ThreadState::Finished || number == 0 && thread.state == ThreadState::Joining {
            continue;
        }
        let _ = write!(
            text,
            "\n    {} {}",
            name(number, thread),
            state_text(thread.state)
        );
        if let Some(place) = &thread.place {
            let _ = write!(text, " in {}", place_text(place));
        }
        let line = owners.end(thread).filter(|line| line.below.is_some());
        if let Some(line) = line {
            let _ = write!(text, ", called from {}", line.source);
        }
        if let Some(wants) = &thread.wants {
            let _ = write!(text, "\n      wants {}", one_line(&with_names(plan, wants)));
        }
        for held in &thread.holds {
            let _ = write!(text, "\n      holds {}", one_line(&with_names(plan, &held.lock)));
            if let Some(place) = &held.place {
                let _ = write!(text, ", taken in {}", place_text(place));
            }
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn name(number: usize, thread: &ThreadEnd) -> String {
    if thread.name.is_empty() {
        format!("thread {number}")
    } else {
        one_line(&thread.name).into_owned()
    }
}

fn state_text(state: ThreadState) -> &'static str {
    match state {
        ThreadState::Finished => "had ended",
        ThreadState::Runnable => "was running",
        ThreadState::Blocked => "was waiting for a lock",
        ThreadState::Waiting | ThreadState::WaitingNeedlessly => "was in wait",
        ThreadState::Parked => "was parked",
        ThreadState::Joining => "was waiting for a thread to end",
        ThreadState::Sleeping => "was asleep",
        ThreadState::Other => "was stopped",
    }
}

fn rates_text(report: &RunReport) -> String {
    let Rates {
        schedules,
        outcomes,
        time,
        ..
    } = report.rates;
    let (scheduler, seed) = &report.scheduler;
    let seed = if matches!(scheduler, Config::Bounded { .. }) {
        String::new()
    } else {
        format!(", seed {seed}")
    };
    format!(
        "{schedules} schedules ({scheduler}{seed}) on JDK {} in {:.2} s: {:.0} a second, {:.1} events and {:.1} switches each, \
         {outcomes} different outcome{}\n",
        report.jdk_version,
        time.as_secs_f64(),
        report.rates.schedules_per_second(),
        report.rates.events_per_schedule(),
        report.rates.switches_per_schedule(),
        if outcomes == 1 { "" } else { "s" },
    )
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::snapshot;
    use raddle_testkit::run_sample;

    pub(crate) fn report(findings: Vec<Finding>, gaps: &[&str]) -> RunReport {
        RunReport {
            tool: ("raddle", "0.1.0"),
            plan: run_sample::plan(),
            jdk_version: "17.0.15".to_owned(),
            scheduler: (Config::Random, 1),
            findings,
            gaps: gaps.iter().map(ToString::to_string).collect(),
            notes: Vec::new(),
            rates: Rates {
                schedules: 2000,
                steps: 24_000,
                switches: 5_000,
                outcomes: 3,
                time: Duration::from_millis(500),
            },
            claim: None,
            covered: None,
        }
    }

    pub(crate) fn wrong_result() -> Finding {
        Finding {
            kind: Kind::Result,
            sentence: "list.size() returned 1; in every order of the calls it returns 2.".to_owned(),
            outcome: run_sample::lost_update(),
            count: 613,
            index: Some(4),
            file: Some(PathBuf::from("raddle-out/two-adds-1.json")),
            repeated: Some(true),
        }
    }

    fn deadlock() -> Finding {
        Finding {
            kind: Kind::Deadlock,
            sentence: "Two threads wait for each other.".to_owned(),
            outcome: run_sample::deadlock(),
            count: 1,
            repeated: Some(false),
            file: None,
            ..wrong_result()
        }
    }

    #[test]
    fn violations_with_all_that_is_known() {
        let report = report(vec![wrong_result(), deadlock()], &["schedule 7 was not run"]);
        assert_eq!(report.conclusion(), Conclusion::Violations);
        snapshot::check("run-violations.txt", &run_text(&report));
    }

    #[test]
    fn nothing_found() {
        let mut report = report(Vec::new(), &[]);
        assert_eq!(report.conclusion(), Conclusion::NoViolation);
        assert!(run_text(&report).ends_with("\nno violation in 2000 schedules\n"));
        report.scheduler.0 = Config::Bounded { preemptions: 2 };
        report.claim = Some("All 2000 interleavings with at most 2 preemptions were run.".to_owned());
        report.covered = Some("all interleavings with at most 2 preemptions".to_owned());
        snapshot::check("run-clean.txt", &run_text(&report));
    }

    #[test]
    fn inconclusive_is_not_the_same_as_nothing_found() {
        let report = report(Vec::new(), &["a.B.c()V could not be instrumented"]);
        assert_eq!(report.conclusion(), Conclusion::Inconclusive);
        let text = run_text(&report);
        assert!(
            text.contains("\n  - a.B.c()V could not be instrumented\n"),
            "{text}"
        );
        assert!(!text.contains("no violation"), "{text}");
    }
}
