//! The slides' class with m1 to m4, and one pair of calls for each pattern.

use std::collections::BTreeMap;

use super::*;
use crate::intruder::example::Writer;
use crate::trace::{Object, Trace};

/// A test that makes calls of the slides' class one after the other, and the step with which each begins.
fn slides(calls: &[&str]) -> (Trace, Vec<usize>) {
    let mut writer = Writer::default();
    let cut = writer.object("CUT");
    let mut z = 0;
    let enters = calls.iter().map(|call| match *call {
        "m1" => {
            let enter = writer.call("CUT.m1(I)V", &[cut]);
            writer.lock(cut);
            writer.write(cut, "CUT.x", None);
            writer.unlock(cut);
            enter
        }
        "m2" => {
            let enter = writer.call("CUT.m2()V", &[cut]);
            writer.write(cut, "CUT.z", None);
            z = 1;
            enter
        }
        "m3" => {
            let enter = writer.call("CUT.m3(I)V", &[cut]);
            writer.read(cut, "CUT.z", None);
            // m4 is at the same places, whoever calls it.
            if z == 0 {
                writer.back_to(50);
                writer.lock(cut);
            }
            writer.back_to(100);
            writer.read(cut, "CUT.x", None);
            writer.write(cut, "CUT.x", None);
            if z == 0 {
                writer.back_to(60);
                writer.unlock(cut);
            }
            enter
        }
        other => panic!("{other}"),
    });
    let enters = enters.collect();
    (writer.finish(), enters)
}

fn new_behaviours(tests: &[&[&str]]) -> Vec<Vec<bool>> {
    let mut known = std::collections::BTreeSet::new();
    let is_new = |test: &&[&str]| {
        let (trace, _) = slides(test);
        behaviours(&trace, &[])
            .into_iter()
            .map(|(_, behaviour)| known.insert(behaviour))
            .collect()
    };
    tests.iter().map(is_new).collect()
}

#[test]
fn calls_are_new_as_in_the_slides() {
    assert_eq!(
        new_behaviours(&[&["m3", "m2"], &["m2", "m3"]]),
        [[true, true], [false, true]],
        "δ1 shows m3 and m2, δ2 shows what m3 does after m2"
    );
    assert_eq!(new_behaviours(&[&["m3", "m3"]]), [[true, false]]);
}

#[test]
fn how_a_call_came_to_an_access_makes_a_difference() {
    let (trace, _) = slides(&["m2", "m3"]);
    let contexts = |number| vec![number; trace.steps.len()];
    assert_ne!(behaviours(&trace, &contexts(1)), behaviours(&trace, &contexts(2)));
}

#[test]
fn longer_loops_are_nothing_new() {
    let walk = |times: u32| {
        let mut writer = Writer::default();
        let list = writer.object("L");
        writer.call("L.walk()V", &[list]);
        for _ in 0..times {
            writer.back_to(7);
            writer.read(list, "L.next", None);
        }
        behaviours(&writer.finish(), &[])[0].1
    };
    assert_ne!(walk(0), walk(1));
    assert_ne!(walk(1), walk(2));
    assert_eq!(walk(2), walk(9));
}

/// What the last calls of two tests ask for.
fn demand(first: &(Trace, Vec<usize>), second: &(Trace, Vec<usize>)) -> Demand {
    let variables: BTreeMap<Object, String> = [(Object(0), String::from("sout"))].into();
    requirements(last(first, &variables), last(second, &variables))
}

fn last<'a>((trace, enters): &'a (Trace, Vec<usize>), variables: &'a BTreeMap<Object, String>) -> Alone<'a> {
    Alone {
        trace,
        enter: *enters.last().unwrap(),
        variables,
    }
}

fn patterns(requirements: &[Requirement]) -> Vec<usize> {
    requirements
        .iter()
        .map(|requirement| requirement.pattern)
        .collect()
}

