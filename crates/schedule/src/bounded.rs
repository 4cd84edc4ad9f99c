//! Every interleaving with at most so many preemptions, each once: iterative context bounding, Musuvathi, Qadeer,
//! "Iterative context bounding for systematic testing of multithreaded programs", PLDI 2007, algorithm 1.
//!
//! An interleaving is a tape, and between the entries of a tape threads go on as long as they can. The children of a run
//! are its tape with one entry more, at a later point than the last. Every interleaving has exactly one tape of this
//! kind, so none is run twice. Runs with fewer preemptions come first. Switches where the thread cannot go on, or
//! yields, cost nothing; [`crate::fair`] keeps those at yields from going on for ever.
//!
//! One point is left out: where a thread that was picked for the first time has come to its first call, for it has done
//! nothing yet.
//!
//! `focused` is the same search with preemptions only where a thread is about to touch what another one touches too, in
//! the run that is gone on from. Other preemptions come to the same unless the threads then go another way, so it needs
//! a small part of the runs and claims nothing.
//!
//! Memory: of each run, the ways that are still to be tried are kept as ranges of points, 12 bytes for each range and 8
//! for each entry of the tape. There is one range for each stretch that a thread runs while the same others wait, so it
//! is of the order of 100 bytes for each run with fewer than the most preemptions. Above [`DEFAULT_BYTES`] new ways are
//! dropped, and the claim says so.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::Arc;

use raddle_plan::{Order, Run, Switch};

use crate::branch_points::{Branch, Rule, branch_points};
use crate::focused;
use crate::registry::{Config, ConfigError, Entry, Resume, Written};
use crate::scheduler::{Claim, Scheduler};

/// What is to be known of it.
pub(crate) const ENTRY: Entry = Entry {
    name: "bounded",
    parameter: Some("PREEMPTIONS"),
    about: "bounded:PREEMPTIONS runs every interleaving with at most so many preemptions once, and says when that is done.",
    resume: Resume::Anew,
};
pub(crate) const DEFAULT_PREEMPTIONS: u32 = 2;

pub(crate) fn read(written: &Written<'_>) -> Result<Config, ConfigError> {
    let preemptions = written.number("number of preemptions", 0, DEFAULT_PREEMPTIONS)?;
    Ok(Config::Bounded { preemptions })
}

pub(crate) const fn build(preemptions: u32, _seed: u64, _from: u64) -> Bounded {
    Bounded::new(preemptions)
}

/// What the ways to be tried may take.
pub const DEFAULT_BYTES: usize = 256 << 20;

/// The systematic search.
#[derive(Debug)]
pub struct Bounded {
    rule: Rule,
    preemptions: u32,
    bytes: usize,
    /// The number of preemptions of the runs now made.
    level: u32,
    now: VecDeque<Ways>,
    /// With one preemption more.
    later: VecDeque<Ways>,
    used: usize,
    handed_out: VecDeque<Arc<[Switch]>>,
    begun: bool,
    count: Count,
}

/// Ways to go on from one run.
#[derive(Debug)]
struct Ways {
    tape: Arc<[Switch]>,
    /// The next way is at the front of the last range; they are kept in reverse.
    branches: Vec<Branch>,
}

impl Ways {
    fn bytes(tape: &[Switch], branches: &[Branch]) -> usize {
        size_of::<Ways>() + size_of_val(tape) + size_of_val(branches)
    }
}

#[derive(Debug, Default)]
struct Count {
    /// Interleavings by number of preemptions, those of the current level last.
    finished: u64,
    this_level: u64,
    /// Runs that did not follow their tape or came without steps.
    strayed: u64,
    /// Orders never reported.
    lost: u64,
    /// Ranges of points for which there was no room.
    dropped: u64,
    /// Runs in which a step was about something that another thread was about too.
    shared: u64,
}

impl Count {
    const fn is_sound(&self) -> bool {
        self.strayed == 0 && self.lost == 0 && self.dropped == 0
    }
}

impl Bounded {
    /// Every interleaving with at most so many preemptions.
    pub const fn new(preemptions: u32) -> Bounded {
        Bounded::with_rule(Rule::Preemptions, preemptions)
    }

