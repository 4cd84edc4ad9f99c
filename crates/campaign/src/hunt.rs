//! The loop.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use raddle_execute::{Ready, Session};
use raddle_generate::{Candidate, Skipped, Strategy, Target, strategy};
use raddle_oracle::Evidence;
use raddle_program::{ClassId, Program};
use raddle_summary::{Analyzer, ClassFacts, Precision};

use crate::cause;
use crate::confirm::{Confirmed, Unconfirmed, confirm};
use crate::error::HuntError;
use crate::event::{Begun, ClassReport, HuntEvent, Numbers, Progress};
use crate::finding::{Finding, StockJvm};
use crate::lanes::Lanes;
use crate::minimise::{Minimal, minimise};
use crate::options::HuntOptions;
use crate::pairs::Methods;
use crate::tally::Tally;
use crate::trial::{DEATHS, Subject, Suspect, Trial, try_candidate};

/// Without a sign of life, and the same when a worker is busy. Shorter than elsewhere: there are more plans, and time
/// is short.
const SILENCE: Duration = Duration::from_secs(3);
const BUSY_SILENCE: Duration = Duration::from_secs(10);
/// What the class is called that makes the calls of a plan: its frames say nothing about the class under test.
const PLAN_CLASS: &str = "RaddlePlan";

/// Looks for violations in classes, one class after the other.
pub struct Hunt<'p> {
    options: Arc<HuntOptions>,
    program: &'p Program,
    classes: Vec<ClassId>,
}

/// What goes on in one hunt, whatever the class.
struct Run<'a, 'p> {
    options: &'a Arc<HuntOptions>,
    program: &'p Program,
    analyzer: Analyzer<'p>,
    lanes: Lanes,
    ready: Ready,
    /// What the tests that are known to fail did; none while they have not been run.
    probes: Option<Vec<String>>,
    on_event: &'a mut dyn FnMut(HuntEvent),
}

/// A class while it is hunted.
struct Quarry {
    subject: Subject,
    tally: Tally,
    deadline: Instant,
    /// The strategy has nothing more to offer.
    is_exhausted: bool,
}

impl<'p> Hunt<'p> {
    /// A hunt for violations in these classes.
    pub fn new(mut options: HuntOptions, program: &'p Program, classes: Vec<ClassId>) -> Hunt<'p> {
        let limits = &mut options.session.limits;
        limits.deaths = DEATHS;
        limits.silence = limits.silence.min(SILENCE);
        limits.busy_silence = limits.busy_silence.min(BUSY_SILENCE);
        Hunt {
            options: Arc::new(options),
            program,
            classes,
        }
    }

    /// Hunts all classes; everything that is to be known comes as an event. An error means that no worker can be had;
    /// what concerns one class only is told in its report.
    pub fn run(&self, on_event: &mut dyn FnMut(HuntEvent)) -> Result<(), HuntError> {
        let (lanes, ready) = Lanes::open(&self.options.session, self.options.jobs.get())?;
        on_event(HuntEvent::Ready(ready.clone()));
        let mut run = Run {
            options: &self.options,
            program: self.program,
            analyzer: Analyzer::new(self.program, Precision::Precise),
            lanes,
            ready,
            probes: None,
            on_event,
        };
        for class in &self.classes {
            let report = run.class(*class)?;
            let is_enough = self.options.stop_at_first && !report.findings.is_empty();
            (run.on_event)(HuntEvent::Ended(Box::new(report)));
            if is_enough || run.is_cancelled() {
                break;
            }
        }
        Ok(())
    }
}

impl Run<'_, '_> {
    fn is_cancelled(&self) -> bool {
        self.options.cancel.load(Ordering::Relaxed)
    }

    fn class(&mut self, class: ClassId) -> Result<ClassReport, HuntError> {
        let begun = Instant::now();
        let name = self.program.name(class);
        let facts = match self.analyzer.analyze(class) {
            Ok(facts) => facts,
            Err(error) => return Ok(self.not_hunted(name, error.to_string(), begun)),
        };
        let target = Target {
            program: self.program,
            class,
            facts: &facts,
        };
        let mut strategy = match strategy(self.options.strategy, target, self.options.seed) {
            Ok(strategy) => strategy,
            Err(problem) => return Ok(self.not_hunted(name, problem.to_string(), begun)),
        };
        (self.on_event)(HuntEvent::Begun(Begun {
            class: name.clone(),
            methods: facts.methods.len(),
            counts: facts.counts,
            strategy: strategy.name().to_owned(),
            budget: self.options.budget,
        }));
        let mut quarry = self.quarry(name, class, &facts, begun);
        quarry.tally.notes.extend(uncallable(&target.skipped_methods()));
        self.chase(&mut quarry, &mut *strategy)?;
        self.report(quarry, &facts)
    }

