//! A hunt of three classes: for tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use raddle_campaign::{
    ClassCoverage, ClassReport, Finding, Numbers, Promise, Silenced, Silent, StockJvm, Strength, TimeSpent,
    Uncovered,
};
use raddle_oracle::{Difference, Evidence, Kind, Link, Violation};
use raddle_plan::{Frame, RECORDING_VERSION, Recording};

use crate::acceptance::Acceptance;
use crate::hunt::{FoundHere, HuntClass, HuntReport, NotHunted};
use raddle_testkit::run_sample;

/// One of two elements is lost.
pub(crate) fn wrong_result() -> Finding {
    let outcome = run_sample::lost_update();
    Finding {
        id: "result-0badcafe".to_owned(),
        class: "java.util.ArrayList".to_owned(),
        violation: Violation {
            kind: Kind::Result,
            summary: "Wrong result: ArrayList.size after the threads returned 1; one at a time it returns 2."
                .to_owned(),
            evidence: Evidence::Result {
                results: Vec::new(),
                differences: vec![Difference {
                    call: 3,
                    got: "returned 1".to_owned(),
                    sequential: vec!["returned 2".to_owned()],
                }],
                decisive: vec![3],
            },
        },
        weakness: None,
        state: BTreeSet::from(["ArrayList.size".to_owned()]),
        unguarded: BTreeSet::new(),
        cause: "result ArrayList.size".to_owned(),
        first_cause: "result add(Ljava/lang/Object;)Z size()I".to_owned(),
        is_minimal: true,
        methods: vec!["add(java.lang.Object)".to_owned()],
        reason: "add(java.lang.Object) twice".to_owned(),
        recording: Recording {
            raddle_recording: RECORDING_VERSION,
            raddle: "0.1.0".to_owned(),
            jdk: "17.0.15".to_owned(),
            class_path: Vec::new(),
            max_steps: Some(20_000),
            unplugged: Vec::new(),
            opens: Vec::new(),
            resets: Vec::new(),
            test: None,
            plan: run_sample::plan(),
            schedule: outcome.schedule.clone(),
            outcome,
        },
        events: run_sample::events(),
        preemptions: Some(1),
        first_calls: 9,
        stock_jvm: StockJvm::Untried("--stock-jvm never was given".to_owned()),
        analysis_bug: None,
        beside: Vec::new(),
        promise: disclaimed(),
        is_promised: true,
        after: Duration::from_millis(700),
    }
}

/// A list that shrinks while it is added to.
pub(crate) fn exception() -> Finding {
    let frame = |text: &str| Frame(text.to_owned());
    Finding {
        id: "exception-00c0ffee".to_owned(),
        violation: Violation {
            kind: Kind::Exception,
            summary: "ArrayList.add in thread 1 threw java.lang.ArrayIndexOutOfBoundsException (\"Index 1 out of bounds \
                      for length 1\") at java.util.ArrayList.add(ArrayList.java:455). In both sequential orders of the \
                      calls it returned true."
                .to_owned(),
            evidence: Evidence::Exception {
                call: 1,
                thread: 1,
                class: "java.lang.ArrayIndexOutOfBoundsException".to_owned(),
                message: "Index 1 out of bounds for length 1".to_owned(),
                frames: vec![
                    frame("java.base/java.util.ArrayList.add(ArrayList.java:455)"),
                    frame("java.base/java.util.ArrayList.add(ArrayList.java:467)"),
                ],
                sequential: Vec::new(),
            },
        },
        state: BTreeSet::new(),
        unguarded: BTreeSet::new(),
        cause: "exception java.lang.ArrayIndexOutOfBoundsException java.util.ArrayList.add \
                java.base/java.util.ArrayList.add(ArrayList.java:455)"
            .to_owned(),
        methods: vec!["add(java.lang.Object)".to_owned(), "clear()".to_owned()],
        stock_jvm: StockJvm::Confirmed,
        ..wrong_result()
    }
}

/// Two tables that are compared with each other.
pub(crate) fn deadlock() -> Finding {
    let outcome = run_sample::deadlock();
    let link = |thread: u32| {
        let end = &outcome.threads[thread as usize];
        Link {
            thread,
            name: end.name.clone(),
            wants: end.wants.clone().unwrap_or_default(),
            at: end.place.clone(),
            holds: end.holds.first().cloned(),
        }
    };
    Finding {
        id: "deadlock-1f00c4a2".to_owned(),
        class: "java.util.Hashtable".to_owned(),
        violation: Violation {
            kind: Kind::Deadlock,
            summary: "Deadlock: thread 1 holds java.util.Hashtable#1 and waits for java.util.Hashtable#2; thread 2 \
                      holds java.util.Hashtable#2 and waits for java.util.Hashtable#1. In both sequential orders of \
                      the calls every call completes."
                .to_owned(),
            evidence: Evidence::Deadlock {
                cycle: vec![link(1), link(2)],
                calls: vec![1, 2],
            },
        },
        state: BTreeSet::new(),
        unguarded: BTreeSet::new(),
        cause: "deadlock java.util.Hashtable.equals(Ljava/lang/Object;)Z:804".to_owned(),
        methods: vec!["equals(java.lang.Object)".to_owned()],
        recording: Recording {
            schedule: outcome.schedule.clone(),
            outcome,
            ..wrong_result().recording
        },
        stock_jvm: StockJvm::Confirmed,
        promise: Promise {
            strength: Strength::Documented,
            sentence: "the documentation of java.util.Hashtable says: synchronized (class documentation)".to_owned(),
        },
        ..wrong_result()
    }
}

