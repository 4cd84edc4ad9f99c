//! What all threads of the JVM are doing, and noticing that they do nothing.
//!
//! One thread does both. It is attached to the JVM from the beginning: attaching runs Java code, which may need a lock
//! that a stuck thread holds.

use std::fmt::{self, Display, Formatter};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::agent::Agent;
use crate::error::EngineError;
use crate::jni::{Env, Vm};
use crate::jvmti::RawStack;
use crate::natives;

/// How often the counter of progress is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// The JVM brings all threads to a stop for stacks; if one does not come, there are none.
const PATIENCE: Duration = Duration::from_secs(5);
/// Local references for one look at all threads; the JVM makes room for more.
const REFERENCES: i32 = 256;

/// What a thread is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadStack {
    /// Its name.
    pub name: String,
    /// What it is doing, in words.
    pub state: String,
    /// Innermost first, as Java prints them.
    pub frames: Vec<String>,
}

impl Display for ThreadStack {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "\"{}\" {}", self.name, self.state)?;
        self.frames
            .iter()
            .try_for_each(|frame| write!(out, "\n    at {frame}"))
    }
}

/// What is called when nothing moves: the stacks, and for how long nothing has moved.
pub type OnStall = Box<dyn FnMut(&[ThreadStack], Duration) + Send>;

/// Counts begins and ends of work, so that it is odd while work is under way.
#[derive(Debug, Default)]
pub(crate) struct Activity(AtomicU64);

impl Activity {
    /// Work is under way until the result is dropped.
    pub(crate) fn begin(&self) -> Working<'_> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Working(self)
    }

    /// Which work is under way.
    fn current(&self) -> Option<u64> {
        let number = self.0.load(Ordering::Relaxed);
        (number % 2 == 1).then_some(number)
    }
}

/// Work under way.
pub(crate) struct Working<'a>(&'a Activity);

impl Drop for Working<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// Asks for stacks; works on every thread, also while the JVM is busy.
#[derive(Clone, Debug)]
pub struct Stacks {
    requests: SyncSender<SyncSender<Vec<ThreadStack>>>,
}

impl Stacks {
    /// What all threads are doing; none if the JVM gives no answer in a few seconds.
    pub fn take(&self) -> Option<Vec<ThreadStack>> {
        let (answer, stacks) = mpsc::sync_channel(1);
        match self.requests.try_send(answer) {
            Ok(()) => stacks.recv_timeout(PATIENCE).ok(),
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => None,
        }
    }
}

/// Whom to tell, and when.
struct Alarm {
    after: Duration,
    tell: OnStall,
}

/// The thread that watches.
pub(crate) struct Observer {
    pub(crate) stacks: Stacks,
    alarm: Arc<Mutex<Option<Alarm>>>,
}

impl Observer {
    /// Starts the thread; returns when it is attached.
    pub(crate) fn start(vm: Vm, activity: Arc<Activity>) -> Result<Self, EngineError> {
        let (requests, incoming) = mpsc::sync_channel(4);
        let (attached, outcome) = mpsc::sync_channel(1);
        let alarm = Arc::new(Mutex::new(None));
        let shared = Arc::clone(&alarm);
        thread::Builder::new()
            .name(String::from("raddle-observer"))
            .spawn(move || match vm.attach_as_daemon(c"raddle-observer") {
                Ok(env) => {
                    let _ = attached.send(Ok(()));
                    observe(env, &incoming, &activity, &shared);
                }
                Err(code) => {
                    let _ = attached.send(Err(code));
                }
            })
            .map_err(EngineError::Thread)?;
        match outcome.recv() {
            Ok(Ok(())) => Ok(Self {
                stacks: Stacks { requests },
                alarm,
            }),
            Ok(Err(code)) => Err(EngineError::Runtime {
                reason: format!("the observer's thread cannot be attached (code {code})"),
            }),
            Err(_) => Err(EngineError::Gone),
        }
    }

    /// From here on, tells when the counter of progress stands still for so long while work is under way.
    pub(crate) fn watch(&self, after: Duration, tell: OnStall) {
        *self.alarm.lock().unwrap_or_else(PoisonError::into_inner) = Some(Alarm { after, tell });
    }
}

fn observe(
    env: Env<'_>,
    incoming: &Receiver<SyncSender<Vec<ThreadStack>>>,
    activity: &Activity,
    alarm: &Mutex<Option<Alarm>>,
) {
    let mut seen = (None, 0);
    let mut since = Instant::now();
    let mut told = false;
    loop {
        match incoming.recv_timeout(LOOK) {
            Ok(answer) => {
                if let Some(stacks) = look(env) {
                    let _ = answer.try_send(stacks); // whoever asked may have gone on
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        let now = (activity.current(), natives::progress_count());
        if now != seen || now.0.is_none() {
            seen = now;
            since = Instant::now();
            told = false;
            continue;
        }
        let mut alarm = alarm.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(alarm) = alarm.as_mut()
            && !told
            && since.elapsed() >= alarm.after
        {
            told = true;
            let stacks = look(env).unwrap_or_default();
            // It may have gone on while the stacks were taken.
            if (activity.current(), natives::progress_count()) == seen {
                (alarm.tell)(&stacks, since.elapsed());
            }
        }
    }
}

fn look(env: Env<'_>) -> Option<Vec<ThreadStack>> {
    let jvmti = Agent::get()?.jvmti()?;
    let stacks = env.with_local_frame(REFERENCES, |env| jvmti.stacks(env))?;
    Some(stacks.ok()?.into_iter().map(described).collect())
}

fn described(stack: RawStack) -> ThreadStack {
    // Bits of JVMTI_THREAD_STATE, the most telling first.
    let states = [
        (0x0400, "blocked on a monitor"),
        (0x0100, "in Object.wait"),
        (0x0200, "parked"),
        (0x0040, "sleeping"),
        (0x0040_0000, "in native code"),
        (0x0004, "running"),
    ];
    let known = states.iter().find(|(bit, _)| stack.state & bit != 0);
    let mut state = String::from(known.map_or("in an unknown state", |(_, name)| name));
    if let Some((class, owner)) = &stack.contended {
        let owner = owner.as_ref().map(|owner| format!(", held by \"{owner}\""));
        state = format!("{state} ({class}{})", owner.unwrap_or_default());
    }
    ThreadStack {
        name: stack.name,
        state,
        frames: stack.frames,
    }
}
