//! Findings are tried on a stock JVM beside the loop.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use raddle_execute::StockVerdict;
use raddle_reproduce::Reproducer;

use super::scripted::*;
use crate::event::HuntEvent;
use crate::finding::StockJvm;
use crate::journal::Known;
use crate::options::HuntOptions;
use crate::stock_jvm::{Untried, UseStockJvm};

/// A class with two deadlocks.
fn two_faults(on_stock_jvm: OnStockJvm) -> Script {
    let script = Script {
        on_stock_jvm,
        ..Script::new(vec![plan("one", "two"), plan("three", "four")])
    };
    script
        .rule("one", "two", Does::Deadlock("lock"))
        .rule("three", "four", Does::Deadlock("other"))
}

fn with(stock_jvm: UseStockJvm) -> HuntOptions {
    HuntOptions {
        stock_jvm,
        ..options()
    }
}

fn tried(on_stock_jvm: OnStockJvm) -> Told {
    hunt_with(two_faults(on_stock_jvm), with(UseStockJvm::Auto))
}

/// What came of the findings, in the order in which they were found.
fn came_to(told: &Told) -> Vec<StockJvm> {
    let trials = told.stock_trials();
    let findings = told.findings();
    assert_eq!(trials.len(), findings.len());
    let trial = |id: &str| trials.iter().find(|trial| trial.id == id);
    let came_to = findings.iter().map(|finding| trial(&finding.id));
    came_to.map(|trial| trial.unwrap().came_to.clone()).collect()
}

/// Waits as a JVM does that does not end by itself.
fn until_stopped(stop: &AtomicBool) -> StockVerdict {
    while !stop.load(Ordering::Relaxed) {
        std::thread::yield_now();
    }
    StockVerdict::Stopped
}

fn over() -> StockJvm {
    StockJvm::Untried("the hunt was over before it was done".to_owned())
}

#[test]
fn a_finding_is_told_at_once_and_what_a_stock_jvm_shows_is_an_event_of_its_own() {
    let told = tried(Box::new(|_, _, _| StockVerdict::Confirmed));
    assert_eq!(told.findings().len(), 2);
    let found = told.findings();
    assert!(found.iter().all(|finding| finding.stock_jvm == StockJvm::Awaited));
    assert_eq!(came_to(&told), [StockJvm::Confirmed, StockJvm::Confirmed]);
    assert!(told.stock_trials().iter().all(|trial| trial.class == CLASS));
}

#[test]
fn a_finding_is_told_of_before_what_came_of_it() {
    let told = tried(Box::new(|_, _, _| StockVerdict::Confirmed));
    for finding in told.findings() {
        let at = |is_it: &dyn Fn(&HuntEvent) -> bool| told.events.iter().position(is_it).unwrap();
        let found = at(&|event| matches!(event, HuntEvent::Found(one) if one.id == finding.id));
        let tried = at(&|event| matches!(event, HuntEvent::StockJvm(trial) if trial.id == finding.id));
        assert!(found < tried);
    }
}

#[test]
fn the_reproducer_is_a_java_file_of_the_finding() {
    let seen: Arc<Mutex<Vec<Reproducer>>> = Arc::default();
    let keep = Arc::clone(&seen);
    let told = tried(Box::new(move |reproducer, _, _| {
        keep.lock().unwrap().push(reproducer.clone());
        StockVerdict::Confirmed
    }));
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), told.findings().len());
    for (reproducer, finding) in seen.iter().zip(told.findings()) {
        assert_eq!(reproducer.file.to_str(), Some("Reproducer.java"));
        let (method, _) = finding.methods[0].split_once('(').unwrap();
        for part in ["public final class Reproducer", CLASS, &format!(".{method}(")] {
            assert!(reproducer.text.contains(part), "{part}: {}", reproducer.text);
        }
    }
}

#[test]
fn what_a_stock_jvm_does_not_show_is_said_with_its_words() {
    let told = tried(Box::new(|_, _, _| {
        StockVerdict::NotConfirmed("RESULT: no".to_owned())
    }));
    let not_confirmed = StockJvm::NotConfirmed("RESULT: no".to_owned());
    assert_eq!(came_to(&told), [not_confirmed.clone(), not_confirmed]);
    assert_eq!(told.report().findings.len(), 2, "they are findings all the same");
}

#[test]
fn a_reproducer_that_does_not_compile_says_nothing_about_its_finding() {
    let said = "the reproducer does not compile\nReproducer.java:7: error: not a statement";
    let count = AtomicUsize::new(0);
    let told = tried(Box::new(move |_, _, _| {
        match count.fetch_add(1, Ordering::SeqCst) {
            0 => StockVerdict::Failed(said.to_owned()),
            _ => StockVerdict::Confirmed,
        }
    }));
    assert_eq!(
        came_to(&told),
        [StockJvm::Untried(said.to_owned()), StockJvm::Confirmed]
    );
}

