//! The paper's own numbers, and what departs from the paper.

use std::collections::BTreeSet;

use super::dependency::{Dependencies, Dependency, Kind, State};
use super::example::{Subclasses, Writer, field, figure_5, figure_8, path};
use super::*;
use crate::path::Root;
use crate::trace::{Action, Object};

fn analyse(traces: &[Trace]) -> Atomicity {
    atomicity(traces, &Subclasses::default(), &Limits::default())
}

/// A path as the paper writes it.
fn written(path: &AccessPath) -> String {
    let root = match &path.root {
        Root::Parameter(number) => format!("p{number}"),
        Root::Static(field) => format!("{}.{}", field.class, field.name),
    };
    path.fields
        .iter()
        .fold(root, |text, field| format!("{text}.{}", field.name))
}

/// A tuple of D as the paper writes it, with paths for symbols.
fn tuple(all: &Dependencies, dependency: &Dependency) -> String {
    let (shape, access) = (all.shape(dependency), all.access(dependency));
    let location = all.locations.thing(access.location.unwrap());
    let part = |length: usize| written(&location.path(&all.names, length));
    let locks = |locks: &[usize]| {
        locks
            .iter()
            .map(|&length| part(length))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let kind = |kind| if kind == Kind::Read { "R" } else { "W" };
    format!(
        "<{}, {}, {}, {}, {{{}}}, {{{}}}>",
        part(location.fields.len()),
        all.names.fields.thing(access.field).name,
        shape
            .previous
            .as_ref()
            .map_or("-", |previous| kind(previous.kind)),
        kind(access.kind),
        locks(&access.held),
        locks(&shape.consistent)
    )
}

fn tuples(traces: &[Trace]) -> Vec<String> {
    let all = Dependencies::of(traces);
    all.single
        .list
        .iter()
        .map(|dependency| tuple(&all, dependency))
        .collect()
}

fn method(traces: &[Trace], access: &Access) -> String {
    let Action::Enter { method, .. } = &traces[access.trace].steps[access.enter].action else {
        panic!()
    };
    method.name.clone()
}

#[test]
fn table_1_step_by_step() {
    let mut writer = Writer::default();
    let (a, b) = (writer.object("A"), writer.object("B"));
    writer.foo(a, b);
    let traces = [writer.finish()];
    let mut all = Dependencies::before(&traces);
    let mut state = State::new(0, &mut all);
    let call = all.calls[0];
    let mut rows = Vec::new();
    for (offset, step) in call.body.iter().enumerate() {
        state.step(offset + 1, step, &mut all);
        let accesses: Vec<_> = state
            .last
            .iter()
            .map(|((symbol, field, _), last)| {
                let kind = if last.kind == Kind::Read { "R" } else { "W" };
                format!(
                    "i{symbol}.{}=({kind},{})",
                    all.names.fields.thing(*field).name,
                    last.time
                )
            })
            .collect();
        let held: Vec<_> = state
            .held
            .iter()
            .map(|lock| format!("(i{},{})", lock.symbol, lock.since))
            .collect();
        rows.push(format!(
            "{} | {} | {}",
            accesses.join(" "),
            held.join(" "),
            state.time
        ));
    }
    assert_eq!(
        rows,
        [
            " | (i0,1) | 1",
            "i0.f=(R,1) | (i0,1) | 1",
            "i0.f=(R,1) | (i0,1) (i1,2) | 2",
            "i0.f=(R,1) i1.count=(R,2) | (i0,1) (i1,2) | 2",
            "i0.f=(R,1) i1.count=(R,2) | (i0,1) | 3",
            "i0.f=(R,1) i1.count=(R,2) | (i0,1) (i1,4) | 4",
            "i0.f=(R,1) i1.count=(W,4) | (i0,1) (i1,4) | 4",
            "i0.f=(R,1) i1.count=(W,4) | (i0,1) | 5",
            "i0.f=(R,1) i1.count=(W,4) |  | 6",
        ]
    );
}

#[test]
fn table_2_d1_to_d3() {
    let mut writer = Writer::default();
    let (a, b) = (writer.object("A"), writer.object("B"));
    writer.foo(a, b);
    assert_eq!(
        tuples(&[writer.finish()]),
        [
            "<p0, f, -, R, {p0}, {p0}>",
            "<p0.f, count, -, R, {p0 p0.f}, {p0 p0.f}>",
            "<p0.f, count, R, W, {p0 p0.f}, {p0}>",
        ]
    );
}

#[test]
fn table_3_d4_to_d9() {
    assert_eq!(
        tuples(&[figure_8()]),
        [
            "<p0, g, -, R, {p0}, {p0}>",
            "<p0.g, size, -, R, {p0 p0.g}, {p0 p0.g}>",
            "<p0.g, size, R, W, {p0 p0.g}, {p0}>",
            "<p0, g, -, R, {}, {}>",
            "<p0.g, size, -, R, {p0.g}, {p0.g}>",
            "<p0.g, size, R, W, {p0.g}, {p0.g}>",
        ]
    );
}

#[test]
fn figure_5_alone_has_the_pair_d3_d3() {
    let traces = [figure_5()];
    let found = analyse(&traces);
    assert_eq!((found.pairs, found.unique, found.infeasible.len()), (1, 1, 0));
    let [triple] = &found.feasible[..] else {
        panic!("{found:?}")
    };
    assert_eq!(
        (triple.local.enter, triple.local.current),
        (triple.remote.enter, triple.remote.current)
    );
    assert_eq!(
        triple.local.previous.map(|step| step + 3),
        Some(triple.local.current)
    );
    assert_eq!(triple.remote.previous, None);
    assert_eq!(triple.local.field, field("B.count"));
}

#[test]
fn table_4_has_five_pairs_with_their_reasons() {
    let traces = [figure_5(), figure_8()];
    let found = analyse(&traces);
    assert_eq!((found.pairs, found.unique), (5, 5));
    let both = |local: &Access, remote: &Access| {
        let object = |access: &Access| written(access.path.as_ref().unwrap());
        let methods = (method(&traces, local), method(&traces, remote));
        format!(
            "{}, {}: <{}, {}>",
            methods.0,
            methods.1,
            object(local),
            object(remote)
        )
    };
    let feasible: Vec<_> = found
        .feasible
        .iter()
        .map(|triple| {
            let sharing = triple.sharing.as_ref().unwrap();
            let setters: Vec<_> = [&sharing.local, &sharing.remote]
                .into_iter()
                .flat_map(|shared| shared.setters.iter().map(|setter| setter.method.name.clone()))
                .collect();
            let dominant = triple.dominant.as_ref().map_or("-".to_owned(), written);
            format!(
                "{} dom {dominant} share {} by {setters:?}",
                both(&triple.local, &triple.remote),
                { written(&sharing.local.path) }
            )
        })
        .collect();
    assert_eq!(
        feasible,
        [
            "bar, zee: <p0.g, p0.g> dom - share p0 by []",
            "foo, foo: <p0.f, p0.f> dom p0 share p0.f by [\"setF\", \"setF\"]",
        ]
    );
    let guard = |lock: AccessPath, class: &str| Guard {
        lock: Some(lock),
        class: Some(class.to_owned()),
    };
    let infeasible: Vec<_> = found
        .infeasible
        .iter()
        .map(|pair| (both(&pair.local, &pair.remote), pair.obstacle.clone()))
        .collect();
    let expected = |pair: &str, obstacle| (pair.to_owned(), obstacle);
    assert_eq!(
        infeasible,
        [
            expected(
                "zee, zee: <p0.g, p0.g>",
                Obstacle::Guarded(guard(path(0, &["A.g"]), "C"))
            ),
            expected(
                "zee, bar: <p0.g, p0.g>",
                Obstacle::Guarded(guard(path(0, &["A.g"]), "C"))
            ),
            expected(
                "bar, bar: <p0.g, p0.g>",
                Obstacle::GuardedWithoutSetter(guard(path(0, &[]), "A"))
            ),
        ]
    );
}

#[test]
fn the_locks_on_the_way_to_an_object_are_relevant() {
    let mut writer = Writer::default();
    let [this, u, f1, f2, other] = ["R", "U", "V", "W", "X"].map(|class| writer.object(class));
    writer.call("R.rand(LU;LX;)V", &[this, u, other]);
    writer.lock(other);
    writer.read(u, "U.f1", Some(f1));
    writer.lock(f1);
    writer.read(f1, "V.f2", Some(f2));
    writer.read(f2, "W.f3", None);
    writer.unlock(f1);
    writer.unlock(other);
    assert_eq!(
        tuples(&[writer.finish()])[2],
        "<p1.f1.f2, f3, -, R, {p1.f1}, {p1.f1}>",
        "the lock of the other parameter is not relevant"
    );
}

#[test]
fn every_call_has_fresh_symbols() {
    let mut writer = Writer::default();
    let (a, b) = (writer.object("A"), writer.object("B"));
    writer.set_f(a, b);
    writer.set_f(a, b);
    let traces = [writer.finish()];
    let mut all = Dependencies::before(&traces);
    for number in 0..2 {
        let mut state = State::new(number, &mut all);
        for (offset, step) in all.calls[number].body.iter().enumerate() {
            state.step(offset, step, &mut all);
        }
        assert_eq!(state.symbols.of(a, &mut all.names), 0);
        let b = state.symbols.of(b, &mut all.names);
        let location = state.symbols.location(b).unwrap();
        assert_eq!(
            location.path(&all.names, location.fields.len()),
            path(1, &[]),
            "not p0.f"
        );
        assert_eq!(location.given, 1);
    }
    let written: Vec<_> = all
        .single
        .list
        .iter()
        .map(|found| (found.weight, tuple(&all, found)))
        .collect();
    assert_eq!(
        written,
        [(2, "<p0, f, -, W, {p0}, {p0}>".to_owned())],
        "neither call has a previous access"
    );
}

#[test]
fn a_lock_that_is_taken_again_stays_as_old_as_it_is() {
    let mut writer = Writer::default();
    let a = writer.object("A");
    writer.call("A.twice()V", &[a]);
    writer.lock(a);
    writer.read(a, "A.n", None);
    writer.lock(a);
    writer.unlock(a);
    writer.write(a, "A.n", None);
    writer.unlock(a);
    let traces = [writer.finish()];
    assert_eq!(tuples(&traces)[1], "<p0, n, R, W, {p0}, {p0}>");
    let found = analyse(&traces);
    assert_eq!((found.unique, found.feasible.len()), (1, 0));
    assert!(matches!(found.infeasible[0].obstacle, Obstacle::Guarded(_)));
}

#[test]
fn what_a_constructor_does_to_its_object_is_nobody_elses_business() {
    let mut writer = Writer::default();
    writer.new_a();
    assert_eq!(tuples(&[writer.finish()]), [""; 0]);
}

/// A getter that reads `A.n` twice and a setter, on the lock that `lock` returns for the receiver.
fn twice_and_set(lock: impl Fn(&mut Writer, Object)) -> Atomicity {
    let mut writer = Writer::default();
    let a = writer.object("A");
    for (method, write) in [("A.twice()V", false), ("A.set()V", true)] {
        writer.call(method, &[a]);
        lock(&mut writer, a);
        writer.read(a, "A.n", None);
        if write {
            writer.write(a, "A.n", None);
        } else {
            writer.read(a, "A.n", None);
        }
    }
    analyse(&[writer.finish()])
}

#[test]
fn calls_without_locks_interleave() {
    let found = twice_and_set(|_, _| {});
    assert_eq!((found.unique, found.feasible.len()), (2, 2), "{found:?}");
}

#[test]
fn a_lock_object_in_a_field_guards_what_lies_beside_it() {
    let found = twice_and_set(|writer, a| {
        let lock = Object(1);
        writer.trace.types.insert(lock, "L".to_owned());
        writer.read(a, "A.lock", Some(lock));
        writer.lock(lock);
    });
    let guard = Guard {
        lock: Some(path(0, &["A.lock"])),
        class: Some("L".to_owned()),
    };
    assert_eq!((found.unique, found.feasible.len()), (2, 0));
    assert!(
        found
            .infeasible
            .iter()
            .all(|pair| pair.obstacle == Obstacle::GuardedWithoutSetter(guard.clone()))
    );
}

#[test]
fn a_lock_in_a_static_field_guards_everything() {
    let found = twice_and_set(|writer, _| {
        let lock = Object(1);
        writer.trace.types.insert(lock, "L".to_owned());
        writer.read(None, "A.LOCK", Some(lock));
        writer.lock(lock);
    });
    assert_eq!(
        (found.unique, found.feasible.len(), found.infeasible.len()),
        (2, 0, 2)
    );
    assert!(matches!(found.infeasible[0].obstacle, Obstacle::Guarded(_)));
}

#[test]
fn a_class_object_guards_everything() {
    let found = twice_and_set(|writer, _| {
        writer.trace.types.insert(Object(1), "java.lang.Class".to_owned());
        writer.lock(Object(1));
    });
    assert_eq!(
        (found.unique, found.feasible.len(), found.infeasible.len()),
        (2, 0, 2)
    );
}

#[test]
fn a_lock_of_the_subclass_is_the_same_lock() {
    let mut writer = Writer::default();
    let (parent, child) = (writer.object("Parent"), writer.object("Child"));
    for (method, object) in [("Parent.get()V", parent), ("Child.set()V", child)] {
        writer.call(method, &[object]);
        writer.lock(object);
        writer.read(object, "Parent.n", None);
        writer.write(object, "Parent.n", None);
        writer.unlock(object);
    }
    let traces = [writer.finish()];
    let related = Subclasses(BTreeSet::from([("Child", "Parent")]));
    let found = atomicity(&traces, &related, &Limits::default());
    assert_eq!((found.unique, found.feasible.len()), (4, 0));
    assert!(
        found
            .infeasible
            .iter()
            .all(|pair| matches!(pair.obstacle, Obstacle::Guarded(_)))
    );
    let apart = analyse(&traces).infeasible;
    assert_eq!(
        apart
            .iter()
            .filter(|pair| pair.obstacle == Obstacle::NoSetter)
            .count(),
        2
    );
}

#[test]
fn a_constructor_breaks_the_dominant_lock() {
    let mut writer = Writer::default();
    let (a, b) = (writer.object("A"), writer.object("B"));
    let made = writer.call("A.<init>(LB;)V", &[a, b]);
    writer.write(a, "A.f", Some(b));
    writer.foo(a, b);
    let found = analyse(&[writer.finish()]);
    let sharing = found.feasible[0].sharing.as_ref().unwrap();
    for shared in [&sharing.local, &sharing.remote] {
        let [setter] = &shared.setters[..] else {
            panic!("{shared:?}")
        };
        assert_eq!((setter.enter, setter.is_constructor()), (made, true));
        assert_eq!(shared.path, path(0, &["A.f"]));
    }
}

#[test]
fn a_container_is_filled_before_it_is_put_into_another() {
    let mut writer = Writer::default();
    let [a, b, c] = ["A", "B", "C"].map(|class| writer.object(class));
    writer.call("B.setG(LC;)V", &[b, c]);
    writer.write(b, "B.g", Some(c));
    writer.set_f(a, b);
    writer.call("A.deep()V", &[a]);
    writer.read(a, "A.f", Some(b));
    writer.lock(b);
    writer.read(b, "B.g", Some(c));
    writer.read(c, "C.n", None);
    writer.write(c, "C.n", None);
    writer.unlock(b);
    let found = analyse(&[writer.finish()]);
    let triple = found
        .feasible
        .iter()
        .find(|triple| triple.local.field == field("C.n"))
        .unwrap();
    assert_eq!(triple.dominant, Some(path(0, &["A.f"])));
    let sharing = triple.sharing.as_ref().unwrap();
    let names: Vec<_> = sharing
        .local
        .setters
        .iter()
        .map(|setter| setter.method.name.as_str())
        .collect();
    assert_eq!(
        (names, &sharing.local.path),
        (vec!["setG", "setF"], &path(0, &["A.f", "B.g"]))
    );
}

#[test]
fn what_the_call_makes_cannot_be_chosen() {
    let mut writer = Writer::default();
    let (a, old) = (writer.object("A"), writer.object("B"));
    writer.set_f(a, old);
    let new = writer.object("B");
    writer.call("A.renew()V", &[a]);
    writer.lock(a);
    writer.alloc(new);
    writer.write(a, "A.f", Some(new));
    writer.read(new, "B.count", None);
    writer.write(new, "B.count", None);
    writer.unlock(a);
    let found = analyse(&[writer.finish()]);
    let of_count: Vec<_> = found
        .infeasible
        .iter()
        .filter(|pair| pair.local.field == field("B.count"))
        .collect();
    let guard = Guard {
        lock: Some(path(0, &[])),
        class: Some("A".to_owned()),
    };
    assert_eq!(of_count.len(), 1);
    assert_eq!(of_count[0].obstacle, Obstacle::GuardedWithoutSetter(guard));
}

#[test]
fn elements_of_arrays_meet_at_the_same_index() {
    let mut writer = Writer::default();
    let (a, array) = (writer.object("A"), writer.object("B[]"));
    writer.call("A.first()V", &[a]);
    writer.read(a, "A.items", Some(array));
    writer.read_element(array, "B[]", 0, None);
    writer.read_element(array, "B[]", 1, None);
    writer.read_element(array, "B[]", 0, None);
    writer.call("A.set()V", &[a]);
    writer.read(a, "A.items", Some(array));
    let written = writer.write_element(array, "B[]", 0, None);
    writer.write_element(array, "B[]", 1, None);
    let found = analyse(&[writer.finish()]);
    assert_eq!(
        (found.pairs, found.unique, found.feasible.len()),
        (1, 1, 1),
        "{found:?}"
    );
    assert_eq!(
        (found.feasible[0].local.index, found.feasible[0].remote.current),
        (Some(0), written)
    );
}

#[test]
fn loops_count_but_do_not_repeat() {
    let mut writer = Writer::default();
    let a = writer.object("A");
    writer.call("A.loop()V", &[a]);
    for _ in 0..4 {
        writer.back_to(0);
        writer.read(a, "A.n", None);
        writer.write(a, "A.n", None);
    }
    let found = analyse(&[writer.finish()]);
    assert_eq!(found.dependencies, 8);
    // R-W with W: 4 × 4. W-R with W: 3 × 4.
    assert_eq!(found.pairs, 28);
    assert_eq!(found.unique, 2, "R-W and W-R, each with the one write");
}

#[test]
fn the_shortest_of_equal_calls_is_kept() {
    let mut writer = Writer::default();
    let (a, b) = (writer.object("A"), writer.object("B"));
    writer.foo(a, b);
    writer.read(a, "A.more", None);
    let short = writer.foo(a, b);
    let mut second = Writer::default();
    let (a, b) = (second.object("A"), second.object("B"));
    second.set_f(a, b);
    let found = analyse(&[writer.finish(), second.finish()]);
    assert_eq!((found.pairs, found.unique), (4, 1));
    assert_eq!(
        (found.feasible[0].local.enter, found.feasible[0].remote.enter),
        (short, short)
    );
}

#[test]
fn static_fields_need_no_sharing() {
    let mut writer = Writer::default();
    let a = writer.object("A");
    writer.call("A.next()V", &[a]);
    writer.read(None, "A.counter", None);
    writer.write(None, "A.counter", None);
    let found = analyse(&[writer.finish()]);
    let [triple] = &found.feasible[..] else {
        panic!("{found:?}")
    };
    assert_eq!((&triple.sharing, &triple.local.path), (&None, &None));
}

#[test]
fn two_fields_of_one_object_make_a_pair_of_variables() {
    let mut writer = Writer::default();
    let a = writer.object("A");
    writer.call("A.get()V", &[a]);
    for name in ["A.low", "A.high"] {
        writer.lock(a);
        writer.read(a, name, None);
        writer.unlock(a);
    }
    writer.call("A.set()V", &[a]);
    writer.lock(a);
    writer.write(a, "A.high", None);
    writer.write(a, "A.low", None);
    writer.unlock(a);
    let found = analyse(&[writer.finish()]);
    assert_eq!(found.unique, 0);
    let [triple] = &found.feasible[..] else {
        panic!("{found:?}")
    };
    assert_eq!(triple.variables, Variables::Pair(field("A.low"), field("A.high")));
    assert_eq!((triple.local.previous, triple.local.current), (Some(2), 5));
    assert_eq!((triple.remote.previous, triple.remote.current), (Some(10), 11));
}

#[test]
fn limits_keep_the_cheapest() {
    let traces = [figure_5(), figure_8()];
    let limits = Limits {
        kept: 1,
        ..Limits::default()
    };
    let found = atomicity(&traces, &Subclasses::default(), &limits);
    assert_eq!((found.unique, found.feasible.len()), (5, 1));
    assert_eq!(method(&traces, &found.feasible[0].local), "bar");
    let none = atomicity(&traces, &Subclasses::default(), &Limits { pairs: 0, ..limits });
    assert_eq!(
        (none.unique, none.feasible.len(), none.infeasible.len()),
        (5, 0, 0)
    );
}

#[test]
fn the_same_traces_give_the_same_answer() {
    let traces = [figure_5(), figure_8(), figure_5()];
    assert_eq!(analyse(&traces), analyse(&traces));
    let once = analyse(&traces[..2]);
    let twice = analyse(&traces);
    assert_eq!(twice.feasible, once.feasible, "a repeated trace adds no triples");
    assert_eq!(
        (once.pairs, twice.pairs),
        (5, 8),
        "it adds pairs: four times (d3, d3)"
    );
}
