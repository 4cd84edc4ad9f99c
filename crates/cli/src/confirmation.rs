//! Findings are tried on a stock JVM beside the hunt, one at a time.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use raddle_campaign::StockJvm;
use raddle_execute::{StockOptions, StockVerdict, run_reproducer};
use raddle_report::{FoundHere, reproducer_file};

use crate::exit_code::ExitCode;
use crate::failure::Failure;

/// Runs reproducers in a thread of its own.
pub(crate) struct Confirmations {
    jobs: Sender<Job>,
    answers: Receiver<Answer>,
    stop: Arc<AtomicBool>,
}

/// A finding, by class and id.
pub(crate) type Key = (String, String);

struct Job {
    key: Key,
    reproducer: PathBuf,
}

/// What came of a reproducer.
pub(crate) struct Answer {
    pub(crate) key: Key,
    pub(crate) stock_jvm: StockJvm,
}

/// The thread has ended before its time, and no answer will come.
pub(crate) struct LostThread;

impl From<LostThread> for Failure {
    fn from(_: LostThread) -> Self {
        Failure {
            code: ExitCode::InternalFailure,
            messages: vec!["the thread that runs reproducers has ended; please report this".to_owned()],
        }
    }
}

/// The key of a finding.
pub(crate) fn key(found: &FoundHere) -> Key {
    (found.finding.class.clone(), found.finding.id.clone())
}

impl Confirmations {
    /// Starts the thread. Where no cage can be had, reproducers are run without one only if that `is_forced`.
    pub(crate) fn start(options: StockOptions, is_forced: bool) -> Result<Confirmations, Failure> {
        let (jobs, received) = mpsc::channel();
        let (answered, answers) = mpsc::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let mut runner = Runner {
            options,
            is_forced,
            no_cage: None,
            stop: Arc::clone(&stop),
        };
        // The thread ends with the process at the latest, and the JVMs that it has started end with it.
        thread::Builder::new()
            .name("confirmation".to_owned())
            .spawn(move || {
                for Job { key, reproducer } in received {
                    let stock_jvm = runner.run(&reproducer);
                    if answered.send(Answer { key, stock_jvm }).is_err() {
                        break;
                    }
                }
            })?;
        Ok(Confirmations { jobs, answers, stop })
    }

    /// Has a finding tried; the answer comes later.
    pub(crate) fn submit(&self, found: &FoundHere) {
        let job = Job {
            key: key(found),
            reproducer: reproducer_file(&found.finding, &found.file),
        };
        // That the thread has ended is told by the answer.
        let _ = self.jobs.send(job);
    }

    /// An answer, if there is one within the time.
    pub(crate) fn answer(&self, patience: Duration) -> Result<Option<Answer>, LostThread> {
        match self.answers.recv_timeout(patience) {
            Ok(answer) => Ok(Some(answer)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(LostThread),
        }
    }

    /// Ends the reproducer that is running, and leaves out all others. They are answered, too.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// What the thread knows.
struct Runner {
    options: StockOptions,
    is_forced: bool,
    /// Why this system has no cage for stock JVMs, once that is known.
    no_cage: Option<String>,
    stop: Arc<AtomicBool>,
}

impl Runner {
    fn run(&mut self, reproducer: &Path) -> StockJvm {
        if self.stop.load(Ordering::Relaxed) {
            return over();
        }
        if let Some(why) = &self.no_cage {
            return uncaged(why);
        }
        match run_reproducer(&self.options, reproducer, &self.stop) {
            StockVerdict::Confirmed => StockJvm::Confirmed,
            StockVerdict::NotConfirmed(text) => StockJvm::NotConfirmed(text),
            // Which says nothing about the finding.
            StockVerdict::Failed(text) => StockJvm::Untried(text),
            StockVerdict::Stopped => over(),
            StockVerdict::NoCage(_) if self.is_forced => {
                self.options.cage = None;
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

fn over() -> StockJvm {
    StockJvm::Untried("the hunt was over before it was done".to_owned())
}

fn uncaged(why: &str) -> StockJvm {
    StockJvm::Untried(format!("there is no cage for it: {why}; --confirm does without"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    fn program(path: &Path, lines: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("#!/bin/sh\n{lines}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// On a system without a cage, with a JVM on which everything shows.
    fn uncaged_runner(folder: &Path, is_forced: bool) -> Runner {
        program(&folder.join("cage"), "echo 'NO CAGE: no namespaces'; exit 125");
        program(&folder.join("jdk/bin/java"), "echo RESULT: yes");
        Runner {
            options: StockOptions {
                cage: Some(folder.join("cage")),
                jdk_home: folder.join("jdk"),
                class_path: Vec::new(),
                readable: Vec::new(),
                opens: Vec::new(),
                limit: Duration::from_mins(1),
            },
            is_forced,
            no_cage: None,
            stop: Arc::new(AtomicBool::new(false)),
        }
    }

    #[test]
    fn without_a_cage_nothing_is_run_unless_forced() {
        let folder = tempfile::tempdir().unwrap();
        let mut runner = uncaged_runner(folder.path(), false);
        let untried =
            StockJvm::Untried("there is no cage for it: no namespaces; --confirm does without".to_owned());
        assert_eq!(runner.run(folder.path()), untried);
        // It is not asked for again.
        program(&folder.path().join("cage"), "echo RESULT: yes");
        assert_eq!(runner.run(folder.path()), untried);
        let mut runner = uncaged_runner(folder.path(), true);
        assert_eq!(runner.run(folder.path()), StockJvm::Confirmed);
    }

    #[test]
    fn when_stopped_nothing_is_run() {
        let folder = tempfile::tempdir().unwrap();
        let mut runner = uncaged_runner(folder.path(), true);
        runner.stop.store(true, Ordering::Relaxed);
        assert_eq!(runner.run(folder.path()), over());
    }
}
