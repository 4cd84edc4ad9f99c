//! Plans for real classes: what is known to break them is tried early, all plans can be run, and the same seed gives the
//! same ones.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)] // a failed assumption should fail the test

mod support;

use raddle_generate::{Candidate, CannotTest, Feedback, Mode, StrategyKind, Target, strategy};
use raddle_plan::{Argument, Call, TestPlan};
use raddle_testkit::compile;
use support::{facts, heard, jdk_plans, plans};

fn is_var(argument: &Argument, name: &str) -> bool {
    matches!(argument, Argument::Var(found) if found == name)
}

fn is_call(call: &Call, on: &str, name: &str, argument: Option<&str>) -> bool {
    call.on.as_deref() == Some(on)
        && call.member.name == name
        && argument.is_none_or(|wanted| call.args.iter().any(|one| is_var(one, wanted)))
}

/// `a.name(b) ∥ b.name(a)`, each with something in it if asked for.
fn is_crosswise(plan: &TestPlan, name: &str, descriptor: Option<&str>, elements: usize) -> bool {
    let [one, other] = plan.threads.as_slice() else {
        return false;
    };
    let ([one], [other]) = (one.as_slice(), other.as_slice()) else {
        return false;
    };
    let filled = |object: &str| {
        let on = plan
            .prefix
            .iter()
            .filter(|call| call.on.as_deref() == Some(object));
        on.count() >= elements
    };
    is_call(one, "a", name, Some("b"))
        && is_call(other, "b", name, Some("a"))
        && descriptor.is_none_or(|wanted| one.member.descriptor == wanted && one.member == other.member)
        && filled("a")
        && filled("b")
}

#[track_caller]
fn assert_tried(candidates: &[Candidate], what: &str, is_it: impl Fn(&TestPlan) -> bool) {
    let at = candidates.iter().position(|candidate| is_it(&candidate.plan));
    assert!(at.is_some(), "{what} is not among the first {}", candidates.len());
    println!("{what}: plan {}", at.unwrap());
}

#[test]
fn string_buffers_are_appended_to_each_other() {
    let found = jdk_plans("java.lang.StringBuffer", 300);
    assert_tried(&found[..40], "append crosswise", |plan| {
        is_crosswise(
            plan,
            "append",
            Some("(Ljava/lang/StringBuffer;)Ljava/lang/StringBuffer;"),
            0,
        )
    });
    assert!(
        found
            .iter()
            .any(|candidate| candidate.evidence.text == "append ⇌D append"
                && candidate.evidence.mode == Mode::Deadlock
                && candidate.evidence.pair.is_some())
    );
}

#[test]
fn a_string_buffer_is_inserted_into_itself() {
    let found = jdk_plans("java.lang.StringBuffer", 2000);
    assert_tried(&found, "insert of itself", |plan| {
        let calls = || plan.threads.iter().flatten();
        calls().any(|call| is_call(call, "a", "insert", Some("a")))
            && calls().any(|call| is_call(call, "a", "deleteCharAt", None))
    });
}

#[test]
fn hashtables_are_compared_and_hashed_while_they_know_each_other() {
    let found = jdk_plans("java.util.Hashtable", 150);
    assert_tried(&found, "equals crosswise with an element", |plan| {
        is_crosswise(plan, "equals", None, 1)
    });
    assert_tried(&found, "hashCode with mutual containment", |plan| {
        let holds = |holder: &str, held: &str| {
            plan.prefix.iter().any(|call| {
                call.on.as_deref() == Some(holder)
                    && call.member.name == "put"
                    && call.args.last().is_some_and(|value| is_var(value, held))
            })
        };
        holds("a", "b")
            && holds("b", "a")
            && plan.threads.len() == 2
            && is_call(&plan.threads[0][0], "a", "hashCode", None)
            && is_call(&plan.threads[1][0], "b", "hashCode", None)
    });
}

#[test]
fn vectors_are_compared_and_added_crosswise() {
    let found = jdk_plans("java.util.Vector", 240);
    assert_tried(&found, "equals crosswise", |plan| {
        is_crosswise(plan, "equals", None, 1)
    });
    assert_tried(&found, "addAll crosswise", |plan| {
        is_crosswise(plan, "addAll", Some("(ILjava/util/Collection;)Z"), 1)
    });
    assert_tried(&found, "removeAll crosswise", |plan| {
        is_crosswise(plan, "removeAll", None, 1)
    });
}