    /// The same, only where threads get in each other's way.
    pub const fn focused(preemptions: u32) -> Bounded {
        Bounded::with_rule(Rule::Conflicts, preemptions)
    }

    /// With another limit on memory than [`DEFAULT_BYTES`].
    #[must_use]
    pub const fn within(mut self, bytes: usize) -> Bounded {
        self.bytes = bytes;
        self
    }

    const fn with_rule(rule: Rule, preemptions: u32) -> Bounded {
        Bounded {
            rule,
            preemptions,
            bytes: DEFAULT_BYTES,
            level: 0,
            now: VecDeque::new(),
            later: VecDeque::new(),
            used: 0,
            handed_out: VecDeque::new(),
            begun: false,
            count: Count {
                finished: 0,
                this_level: 0,
                strayed: 0,
                lost: 0,
                dropped: 0,
                shared: 0,
            },
        }
    }

    /// How many interleavings were run so far.
    pub const fn interleavings(&self) -> u64 {
        self.count.finished + self.count.this_level
    }

    fn is_over(&self) -> bool {
        self.begun
            && self.now.is_empty()
            && self.handed_out.is_empty()
            && (self.level >= self.preemptions || self.later.is_empty())
    }

    /// The next way of the current level.
    fn take(&mut self) -> Option<Arc<[Switch]>> {
        if !self.begun {
            self.begun = true;
            return Some(Arc::from([]));
        }
        let ways = self.now.front_mut()?;
        let branch = ways.branches.last_mut()?;
        let switch = Switch {
            step: branch.from,
            thread: u32::from(branch.thread),
        };
        let tape = ways.tape.iter().copied().chain([switch]).collect();
        branch.from += 1;
        if branch.from == branch.to {
            ways.branches.pop();
            self.used = self.used.saturating_sub(size_of::<Branch>());
        }
        if ways.branches.is_empty() {
            self.used = self.used.saturating_sub(Ways::bytes(&ways.tape, &[]));
            self.now.pop_front();
        } else if self.rule == Rule::Conflicts {
            // Rarely are all of them run, so every run to go on from has its turn.
            self.now.rotate_left(1);
        }
        Some(tape)
    }

    fn put(&mut self, tape: &Arc<[Switch]>, mut branches: Vec<Branch>, later: bool) {
        if branches.is_empty() {
            return;
        }
        let bytes = Ways::bytes(tape, &branches);
        if self.used + bytes > self.bytes {
            self.count.dropped += branches.len() as u64;
            return;
        }
        self.used += bytes;
        branches.reverse();
        branches.shrink_to_fit();
        let ways = Ways {
            tape: Arc::clone(tape),
            branches,
        };
        if later {
            self.later.push_back(ways);
        } else {
            self.now.push_back(ways);
        }
    }

    /// What may be said of the runs, as a sentence without its end.
    fn what_was_run(&self, complete: bool) -> String {
        let all = self.interleavings();
        let noun = "interleaving";
        if complete {
            return all_of(all, noun, &with_at_most(self.preemptions));
        }
        match self.level.checked_sub(1).map(with_at_most) {
            Some(below) if self.count.is_sound() => {
                let finished = all_of(self.count.finished, noun, &below);
                match self.count.this_level {
                    0 => finished,
                    more => format!("{finished}, and {more} of those with {}", self.level),
                }
            }
            _ => format!(
                "{}, not all there are",
                some_of(all, noun, &with_at_most(self.level))
            ),
        }
    }

    fn reservations(&self) -> String {
        let mut text = String::new();
        let Count {
            strayed,
            lost,
            dropped,
            ..
        } = self.count;
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
                " The list of those to come would have outgrown {} MiB, so some were left out.",
                self.bytes >> 20
            );
        }
        text
    }
}