fn here(finding: Finding) -> FoundHere {
    let file = format!(
        "raddle-out/{}/findings/{}/finding.json",
        finding.class, finding.id
    );
    FoundHere::new(finding, PathBuf::from(file))
}

/// Four findings in two classes: of each kind of weight one.
pub(crate) fn several() -> HuntReport {
    let unpromised = Finding {
        id: "result-00000bad".to_owned(),
        is_promised: false,
        ..wrong_result()
    };
    let mut list = class("java.util.ArrayList", &[], &[]);
    list.findings = [unpromised, wrong_result(), exception()].map(here).to_vec();
    let mut table = class("java.util.Hashtable", &[], &[]);
    table.findings = vec![here(deadlock())];
    for hunted in [&mut list, &mut table] {
        let ids = |are_promised: bool| {
            let findings = hunted.findings.iter().map(|found| &found.finding);
            let wanted = findings.filter(|finding| finding.is_promised == are_promised);
            wanted.map(|finding| finding.id.clone()).collect::<Vec<_>>()
        };
        let (promised, unpromised) = (ids(true), ids(false));
        if let Some(report) = &mut hunted.report {
            (report.findings, report.unpromised) = (promised, unpromised);
        }
    }
    HuntReport {
        classes: vec![list, table],
        ..report()
    }
}

fn disclaimed() -> Promise {
    Promise {
        strength: Strength::Disclaimed,
        sentence: "the documentation of java.util.ArrayList says: not synchronized (class documentation)"
            .to_owned(),
    }
}

fn class(class: &str, gaps: &[&str], notes: &[&str]) -> HuntClass {
    let strings = |list: &[&str]| list.iter().map(ToString::to_string).collect();
    HuntClass {
        class: class.to_owned(),
        findings: Vec::new(),
        report: Some(ClassReport {
            class: class.to_owned(),
            jdk_version: "17.0.15".to_owned(),
            strategy: ("portfolio".to_owned(), 1),
            weaker: Vec::new(),
            also: BTreeMap::new(),
            findings: Vec::new(),
            unpromised: Vec::new(),
            sightings: Vec::new(),
            gaps: strings(gaps),
            notes: strings(notes),
            numbers: Numbers {
                pairs: 40,
                pairs_tried: 38,
                pairs_covered: 36,
                plans: 120,
                failed_plans: 3,
                schedules: 20_000,
                steps: 400_000,
                repeats: 0,
                branches: 410,
                encounters: 52,
                time: Duration::from_secs(20),
            },
            coverage: ClassCoverage {
                pairs: 40,
                covered: 36,
                ..ClassCoverage::default()
            },
            predicted: Vec::new(),
            spending: TimeSpent::default(),
            silenced: Vec::new(),
            promise: Some(disclaimed()),
            is_interrupted: false,
        }),
    }
}

/// Something of everything.
fn gappy() -> ClassCoverage {
    let pair = |first: &str, second: &str, why| (first.to_owned(), second.to_owned(), why);
    ClassCoverage {
        pairs: 40,
        covered: 36,
        apart: 2,
        uncovered: vec![
            pair("add(int)", "get(int)", Uncovered::NotTried),
            pair("get(int)", "get(int)", Uncovered::NotTried),
            pair("get(int)", "remove(int)", Uncovered::NeverOverlapped),
            pair("add(int)", "remove(int)", Uncovered::NeverReturned),
        ],
        silent: vec![
            Silent {
                method: "add(int)".to_owned(),
                is_mutator: true,
                why: "java.lang.ClassCastException: not comparable".to_owned(),
                plans: 7,
            },
            Silent {
                method: "take()".to_owned(),
                is_mutator: false,
                why: "hung".to_owned(),
                plans: 2,
            },
        ],
        failures: vec![("the calls that prepare the objects threw a.Problem".to_owned(), 3)],
        objects: vec!["java.util.Stack".to_owned(), "java.util.Vector".to_owned()],
        shares_nothing: false,
    }
}

/// One with a finding, one without, one that could not be hunted.
pub(crate) fn report() -> HuntReport {
    let finding = wrong_result();
    let mut list = class("java.util.ArrayList", &[], &[]);
    if let Some(report) = &mut list.report {
        report.findings.push(finding.id.clone());
    }
    list.findings.push(here(finding));
    let mut vector = class("java.util.Vector", &[], &[]);
    if let Some(report) = &mut vector.report {
        report.coverage = gappy();
        report.silenced.push(Silenced {
            kind: Kind::Result,
            methods: vec!["add(java.lang.Object)".to_owned(), "size()".to_owned()],
            because: "the documentation of a.Vector.size says: an estimate (size)".to_owned(),
            count: 3,
        });
    }
    let mut map = class("java.util.Map", &["java.util.Map is an interface"], &[]);
    if let Some(report) = &mut map.report {
        report.numbers = Numbers::default();
    }
    HuntReport {
        tool: ("raddle", "0.1.0"),
        jdk_version: "17.0.15".to_owned(),
        strategy: ("portfolio".to_owned(), 1),
        budget: Duration::from_mins(1),
        is_strict: false,
        classes: vec![list, vector, map],
        skipped: vec![NotHunted {
            class: "java.util.BitSet".to_owned(),
            reason: "nothing says that it is meant to be shared".to_owned(),
        }],
        time: Duration::from_secs(41),
        finished: true,
        counts_unconfirmed: false,
        acceptance: Acceptance::default(),
    }
}
