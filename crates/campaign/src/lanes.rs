//! Threads with a worker each. A worker dies with the thread that started it, so a session stays in its thread.

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use raddle_execute::{Ready, Session, SessionError, SessionOptions, usable_cpus};

use crate::error::HuntError;

type Work = Box<dyn FnOnce(&mut Slot) + Send>;

/// Threads with a worker each.
pub(crate) struct Lanes {
    lanes: Vec<Lane>,
}

struct Lane {
    /// None only while the lane is taken down.
    work: Option<Sender<Work>>,
    thread: Option<JoinHandle<()>>,
}

/// A session that is opened when it is first needed.
struct Slot {
    options: SessionOptions,
    session: Option<Session>,
}

impl Slot {
    fn session(&mut self) -> Result<&mut Session, SessionError> {
        if self.session.is_none() {
            self.session = Some(Session::open(self.options.clone())?);
        }
        self.session
            .as_mut()
            .ok_or_else(|| SessionError::Environment("there is no session".to_owned()))
    }
}

impl Lanes {
    /// So many threads, and the first one's worker started.
    pub(crate) fn open(options: &SessionOptions, count: usize) -> Result<(Lanes, Ready), HuntError> {
        // A worker stays on one CPU, and two on the same would take turns.
        let cpus = if count > 1 { usable_cpus() } else { Vec::new() };
        let on_cpu = |lane: usize| SessionOptions {
            cpu: cpus.get(lane % cpus.len().max(1)).copied(),
            ..options.clone()
        };
        let lanes = Lanes {
            lanes: (0..count.max(1)).map(|lane| Lane::new(on_cpu(lane))).collect(),
        };
        let ready = lanes.run(vec![|session: &mut Session| Ok(session.ready().clone())])?;
        let ready = ready.into_iter().next().ok_or(HuntError::LostLane)?;
        if let Some(cage) = ready.cage.as_ref().filter(|cage| cage.is_open()) {
            return Err(HuntError::NoCage(cage.gaps().join("; ")));
        }
        Ok((lanes, ready))
    }

    pub(crate) fn len(&self) -> usize {
        self.lanes.len()
    }

    /// Does all of it, as much as possible at the same time. What is done by which lane depends on its position alone,
    /// and the answers come in the same order, so that a hunt with several lanes can be repeated too.
    pub(crate) fn run<T, F>(&self, work: Vec<F>) -> Result<Vec<T>, HuntError>
    where
        T: Send + 'static,
        F: FnOnce(&mut Session) -> Result<T, SessionError> + Send + 'static,
    {
        let mut answers: Vec<Receiver<Result<T, SessionError>>> = Vec::new();
        for (index, work) in work.into_iter().enumerate() {
            let (sender, receiver) = mpsc::channel();
            let lane = &self.lanes[index % self.lanes.len()];
            let work: Work = Box::new(move |slot| {
                // Nobody listens any more if another lane has failed.
                let _ = sender.send(slot.session().and_then(work));
            });
            let queue = lane.work.as_ref().ok_or(HuntError::LostLane)?;
            queue.send(work).map_err(|_| HuntError::LostLane)?;
            answers.push(receiver);
        }
        answers
            .into_iter()
            .map(|answer| match answer.recv() {
                Ok(answer) => answer.map_err(HuntError::from),
                Err(_) => Err(HuntError::LostLane),
            })
            .collect()
    }
}

impl Lane {
    fn new(options: SessionOptions) -> Lane {
        let (sender, receiver) = mpsc::channel::<Work>();
        let thread = thread::spawn(move || {
            let mut slot = Slot {
                options,
                session: None,
            };
            while let Ok(work) = receiver.recv() {
                work(&mut slot);
            }
        });
        Lane {
            work: Some(sender),
            thread: Some(thread),
        }
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        self.work = None;
        if let Some(thread) = self.thread.take() {
            // Its worker is to be gone before the program is. That it panicked, its hook has said.
            let _ = thread.join();
        }
    }
}
