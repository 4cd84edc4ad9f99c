//! A call threw what it throws in no linearization: DepCon+, definition 4 and section 2.5, by class of exception and call.
//!
//! Deviation: the paper counts uncaught runtime exceptions. Here a checked exception or an error counts as well if the
//! call never throws it otherwise.

use raddle_plan::{CallOutcome, CallResult, Frame, Outcome};

use crate::baseline::Baseline;
use crate::judge::Oracle;
use crate::verdict::{Evidence, Kind, Violation};
use crate::words;

/// Looks for exceptions.
#[derive(Copy, Clone, Debug)]
pub struct Exception;

impl Oracle for Exception {
    fn kind(&self) -> Kind {
        Kind::Exception
    }

    fn look(&self, baseline: &Baseline, outcome: &Outcome) -> Option<Violation> {
        let mut calls = outcome.calls.iter().enumerate();
        calls
            .find_map(|(number, call)| thrown(baseline, number, call))
            .or_else(|| uncaught(baseline, outcome))
    }
}

fn thrown(baseline: &Baseline, number: usize, call: &CallOutcome) -> Option<Violation> {
    let CallResult::Threw {
        class,
        message,
        frames,
    } = &call.result
    else {
        return None;
    };
    let expected = baseline.exceptions(number)?;
    if expected.contains(class) {
        return None;
    }
    let name = baseline.name(number);
    let orders = words::orders(baseline.linearizations());
    let sequential: Vec<String> = expected.iter().cloned().collect();
    let instead = match (sequential.is_empty(), baseline.results(number)) {
        (true, Some(results)) if results.len() == 1 && !results.contains("did not end") => {
            let result: Vec<String> = results
                .iter()
                .map(|result| baseline.told(number, result))
                .collect();
            format!("In {orders} it {}.", words::list(&result, "or"))
        }
        (true, _) => format!("In {orders} it throws nothing."),
        (false, _) => format!(
            "In {orders} it throws nothing but {}.",
            words::list(&sequential, "or")
        ),
    };
    Some(Violation {
        kind: Kind::Exception,
        summary: format!(
            "{} threw {}{}. {instead}",
            words::capital(&name),
            words::exception(class, message),
            place(frames)
        ),
        evidence: Evidence::Exception {
            call: number,
            thread: call.thread,
            class: class.clone(),
            message: message.clone(),
            frames: frames.clone(),
            sequential,
        },
    })
}

/// A thread that some call has started died of an exception. The caller never hears of that.
fn uncaught(baseline: &Baseline, outcome: &Outcome) -> Option<Violation> {
    let expected = baseline.uncaught()?;
    let thrown = outcome
        .uncaught
        .iter()
        .find(|thrown| !expected.contains(&thrown.class))?;
    let call = thrown.call.unwrap_or(0);
    let orders = words::orders(baseline.linearizations());
    Some(Violation {
        kind: Kind::Exception,
        summary: format!(
            "The thread {} that {} started died of {}{}. In {orders} no thread dies of that.",
            thrown.thread,
            baseline.name(call),
            words::exception(&thrown.class, &thrown.message),
            place(&thrown.frames)
        ),
        evidence: Evidence::Exception {
            call,
            thread: outcome.calls.get(call).map_or(0, |call| call.thread),
            class: thrown.class.clone(),
            message: thrown.message.clone(),
            frames: thrown.frames.clone(),
            sequential: expected.iter().cloned().collect(),
        },
    })
}

fn place(frames: &[Frame]) -> String {
    frames
        .first()
        .map_or_else(String::new, |frame| format!(" at {}", frame.0))
}
