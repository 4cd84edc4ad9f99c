//! `raddle hunt`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use raddle_campaign::{
    Begun, ClassReport, Conclusion, ContractError, Contracts, Finding, Hunt, HuntError, HuntEvent,
    HuntOptions, HuntTarget, Known, Sharing, StockJvm, Strength, sharing,
};
use raddle_classpath::{ClassPath, Jdk};
use raddle_execute::{Ready, SessionOptions, StockOptions};
use raddle_generate::seeds;
use raddle_program::Program;
use raddle_report::{
    Bounds, Confirm, DEFAULT_WIDTH, FoundHere, HuntClass, HuntFolder, HuntReport, HuntRequest, NotHunted,
    class_text, finding_text, hunt_json, hunt_text, known_text,
};

use crate::confirmation::{Confirmations, Key, key};
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
    let request = request(arguments, earlier.as_ref(), &options, &program)?;
    if let Some(earlier) = &earlier {
        hunt_resume::check_same(&request, earlier, &arguments.out)?;
    }
    let targets = targets::resolve(&program, &request.classes)?;
    let (mut classes, skipped) = choose(&program, &options.contracts, request.promise, &targets);
    if classes.is_empty() {
        return Err(nothing_to_hunt(&skipped));
    }
    end_on_interrupt(&options.cancel)?;

    let mut output = Output::new(arguments, folder, &options, &request, skipped)?;
    let mut known = BTreeMap::new();
    if earlier.is_some() {
        let written = output.folder.go_on(&request);
        output.saved(written)?;
        (classes, known) = output.recall(&program, &classes, &request)?;
    } else {
        let names: Vec<String> = classes.iter().map(|target| program.name(target.class)).collect();
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
    let confirmed = output.wait_for_confirmations();
    output.progress.clear();
    result.map_err(Failure::from)?;
    confirmed?;
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
    session
        .opens
        .clone_from(earlier.map_or(&arguments.jvm.add_opens, |earlier| &earlier.opens));
    session.class_path = absolute(&class_path)?;
    let opened = ClassPath::open(&class_path, jdk.feature())?;
    let mut options = match earlier {
        Some(earlier) => arguments.resumed_options(session, earlier),
        None => arguments.options(session),
    };
    let program = Program::new(jdk, opened);
    options.contracts = Arc::new(contracts(
        earlier.map_or(&arguments.contracts, |earlier| &earlier.contracts),
    )?);
    read_seeds(
        &program,
        earlier.map_or(&arguments.seeds, |earlier| &earlier.seeds),
        &mut options,
    )?;
    Ok((program, options))
}

/// Contracts that come with Raddle, and those of the user's files.
fn contracts(files: &[PathBuf]) -> Result<Contracts, ContractError> {
    let mut contracts = Contracts::bundled()?;
    for file in files {
        contracts.add_file(file)?;
    }
    Ok(contracts)
}

/// Reads the sequential tests of these classes.
fn read_seeds(program: &Program, classes: &[String], options: &mut HuntOptions) -> Result<(), Failure> {
    for name in classes {
        let class = program.class_id(&name.replace('.', "/"));
        let read = seeds::read(program, class)
            .map_err(|error| Failure::bad_input(vec![format!("--seeds {name}: {error}")]))?;
        for seed in read.seeds {
            let cut = seed.cut.map(|cut| format!("{} was read up to {cut}", seed.name));
            options.seed_notes.extend(cut);
            options.seed_tests.push(seed.plan);
        }
        let skipped = read.skipped.into_iter();
        options
            .seed_notes
            .extend(skipped.map(|(method, reason)| format!("{name}.{method} was not used: {reason}")));
    }
    if !classes.is_empty() && options.seed_tests.is_empty() {
        let reasons = options.seed_notes.join("; ");
        return Err(Failure::bad_input(vec![format!(
            "no test of --seeds can be used: {reasons}"
        )]));
    }
    Ok(())
}

/// All that the hunt is told, for those who want to resume it.
fn request(
    arguments: &HuntArguments,
    earlier: Option<&HuntRequest>,
    options: &HuntOptions,
    program: &Program,
) -> io::Result<HuntRequest> {
    let jdk = program.jdk();
    Ok(HuntRequest {
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
        seeds: earlier.map_or(&arguments.seeds, |earlier| &earlier.seeds).clone(),
        kinds: options.kinds.iter().copied().collect(),
        strict: options.is_strict,
        promise: earlier.map_or(arguments.promise, |earlier| earlier.promise),
        contracts: match earlier {
            Some(earlier) => earlier.contracts.clone(),
            None => absolute(&arguments.contracts)?,
        },
        stress: options.is_stress,
        threads: options.threads,
        jobs: options.jobs,
        stop_at_first: options.stop_at_first,
        confirm: arguments
            .confirm()
            .or(earlier.map(|earlier| earlier.confirm))
            .unwrap_or_default(),
        cage: options.session.cage,
        unplugged: options.session.unplugged.clone(),
        opens: options.session.opens.clone(),
    })
}

