//! The folder that `raddle hunt` leaves behind; `docs/raddle-out.md` describes it.
//!
//! Written as the hunt goes, so that whatever ends it loses nothing that was found. Files are there as a whole or not at
//! all, except for the event log, which grows by whole lines.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use raddle_campaign::{Also, Begun, ClassReport, Finding, Progress, StockJvm, Tried};
use raddle_classpath::SourceFiles;
use raddle_oracle::Kind;
use serde::Serialize;

use crate::bounded::{self, make_directory, remove};
use crate::class_record::ClassRecord;
use crate::hunt::{HuntReport, UNTRIED, finding_text, stock_jvm_text};
use crate::hunt_json::{conclusion_name, hunt_json, milliseconds, stock_jvm_name, stock_jvm_note};
use crate::journal::{Entries, Journal};
use crate::paint::Paint;
use crate::recorded_run::{java_files, write_helper};
use crate::resume_options::{Bounds, HuntRequest};
use crate::resume_state::{KnownClass, ResumeError, read_run};
use crate::text::DEFAULT_WIDTH;
use crate::trace::Trace;
use raddle_plan::plan_text::with_names;

/// Progress is logged at most so often.
const BETWEEN_PROGRESS: Duration = Duration::from_secs(1);

/// Bytes of a folder's name. File systems take 255, and what is written is first written beside its place.
const LONGEST_NAME: usize = 200;

const EVENTS: &str = "events.jsonl";
pub(crate) const TEXT: &str = "interleaving.txt";
pub(crate) const TRACE: &str = "trace.json";
const JOURNAL: &str = "journal.jsonl";
const REQUEST: &str = "hunt.json";
pub(crate) const RUN: &str = "run.json";

/// A folder per class.
pub struct HuntFolder {
    root: PathBuf,
    bounds: Option<Bounds>,
    /// The class that is being hunted.
    open: Option<OpenClass>,
    last_progress: Option<Instant>,
    /// Locked as long as this lives.
    lock: Option<File>,
    sources: Arc<SourceFiles>,
}

/// Why a folder cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Somebody else writes to it.
    #[error(
        "another hunt is writing to {}; wait for its end, or choose another directory with --out",
        folder.display()
    )]
    Taken {
        /// The folder.
        folder: PathBuf,
    },
    /// It cannot be made.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A class that is being hunted.
