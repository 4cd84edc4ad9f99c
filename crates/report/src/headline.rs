//! A finding in one line: which calls, and what came of them.

use raddle_campaign::{Finding, calls_text};
use raddle_oracle::{Difference, Evidence};
use raddle_plan::Place;

use crate::location::Location;
use raddle_plan::plan_text::{simple_name, with_names};

/// `put(Object) ∥ clear(): threw java.lang.NullPointerException at Cache.java:31`.
pub(crate) fn headline(finding: &Finding) -> String {
    format!("{}: {}", calls(finding), what(finding))
}

/// The methods that run at the same time, with the simple names of their parameters.
pub(crate) fn calls(finding: &Finding) -> String {
    let methods: Vec<String> = finding
        .methods
        .iter()
        .map(|method| short_method(method))
        .collect();
    calls_text(&methods)
}

/// The same for methods that are joined already.
pub(crate) fn short_calls(calls: &str) -> String {
    let methods: Vec<String> = calls.split(" ∥ ").map(short_method).collect();
    methods.join(" ∥ ")
}

/// `put(Object, int)` of `put(java.lang.Object,int)`.
fn short_method(method: &str) -> String {
    let Some((name, parameters)) = method.strip_suffix(')').and_then(|method| method.split_once('(')) else {
        return method.to_owned();
    };
    let parameters: Vec<&str> = parameters
        .split(',')
        .map(|parameter| simple_name(parameter.trim()))
        .collect();
    format!("{name}({})", parameters.join(", "))
}

/// What is wrong.
fn what(finding: &Finding) -> String {
    match &finding.violation.evidence {
        Evidence::Exception { class, frames, .. } => {
            let mut places = frames.iter().filter_map(Location::of_frame);
            let own = places.clone().find(|place| place.is_in(&finding.class));
            let at = own.or_else(|| places.next());
            let at = at.map_or_else(String::new, |place| format!(" at {}", place.short()));
            format!("threw {class}{at}")
        }
        Evidence::Deadlock { cycle, .. } => format!(
            "the threads wait for each other{}",
            at_places(cycle.iter().filter_map(|link| link.at.as_ref()))
        ),
        Evidence::LostWakeup { threads, .. } => format!(
            "waits for ever{}",
            at_places(threads.iter().filter_map(|waiter| waiter.at.as_ref()))
        ),
        Evidence::Livelock { .. } => "runs on without coming to an end".to_owned(),
        Evidence::Result { differences, .. } => {
            let is_impossible = |difference: &Difference| !difference.sequential.contains(&difference.got);
            if differences.iter().all(is_impossible) {
                let summary = with_names(&finding.recording.plan, &finding.violation.summary);
                let sentence = summary.strip_prefix("Wrong result: ").unwrap_or(&summary);
                sentence.trim_end_matches('.').replace(['\n', '\r'], " ")
            } else {
                "the results occur together in no sequential order".to_owned()
            }
        }
    }
}

/// ` at A.java:3 and B.java:9`, or nothing.
fn at_places<'p>(places: impl Iterator<Item = &'p Place>) -> String {
    let mut texts: Vec<String> = places.map(|place| Location::of_place(place).short()).collect();
    texts.sort_unstable();
    texts.dedup();
    if texts.is_empty() {
        String::new()
    } else {
        format!(" at {}", texts.join(" and "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt_sample;

    #[test]
    fn a_wrong_result_says_what_was_returned_and_what_is_otherwise() {
        assert_eq!(
            headline(&hunt_sample::wrong_result()),
            "add(Object) ∥ add(Object): ArrayList.size after the threads returned 1; one at a time it returns 2"
        );
    }

    #[test]
    fn an_exception_and_a_deadlock_say_where() {
        assert_eq!(
            headline(&hunt_sample::exception()),
            "add(Object) ∥ clear(): threw java.lang.ArrayIndexOutOfBoundsException at ArrayList.java:455"
        );
        assert_eq!(
            headline(&hunt_sample::deadlock()),
            "equals(Object) ∥ equals(Object): the threads wait for each other at Hashtable.java:804"
        );
    }

    #[test]
    fn parameters_have_their_simple_names() {
        assert_eq!(short_method("put(java.lang.Object,int[])"), "put(Object, int[])");
        assert_eq!(short_method("size()"), "size()");
        assert_eq!(short_method("odd"), "odd");
    }
}
