//! Every interleaving of a test up to equivalence, each once: Abdulla, Aronis, Jonsson, Sagonas, "Optimal dynamic partial
//! order reduction", POPL 2014.
//!
//! Two interleavings are equivalent if they order all dependent steps alike ([`happens_before`]). A run is searched for
//! pairs of steps that could have come in the other order, and for each a path to a run in which they do is left at the
//! point before the first ([`tree`]). Points are gone back to from the last to the first. What was tried at a point
//! sleeps there, and until something dependent on it happens it would lead to nothing new.
//!
//! What is different from the paper's algorithms:
//! - Races are looked for in whole runs and are gone for along wakeup trees (algorithm 2). With the source sets of
//!   algorithm 1 alone, the part of a run that its tape does not force would often wake what sleeps, and the run would be
//!   in vain. At the end of a path of a wakeup tree nothing sleeps, so any rule may go on from there.
//! - Threads disable each other by locks, which the paper excludes. Two steps that take one lock are a race though one
//!   that gives it up comes between them; and so are a step that took a lock and a thread that still wants it when no
//!   thread can go on.
//! - Starting and ending a thread, giving a lock up, and giving a permit to a thread that has none make others able to run.
//!   That is order and never a race.
//! - Objects of which no number is the same in all runs ([`Touch::PASSING`]) are told apart only within one run, and from
//!   what was pending when the runs parted. So some paths of a wakeup tree lead to what was run before: that costs runs and
//!   misses nothing.
//! - If a run does not tell what each of its steps touches, or which threads were stuck at its end, every other thread
//!   that could have been picked is tried at each of its points.
//! - Ways by which a thread would yield again and again while others wait ([`crate::fair`]) are left out. With a
//!   reduction it is not certain that nothing else is missed for that, so then nothing complete is claimed.
//! - Runs that are cut off by a limit of steps count as interleavings.
//!
//! Memory: only the points of the last run are kept, with the paths still to be gone from each: 56 bytes for each step of
//! a path, which may be as long as a run. When the paths would take more than [`DEFAULT_BYTES`] the search stops.

mod happens_before;
mod tree;

use std::fmt::Write as _;

use raddle_plan::{Order, Run, Step, Switch, Touch};

use crate::bounded::DEFAULT_BYTES;
use crate::fair::Fair;
use crate::fixed_schedule::{PATIENCE, switches_of};
use crate::registry::{Config, ConfigError, Entry, Resume, Written};
use crate::scheduler::{Claim, Scheduler};
use happens_before::{Event, bit, events, is_known, reversals};
use tree::{Begins, Path, Tree, begins};

/// What is to be known of it.
pub(crate) const ENTRY: Entry = Entry {
    name: "dpor",
    parameter: None,
    about: "dpor runs every interleaving once, without a bound, and leaves out those in which only steps change places that \
            have nothing to do with each other.",
    resume: Resume::Anew,
};

pub(crate) fn read(written: &Written<'_>) -> Result<Config, ConfigError> {
    written.alone(Config::Dpor)
}

pub(crate) fn build(_seed: u64, _from: u64) -> Dpor {
    Dpor::new()
}

/// The search.
#[derive(Debug)]
pub struct Dpor {
    bytes: usize,
    /// The points of the last run, up to the one that was gone back to.
    points: Vec<Point>,
    handed_out: Option<HandedOut>,
    begun: bool,
    /// Bytes of paths.
    used: usize,
    /// Whether a thread ever yielded.
    yields: bool,
    count: Count,
}

#[derive(Debug)]
struct Point {
    step: Step,
    event: Event,
    /// Whether everything after the chosen thread's step was tried.
    finished: bool,
    /// What need not be tried here.
    sleep: Vec<Event>,
    tree: Tree,
    /// Threads tried here.
    tried: u32,
    /// Runs made before this point was come to.
    runs_before: u64,
}

/// The run that is now made: from the last of the points, this path.
#[derive(Debug)]
struct HandedOut {
    tape: Vec<Switch>,
    path: Path,
}

#[derive(Debug, Default)]
struct Count {
    runs: u64,
    /// Runs in which something was unknown.
    unknown: u64,
    /// Ways left out since they are not fair.
    unfair: u64,
    /// Runs that did not follow their tape or came without steps.
    strayed: u64,
    /// Orders never reported.
    lost: u64,
    /// Ways for which there was no room.
    dropped: u64,
}

impl Dpor {
    /// All interleavings up to equivalence.
    pub fn new() -> Dpor {
        Dpor {
            bytes: DEFAULT_BYTES,
            points: Vec::new(),
            handed_out: None,
            begun: false,
            used: 0,
            yields: false,
            count: Count::default(),
        }
    }

    /// With another limit on memory than [`DEFAULT_BYTES`].
    #[must_use]
    pub const fn within(mut self, bytes: usize) -> Dpor {
        self.bytes = bytes;
        self
    }