#[test]
fn the_lock_of_m3_makes_the_slides_interleaving_infeasible_until_m2_was_called() {
    let before = demand(&slides(&["m3"]), &slides(&["m1"]));
    assert!(before.open.is_empty(), "{before:?}");
    assert_eq!(before.infeasible.len(), 1);
    let (requirement, reason) = &before.infeasible[0];
    assert_eq!(requirement.pattern, 1);
    assert_eq!(reason, "both calls have the lock sout there");
    let after = demand(&slides(&["m2", "m3"]), &slides(&["m2", "m1"]));
    assert_eq!(
        patterns(&after.open),
        [1],
        "x is read, set to n, and written over"
    );
    assert!(after.infeasible.is_empty());
    assert_eq!(after.open[0].mark, requirement.mark);
    let calls: Vec<usize> = after.open[0].order.iter().map(|turn| turn.call).collect();
    assert_eq!(calls, [0, 1, 0]);
}

/// A call such as `R x W y`, with a lock around all of it or not.
fn call(name: &str, accesses: &str, locked: bool) -> (Trace, Vec<usize>) {
    let mut writer = Writer::default();
    let a = writer.object("A");
    let enter = writer.call(&format!("A.{name}()V"), &[a]);
    if locked {
        writer.lock(a);
    }
    let words: Vec<&str> = accesses.split(' ').collect();
    for access in words.chunks(2) {
        let field = format!("A.{}", access[1]);
        match access[0] {
            "R" => writer.read(a, &field, None),
            _ => writer.write(a, &field, None),
        };
    }
    if locked {
        writer.unlock(a);
    }
    (writer.finish(), vec![enter])
}

#[test]
fn every_pattern_is_known_and_a_common_lock_keeps_it_away() {
    let cases = [
        (1, "R x W x", "W x"),
        (2, "W x R x", "W x"),
        (3, "W x W x", "R x"),
        (4, "R x R x", "W x"),
        (5, "W x W x", "W x"),
        (6, "W x W y", "W x W y"),
        (7, "W x W y", "W y W x"),
        (8, "W x W y", "R x R y"),
        (9, "W x W y", "R y R x"),
        (10, "R x R y", "W x W y"),
        (11, "R x R y", "W y W x"),
    ];
    for (pattern, local, remote) in cases {
        for locked in [false, true] {
            let demand = demand(&call("m", local, locked), &call("k", remote, locked));
            let infeasible: Vec<Requirement> = demand
                .infeasible
                .iter()
                .map(|(requirement, _)| requirement.clone())
                .collect();
            let (there, absent) = if locked {
                (&infeasible, &demand.open)
            } else {
                (&demand.open, &infeasible)
            };
            assert!(patterns(there).contains(&pattern), "{pattern}: {demand:?}");
            assert!(absent.is_empty(), "{pattern}: {demand:?}");
        }
    }
}

#[test]
fn separate_sections_of_one_lock_keep_nothing_together() {
    let mut writer = Writer::default();
    let a = writer.object("A");
    let enter = writer.call("A.m()V", &[a]);
    for _ in 0..2 {
        writer.lock(a);
        writer.read(a, "A.x", None);
        writer.unlock(a);
    }
    let local = (writer.finish(), vec![enter]);
    let demand = demand(&local, &call("k", "W x", true));
    assert_eq!(patterns(&demand.open), [4]);
    assert!(demand.infeasible.is_empty());
}

#[test]
fn objects_that_only_one_call_knows_are_nobody_elses_affair() {
    let fresh = |name: &str| {
        let mut writer = Writer::default();
        let a = writer.object("A");
        let enter = writer.call(&format!("A.{name}()V"), &[a]);
        let own = writer.object("B");
        writer.read(own, "B.x", None);
        writer.write(own, "B.x", None);
        (writer.finish(), vec![enter])
    };
    assert_eq!(demand(&fresh("m"), &fresh("k")), Demand::default());
}

#[test]
fn what_both_calls_come_to_in_the_same_way_is_the_same() {
    let through = |name: &str, number: u32| {
        let mut writer = Writer::default();
        let a = writer.object("A");
        let enter = writer.call(&format!("A.{name}()V"), &[a]);
        for _ in 0..number {
            writer.object("Other");
        }
        let inner = writer.object("B");
        writer.read(a, "A.inner", Some(inner));
        writer.read(inner, "B.x", None);
        writer.write(inner, "B.x", None);
        (writer.finish(), vec![enter])
    };
    let demand = demand(&through("m", 0), &through("k", 3));
    assert!(patterns(&demand.open).contains(&1), "{demand:?}");
}
