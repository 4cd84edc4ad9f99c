//! Findings are tried on a stock JVM: a step of the loop that goes on beside the others, one finding at a time. What came of
//! it is an event.
//!
//! The finding's reproducer, a Java file that needs no Raddle, makes the recorded run again. That takes seconds, which
//! the next tests need not wait for; so answers come when they come, and the hunt is not over before the last one.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use raddle_execute::{StockOptions, StockVerdict, run_reproducer_text};
use raddle_reproduce::{Reproducer, ReproducerInput};
use serde::{Deserialize, Serialize};

use crate::clock::Clock;
use crate::error::HuntError;
use crate::event::{HuntEvent, StockTrial};
use crate::finding::{Finding, StockJvm};
use crate::options::HuntOptions;

/// How long a hunt that is over waits for reproducers, in budgets, at least and at most; and how often it looks.
const PATIENCE: u32 = 2;
const LEAST_PATIENCE: Duration = Duration::from_mins(1);
const MOST_PATIENCE: Duration = Duration::from_mins(5);
const TICK: Duration = Duration::from_millis(100);

/// Whether findings are tried on a stock JVM.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UseStockJvm {
    /// They are not.
    Never,
    /// Where there is a cage for it.
    #[default]
    #[serde(rename = "caged")]
    Auto,
    /// In any case.
    Always,
}

/// A finding of an earlier part of the hunt, or of an earlier hunt, that has yet to be tried.
#[derive(Clone, Debug)]
pub struct Untried {
    /// The class, by its Java name.
    pub class: String,
    /// The finding's id.
    pub id: String,
    /// What the earlier part made of it.
    pub reproducer: Reproducer,
}

/// Runs reproducers. Tests of the loop script it.
pub(crate) trait StockRunner: Send {
    /// Runs one until it ends, or until `stop` is set.
    fn run(&mut self, reproducer: &Reproducer, is_caged: bool, stop: &AtomicBool) -> StockVerdict;
}

/// Makes what runs reproducers.
pub(crate) type OpenStock = Arc<dyn Fn(StockOptions) -> Box<dyn StockRunner>>;

/// JVMs of the JDK at hand.
pub(crate) fn stock_jvms() -> OpenStock {
    Arc::new(|options| Box::new(options))
}

impl StockRunner for StockOptions {
    fn run(&mut self, reproducer: &Reproducer, is_caged: bool, stop: &AtomicBool) -> StockVerdict {
        let Reproducer { file, text } = reproducer;
        let run = |options: &StockOptions| run_reproducer_text(options, Path::new(file), text, stop);
        if is_caged {
            run(self)
        } else {
            run(&StockOptions {
                cage: None,
                ..self.clone()
            })
        }
    }
}

/// The step of one hunt.
pub(crate) struct StockTrials<'a> {
    options: &'a HuntOptions,
    /// None if findings are not tried.
    runner: Option<Runner>,
    /// Class and id of the findings that are being tried, or are to be.
    awaited: BTreeSet<(String, String)>,
}

struct Runner {
    jobs: Sender<Untried>,
    answers: Receiver<StockTrial>,
    stop: Arc<AtomicBool>,
}

