//! `raddle hunt`.

mod known;

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use raddle_campaign::{
    Begun, ClassReport, Conclusion, Finding, Hunt, HuntError, HuntEvent, HuntOptions, StockJvm, StockTrial,
    Untried,
};
use raddle_classpath::SourceFiles;
use raddle_execute::Ready;
use raddle_report::{
    DEFAULT_WIDTH, FoundHere, HuntClass, HuntFolder, HuntReport, HuntRequest, LockError, NotHunted, Paint,
    class_line, class_text, closing_text, finding_text, hunt_json, hunt_text, known_text, write_reports,
};

use crate::build_tool;
use crate::changed;
use crate::color::paint;
use crate::config::{CONFIG, Config};
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::hunt_arguments::{HuntArguments, OUT};
use crate::hunt_progress::{HuntProgress, Overall};
use crate::hunt_resume;
use crate::hunt_setup::{check_invariants, choose, exclude, nothing_to_hunt, of_project, request, set_up};
use crate::run::end_on_interrupt;
use crate::shard;
use crate::standard_output::{self, complain};
use crate::targets;

pub(crate) fn run(mut arguments: HuntArguments) -> Result<ExitCode, Failure> {
    let begun = Instant::now();
    if let Some(shard) = arguments.shard {
        arguments.take_part(shard.shard()?);
    }
    let config = Config::find(arguments.config.as_deref())?;
    let build_tool = config.build_tool;
    arguments.fill_in(config);
    arguments.take_project(build_tool)?;
    let arguments = &arguments;
    if arguments.classes.is_empty() && !arguments.resume {
        return Err(Failure::bad_input(vec![format!(
            "there is no class to hunt; name one, or a pattern such as 'com.acme.**', or put classes into {CONFIG}"
        )]));
    }
    let mut folder = HuntFolder::new(&arguments.out);
    if arguments.resume && arguments.out.is_dir() {
        lock(&mut folder, arguments)?;
    }
    let earlier = hunt_resume::earlier(arguments, &folder)?;
    let (program, options) = set_up(arguments, earlier.as_ref())?;
    let request = request(arguments, earlier.as_ref(), &options, &program)?;
    if let Some(earlier) = &earlier {
        hunt_resume::check_same(&request, earlier, &arguments.out)?;
    }
    let targets = targets::resolve(&program, &request.classes).map_err(|errors| {
        let mut failure = Failure::from(errors);
        if program.class_path().is_empty() {
            failure.messages.last_mut().map(build_tool::add_hint);
        }
        failure
    })?;
    let targets = of_project(&program, targets, &request.project);
    let (targets, excluded) = exclude(targets, &arguments.exclude_classes);
    check_invariants(&program, &options.invariants, &targets)?;
    let (mut classes, mut skipped) = choose(&program, &options.contracts, request.promise, &targets);
    skipped.extend(excluded);
    if classes.is_empty() {
        return Err(nothing_to_hunt(&skipped));
    }
    if let Some(shard) = request.shard {
        (classes, skipped) = shard::part(&program, shard, classes, skipped);
    }
    end_on_interrupt(&options.cancel)?;
    lock(&mut folder, arguments)?;

    let sources = arguments
        .sources
        .files(&options.session.class_path, &options.session.jdk_home);
    let sources = Arc::new(sources);
    folder.set_sources(Arc::clone(&sources));
    let mut output = Output::new(arguments, folder, &options, &request, skipped)?;
    output.total = classes.len();
    output.sources = sources;
    let mut known = BTreeMap::new();
    if earlier.is_some() {
        let written = output.folder.go_on(&request);
        output.saved(written)?;
        (classes, known) = output.recall(&program, &classes, &request)?;
    } else {
        let mut record = changed::record(&program, &request, &classes);
        if arguments.changed {
            let unchanged = changed::unchanged(&arguments.out, &request, &record)?;
            classes = output.leave_unchanged(&program, &classes, &request, &unchanged, &mut record)?;
        }
        let names: Vec<String> = classes.iter().map(|target| program.name(target.class)).collect();
        let written = output.folder.begin(&request, &names, &record);
        output.saved(written)?;
    }
    if classes.is_empty() {
        output.print(match request.shard {
            _ if arguments.changed => "no class has changed since the latest hunt\n",
            Some(_) if output.total == 0 => {
                "no class falls to this shard, since there are more shards than classes\n"
            }
            _ => {
                "nothing was left to do; a larger --budget, --max-plans or --max-findings gives more to do\n"
            }
        })?;
    } else {
        output.progress.say("starting a JVM");
    }
    let untried = std::mem::take(&mut output.untried);
    let hunt = Hunt::new(options, &program, classes)
        .resume(known)
        .untried(untried);
    let result = hunt.run(&mut |event| output.take(event));
    output.progress.clear();
    result.map_err(Failure::from)?;
    output.finish(begun)
}

