//! The deadlocks of Figures 7 and 8 of the DepCon+ paper in the JDK's own classes, and the same facts every time.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy.toml allows them in test functions; helpers are the same"
)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use raddle_program::Program;
use raddle_summary::{Analyzer, ClassFacts, DoubleLock, Precision};

const PRECISIONS: [Precision; 2] = [Precision::Paper, Precision::Precise];

/// Classes that call each other, so that their summaries are shared.
const RELATED: [&str; 8] = [
    "java.lang.StringBuffer",
    "java.util.Hashtable",
    "java.util.Vector",
    "java.util.Stack",
    "java.util.Collections$SynchronizedMap",
    "java.util.concurrent.CopyOnWriteArrayList",
    "java.io.BufferedInputStream",
    "java.io.CharArrayWriter",
];

// The paper's precision follows a call to the method of the static type (section 6.3). In the JDKs of today that hides
// the deadlocks of `append` and `hashCode`, which go through AbstractStringBuilder.length and Object.hashCode; the
// classes in `fixtures/analyze/figures` have them as the paper saw them.

#[test]
fn append_of_a_string_buffer_can_deadlock_with_itself() {
    let facts = facts_of("java.lang.StringBuffer", Precision::Precise);
    let append = "append(java.lang.StringBuffer)";
    let locks = double_locks(&facts, append);
    assert!(crosses(&facts, append, append), "{locks:#?}");
    // A lock of one word other than `this` can only be the parameter, whatever its name.
    let is_parameter = |lock: &str| lock != "this" && lock.chars().all(char::is_alphanumeric);
    assert!(
        locks
            .iter()
            .any(|lock| lock.first == "this" && is_parameter(&lock.second)),
        "{locks:#?}"
    );
}

#[test]
fn hash_code_of_a_hashtable_can_deadlock_with_itself() {
    let facts = facts_of("java.util.Hashtable", Precision::Precise);
    let locks = double_locks(&facts, "hashCode()");
    assert!(crosses(&facts, "hashCode()", "hashCode()"), "{locks:#?}");
}

#[test]
fn equals_of_a_hashtable_can_deadlock_with_itself_over_its_argument() {
    for precision in PRECISIONS {
        let facts = facts_of("java.util.Hashtable", precision);
        let equals = "equals(java.lang.Object)";
        let locks = double_locks(&facts, equals);
        assert!(crosses(&facts, equals, equals), "{precision:?}: {locks:#?}");
        assert!(
            locks
                .iter()
                .any(|lock| (lock.first.as_str(), lock.second.as_str()) == ("this", "o")),
            "{precision:?}: {locks:#?}"
        );
    }
}

#[test]
fn size_of_a_hashtable_can_deadlock_with_nothing() {
    for precision in PRECISIONS {
        let facts = facts_of("java.util.Hashtable", precision);
        let partners: Vec<&str> = facts
            .methods
            .iter()
            .map(|other| other.signature.as_str())
            .filter(|other| crosses(&facts, "size()", other))
            .collect();
        assert!(partners.is_empty(), "{precision:?}: {partners:?}");
    }
}

#[test]
fn the_same_class_gives_the_same_facts_twice() {
    for precision in PRECISIONS {
        let program = program();
        for class in RELATED {
            let [first, second] = [0, 1].map(|_| json(&program, &Analyzer::new(&program, precision), class));
            assert!(
                first == second,
                "{precision:?} {class}: {}",
                difference(&first, &second)
            );
        }
    }
}

#[test]
fn neither_order_nor_threads_change_the_facts() {
    for precision in PRECISIONS {
        let in_order = {
            let program = program();
            let analyzer = Analyzer::new(&program, precision);
            RELATED.map(|class| json(&program, &analyzer, class))
        };
        let in_parallel = backwards_in_parallel(precision);
        for ((class, left), right) in RELATED.iter().zip(&in_order).zip(&in_parallel) {
            assert!(
                left == right,
                "{precision:?} {class}: {}",
                difference(left, right)
            );
        }
    }
}

/// The facts of the related classes in their own order, analysed from the last to the first on several threads that
/// share an analyzer.
fn backwards_in_parallel(precision: Precision) -> Vec<String> {
    let program = program();
    let analyzer = Analyzer::new(&program, precision);
    let left = AtomicUsize::new(RELATED.len());
    let results = Mutex::new(vec![String::new(); RELATED.len()]);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Ok(taken) =
                    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
                {
                    let facts = json(&program, &analyzer, RELATED[taken - 1]);
                    results.lock().unwrap_or_else(PoisonError::into_inner)[taken - 1] = facts;
                }
            });
        }
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn program() -> Program {
    raddle_testkit::program(&[]).unwrap_or_else(|error| panic!("{error}"))
}

fn facts_of(class: &str, precision: Precision) -> ClassFacts {
    let program = program();
    analyze(&program, &Analyzer::new(&program, precision), class)
}

fn analyze(program: &Program, analyzer: &Analyzer<'_>, class: &str) -> ClassFacts {
    let id = program
        .find_class(class)
        .unwrap_or_else(|error| panic!("{error}"));
    analyzer.analyze(id).unwrap_or_else(|error| panic!("{error}"))
}

fn json(program: &Program, analyzer: &Analyzer<'_>, class: &str) -> String {
    serde_json::to_string_pretty(&analyze(program, analyzer, class)).expect("facts are plain data")
}

fn position(facts: &ClassFacts, signature: &str) -> usize {
    let found = facts
        .methods
        .iter()
        .position(|method| method.signature == signature);
    found.unwrap_or_else(|| panic!("{} has no public method {signature}", facts.class))
}

fn double_locks<'f>(facts: &'f ClassFacts, signature: &str) -> &'f [DoubleLock] {
    &facts.methods[position(facts, signature)].double_locks
}

/// Whether the two are double-lock dependent.
fn crosses(facts: &ClassFacts, left: &str, right: &str) -> bool {
    let (left, right) = (position(facts, left), position(facts, right));
    let wanted = (left.min(right), left.max(right));
    facts
        .pairs
        .iter()
        .any(|pair| (pair.first, pair.second) == wanted && pair.double_lock.is_some())
}

/// The first line in which two texts differ.
fn difference(left: &str, right: &str) -> String {
    let lines = left.lines().zip(right.lines()).enumerate();
    lines
        .into_iter()
        .find(|(_, (left, right))| left != right)
        .map_or_else(
            || "one is longer than the other".to_owned(),
            |(line, (left, right))| format!("line {}: {} or {}", line + 1, left.trim(), right.trim()),
        )
}
