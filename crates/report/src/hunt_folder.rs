//! The folder that `raddle hunt` leaves behind; `docs/raddle-out.md` describes it.
//!
//! Written as the hunt goes, so that whatever ends it loses nothing that was found. Files are there as a whole or not at
//! all, except for the event log, which grows by whole lines.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use raddle_campaign::{Begun, ClassReport, Finding, Progress};
use raddle_oracle::Kind;
use serde::Serialize;

use crate::hunt::{HuntReport, finding_text};
use crate::hunt_json::{conclusion_name, hunt_json, milliseconds};
use crate::plan_text::with_names;
use crate::reproducer::{REPRODUCER_NAME, ReproducerInput, reproducer};
use crate::text::DEFAULT_WIDTH;

/// Progress is logged at most so often.
const BETWEEN_PROGRESS: Duration = Duration::from_secs(1);
/// The name of the class in `Test.java`.
const TEST: &str = "Test";

/// A folder per class.
pub struct HuntFolder {
    root: PathBuf,
    /// The log of the class that is being hunted.
    log: Option<(String, File)>,
    last_progress: Option<Instant>,
}

#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line<'a> {
    Begun {
        class: &'a str,
        methods: usize,
        pairs: usize,
        mpc: usize,
        md: usize,
        union: usize,
        strategy: &'a str,
        budget_ms: f64,
    },
    Progress {
        time_ms: f64,
        plans: u64,
        failed_plans: u64,
        pairs_tried: usize,
        schedules: u64,
        steps: u64,
        findings: usize,
    },
    Finding {
        id: &'a str,
        kind: Kind,
        sentence: String,
        directory: String,
        after_ms: f64,
    },
    Ended {
        conclusion: &'static str,
        findings: &'a [String],
        gaps: &'a [String],
        notes: &'a [String],
        time_ms: f64,
    },
}

impl HuntFolder {
    /// A folder in which nothing is written yet.
    pub fn new(root: &Path) -> HuntFolder {
        HuntFolder {
            root: root.to_owned(),
            log: None,
            last_progress: None,
        }
    }

    /// Where a class's files are.
    pub fn class_directory(&self, class: &str) -> PathBuf {
        self.root.join(class)
    }

    /// A class is begun: the event log starts anew.
    pub fn begun(&mut self, begun: &Begun) -> io::Result<()> {
        let line = Line::Begun {
            class: &begun.class,
            methods: begun.methods,
            pairs: begun.counts.m,
            mpc: begun.counts.mpc,
            md: begun.counts.md,
            union: begun.counts.union,
            strategy: &begun.strategy,
            budget_ms: milliseconds(begun.budget),
        };
        self.open_log(&begun.class)?;
        self.append(&line)
    }

    /// How far a class is.
    pub fn progress(&mut self, progress: &Progress) -> io::Result<()> {
        let is_early = |last: Instant| last.elapsed() < BETWEEN_PROGRESS;
        if self.last_progress.is_some_and(is_early) {
            return Ok(());
        }
        self.last_progress = Some(Instant::now());
        let numbers = &progress.numbers;
        self.append(&Line::Progress {
            time_ms: milliseconds(numbers.time),
            plans: numbers.plans,
            failed_plans: numbers.failed_plans,
            pairs_tried: numbers.pairs_tried,
            schedules: numbers.schedules,
            steps: numbers.steps,
            findings: progress.findings,
        })
    }

    /// Writes a finding; the file that `raddle replay` takes.
    pub fn found(&mut self, finding: &Finding) -> io::Result<PathBuf> {
        let directory = self
            .class_directory(&finding.class)
            .join("findings")
            .join(&finding.id);
        fs::create_dir_all(&directory)?;
        let recording = directory.join("finding.json");
        finding.recording.write(&recording).map_err(io::Error::other)?;
        let text = finding_text(finding, &recording, DEFAULT_WIDTH);
        write_whole(&directory.join("interleaving.txt"), &text)?;
        let java = finding.recording.plan.to_java(TEST);
        write_whole(&directory.join(format!("{TEST}.java")), &java)?;
        let input = ReproducerInput {
            plan: &finding.recording.plan,
            outcome: &finding.recording.outcome,
            events: &finding.events,
            kind: finding.violation.kind,
            class_name: &finding.class,
        };
        write_whole(
            &directory.join(format!("{REPRODUCER_NAME}.java")),
            &reproducer(&input),
        )?;
        self.append(&Line::Finding {
            id: &finding.id,
            kind: finding.violation.kind,
            sentence: with_names(&finding.recording.plan, &finding.violation.summary),
            directory: format!("findings/{}", finding.id),
            after_ms: milliseconds(finding.after),
        })?;
        Ok(recording)
    }