    fn quarry(&self, name: String, class: ClassId, facts: &ClassFacts, begun: Instant) -> Quarry {
        let methods = Methods::new(self.program, class, facts);
        Quarry {
            tally: Tally::new(begun, methods.dependent_count()),
            subject: Subject {
                class: name,
                methods: Arc::new(methods),
                options: Arc::clone(self.options),
            },
            deadline: begun + self.options.budget,
            is_exhausted: false,
        }
    }

    fn most_findings(&self) -> usize {
        if self.options.stop_at_first {
            1
        } else {
            self.options.max_findings
        }
    }

    fn is_over(&self, quarry: &Quarry) -> bool {
        self.is_cancelled()
            || Instant::now() >= quarry.deadline
            || quarry.tally.findings.len() >= self.most_findings()
    }

    /// Takes candidates from the strategy, as many at a time as there are lanes, until the budget is used up.
    fn chase(&mut self, quarry: &mut Quarry, strategy: &mut dyn Strategy) -> Result<(), HuntError> {
        while !self.is_over(quarry) {
            let batch: Vec<Candidate> = (0..self.lanes.len()).map_while(|_| strategy.next()).collect();
            if batch.is_empty() {
                quarry.is_exhausted = true;
                break;
            }
            let trials = self.try_all(quarry, &batch)?;
            let mut suspects = Vec::new();
            for (candidate, trial) in batch.iter().zip(trials) {
                quarry.tally.add(&quarry.subject.methods, candidate, &trial);
                strategy.observe(candidate.number, &trial.feedback);
                suspects.extend(trial.suspects);
            }
            self.progress(quarry);
            self.settle_all(quarry, suspects)?;
        }
        Ok(())
    }

    /// Looks into violations whose cause is new, as many at a time as there are lanes and findings may be.
    fn settle_all(&mut self, quarry: &mut Quarry, suspects: Vec<Suspect>) -> Result<(), HuntError> {
        let mut suspects = suspects.into_iter();
        loop {
            let room = self.most_findings().saturating_sub(quarry.tally.findings.len());
            let batch: Vec<Suspect> = suspects
                .by_ref()
                .filter(|suspect| quarry.tally.is_new(suspect))
                .take(room.min(self.lanes.len()))
                .collect();
            if batch.is_empty() {
                return Ok(());
            }
            self.settle(quarry, &batch)?;
            self.progress(quarry);
        }
    }

    fn try_all(&mut self, quarry: &Quarry, batch: &[Candidate]) -> Result<Vec<Trial>, HuntError> {
        let left = quarry.deadline.saturating_duration_since(Instant::now());
        let work = batch
            .iter()
            .map(|candidate| {
                let (subject, candidate) = (quarry.subject.clone(), candidate.clone());
                move |session: &mut Session| try_candidate(session, &subject, &candidate, left)
            })
            .collect();
        self.lanes.run(work)
    }

    /// Makes violations as small as possible, and makes sure of them.
    fn settle(&mut self, quarry: &mut Quarry, batch: &[Suspect]) -> Result<(), HuntError> {
        let work = batch
            .iter()
            .map(|suspect| {
                let (subject, suspect) = (quarry.subject.clone(), suspect.clone());
                move |session: &mut Session| {
                    let minimal = minimise(session, &subject, &suspect)?;
                    let confirmed = confirm(session, &minimal)?;
                    Ok((minimal, confirmed))
                }
            })
            .collect();
        let settled: Vec<(Minimal, Result<Confirmed, Unconfirmed>)> = self.lanes.run(work)?;
        for (suspect, (minimal, confirmed)) in batch.iter().zip(settled) {
            quarry.tally.numbers.schedules += minimal.schedules;
            quarry.tally.numbers.steps += minimal.steps;
            match confirmed {
                Err(Unconfirmed(why)) => quarry.tally.notes.push(format!(
                    "a {} was seen but not confirmed ({why}), so it is not reported: {}",
                    minimal.violation.kind, minimal.violation.summary
                )),
                Ok(confirmed) => {
                    let finding = finding(quarry, suspect, minimal, confirmed);
                    if quarry.tally.take(&finding, &suspect.cause) {
                        (self.on_event)(HuntEvent::Found(Box::new(finding)));
                    }
                }
            }
        }
        Ok(())
    }

