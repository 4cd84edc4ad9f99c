//! A suite of tests with forced schedules: JUnit files, a JSON document, and a few lines for people.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use raddle_campaign::{Coverage, Suite, SuiteProgress, SuiteTest};
use raddle_oracle::{Evidence, Kind, Violation};
use raddle_plan::plain::{lines, one_line, unbroken};
use serde::Serialize;

use crate::bounded::make_directory;
use crate::hunt_folder::write_whole;
use crate::recorded_run::{recorded_run, write_helper};
use raddle_plan::plan_text::{call_text, simple_name};
use raddle_reproduce::{ReproducerInput, junit_name, suite_test};

/// The document beside the tests.
const DOCUMENT: &str = "suite.json";
/// Reasons for people, at most.
const MOST_REASONS: usize = 5;

/// Writes a suite into a folder for its class; the files that were written, the document first.
pub fn write_suite(out: &Path, suite: &Suite) -> io::Result<Vec<PathBuf>> {
    let folder = out.join(&suite.class);
    make_directory(out, &folder)?;
    // Tests of an earlier suite would be taken for this one's.
    let stem = junit_name(&suite.class, "suite");
    let stem = stem.trim_end_matches("Test");
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if name.starts_with(stem) && name.ends_with("Test.java") {
            fs::remove_file(&path)?;
        }
    }
    let mut written = vec![folder.join(DOCUMENT)];
    for (number, test) in suite.tests.iter().enumerate() {
        let name = test_name(suite, number);
        let path = folder.join(format!("{name}.java"));
        write_whole(&path, &java(suite, test, &name))?;
        written.push(path);
    }
    write_helper(out)?;
    let json = serde_json::to_string_pretty(&document(suite)).map_err(io::Error::other)?;
    write_whole(&written[0], &format!("{json}\n"))?;
    Ok(written)
}

/// `VectorSuite3Test`.
fn test_name(suite: &Suite, number: usize) -> String {
    junit_name(&suite.class, &format!("suite{}", number + 1))
}

fn java(suite: &Suite, test: &SuiteTest, name: &str) -> String {
    let recording = &test.recording;
    let calls = recording.plan.call_count();
    let violation = Violation {
        kind: Kind::Result,
        summary: String::new(),
        evidence: Evidence::Result {
            results: Vec::new(),
            differences: Vec::new(),
            decisive: (0..calls).collect(),
        },
    };
    let told = recorded_run(&recording.plan, &recording.outcome, &test.events, violation.kind);
    let input = ReproducerInput {
        plan: &recording.plan,
        outcome: &recording.outcome,
        events: &test.events,
        violation: &violation,
        class_name: &suite.class,
        id: name,
        allowed: Some(&test.allowed),
        told: &told,
    };
    let mut how = String::from(
        "This test, for JUnit 5, forces that meeting and fails if the calls then come to what they do in no sequential \
         order.\nIt needs a JDK 17 or later. Covered, as patterns of accesses that are not serialisable (Vaziri, Tip and \
         Dolby,\nPOPL 2006):\n\n",
    );
    for mark in &test.covers {
        let _ = writeln!(how, "    {mark}");
    }
    if test.fails {
        how.push_str("\nIt failed when it was made.\n");
    }
    suite_test(&input, name, how.trim_end())
}

#[derive(Serialize)]
struct Document<'a> {
    class: &'a str,
    is_complete: bool,
    coverage: usize,
    tests: Vec<Test>,
    interleavings: BTreeMap<&'a str, Interleaving<'a>>,
    progress: Vec<Point>,
    numbers: BTreeMap<&'static str, u64>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct Test {
    name: String,
    calls: Vec<String>,
    covers: Vec<String>,
    fails: bool,
}

#[derive(Serialize)]
struct Interleaving<'a> {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tests: Vec<String>,
}

#[derive(Serialize)]
struct Point {
    time_ms: u64,
    tests: u64,
    sequential_tests: u64,
    coverage: usize,
}

fn document(suite: &Suite) -> Document<'_> {
    let last = suite.progress.last();
    Document {
        class: &suite.class,
        is_complete: suite.is_complete,
        coverage: feasible(suite),
        tests: (0..)
            .zip(&suite.tests)
            .map(|(number, test)| Test {
                name: test_name(suite, number),
                calls: test
                    .recording
                    .plan
                    .calls()
                    .map(|(_, part, call)| format!("{part}: {}", call_text(call)))
                    .collect(),
                covers: test.covers.clone(),
                fails: test.fails,
            })
            .collect(),
        interleavings: suite
            .interleavings
            .iter()
            .map(|(mark, coverage)| (mark.as_str(), verdict(suite, coverage)))
            .collect(),
        progress: suite.progress.iter().map(point).collect(),
        numbers: last
            .map(|last| last.numbers.iter().copied().collect())
            .unwrap_or_default(),
        notes: &suite.notes,
    }
}

