//! The sequential behaviours of a plan, each once: the linearizations of DepCon+ (Terragni, Pezzè), definition 4.
//!
//! A call runs until it has ended or cannot go on. There is a choice only then, and a behaviour is the list of its choices;
//! points are not counted, so that it does not matter whether a call takes the same steps every time.
//!
//! The definition says nothing of calls that block. Here, a call that blocks lets the calls of other threads go on, and once
//! it can go on it does so before any new call begins: a wake-up that a third call steals belongs to no sequential
//! behaviour. A call that waits for a limited time may also give up before anything else happens, which is a choice of its
//! own. Threads that a call has started have no calls: they may go on at every choice.

use std::collections::VecDeque;

use raddle_plan::{Clock, Order, Run};

use crate::scheduler::{Claim, Scheduler};

/// The search for all sequential behaviours.
#[derive(Debug)]
pub struct Sequential {
    clock: Clock,
    waiting: VecDeque<Vec<u8>>,
    handed_out: VecDeque<Vec<u8>>,
    made: u64,
    /// Runs that did not come to their choices, or never came back.
    lost: u64,
}

impl Sequential {
    /// All behaviours, with time passing like this.
    pub fn new(clock: Clock) -> Sequential {
        Sequential {
            clock,
            waiting: VecDeque::from([Vec::new()]),
            handed_out: VecDeque::new(),
            made: 0,
            lost: 0,
        }
    }
}

impl Scheduler for Sequential {
    fn name(&self) -> &'static str {
        "sequential"
    }

    fn next(&mut self, most: usize) -> Vec<Order> {
        self.lost += self.handed_out.len() as u64;
        self.handed_out.clear();
        let count = most.min(self.waiting.len());
        self.handed_out.extend(self.waiting.drain(..count));
        let order = |choices: &Vec<u8>| Order::Serial {
            choices: choices.clone(),
            clock: self.clock,
        };
        self.handed_out.iter().map(order).collect()
    }

    fn observe(&mut self, order: &Order, run: &Run) {
        let Order::Serial { choices, .. } = order else {
            return;
        };
        let Some(at) = self.handed_out.iter().position(|other| other == choices) else {
            return;
        };
        self.handed_out.remove(at);
        let made: Vec<u8> = run.steps.iter().map(|step| step.chosen).collect();
        if !made.starts_with(choices) {
            self.lost += 1;
            return;
        }
        self.made += 1;
        for (at, step) in run.steps.iter().enumerate().skip(choices.len()) {
            for other in (0..64u8).filter(|other| step.enabled >> other & 1 == 1 && *other != step.chosen) {
                let beginning = made.iter().take(at).copied();
                self.waiting.push_back(beginning.chain([other]).collect());
            }
        }
    }

    fn needs_steps(&self) -> bool {
        true
    }

    fn left(&self) -> Option<u64> {
        Some(self.waiting.len() as u64)
    }

    fn claim(&self) -> Option<Claim> {
        let complete = self.lost == 0 && self.waiting.is_empty() && self.handed_out.is_empty();
        let noun = if self.made == 1 { "behaviour" } else { "behaviours" };
        let more = if complete {
            "all there are"
        } else {
            "not all there are"
        };
        Some(Claim {
            text: format!("{} sequential {noun} were run, {more}.", self.made),
            interleavings: self.made,
            complete,
        })
    }
}

/// Given runs, in the order given.
#[derive(Debug)]
pub struct Listed {
    waiting: VecDeque<Order>,
}

impl Listed {
    /// These runs.
    pub fn new(orders: impl IntoIterator<Item = Order>) -> Listed {
        Listed {
            waiting: orders.into_iter().collect(),
        }
    }
}

impl Scheduler for Listed {
    fn name(&self) -> &'static str {
        "listed"
    }

    fn next(&mut self, most: usize) -> Vec<Order> {
        let count = most.min(self.waiting.len());
        self.waiting.drain(..count).collect()
    }
}
