//! Which steps of a run happen before which, and which pairs of them could have come in the other order.
//!
//! Two steps depend on each other if they are of one thread, touch one memory location and one of them writes, use one
//! lock, concern the permit of one thread, or if one of them is the start or the end of the other's thread. A step of
//! which nothing is known depends on all. The order of dependent steps makes the equivalence: runs that order them alike
//! differ only in what no thread can notice.

use std::collections::BTreeMap;

use raddle_plan::{Run, Step, Touch, TouchKind};

/// A step with all it does.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) thread: u8,
    pub(crate) touch: Touch,
    /// A lock that is given up on the way to the thread's next point: that belongs to this step.
    pub(crate) released: Option<u64>,
}

impl Event {
    pub(crate) const fn new(thread: u8, touch: Touch) -> Event {
        Event {
            thread,
            touch,
            released: None,
        }
    }

    pub(crate) fn depends_on(&self, other: &Event) -> bool {
        self.thread == other.thread
            || conflict(self.touch, other.touch)
            || self.concerns(other.thread)
            || other.concerns(self.thread)
            || self.any_lock(other, |one, other| one == other)
    }

    /// The same for events of two runs, of which all that is known is that the runs begin alike: one object may be known
    /// by two passing numbers then, or two objects by one.
    pub(crate) fn may_depend_on(&self, other: &Event) -> bool {
        self.depends_on(other)
            || might_conflict(self.touch, other.touch)
            || self.any_lock(other, |one, other| one & other & Touch::PASSING != 0)
    }

    fn any_lock(&self, other: &Event, test: fn(u64, u64) -> bool) -> bool {
        let locks = |event: &Event| event.locks().into_iter().flatten();
        locks(self).any(|lock| locks(other).any(|others| test(lock, others)))
    }

    fn concerns(&self, thread: u8) -> bool {
        let Touch { kind, location } = self.touch;
        match kind {
            TouchKind::Spawn => location == u64::from(thread),
            TouchKind::Join => location == u64::from(thread) || location == Touch::ALL_THREADS,
            _ => false,
        }
    }

    fn locks(&self) -> [Option<u64>; 2] {
        let used = matches!(
            self.touch.kind,
            TouchKind::Lock | TouchKind::Wait | TouchKind::Notify
        );
        [used.then_some(self.touch.location), self.released]
    }
}

/// Whether two locations could be one, for all that passing numbers tell.
fn might_conflict(one: Touch, other: Touch) -> bool {
    let one_writes = matches!(
        (one.kind, other.kind),
        (TouchKind::Read | TouchKind::Write, TouchKind::Write) | (TouchKind::Write, TouchKind::Read)
    );
    one_writes && one.location & other.location & Touch::PASSING != 0
}

fn conflict(one: Touch, other: Touch) -> bool {
    match (one.kind, other.kind) {
        (TouchKind::Unknown, _) | (_, TouchKind::Unknown) => true,
        // Two writes are told apart from what they write; two permits for one thread are one.
        (TouchKind::Read | TouchKind::Write, TouchKind::Write) | (TouchKind::Write, TouchKind::Read) => {
            one.overlaps(other)
        }
        (TouchKind::Park, TouchKind::Unpark) | (TouchKind::Unpark, TouchKind::Park) => {
            one.location == other.location
        }
        _ => false,
    }
}

/// The steps of a run, each with what it does.
pub(crate) fn events(run: &Run) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::with_capacity(run.steps.len());
    let mut last = [None; 256];
    for (at, step) in run.steps.iter().enumerate() {
        let mut event = Event::new(step.chosen, step.touch.unwrap_or(Touch::UNKNOWN));
        let last = &mut last[usize::from(step.chosen)];
        if event.touch.kind == TouchKind::Unlock {
            if let Some(before) = last.and_then(|before: usize| events.get_mut(before)) {
                before.released = Some(event.touch.location);
            }
            event.touch = Touch::LOCAL;
        }
        *last = Some(at);
        events.push(event);
    }
    events
}

/// Whether everything is known that [`reversals`] needs.
pub(crate) fn is_known(run: &Run) -> bool {
    let known = |touch: Touch| touch.kind != TouchKind::Unknown;
    run.steps.iter().all(|step| step.touch.is_some_and(known))
        && run
            .blocked
            .as_ref()
            .is_some_and(|blocked| blocked.iter().all(|thread| known(thread.touch)))
}

/// A way to let the second of two steps come before the first.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Reversal {
    /// The first of the two.
    pub(crate) at: usize,
    /// What is to be done in its place: all that does not happen after it, and then the second.
    pub(crate) sequence: Vec<Event>,
    /// Whether the thread of the second stood before it all the time.
    pub(crate) stood: bool,
}