#[test]
fn streams_in_memory_are_written_to_each_other() {
    let found = jdk_plans("java.io.CharArrayWriter", 40);
    assert_tried(&found, "writeTo crosswise", |plan| {
        is_crosswise(plan, "writeTo", None, 1)
    });
    let found = jdk_plans("java.io.ByteArrayOutputStream", 40);
    assert_tried(&found, "writeTo crosswise", |plan| {
        is_crosswise(plan, "writeTo", None, 1)
    });
}

#[test]
fn synchronized_maps_are_made_by_their_factory_and_used_as_maps() {
    let found = jdk_plans("java.util.Collections$SynchronizedMap", 300);
    for method in ["equals", "putAll"] {
        assert_tried(&found, method, |plan| is_crosswise(plan, method, None, 1));
    }
    let first = &found[0].plan.prefix;
    let made = first
        .iter()
        .find(|call| call.bind.as_deref() == Some("a"))
        .unwrap();
    assert_eq!(
        (made.member.class.as_str(), made.member.name.as_str()),
        ("java.util.Collections", "synchronizedMap")
    );
}

#[test]
fn stacks_are_searched_for_each_other() {
    let found = jdk_plans("java.util.Stack", 150);
    for method in ["search", "equals"] {
        assert_tried(&found, method, |plan| is_crosswise(plan, method, None, 1));
    }
}

const CLASSES: [&str; 8] = [
    "java.lang.StringBuffer",
    "java.util.Hashtable",
    "java.util.Vector",
    "java.util.Collections$SynchronizedMap",
    "java.io.CharArrayWriter",
    "java.util.concurrent.ConcurrentHashMap",
    "java.util.logging.Logger",
    "java.util.concurrent.ArrayBlockingQueue",
];

/// Others wait for what sequential tests did.
fn makes_plans_unaided(kind: StrategyKind) -> bool {
    !matches!(
        kind,
        StrategyKind::Omen | StrategyKind::Intruder | StrategyKind::Narada | StrategyKind::Autocontest
    )
}

/// Plans of each kind for each class.
const MANY: usize = if cfg!(feature = "full-tests") { 500 } else { 100 };

#[test]
fn all_plans_can_be_run_and_the_same_seed_gives_the_same_ones() {
    let program = raddle_testkit::program(&[]).unwrap();
    for class in CLASSES {
        let facts = facts(&program, class);
        for kind in StrategyKind::ALL
            .into_iter()
            .filter(|kind| makes_plans_unaided(*kind))
        {
            let made = plans(&program, &facts, kind, 5, MANY);
            assert!(made.len() == MANY, "{class} {kind}: {}", made.len());
            for (number, candidate) in made.iter().enumerate() {
                assert_eq!(candidate.number, number as u64);
                if let Err(error) = candidate.plan.check() {
                    panic!("{class} {kind} {number}: {error}");
                }
            }
            let again = plans(&program, &facts, kind, 5, MANY);
            assert!(
                made.iter().zip(&again).all(|(one, other)| one.plan == other.plan),
                "{class} {kind}"
            );
            // The portfolio draws nothing while it has evidence to follow.
            if !matches!(kind, StrategyKind::Portfolio | StrategyKind::Listed) {
                let other = plans(&program, &facts, kind, 6, MANY);
                assert!(
                    made.iter().zip(&other).any(|(one, other)| one.plan != other.plan),
                    "{class} {kind}"
                );
            }
        }
    }
}

#[test]
fn plans_are_java() {
    let program = raddle_testkit::program(&[]).unwrap();
    let mut sources = Vec::new();
    for (letter, class) in ["A", "B"]
        .into_iter()
        .zip(["java.util.Hashtable", "java.util.Collections$SynchronizedMap"])
    {
        let facts = facts(&program, class);
        for kind in StrategyKind::ALL {
            let count = if kind == StrategyKind::Portfolio {
                MANY * 2 / 5
            } else {
                MANY / 8
            };
            for candidate in plans(&program, &facts, kind, 2, count) {
                let name = format!("{letter}{kind}{}", candidate.number);
                sources.push((format!("{name}.java"), candidate.plan.to_java(&name)));
            }
        }
    }
    let sources: Vec<(&str, &str)> = sources
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    if let Err(error) = raddle_testkit::compile(&sources) {
        panic!("{}", error.to_string().chars().take(3000).collect::<String>());
    }
}