    fn progress(&mut self, quarry: &Quarry) {
        (self.on_event)(HuntEvent::Progress(Progress {
            class: quarry.subject.class.clone(),
            numbers: quarry.tally.numbers(),
            findings: quarry.tally.findings.len(),
            left: quarry.deadline.saturating_duration_since(Instant::now()),
        }));
    }

    fn report(&mut self, quarry: Quarry, facts: &ClassFacts) -> Result<ClassReport, HuntError> {
        let Quarry {
            subject,
            tally,
            is_exhausted,
            ..
        } = quarry;
        let numbers = tally.numbers();
        let mut gaps: Vec<String> = tally.blind_spots.iter().cloned().collect();
        let mut notes = tally.notes.clone();
        if self.is_cancelled() {
            gaps.push("the hunt was ended by ^C".to_owned());
        }
        let is_untried = numbers.plans == 0;
        if is_untried && numbers.failed_plans > 0 {
            gaps.push("no plan could be run and judged".to_owned());
            gaps.extend(tally.failures());
        } else if tally.undecided > numbers.plans {
            gaps.push(format!(
                "most plans could not be run or judged, {} of {}",
                tally.undecided,
                tally.undecided + numbers.plans
            ));
            gaps.extend(tally.failures());
        } else {
            notes.extend(tally.failures());
        }
        if is_exhausted && is_untried && numbers.failed_plans == 0 {
            if facts.counts.union == 0 {
                notes.push(
                    "the analysis finds no two methods that could hurt each other, so there was nothing to run"
                        .to_owned(),
                );
            } else {
                gaps.push("no plan could be made for the methods that could hurt each other".to_owned());
            }
        }
        if tally.findings.len() >= self.options.max_findings && !self.options.stop_at_first {
            notes.push(format!(
                "left after {} findings; --max-findings allows more",
                tally.findings.len()
            ));
        }
        notes.extend(facts.missing.iter().map(|class| {
            format!("{class} was not found, so what it does is not known; check the class path")
        }));
        if tally.findings.is_empty() && gaps.is_empty() {
            gaps.extend(self.missed_probes()?);
        }
        Ok(ClassReport {
            class: subject.class,
            jdk_version: self.ready.jdk_version.clone(),
            strategy: (self.options.strategy.to_string(), self.options.seed),
            findings: tally.findings,
            gaps,
            notes,
            numbers,
        })
    }

    /// What tests that are known to fail did instead, under the same configuration. They need be run only once.
    fn missed_probes(&mut self) -> Result<Vec<String>, HuntError> {
        if self.probes.is_none() {
            let missed = self
                .lanes
                .run(vec![|session: &mut Session| Ok(session.probe()?.missed)])?
                .into_iter()
                .flatten()
                .map(|missed| format!("a test that is known to fail did not: {missed}"));
            self.probes = Some(missed.collect());
        }
        Ok(self.probes.clone().unwrap_or_default())
    }

    fn not_hunted(&self, class: String, why: String, begun: Instant) -> ClassReport {
        ClassReport {
            class,
            jdk_version: self.ready.jdk_version.clone(),
            strategy: (self.options.strategy.to_string(), self.options.seed),
            findings: Vec::new(),
            gaps: vec![why],
            notes: Vec::new(),
            numbers: Numbers {
                time: begun.elapsed(),
                ..Numbers::default()
            },
        }
    }
}

/// Public methods that no plan calls, as a sentence.
fn uncallable(skipped: &[Skipped]) -> Option<String> {
    let first = skipped.first()?;
    let others = match skipped.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    Some(format!(
        "not called in any plan: {}, because {}{others}",
        first.signature, first.reason
    ))
}

fn finding(quarry: &Quarry, suspect: &Suspect, mut minimal: Minimal, confirmed: Confirmed) -> Finding {
    let Subject { class, methods, .. } = &quarry.subject;
    if let Evidence::Exception { frames, .. } = &mut minimal.violation.evidence {
        frames.retain(|frame| !frame.0.starts_with(PLAN_CLASS));
    }
    let cause = cause::cause(class, &minimal.plan, &minimal.violation);
    Finding {
        id: cause::id(minimal.violation.kind, class, &cause),
        class: class.clone(),
        cause,
        methods: methods.names(&minimal.plan),
        reason: suspect.reason.clone(),
        // That takes the reproducer, which is an output.
        stock_jvm: StockJvm::Untried,
        analysis_bug: methods.contradiction(&minimal.plan, &minimal.violation),
        recording: confirmed.recording,
        events: confirmed.events,
        preemptions: minimal.preemptions,
        first_calls: suspect.plan.call_count(),
        after: quarry.tally.numbers().time,
        violation: minimal.violation,
    }
}
