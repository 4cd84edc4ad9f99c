//! Threads with a worker each. A worker dies with the thread that started it, so an executor stays in its thread.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use raddle_execute::{Ready, SessionError, SessionOptions, usable_cpus};

use crate::error::HuntError;
use crate::executor::{Executor, Open};

type Work = Box<dyn FnOnce(&mut Slot) + Send>;

/// Work that a thread has before its turn. One test may take a hundred times as long as another, and workers that waited for
/// each other after every test would hardly do more than one.
const AHEAD: usize = 4;

/// Threads with a worker each.
pub(crate) struct WorkerPool {
    threads: Vec<PoolThread>,
    /// The thread that gets the next work, counted on.
    turn: Cell<usize>,
}

/// What is to come of some work.
pub(crate) struct Answer<T>(Receiver<Result<T, SessionError>>);

impl<T> Answer<T> {
    pub(crate) fn wait(self) -> Result<T, HuntError> {
        match self.0.recv() {
            Ok(answer) => answer.map_err(HuntError::from),
            Err(_) => Err(HuntError::LostWorkerThread),
        }
    }
}

struct PoolThread {
    /// None only while the thread is taken down.
    work: Option<Sender<Work>>,
    thread: Option<JoinHandle<()>>,
}

/// An executor that is opened when it is first needed.
struct Slot {
    open: Open,
    options: SessionOptions,
    executor: Option<Box<dyn Executor>>,
}

impl Slot {
    fn executor(&mut self) -> Result<&mut dyn Executor, SessionError> {
        let executor = match self.executor.take() {
            Some(executor) => executor,
            None => (self.open)(self.options.clone())?,
        };
        Ok(self.executor.insert(executor).as_mut())
    }
}

impl WorkerPool {
    /// So many threads, and the first one's worker started.
    pub(crate) fn open(
        open: &Open,
        options: &SessionOptions,
        count: usize,
    ) -> Result<(WorkerPool, Ready), HuntError> {
        // A worker stays on one CPU, and two on the same would take turns.
        let cpus = if count > 1 { usable_cpus() } else { Vec::new() };
        let on_cpu = |thread: usize| SessionOptions {
            cpu: cpus.get(thread % cpus.len().max(1)).copied(),
            ..options.clone()
        };
        let pool = WorkerPool {
            threads: (0..count.max(1))
                .map(|thread| PoolThread::new(thread, Arc::clone(open), on_cpu(thread)))
                .collect(),
            turn: Cell::new(0),
        };
        let ready = pool.run(vec![|session: &mut dyn Executor| Ok(session.ready().clone())])?;
        let ready = ready.into_iter().next().ok_or(HuntError::LostWorkerThread)?;
        if let Some(cage) = ready.cage.as_ref().filter(|cage| cage.is_open()) {
            return Err(HuntError::NoCage(cage.gaps().join("; ")));
        }
        Ok((pool, ready))
    }

    pub(crate) fn len(&self) -> usize {
        self.threads.len()
    }

    /// How much work keeps all workers busy until the first of it is done. With one worker, nothing is gained by being ahead.
    pub(crate) fn window(&self) -> usize {
        match self.threads.len() {
            1 => 1,
            several => AHEAD * several,
        }
    }

    /// Gives work to the thread whose turn it is, which does it after what it was given before. So what is done by which
    /// thread, and after what, depends on the order of the work alone, and a hunt with several workers can be repeated too.
    pub(crate) fn submit<T, F>(&self, work: F) -> Result<Answer<T>, HuntError>
    where
        T: Send + 'static,
        F: FnOnce(&mut dyn Executor) -> Result<T, SessionError> + Send + 'static,
    {
        let turn = self.turn.get();
        self.turn.set((turn + 1) % self.threads.len());
        let (sender, receiver) = mpsc::channel();
        let work: Work = Box::new(move |slot| {
            // Nobody listens any more if another thread has failed.
            let _ = sender.send(slot.executor().and_then(work));
        });
        let queue = self.threads.get(turn).and_then(|thread| thread.work.as_ref());
        let queue = queue.ok_or(HuntError::LostWorkerThread)?;
        queue.send(work).map_err(|_| HuntError::LostWorkerThread)?;
        Ok(Answer(receiver))
    }

    /// Does all of it, as much as possible at the same time; the answers come in the order of the work.
    pub(crate) fn run<T, F>(&self, work: Vec<F>) -> Result<Vec<T>, HuntError>
    where
        T: Send + 'static,
        F: FnOnce(&mut dyn Executor) -> Result<T, SessionError> + Send + 'static,
    {
        let answers: Result<Vec<Answer<T>>, HuntError> =
            work.into_iter().map(|work| self.submit(work)).collect();
        answers?.into_iter().map(Answer::wait).collect()
    }
}

impl PoolThread {
    fn new(number: usize, open: Open, options: SessionOptions) -> PoolThread {
        let (sender, receiver) = mpsc::channel::<Work>();
        let thread = thread::spawn(move || {
            let _span = tracing::info_span!("worker", number).entered();
            let mut slot = Slot {
                open,
                options,
                executor: None,
            };
            while let Ok(work) = receiver.recv() {
                work(&mut slot);
            }
        });
        PoolThread {
            work: Some(sender),
            thread: Some(thread),
        }
    }
}

impl Drop for PoolThread {
    fn drop(&mut self) {
        self.work = None;
        if let Some(thread) = self.thread.take() {
            // Its worker is to be gone before the program is. That it panicked, its hook has said.
            let _ = thread.join();
        }
    }
}
