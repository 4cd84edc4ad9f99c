//! No thread can go on, one at least waits to be woken, and no locks are to blame; in no linearization. An endless hang
//! in the sense of DepCon+, definition 4.
//!
//! A thread waits to be woken in `Object.wait`, in `LockSupport.park` (on which the locks and queues of
//! `java.util.concurrent` are built), or in `Thread.join`. The name says what is most often the reason: the wake-up came
//! before the wait. What was seen is only that it never comes.
//!
//! If what a thread waits for is there already, as after a `notify` that should have been a `notifyAll`, no linearization
//! has to tell: see `RaddleProbe.java`. Nor has it to if the lock that a thread is parked for was taken by a call that threw
//! and did not release it.

use raddle_plan::{End, KeptLock, Outcome, ThreadEnd, ThreadState};

use crate::baseline::{Baseline, hanging};
use crate::deadlock::{cycle, instead, waits_for};
use crate::judge::Oracle;
use crate::verdict::{Evidence, Kind, Violation, Waiter};
use crate::words;

/// Looks for threads that wait for ever.
#[derive(Copy, Clone, Debug)]
pub struct LostWakeup;

impl Oracle for LostWakeup {
    fn kind(&self) -> Kind {
        Kind::LostWakeup
    }

    fn look(&self, baseline: &Baseline, outcome: &Outcome) -> Option<Violation> {
        let calls = hanging(outcome);
        if outcome.end != End::Stuck || cycle(outcome).is_some() {
            return None;
        }
        // Whoever waits for what is there waits in vain in an order of whole calls, too.
        let is_needless = |thread: &ThreadEnd| thread.state == ThreadState::WaitingNeedlessly;
        let is_needless = outcome.threads.iter().any(is_needless);
        // Nor does it take two threads at once to leave a lock behind.
        let kept = outcome.kept_lock();
        let is_certain = is_needless || kept.is_some();
        if !is_certain && (baseline.ends_vary() || baseline.hangs_likewise(&calls)) {
            return None;
        }
        let otherwise = if let Some(KeptLock { owner, exception }) = kept {
            format!(
                "{} has that lock, and has come to its end: its call threw {exception} and kept the lock.",
                owner.name
            )
        } else if is_needless {
            "What it waits for is there: woken for no reason, as any JVM may do, it comes to the end of its call.".to_owned()
        } else {
            instead(baseline, &calls)
        };
        told(outcome, &otherwise)
    }
}

/// The threads that a stuck run left waiting, with a sentence about what should have been instead; none if none of them
/// waits to be woken.
pub(crate) fn told(outcome: &Outcome, otherwise: &str) -> Option<Violation> {
    let threads: Vec<Waiter> = (0u32..)
        .zip(&outcome.threads)
        .filter(|(number, thread)| thread.state != ThreadState::Finished && !waits_for_plan(*number, thread))
        .map(|(number, thread)| waiter(number, thread))
        .collect();
    let waits_to_be_woken = |waiter: &&Waiter| {
        matches!(
            waiter.state,
            ThreadState::Waiting
                | ThreadState::WaitingNeedlessly
                | ThreadState::Parked
                | ThreadState::Joining
        )
    };
    threads.iter().find(waits_to_be_woken)?;
    let sentences: Vec<String> = threads.iter().map(|waiter| sentence(outcome, waiter)).collect();
    Some(Violation {
        kind: Kind::LostWakeup,
        summary: format!(
            "Lost wake-up: {}; and no thread is left that could change that. {otherwise}",
            sentences.join("; "),
        ),
        evidence: Evidence::LostWakeup {
            threads,
            calls: hanging(outcome),
        },
    })
}

/// The main thread waits for the plan's threads in every run; it names none of them.
fn waits_for_plan(number: u32, thread: &ThreadEnd) -> bool {
    number == 0 && thread.state == ThreadState::Joining && thread.wants.is_none()
}

fn waiter(number: u32, thread: &ThreadEnd) -> Waiter {
    Waiter {
        thread: number,
        name: thread.name.clone(),
        state: thread.state,
        wants: thread.wants.clone(),
        at: thread.place.clone(),
        holds: thread.holds.clone(),
    }
}

fn sentence(outcome: &Outcome, waiter: &Waiter) -> String {
    let name = &waiter.name;
    let at = words::at(waiter.at.as_ref());
    let wants = waiter.wants.as_deref();
    let on = wants.map_or_else(String::new, |wants| format!(", waiting for {wants}"));
    let what = match waiter.state {
        ThreadState::Waiting | ThreadState::WaitingNeedlessly => format!(
            "waits in Object.wait{}{at}",
            wants.map_or_else(String::new, |wants| format!(" on {wants}"))
        ),
        ThreadState::Parked => format!("is parked{on}{at}"),
        ThreadState::Joining => format!("waits for the end of {}{at}", wants.unwrap_or("a thread")),
        ThreadState::Blocked => {
            let owner = waits_for(outcome, waiter.thread as usize)
                .and_then(|(owner, _)| outcome.threads.get(owner))
                .map_or_else(String::new, |owner| format!(", which {} holds", owner.name));
            format!("waits for {}{at}{owner}", wants.unwrap_or("a monitor"))
        }
        ThreadState::Sleeping => format!("sleeps{at}"),
        ThreadState::Finished | ThreadState::Runnable | ThreadState::Other => format!("cannot go on{at}"),
    };
    format!("{name} {what}")
}
