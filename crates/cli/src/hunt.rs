//! `raddle hunt`.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use raddle_campaign::{
    ClassReport, Conclusion, Finding, Hunt, HuntError, HuntEvent, HuntOptions, Sharing, StockJvm, sharing,
};
use raddle_classpath::{ClassPath, Jdk};
use raddle_execute::{Ready, SessionOptions, StockVerdict, run_reproducer};
use raddle_program::{ClassId, Program};
use raddle_report::{
    DEFAULT_WIDTH, FoundHere, HuntClass, HuntFolder, HuntReport, NotHunted, class_text, finding_text,
    hunt_json, hunt_text,
};

use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::hunt_arguments::HuntArguments;
use crate::hunt_progress::HuntProgress;
use crate::run::end_on_interrupt;
use crate::targets::{self, Target};

pub(crate) fn run(arguments: &HuntArguments) -> Result<ExitCode, Failure> {
    let begun = Instant::now();
    let class_path = arguments.jvm.class_path().unwrap_or_default();
    let jdk = Jdk::locate(arguments.jvm.jdk.as_deref())?;
    let mut session = SessionOptions::new(jdk.home().to_owned())?;
    session.cage = !arguments.jvm.no_cage;
    session.unplugged.clone_from(&arguments.unplug);
    session.class_path = class_path
        .iter()
        .map(std::path::absolute)
        .collect::<Result<_, _>>()?;
    let opened = ClassPath::open(&class_path, jdk.feature())?;
    let jdk_version = jdk.version().to_owned();
    let program = Program::new(jdk, opened);
    let targets = targets::resolve(&program, &arguments.classes)?;
    let (classes, skipped) = choose(&program, &targets);
    if classes.is_empty() {
        return Err(nothing_to_hunt(&skipped));
    }
    let options = arguments.options(session);
    end_on_interrupt(&options.cancel)?;

    let mut output = Output::new(arguments, &options, jdk_version, skipped);
    output.progress.say("starting a JVM".to_owned());
    let hunt = Hunt::new(options, &program, classes);
    let result = hunt.run(&mut |event| output.take(event));
    output.progress.clear();
    result.map_err(Failure::from)?;
    output.finish(begun)
}

/// The classes to hunt, and those that are passed over with the reason.
fn choose(program: &Program, targets: &[Target]) -> (Vec<ClassId>, Vec<NotHunted>) {
    let mut classes = Vec::new();
    let mut skipped = Vec::new();
    for target in targets {
        match sharing(program, target.id) {
            Sharing::Skipped(reason) if !target.is_named => skipped.push(NotHunted {
                class: target.name.clone(),
                reason,
            }),
            _ => classes.push(target.id),
        }
    }
    (classes, skipped)
}

fn nothing_to_hunt(skipped: &[NotHunted]) -> Failure {
    let example = skipped
        .first()
        .map(|NotHunted { class, reason }| format!(" (the first is {class}: {reason})"))
        .unwrap_or_default();
    Failure::bad_input(vec![format!(
        "none of the {} classes that match looks meant to be shared by threads{example}; name a class to hunt it all \
         the same",
        skipped.len()
    )])
}

/// Events in; standard output and files out.
struct Output<'a> {
    arguments: &'a HuntArguments,
    progress: HuntProgress,
    folder: HuntFolder,
    report: HuntReport,
    /// The first file or stream that could not be written.
    problem: Option<Failure>,
    cancel: std::sync::Arc<std::sync::atomic::AtomicBool>,
    jdk_home: PathBuf,
    class_path: Vec<PathBuf>,
}

impl<'a> Output<'a> {
    fn new(
        arguments: &'a HuntArguments,
        options: &HuntOptions,
        jdk_version: String,
        skipped: Vec<NotHunted>,
    ) -> Output<'a> {
        Output {
            arguments,
            progress: HuntProgress::new(arguments.json),
            folder: HuntFolder::new(&arguments.out),
            report: HuntReport {
                tool: (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")),
                jdk_version,
                strategy: (options.strategy.to_string(), options.seed),
                budget: options.budget,
                classes: Vec::new(),
                skipped,
                time: std::time::Duration::ZERO,
                finished: false,
            },
            problem: None,
            cancel: std::sync::Arc::clone(&options.cancel),
            jdk_home: options.session.jdk_home.clone(),
            class_path: options.session.class_path.clone(),
        }
    }