struct OpenClass {
    name: String,
    events: File,
    journal: Journal,
    /// A line of the journal is missing. Those after it would be of no use.
    is_torn: bool,
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
    Resumed {
        budget_ms: f64,
    },
    Progress {
        time_ms: f64,
        plans: u64,
        failed_plans: u64,
        pairs_tried: usize,
        pairs_covered: usize,
        branches: usize,
        encounters: usize,
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
    Also {
        id: &'a str,
        calls: &'a str,
        after_ms: f64,
    },
    StockJvm {
        id: &'a str,
        stock_jvm: &'static str,
        stock_jvm_note: Option<&'a str>,
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
    /// The folder; nothing is read or written yet.
    pub fn new(root: &Path) -> HuntFolder {
        HuntFolder {
            root: root.to_owned(),
            bounds: None,
            open: None,
            last_progress: None,
            lock: None,
            sources: Arc::default(),
        }
    }

    /// Keeps other hunts out of the folder, which is made if it is not there, until this is dropped or the process ends.
    pub fn lock(&mut self) -> Result<(), LockError> {
        if self.lock.is_some() {
            return Ok(());
        }
        fs::create_dir_all(&self.root)?;
        // The folder itself: a file for that would be one to leave behind.
        let folder = File::open(&self.root)?;
        match folder.try_lock() {
            Ok(()) => self.lock = Some(folder),
            Err(TryLockError::WouldBlock) => {
                return Err(LockError::Taken {
                    folder: self.root.clone(),
                });
            }
            // Some file systems have no locks.
            Err(TryLockError::Error(_)) => {}
        }
        Ok(())
    }

    /// What the latest hunt was asked to do.
    pub fn request(&self) -> Result<HuntRequest, ResumeError> {
        HuntRequest::read(&self.root.join(REQUEST))
    }

    /// A hunt of these classes begins: it is the one that can be resumed from now on.
    /// The record may be of more.
    pub fn begin(
        &mut self,
        request: &HuntRequest,
        classes: &[String],
        record: &ClassRecord,
    ) -> io::Result<()> {
        fs::create_dir_all(&self.root)?;
        for class in classes {
            remove(&self.class_directory(class).join(JOURNAL))?;
        }
        // Not before: what is recorded as it is now must not seem to have been hunted.
        record.write(&self.root)?;
        self.go_on(request)
    }

    /// The latest hunt is resumed, perhaps with other bounds.
    pub fn go_on(&mut self, request: &HuntRequest) -> io::Result<()> {
        self.bounds = Some(request.bounds);
        write_whole(&self.root.join(REQUEST), &request.to_json()?)
    }

    /// What the latest hunt knows of a class; nothing if it had not come to it.
    pub fn memory(&self, class: &str, bounds: Bounds) -> Result<Option<KnownClass>, ResumeError> {
        let directory = self.class_directory(class);
        let Some(entries) = Entries::read(&directory.join(JOURNAL))? else {
            return Ok(None);
        };
        let run = read_run(&directory)?;
        Ok(Some(KnownClass {
            tried: entries.tried,
            findings: run.findings,
            report: run.report.filter(|_| entries.ended == Some(bounds)),
        }))
    }

    /// Where a class's files are.
    pub fn class_directory(&self, class: &str) -> PathBuf {
        self.root.join(folder_name(class))
    }

    /// A class is begun, and its files with it; or its files go on where they ended.
    pub fn begun(&mut self, begun: &Begun) -> io::Result<()> {
        if begun.is_resumed {
            self.go_on_with(&begun.class)?;
            return self.append(&Line::Resumed {
                budget_ms: milliseconds(begun.budget),
            });
        }
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
        // It is that of an earlier hunt, whose findings are not this one's.
        remove(&self.class_directory(&begun.class).join(RUN))?;
        self.open_new(&begun.class)?;
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
            pairs_covered: numbers.pairs_covered,
            branches: numbers.branches,
            encounters: numbers.encounters,
            schedules: numbers.schedules,
            steps: numbers.steps,
            findings: progress.findings,
        })
    }

    /// From here on, findings are written with the lines of these sources.
    pub fn set_sources(&mut self, sources: Arc<SourceFiles>) {
        self.sources = sources;
    }

    /// The file of a finding that `raddle replay` takes.
    pub fn recording(&self, finding: &Finding) -> PathBuf {
        let class = self.class_directory(&finding.class);
        class.join("findings").join(&finding.id).join("finding.json")
    }

    /// Writes a finding; the file that `raddle replay` takes.
    pub fn found(&mut self, finding: &Finding) -> io::Result<PathBuf> {
        let recording = self.recording(finding);
        let directory = recording.parent().unwrap_or(&self.root).to_owned();
        make_directory(&self.root, &directory)?;
        finding.recording.write(&recording).map_err(io::Error::other)?;
        let text = finding_text(finding, &recording, &self.sources, DEFAULT_WIDTH, Paint::Plain);
        write_whole(&directory.join(TEXT), &text)?;
        let trace = Trace::of(finding).with_sources(&self.sources);
        write_whole(&directory.join(TRACE), &trace.to_json()?)?;
        for (name, java) in java_files(finding) {
            let file = directory.join(name);
            make_directory(&self.root, file.parent().unwrap_or(&directory))?;
            write_whole(&file, &java)?;
        }
        write_helper(&self.root)?;
        self.append(&Line::Finding {
            id: &finding.id,
            kind: finding.violation.kind,
            sentence: with_names(&finding.recording.plan, &finding.violation.summary),
            directory: format!("findings/{}", finding.id),
            after_ms: milliseconds(finding.after),
        })?;
        Ok(recording)
    }

    /// A finding was tried on a stock JVM, perhaps after its class was done.
    pub fn stock_jvm(&mut self, finding: &Finding, recording: &Path) -> io::Result<()> {
        // What the threads did is not remembered when a hunt is resumed, so the text cannot be made anew.
        let path = recording.with_file_name(TEXT);
        write_whole(&path, &told(&bounded::read_text(&path)?, &finding.stock_jvm))?;
        let line = Line::StockJvm {
            id: &finding.id,
            stock_jvm: stock_jvm_name(&finding.stock_jvm),
            stock_jvm_note: stock_jvm_note(&finding.stock_jvm),
        };
        if matches!(&self.open, Some(open) if open.name == finding.class) {
            return self.append(&line);
        }
        let path = self.class_directory(&finding.class).join(EVENTS);
        write_line(&mut whole_lines(&path)?, &line)
    }

