//! Values that no class is there for: plans implement functions, listeners and small abstract classes themselves.

#![allow(clippy::unwrap_used, clippy::panic)] // a failed assumption should fail the test

mod support;

use std::collections::{BTreeMap, BTreeSet};

use raddle_generate::{Candidate, StrategyKind};
use raddle_plan::{Argument, Call, Invoke, Part, Returned, TestPlan};

use support::{facts, jdk_plans, plans};

/// The objects that plans implement for a parameter of a method: what the method of each returns.
fn functions(candidates: &[Candidate], method: &str, at: usize, may_be_null: bool) -> Vec<Option<Returned>> {
    let mut found: Vec<Option<Returned>> = Vec::new();
    for plan in candidates.iter().map(|candidate| &candidate.plan) {
        for (_, part, call) in plan.calls().filter(|(_, _, call)| call.member.name == method) {
            let name = match call.args.get(at) {
                Some(Argument::Var(name)) => name,
                // What the second thread is given may be null on purpose.
                Some(Argument::Null) if may_be_null || part == Part::Thread(1) => continue,
                other => panic!("{method}: {other:?}"),
            };
            let made = plan
                .prefix
                .iter()
                .find(|made| made.bind.as_ref() == Some(name))
                .unwrap();
            if made.invoke == Invoke::Implement {
                assert_eq!(made.methods.len(), 1, "{method}");
                let returns = made.methods[0].returns.clone();
                if !found.contains(&returns) {
                    found.push(returns);
                }
            }
        }
    }
    found
}

#[test]
fn functions_are_given_and_not_null() {
    // So early, nothing is left to chance, which would bring a null now and then.
    let constant = Some(Returned::Value(Argument::String("new".to_owned())));
    let found = jdk_plans("java.util.concurrent.ConcurrentHashMap", 400);
    for method in ["computeIfAbsent", "computeIfPresent", "compute"] {
        assert!(
            functions(&found, method, 1, false).contains(&constant),
            "{method}"
        );
    }
    let found = jdk_plans("java.util.Hashtable", 400);
    assert!(functions(&found, "merge", 2, false).contains(&constant));
    let found = jdk_plans("java.util.Vector", 400);
    assert!(functions(&found, "replaceAll", 0, false).contains(&constant));
    assert_eq!(functions(&found, "forEach", 0, false), [None]);
    let given = functions(&found, "removeIf", 0, false);
    assert!(
        given.contains(&Some(Returned::Value(Argument::Boolean(true)))),
        "{given:?}"
    );
}

/// Whoever folds values asks for an operator that is associative and commutative, and a supplier that gives null has
/// nothing to supply.
#[test]
fn functions_keep_the_usual_contracts() {
    let found = jdk_plans("java.util.concurrent.atomic.AtomicLong", 400);
    assert_eq!(
        functions(&found, "accumulateAndGet", 1, false),
        [Some(Returned::Sum(0, 1))]
    );
    assert!(
        functions(&found, "updateAndGet", 0, false).contains(&Some(Returned::Increment(0))),
        "one value is not folded"
    );
}

#[test]
fn drawn_functions_do_this_and_that() {
    let program = raddle_testkit::program(&[]).unwrap();
    let facts = facts(&program, "java.util.Hashtable");
    let found = plans(&program, &facts, StrategyKind::Contege, 1, 500);
    let given = functions(&found, "merge", 2, true);
    for wanted in [
        Some(Returned::Value(Argument::String("new".to_owned()))),
        Some(Returned::Parameter(1)),
        Some(Returned::Parameter(0)),
        None,
    ] {
        assert!(given.contains(&wanted), "{wanted:?}: {given:?}");
    }
}

#[test]
fn both_threads_are_given_the_same_function() {
    let found = jdk_plans("java.util.Hashtable", 400);
    let is_shared = |plan: &TestPlan| {
        let calls: Vec<&Call> = plan.threads.iter().flatten().collect();
        calls.len() == 2
            && calls.iter().all(|call| call.member.name == "merge")
            && calls[0].args[2] == calls[1].args[2]
    };
    assert!(found.iter().any(|candidate| is_shared(&candidate.plan)));
}

