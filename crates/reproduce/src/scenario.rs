//! How the fault of a recorded run shows, in the words of `Interleaving`.

use raddle_oracle::Kind;
use raddle_plan::{CallResult, ThreadEnd, ThreadState};

use crate::ReproducerInput;
use crate::file::quoted;

/// What must not come of the calls, a line each.
pub(super) fn verdict(input: &ReproducerInput<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if has_control(input) {
        lines.push(format!(".decidedBy({})", list(input.violation.decisive_calls())));
    }
    if let Some(allowed) = input.allowed {
        lines.extend(allowed.iter().map(|order| allowed_line(order)));
    } else {
        match input.kind() {
            Kind::Result => {}
            Kind::Exception => {
                let recorded = (0..).zip(recorded(input));
                lines.extend(recorded.filter_map(|(call, outcome): (usize, _)| {
                    Some(format!(".recorded({call}, {})", quoted(&outcome?)))
                }));
            }
            Kind::Livelock => lines.push(format!(".running({})", list(&stuck(input)))),
            Kind::Deadlock | Kind::LostWakeup => lines.push(format!(".stuck({})", list(&stuck(input)))),
        }
    }
    if !input.plan.uninitialised.is_empty() {
        lines.push(".initialising()".to_owned());
    }
    if has_objects(input) {
        let variables = input.plan.variables();
        let calls: Vec<u32> = variables.iter().map(|variable| variable.call.0).collect();
        lines.push(format!(".objects({})", list(&calls)));
    }
    lines
}

fn list(numbers: &[impl ToString]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(", ")
}

fn allowed_line(order: &[Option<String>]) -> String {
    let results = order.iter().map(|result| {
        result
            .as_ref()
            .map_or_else(|| "null".to_owned(), |result| quoted(result))
    });
    let results: Vec<String> = results.collect();
    match &*results {
        // An array that is null is no array with a null in it.
        [only] if only == "null" => ".allowed((String) null)".to_owned(),
        results => format!(".allowed({})", results.join(", ")),
    }
}

/// Whether what comes of the test is compared with what comes of its calls one after the other, on the same JVM. No order of
/// whole calls makes threads wait for each other's locks, and who waits needlessly, or for a lock that was left behind, may do so
/// in every order.
fn has_control(input: &ReproducerInput<'_>) -> bool {
    let is_needless = |thread: &ThreadEnd| thread.state == ThreadState::WaitingNeedlessly;
    input.allowed.is_none()
        && input.kind() != Kind::Deadlock
        && !input.outcome.threads.iter().any(is_needless)
        && input.outcome.kept_lock().is_none()
}

/// The plan's threads that had not ended; number 0, which makes the calls after them, if all of them had.
pub(super) fn stuck(input: &ReproducerInput<'_>) -> Vec<u32> {
    let unended: Vec<u32> = (0..)
        .zip(&input.outcome.threads)
        .take(input.plan.threads.len() + 1)
        .filter(|(_, end)| end.state != ThreadState::Finished)
        .map(|(thread, _)| thread)
        .collect();
    match &*unended {
        [0, stuck @ ..] if !stuck.is_empty() => stuck.to_vec(),
        _ => unended,
    }
}

/// By call: what it must come to, in the words of the Java code.
fn recorded(input: &ReproducerInput<'_>) -> Vec<Option<String>> {
    let decisive = input.violation.decisive_calls();
    let calls = input.plan.calls().zip(&input.outcome.calls);
    calls
        .map(|((id, _, call), came_to)| match &came_to.result {
            _ if !decisive.contains(&(id.0 as usize)) => None,
            CallResult::Threw { class, .. } => Some(format!("threw {class}")),
            CallResult::Returned(_) if call.result_descriptor().is_none() => Some("returned".to_owned()),
            CallResult::Returned(value) => Some(format!("returned {value}")),
            CallResult::NotBegun | CallResult::Unfinished => Some("did not end".to_owned()),
        })
        .collect()
}

/// Whether results can only be compared by what is in them. Objects are not asked needlessly: a stuck thread may hold their
/// locks.
fn has_objects(input: &ReproducerInput<'_>) -> bool {
    let is_plain = |recorded: &String| {
        let value = recorded.strip_prefix("returned ").unwrap_or("");
        let is_number = value.parse::<f64>().is_ok();
        is_number || matches!(value, "" | "null" | "true" | "false") || value.starts_with(['"', '\''])
    };
    match input.allowed {
        Some(allowed) => !allowed.iter().flatten().flatten().all(is_plain),
        None => input.kind() == Kind::Result && !recorded(input).iter().flatten().all(is_plain),
    }
}