impl Scheduler for Bounded {
    fn name(&self) -> &'static str {
        match self.rule {
            Rule::Preemptions => ENTRY.name,
            Rule::Conflicts => focused::ENTRY.name,
        }
    }

    fn next(&mut self, most: usize) -> Vec<Order> {
        self.count.lost += self.handed_out.len() as u64;
        self.handed_out.clear();
        if self.begun && self.now.is_empty() && self.level < self.preemptions && !self.later.is_empty() {
            self.level += 1;
            self.now = std::mem::take(&mut self.later);
            self.count.finished += std::mem::take(&mut self.count.this_level);
        }
        let mut orders = Vec::new();
        while orders.len() < most
            && let Some(tape) = self.take()
        {
            orders.push(Order::Tape(tape.to_vec()));
            self.handed_out.push_back(tape);
        }
        orders
    }

    fn observe(&mut self, order: &Order, run: &Run) {
        let Order::Tape(switches) = order else { return };
        let Some(at) = self.handed_out.iter().position(|tape| **tape == **switches) else {
            return;
        };
        let Some(tape) = self.handed_out.remove(at) else {
            return;
        };
        if !follows(&tape, run) {
            self.count.strayed += 1;
            return;
        }
        self.count.shared += u64::from(run.steps.iter().any(|step| step.shared));
        let from = tape.last().map_or(0, |last| last.step + 1);
        self.count.this_level += 1;
        let (mut preempting, free): (Vec<Branch>, Vec<Branch>) = branch_points(self.rule, run, from)
            .into_iter()
            .partition(|branch| branch.preempts);
        if self.rule == Rule::Conflicts {
            preempting = spread(&preempting);
        }
        self.put(&tape, free, false);
        if self.level < self.preemptions {
            self.put(&tape, preempting, true);
        }
    }

    fn needs_steps(&self) -> bool {
        true
    }

    fn needs_shared(&self) -> bool {
        self.rule == Rule::Conflicts
    }

    fn is_apart(&self) -> bool {
        self.rule == Rule::Conflicts && self.is_over() && self.count.is_sound() && self.count.shared == 0
    }

    /// Those that follow from the runs made; each may lead to more.
    fn left(&self) -> Option<u64> {
        let ways = |ways: &Ways| {
            ways.branches
                .iter()
                .map(|way| u64::from(way.to - way.from))
                .sum::<u64>()
        };
        Some(self.now.iter().chain(&self.later).map(ways).sum())
    }

    fn claim(&self) -> Option<Claim> {
        if self.rule == Rule::Conflicts {
            return None;
        }
        let complete = self.is_over() && self.count.is_sound();
        let text = format!("{}.{}", self.what_was_run(complete), self.reservations());
        Some(Claim {
            text,
            interleavings: self.interleavings(),
            complete,
        })
    }
}

/// The points of these ranges one by one, neighbours far from each other: when only some can be tried, they are from all
/// over the run.
fn spread(ranges: &[Branch]) -> Vec<Branch> {
    let points: Vec<Branch> = ranges
        .iter()
        .flat_map(|range| {
            (range.from..range.to).map(|from| Branch {
                from,
                to: from + 1,
                ..*range
            })
        })
        .collect();
    // The golden section: every further step falls into one of the widest gaps that are left.
    let mut stride = points.len() * 618 / 1000 + 1;
    while gcd(stride, points.len()) > 1 {
        stride += 1;
    }
    (0..points.len())
        .map(|at| points[at * stride % points.len()])
        .collect()
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Whether a run did what its tape asked for.
fn follows(tape: &[Switch], run: &Run) -> bool {
    run.steps.len() == run.length as usize
        && tape.iter().all(|switch| {
            run.steps
                .get(switch.step as usize)
                .is_some_and(|step| u32::from(step.chosen) == switch.thread)
        })
}

fn with_at_most(preemptions: u32) -> String {
    match preemptions {
        0 => " without preemptions".to_owned(),
        1 => " with at most 1 preemption".to_owned(),
        n => format!(" with at most {n} preemptions"),
    }
}

fn all_of(count: u64, noun: &str, which: &str) -> String {
    match count {
        1 => format!("The only {noun}{which} was run"),
        n => format!("All {n} {noun}s{which} were run"),
    }
}

fn some_of(count: u64, noun: &str, which: &str) -> String {
    match count {
        1 => format!("1 {noun}{which} was run"),
        n => format!("{n} {noun}s{which} were run"),
    }
}
