//! Tests of contracts through the hierarchy, of wrappers, and of what plans are excused for.

use raddle_oracle::{Difference, Evidence, Kind, Violation};
use raddle_plan::{CallOutcome, CallResult, End, Outcome, Schedule, TestPlan};
use raddle_summary::{Analyzer, Precision};
use raddle_testkit::{Compiled, compile};

use super::*;

fn classes() -> Compiled {
    compile(&[
        (
            "MyMap.java",
            "public class MyMap extends java.util.concurrent.ConcurrentHashMap<String, String> {
                 public int once(String key) { return containsKey(key) ? 0 : size(); } }",
        ),
        (
            "Wrapper.java",
            "import java.util.*; import java.util.concurrent.*;
             public class Wrapper {
                 private final Map<String, String> map = new ConcurrentHashMap<>();
                 private final Map<String, String> plain;
                 private int asked;
                 public Wrapper(Map<String, String> given) { plain = given; }
                 public int size() { return map.size(); }
                 public Integer boxed() { return map.size(); }
                 private Map<String, String> map() { return map; }
                 public long wide() { return (long) map().size(); }
                 public int again() { return size(); }
                 public String put(String k, String v) { return map.put(k, v); }
                 public int other() { return plain.size(); }
                 public synchronized int locked() { return map.size(); }
                 public int counted() { asked++; return map.size(); }
                 public int checked() { return map.isEmpty() ? 0 : map.size(); }
                 public int twice() { return map.size() + map.size(); }
                 public int count(String of) {
                     int count = 0;
                     for (String value : map.values()) { if (value.equals(of)) { count++; } }
                     return count;
                 }
                 public int purge(String of) {
                     int count = 0;
                     for (Iterator<String> all = map.values().iterator(); all.hasNext();) {
                         if (all.next().equals(of)) { all.remove(); count++; }
                     }
                     return count;
                 }
                 public boolean found(String key) { return map.get(key) != null; }
             }",
        ),
        (
            "Mine.java",
            "public abstract class Mine extends java.util.AbstractQueue<String>
                 implements java.util.concurrent.BlockingQueue<String> {}",
        ),
        (
            "Snap.java",
            "public class Snap extends java.util.concurrent.CopyOnWriteArrayList<String> {}",
        ),
        (
            "Acme.java",
            "public class Acme { public void putAll(java.util.Map<?, ?> m) {} }",
        ),
    ])
    .unwrap()
}

#[test]
fn a_contract_holds_for_subclasses_implementations_and_wrappers() {
    let compiled = classes();
    let program = compiled.program();
    let contracts = Contracts::bundled().unwrap();
    let terms = |class: &str, name: &str, descriptor: &str| -> Vec<Term> {
        let class = program.class_id(class);
        let rules = contracts.of_method(program, class, name, descriptor);
        let terms = rules.iter().map(Rule::term);
        terms.filter(|term| *term != Term::NotInItself).collect()
    };
    let map = "java/util/concurrent/ConcurrentHashMap";
    let queue = "java/util/concurrent/LinkedBlockingQueue";
    let put_all = "(Ljava/util/Map;)V";
    let add_all = "(Ljava/util/Collection;)Z";
    for (class, name, descriptor, expected) in [
        (map, "size", "()I", Some(Term::Snapshot)),
        (map, "putAll", put_all, Some(Term::NotAtomic)),
        (
            map,
            "put",
            "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
            None,
        ),
        ("MyMap", "size", "()I", Some(Term::Snapshot)),
        ("MyMap", "once", "(Ljava/lang/String;)I", None),
        (queue, "addAll", add_all, Some(Term::NotAtomic)),
        (queue, "size", "()I", None),
        ("Mine", "addAll", add_all, Some(Term::NotAtomic)),
        ("Mine", "size", "()I", None),
        ("Snap", "addAll", add_all, None),
        ("Acme", "putAll", put_all, None),
        ("Wrapper", "size", "()I", Some(Term::Snapshot)),
        ("Wrapper", "boxed", "()Ljava/lang/Integer;", Some(Term::Snapshot)),
        ("Wrapper", "wide", "()J", Some(Term::Snapshot)),
        ("Wrapper", "again", "()I", Some(Term::Snapshot)),
        (
            "Wrapper",
            "put",
            "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
            None,
        ),
        ("Wrapper", "count", "(Ljava/lang/String;)I", Some(Term::Snapshot)),
        ("Wrapper", "purge", "(Ljava/lang/String;)I", None),
        ("Wrapper", "found", "(Ljava/lang/String;)Z", None),
        ("Wrapper", "other", "()I", None),
        ("Wrapper", "locked", "()I", None),
        ("Wrapper", "counted", "()I", None),
        ("Wrapper", "checked", "()I", None),
        ("Wrapper", "twice", "()I", None),
    ] {
        assert_eq!(
            terms(class, name, descriptor),
            Vec::from_iter(expected),
            "{class}.{name}"
        );
    }
    let wrapper = program.class_id("Wrapper");
    let sentence = contracts.of_method(program, wrapper, "size", "()I")[0].sentence();
    assert!(
        sentence.starts_with(
            "Wrapper.size only delegates, and the documentation of java.util.concurrent.ConcurrentHashMap.size says: "
        ),
        "{sentence}"
    );
}

