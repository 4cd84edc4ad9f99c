//! A predicted interleaving: hold each thread where the prediction wants it.
//!
//! The first thread runs up to a given point, then the second one from there to its own, and so on; the last one goes on
//! until it ends or cannot. For a deadlock the points are the second locks (Omen, section 3.2): the last thread then
//! wants what the first one has, and nobody can go on. For an atomicity violation there is one point, the access before
//! which the other thread comes in between (Intruder, section 3.4). A pattern of more accesses may need a thread to come
//! back: each point can name the thread that goes on there, as in `12>2,20>1`. Points were counted in runs without a
//! switch. A thread that finds other things than it did alone may take a few steps more or fewer, so nearby points follow.

use std::fmt;
use std::str::FromStr;

use raddle_plan::{Order, Switch};

use crate::registry::{Config, ConfigError, Entry, Resume, Written};
use crate::scheduler::Scheduler;

/// What is to be known of it.
pub(crate) const ENTRY: Entry = Entry {
    name: "directed",
    parameter: Some("POINT"),
    about: "directed:POINT lets the second thread run when the first has come to that step, and tries steps nearby.",
    resume: Resume::Anywhere,
};

pub(crate) fn read(written: &Written<'_>) -> Result<Config, ConfigError> {
    let holds = written.parsed("name one to four scheduling points, as in `directed:12,20`")?;
    Ok(Config::Directed(holds))
}

pub(crate) fn build(holds: Holds, _seed: u64, from: u64) -> Directed {
    Directed::new(holds, from)
}

/// Threads that can be held.
const MOST: usize = 4;
/// How far beside the predicted points a switch is tried.
const NEARBY: i64 = 3;

/// The points at which threads are held, in order, and who goes on at each. Where nobody is named that is the second thread
/// at the first point, the third at the next, …
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Holds {
    switches: [Switch; MOST],
    count: u8,
}

impl Holds {
    /// None if there are no points or too many.
    pub fn new(switches: &[Switch]) -> Option<Holds> {
        let mut array = [Switch { step: 0, thread: 0 }; MOST];
        array.get_mut(..switches.len())?.copy_from_slice(switches);
        (!switches.is_empty()).then_some(Holds {
            switches: array,
            count: switches.len() as u8,
        })
    }

    fn switches(&self) -> &[Switch] {
        &self.switches[..usize::from(self.count)]
    }
}

/// Thread 0 is the one that prepares, and thread 1 begins.
const fn next_thread(point: usize) -> u32 {
    point as u32 + 2
}

impl fmt::Display for Holds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, Switch { step, thread }) in self.switches().iter().enumerate() {
            write!(f, "{}{step}", if number == 0 { "" } else { "," })?;
            if *thread != next_thread(number) {
                write!(f, ">{thread}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for Holds {
    type Err = ();

    fn from_str(text: &str) -> Result<Holds, ()> {
        let point = |(number, text): (usize, &str)| {
            let (step, thread) = match text.split_once('>') {
                Some((step, thread)) => (step, thread.parse().map_err(|_| ())?),
                None => (text, next_thread(number)),
            };
            let step = step.parse().map_err(|_| ())?;
            Ok(Switch { step, thread })
        };
        let switches: Result<Vec<Switch>, ()> = text.split(',').enumerate().map(point).collect();
        Holds::new(&switches?).ok_or(())
    }
}

/// Tries a predicted interleaving and its neighbours.
#[derive(Clone, Debug)]
pub struct Directed {
    tapes: Vec<Vec<Switch>>,
    next: usize,
}

impl Directed {
    /// The interleaving that holds threads at these points, beginning with its neighbour number `from`.
    pub fn new(holds: Holds, from: u64) -> Directed {
        let points = holds.switches();
        let mut tapes = vec![tape(points, &[])];
        for distance in 1..=NEARBY {
            for shift in [distance, -distance] {
                for at in 0..points.len() {
                    let mut shifts = vec![0; points.len()];
                    shifts[at] = shift;
                    let candidate = tape(points, &shifts);
                    if !candidate.is_empty() && !tapes.contains(&candidate) {
                        tapes.push(candidate);
                    }
                }
            }
        }
        Directed {
            tapes,
            next: usize::try_from(from).unwrap_or(usize::MAX),
        }
    }
}

/// Empty if the points would not be in order. A shift moves all points after it: they were counted from there.
fn tape(points: &[Switch], shifts: &[i64]) -> Vec<Switch> {
    let mut switches: Vec<Switch> = Vec::new();
    let mut moved = 0;
    for (at, &Switch { step, thread }) in points.iter().enumerate() {
        moved += shifts.get(at).copied().unwrap_or(0);
        let Ok(step) = u32::try_from(i64::from(step) + moved) else {
            return Vec::new();
        };
        if switches.last().is_some_and(|last| last.step >= step) {
            return Vec::new();
        }
        switches.push(Switch { step, thread });
    }
    switches
}

impl Scheduler for Directed {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn next(&mut self, most: usize) -> Vec<Order> {
        let orders: Vec<Order> = self
            .tapes
            .iter()
            .skip(self.next)
            .take(most)
            .map(|tape| Order::Tape(tape.clone()))
            .collect();
        self.next += orders.len();
        orders
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Vec<(u32, u32)> {
        let holds: Holds = text.parse().unwrap();
        assert_eq!(holds.to_string(), text);
        let Some(Order::Tape(tape)) = Directed::new(holds, 0).next(1).pop() else {
            panic!("a tape was expected")
        };
        tape.iter().map(|switch| (switch.step, switch.thread)).collect()
    }

    #[test]
    fn the_predicted_interleaving_comes_first() {
        assert_eq!(first("12"), [(12, 2)], "the second thread comes in between");
        assert_eq!(
            first("12,20"),
            [(12, 2), (20, 3)],
            "each holds a lock that the next one wants"
        );
        assert_eq!(first("7,12>1"), [(7, 2), (12, 1)], "the first one comes back");
    }

    #[test]
    fn neighbours_follow_each_once_and_in_order() {
        let mut directed = Directed::new("5,6".parse::<Holds>().unwrap(), 0);
        let all = directed.next(100);
        assert!(all.len() > 6 && directed.next(1).is_empty());
        for (at, order) in all.iter().enumerate() {
            assert!(!all[..at].contains(order), "{order:?} is there twice");
            let Order::Tape(tape) = order else {
                panic!("a tape was expected")
            };
            assert!(
                tape.windows(2).all(|pair| pair[0].step < pair[1].step),
                "{tape:?}"
            );
        }
        assert_eq!(
            Directed::new("5,6".parse::<Holds>().unwrap(), 2).next(100),
            all[2..]
        );
    }

    #[test]
    fn what_is_no_list_of_points_is_refused() {
        for text in ["", "a", "1,", "1,2,3,4,5", "-1", "1>", "1>a"] {
            assert!(text.parse::<Holds>().is_err(), "{text}");
        }
    }
}