/// All pairs of steps that could have come in the other order, if nothing in the run is unknown. One at a time, for each
/// may be as long as the run.
pub(crate) fn reversals(run: &Run, events: &[Event]) -> impl Iterator<Item = Reversal> {
    let mut history = History::new(run, events);
    let mut races = Vec::new();
    for (at, event) in events.iter().enumerate() {
        let before = history.last[usize::from(event.thread)];
        for first in history.enter(at, event) {
            races.push((first, *event, before));
        }
    }
    for blocked in run.blocked.iter().flatten() {
        let event = Event::new(blocked.thread, blocked.touch);
        if let Some(first) = history.barred_by(&event) {
            races.push((first, event, history.last[usize::from(event.thread)]));
        }
    }
    races.into_iter().filter_map(move |(first, second, before)| {
        let stood = before.is_none_or(|before| before < first);
        let could = run.steps[first].enabled & bit(second.thread) != 0;
        // The lock was free there, so the thread was still waiting for a notification.
        if second.touch.kind == TouchKind::Lock && stood && !could {
            return None;
        }
        Some(Reversal {
            at: first,
            sequence: history.instead_of(first, second)?,
            stood,
        })
    })
}

/// Who holds a lock, or held it last.
#[derive(Copy, Clone)]
struct Hold {
    owner: u8,
    depth: u32,
    /// Where the lock was taken, not merely once more.
    taken: usize,
    released: Option<usize>,
}

/// What can be shared, except locks.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Object {
    /// All parts of it.
    Memory(u64),
    Permit(u64),
}

impl Object {
    fn of(touch: Touch) -> Option<Object> {
        match touch.kind {
            TouchKind::Read | TouchKind::Write => Some(Object::Memory(touch.object())),
            TouchKind::Park | TouchKind::Unpark => Some(Object::Permit(touch.location)),
            _ => None,
        }
    }
}

/// A run up to some step.
struct History<'a> {
    events: &'a [Event],
    /// How many threads there are.
    width: usize,
    /// For each step and thread: up to where the steps of that thread happen before it.
    clocks: Vec<u32>,
    /// The step that each thread was started by.
    births: Vec<Option<usize>>,
    /// The last step of each thread.
    last: Vec<Option<usize>>,
    uses: BTreeMap<Object, Vec<usize>>,
    holds: BTreeMap<u64, Hold>,
    /// Threads that wait, and how often they had taken the lock.
    waits: BTreeMap<(u8, u64), u32>,
}

