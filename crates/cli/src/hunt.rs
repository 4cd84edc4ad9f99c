//! `raddle hunt`.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use raddle_campaign::{
    Begun, ClassReport, Conclusion, Finding, Hunt, HuntError, HuntEvent, HuntOptions, Known, Sharing,
    StockJvm, sharing,
};
use raddle_classpath::{ClassPath, Jdk};
use raddle_execute::{Ready, SessionOptions, StockOptions, StockVerdict, run_reproducer};
use raddle_program::{ClassId, Program};
use raddle_report::{
    Bounds, DEFAULT_WIDTH, FoundHere, HuntClass, HuntFolder, HuntReport, HuntRequest, NotHunted, class_text,
    finding_text, hunt_json, hunt_text, known_text,
};

use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::hunt_arguments::{HuntArguments, OUT, absolute};
use crate::hunt_progress::HuntProgress;
use crate::hunt_resume;
use crate::run::end_on_interrupt;
use crate::targets::{self, Target};

pub(crate) fn run(arguments: &HuntArguments) -> Result<ExitCode, Failure> {
    let begun = Instant::now();
    let folder = HuntFolder::new(&arguments.out);
    let earlier = hunt_resume::earlier(arguments, &folder)?;
    let (program, options) = set_up(arguments, earlier.as_ref())?;
    let request = request(arguments, earlier.as_ref(), &options, &program);
    if let Some(earlier) = &earlier {
        hunt_resume::check_same(&request, earlier, &arguments.out)?;
    }
    let targets = targets::resolve(&program, &request.classes)?;
    let (mut classes, skipped) = choose(&program, &targets);
    if classes.is_empty() {
        return Err(nothing_to_hunt(&skipped));
    }
    end_on_interrupt(&options.cancel)?;

    let mut output = Output::new(arguments, folder, &options, &request, skipped);
    let mut known = BTreeMap::new();
    if earlier.is_some() {
        let written = output.folder.go_on(&request);
        output.saved(written)?;
        (classes, known) = output.recall(&program, &classes, &request)?;
    } else {
        let names: Vec<String> = classes.iter().map(|class| program.name(*class)).collect();
        let written = output.folder.begin(&request, &names);
        output.saved(written)?;
    }
    if classes.is_empty() {
        output.print(
            "nothing was left to do; a larger --budget, --max-plans or --max-findings gives more to do\n",
        )?;
        return output.finish(begun);
    }
    output.progress.say("starting a JVM".to_owned());
    let hunt = Hunt::new(options, &program, classes).resume(known);
    let result = hunt.run(&mut |event| output.take(event));
    output.progress.clear();
    result.map_err(Failure::from)?;
    output.finish(begun)
}

/// Opens JDK and class path, and says what the hunt is told: by the arguments, or by the hunt that is resumed.
fn set_up(
    arguments: &HuntArguments,
    earlier: Option<&HuntRequest>,
) -> Result<(Program, HuntOptions), Failure> {
    let class_path = match earlier {
        Some(earlier) => earlier.class_path.clone(),
        None => arguments.jvm.class_path().unwrap_or_default(),
    };
    let home = earlier.map(|earlier| earlier.jdk_home.as_path());
    let jdk = Jdk::locate(arguments.jvm.jdk.as_deref().or(home))?;
    let mut session = SessionOptions::new(jdk.home().to_owned())?;
    session.cage = earlier.map_or(!arguments.jvm.no_cage, |earlier| earlier.cage);
    session
        .unplugged
        .clone_from(earlier.map_or(&arguments.unplug, |earlier| &earlier.unplugged));
    session.class_path = absolute(&class_path)?;
    let opened = ClassPath::open(&class_path, jdk.feature())?;
    let options = match earlier {
        Some(earlier) => arguments.resumed_options(session, earlier),
        None => arguments.options(session),
    };
    Ok((Program::new(jdk, opened), options))
}

/// All that the hunt is told, for those who want to resume it.
fn request(
    arguments: &HuntArguments,
    earlier: Option<&HuntRequest>,
    options: &HuntOptions,
    program: &Program,
) -> HuntRequest {
    let jdk = program.jdk();
    HuntRequest {
        raddle: env!("CARGO_PKG_VERSION").to_owned(),
        jdk_version: jdk.version().to_owned(),
        jdk_home: jdk.home().to_owned(),
        class_path: options.session.class_path.clone(),
        class_path_fingerprint: format!("{:016x}", program.class_path().fingerprint()),
        classes: earlier
            .map_or(&arguments.classes, |earlier| &earlier.classes)
            .clone(),
        bounds: Bounds {
            budget_ms: u64::try_from(options.budget.as_millis()).unwrap_or(u64::MAX),
            max_plans: options.max_plans,
            max_findings: options.max_findings,
        },
        strategy: options.strategy.to_string(),
        seed: options.seed,
        kinds: options.kinds.iter().copied().collect(),
        strict: options.is_strict,
        stress: options.is_stress,
        threads: options.threads,
        jobs: options.jobs,
        stop_at_first: options.stop_at_first,
        confirm: arguments.confirm || earlier.is_some_and(|earlier| earlier.confirm),
        cage: options.session.cage,
        unplugged: options.session.unplugged.clone(),
    }
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
    /// Findings from before the hunt was resumed, by class.
    known: BTreeMap<String, Vec<FoundHere>>,
    /// Whether reproducers are run.
    confirm: bool,
    /// The first file or stream that could not be written.
    problem: Option<Failure>,
    cancel: std::sync::Arc<std::sync::atomic::AtomicBool>,
    jdk_home: PathBuf,
    class_path: Vec<PathBuf>,
}

