//! What is predicted of small classes. The paper's own example is in a file of its own.

mod recorder;
mod running_example;

use super::{CycleLimits, Deadlocks, Same, Unusable, deadlocks};
use crate::trace::{Object, Trace};
use recorder::{Above, Recorder, from, global};

fn predict(traces: &[Trace]) -> Deadlocks {
    deadlocks(traces, &Above(&[]), &CycleLimits::default())
}

/// A trace of one call on a receiver of class `A` with an argument of class `argument`.
fn call(argument: &str, name: &str, body: impl FnOnce(&mut Recorder, Object, Object)) -> Trace {
    let mut recorder = Recorder::default();
    let (receiver, argument) = (recorder.object("A"), recorder.object(argument));
    recorder.enter("A", name, &[receiver, argument]);
    body(&mut recorder, receiver, argument);
    recorder.exit();
    recorder.trace
}

/// Locks one under the other, at lines 1 and 2.
fn nest(recorder: &mut Recorder, outer: Object, inner: Object) {
    recorder.lock(1, outer);
    recorder.lock(2, inner);
    recorder.unlock(&[inner, outer]);
}

#[test]
fn a_method_that_locks_its_argument_can_meet_itself() {
    let found = predict(&[call("A", "foo", nest)]);
    assert_eq!((found.nodes, found.cycles, found.predicted.len()), (2, 1, 1));
    let deadlock = &found.predicted[0];
    assert_eq!(deadlock.acquisitions.len(), 2);
    assert_eq!(deadlock.acquisitions[0], deadlock.acquisitions[1]);
    assert_eq!(
        deadlock.constraints,
        [
            Same {
                left: (0, from(1, &[])),
                right: (1, from(0, &[]))
            },
            Same {
                left: (1, from(1, &[])),
                right: (0, from(0, &[]))
            },
        ]
    );
}

#[test]
fn locks_match_when_one_type_is_above_the_other() {
    let traces = [call("B", "foo", nest)];
    assert_eq!(predict(&traces).cycles, 0);
    for order in [&[("A", "B")], &[("B", "A")]] {
        let found = deadlocks(&traces, &Above(order), &CycleLimits::default());
        assert_eq!((found.cycles, found.predicted.len()), (1, 1));
    }
}

#[test]
fn an_object_that_the_call_makes_is_no_lock_for_others() {
    let trace = call("A", "sampleBootstrap", |recorder, receiver, other| {
        recorder.lock(581, receiver);
        recorder.lock(587, other);
        recorder.unlock(&[other]);
        let sample1 = recorder.alloc("A");
        recorder.lock(591, sample1);
        recorder.unlock(&[sample1, receiver]);
    });
    let found = predict(&[trace]);
    assert_eq!(found.unusable, [(Unusable::MadeInside, 2)]);
    assert_eq!((found.cycles, found.predicted.len()), (3, 1));
    let at_587 = &found.predicted[0].acquisitions;
    assert_eq!(at_587[0].second, from(1, &[]));
    assert_eq!(at_587[1].second, from(1, &[]));
}

#[test]
fn what_is_found_in_an_object_that_the_call_makes_is_no_lock_for_others() {
    let trace = call("A", "foo", |recorder, receiver, _| {
        let made = recorder.alloc("B");
        let inside = recorder.object("A");
        recorder.read(made, "B.lock", inside);
        nest(recorder, receiver, inside);
    });
    assert_eq!(predict(&[trace]).unusable, [(Unusable::MadeInside, 1)]);
}

#[test]
fn the_receiver_of_a_constructor_is_no_lock_for_others() {
    let found = predict(&[call("A", "<init>", nest)]);
    assert_eq!(
        (found.predicted.len(), found.unusable),
        (0, vec![(Unusable::MadeInside, 1)])
    );
}

#[test]
fn an_object_that_comes_from_nowhere_is_of_unknown_origin() {
    let trace = call("A", "foo", |recorder, receiver, _| {
        let other = recorder.object("A");
        nest(recorder, receiver, other);
    });
    assert_eq!(predict(&[trace]).unusable, [(Unusable::UnknownOrigin, 1)]);
}

#[test]
fn a_lock_taken_again_makes_no_node_and_is_held_until_the_last_release() {
    let trace = call("B", "foo", |recorder, receiver, argument| {
        recorder.lock(1, receiver);
        recorder.lock(2, receiver);
        recorder.unlock(&[receiver]);
        recorder.lock(3, argument);
        recorder.unlock(&[argument, receiver]);
        recorder.lock(4, argument);
        recorder.unlock(&[argument]);
    });
    let traces = [trace];
    let relation = super::node::Relation::new(&traces);
    let held: Vec<usize> = relation.nodes.iter().map(|node| node.held.len()).collect();
    assert_eq!(held, [0, 1, 0]);
}