#[test]
fn whoever_ends_the_hunt_does_not_wait_for_stock_jvms() {
    let options = with(UseStockJvm::Auto);
    let cancel = Arc::clone(&options.cancel);
    let script = two_faults(Box::new(move |_, _, stop| {
        cancel.store(true, Ordering::Relaxed);
        until_stopped(stop)
    }));
    let told = hunt_with(script, options);
    assert!(told.result.is_ok());
    let came_to = came_to(&told);
    assert!(!came_to.is_empty() && came_to.iter().all(|one| *one == over()));
}

#[test]
fn a_hunt_that_is_over_waits_for_some_minutes_and_no_longer() {
    let passed: Arc<std::sync::atomic::AtomicU64> = Arc::default();
    let moved = Arc::clone(&passed);
    let script = Script {
        passed,
        on_stock_jvm: Box::new(move |_, _, stop| {
            while !stop.load(Ordering::Relaxed) {
                moved.fetch_add(1000, Ordering::SeqCst);
                std::thread::yield_now();
            }
            StockVerdict::Stopped
        }),
        ..Script::new(vec![plan("one", "two")])
    };
    let script = script.rule("one", "two", Does::Deadlock("lock"));
    let told = hunt_with(script, with(UseStockJvm::Auto));
    assert_eq!(came_to(&told), [over()]);
    let waiting = |event: &HuntEvent| matches!(event, HuntEvent::AwaitingStockJvm(_));
    assert!(told.events.iter().any(waiting));
}

#[test]
fn nothing_is_tried_if_that_is_not_wanted() {
    let told = hunt_with(
        two_faults(Box::new(|_, _, _| panic!("it was tried"))),
        with(UseStockJvm::Never),
    );
    assert!(told.stock_trials().is_empty());
    let why = StockJvm::Untried("--stock-jvm never was given".to_owned());
    assert!(told.findings().iter().all(|finding| finding.stock_jvm == why));
}

#[test]
fn without_a_cage_nothing_is_run_and_it_is_not_asked_for_again() {
    let runs: Arc<AtomicUsize> = Arc::default();
    let counted = Arc::clone(&runs);
    let told = tried(Box::new(move |_, is_caged, _| {
        assert!(is_caged);
        counted.fetch_add(1, Ordering::SeqCst);
        StockVerdict::NoCage("no namespaces".to_owned())
    }));
    let why = "there is no cage for it: no namespaces; --stock-jvm always does without";
    let untried = StockJvm::Untried(why.to_owned());
    assert_eq!(came_to(&told), [untried.clone(), untried]);
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

#[test]
fn whoever_says_always_does_without_a_cage() {
    let script = two_faults(Box::new(|_, is_caged, _| {
        if is_caged {
            StockVerdict::NoCage("no namespaces".to_owned())
        } else {
            StockVerdict::Confirmed
        }
    }));
    let told = hunt_with(script, with(UseStockJvm::Always));
    assert_eq!(came_to(&told), [StockJvm::Confirmed, StockJvm::Confirmed]);
}

fn earlier(class: &str) -> Known {
    Known {
        untried: vec![Untried {
            class: class.to_owned(),
            id: "deadlock-0badcafe".to_owned(),
            reproducer: Reproducer {
                file: "Reproducer.java".into(),
                text: "class Reproducer {}".to_owned(),
            },
        }],
        ..Known::default()
    }
}

#[test]
fn what_an_earlier_part_did_not_try_is_tried_once_its_class_is_begun() {
    let script = two_faults(Box::new(|_, _, _| StockVerdict::Confirmed));
    let told = resume(script, with(UseStockJvm::Auto), earlier(CLASS));
    let begun = |event: &HuntEvent| matches!(event, HuntEvent::Begun(_));
    let tried =
        |event: &HuntEvent| matches!(event, HuntEvent::StockJvm(one) if one.id == "deadlock-0badcafe");
    let begun = told.events.iter().position(begun);
    assert!(begun.is_some() && begun < told.events.iter().position(tried));
}

#[test]
fn findings_of_classes_that_were_done_are_tried_without_a_worker() {
    let script = Script::new(Vec::new());
    let told = hunt_classes(script, with(UseStockJvm::Auto), &[], Some(earlier("a.Done")));
    assert!(told.result.is_ok());
    assert_eq!(told.stock_trials()[0].came_to, StockJvm::Confirmed);
    let is_ready = |event: &HuntEvent| matches!(event, HuntEvent::Ready(_));
    assert!(!told.events.iter().any(is_ready));
}