#[test]
fn a_call_that_throws_in_the_prefix_is_not_repeated_for_ever() {
    let program = raddle_testkit::program(&[]).unwrap();
    let facts = facts(&program, "java.util.Hashtable");
    let target = Target {
        program: &program,
        class: program.find_class("java.util.Hashtable").unwrap(),
        facts: &facts,
        threads: 2,
        has_seeds: false,
    };
    let mut strategy = strategy(StrategyKind::Portfolio, target, 1, &[]).unwrap();
    let mut with_put = 0;
    for _ in 0..100 {
        let candidate = strategy.next().unwrap();
        let prefix = &candidate.plan.prefix;
        let put = prefix
            .iter()
            .position(|call| call.member.name == "put" && call.on.as_deref() == Some("a"));
        with_put += usize::from(put.is_some());
        let feedback = Feedback {
            prefix_threw: put.map(|at| (at, "java.lang.Error".to_owned())),
            ..Feedback::default()
        };
        strategy.observe(candidate.number, &feedback);
    }
    assert!(with_put < 10, "{with_put}");
}

#[test]
fn a_pair_with_a_violation_waits_for_the_others() {
    let program = raddle_testkit::program(&[]).unwrap();
    let facts = facts(&program, "java.io.CharArrayWriter");
    let target = Target {
        program: &program,
        class: program.find_class("java.io.CharArrayWriter").unwrap(),
        facts: &facts,
        threads: 2,
        has_seeds: false,
    };
    let mut strategy = strategy(StrategyKind::Portfolio, target, 1, &[]).unwrap();
    let first = strategy.next().unwrap();
    assert_eq!(first.evidence.mode, Mode::Deadlock);
    let feedback = Feedback {
        violation: true,
        ..Feedback::default()
    };
    strategy.observe(first.number, &feedback);
    for _ in 0..20 {
        let next = strategy.next().unwrap();
        assert_eq!(next.evidence.mode, Mode::Exception);
        strategy.observe(next.number, &Feedback::default());
    }
}

#[test]
fn what_cannot_be_tested_says_why() {
    let compiled = raddle_testkit::compile(&[(
        "p/Open.java",
        "package p; public class Open { public Open(Closed c) {} public int f() { return 1; } }
         class Closed { private Closed() {} }",
    )])
    .unwrap();
    let program = compiled.program();
    let facts = facts(program, "p.Open");
    let class = program.find_class("p.Open").unwrap();
    let target = Target {
        program,
        class,
        facts: &facts,
        threads: 2,
        has_seeds: false,
    };
    let error = strategy(StrategyKind::Portfolio, target, 1, &[]).err().unwrap();
    assert!(matches!(error, CannotTest::NotConstructible { .. }));
    assert_eq!(
        error.to_string(),
        "no object can be made to test: p.Open needs p.Closed; p.Closed has no public constructor, factory or subtype"
    );
}

#[test]
fn classes_with_static_methods_only_are_tested_without_an_object() {
    let compiled = raddle_testkit::compile(&[(
        "p/Count.java",
        "package p; public final class Count { private Count() {} static int n; static int m;
         public static void up(int by) { n += by; m += by; } public static int get() { return n + m; } }",
    )])
    .unwrap();
    let program = compiled.program();
    let facts = facts(program, "p.Count");
    for kind in StrategyKind::ALL
        .into_iter()
        .filter(|kind| makes_plans_unaided(*kind))
    {
        let made = plans(program, &facts, kind, 1, 20);
        assert!(!made.is_empty(), "{kind}");
        for candidate in made {
            assert!(
                candidate
                    .plan
                    .prefix
                    .iter()
                    .all(|call| call.bind.as_deref() != Some("a"))
            );
            assert!((2..=3).contains(&candidate.plan.threads.len()));
        }
    }
}

/// Enough for the steps of a class with few methods to run out.
const ENOUGH: usize = 1800;

/// Plans for a class of few methods, each heard of with what `news` says.
fn grown(kind: StrategyKind, news: impl Fn(&TestPlan) -> Vec<u32>) -> Vec<Candidate> {
    let program = raddle_testkit::program(&[]).unwrap();
    let facts = facts(&program, "java.util.concurrent.Semaphore");
    heard(&program, &facts, kind, (1, ENOUGH), |plan| Feedback {
        branches: news(plan),
        ..Feedback::default()
    })
}