/// A class whose methods take all kinds of types that somebody else has to implement.
const TAKER: &str = "package p;
public class Taker {
    private Object last;
    private int count;
    public synchronized void listen(Listener l) { last = l; count++; }
    public void update(java.util.function.IntUnaryOperator f) { count = f.applyAsInt(count); }
    public void narrow(Names f) { last = f.apply(\"a\"); count++; }
    public void twice(Twice f) { last = f; count++; }
    public void half(Half f) { last = f; count += f.half(); }
    public void hidden(HiddenHalf f) { last = f; count++; }
    public void sealed(Sealed f) { last = f; count++; }
    public void generic(Generic f) { last = f; count++; }
    public void own(Shape s) { last = s; count++; }
    public int get() { return count; }

    public interface Listener extends java.util.EventListener {
        void begun(java.util.List<String> names, long at);
        String name(int number);
        boolean isOn();
        default void ended() { }
        boolean equals(Object o);
    }
    public interface Names extends java.util.function.Function<String, Integer> { }
    public interface Wide { Object get(Object key); }
    public interface Twice extends Wide { String get(String key); void put(); }
    public static abstract class Half { protected Half() { } protected abstract int half(); abstract static class X { } }
    public static abstract class HiddenHalf { protected HiddenHalf() { } abstract int half(); }
    public sealed interface Sealed permits Only { void f(); }
    public static final class Only implements Sealed { private Only() { } public void f() { } }
    public interface Generic { <T> T make(Class<T> type); }
    public interface Shape { int area(); }
    public static class Square implements Shape { public int area() { return 4; } }
}
";

#[test]
fn what_the_class_path_does_not_implement_the_plan_does() {
    let compiled = raddle_testkit::compile(&[("p/Taker.java", TAKER)]).unwrap();
    let program = compiled.program();
    let facts = facts(program, "p.Taker");
    let mut made = plans(program, &facts, StrategyKind::Portfolio, 3, 200);
    made.extend(plans(program, &facts, StrategyKind::Contege, 3, 200));
    let mut given: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for plan in made.iter().map(|candidate| &candidate.plan) {
        for (_, _, call) in plan.calls() {
            if let Some(argument) = call.args.first() {
                let how = match argument {
                    Argument::Var(name) => {
                        let of = plan
                            .prefix
                            .iter()
                            .find(|of| of.bind.as_ref() == Some(name))
                            .unwrap();
                        let methods: Vec<String> = of
                            .methods
                            .iter()
                            .map(|method| format!("{} {:?}", method.name, method.returns))
                            .collect();
                        format!("{:?} {}", of.invoke, methods.join(", "))
                    }
                    other => format!("{other:?}"),
                };
                given.entry(call.member.name.clone()).or_default().insert(how);
            }
        }
    }
    let of = |name: &str| -> Vec<&str> {
        let all = given.get(name).unwrap_or_else(|| panic!("{name}: {given:?}"));
        // Drawn arguments are null once in a while.
        all.iter()
            .map(String::as_str)
            .filter(|how| all.len() == 1 || *how != "Null")
            .collect()
    };
    assert_eq!(
        of("listen"),
        [r#"Implement begun None, name Some(Value(String(""))), isOn None"#]
    );
    assert!(of("update").contains(&"Implement applyAsInt Some(Increment(0))"));
    assert!(
        of("narrow").contains(&"Implement apply Some(Value(Int(1)))"),
        "a type below says that it gives an Integer"
    );
    let half = of("half");
    let answers = ["Extend half None", "Extend half Some(Value(Int(1)))"];
    assert!(
        half.iter().all(|how| answers.contains(how)) && half.contains(&answers[0]),
        "{half:?}"
    );
    assert!(of("own").contains(&"New "), "what is there is among it");
    for name in ["twice", "hidden", "sealed", "generic"] {
        assert_eq!(of(name), ["Null"], "{name}");
    }
    // Plans are Java, whatever they implement.
    let sources: Vec<(String, String)> = made
        .iter()
        .enumerate()
        .map(|(number, candidate)| {
            let name = format!("P{number}");
            (format!("{name}.java"), candidate.plan.to_java(&name))
        })
        .collect();
    let mut sources: Vec<(&str, &str)> = sources
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    sources.push(("p/Taker.java", TAKER));
    if let Err(error) = raddle_testkit::compile(&sources) {
        panic!("{}", error.to_string().chars().take(3000).collect::<String>());
    }
}

#[test]
fn an_abstract_class_is_tested_through_one_that_the_plan_writes() {
    let compiled = raddle_testkit::compile(&[(
        "p/Base.java",
        "package p; public abstract class Base { private int n; private int m; public void up() { n++; m++; }
         public int get() { return n + m + more(); } protected abstract int more(); }",
    )])
    .unwrap();
    let program = compiled.program();
    let facts = facts(program, "p.Base");
    let made = plans(program, &facts, StrategyKind::Portfolio, 1, 20);
    assert!(!made.is_empty());
    for candidate in made {
        assert_eq!(candidate.plan.prefix[0].invoke, Invoke::Extend);
        assert_eq!(candidate.plan.prefix[0].methods[0].name, "more");
    }
}