impl<'a> Output<'a> {
    fn new(
        arguments: &'a HuntArguments,
        folder: HuntFolder,
        options: &HuntOptions,
        request: &HuntRequest,
        skipped: Vec<NotHunted>,
    ) -> Output<'a> {
        Output {
            arguments,
            progress: HuntProgress::new(arguments.json),
            folder,
            report: HuntReport {
                tool: (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")),
                jdk_version: request.jdk_version.clone(),
                strategy: (options.strategy.to_string(), options.seed),
                budget: options.budget,
                classes: Vec::new(),
                skipped,
                time: std::time::Duration::ZERO,
                finished: false,
            },
            known: BTreeMap::new(),
            confirm: request.confirm,
            problem: None,
            cancel: std::sync::Arc::clone(&options.cancel),
            jdk_home: options.session.jdk_home.clone(),
            class_path: options.session.class_path.clone(),
        }
    }

    /// What the folder knows of the classes. Those that were done are told of; the others are returned.
    fn recall(
        &mut self,
        program: &Program,
        classes: &[ClassId],
        request: &HuntRequest,
    ) -> Result<(Vec<ClassId>, BTreeMap<String, Known>), Failure> {
        let mut open = Vec::new();
        let mut known = BTreeMap::new();
        for class in classes {
            let name = program.name(*class);
            let Some(memory) = self.folder.memory(&name, request.bounds)? else {
                open.push(*class);
                continue;
            };
            if let Some(report) = memory.report {
                self.print(&known_text(&memory.findings))?;
                self.print(&class_text(&report))?;
                let told = self.class(&name);
                told.findings = memory.findings;
                told.report = Some(report);
                continue;
            }
            open.push(*class);
            let findings = memory.findings.iter().map(|found| found.finding.clone());
            known.insert(
                name.clone(),
                Known {
                    tried: memory.tried,
                    findings: findings.collect(),
                },
            );
            self.known.insert(name, memory.findings);
        }
        if request.stop_at_first && self.report.conclusion() == Conclusion::Violations {
            open.clear();
        }
        Ok((open, known))
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
            HuntEvent::Begun(begun) => self.begun(&begun),
            HuntEvent::Progress(progress) => {
                self.progress.show(&progress);
                let written = self.folder.progress(&progress);
                self.saved(written)
            }
            HuntEvent::Found(finding) => self.found(*finding),
            HuntEvent::Tried(tried) => {
                let written = self.folder.tried(&tried);
                self.saved(written)
            }
            HuntEvent::Ended(report) => self.ended(&report),
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

    fn begun(&mut self, begun: &Begun) -> Result<(), Failure> {
        self.progress
            .say(format!("{}: looking at the first plan", begun.class));
        let written = self.folder.begun(begun);
        self.saved(written)?;
        let known = self.known.remove(&begun.class).unwrap_or_default();
        self.print(&known_text(&known))?;
        self.class(&begun.class).findings = known;
        self.run_file(&begun.class)
    }

    fn found(&mut self, mut finding: Finding) -> Result<(), Failure> {
        let written = self.folder.found(&finding);
        let file = self.saved(written)?;
        if self.confirm
            && let Some(folder) = file.parent()
        {
            let options = StockOptions {
                cage: None,
                jdk_home: self.jdk_home.clone(),
                class_path: self.class_path.clone(),
            };
            finding.stock_jvm = match run_reproducer(&options, folder, &self.cancel) {
                StockVerdict::Confirmed => StockJvm::Confirmed,
                StockVerdict::Stopped | StockVerdict::NoCage(_) => StockJvm::Untried,
                StockVerdict::NotConfirmed(text) | StockVerdict::Failed(text) => StockJvm::NotConfirmed(text),
            };
        }
        self.print(&format!("{}\n", finding_text(&finding, &file, width())))?;
        let class = finding.class.clone();
        let findings = &mut self.class(&class).findings;
        // It may have been told of just before the hunt was killed.
        findings.retain(|known| known.finding.id != finding.id);
        findings.push(FoundHere { finding, file });
        self.run_file(&class)
    }

    fn ended(&mut self, report: &ClassReport) -> Result<(), Failure> {
        self.print(&class_text(report))?;
        let class = self.class(&report.class);
        // Of a finding that ^C kept from being made smaller, the smaller one takes the place.
        class
            .findings
            .retain(|found| report.findings.contains(&found.finding.id));
        class.report = Some(report.clone());
        self.run_file(&report.class)?;
        let written = self.folder.ended(report);
        self.saved(written)
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
            self.say_how_to_go_on()?;
        }
        Ok(match self.report.conclusion() {
            Conclusion::NothingFound => ExitCode::Done,
            Conclusion::Violations => ExitCode::ViolationsFound,
            Conclusion::Inconclusive => ExitCode::Inconclusive,
        })
    }
}

impl Output<'_> {
    fn say_how_to_go_on(&self) -> Result<(), Failure> {
        let reports = self.report.classes.iter().flat_map(|class| &class.report);
        if !reports.into_iter().any(|report| report.is_interrupted) {
            return Ok(());
        }
        let out = &self.arguments.out;
        let option = if out == Path::new(OUT) {
            String::new()
        } else {
            format!(" --out {}", out.display())
        };
        self.print(&format!("raddle hunt --resume{option} goes on from here\n"))
    }
}

impl From<HuntError> for Failure {
    fn from(error: HuntError) -> Self {
        match error {
            HuntError::Session(error) => error.into(),
            HuntError::NoCage(_) => Failure::inconclusive(vec![error.to_string()]),
            HuntError::Resume { .. } => Failure::bad_input(vec![error.to_string()]),
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