/// The classes to hunt, and those that are passed over with the reason.
fn choose(
    program: &Program,
    contracts: &Contracts,
    asked: Option<Strength>,
    targets: &[Target],
) -> (Vec<HuntTarget>, Vec<NotHunted>) {
    let mut classes = Vec::new();
    let mut skipped = Vec::new();
    for target in targets {
        let by_default = if target.is_named {
            Strength::NoSign
        } else {
            Strength::Built
        };
        let least = asked.unwrap_or(by_default);
        match sharing(program, contracts, target.id, least) {
            Sharing::Skipped(reason) if !target.is_named => skipped.push(NotHunted {
                class: target.name.clone(),
                reason,
            }),
            _ => classes.push(HuntTarget {
                class: target.id,
                least,
            }),
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

/// How long the hunt, when it is over, waits for reproducers that have yet to be run, and how often it looks.
const CONFIRMATION_PATIENCE: Duration = Duration::from_mins(5);
const CONFIRMATION_TICK: Duration = Duration::from_millis(100);

/// Events in; standard output and files out.
struct Output<'a> {
    arguments: &'a HuntArguments,
    progress: HuntProgress,
    folder: HuntFolder,
    report: HuntReport,
    /// Findings from before the hunt was resumed, by class.
    known: BTreeMap<String, Vec<FoundHere>>,
    /// None if reproducers are not run.
    confirmations: Option<Confirmations>,
    /// Findings whose reproducers have yet to be run to their ends.
    unconfirmed: BTreeSet<Key>,
    /// What is to be printed, in this order.
    untold: VecDeque<Untold>,
    /// The first file or stream that could not be written.
    problem: Option<Failure>,
    cancel: Arc<AtomicBool>,
}

/// What is to be printed.
enum Untold {
    /// A finding, when its reproducer was run.
    Finding(Key),
    /// What came of a class, when the reproducers of its findings were run.
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
            },
            known: BTreeMap::new(),
            confirmations: confirmations(&options.session, request.confirm)?,
            unconfirmed: BTreeSet::new(),
            untold: VecDeque::new(),
            problem: None,
            cancel: Arc::clone(&options.cancel),
        })
    }

    /// What the folder knows of the classes. Those that were done are told of; the others are returned.
    fn recall(
        &mut self,
        program: &Program,
        classes: &[HuntTarget],
        request: &HuntRequest,
    ) -> Result<(Vec<HuntTarget>, BTreeMap<String, Known>), Failure> {
        let mut open = Vec::new();
        let mut known = BTreeMap::new();
        for target in classes {
            let name = program.name(target.class);
            let Some(memory) = self.folder.memory(&name, request.bounds)? else {
                open.push(*target);
                continue;
            };
            if let Some(report) = memory.report {
                self.print(&known_text(&memory.findings))?;
                self.confirm_known(&memory.findings);
                let counting = self.report.counting();
                let told = self.class(&name);
                told.findings = memory.findings;
                told.report = Some(report);
                let text = class_text(told, counting);
                self.print(&text)?;
                continue;
            }
            open.push(*target);
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
            HuntEvent::Also(also) => {
                let written = self.folder.also(&also);
                self.saved(written)
            }
            HuntEvent::Tried(tried) => {
                let written = self.folder.tried(&tried);
                self.saved(written)
            }
            HuntEvent::Ended(report) => self.ended(&report),
        };
        if let Err(failure) = taken.and_then(|()| self.hear(Duration::ZERO)) {
            // What cannot be told need not be looked for.
            self.cancel.store(true, Ordering::Relaxed);
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
        self.untold.push_back(Untold::Text(known_text(&known)));
        self.confirm_known(&known);
        self.class(&begun.class).findings = known;
        self.run_file(&begun.class)
    }

    fn found(&mut self, mut finding: Finding) -> Result<(), Failure> {
        if self.confirmations.is_none() {
            finding.stock_jvm = StockJvm::Untried("--no-confirm was given".to_owned());
        } else if finding.weakness.is_some() && !self.report.is_strict {
            finding.stock_jvm = StockJvm::Untried("it may be by design".to_owned());
        }
        let written = self.folder.found(&finding);
        let file = self.saved(written)?;
        let class = finding.class.clone();
        let found = FoundHere { finding, file };
        if !found.is_weaker(self.report.is_strict) {
            self.untold.push_back(Untold::Finding(key(&found)));
            self.confirm(&found);
        }
        let findings = &mut self.class(&class).findings;
        // It may have been told of just before the hunt was killed.
        findings.retain(|known| known.finding.id != found.finding.id);
        findings.push(found);
        self.run_file(&class)?;
        self.tell()
    }

    /// Has a finding tried on a stock JVM, if that is wanted.
    fn confirm(&mut self, found: &FoundHere) {
        if let Some(confirmations) = &self.confirmations {
            confirmations.submit(found);
            self.unconfirmed.insert(key(found));
        }
    }

    /// The same for findings from before the hunt was resumed that were not tried then.
    fn confirm_known(&mut self, known: &[FoundHere]) {
        for found in known {
            let is_weaker = found.is_weaker(self.report.is_strict);
            if !is_weaker && matches!(found.finding.stock_jvm, StockJvm::Untried(_)) {
                self.confirm(found);
            }
        }
    }

    /// Takes what came of reproducers, waiting for the first for so long.
    fn hear(&mut self, mut patience: Duration) -> Result<(), Failure> {
        while let Some(confirmations) = &self.confirmations
            && let Some(answer) = confirmations.answer(patience)?
        {
            patience = Duration::ZERO;
            self.unconfirmed.remove(&answer.key);
            let (class, id) = answer.key;
            let findings = &mut self.class(&class).findings;
            if let Some(found) = findings.iter_mut().find(|found| found.finding.id == id) {
                found.finding.stock_jvm = answer.stock_jvm;
                let found = found.clone();
                let written = self.folder.stock_jvm(&found.finding, &found.file);
                self.saved(written)?;
                self.run_file(&class)?;
            }
        }
        self.tell()
    }

    /// Prints what is next, up to a finding whose reproducer is yet to be run.
    fn tell(&mut self) -> Result<(), Failure> {
        while let Some(next) = self.untold.pop_front() {
            match next {
                Untold::Text(text) => self.print(&text)?,
                Untold::Class(name) => {
                    let counting = self.report.counting();
                    let text = class_text(self.class(&name), counting);
                    self.print(&text)?;
                }
                Untold::Finding(key) if self.unconfirmed.contains(&key) => {
                    self.untold.push_front(Untold::Finding(key));
                    break;
                }
                Untold::Finding((class, id)) => {
                    let findings = &self.class(&class).findings;
                    let found = findings.iter().find(|found| found.finding.id == id);
                    // What does not count is told at the end of its class.
                    if let Some(found) = found.cloned()
                        && (self.arguments.count_unconfirmed || found.is_possible())
                    {
                        let FoundHere { finding, file } = found;
                        self.print(&format!("{}\n", finding_text(&finding, &file, width())))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The hunt is over: waits for the reproducers that are left, unless the user has no time.
    fn wait_for_confirmations(&mut self) -> Result<(), Failure> {
        let end = Instant::now() + CONFIRMATION_PATIENCE;
        while self.problem.is_none() && !self.unconfirmed.is_empty() {
            self.progress.say(format!(
                "waiting for {} to be tried on a stock JVM",
                findings_text(self.unconfirmed.len())
            ));
            if (self.cancel.load(Ordering::Relaxed) || Instant::now() > end)
                && let Some(confirmations) = &self.confirmations
            {
                confirmations.stop();
            }
            self.hear(CONFIRMATION_TICK)?;
        }
        Ok(())
    }

    fn ended(&mut self, report: &ClassReport) -> Result<(), Failure> {
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
        self.wait_for_confirmations()?;
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

/// What runs reproducers, if that is wanted.
fn confirmations(session: &SessionOptions, confirm: Confirm) -> Result<Option<Confirmations>, Failure> {
    if confirm == Confirm::Never {
        return Ok(None);
    }
    let options = StockOptions {
        cage: session.cage.then(|| session.program.clone()),
        jdk_home: session.jdk_home.clone(),
        class_path: session.class_path.clone(),
        opens: session.opens.clone(),
    };
    Confirmations::start(options, confirm == Confirm::Always).map(Some)
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