fn lock(folder: &mut HuntFolder, arguments: &HuntArguments) -> Result<(), Failure> {
    folder.lock().map_err(|error| match error {
        LockError::Io(error) => unwritable(&arguments.out, &error),
        taken @ LockError::Taken { .. } => Failure::bad_input(vec![taken.to_string()]),
    })
}

/// Events in; standard output and files out.
struct Output<'a> {
    arguments: &'a HuntArguments,
    progress: HuntProgress,
    folder: HuntFolder,
    report: HuntReport,
    /// Findings from before the hunt was resumed, by class.
    known: BTreeMap<String, Vec<FoundHere>>,
    /// Findings of classes that were done before, to be tried on a stock JVM.
    untried: Vec<Untried>,
    /// What is to be printed, in this order.
    untold: VecDeque<Untold>,
    /// Whether a file could not be written, which was said.
    is_incomplete: bool,
    /// The first stream that could not be written to.
    problem: Option<Failure>,
    cancel: Arc<AtomicBool>,
    /// Classes of the hunt, and those that were begun so far.
    total: usize,
    begun: usize,
    paint: Paint,
    /// To show lines of findings.
    sources: Arc<SourceFiles>,
}

/// What is to be printed.
enum Untold {
    /// A finding, by class and id, when it was tried on a stock JVM.
    Finding(String, String),
    /// What came of a class, when its findings were.
    Class(String),
    Text(String),
}

impl<'a> Output<'a> {
    fn new(
        arguments: &'a HuntArguments,
        folder: HuntFolder,
        options: &HuntOptions,
        request: &HuntRequest,
        skipped: Vec<NotHunted>,
    ) -> Result<Output<'a>, Failure> {
        Ok(Output {
            arguments,
            progress: HuntProgress::new(arguments.json),
            folder,
            report: HuntReport {
                tool: (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")),
                jdk_version: request.jdk_version.clone(),
                strategy: (options.strategy.to_string(), options.seed),
                budget: options.budget,
                is_strict: options.is_strict,
                classes: Vec::new(),
                skipped,
                time: Duration::ZERO,
                finished: false,
                counts_unconfirmed: arguments.count_unconfirmed,
                acceptance: arguments.acceptance()?,
            },
            known: BTreeMap::new(),
            untried: Vec::new(),
            untold: VecDeque::new(),
            is_incomplete: false,
            problem: None,
            cancel: Arc::clone(&options.cancel),
            total: 0,
            begun: 0,
            paint: paint(arguments.color),
            sources: Arc::default(),
        })
    }

    fn take(&mut self, event: HuntEvent) {
        if self.problem.is_some() {
            return;
        }
        self.note(event);
        if let Err(failure) = self.tell() {
            // What cannot be told need not be looked for.
            self.cancel.store(true, Ordering::Relaxed);
            self.problem = Some(failure);
        }
    }