    fn is_over(&self) -> bool {
        self.begun && self.handed_out.is_none() && self.points.iter().all(|point| point.tree.is_empty())
    }

    /// Goes back to the last point where something is left to be tried.
    fn take(&mut self) -> Option<HandedOut> {
        if !self.begun {
            self.begun = true;
            return Some(HandedOut {
                tape: Vec::new(),
                path: Path::new(&[]),
            });
        }
        while let Some(point) = self.points.last_mut() {
            if !point.finished {
                point.finished = true;
                point.sleep.push(point.event);
            }
            if let Some(path) = point.tree.take() {
                self.used = self.used.saturating_sub(path.bytes());
                let tape = self.tape(path.rest());
                return Some(HandedOut { tape, path });
            }
            self.points.pop();
        }
        None
    }

    /// What leads to the last of the points and from there along a path.
    fn tape(&self, path: &[Event]) -> Vec<Switch> {
        let from = self.points.len().saturating_sub(1);
        let before = &self.points[..from];
        let mut tape = switches_of(before.iter().map(|point| &point.step));
        let mut current = before.last().map_or(0, |point| point.step.chosen);
        // Where a thread would give way by itself is not known before it is there.
        let may_give_way = self.yields || from + path.len() >= PATIENCE as usize;
        for (step, event) in (from as u32..).zip(path) {
            if event.thread != current || may_give_way {
                tape.push(Switch {
                    step,
                    thread: u32::from(event.thread),
                });
            }
            current = event.thread;
        }
        tape
    }

    /// Whether a run went as it was told, and came to the points where it was told so.
    fn follows(&self, path: &[Event], run: &Run) -> bool {
        let from = self.points.len().saturating_sub(1);
        let same_point = |(known, step): (&Point, &Step)| known.step.enabled == step.enabled;
        run.steps.len() == run.length as usize
            && run.steps.len() >= from + path.len()
            && run.steps.len() >= self.points.len()
            && self.points.iter().zip(&run.steps).all(same_point)
            && self.points[..from]
                .iter()
                .zip(&run.steps)
                .all(|(known, step)| known.step.chosen == step.chosen)
            && path
                .iter()
                .zip(&run.steps[from..])
                .all(|(event, step)| event.thread == step.chosen)
    }

    /// Puts the new run in the place of the last one.
    fn replace(&mut self, path: &[Event], run: &Run, events: &[Event]) {
        let runs_before = self.count.runs;
        let from = self.points.len().saturating_sub(1);
        // A lock given up on the way to a later point belongs to an earlier step.
        for (point, event) in self.points.iter_mut().zip(events) {
            point.event = *event;
        }
        let mut tree = Tree::default();
        if let Some(point) = self.points.last_mut() {
            point.step = run.steps[from];
            point.finished = false;
            point.tried += 1;
            tree = point.tree.split(point.event.thread);
        }
        let known = self.points.len();
        for (at, (&step, &event)) in run.steps.iter().zip(events).enumerate().skip(known) {
            let mut sleep: Vec<Event> = match self.points.last() {
                Some(before) => before
                    .sleep
                    .iter()
                    .filter(|asleep| !asleep.depends_on(&before.event))
                    .copied()
                    .collect(),
                None => Vec::new(),
            };
            // Only after a step of which too little was known when the way was chosen.
            sleep.retain(|asleep| asleep.thread != event.thread);
            let beyond = if at < from + path.len() {
                tree.split(event.thread)
            } else {
                Tree::default()
            };
            self.points.push(Point {
                step,
                event,
                finished: false,
                sleep,
                tree: std::mem::replace(&mut tree, beyond),
                tried: 1,
                runs_before,
            });
        }
    }

    /// Leaves a way to be tried, unless it leads to what was.
    fn put(&mut self, at: usize, sequence: Vec<Event>) {
        let point = &mut self.points[at];
        if point
            .sleep
            .iter()
            .any(|asleep| begins(asleep, &sequence, |other, asleep| asleep.depends_on(other)) != Begins::No)
        {
            return;
        }
        if self.used + size_of_val(&*sequence) > self.bytes {
            self.count.dropped += 1;
            return;
        }
        self.used += point.tree.insert(sequence);
    }

    fn put_reversals(&mut self, run: &Run, events: &[Event], may_run: &[u64]) {
        for reversal in reversals(run, events) {
            let may_run = may_run.get(reversal.at).copied().unwrap_or(u64::MAX);
            let is_fair = |event: Option<&Event>| event.is_none_or(|event| may_run & bit(event.thread) != 0);
            let second = reversal.sequence.last().filter(|_| reversal.stood);
            if is_fair(reversal.sequence.first()) && is_fair(second) {
                self.put(reversal.at, reversal.sequence);
            } else {
                self.count.unfair += 1;
            }
        }
    }

