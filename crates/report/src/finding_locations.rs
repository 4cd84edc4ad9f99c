//! Where a finding is, for those who show sources.

use raddle_campaign::Finding;
use raddle_oracle::Evidence;
use raddle_plan::{EventKind, Place};

use crate::location::Location;
use crate::trace::Trace;

/// More places than this help nobody.
const MOST: usize = 8;

/// Where a finding is: first the place that says most about it, in the class under test if there is one. Never empty.
pub(crate) fn locations(finding: &Finding) -> Vec<Location> {
    let of_place = |place: &Place| Location::of_place(place);
    let mut all: Vec<Location> = match &finding.violation.evidence {
        Evidence::Exception { frames, .. } => frames.iter().filter_map(Location::of_frame).collect(),
        Evidence::Deadlock { cycle, .. } => {
            let wanted = cycle.iter().filter_map(|link| link.at.as_ref());
            let held = cycle
                .iter()
                .filter_map(|link| link.holds.as_ref()?.place.as_ref());
            wanted.chain(held).map(of_place).collect()
        }
        Evidence::LostWakeup { threads, .. } => {
            let waiting = threads.iter().filter_map(|waiter| waiter.at.as_ref());
            waiting.map(of_place).collect()
        }
        Evidence::Livelock { .. } | Evidence::Result { .. } => {
            let trace = Trace::of(finding);
            let steps = trace.steps.into_iter();
            // What is written is what is broken; what is read only sees it.
            let (writes, others): (Vec<_>, Vec<_>) =
                steps.partition(|step| matches!(step.kind, Some(EventKind::Write | EventKind::Atomic)));
            let steps = writes.into_iter().chain(others);
            steps.filter_map(|step| step.location).collect()
        }
    };
    if !all.iter().any(|place| place.is_in(&finding.class)) {
        all.insert(0, Location::of_class(&finding.class));
    }
    // Stable, so that the order above stays within the class and without.
    all.sort_by_key(|place| (!place.is_in(&finding.class), place.line.is_none()));
    let mut distinct: Vec<Location> = Vec::new();
    for place in all {
        let is_known = |known: &Location| (&known.file, known.line) == (&place.file, place.line);
        if distinct.len() < MOST && !distinct.iter().any(is_known) {
            distinct.push(place);
        }
    }
    distinct
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt_sample;

    fn places(finding: &Finding) -> Vec<String> {
        locations(finding).iter().map(Location::short).collect()
    }

    #[test]
    fn a_wrong_result_is_where_state_is_written() {
        assert_eq!(
            places(&hunt_sample::wrong_result()),
            ["ArrayList.java:455", "ArrayList.java:456", "ArrayList.java:466"]
        );
    }

    #[test]
    fn an_exception_is_in_the_innermost_frame_of_the_class() {
        let mut finding = hunt_sample::exception();
        assert_eq!(places(&finding)[0], "ArrayList.java:455");
        finding.class = "a.Caller".to_owned();
        assert_eq!(places(&finding)[0], "Caller.java");
    }

    #[test]
    fn a_deadlock_is_where_threads_wait_and_then_where_they_took_the_locks() {
        assert_eq!(
            places(&hunt_sample::deadlock()),
            ["Hashtable.java:804", "Hashtable.java:797"]
        );
    }
}
