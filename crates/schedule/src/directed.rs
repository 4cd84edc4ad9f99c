//! A predicted interleaving: hold each thread where the prediction wants it.
//!
//! The first thread runs up to a given point, then the second one from there to its own, and so on; the last one goes on
//! until it ends or cannot. For a deadlock the points are the second locks (Omen, section 3.2): the last thread then
//! wants what the first one has, and nobody can go on. For an atomicity violation there is one point, the access before
//! which the other thread comes in between (Intruder, section 3.4). Points were counted in runs without a switch. A
//! thread that finds other things than it did alone may take a few steps more or fewer, so nearby points follow.

use std::fmt;
use std::str::FromStr;

use raddle_plan::{Order, Run, Switch};

use crate::scheduler::{Claim, Scheduler};

/// Threads that can be held.
const MOST: usize = 4;
/// How far beside the predicted points a switch is tried.
const NEARBY: i64 = 3;

/// The points at which threads are held, in order: the first of the first thread, the next of the second, …
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Holds {
    steps: [u32; MOST],
    count: u8,
}

impl Holds {
    /// None if there are no steps or too many.
    pub fn new(steps: &[u32]) -> Option<Holds> {
        let mut array = [0; MOST];
        array.get_mut(..steps.len())?.copy_from_slice(steps);
        (!steps.is_empty()).then_some(Holds {
            steps: array,
            count: steps.len() as u8,
        })
    }

    fn steps(&self) -> &[u32] {
        &self.steps[..usize::from(self.count)]
    }
}

impl fmt::Display for Holds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, step) in self.steps().iter().enumerate() {
            write!(f, "{}{step}", if number == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl FromStr for Holds {
    type Err = ();

    fn from_str(text: &str) -> Result<Holds, ()> {
        let steps: Result<Vec<u32>, _> = text.split(',').map(str::parse).collect();
        steps.ok().and_then(|steps| Holds::new(&steps)).ok_or(())
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
        let steps = holds.steps();
        let mut tapes = vec![tape(steps, &[])];
        for distance in 1..=NEARBY {
            for shift in [distance, -distance] {
                for at in 0..steps.len() {
                    let mut shifts = vec![0; steps.len()];
                    shifts[at] = shift;
                    let candidate = tape(steps, &shifts);
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
fn tape(steps: &[u32], shifts: &[i64]) -> Vec<Switch> {
    let mut switches: Vec<Switch> = Vec::new();
    let mut moved = 0;
    for (at, &step) in steps.iter().enumerate() {
        moved += shifts.get(at).copied().unwrap_or(0);
        let Ok(step) = u32::try_from(i64::from(step) + moved) else {
            return Vec::new();
        };
        if switches.last().is_some_and(|last| last.step >= step) {
            return Vec::new();
        }
        // Thread 0 is the one that prepares, and thread 1 begins.
        let thread = at as u32 + 2;
        switches.push(Switch { step, thread });
    }
    switches
}

impl Scheduler for Directed {
    fn name(&self) -> &'static str {
        "directed"
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

    fn observe(&mut self, _order: &Order, _run: &Run) {}

    fn needs_steps(&self) -> bool {
        false
    }

    fn claim(&self) -> Option<Claim> {
        None
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
    }

    #[test]
    fn neighbours_follow_each_once_and_in_order() {
        let mut directed = Directed::new(Holds::new(&[5, 6]).unwrap(), 0);
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
        assert_eq!(Directed::new(Holds::new(&[5, 6]).unwrap(), 2).next(100), all[2..]);
    }

    #[test]
    fn what_is_no_list_of_points_is_refused() {
        for text in ["", "a", "1,", "1,2,3,4,5", "-1"] {
            assert!(text.parse::<Holds>().is_err(), "{text}");
        }
    }
}