    fn note(&mut self, event: HuntEvent) {
        let written = match event {
            HuntEvent::Ready(ready) => return self.ready(&ready),
            HuntEvent::Begun(begun) => return self.begun(&begun),
            HuntEvent::Ended(report) => return self.ended(&report),
            HuntEvent::Progress(progress) => {
                let rest = self.total.saturating_sub(self.begun);
                let overall = Overall {
                    number: self.begun,
                    of: self.total,
                    left: progress.left + self.report.budget.saturating_mul(rest as u32),
                };
                self.progress.show(&progress, overall);
                self.folder.progress(&progress)
            }
            HuntEvent::Also(also) => self.folder.also(&also),
            HuntEvent::Tried(tried) => self.folder.tried(&tried),
            HuntEvent::Found(finding) => return self.found(*finding),
            HuntEvent::StockJvm(trial) => return self.tried_on_stock_jvm(trial),
            HuntEvent::AwaitingStockJvm(count) => {
                let findings = findings_text(count);
                return self
                    .progress
                    .say(&format!("waiting for {findings} to be tried on a stock JVM"));
            }
        };
        self.keep(written);
    }

    fn ready(&self, ready: &Ready) {
        let gaps = ready
            .cage
            .as_ref()
            .map(|cage| cage.gaps().join("; "))
            .unwrap_or_default();
        if !gaps.is_empty() {
            self.progress
                .suspend(|| complain!("WARNING: the cage has gaps: {gaps}"));
        }
    }

    fn begun(&mut self, begun: &Begun) {
        self.begun += 1;
        self.progress
            .say(&format!("{}: looking at the first plan", begun.class));
        let written = self.folder.begun(begun);
        self.keep(written);
        let known = self.known.remove(&begun.class).unwrap_or_default();
        self.untold.push_back(Untold::Text(known_text(&known)));
        self.class(&begun.class).findings = known;
        self.run_file(&begun.class);
    }

    fn found(&mut self, finding: Finding) {
        let written = self.folder.found(&finding);
        self.keep(written);
        let class = finding.class.clone();
        let file = self.folder.recording(&finding);
        let found = FoundHere::new(finding, file);
        if !found.is_weaker(self.report.is_strict) {
            self.untold
                .push_back(Untold::Finding(class.clone(), found.finding.id.clone()));
        }
        let findings = &mut self.class(&class).findings;
        // It may have been told of just before the hunt was killed.
        findings.retain(|known| known.finding.id != found.finding.id);
        findings.push(found);
        self.run_file(&class);
    }

    /// Findings from before the hunt was resumed that are to be tried on a stock JVM now.
    fn untried(&self, known: &[FoundHere]) -> Vec<Untried> {
        let untried = known.iter().filter(|found| {
            !found.is_weaker(self.report.is_strict) && matches!(found.finding.stock_jvm, StockJvm::Untried(_))
        });
        // What was not written, or is gone, stays untried.
        let untried = untried.filter_map(|found| {
            Some(Untried {
                class: found.finding.class.clone(),
                id: found.finding.id.clone(),
                reproducer: found.reproducer().ok()?,
            })
        });
        untried.collect()
    }

    fn tried_on_stock_jvm(&mut self, trial: StockTrial) {
        let StockTrial { class, id, came_to } = trial;
        let findings = &mut self.class(&class).findings;
        if let Some(found) = findings.iter_mut().find(|found| found.finding.id == id) {
            found.finding.stock_jvm = came_to;
            let found = found.clone();
            let written = self.folder.stock_jvm(&found.finding, &found.file);
            self.keep(written);
            self.run_file(&class);
        }
    }

