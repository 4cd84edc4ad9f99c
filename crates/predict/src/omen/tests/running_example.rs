//! The paper's running example: Figures 6, 8, 11 and 13, Tables 2, 3 and 4.
//!
//! Table 2 is completed from the text. `foo` is called with (a1, a2, b1) and makes b'; it locks `a1.mutex` at line 105,
//! under it `a2.mutex` at 106, under both in turn `b1.mutex` at 107 and `b'.mutex` at 108. `bar` locks the `mutex` of
//! its receiver at 204 and under it that of its argument at 205; another method, `baz` here, does so at 209 and 210.

use std::collections::{BTreeMap, BTreeSet};

use super::recorder::{Above, Recorder, field, from};
use crate::omen::acquisition::Acquisitions;
use crate::omen::cycle::{Matches, Search, search};
use crate::omen::invocation::Invocations;
use crate::omen::node::Relation;
use crate::omen::parameter::{Origins, State};
use crate::{Acquisition, Action, CycleLimits, Deadlock, Object, Root, Same, Trace, Unusable, deadlocks};

/// The tests I1 and I2.
struct Example {
    traces: Vec<Trace>,
    /// The steps of I1 that the paper names e.
    e: BTreeMap<u32, usize>,
    /// The steps of I2 that the paper names e'.
    e_prime: BTreeMap<u32, usize>,
    /// The third parameter of `foo`, and its mutex.
    b1: (Object, Object),
}

fn example() -> Example {
    let mut first = Recorder::default();
    let [(a1, a1_mutex), (a2, a2_mutex)] = [(); 2].map(|()| (first.object("A"), first.object("T1")));
    let (b1, b1_mutex) = (first.object("B"), first.object("T2"));
    let mut e = BTreeMap::new();
    e.insert(4, first.enter("A", "foo", &[a1, a2, b1]));
    let b = first.alloc("B");
    let b_mutex = first.alloc("T2");
    first.write(b, "B.mutex", b_mutex);
    e.insert(7, first.lock_in(105, a1, "A.mutex", a1_mutex));
    e.insert(9, first.lock_in(106, a2, "A.mutex", a2_mutex));
    e.insert(11, first.lock_in(107, b1, "B.mutex", b1_mutex));
    first.unlock(&[b1_mutex]);
    e.insert(13, first.lock_in(108, b, "B.mutex", b_mutex));
    first.unlock(&[b_mutex, a2_mutex, a1_mutex]);
    first.exit();
    first.enter("B", "bar", &[b1, a1]);
    e.insert(20, first.lock_in(204, b1, "B.mutex", b1_mutex));
    e.insert(22, first.lock_in(205, a1, "A.mutex", a1_mutex));
    first.unlock(&[a1_mutex, b1_mutex]);
    first.exit();

    let mut second = Recorder::default();
    let (b2, b2_mutex) = (second.object("B"), second.object("T2"));
    let (a3, a3_mutex) = (second.object("A"), second.object("T1"));
    let mut e_prime = BTreeMap::new();
    e_prime.insert(3, second.enter("B", "bar", &[b2, a3]));
    e_prime.insert(5, second.lock_in(204, b2, "B.mutex", b2_mutex));
    e_prime.insert(7, second.lock_in(205, a3, "A.mutex", a3_mutex));
    second.unlock(&[a3_mutex, b2_mutex]);
    second.exit();
    second.enter("B", "baz", &[b2, a3]);
    e_prime.insert(14, second.lock_in(209, b2, "B.mutex", b2_mutex));
    e_prime.insert(16, second.lock_in(210, a3, "A.mutex", a3_mutex));
    second.unlock(&[a3_mutex, b2_mutex]);
    second.exit();
    Example {
        traces: vec![first.trace, second.trace],
        e,
        e_prime,
        b1: (b1, b1_mutex),
    }
}

const NO_SUBTYPES: Above = Above(&[]);

/// Node numbers as the paper counts them, from 1.
fn as_printed(paths: &[Vec<usize>]) -> Vec<Vec<usize>> {
    paths
        .iter()
        .map(|path| path.iter().map(|node| node + 1).collect())
        .collect()
}

fn two_threads() -> CycleLimits {
    CycleLimits {
        cycle_length: 2,
        ..CycleLimits::default()
    }
}