fn calls(plan: &TestPlan, name: &str) -> usize {
    let threads = plan.threads.iter().flatten();
    threads.filter(|call| call.member.name == name).count()
}

/// How many of the plans call a method in their threads.
fn share(made: &[Candidate], name: &str) -> usize {
    made.iter().filter(|one| calls(&one.plan, name) > 0).count()
}

#[test]
fn what_reached_something_new_is_varied() {
    let is_new = |plan: &TestPlan| {
        if calls(plan, "drainPermits") > 0 {
            vec![1, 2, 3]
        } else {
            Vec::new()
        }
    };
    let (varied, listed) = (
        grown(StrategyKind::Portfolio, is_new),
        grown(StrategyKind::Listed, is_new),
    );
    assert!(
        share(&varied, "drainPermits") > share(&listed, "drainPermits") * 6 / 5,
        "{} of {} and {} of {}",
        share(&varied, "drainPermits"),
        varied.len(),
        share(&listed, "drainPermits"),
        listed.len()
    );
}

#[test]
fn where_nothing_is_new_nothing_is_varied() {
    let of = |kind| -> Vec<TestPlan> {
        let made = grown(kind, |_| Vec::new());
        made.into_iter().map(|candidate| candidate.plan).collect()
    };
    assert!(of(StrategyKind::Portfolio) == of(StrategyKind::Listed));
}

#[test]
fn what_is_varied_stays_small() {
    for candidate in grown(StrategyKind::Portfolio, |_| vec![1]) {
        let plan = candidate.plan;
        let in_threads: usize = plan.threads.iter().map(Vec::len).sum();
        let bound = plan.prefix.iter().filter(|call| call.bind.is_some()).count();
        assert!(plan.threads.len() <= 3 && in_threads <= 6, "{plan:?}");
        assert!(plan.prefix.len() - bound <= 70, "{plan:?}");
    }
}

#[test]
fn initialisers_that_need_each_other_are_tried_first() {
    let compiled = compile(&[
        (
            "p/A.java",
            "package p; public class A { static final B OTHER = new B(1); public static int number(Object o) { return 1; } }",
        ),
        (
            "p/B.java",
            "package p; public class B { public static Object it = new A(); public B(int number) { } public int number() { return 2; } }",
        ),
        (
            "p/User.java",
            "package p; public class User { public int one() { return A.number(null); } public int two() { return new B(2).number(); } }",
        ),
        (
            "p/Alone.java",
            "package p; public class Alone { static final B OTHER = new B(3); public static int number() { return 3; } }",
        ),
    ])
    .unwrap();
    let program = compiled.program();
    let made = |class: &str| {
        let found = plans(program, &facts(program, class), StrategyKind::Portfolio, 1, 30);
        let about = found
            .iter()
            .take_while(|candidate| !candidate.plan.uninitialised.is_empty());
        let texts: Vec<String> = about
            .map(|candidate| {
                assert_eq!(candidate.plan.uninitialised, ["p.A", "p.B"]);
                let threads = candidate.plan.threads.iter().flatten();
                let calls: Vec<String> = threads
                    .map(|call| format!("{}.{}", call.member.class, call.member.name))
                    .collect();
                calls.join(" | ")
            })
            .collect();
        let rest = found.iter().skip(texts.len());
        assert!(
            rest.clone()
                .all(|candidate| candidate.plan.uninitialised.is_empty())
        );
        texts
    };
    let of_a = [
        "p.A.<init> | p.B.it",
        "p.A.number | p.B.it",
        "p.A.<init> | p.B.<init>",
        "p.A.number | p.B.<init>",
    ];
    assert_eq!(made("p.A"), of_a);
    let of_b = [
        "p.B.it | p.A.<init>",
        "p.B.<init> | p.A.<init>",
        "p.B.it | p.A.number",
        "p.B.<init> | p.A.number",
    ];
    assert_eq!(made("p.B"), of_b);
    assert_eq!(made("p.User"), ["p.User.one | p.User.two"]);
    // It needs the others, and they do not need it.
    assert_eq!(made("p.Alone"), [""; 0]);
}
