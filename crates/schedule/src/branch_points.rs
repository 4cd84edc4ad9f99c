//! Which other ways a run could have gone, within the rule of a systematic search.

use raddle_plan::{Run, Step};

use crate::fair::Fair;
use crate::fixed_schedule::{PATIENCE, count_in_a_row, stay_or_next};

/// What a systematic search may do.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Switch anywhere; a switch away from a thread that could have gone on is counted.
    Preemptions,
    /// The same, with preemptions only where the thread is about to touch something that concerns another one.
    Conflicts,
}

/// Points from `from` to before `to` at which this thread could have been picked instead.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Branch {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) thread: u8,
    /// Whether that is one preemption more.
    pub(crate) preempts: bool,
}

/// The other ways of a run, from point number `from` on, in order of their first points. The tape decided those before.
pub(crate) fn branch_points(rule: Rule, run: &Run, from: u32) -> Vec<Branch> {
    let mut ways = Ways {
        branches: Vec::new(),
        open: [None; 128],
    };
    // Where nobody gives way everybody may always run, and the bookkeeping is the most expensive part.
    let may_spin = run.steps.len() > PATIENCE as usize;
    let mut fair = (may_spin || run.steps.iter().any(|step| step.yielded)).then(Fair::new);
    let mut history = History::new();
    for (number, step) in (0u32..).zip(&run.steps) {
        let point = history.look(step);
        // Who has spun for long and says nothing is one who yields: two that wait for a third would keep it waiting forever.
        let gives_way = step.yielded || point.out_of_patience;
        let may_run = fair
            .as_mut()
            .map_or(u64::MAX, |fair| fair.arrive(step.enabled, gives_way));
        if number >= from {
            let others = match rule {
                Rule::Preemptions => among_preemptions(&point, may_run),
                Rule::Conflicts => among_conflicts(&point, may_run),
            };
            ways.add(number, others.threads, others.preempts);
        }
        if let Some(fair) = &mut fair {
            fair.pick(step.chosen);
        }
        history.pick(step);
    }
    ways.branches
}

/// Threads that could have been picked instead.
struct Others {
    threads: u64,
    preempts: bool,
}

/// A point with what matters of the past.
struct Point<'a> {
    step: &'a Step,
    current: u8,
    /// The current thread has come to its first call, and has done nothing yet.
    fresh: bool,
    /// It gave way only because it had run long enough.
    out_of_patience: bool,
}

impl Point<'_> {
    fn unchosen(&self) -> u64 {
        self.step.enabled & !bit(self.step.chosen)
    }
}

fn among_preemptions(point: &Point, may_run: u64) -> Others {
    let step = point.step;
    let (threads, preempts) = if point.fresh {
        // The same as not having picked it in the first place, which is a way of its own.
        (0, false)
    } else if !step.could_stay || step.yielded {
        (point.unchosen() & may_run, false)
    } else if point.out_of_patience {
        (point.unchosen() & !bit(point.current) & may_run, false)
    } else {
        (point.unchosen() & may_run, true)
    };
    Others { threads, preempts }
}

/// A preemption before anything else comes to the same as one before the next conflict, as long as the threads touch
/// what they touched in this run.
fn among_conflicts(point: &Point, may_run: u64) -> Others {
    let others = among_preemptions(point, may_run);
    let is_useless = others.preempts && !point.step.shared;
    Others {
        threads: if is_useless { 0 } else { others.threads },
        ..others
    }
}

/// What is remembered of the points so far.
struct History {
    current: u8,
    in_a_row: u32,
    /// Threads that were picked before.
    seen: u64,
    /// The current thread was picked for the first time at the last point.
    first_time: bool,
}

impl History {
    fn new() -> History {
        History {
            current: 0,
            in_a_row: 0,
            seen: 1,
            first_time: false,
        }
    }

    fn look<'a>(&self, step: &'a Step) -> Point<'a> {
        let stays = stay_or_next(step.enabled, u32::from(self.current), false, self.in_a_row)
            == Some(u32::from(self.current));
        Point {
            step,
            current: self.current,
            fresh: step.boundary && self.first_time,
            out_of_patience: step.could_stay && !step.yielded && !stays,
        }
    }

    fn pick(&mut self, step: &Step) {
        self.in_a_row = count_in_a_row(step.enabled, step.chosen == self.current, self.in_a_row);
        self.first_time = self.seen & bit(step.chosen) == 0;
        self.seen |= bit(step.chosen);
        self.current = step.chosen;
    }
}

/// Collects branches, neighbouring points in one.
struct Ways {
    branches: Vec<Branch>,
    /// The last branch of each thread, twice: preempting or not.
    open: [Option<usize>; 128],
}

impl Ways {
    fn add(&mut self, step: u32, threads: u64, preempts: bool) {
        let mut left = threads;
        while left != 0 {
            let thread = left.trailing_zeros() as u8;
            left &= left - 1;
            let open = &mut self.open[usize::from(thread) * 2 + usize::from(preempts)];
            match open.and_then(|at| self.branches.get_mut(at)) {
                Some(branch) if branch.to == step => branch.to = step + 1,
                _ => {
                    *open = Some(self.branches.len());
                    self.branches.push(Branch {
                        from: step,
                        to: step + 1,
                        thread,
                        preempts,
                    });
                }
            }
        }
    }
}

fn bit(thread: u8) -> u64 {
    1u64.checked_shl(u32::from(thread)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thread 1 was preempted, and 2 and 3 spin by turns for as long as they may, without a word.
    #[test]
    fn two_threads_that_spin_for_a_third_keep_it_waiting_only_for_a_while() {
        let mut steps = Vec::new();
        let mut add = |chosen: u8, count: u32| {
            steps.extend((0..count).map(|_| Step {
                enabled: 0b1110,
                chosen,
                could_stay: true,
                boundary: false,
                yielded: false,
                shared: false,
                touch: None,
            }));
        };
        add(1, 3);
        for chosen in [2, 3, 2, 3] {
            // The first point is the one at which it is picked.
            add(chosen, PATIENCE + 1);
        }
        add(2, 1);
        let run = Run {
            length: steps.len() as u32,
            steps,
            ..Run::default()
        };
        // Where one of the two makes way, as it must, without a preemption.
        let makes_way = |turn: u32| 3 + turn * (PATIENCE + 1);
        let free = branch_points(Rule::Preemptions, &run, 0);
        let others = |at: u32| -> Vec<u8> {
            let is_here = |branch: &&Branch| !branch.preempts && (branch.from..branch.to).contains(&at);
            free.iter().filter(is_here).map(|branch| branch.thread).collect()
        };
        assert_eq!(others(makes_way(1)), [1]);
        assert_eq!(others(makes_way(2)), [1]);
        // Once both have done so twice, there is no way past thread 1.
        let instead = |chosen: u8| {
            let mut run = run.clone();
            run.steps.last_mut().unwrap().chosen = chosen;
            let ways = branch_points(Rule::Preemptions, &run, makes_way(4));
            ways.iter().map(|branch| branch.thread).collect::<Vec<u8>>()
        };
        assert_eq!((instead(2), instead(1)), (vec![1], vec![]));
    }
}
