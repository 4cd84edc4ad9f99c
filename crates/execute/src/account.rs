//! What a worker says while it works on one request, held against what it was asked for.
//!
//! A test runs in the same process and can forge whatever the worker could say. So an answer is a sign of life only if it
//! shows progress, and there is a bound to how many there are and how large.

use raddle_plan::Outcome;
use raddle_worker::protocol::{Progress, Request, Response};

/// Bytes of all answers to one request. The longest exploration that was seen had a hundredth of it.
const MOST_BYTES: u64 = 256 << 20;
/// Different outcomes that a worker reports before it ends an exploration by itself, and what the batch of the last one
/// may add.
const MOST_OUTCOMES: u64 = 10_000 + 4_096;
/// No worker may have so many at the same time, and a run begins few after others have ended.
const MOST_THREADS: u32 = 100_000;
/// No run of schedules comes near it, and sums of such numbers do not overflow.
const MOST: u64 = 1 << 53;
/// Rounds of sequential runs: forwards, backwards, and with the clock standing still.
const ROUNDS: u64 = 3;

/// Of one request.
#[derive(Debug)]
pub(crate) struct Account {
    bytes: u64,
    outcomes: u64,
    most_outcomes: u64,
    /// The next schedule, and the one that must not be reached.
    next: u64,
    end: Option<u64>,
    /// How often the schedules may begin anew.
    rounds: u64,
}

/// What an answer is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// The worker has come further.
    OfLife,
    /// It says so only.
    None,
}

impl Account {
    pub(crate) fn of(request: &Request) -> Account {
        let (end, rounds, most_outcomes) = match request {
            Request::Sequential(sequential) => {
                let schedules = sequential.schedules;
                let most = schedules.saturating_add(1).saturating_mul(ROUNDS);
                (Some(schedules), ROUNDS, most)
            }
            Request::Explore(explore) => {
                let end = explore.schedules.map(|count| explore.from.saturating_add(count));
                (end, 1, MOST_OUTCOMES)
            }
            _ => (Some(0), 0, 0),
        };
        Account {
            bytes: 0,
            outcomes: 0,
            most_outcomes,
            // Some schedulers repeat what they have tried before.
            next: 0,
            end,
            rounds,
        }
    }

    /// Takes in an answer of so many bytes; a part of a sentence about the worker if there is something wrong with it.
    pub(crate) fn take(&mut self, response: &Response, bytes: u64) -> Result<Sign, String> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > MOST_BYTES {
            return Err(format!("sent more than {} MiB in one answer", MOST_BYTES >> 20));
        }
        match response {
            Response::Progress(progress) => check_progress(progress),
            Response::Done(done) => check_progress(&done.progress),
            Response::At { index, count } => Ok(self.reached(*index, *count)),
            Response::Replayed(replayed) => {
                let threads = replayed.events.iter().map(|event| event.thread);
                check_threads(threads.chain(switched(&replayed.outcome)))?;
                Ok(Sign::OfLife)
            }
            Response::NewOutcome(new) => {
                check_threads(switched(&new.outcome))?;
                self.outcomes += 1;
                if self.outcomes > self.most_outcomes {
                    return Err(format!(
                        "reported more than the {} outcomes that there can be",
                        self.most_outcomes
                    ));
                }
                Ok(Sign::OfLife)
            }
            _ => Ok(Sign::None),
        }
    }

    fn reached(&mut self, index: u64, count: u64) -> Sign {
        if index == 0 && self.next > 0 && self.rounds > 1 {
            self.rounds -= 1;
            self.next = 0;
        }
        let is_further = index >= self.next && count > 0 && self.end.is_none_or(|end| index < end);
        if !is_further {
            return Sign::None;
        }
        self.next = index.saturating_add(count);
        Sign::OfLife
    }
}

fn check_progress(progress: &Progress) -> Result<Sign, String> {
    let Progress {
        schedules,
        steps,
        switches,
        outcomes,
        milliseconds,
        left: _,
    } = *progress;
    if [schedules, steps, switches, outcomes, milliseconds]
        .into_iter()
        .any(|number| number > MOST)
    {
        return Err("counted further than anybody can".to_owned());
    }
    Ok(Sign::None)
}