#[test]
fn the_relation_is_that_of_figure_8() {
    let Example {
        traces, e, e_prime, ..
    } = example();
    let relation = Relation::new(&traces);
    let nodes: Vec<_> = relation
        .nodes
        .iter()
        .map(|node| {
            let held: Vec<usize> = node.held.iter().map(|held| held + 1).collect();
            let witnesses: Vec<(usize, usize)> = node.witnesses.iter().copied().collect();
            (node.class, node.place.unwrap().line.unwrap(), held, witnesses)
        })
        .collect();
    let expected = vec![
        ("T1", 105, vec![], vec![(0, e[&7])]),
        ("T1", 106, vec![1], vec![(0, e[&9])]),
        ("T2", 107, vec![1, 2], vec![(0, e[&11])]),
        ("T2", 108, vec![1, 2], vec![(0, e[&13])]),
        ("T2", 204, vec![], vec![(0, e[&20]), (1, e_prime[&5])]),
        ("T1", 205, vec![5], vec![(0, e[&22]), (1, e_prime[&7])]),
        ("T2", 209, vec![], vec![(1, e_prime[&14])]),
        ("T1", 210, vec![7], vec![(1, e_prime[&16])]),
    ];
    assert_eq!(nodes, expected);
}

#[test]
fn paths_and_cycles_are_those_of_table_3() {
    let Example { traces, .. } = example();
    let relation = Relation::new(&traces);
    let matches = Matches::new(&relation, &NO_SUBTYPES);
    let mut search = Search::new(&relation, &matches, 100);
    assert_eq!(as_printed(&search.paths), [[2], [3], [4], [6], [8]]);
    assert_eq!(as_printed(&search.cycles), [[2, 2]]);
    search.extend();
    assert_eq!(as_printed(&search.paths), [[2, 3], [2, 4], [6, 2], [8, 2]]);
    assert_eq!(
        as_printed(&search.cycles),
        [[2, 2], [3, 6], [3, 8], [4, 6], [4, 8]]
    );
    assert!(!search.cut_short);
}

#[test]
fn cycles_of_three_are_found_once_whichever_node_they_begin_with() {
    let Example { traces, .. } = example();
    let relation = Relation::new(&traces);
    let matches = Matches::new(&relation, &NO_SUBTYPES);
    let found = search(&relation, &matches, 3, 100);
    assert_eq!(
        as_printed(&found.cycles[5..]),
        [[2, 3, 6], [2, 3, 8], [2, 4, 6], [2, 4, 8]]
    );
    assert_eq!(
        search(&relation, &matches, 4, 100).cycles,
        found.cycles,
        "no node is in a longer one twice"
    );
}

#[test]
fn first_locks_of_node_3_are_nodes_1_and_2() {
    let Example { traces, .. } = example();
    let relation = Relation::new(&traces);
    let matches = Matches::new(&relation, &NO_SUBTYPES);
    assert_eq!(matches.first_locks(&relation, 5, 2), [0, 1]);
    assert_eq!(matches.first_locks(&relation, 2, 5), [4]);
}

#[test]
fn the_calls_of_the_cycle_of_nodes_3_and_6_are_foo_of_the_first_and_bar_of_the_second_test() {
    let Example {
        traces, e, e_prime, ..
    } = example();
    let relation = Relation::new(&traces);
    let invocations = Invocations::new(&traces);
    assert_eq!(invocations.enter(0, e[&11]), Some(e[&4]));
    assert_eq!(invocations.enter(1, e_prime[&7]), Some(e_prime[&3]));

    let mut acquisitions = Acquisitions::new(&traces, &relation);
    let foo = acquisitions.candidates(&[0], 2).unwrap();
    let bar = acquisitions.candidates(&[4], 5).unwrap();
    let calls: Vec<_> = [&foo, &bar]
        .map(|options| {
            let best = &options[0];
            (
                best.acquisition.enter,
                best.method.name.as_str(),
                best.acquisition.trace,
            )
        })
        .to_vec();
    assert_eq!(calls, [(e[&4], "foo", 0), (e_prime[&3], "bar", 1)]);
    assert_eq!(bar.len(), 1, "both tests call `bar` in the same way");
}

#[test]
fn tracking_takes_the_steps_of_figure_11() {
    let Example {
        traces,
        e,
        b1: (b1, b1_mutex),
        ..
    } = example();
    let invocations = Invocations::new(&traces);
    let origins = Origins::new(&traces, &invocations, 0, e[&4]);
    let tracking = origins.track(b1_mutex, e[&11]);
    let mutex = field("B.mutex");
    assert_eq!(
        tracking.states,
        [
            State {
                base: b1_mutex,
                field: None
            },
            State {
                base: b1,
                field: Some((&mutex, 0))
            }
        ]
    );
    assert_eq!(tracking.end, Ok((1, Root::Parameter(2))));
}

#[test]
fn parameters_are_those_of_table_4() {
    let Example {
        traces, e, e_prime, ..
    } = example();
    let relation = Relation::new(&traces);
    let mut acquisitions = Acquisitions::new(&traces, &relation);
    let mut row = |first, second| {
        acquisitions.candidates(&[first], second).unwrap()[0]
            .acquisition
            .clone()
    };
    assert_eq!(
        row(0, 2),
        Acquisition {
            trace: 0,
            enter: e[&4],
            first_lock: e[&7],
            second_lock: e[&11],
            first: from(0, &["A.mutex"]),
            second: from(2, &["B.mutex"]),
        }
    );
    assert_eq!(
        row(4, 5),
        Acquisition {
            trace: 1,
            enter: e_prime[&3],
            first_lock: e_prime[&5],
            second_lock: e_prime[&7],
            first: from(0, &["B.mutex"]),
            second: from(1, &["A.mutex"]),
        }
    );
}

