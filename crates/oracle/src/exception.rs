//! A call threw what it throws in no linearization: DepCon+, definition 4 and section 2.5, by class of exception and call.
//!
//! Deviation: the paper counts uncaught runtime exceptions. Here a checked exception or an error counts as well if the
//! call never throws it otherwise.

use raddle_plan::{CallResult, Outcome};

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
        outcome.calls.iter().enumerate().find_map(|(number, call)| {
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
            let at = frames
                .first()
                .map_or_else(String::new, |frame| format!(" at {}", frame.0));
            let name = baseline.name(number);
            let orders = words::orders(baseline.linearizations());
            let sequential: Vec<String> = expected.iter().cloned().collect();
            let instead = match (sequential.is_empty(), baseline.results(number)) {
                (true, Some(results)) if results.len() == 1 && !results.contains("did not end") => {
                    let result: Vec<String> = results.iter().map(|result| words::short(result)).collect();
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
                    "{} threw {}{at}. {instead}",
                    words::capital(&name),
                    words::exception(class, message)
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
        })
    }
}