#[test]
fn what_the_user_writes_goes_before_what_comes_with_raddle() {
    let compiled = classes();
    let program = compiled.program();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("mine.toml");
    let text = r#"
        [[contract]]
        types = ["java.util.concurrent.ConcurrentHashMap"]
        methods = ["size"]
        promise = "atomic"
        says = "we count exactly"
        at = "our wiki"

        [[contract]]
        types = ["Acme"]
        promise = "not-thread-safe"
        says = "for one thread"
        at = "our wiki"
    "#;
    std::fs::write(&file, text).unwrap();
    let mut contracts = Contracts::bundled().unwrap();
    contracts.add_file(&file).unwrap();
    let map = program.class_id("java/util/concurrent/ConcurrentHashMap");
    assert_eq!(contracts.of_method(program, map, "size", "()I"), []);
    assert_eq!(contracts.of_method(program, map, "isEmpty", "()Z").len(), 1);
    let acme = contracts.of_type(program, program.class_id("Acme")).unwrap();
    assert_eq!(
        acme.sentence(),
        "the documentation of Acme says: for one thread (our wiki)"
    );
}

const QUEUE: &str = "java.util.concurrent.ArrayBlockingQueue";
const OFFER: &str = "offer(Ljava/lang/Object;)Z";
const DRAIN: &str = "drainTo(Ljava/util/Collection;)I";

