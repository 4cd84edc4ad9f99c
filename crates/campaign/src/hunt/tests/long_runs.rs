//! Calls that take long, and calls that never come to their end.

use super::scripted::*;
use crate::event::HuntEvent;

#[test]
fn a_call_that_never_ended_is_not_given_long_again() {
    let plans = vec![plan("one", "one"), plan("two", "two"), plan("one", "two")];
    let told = hunt(Script::new(plans).rule("one", "one", Does::Endless));
    assert_eq!(told.numbers(), [0, 1, 2]);
    // The first has no second stage, for it cannot be judged.
    assert_eq!(told.long[..2], [true, true]);
    assert_eq!(told.long.last(), Some(&false));
}

#[test]
fn a_hunt_that_goes_on_remembers_what_never_ended() {
    let plans = || vec![plan("one", "one"), plan("one", "two")];
    let script = || Script::new(plans()).rule("one", "one", Does::Endless);
    let first = hunt(script());
    let is_tried = |event: &HuntEvent| matches!(event, HuntEvent::Tried(_));
    let tried = first.events.iter().position(is_tried).unwrap();
    let second = resume(script(), options(), first.known_after(tried + 1));
    assert_eq!(second.long.first(), Some(&false));
}

#[test]
fn a_finding_is_repeated_within_the_points_that_it_was_found_with() {
    let told = hunt(Script::new(vec![plan("one", "two")]).rule("one", "two", Does::WrongResult));
    assert_eq!(told.findings()[0].recording.max_steps, Some(LONG_BOUND));
    // Smaller plans are given no more than that.
    assert_eq!(told.long.iter().filter(|long| **long).count(), 1);
}