    fn put_everything(&mut self, run: &Run, may_run: &[u64]) {
        for (at, step) in run.steps.iter().enumerate() {
            let others = step.enabled & !bit(step.chosen);
            let may_run = may_run.get(at).copied().unwrap_or(u64::MAX);
            self.count.unfair += u64::from((others & !may_run).count_ones());
            for thread in (0..64).filter(|thread| others & may_run & bit(*thread) != 0) {
                self.put(at, vec![Event::new(thread, Touch::UNKNOWN)]);
            }
        }
    }

    /// As many more runs as the threads left at each point would take if they took as many as those tried there (Knuth,
    /// "Estimating the efficiency of backtrack programs", 1975).
    fn estimate(&self) -> u64 {
        let all = self.count.runs;
        self.points
            .iter()
            .map(|point| {
                let runs = (all - point.runs_before).max(1);
                let open = point.tree.branches() as u64;
                open.saturating_mul(runs).div_ceil(u64::from(point.tried))
            })
            .fold(0, u64::saturating_add)
    }

    fn what_was_run(&self, complete: bool) -> String {
        let Count { runs, unknown, .. } = self.count;
        let plural = if runs == 1 { "" } else { "s" };
        match (complete, self.is_over()) {
            (true, _) if unknown == 0 => {
                format!("All interleavings (up to equivalence) of this test were run: {runs}.")
            }
            (true, _) => format!("All interleavings of this test were run: {runs}."),
            (false, true) => format!("{runs} interleaving{plural} run, not all there are."),
            (false, false) => format!("{runs} interleaving{plural} run, about {} left.", self.estimate()),
        }
    }

    fn reservations(&self) -> String {
        let mut text = String::new();
        let Count {
            unknown,
            unfair,
            strayed,
            lost,
            dropped,
            ..
        } = self.count;
        if unknown > 0 {
            let _ = write!(
                text,
                " Some runs ({unknown}) do not tell what their steps touch, so equivalent ones could not be left out."
            );
        }
        if unfair > 0 {
            let _ = write!(
                text,
                " Ways by which a thread only yields again and again were left out ({unfair})."
            );
        }
        if strayed > 0 {
            let _ = write!(
                text,
                " Some runs ({strayed}) did not follow their tape, so the plan is not deterministic and more may be missing."
            );
        }
        if lost > 0 {
            let _ = write!(text, " Some runs ({lost}) got lost.");
        }
        if dropped > 0 {
            let _ = write!(
                text,
                " The list of those to come would have outgrown {} MiB, so the search was stopped.",
                self.bytes >> 20
            );
        }
        text
    }
}

impl Default for Dpor {
    fn default() -> Dpor {
        Dpor::new()
    }
}

impl Scheduler for Dpor {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn next(&mut self, most: usize) -> Vec<Order> {
        self.count.lost += u64::from(self.handed_out.take().is_some());
        if most == 0 || self.count.dropped > 0 {
            return Vec::new();
        }
        // What comes next depends on what comes of this one.
        self.handed_out = self.take();
        self.handed_out
            .iter()
            .map(|handed_out| Order::Tape(handed_out.tape.clone()))
            .collect()
    }

    fn observe(&mut self, order: &Order, run: &Run) {
        let Order::Tape(tape) = order else { return };
        let Some(HandedOut { path, .. }) = self.handed_out.take_if(|handed_out| handed_out.tape == *tape)
        else {
            return;
        };
        let path = path.rest();
        if !self.follows(path, run) {
            self.count.strayed += 1;
            return;
        }
        let events = events(run);
        self.replace(path, run, &events);
        self.count.runs += 1;
        let may_run = who_may_run(run);
        self.yields |= !may_run.is_empty();
        if is_known(run) {
            self.put_reversals(run, &events, &may_run);
        } else {
            self.count.unknown += 1;
            self.put_everything(run, &may_run);
        }
    }

    fn needs_steps(&self) -> bool {
        true
    }

    fn needs_touches(&self) -> bool {
        true
    }

    fn left(&self) -> Option<u64> {
        Some(self.estimate())
    }

    fn claim(&self) -> Option<Claim> {
        let Count {
            unfair,
            strayed,
            lost,
            dropped,
            ..
        } = self.count;
        let complete = self.is_over() && unfair + strayed + lost + dropped == 0;
        Some(Claim {
            text: format!("{}{}", self.what_was_run(complete), self.reservations()),
            interleavings: self.count.runs,
            complete,
        })
    }
}

/// At every point, the threads that may run for all that yields ask for; nothing if no thread yields.
fn who_may_run(run: &Run) -> Vec<u64> {
    if !run.steps.iter().any(|step| step.yielded) {
        return Vec::new();
    }
    let mut fair = Fair::new();
    run.steps
        .iter()
        .map(|step| {
            let may_run = fair.arrive(step.enabled, step.yielded);
            fair.pick(step.chosen);
            may_run
        })
        .collect()
}