fn point(progress: &SuiteProgress) -> Point {
    Point {
        time_ms: u64::try_from(progress.time.as_millis()).unwrap_or(u64::MAX),
        tests: progress.tests,
        sequential_tests: progress
            .numbers
            .iter()
            .find(|(name, _)| *name == "sequential tests")
            .map_or(0, |(_, number)| *number),
        coverage: progress.covered,
    }
}

fn verdict<'a>(suite: &Suite, coverage: &'a Coverage) -> Interleaving<'a> {
    let (verdict, reason, tests) = match coverage {
        Coverage::Feasible(tests) => ("feasible", None, tests.as_slice()),
        Coverage::KeptApart(reason) => ("infeasible", Some(reason.as_str()), &[][..]),
        Coverage::Unrealised(reason) => ("unrealised", Some(reason.as_str()), &[][..]),
    };
    Interleaving {
        verdict,
        reason,
        tests: tests.iter().map(|number| test_name(suite, *number)).collect(),
    }
}

fn feasible(suite: &Suite) -> usize {
    let coverages = suite.interleavings.values();
    coverages
        .filter(|coverage| matches!(coverage, Coverage::Feasible(_)))
        .count()
}

/// The document as text.
pub fn suite_json(suite: &Suite) -> serde_json::Result<String> {
    serde_json::to_string_pretty(&document(suite))
}

/// What was made, for people.
pub fn suite_text(suite: &Suite, written: &[PathBuf]) -> String {
    let mut text = String::new();
    let covered = feasible(suite);
    let count = |is: fn(&Coverage) -> bool| {
        suite
            .interleavings
            .values()
            .filter(|coverage| is(coverage))
            .count()
    };
    let kept_apart = count(|coverage| matches!(coverage, Coverage::KeptApart(_)));
    let unrealised = count(|coverage| matches!(coverage, Coverage::Unrealised(_)));
    let simple = one_line(simple_name(&suite.class));
    let _ = writeln!(
        text,
        "{}: {} cover{} {covered} interleavings in which two calls of {simple} could get in each other's way",
        one_line(&suite.class),
        tests(suite.tests.len()),
        if suite.tests.len() == 1 { "s" } else { "" },
    );
    let _ = writeln!(
        text,
        "  {kept_apart} more are kept apart by locks; {unrealised} more were foreseen and did not come about"
    );
    if let Some(last) = suite.progress.last() {
        let _ = writeln!(
            text,
            "  {} tried in {:.1} s{}",
            tests(usize::try_from(last.tests).unwrap_or(usize::MAX)),
            last.time.as_secs_f64(),
            if suite.is_complete {
                ""
            } else {
                ", and there was no time for more; --budget gives more"
            },
        );
        let numbers = last
            .numbers
            .iter()
            .map(|(name, number)| format!("{name} {number}"));
        let _ = writeln!(text, "  {}", numbers.collect::<Vec<_>>().join(", "));
    }
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for coverage in suite.interleavings.values() {
        if let Coverage::Unrealised(reason) = coverage {
            *reasons.entry(reason).or_default() += 1;
        }
    }
    for (reason, times) in reasons.iter().take(MOST_REASONS) {
        let _ = writeln!(text, "  not come about: {reason} ({times})");
    }
    let failing = (0..).zip(&suite.tests).filter(|(_, test)| test.fails);
    for (number, test) in failing {
        let plan = &test.recording.plan;
        let threads = plan.threads.iter().map(|calls| {
            let calls: Vec<String> = calls.iter().map(call_text).collect();
            calls.join("; ")
        });
        let _ = writeln!(
            text,
            "  fails: {} ({}); raddle hunt says more about it",
            test_name(suite, number),
            threads.collect::<Vec<_>>().join(" ∥ "),
        );
    }
    for note in &suite.notes {
        let _ = writeln!(text, "  note: {}", unbroken(note));
    }
    if let Some(folder) = written.first().and_then(|first| first.parent()) {
        let _ = writeln!(text, "  written to {}", folder.display());
    }
    lines(&text).into_owned()
}

fn tests(count: usize) -> String {
    if count == 1 {
        "1 test".to_owned()
    } else {
        format!("{count} tests")
    }
}
