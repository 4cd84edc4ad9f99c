//! Threads with a worker each. A worker dies with the thread that started it, so a session stays in its thread.

use std::cell::Cell;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use raddle_execute::{Ready, Session, SessionError, SessionOptions, usable_cpus};

use crate::error::HuntError;

type Work = Box<dyn FnOnce(&mut Slot) + Send>;

/// Work that a lane has before its turn. One test may take a hundred times as long as another, and lanes that waited for
/// each other after every test would hardly do more than one.
const AHEAD: usize = 4;

/// Threads with a worker each.
pub(crate) struct Lanes {
    lanes: Vec<Lane>,
    /// The lane that gets the next work, counted on.
    turn: Cell<usize>,
}

/// What is to come of some work.
pub(crate) struct Answer<T>(Receiver<Result<T, SessionError>>);

impl<T> Answer<T> {
    pub(crate) fn wait(self) -> Result<T, HuntError> {
        match self.0.recv() {
            Ok(answer) => answer.map_err(HuntError::from),
            Err(_) => Err(HuntError::LostLane),
        }
    }
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
            turn: Cell::new(0),
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

    /// How much work keeps all lanes busy until the first of it is done. With one lane, nothing is gained by being ahead.
    pub(crate) fn window(&self) -> usize {
        match self.lanes.len() {
            1 => 1,
            several => AHEAD * several,
        }
    }

    /// Gives work to the lane whose turn it is, which does it after what it was given before. So what is done by which
    /// lane, and after what, depends on the order of the work alone, and a hunt with several lanes can be repeated too.
    pub(crate) fn submit<T, F>(&self, work: F) -> Result<Answer<T>, HuntError>
    where
        T: Send + 'static,
        F: FnOnce(&mut Session) -> Result<T, SessionError> + Send + 'static,
    {
        let turn = self.turn.get();
        self.turn.set((turn + 1) % self.lanes.len());
        let (sender, receiver) = mpsc::channel();
        let work: Work = Box::new(move |slot| {
            // Nobody listens any more if another lane has failed.
            let _ = sender.send(slot.session().and_then(work));
        });
        let queue = self.lanes.get(turn).and_then(|lane| lane.work.as_ref());
        let queue = queue.ok_or(HuntError::LostLane)?;
        queue.send(work).map_err(|_| HuntError::LostLane)?;
        Ok(Answer(receiver))
    }

    /// Does all of it, as much as possible at the same time; the answers come in the order of the work.
    pub(crate) fn run<T, F>(&self, work: Vec<F>) -> Result<Vec<T>, HuntError>
    where
        T: Send + 'static,
        F: FnOnce(&mut Session) -> Result<T, SessionError> + Send + 'static,
    {
        let answers: Result<Vec<Answer<T>>, HuntError> =
            work.into_iter().map(|work| self.submit(work)).collect();
        answers?.into_iter().map(Answer::wait).collect()
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