fn switched(outcome: &Outcome) -> impl Iterator<Item = u32> + '_ {
    outcome.schedule.switches.iter().map(|switch| switch.thread)
}

fn check_threads(mut threads: impl Iterator<Item = u32>) -> Result<(), String> {
    match threads.find(|thread| *thread > MOST_THREADS) {
        Some(thread) => Err(format!("reported a thread {thread}, which there cannot be")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_plan::{End, Order, Schedule, Switch};
    use raddle_worker::protocol::{Explore, NewOutcome, Sequential};

    fn exploring(from: u64, schedules: Option<u64>) -> Account {
        Account::of(&Request::Explore(Explore {
            scheduler: raddle_schedule::Config::Random,
            seed: 1,
            from,
            schedules,
            milliseconds: None,
            max_steps: 100,
            isolate: false,
            singly_until: 0,
        }))
    }

    fn outcome() -> Response {
        Response::NewOutcome(Box::new(NewOutcome {
            index: 0,
            order: Order::Random { seed: 1 },
            outcome: Outcome {
                digest: 1,
                trace_hash: 0,
                steps: 5,
                schedule: Schedule::default(),
                end: End::Completed,
                calls: Vec::new(),
                uncaught: Vec::new(),
                threads: Vec::new(),
            },
        }))
    }

    #[test]
    fn only_what_comes_further_is_a_sign_of_life() {
        let mut account = exploring(10, Some(20));
        let mut at = |index, count| account.take(&Response::At { index, count }, 1);
        assert_eq!(at(10, 8), Ok(Sign::OfLife));
        assert_eq!(at(10, 8), Ok(Sign::None), "the same again");
        assert_eq!(at(18, 0), Ok(Sign::None), "nothing to run");
        assert_eq!(at(18, 8), Ok(Sign::OfLife));
        assert_eq!(at(30, 8), Ok(Sign::None), "more than was asked for");
        let progress = Response::Progress(Progress::default());
        assert_eq!(account.take(&progress, 1), Ok(Sign::None));
    }

    #[test]
    fn sequential_runs_have_three_rounds() {
        let mut account = Account::of(&Request::Sequential(Sequential {
            schedules: 6,
            max_steps: 100,
            long_steps: None,
            isolate: false,
        }));
        let mut at = |index, count| account.take(&Response::At { index, count }, 1);
        for _ in 0..3 {
            assert_eq!(at(0, 4), Ok(Sign::OfLife));
            assert_eq!(at(4, 2), Ok(Sign::OfLife));
        }
        assert_eq!(at(0, 4), Ok(Sign::None));
    }

    #[test]
    fn outcomes_without_end_come_to_an_end() {
        let mut account = exploring(0, None);
        let refused = (0..20_000).find_map(|_| account.take(&outcome(), 100).err());
        assert_eq!(
            refused.unwrap(),
            "reported more than the 14096 outcomes that there can be"
        );
    }

    #[test]
    fn numbers_that_cannot_be_are_refused() {
        let mut account = exploring(0, None);
        let progress = Response::Progress(Progress {
            steps: u64::MAX,
            ..Progress::default()
        });
        let refused = account.take(&progress, 1);
        assert_eq!(refused.unwrap_err(), "counted further than anybody can");
        let mut forged = outcome();
        if let Response::NewOutcome(new) = &mut forged {
            new.outcome.schedule.switches.push(Switch {
                step: 1,
                thread: u32::MAX,
            });
        }
        let refused = account.take(&forged, 1);
        assert_eq!(
            refused.unwrap_err(),
            "reported a thread 4294967295, which there cannot be"
        );
    }

    #[test]
    fn large_answers_come_to_an_end() {
        let mut account = exploring(0, None);
        assert!(account.take(&outcome(), 200 << 20).is_ok());
        let refused = account.take(&outcome(), 200 << 20);
        assert_eq!(refused.unwrap_err(), "sent more than 256 MiB in one answer");
    }
}