    fn take(&mut self, event: HuntEvent) {
        if self.problem.is_some() {
            return;
        }
        let taken = match event {
            HuntEvent::Ready(ready) => {
                self.ready(&ready);
                Ok(())
            }
            HuntEvent::Begun(begun) => {
                self.progress
                    .say(format!("{}: looking at the first plan", begun.class));
                let written = self.folder.begun(&begun);
                self.class(&begun.class);
                self.saved(written)
            }
            HuntEvent::Progress(progress) => {
                self.progress.show(&progress);
                let written = self.folder.progress(&progress);
                self.saved(written)
            }
            HuntEvent::Found(finding) => self.found(*finding),
            HuntEvent::Ended(report) => self.ended(*report),
        };
        if let Err(failure) = taken {
            // What cannot be told need not be looked for.
            self.cancel.store(true, std::sync::atomic::Ordering::Relaxed);
            self.problem = Some(failure);
        }
    }

    fn ready(&self, ready: &Ready) {
        let gaps = ready
            .cage
            .as_ref()
            .map(|cage| cage.gaps().join("; "))
            .unwrap_or_default();
        if !gaps.is_empty() {
            self.progress
                .suspend(|| eprintln!("WARNING: the cage has gaps: {gaps}"));
        }
    }

    fn found(&mut self, mut finding: Finding) -> Result<(), Failure> {
        let written = self.folder.found(&finding);
        let file = self.saved(written)?;
        if self.arguments.confirm
            && let Some(folder) = file.parent()
        {
            finding.stock_jvm = match run_reproducer(&self.jdk_home, &self.class_path, folder) {
                StockVerdict::Confirmed => StockJvm::Confirmed,
                StockVerdict::NotConfirmed(text) | StockVerdict::Failed(text) => StockJvm::NotConfirmed(text),
            };
        }
        self.print(&format!("{}\n", finding_text(&finding, &file, width())))?;
        let class = finding.class.clone();
        self.class(&class).findings.push(FoundHere { finding, file });
        self.run_file(&class)
    }

    fn ended(&mut self, report: ClassReport) -> Result<(), Failure> {
        let written = self.folder.ended(&report);
        self.saved(written)?;
        self.print(&class_text(&report))?;
        let class = report.class.clone();
        self.class(&class).report = Some(report);
        self.run_file(&class)
    }

    /// What is known of a class so far.
    fn class(&mut self, name: &str) -> &mut HuntClass {
        let classes = &mut self.report.classes;
        let position = classes.iter().position(|class| class.class == name);
        let position = position.unwrap_or_else(|| {
            classes.push(HuntClass {
                class: name.to_owned(),
                findings: Vec::new(),
                report: None,
            });
            classes.len() - 1
        });
        &mut classes[position]
    }

    /// Writes the class's `run.json` anew.
    fn run_file(&mut self, name: &str) -> Result<(), Failure> {
        let class = self.class(name).clone();
        let time = class.report.as_ref().map(|report| report.numbers.time);
        let report = HuntReport {
            finished: class.report.is_some(),
            time: time.unwrap_or_default(),
            classes: vec![class],
            skipped: Vec::new(),
            ..self.report.clone()
        };
        let written = self.folder.run(name, &report);
        self.saved(written)
    }

    fn saved<T>(&self, written: io::Result<T>) -> Result<T, Failure> {
        written.map_err(|error| unwritable(&self.arguments.out, &error))
    }

    fn print(&self, text: &str) -> Result<(), Failure> {
        if self.arguments.json {
            return Ok(());
        }
        self.progress.suspend(|| {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()
        })?;
        Ok(())
    }

    fn finish(mut self, begun: Instant) -> Result<ExitCode, Failure> {
        if let Some(failure) = self.problem.take() {
            return Err(failure);
        }
        self.report.finished = true;
        self.report.time = begun.elapsed();
        if self.arguments.json {
            let mut out = io::stdout().lock();
            out.write_all(hunt_json(&self.report).map_err(io::Error::from)?.as_bytes())?;
            out.flush()?;
        } else {
            self.print(&hunt_text(&self.report))?;
        }
        Ok(match self.report.conclusion() {
            Conclusion::NothingFound => ExitCode::Done,
            Conclusion::Violations => ExitCode::ViolationsFound,
            Conclusion::Inconclusive => ExitCode::Inconclusive,
        })
    }
}

impl From<HuntError> for Failure {
    fn from(error: HuntError) -> Self {
        match error {
            HuntError::Session(error) => error.into(),
            HuntError::NoCage(_) => Failure::inconclusive(vec![error.to_string()]),
            HuntError::LostLane => Failure {
                code: ExitCode::InternalFailure,
                messages: vec![error.to_string()],
            },
        }
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::bad_input(vec![format!(
        "cannot write to {}: {error}; choose another directory with --out",
        path.display()
    )])
}

/// The terminal's width, but the same width for every file and pipe.
fn width() -> usize {
    if !io::stdout().is_terminal() {
        return DEFAULT_WIDTH;
    }
    terminal_size::terminal_size().map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0))
}