/// Locks the static field `A.ONE`, under it `A.TWO`, or the other way around.
fn statics(name: &str, first: &str, second: &str) -> Trace {
    call("A", name, |recorder, _, _| {
        let (one, two) = (recorder.object("Lock"), recorder.object("Lock"));
        recorder.read(None, first, one);
        recorder.read(None, second, two);
        nest(recorder, one, two);
    })
}

#[test]
fn static_locks_in_opposite_orders_need_no_parameter() {
    let found = predict(&[statics("foo", "A.ONE", "A.TWO"), statics("bar", "A.TWO", "A.ONE")]);
    assert_eq!(found.predicted.len(), 1);
    assert_eq!(
        found.predicted[0].constraints,
        [
            Same {
                left: (0, global("A.TWO")),
                right: (1, global("A.TWO"))
            },
            Same {
                left: (1, global("A.ONE")),
                right: (0, global("A.ONE"))
            },
        ]
    );
}

#[test]
fn static_locks_in_one_order_are_no_deadlock() {
    let found = predict(&[statics("foo", "A.ONE", "A.TWO")]);
    assert_eq!(
        (found.predicted.len(), found.unusable),
        (0, vec![(Unusable::Guarded, 1)])
    );
}

#[test]
fn different_static_objects_cannot_be_made_one() {
    let [mut one, mut other] =
        [("A.ONE", "A.TWO"), ("A.THREE", "A.FOUR")].map(|(first, second)| statics("foo", first, second));
    one.types.insert(Object(3), "Other".to_owned());
    other.types.insert(Object(2), "Other".to_owned());
    let found = predict(&[one, other]);
    assert_eq!(
        (found.cycles, found.unusable),
        (1, vec![(Unusable::StaticsDiffer, 1)])
    );
}

#[test]
fn a_static_lock_made_by_the_call_is_there_for_the_next_call() {
    let waits = call("Lock", "foo", |recorder, _, argument| {
        let lock = recorder.alloc("Lock");
        recorder.write(None, "A.LOCK", lock);
        recorder.read(None, "A.LOCK", lock);
        nest(recorder, argument, lock);
    });
    let holds = call("Lock", "bar", |recorder, _, argument| {
        let lock = recorder.object("Lock");
        recorder.read(None, "A.LOCK", lock);
        recorder.lock(3, lock);
        recorder.lock(4, argument);
        recorder.unlock(&[argument, lock]);
    });
    let found = predict(&[waits, holds]);
    assert_eq!(found.predicted.len(), 1);
    let same = Same {
        left: (0, global("A.LOCK")),
        right: (1, global("A.LOCK")),
    };
    assert_eq!(found.predicted[0].constraints[0], same);
}

#[test]
fn threads_that_wait_for_one_static_lock_are_no_deadlock() {
    let trace = call("Lock", "foo", |recorder, _, argument| {
        let lock = recorder.object("Lock");
        recorder.read(None, "A.LOCK", lock);
        nest(recorder, argument, lock);
    });
    assert_eq!(predict(&[trace]).unusable, [(Unusable::Guarded, 1)]);
}

/// `nest` under a static lock.
fn gated(name: &str, gate: &str) -> Trace {
    call("A", name, |recorder, receiver, argument| {
        let lock = recorder.object("Gate");
        recorder.read(None, gate, lock);
        recorder.lock(9, lock);
        nest(recorder, receiver, argument);
        recorder.unlock(&[lock]);
    })
}

#[test]
fn a_static_lock_around_both_calls_guards_them() {
    let found = predict(&[gated("foo", "A.GATE")]);
    assert_eq!(
        (found.predicted.len(), found.unusable),
        (0, vec![(Unusable::Guarded, 1)])
    );
}

