//! Delay-bounded scheduling: Emmi, Qadeer, Rakamarić, "Delay-bounded scheduling", POPL 2011, section 3.
//!
//! A deterministic scheduler runs each thread as long as it can and then the next one round. A delay passes over the
//! thread that would run now, in favour of the next one. Every interleaving with at most so many delays is run, those with
//! fewer first. In contrast to a bound on preemptions, the number of runs does not grow with the number of threads: at
//! each point there is one thing to do instead of the usual, whoever waits.
//!
//! Two delays at one point pass over two threads. Where only one thread can run there is nothing to delay.
//!
//! Deviations:
//! - The paper delays tasks of a program that spawns them; here the threads are there from the beginning, and the
//!   deterministic scheduler is the rule by which a tape goes on ([`crate::stay_or_next`]).
//! - A thread that yields, or has kept others waiting for very long, is not the one that would run now.

use std::collections::VecDeque;

use raddle_plan::{Order, Run, Switch};

use crate::bounded::DEFAULT_BYTES;
use crate::registry::{Config, ConfigError, Entry, Resume, Written};
use crate::scheduler::{Claim, Scheduler};

/// What is to be known of it.
pub(crate) const ENTRY: Entry = Entry {
    name: "delay",
    parameter: Some("DELAYS"),
    about: "delay:DELAYS runs threads round and round, and every interleaving in which at most so many times the thread \
            whose turn it is has to wait.",
    resume: Resume::Anew,
};
const DEFAULT_DELAYS: u32 = 2;

pub(crate) fn read(written: &Written<'_>) -> Result<Config, ConfigError> {
    let delays = written.number("number of delays", 0, DEFAULT_DELAYS)?;
    Ok(Config::Delay { delays })
}

pub(crate) const fn build(delays: u32, _seed: u64, _from: u64) -> Delay {
    Delay::new(delays)
}

/// The search.
#[derive(Debug)]
pub struct Delay {
    delays: u32,
    /// To be run, those with fewer delays first.
    to_do: VecDeque<Way>,
    /// Handed out and not reported yet.
    under_way: VecDeque<Way>,
    begun: bool,
    /// Bytes of what is to be run.
    used: usize,
    runs: u64,
    /// Runs that did not follow their tape, came without steps or got lost, and ways that there was no room for.
    missing: u64,
}

/// A tape, how many delays it took, and how many of them at its last point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Way {
    tape: Vec<Switch>,
    delays: u32,
    here: u32,
}

impl Way {
    fn bytes(&self) -> usize {
        size_of::<Way>() + size_of_val(self.tape.as_slice())
    }
}

impl Delay {
    /// Every interleaving with at most so many delays.
    pub const fn new(delays: u32) -> Delay {
        Delay {
            delays,
            to_do: VecDeque::new(),
            under_way: VecDeque::new(),
            begun: false,
            used: 0,
            runs: 0,
            missing: 0,
        }
    }

    fn put(&mut self, way: Way) {
        if self.used + way.bytes() > DEFAULT_BYTES {
            self.missing += 1;
            return;
        }
        self.used += way.bytes();
        self.to_do.push_back(way);
    }

    /// The ways with one delay more, at the last one's point or later, so that each is come to once.
    fn branch(&mut self, way: &Way, run: &Run) {
        let first = way.tape.last().map_or(0, |last| last.step);
        for (step, point) in (0u32..).zip(&run.steps).skip(first as usize) {
            let mut tape = way.tape.clone();
            let here = if tape.last().is_some_and(|last| last.step == step) {
                tape.pop();
                way.here
            } else {
                0
            };
            // After as many delays as there are others, it would be the turn of the first again.
            if here + 1 >= point.enabled.count_ones() {
                continue;
            }
            let thread = next_round(point.enabled, point.chosen);
            tape.push(Switch { step, thread });
            self.put(Way {
                tape,
                delays: way.delays + 1,
                here: here + 1,
            });
        }
    }
}

/// The next enabled thread after this one, in cyclic order.
fn next_round(enabled: u64, thread: u8) -> u32 {
    let after = u32::from(thread) + 1;
    (enabled.rotate_right(after).trailing_zeros() + after) % u64::BITS
}

impl Scheduler for Delay {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn next(&mut self, most: usize) -> Vec<Order> {
        self.missing += self.under_way.len() as u64;
        self.under_way.clear();
        if !self.begun {
            self.begun = true;
            self.to_do.push_back(Way::default());
        }
        let now = most.min(self.to_do.len());
        self.under_way.extend(self.to_do.drain(..now));
        let bytes: usize = self.under_way.iter().map(Way::bytes).sum();
        self.used = self.used.saturating_sub(bytes);
        let tapes = self.under_way.iter().map(|way| Order::Tape(way.tape.clone()));
        tapes.collect()
    }

    fn observe(&mut self, order: &Order, run: &Run) {
        let Order::Tape(tape) = order else { return };
        let Some(way) = self.under_way.pop_front_if(|way| way.tape == *tape) else {
            return;
        };
        let is_followed = |switch: &Switch| {
            let step = run.steps.get(switch.step as usize);
            step.is_some_and(|step| u32::from(step.chosen) == switch.thread)
        };
        if run.steps.is_empty() || !way.tape.iter().all(is_followed) {
            self.missing += 1;
            return;
        }
        self.runs += 1;
        if way.delays < self.delays {
            self.branch(&way, run);
        }
    }

    fn needs_steps(&self) -> bool {
        true
    }

    fn claim(&self) -> Option<Claim> {
        let is_over = self.begun && self.to_do.is_empty() && self.under_way.is_empty();
        let complete = is_over && self.missing == 0;
        let (runs, delays) = (self.runs, self.delays);
        let bound = match delays {
            1 => "at most 1 delay".to_owned(),
            more => format!("at most {more} delays"),
        };
        Some(Claim {
            text: if complete {
                format!("All interleavings with {bound} were run: {runs}.")
            } else {
                format!("{runs} interleavings with {bound} were run, not all there are.")
            },
            interleavings: runs,
            complete,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_go_round() {
        assert_eq!(next_round(0b1101, 0), 2);
        assert_eq!(next_round(0b1101, 3), 0);
        assert_eq!(next_round(0b1101, 1), 2, "who cannot run has a turn, too");
        assert_eq!(next_round(1 << 63 | 1, 63), 0);
    }
}