    /// Prints what is next, up to a finding that is yet to be tried on a stock JVM.
    fn tell(&mut self) -> Result<(), Failure> {
        while let Some(next) = self.untold.pop_front() {
            match next {
                Untold::Text(text) => self.print(&text)?,
                Untold::Class(name) => {
                    let text = self.class_told(&name);
                    self.print(&text)?;
                }
                Untold::Finding(class, id) => {
                    let findings = &self.class(&class).findings;
                    let found = findings.iter().find(|found| found.finding.id == id);
                    if found.is_some_and(|found| found.finding.stock_jvm == StockJvm::Awaited) {
                        self.untold.push_front(Untold::Finding(class, id));
                        break;
                    }
                    // What does not count is told at the end of its class.
                    if let Some(found) = found.cloned()
                        && (self.arguments.count_unconfirmed || found.is_possible())
                    {
                        let text = self.finding_told(&found);
                        self.print(&text)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether everything about a finding is printed, and not only the list at the end. Of many classes, that is more than
    /// anybody reads.
    fn has_details(&self) -> bool {
        self.arguments.verbose || self.total < 2
    }

    fn finding_told(&self, found: &FoundHere) -> String {
        let FoundHere { finding, file, .. } = found;
        if self.has_details() {
            format!(
                "{}\n",
                finding_text(finding, file, &self.sources, width(), self.paint)
            )
        } else {
            // A sign of life; the list at the end says what it is.
            format!("{}: found {}\n", finding.class, finding.id)
        }
    }

    fn class_told(&mut self, name: &str) -> String {
        let (counting, paint, details) = (self.report.counting(), self.paint, self.has_details());
        let class = self.class(name);
        if details {
            class_text(class, counting, paint)
        } else {
            class_line(class, counting, paint)
        }
    }

    fn ended(&mut self, report: &ClassReport) {
        self.untold.push_back(Untold::Class(report.class.clone()));
        let class = self.class(&report.class);
        // Of a finding that ^C kept from being made smaller, the smaller one takes the place.
        class.findings.retain(|found| {
            let id = &found.finding.id;
            report.findings.contains(id)
                || report.unpromised.contains(id)
                || report.weaker.iter().any(|weaker| weaker.id == *id)
        });
        class.report = Some(report.clone());
        self.run_file(&report.class);
        let written = self.folder.ended(report);
        self.keep(written);
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
    fn run_file(&mut self, name: &str) {
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
        self.keep(written);
    }

    /// What could not be written is said once, and the hunt goes on: a full disk is no reason to lose what is printed.
    fn keep<T>(&mut self, written: io::Result<T>) -> Option<T> {
        let error = match written {
            Ok(written) => return Some(written),
            Err(error) => error,
        };
        if !std::mem::replace(&mut self.is_incomplete, true) {
            let out = self.arguments.out.display();
            self.progress.suspend(|| {
                complain!(
                    "WARNING: cannot write to {out}: {error}; the hunt goes on, but its files are not complete, and what \
                     is printed is all there is"
                );
            });
        }
        None
    }

    fn saved<T>(&self, written: io::Result<T>) -> Result<T, Failure> {
        written.map_err(|error| unwritable(&self.arguments.out, &error))
    }

    fn print(&self, text: &str) -> Result<(), Failure> {
        if self.arguments.json {
            return Ok(());
        }
        self.progress.suspend(|| standard_output::write(text))?;
        Ok(())
    }

    fn finish(mut self, begun: Instant) -> Result<ExitCode, Failure> {
        if let Some(failure) = self.problem.take() {
            return Err(failure);
        }
        self.report.finished = true;
        self.report.time = begun.elapsed();
        if self.arguments.json {
            standard_output::write(&hunt_json(&self.report).map_err(io::Error::from)?)?;
        } else {
            let details = self.has_details();
            self.print(&closing_text(&self.report, details, width(), self.paint))?;
            self.print(&hunt_text(&self.report))?;
            self.say_how_to_go_on()?;
            if self.report.conclusion() != self.report.verdict() {
                self.print(
                    "no finding fails this hunt: all are accepted, or of kinds that --fail-on leaves out\n",
                )?;
            }
        }
        self.write_reports()?;
        if self.total == 0 {
            // A shard without classes has done its part.
            return Ok(ExitCode::Done);
        }
        Ok(match self.report.verdict() {
            Conclusion::NothingFound => ExitCode::Done,
            Conclusion::Violations => ExitCode::ViolationsFound,
            Conclusion::Inconclusive => ExitCode::Inconclusive,
        })
    }
}

impl Output<'_> {
    fn write_reports(&self) -> Result<(), Failure> {
        let HuntArguments {
            out, report, sources, ..
        } = self.arguments;
        for path in write_reports(out, &self.report, &sources.sources(), report)? {
            self.print(&format!("{}\n", path.display()))?;
        }
        Ok(())
    }

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
            HuntError::LostWorkerThread => Failure {
                code: ExitCode::InternalFailure,
                messages: vec![error.to_string()],
            },
        }
    }
}

fn findings_text(count: usize) -> String {
    match count {
        1 => "a finding".to_owned(),
        count => format!("{count} findings"),
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