#[test]
fn the_lock_of_line_108_is_made_within_the_call() {
    let Example { traces, e, .. } = example();
    let invocations = Invocations::new(&traces);
    let origins = Origins::new(&traces, &invocations, 0, e[&4]);
    let Action::Lock(lock) = traces[0].steps[e[&13]].action else {
        panic!("no lock")
    };
    assert_eq!(origins.path(lock, e[&13]), Err(Unusable::MadeInside));
}

/// The lines of the locks, thread by thread.
fn lines(traces: &[Trace], deadlock: &Deadlock) -> Vec<(u32, u32)> {
    let line = |trace: usize, step: usize| {
        traces[trace].steps[step]
            .place
            .as_ref()
            .and_then(|place| place.line)
            .unwrap()
    };
    deadlock
        .acquisitions
        .iter()
        .map(|thread| {
            (
                line(thread.trace, thread.first_lock),
                line(thread.trace, thread.second_lock),
            )
        })
        .collect()
}

#[test]
fn foo_and_bar_must_share_the_objects_of_figure_13() {
    let Example { traces, .. } = example();
    let found = deadlocks(&traces, &NO_SUBTYPES, &two_threads());
    let deadlock = (found.predicted.iter())
        .find(|deadlock| lines(&traces, deadlock) == [(105, 107), (204, 205)])
        .unwrap();
    assert_eq!(
        deadlock.constraints,
        [
            Same {
                left: (0, from(2, &["B.mutex"])),
                right: (1, from(0, &["B.mutex"]))
            },
            Same {
                left: (1, from(1, &["A.mutex"])),
                right: (0, from(0, &["A.mutex"]))
            },
        ]
    );
}

#[test]
fn all_first_locks_are_tried_and_cycles_with_local_locks_are_counted() {
    let Example { traces, .. } = example();
    let found = deadlocks(&traces, &NO_SUBTYPES, &two_threads());
    assert_eq!((found.nodes, found.cycles, found.cut_short), (8, 5, false));
    let predicted: BTreeSet<_> = found
        .predicted
        .iter()
        .map(|deadlock| lines(&traces, deadlock))
        .collect();
    let expected = [
        [(105, 106), (105, 106)],
        [(105, 107), (204, 205)],
        [(105, 107), (209, 210)],
        [(106, 107), (204, 205)],
        [(106, 107), (209, 210)],
    ];
    assert_eq!(predicted, expected.map(Vec::from).into());
    assert_eq!(found.predicted.len(), 5);
    assert_eq!(found.unusable, [(Unusable::MadeInside, 2)]);
}

#[test]
fn three_threads_come_after_two() {
    let Example { traces, .. } = example();
    let found = deadlocks(&traces, &NO_SUBTYPES, &CycleLimits::default());
    let threads: Vec<usize> = found
        .predicted
        .iter()
        .map(|deadlock| deadlock.acquisitions.len())
        .collect();
    assert_eq!(threads, [2, 2, 2, 2, 2, 3, 3, 3, 3]);
    assert_eq!(
        (found.cycles, found.unusable),
        (9, vec![(Unusable::MadeInside, 4)])
    );
    let three = found
        .predicted
        .iter()
        .find(|deadlock| deadlock.acquisitions.len() == 3)
        .unwrap();
    let pairs: Vec<_> = three
        .constraints
        .iter()
        .map(|same| (same.left.0, same.right.0))
        .collect();
    assert_eq!(pairs, [(0, 1), (1, 2), (2, 0)]);
}

#[test]
fn traces_given_twice_say_the_same() {
    let Example { traces, .. } = example();
    let once = deadlocks(&traces, &NO_SUBTYPES, &CycleLimits::default());
    let twice = [traces.clone(), traces].concat();
    assert_eq!(deadlocks(&twice, &NO_SUBTYPES, &CycleLimits::default()), once);
    assert_eq!(deadlocks(&twice, &NO_SUBTYPES, &CycleLimits::default()), once);
}

#[test]
fn limits_are_kept() {
    let Example { traces, .. } = example();
    let few_cycles = CycleLimits {
        cycles: 2,
        ..two_threads()
    };
    let found = deadlocks(&traces, &NO_SUBTYPES, &few_cycles);
    assert_eq!(
        (found.cycles, found.predicted.len(), found.cut_short),
        (2, 3, true)
    );
    let one_choice = CycleLimits {
        choices: 1,
        ..two_threads()
    };
    let found = deadlocks(&traces, &NO_SUBTYPES, &one_choice);
    assert_eq!(
        (found.cycles, found.predicted.len(), found.cut_short),
        (5, 3, true)
    );
}