#[test]
fn different_static_locks_guard_nothing() {
    let found = predict(&[gated("foo", "A.GATE"), gated("bar", "A.OTHER")]);
    let traces: Vec<_> = (found.predicted.iter())
        .map(|deadlock| {
            deadlock
                .acquisitions
                .iter()
                .map(|thread| thread.trace)
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(traces, [[0, 1]], "only `foo` with `bar`, neither with itself");
    assert_eq!(
        found.unusable,
        [],
        "a cycle of which something came is not counted"
    );
}

#[test]
fn an_element_of_a_static_array_guards_nothing() {
    let trace = call("A", "foo", |recorder, receiver, argument| {
        let (stripes, stripe) = (recorder.object("Object[]"), recorder.object("Gate"));
        recorder.read(None, "A.STRIPES", stripes);
        recorder.element(stripes, 0, stripe);
        recorder.lock(9, stripe);
        nest(recorder, receiver, argument);
        recorder.unlock(&[stripe]);
    });
    assert_eq!(predict(&[trace]).predicted.len(), 1);
}

#[test]
fn a_read_after_the_lock_does_not_say_where_the_lock_came_from() {
    let trace = call("A", "foo", |recorder, receiver, argument| {
        let other = recorder.object("A");
        nest(recorder, receiver, other);
        recorder.read(argument, "A.next", other);
    });
    assert_eq!(predict(&[trace]).unusable, [(Unusable::UnknownOrigin, 1)]);
}

#[test]
fn an_object_that_is_a_parameter_is_not_sought_in_fields() {
    let trace = call("A", "foo", |recorder, receiver, argument| {
        recorder.read(receiver, "A.next", argument);
        nest(recorder, receiver, argument);
    });
    assert_eq!(
        predict(&[trace]).predicted[0].acquisitions[0].second,
        from(1, &[])
    );
}

#[test]
fn the_shortest_of_several_paths_is_taken_whichever_was_read_last() {
    for short_first in [true, false] {
        let trace = call("B", "foo", |recorder, receiver, argument| {
            let (holder, lock) = (recorder.object("Holder"), recorder.object("A"));
            if short_first {
                recorder.read(argument, "B.lock", lock);
            }
            recorder.read(receiver, "A.holder", holder);
            recorder.read(holder, "Holder.lock", lock);
            if !short_first {
                recorder.read(argument, "B.lock", lock);
            }
            nest(recorder, receiver, lock);
        });
        assert_eq!(
            predict(&[trace]).predicted[0].acquisitions[0].second,
            from(1, &["B.lock"])
        );
    }
}

#[test]
fn fields_are_listed_from_the_parameter_to_the_lock() {
    let trace = call("B", "foo", |recorder, receiver, argument| {
        let (array, holder, lock) = (
            recorder.object("Object[]"),
            recorder.object("Holder"),
            recorder.object("A"),
        );
        recorder.read(argument, "B.all", array);
        recorder.element(array, 3, holder);
        recorder.read(holder, "Holder.lock", lock);
        nest(recorder, receiver, lock);
    });
    let path = from(1, &["B.all", "Object[].[]", "Holder.lock"]);
    assert_eq!(predict(&[trace]).predicted[0].acquisitions[0].second, path);
}

#[test]
fn a_lock_may_be_so_many_fields_away_and_no_more() {
    let list = |fields: usize| {
        call("B", "foo", |recorder, receiver, argument| {
            let mut element = argument;
            for field in 1..=fields {
                let next = recorder.object(if field == fields { "A" } else { "B" });
                recorder.read(element, "B.next", next);
                element = next;
            }
            nest(recorder, receiver, element);
        })
    };
    let farthest = super::parameter::FARTHEST;
    let found = predict(&[list(farthest)]);
    assert_eq!(
        found.predicted[0].acquisitions[0].second,
        from(1, &vec!["B.next"; farthest])
    );
    assert_eq!(predict(&[list(farthest + 1)]).unusable, [(Unusable::TooFar, 1)]);
}

#[test]
fn an_object_that_the_call_stores_is_followed_to_where_the_call_had_it_from() {
    let trace = call("B", "foo", |recorder, receiver, argument| {
        let lock = recorder.object("A");
        recorder.read(argument, "B.lock", lock);
        recorder.write(receiver, "A.lock", lock);
        recorder.read(receiver, "A.lock", lock);
        nest(recorder, receiver, lock);
    });
    assert_eq!(
        predict(&[trace]).predicted[0].acquisitions[0].second,
        from(1, &["B.lock"])
    );
}

#[test]
fn a_new_object_that_the_call_stores_in_a_parameter_is_still_made_within_the_call() {
    let trace = call("B", "foo", |recorder, receiver, argument| {
        let lock = recorder.alloc("A");
        recorder.write(argument, "B.lock", lock);
        recorder.read(argument, "B.lock", lock);
        nest(recorder, receiver, lock);
    });
    assert_eq!(predict(&[trace]).unusable, [(Unusable::MadeInside, 1)]);
}

#[test]
fn a_new_object_found_in_a_parameter_without_a_store_is_made_within_the_call() {
    let trace = call("B", "foo", |recorder, receiver, argument| {
        let lock = recorder.alloc("A");
        recorder.read(argument, "B.lock", lock);
        nest(recorder, receiver, lock);
    });
    assert_eq!(predict(&[trace]).unusable, [(Unusable::MadeInside, 1)]);
}

#[test]
fn the_first_choice_is_the_lock_with_the_shortest_path() {
    let trace = call("A", "foo", |recorder, receiver, argument| {
        let outer = recorder.object("A");
        recorder.lock_in(9, receiver, "A.outer", outer);
        nest(recorder, receiver, argument);
        recorder.unlock(&[outer]);
    });
    let limits = CycleLimits {
        choices: 1,
        ..CycleLimits::default()
    };
    let found = deadlocks(&[trace], &Above(&[]), &limits);
    let paths: Vec<_> = (found.predicted[0].acquisitions.iter())
        .map(|thread| (thread.first.clone(), thread.second.clone()))
        .collect();
    assert_eq!(
        paths,
        [(from(0, &[]), from(1, &[])), (from(0, &[]), from(1, &[]))]
    );
}

#[test]
fn an_object_that_an_earlier_constructor_made_and_stored_is_reached_through_the_receiver() {
    let mut recorder = Recorder::default();
    let receiver = recorder.object("B");
    let other = recorder.object("A");
    recorder.enter("B", "<init>", &[receiver]);
    let lock = recorder.alloc("A");
    recorder.write(receiver, "B.lock", lock);
    recorder.exit();
    recorder.enter("B", "foo", &[receiver, other]);
    recorder.read(receiver, "B.lock", lock);
    nest(&mut recorder, lock, other);
    recorder.exit();
    let found = predict(&[recorder.trace]);
    assert_eq!(found.predicted[0].acquisitions[0].first, from(0, &["B.lock"]));
}

#[test]
fn locks_of_different_calls_are_not_taken_together() {
    let mut recorder = Recorder::default();
    let (one, other) = (recorder.object("A"), recorder.object("A"));
    for (line, object) in [(1, one), (2, other)] {
        recorder.enter("A", "lock", &[object]);
        recorder.lock(line, object);
        recorder.exit();
    }
    let found = predict(&[recorder.trace]);
    assert_eq!(
        (found.predicted.len(), found.unusable),
        (0, vec![(Unusable::OutsideCall, 1)])
    );
}

#[test]
fn locks_of_the_test_itself_belong_to_no_call() {
    let mut recorder = Recorder::default();
    let (one, other) = (recorder.object("A"), recorder.object("A"));
    recorder.enter("A", "foo", &[one, other]);
    let exit = recorder.exit();
    nest(&mut recorder, one, other);
    let traces = [recorder.trace];
    let invocations = super::invocation::Invocations::new(&traces);
    assert_eq!(invocations.steps(0, 0), 1..exit);
    assert_eq!(invocations.enter(0, exit + 1), None);
    assert_eq!(predict(&traces).unusable, [(Unusable::OutsideCall, 1)]);
}

#[test]
fn a_witness_without_a_path_gives_way_to_one_with_a_path() {
    let made = call("A", "foo", |recorder, receiver, _| {
        let other = recorder.alloc("A");
        nest(recorder, receiver, other);
    });
    let given = call("A", "foo", |recorder, receiver, argument| {
        for _ in 0..5 {
            recorder.read(receiver, "A.next", receiver);
        }
        nest(recorder, receiver, argument);
    });
    let found = predict(&[made, given]);
    assert_eq!((found.nodes, found.cycles, found.unusable), (2, 1, vec![]));
    assert_eq!(found.predicted.len(), 1);
    assert!(
        found.predicted[0]
            .acquisitions
            .iter()
            .all(|thread| thread.trace == 1)
    );
}

#[test]
fn methods_that_lock_at_the_same_places_are_predicted_each_and_in_pairs() {
    let traces = [call("A", "foo", nest), call("A", "bar", nest)];
    let found = predict(&traces);
    assert_eq!((found.nodes, found.cycles), (2, 1));
    let pairs: Vec<_> = (found.predicted.iter())
        .map(|deadlock| {
            deadlock
                .acquisitions
                .iter()
                .map(|thread| thread.trace)
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(pairs, [[0, 0], [0, 1], [1, 1]]);
}

#[test]
fn a_deadlock_seen_under_different_outer_locks_is_one() {
    let plain = call("A", "foo", nest);
    let under = call("A", "foo", |recorder, receiver, argument| {
        let outer = recorder.object("Outer");
        recorder.lock_in(9, receiver, "A.outer", outer);
        nest(recorder, receiver, argument);
        recorder.unlock(&[outer]);
    });
    let found = predict(&[under, plain]);
    assert_eq!((found.nodes, found.cycles, found.predicted.len()), (5, 3, 1));
    assert!(
        found.predicted[0]
            .acquisitions
            .iter()
            .all(|thread| thread.trace == 1),
        "the cheaper one stays"
    );
}

#[test]
fn choices_early_in_all_lists_come_first() {
    let all = super::choices(&[2, 3], 100);
    assert_eq!(all, [[0, 0], [0, 1], [1, 0], [0, 2], [1, 1], [1, 2]]);
    assert_eq!(super::choices(&[2, 3], 3), all[..3]);
    assert!(super::choices(&[2, 0], 3).is_empty());
}