impl<'a> StockTrials<'a> {
    pub(crate) fn new(options: &'a HuntOptions, open: &OpenStock) -> StockTrials<'a> {
        let runner = (options.stock_jvm != UseStockJvm::Never)
            .then(|| Runner::start(options, open(stock_options(options))));
        StockTrials {
            options,
            runner,
            awaited: BTreeSet::new(),
        }
    }

    /// Hands an event on. A finding that it is about is tried from here on; what has come of others is told, too.
    pub(crate) fn pass(&mut self, mut event: HuntEvent, on_event: &mut dyn FnMut(HuntEvent)) {
        if let HuntEvent::Found(finding) = &mut event {
            finding.stock_jvm = self.found(finding);
        }
        on_event(event);
        // That the thread is lost is told in the end.
        let _ = self.hear(Duration::ZERO, on_event);
    }

    /// Has a new finding tried, if that is wanted.
    fn found(&mut self, finding: &Finding) -> StockJvm {
        if self.runner.is_none() {
            return StockJvm::Untried("--stock-jvm never was given".to_owned());
        }
        if finding.weakness.is_some() && !self.options.is_strict {
            return StockJvm::Untried("it may be by design".to_owned());
        }
        self.submit(Untried {
            class: finding.class.clone(),
            id: finding.id.clone(),
            reproducer: reproducer_of(finding),
        });
        StockJvm::Awaited
    }

    /// Has a finding tried; the answer comes later.
    pub(crate) fn submit(&mut self, untried: Untried) {
        if let Some(runner) = &self.runner {
            self.awaited.insert((untried.class.clone(), untried.id.clone()));
            // That the thread has ended is told by the answer.
            let _ = runner.jobs.send(untried);
        }
    }

    /// Tells what came of findings, waiting for the first for so long.
    fn hear(&mut self, mut patience: Duration, on_event: &mut dyn FnMut(HuntEvent)) -> Result<(), HuntError> {
        let Some(runner) = &self.runner else {
            return Ok(());
        };
        while !self.awaited.is_empty() {
            let trial = match runner.answers.recv_timeout(patience) {
                Ok(trial) => trial,
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return Err(HuntError::LostWorkerThread),
            };
            patience = Duration::ZERO;
            self.awaited.remove(&(trial.class.clone(), trial.id.clone()));
            on_event(HuntEvent::StockJvm(trial));
        }
        Ok(())
    }

    /// The rest of the hunt is over: waits for what has yet to be tried, unless nobody has the time.
    pub(crate) fn finish(
        &mut self,
        clock: &Clock,
        on_event: &mut dyn FnMut(HuntEvent),
    ) -> Result<(), HuntError> {
        let patience = self.options.budget.saturating_mul(PATIENCE);
        let end = clock.now() + patience.clamp(LEAST_PATIENCE, MOST_PATIENCE);
        while !self.awaited.is_empty() {
            on_event(HuntEvent::AwaitingStockJvm(self.awaited.len()));
            let is_over = self.options.cancel.load(Ordering::Relaxed) || clock.now() > end;
            if let Some(runner) = &self.runner
                && is_over
            {
                runner.stop.store(true, Ordering::Relaxed);
            }
            self.hear(TICK, on_event)?;
        }
        Ok(())
    }
}

impl Runner {
    /// Starts a thread. It ends with the process at the latest, and the JVMs that it has started end with it.
    fn start(options: &HuntOptions, runner: Box<dyn StockRunner>) -> Runner {
        let (jobs, received) = mpsc::channel::<Untried>();
        let (answered, answers) = mpsc::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let mut trials = Trials {
            runner,
            is_forced: options.stock_jvm == UseStockJvm::Always,
            is_caged: true,
            no_cage: None,
            stop: Arc::clone(&stop),
        };
        thread::spawn(move || {
            for Untried {
                class,
                id,
                reproducer,
            } in received
            {
                let came_to = trials.run(&reproducer);
                if answered.send(StockTrial { class, id, came_to }).is_err() {
                    break;
                }
            }
        });
        Runner { jobs, answers, stop }
    }
}

/// What the thread knows.
struct Trials {
    runner: Box<dyn StockRunner>,
    /// Whether reproducers are run even without a cage.
    is_forced: bool,
    is_caged: bool,
    /// Why this system has no cage for stock JVMs, once that is known.
    no_cage: Option<String>,
    stop: Arc<AtomicBool>,
}

impl Trials {
    fn run(&mut self, reproducer: &Reproducer) -> StockJvm {
        if self.stop.load(Ordering::Relaxed) {
            return over();
        }
        if let Some(why) = &self.no_cage {
            return uncaged(why);
        }
        match self.runner.run(reproducer, self.is_caged, &self.stop) {
            StockVerdict::Confirmed => StockJvm::Confirmed,
            StockVerdict::NotConfirmed(text) => StockJvm::NotConfirmed(text),
            // Which says nothing about the finding.
            StockVerdict::Failed(text) => StockJvm::Untried(text),
            StockVerdict::Stopped => over(),
            StockVerdict::NoCage(_) if self.is_forced && self.is_caged => {
                self.is_caged = false;
                self.run(reproducer)
            }
            StockVerdict::NoCage(why) => {
                let untried = uncaged(&why);
                self.no_cage = Some(why);
                untried
            }
        }
    }
}

fn stock_options(options: &HuntOptions) -> StockOptions {
    let session = &options.session;
    StockOptions {
        cage: session.cage.then(|| session.program.clone()),
        jdk_home: session.jdk_home.clone(),
        class_path: session.class_path.clone(),
        readable: session.readable.clone(),
        opens: session.opens.clone(),
        limit: StockOptions::limit_for(options.budget),
    }
}

fn reproducer_of(finding: &Finding) -> Reproducer {
    Reproducer::of(&ReproducerInput {
        plan: &finding.recording.plan,
        outcome: &finding.recording.outcome,
        events: &finding.events,
        violation: &finding.violation,
        class_name: &finding.class,
        id: &finding.id,
        allowed: None,
        // Nobody reads the file that is run here.
        told: "",
    })
}

fn over() -> StockJvm {
    StockJvm::Untried("the hunt was over before it was done".to_owned())
}

fn uncaged(why: &str) -> StockJvm {
    StockJvm::Untried(format!(
        "there is no cage for it: {why}; --stock-jvm always does without"
    ))
}