fn call(on: &str, member: &str, argument: &str) -> String {
    let args = match argument {
        "" => String::new(),
        name => format!(r#"{{"var": "{name}"}}"#),
    };
    format!(r#"{{"invoke": "virtual", "member": "{member}", "on": "{on}", "args": [{args}]}}"#)
}

/// Two objects `a` and `b` of the class, a call before the threads, and one in each.
fn plan(class: &str, before: &str, threads: [&str; 2]) -> TestPlan {
    let make = |name: &str| format!(r#"{{"let": "{name}", "invoke": "new", "member": "{class}.<init>()V"}}"#);
    let before = if before.is_empty() {
        String::new()
    } else {
        format!(", {before}")
    };
    let text = format!(
        r#"{{"raddle_plan": 1, "prefix": [{}, {}{before}], "threads": [[{}], [{}]]}}"#,
        make("a"),
        make("b"),
        threads[0],
        threads[1]
    );
    TestPlan::from_json(&text).unwrap()
}

/// Whether a violation that this call shows is excused.
fn is_excused(class: &str, plan: &TestPlan, kind: Kind, call: usize, answer: &str) -> bool {
    let program = raddle_testkit::program(&[]).unwrap();
    let contracts = Contracts::bundled().unwrap();
    let analyzer = Analyzer::new(&program, Precision::Precise);
    let under_test = program.class_id(&class.replace('.', "/"));
    let terms = Lookup::new(&program, Arc::new(contracts)).terms(&analyzer, under_test, plan);
    let excuses = Excuses::of(&terms, plan);
    let evidence = match kind {
        Kind::Exception => Evidence::Exception {
            call,
            thread: 1,
            class: "a.Problem".to_owned(),
            message: String::new(),
            frames: Vec::new(),
            sequential: Vec::new(),
        },
        Kind::Result => Evidence::Result {
            results: Vec::new(),
            differences: vec![Difference {
                call,
                got: String::new(),
                sequential: Vec::new(),
            }],
            decisive: vec![call],
        },
        _ => Evidence::Deadlock {
            cycle: Vec::new(),
            calls: vec![call],
        },
    };
    let violation = Violation {
        kind,
        summary: String::new(),
        evidence,
    };
    let calls = plan.calls().map(|(_, part, _)| CallOutcome {
        thread: part.thread(),
        result: CallResult::Returned(answer.to_owned()),
    });
    let outcome = Outcome {
        digest: 0,
        trace_hash: 0,
        steps: 1,
        schedule: Schedule::default(),
        end: End::Completed,
        calls: calls.collect(),
        uncaught: Vec::new(),
        threads: Vec::new(),
    };
    excuses.find(&violation, &outcome).is_some()
}

#[test]
fn a_queue_drained_into_one_that_changes_is_excused_unless_it_hangs() {
    let offer = call("b", &format!("{QUEUE}.{OFFER}"), "a");
    let into = |argument: &str| call("a", &format!("{QUEUE}.{DRAIN}"), argument);
    let modified = plan(QUEUE, "", [&into("b"), &offer]);
    assert!(is_excused(QUEUE, &modified, Kind::Exception, 2, ""));
    assert!(is_excused(QUEUE, &modified, Kind::Result, 2, ""));
    assert!(!is_excused(QUEUE, &modified, Kind::Deadlock, 2, ""));
    let unmodified = plan(QUEUE, "", [&into("b"), &into("b")]);
    assert!(!is_excused(QUEUE, &unmodified, Kind::Exception, 2, ""));
}

#[test]
fn calls_on_a_collection_in_itself_are_excused_and_of_a_map_those_that_traverse_it() {
    let queue = "java.util.concurrent.ConcurrentLinkedQueue";
    let add = format!("{queue}.add(Ljava/lang/Object;)Z");
    let offer = call("a", &format!("{queue}.{OFFER}"), "b");
    let itself = plan(queue, &call("a", &add, "a"), [&offer, &offer]);
    assert!(is_excused(queue, &itself, Kind::Exception, 3, ""));
    let other = plan(queue, &call("a", &add, "b"), [&offer, &offer]);
    assert!(!is_excused(queue, &other, Kind::Exception, 3, ""));
    let map = "java.util.concurrent.ConcurrentHashMap";
    let remove = call(
        "a",
        &format!("{map}.remove(Ljava/lang/Object;)Ljava/lang/Object;"),
        "a",
    );
    let hash = call("a", &format!("{map}.hashCode()I"), "");
    let itself = plan(map, &remove, [&hash, &remove]);
    assert!(is_excused(map, &itself, Kind::Exception, 3, ""));
    assert!(!is_excused(map, &itself, Kind::Exception, 4, ""));
}

#[test]
fn bulk_calls_excuse_what_their_objects_can_show_and_no_exception() {
    let queue = "java.util.concurrent.ConcurrentLinkedQueue";
    let clear = call("a", &format!("{queue}.clear()V"), "");
    let poll = |on: &str| call(on, &format!("{queue}.poll()Ljava/lang/Object;"), "");
    let met = plan(queue, "", [&clear, &poll("a")]);
    assert!(is_excused(queue, &met, Kind::Result, 3, ""));
    assert!(!is_excused(queue, &met, Kind::Exception, 3, ""));
    assert!(!is_excused(queue, &met, Kind::Livelock, 3, ""));
    let apart = plan(queue, "", [&clear, &poll("b")]);
    assert!(!is_excused(queue, &apart, Kind::Result, 3, ""));
}

#[test]
fn a_call_that_may_fail_is_excused_only_if_it_has() {
    let lock = "java.util.concurrent.locks.ReentrantLock";
    let lock_it = call("a", &format!("{lock}.tryLock()Z"), "");
    let plan = plan(lock, "", [&lock_it, &lock_it]);
    assert!(is_excused(lock, &plan, Kind::Result, 2, "false"));
    assert!(!is_excused(lock, &plan, Kind::Result, 2, "true"));
}

#[test]
fn a_test_that_keeps_a_lock_says_nothing_about_who_waits_for_it() {
    let lock = "java.util.concurrent.locks.ReentrantLock";
    let take = call("a", &format!("{lock}.tryLock()Z"), "");
    let unlock = call("a", &format!("{lock}.unlock()V"), "");
    let wait = call("a", &format!("{lock}.hasQueuedThreads()Z"), "");
    let kept = plan(lock, "", [&take, &wait]);
    assert!(is_excused(lock, &kept, Kind::LostWakeup, 3, "true"));
    assert!(
        !is_excused(lock, &kept, Kind::LostWakeup, 3, "false"),
        "not taken"
    );
    assert!(!is_excused(lock, &kept, Kind::Deadlock, 3, "true"));
    let given_back = plan(lock, "", [&format!("{take}, {unlock}"), &wait]);
    assert!(!is_excused(lock, &given_back, Kind::LostWakeup, 3, "true"));
}

#[test]
fn a_promise_about_an_annotation_is_one_about_the_classes_that_have_it() {
    let compiled = compile(&[
        (
            "org/springframework/stereotype/Service.java",
            "package org.springframework.stereotype; import java.lang.annotation.*;
             @Retention(RetentionPolicy.RUNTIME) public @interface Service {}",
        ),
        (
            "Orders.java",
            "@org.springframework.stereotype.Service public class Orders { public int count; }",
        ),
        ("Below.java", "public class Below extends Orders {}"),
    ])
    .unwrap();
    let program = compiled.program();
    let contracts = Contracts::bundled().unwrap();
    let of = |name: &str| contracts.of_type(program, program.class_id(name));
    let said = of("Orders").unwrap();
    assert_eq!(said.term, Term::ThreadSafe);
    assert!(
        said.sentence()
            .starts_with("the documentation of org.springframework.stereotype.Service says: one object"),
        "{}",
        said.sentence()
    );
    assert!(of("Below").is_none());
}