    /// Other calls showed the fault of a finding.
    pub fn also(&mut self, also: &Also) -> io::Result<()> {
        self.append(&Line::Also {
            id: &also.id,
            calls: &also.calls,
            after_ms: milliseconds(also.after),
        })
    }

    /// Plans were tried.
    pub fn tried(&mut self, tried: &Tried) -> io::Result<()> {
        match &mut self.open {
            Some(open) if !open.is_torn => {
                let written = open.journal.tried(tried);
                open.is_torn = written.is_err();
                written
            }
            _ => Ok(()),
        }
    }

    /// A class is done; its `run.json` says so already.
    pub fn ended(&mut self, report: &ClassReport) -> io::Result<()> {
        if !matches!(&self.open, Some(open) if open.name == report.class) {
            self.open_new(&report.class)?;
        }
        self.append(&Line::Ended {
            conclusion: conclusion_name(report.conclusion()),
            findings: &report.findings,
            gaps: &report.gaps,
            notes: &report.notes,
            time_ms: milliseconds(report.numbers.time),
        })?;
        if let (Some(mut open), Some(bounds)) = (self.open.take(), self.bounds)
            && !report.is_interrupted
            && !open.is_torn
        {
            open.journal.ended(bounds)?;
        }
        self.last_progress = None;
        Ok(())
    }

    /// Writes `run.json` of a class anew; the report is of that class only.
    pub fn run(&self, class: &str, report: &HuntReport) -> io::Result<()> {
        let directory = self.class_directory(class);
        make_directory(&self.root, &directory)?;
        write_whole(&directory.join(RUN), &hunt_json(report)?)
    }

    fn open_new(&mut self, class: &str) -> io::Result<()> {
        let directory = self.class_directory(class);
        make_directory(&self.root, &directory)?;
        self.open = Some(OpenClass {
            name: class.to_owned(),
            events: bounded::create(&directory.join(EVENTS))?,
            journal: Journal::create(&directory.join(JOURNAL))?,
            is_torn: false,
        });
        Ok(())
    }

    fn go_on_with(&mut self, class: &str) -> io::Result<()> {
        let directory = self.class_directory(class);
        let path = directory.join(JOURNAL);
        let entries = Entries::read(&path).map_err(io::Error::other)?;
        let Some(entries) = entries else {
            return self.open_new(class);
        };
        self.open = Some(OpenClass {
            name: class.to_owned(),
            events: whole_lines(&directory.join(EVENTS))?,
            journal: Journal::go_on(&path, &entries)?,
            is_torn: false,
        });
        Ok(())
    }

    /// One write per line, so that a reader never sees half of one.
    fn append(&mut self, line: &Line<'_>) -> io::Result<()> {
        let Some(open) = &mut self.open else {
            return Ok(());
        };
        write_line(&mut open.events, line)
    }
}

/// The name of the class, if file systems take it: a long one is cut, and told from others by a number.
fn folder_name(class: &str) -> String {
    if class.len() <= LONGEST_NAME {
        return class.to_owned();
    }
    // FNV-1a: the name must be the same in every version.
    let hash = class.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mark = format!("~{hash:016x}");
    format!(
        "{}{mark}",
        &class[..class.floor_char_boundary(LONGEST_NAME - mark.len())]
    )
}

fn write_line(file: &mut File, line: &Line<'_>) -> io::Result<()> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    file.write_all(text.as_bytes())
}