    /// A class is done.
    pub fn ended(&mut self, report: &ClassReport) -> io::Result<()> {
        if !matches!(&self.log, Some((class, _)) if *class == report.class) {
            self.open_log(&report.class)?;
        }
        self.append(&Line::Ended {
            conclusion: conclusion_name(report.conclusion()),
            findings: &report.findings,
            gaps: &report.gaps,
            notes: &report.notes,
            time_ms: milliseconds(report.numbers.time),
        })?;
        self.log = None;
        self.last_progress = None;
        Ok(())
    }

    /// Writes `run.json` of a class anew; the report is of that class only.
    pub fn run(&self, class: &str, report: &HuntReport) -> io::Result<()> {
        let directory = self.class_directory(class);
        fs::create_dir_all(&directory)?;
        write_whole(&directory.join("run.json"), &hunt_json(report)?)
    }

    fn open_log(&mut self, class: &str) -> io::Result<()> {
        let directory = self.class_directory(class);
        fs::create_dir_all(&directory)?;
        let file = File::create(directory.join("events.jsonl"))?;
        self.log = Some((class.to_owned(), file));
        Ok(())
    }

    /// One write per line, so that a reader never sees half of one.
    fn append(&mut self, line: &Line<'_>) -> io::Result<()> {
        let Some((_, file)) = &mut self.log else {
            return Ok(());
        };
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        file.write_all(text.as_bytes())
    }
}

/// Written beside its place and then moved there.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(format!(".{}.tmp", std::process::id()));
    fs::write(&unfinished, text)
        .and_then(|()| fs::rename(&unfinished, path))
        .inspect_err(|_| {
            // It may not even exist; the first problem is the one to report.
            let _ = fs::remove_file(&unfinished);
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt_sample;
    use raddle_plan::Recording;
    use raddle_summary::Counts;

    #[test]
    fn a_finding_is_there_before_the_class_is_done() {
        let root = tempfile::tempdir().unwrap();
        let mut folder = HuntFolder::new(root.path());
        let finding = hunt_sample::wrong_result();
        let begun = Begun {
            class: finding.class.clone(),
            methods: 3,
            counts: Counts {
                m: 6,
                mpc: 2,
                md: 0,
                union: 2,
            },
            strategy: "portfolio".to_owned(),
            budget: Duration::from_secs(1),
        };
        folder.begun(&begun).unwrap();
        let file = folder.found(&finding).unwrap();
        assert_eq!(Recording::read(&file).unwrap(), finding.recording);
        let directory = file.parent().unwrap();
        assert!(
            fs::read_to_string(directory.join("Test.java"))
                .unwrap()
                .contains("class Test")
        );
        let text = fs::read_to_string(directory.join("interleaving.txt")).unwrap();
        assert!(text.contains("thread 1"), "{text}");

        let report = hunt_sample::report();
        folder.run(&finding.class, &report).unwrap();
        folder.ended(report.classes[0].report.as_ref().unwrap()).unwrap();
        let class = root.path().join(&finding.class);
        let events = fs::read_to_string(class.join("events.jsonl")).unwrap();
        let names: Vec<String> = events
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["event"].to_string())
            .collect();
        assert_eq!(names, ["\"begun\"", "\"finding\"", "\"ended\""]);
        assert!(class.join("run.json").exists());
        let left_over = fs::read_dir(directory).unwrap().count();
        assert_eq!(left_over, 4, "no unfinished files");
    }
}