impl<'a> History<'a> {
    fn new(run: &Run, events: &'a [Event]) -> History<'a> {
        let blocked = run.blocked.iter().flatten().map(|blocked| blocked.thread);
        let chosen = events.iter().map(|event| event.thread);
        let width = blocked.chain(chosen).max().map_or(0, usize::from) + 1;
        let births = (0..width)
            .map(|thread| {
                let can_run = |step: &Step| step.enabled & bit(thread as u8) != 0;
                run.steps.iter().position(can_run)?.checked_sub(1)
            })
            .collect();
        History {
            events,
            width,
            clocks: Vec::with_capacity(events.len() * width),
            births,
            last: vec![None; width],
            uses: BTreeMap::new(),
            holds: BTreeMap::new(),
            waits: BTreeMap::new(),
        }
    }

    fn clock(&self, at: usize) -> &[u32] {
        &self.clocks[at * self.width..][..self.width]
    }

    fn knows(&self, clock: &[u32], at: usize) -> bool {
        clock[usize::from(self.events[at].thread)] as usize > at
    }

    fn happens_before(&self, first: usize, second: usize) -> bool {
        self.knows(self.clock(second), first)
    }

    /// What must have happened before the thread can do this at all.
    fn needs(&self, event: &Event) -> Vec<u32> {
        let thread = usize::from(event.thread);
        let mut clock = vec![0; self.width];
        if let Some(before) = self.last[thread].or(self.births[thread]) {
            join(&mut clock, self.clock(before));
        }
        clock
    }

    /// Takes the next step into the history. Returns the steps that could have come after it instead of before.
    fn enter(&mut self, at: usize, event: &Event) -> Vec<usize> {
        let mut clock = self.needs(event);
        let Touch { kind, location } = event.touch;
        let mut races = self.meet(at, event, &mut clock);
        match kind {
            TouchKind::Lock => {
                races.extend(self.barred_by(event));
                self.take(at, event, &mut clock);
            }
            TouchKind::Wait => {
                if let Some(hold) = self.holds.get_mut(&location) {
                    self.waits.insert((event.thread, location), hold.depth);
                    hold.depth = 0;
                    hold.released = Some(at);
                }
            }
            TouchKind::Join => {
                for (thread, last) in self.last.iter().enumerate() {
                    if let Some(last) = last
                        && (location == Touch::ALL_THREADS || location == thread as u64)
                    {
                        join(&mut clock, self.clock(*last));
                    }
                }
            }
            // Who notifies has the lock, which makes the order, and who is started is seen from who can run.
            TouchKind::Read
            | TouchKind::Write
            | TouchKind::Park
            | TouchKind::Unpark
            | TouchKind::Notify
            | TouchKind::Spawn
            | TouchKind::Unlock
            | TouchKind::Local
            | TouchKind::Unknown => {}
        }
        if let Some(hold) = event.released.and_then(|lock| self.holds.get_mut(&lock)) {
            hold.depth = hold.depth.saturating_sub(1);
            hold.released = Some(at);
        }
        clock[usize::from(event.thread)] = at as u32 + 1;
        self.clocks.extend(clock);
        self.last[usize::from(event.thread)] = Some(at);
        races
    }

    /// Orders a step after those before that it depends on for what both touch. Returns those with nothing in between.
    fn meet(&mut self, at: usize, event: &Event, clock: &mut [u32]) -> Vec<usize> {
        let mut latest: Vec<usize> = Vec::new();
        if let Some(object) = Object::of(event.touch) {
            let known = latest.len();
            let uses = self.uses.entry(object).or_default();
            for &before in uses.iter().rev() {
                let other = &self.events[before];
                let seen = latest[known..]
                    .iter()
                    .any(|known| self.events[*known].thread == other.thread);
                if other.thread != event.thread && !seen && other.depends_on(event) {
                    latest.push(before);
                }
                if latest.len() - known + 1 >= self.width {
                    break;
                }
            }
            uses.push(at);
        }
        latest.sort_unstable();
        latest.dedup();
        let races = latest
            .iter()
            .copied()
            .filter(|first| !self.knows(clock, *first))
            .filter(|first| {
                !latest
                    .iter()
                    .any(|between| between != first && self.happens_before(*first, *between))
            })
            .collect();
        for before in latest {
            join(clock, self.clock(before));
        }
        races
    }

    fn take(&mut self, at: usize, event: &Event, clock: &mut [u32]) {
        let lock = event.touch.location;
        let before = self.holds.get(&lock).copied();
        let again = self.waits.remove(&(event.thread, lock));
        let hold = match before {
            Some(hold) if hold.owner == event.thread && hold.depth > 0 => Hold {
                depth: hold.depth + 1,
                ..hold
            },
            _ => Hold {
                owner: event.thread,
                depth: again.unwrap_or(1).max(1),
                taken: at,
                released: None,
            },
        };
        let ends = before.map(|hold| [Some(hold.taken), hold.released]);
        for before in ends.into_iter().flatten().flatten() {
            join(clock, self.clock(before));
        }
        self.holds.insert(lock, hold);
    }

    /// Where another thread took the lock that this step is about, if this step could have come before that.
    ///
    /// The step that gave the lock up comes between the two, but one cannot have the lock before it was given up: what
    /// can come in the other order are the two that take it.
    fn barred_by(&self, event: &Event) -> Option<usize> {
        if event.touch.kind != TouchKind::Lock {
            return None;
        }
        let hold = self.holds.get(&event.touch.location)?;
        let could_come_first = hold.owner != event.thread && !self.knows(&self.needs(event), hold.taken);
        could_come_first.then_some(hold.taken)
    }

    /// What to do in place of the first step so that the second comes before it.
    fn instead_of(&self, first: usize, second: Event) -> Option<Vec<Event>> {
        let mut sequence: Vec<Event> = (first + 1..self.events.len())
            .filter(|at| !self.happens_before(first, *at))
            .map(|at| self.events[at])
            .collect();
        if second.touch.kind == TouchKind::Park {
            let permit = self.events[..first]
                .iter()
                .chain(&sequence)
                .map(|event| event.touch)
                .filter(|touch| touch.location == second.touch.location)
                .rfind(|touch| matches!(touch.kind, TouchKind::Park | TouchKind::Unpark));
            if permit.is_none_or(|touch| touch.kind == TouchKind::Park) {
                return None;
            }
        }
        sequence.push(second);
        Some(sequence)
    }
}

pub(super) fn bit(thread: u8) -> u64 {
    1u64.checked_shl(u32::from(thread)).unwrap_or(0)
}

fn join(clock: &mut [u32], other: &[u32]) {
    for (mine, theirs) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(*theirs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PART: u64 = 16;

    fn event(thread: u8, kind: TouchKind, object: u64, part: u64) -> Event {
        Event::new(thread, Touch::new(kind, object << Touch::PART_BITS | part))
    }

    #[test]
    fn all_parts_of_an_object_are_each_of_them() {
        let one = event(1, TouchKind::Write, 5, PART);
        assert!(!one.depends_on(&event(2, TouchKind::Read, 5, PART + 4)));
        assert!(one.depends_on(&event(2, TouchKind::Read, 5, Touch::ALL_PARTS)));
        assert!(!one.depends_on(&event(2, TouchKind::Read, 6, Touch::ALL_PARTS)));
    }

    #[test]
    fn passing_numbers_of_two_runs_may_be_one_object() {
        let passing = |thread, kind, object: u64| {
            event(thread, kind, object | Touch::PASSING >> Touch::PART_BITS, PART)
        };
        let (write, read) = (passing(1, TouchKind::Write, 5), passing(2, TouchKind::Read, 6));
        assert!(!write.depends_on(&read) && write.may_depend_on(&read));
        assert!(!passing(1, TouchKind::Read, 5).may_depend_on(&read));
        assert!(!event(1, TouchKind::Write, 5, PART).may_depend_on(&read));
        assert!(passing(1, TouchKind::Lock, 5).may_depend_on(&passing(2, TouchKind::Lock, 6)));
    }
}
