//! What happens before what in one run: the order that the Java memory model gives its events, with vector clocks.
//!
//! Where the events do not say enough, more is ordered than the memory model orders, so that nothing is called a race for
//! want of knowledge:
//!
//! - Who started a thread does not show. The plan's own threads, which are those that make calls, come after the calls
//!   before them. Any other thread comes after everything that was done before its first event.
//! - Which thread is joined does not show either. A join comes after all threads that do nothing any more.
//! - An atomic access knows its object but not its field. It is ordered with all atomic and volatile accesses to the
//!   object, whatever its memory ordering mode.
//! - Who was interrupted does not show where that is noticed. Every wait may have ended by every earlier interrupt.
//!
//! Variables are smaller here than where a run is compared with orders of whole calls: what is not known to be one variable is
//! none, and not all of them.
//!
//! Not seen at all is what happens while a class is being initialised, and volatile and atomic accesses in the code below
//! `java.util` that is only rewritten for its locks. What is handed over in no other way looks unordered.

use std::collections::{BTreeMap, BTreeSet};

use raddle_plan::{Event, EventKind, FieldRef};

use super::clock::Clock;
use super::location::Location;
use super::monitors::Monitors;

/// Who else may notice what a thread has done so far.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Channel<'e> {
    /// Who takes this monitor.
    Monitor(u32),
    /// Who reads this volatile variable.
    Volatile(Location<'e>),
    /// Who accesses this object atomically: it may be any of its volatile variables.
    Volatiles(u32),
    /// Who accesses this object atomically, or a volatile variable of it.
    Atomics(u32),
    /// This thread, when it parks.
    Permit(u32),
    /// Who waits.
    Interrupts,
}

/// The threads of the plan: those that make calls.
pub(super) fn plan_threads(events: &[Event]) -> BTreeSet<u32> {
    let calls = events
        .iter()
        .filter(|event| event.kind == EventKind::Call && event.thread > 0);
    calls.map(|event| event.thread).collect()
}

/// The order, as far as the events have been gone through.
pub(super) struct HappensBefore<'e> {
    is_volatile: &'e dyn Fn(&FieldRef) -> bool,
    plan: BTreeSet<u32>,
    /// The position of each thread's last event.
    last: BTreeMap<u32, usize>,
    threads: BTreeMap<u32, Clock>,
    channels: BTreeMap<Channel<'e>, Clock>,
    monitors: Monitors<'e>,
}

impl<'e> HappensBefore<'e> {
    pub(super) fn new(events: &'e [Event], is_volatile: &'e dyn Fn(&FieldRef) -> bool) -> HappensBefore<'e> {
        HappensBefore {
            is_volatile,
            plan: plan_threads(events),
            last: events
                .iter()
                .enumerate()
                .map(|(at, event)| (event.thread, at))
                .collect(),
            threads: BTreeMap::new(),
            channels: BTreeMap::new(),
            monitors: Monitors::default(),
        }
    }

    /// The next event, which is at this position. Gives back what comes before it, and the variable if this is an
    /// access to one that orders nothing.
    pub(super) fn step(&mut self, at: usize, event: &'e Event) -> (&Clock, Option<Location<'e>>) {
        if !self.threads.contains_key(&event.thread) {
            self.begin(event.thread);
        }
        self.threads
            .entry(event.thread)
            .or_default()
            .tick(event.thread, at);
        let taken = self.monitors.step(event);
        if let Some(owner) = taken.and_then(|taken| taken.left_by) {
            self.release(owner, Channel::Monitor(event.object));
        }
        let plain = self.synchronise(at, event);
        (self.threads.entry(event.thread).or_default(), plain)
    }

    fn synchronise(&mut self, at: usize, event: &'e Event) -> Option<Location<'e>> {
        let (thread, object) = (event.thread, event.object);
        match event.kind {
            EventKind::Enter => self.acquire(thread, Channel::Monitor(object)),
            // Releasing what is still held is no harm: nobody can take it before it is really released.
            EventKind::Exit => self.release(thread, Channel::Monitor(object)),
            EventKind::Wait => {
                self.acquire(thread, Channel::Interrupts);
                self.release(thread, Channel::Monitor(object));
            }
            EventKind::Woken => {
                self.acquire(thread, Channel::Interrupts);
                self.acquire(thread, Channel::Monitor(object));
            }
            EventKind::Unpark => self.release(thread, Channel::Permit(object)),
            EventKind::Park => {
                self.acquire(thread, Channel::Interrupts);
                self.acquire(thread, Channel::Permit(object));
            }
            EventKind::Interrupt => self.release(thread, Channel::Interrupts),
            EventKind::Sleep => self.acquire(thread, Channel::Interrupts),
            EventKind::Join => {
                self.acquire(thread, Channel::Interrupts);
                self.come_after(thread, |_, last| last < at);
            }
            EventKind::JoinAll => self.come_after(thread, |_, _| true),
            EventKind::Atomic => {
                self.acquire(thread, Channel::Atomics(object));
                self.acquire(thread, Channel::Volatiles(object));
                self.release(thread, Channel::Atomics(object));
            }
            EventKind::Read if asks_for_end(event) => self.come_after(thread, |_, last| last < at),
            EventKind::Read | EventKind::Write => return self.access(event),
            _ => {}
        }
        None
    }

    fn access(&mut self, event: &'e Event) -> Option<Location<'e>> {
        let location = Location::of(event)?;
        // Elements of arrays have no target, and are never volatile.
        if !event.field().is_some_and(self.is_volatile) {
            return Some(location);
        }
        let (thread, object) = (event.thread, event.object);
        if event.kind == EventKind::Read {
            self.acquire(thread, Channel::Volatile(location));
            self.acquire(thread, Channel::Atomics(object));
        } else {
            self.release(thread, Channel::Volatile(location));
            self.release(thread, Channel::Volatiles(object));
        }
        None
    }

    fn begin(&mut self, thread: u32) {
        if self.plan.contains(&thread) {
            self.come_after(thread, |other, _| other == 0);
        } else {
            self.come_after(thread, |_, _| true);
        }
    }

    /// The thread goes on after what these threads have done so far. They are told by number and last event.
    fn come_after(&mut self, thread: u32, is_one: impl Fn(u32, usize) -> bool) {
        let mut clock = self.threads.remove(&thread).unwrap_or_default();
        for (other, before) in &self.threads {
            if self.last.get(other).is_some_and(|last| is_one(*other, *last)) {
                clock.join(before);
            }
        }
        self.threads.insert(thread, clock);
    }

    fn acquire(&mut self, thread: u32, channel: Channel<'e>) {
        if let Some(released) = self.channels.get(&channel) {
            self.threads.entry(thread).or_default().join(released);
        }
    }

    fn release(&mut self, thread: u32, channel: Channel<'e>) {
        if let Some(clock) = self.threads.get(&thread) {
            self.channels.entry(channel).or_default().join(clock);
        }
    }
}

/// `Thread.isAlive`, which shows as a read.
fn asks_for_end(event: &Event) -> bool {
    event
        .method()
        .is_some_and(|method| &*method.name == "isAlive" && &*method.descriptor == "()Z")
}