/// The text of a finding that was not tried on a stock JVM, with what came of that now.
fn told(text: &str, stock_jvm: &StockJvm) -> String {
    let line = |line: &str| match line.find(UNTRIED) {
        Some(at) if line[..at].trim().is_empty() => {
            format!("{}{}\n", &line[..at], stock_jvm_text(stock_jvm))
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// A file to append lines to, without the half of one that it may end with.
fn whole_lines(path: &Path) -> io::Result<File> {
    let mut file = bounded::go_on(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let end = bytes
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at as u64 + 1);
    file.set_len(end)?;
    file.seek(SeekFrom::Start(end))?;
    Ok(file)
}

/// Written beside its place and then moved there.
pub(crate) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(format!(".{}.tmp", std::process::id()));
    bounded::create(Path::new(&unfinished))
        .and_then(|mut file| file.write_all(text.as_bytes()))
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
    use raddle_campaign::UseStockJvm;
    use raddle_plan::Recording;
    use raddle_summary::Counts;
    use std::num::NonZeroUsize;

    const BOUNDS: Bounds = Bounds {
        budget_ms: 1000,
        max_plans: None,
        max_findings: 20,
    };

    fn begun(class: &str, is_resumed: bool) -> Begun {
        Begun {
            class: class.to_owned(),
            methods: 3,
            counts: Counts {
                m: 6,
                mpc: 2,
                md: 0,
                union: 2,
            },
            strategy: "portfolio".to_owned(),
            budget: Duration::from_secs(1),
            is_resumed,
        }
    }

    fn request() -> HuntRequest {
        HuntRequest {
            raddle: "0.1.0".to_owned(),
            jdk_version: "17.0.15".to_owned(),
            jdk_home: PathBuf::from("/jdk"),
            class_path: vec![PathBuf::from("/a.jar")],
            class_path_fingerprint: "0".to_owned(),
            classes: vec!["java.util.*".to_owned()],
            bounds: BOUNDS,
            strategy: "portfolio".to_owned(),
            seed: u64::MAX,
            seeds: Vec::new(),
            kinds: Kind::ALL.to_vec(),
            strict: false,
            promise: None,
            contracts: Vec::new(),
            stress: false,
            threads: NonZeroUsize::MIN,
            jobs: NonZeroUsize::MIN,
            stop_at_first: false,
            confirm: UseStockJvm::Auto,
            count_unconfirmed: false,
            invariants: Vec::new(),
            cage: true,
            unplugged: Vec::new(),
            opens: Vec::new(),
            shard: None,
            project: Vec::new(),
        }
    }

    fn begin(folder: &mut HuntFolder, class: &String) {
        let record = ClassRecord::new(std::collections::BTreeMap::new());
        folder
            .begin(&request(), std::slice::from_ref(class), &record)
            .unwrap();
    }

    fn tried(plan: &str) -> Tried {
        Tried {
            window: 1,
            trial: raddle_campaign::TrialRecord {
                plan: plan.to_owned(),
                ..Default::default()
            },
            settled: Vec::new(),
            numbers: raddle_campaign::Numbers::default(),
            used: Duration::ZERO,
        }
    }

    #[test]
    fn what_the_folder_knows_is_what_was_written() {
        let root = tempfile::tempdir().unwrap();
        let mut folder = HuntFolder::new(root.path());
        assert!(matches!(folder.request(), Err(ResumeError::Nothing { .. })));
        let mut report = hunt_sample::report();
        report.classes.truncate(1);
        let name = report.classes[0].class.clone();
        begin(&mut folder, &name);
        assert_eq!(folder.request().unwrap(), request());
        assert!(folder.memory(&name, BOUNDS).unwrap().is_none());

        folder.begun(&begun(&name, false)).unwrap();
        let found = &mut report.classes[0].findings[0];
        found.file = folder.found(&found.finding).unwrap();
        folder.run(&name, &report).unwrap();
        folder.tried(&tried("a")).unwrap();
        let memory = folder.memory(&name, BOUNDS).unwrap().unwrap();
        assert_eq!((memory.tried, memory.report.is_none()), (vec![tried("a")], true));

        folder.ended(report.classes[0].report.as_ref().unwrap()).unwrap();
        let memory = folder.memory(&name, BOUNDS).unwrap().unwrap();
        let read = HuntReport {
            classes: vec![crate::hunt::HuntClass {
                class: name.clone(),
                findings: memory.findings,
                report: memory.report,
            }],
            ..report.clone()
        };
        assert_eq!(hunt_json(&read).unwrap(), hunt_json(&report).unwrap());

        // With other bounds it is not done.
        let more = Bounds {
            budget_ms: 2000,
            ..BOUNDS
        };
        let memory = folder.memory(&name, more).unwrap().unwrap();
        assert!(memory.report.is_none());
        // A new hunt knows nothing of it.
        begin(&mut folder, &name);
        assert!(folder.memory(&name, BOUNDS).unwrap().is_none());
    }

    #[test]
    fn what_was_interrupted_is_not_done() {
        let root = tempfile::tempdir().unwrap();
        let mut folder = HuntFolder::new(root.path());
        let mut report = hunt_sample::report();
        let name = report.classes[1].class.clone();
        report.classes = vec![report.classes.remove(1)];
        begin(&mut folder, &name);
        folder.begun(&begun(&name, false)).unwrap();
        folder.run(&name, &report).unwrap();
        let mut class = report.classes[0].report.clone().unwrap();
        class.is_interrupted = true;
        folder.ended(&class).unwrap();
        let memory = folder.memory(&name, BOUNDS).unwrap().unwrap();
        assert!(memory.report.is_none());
        folder.begun(&begun(&name, true)).unwrap();
        folder.tried(&tried("b")).unwrap();
        let memory = folder.memory(&name, BOUNDS).unwrap().unwrap();
        assert_eq!(memory.tried, [tried("b")]);
        let events = fs::read_to_string(root.path().join(&name).join(EVENTS)).unwrap();
        let lines: Vec<&str> = events.lines().collect();
        assert!(lines[2].starts_with("{\"event\":\"resumed\""), "{events}");
    }

    #[test]
    fn two_hunts_do_not_write_to_one_folder() {
        let root = tempfile::tempdir().unwrap();
        let out = root.path().join("out");
        let mut one = HuntFolder::new(&out);
        one.lock().unwrap();
        one.lock().unwrap();
        let mut other = HuntFolder::new(&out);
        let refused = other.lock().unwrap_err().to_string();
        assert!(refused.starts_with("another hunt is writing to "), "{refused}");
        drop(one);
        other.lock().unwrap();
        assert_eq!(fs::read_dir(&out).unwrap().count(), 0, "nothing to leave behind");
    }

    #[test]
    fn names_that_file_systems_do_not_take_are_cut() {
        let folder = HuntFolder::new(Path::new("/out"));
        assert_eq!(folder.class_directory("a.B"), Path::new("/out/a.B"));
        let long = format!("a.{}", "é".repeat(500));
        let name = |class: &str| folder.class_directory(class).file_name().unwrap().to_owned();
        assert!(name(&long).len() <= LONGEST_NAME);
        assert_ne!(name(&long), name(&format!("{long}x")));
    }

    #[test]
    fn a_finding_is_there_before_the_class_is_done() {
        let root = tempfile::tempdir().unwrap();
        let mut folder = HuntFolder::new(root.path());
        let finding = hunt_sample::wrong_result();
        folder.begun(&begun(&finding.class, false)).unwrap();
        let file = folder.found(&finding).unwrap();
        assert_eq!(Recording::read(&file).unwrap(), finding.recording);
        let directory = file.parent().unwrap();
        assert!(
            fs::read_to_string(directory.join("ArrayListResult0badcafeTest.java"))
                .unwrap()
                .contains("class ArrayListResult0badcafeTest")
        );
        let text = fs::read_to_string(directory.join("interleaving.txt")).unwrap();
        assert!(text.contains("thread 1"), "{text}");

        let mut tried = finding.clone();
        tried.stock_jvm = StockJvm::Confirmed;
        folder.stock_jvm(&tried, &file).unwrap();
        let text = fs::read_to_string(directory.join("interleaving.txt")).unwrap();
        assert!(text.contains("confirmed on a stock JVM"), "{text}");

        let report = hunt_sample::report();
        folder.run(&finding.class, &report).unwrap();
        folder.ended(report.classes[0].report.as_ref().unwrap()).unwrap();
        tried.stock_jvm = StockJvm::NotConfirmed("it is blocked".to_owned());
        folder.stock_jvm(&tried, &file).unwrap();
        let class = root.path().join(&finding.class);
        let events = fs::read_to_string(class.join("events.jsonl")).unwrap();
        let names: Vec<String> = events
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["event"].to_string())
            .collect();
        let wanted = ["begun", "finding", "stock_jvm", "ended", "stock_jvm"];
        assert_eq!(names, wanted.map(|name| format!("\"{name}\"")));
        assert!(class.join("run.json").exists());
        let left_over = fs::read_dir(directory).unwrap().count();
        assert_eq!(left_over, 5, "no unfinished files");
        assert!(root.path().join("interleaving/Interleaving.java").is_file());
    }
}
