//! `raddle test`.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use raddle_discover::{Tests, tests_of};
use raddle_program::Program;
use raddle_report::{TestConclusion, TestReport, TestResult, test_text, tests_json, tests_total};

use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::hunt_setup::no_invariant;
use crate::progress::Line;
use crate::run::{end_on_interrupt, prepare};
use crate::targets;
use crate::test_arguments::TestArguments;
use crate::test_runner::Runner;

pub(crate) fn run(arguments: &TestArguments) -> Result<ExitCode, Failure> {
    let class_path = arguments.jvm.class_path().unwrap_or_default();
    let (options, program) = prepare(&arguments.jvm, &class_path)?;
    let mut tests = find(&program, &arguments.tests)?;
    tests.check_invariants(&program, &arguments.invariant);
    for name in &arguments.invariant {
        let mut known = tests.tests.iter().flat_map(|test| &test.invariants);
        if !known.any(|invariant| invariant.name == *name) {
            return Err(no_invariant(name));
        }
    }
    let cancel = Arc::new(AtomicBool::new(false));
    end_on_interrupt(&cancel)?;
    let mut runner = Runner::new(arguments, &program, options, Arc::clone(&cancel));
    let mut report = TestReport::default();
    let mut out = io::stdout().lock();
    let left_out = tests.left_out.into_iter().map(|left| TestResult {
        test: left.test,
        verdict: if left.on_purpose {
            TestConclusion::Skipped { reason: left.reason }
        } else {
            TestConclusion::Inconclusive {
                reasons: vec![format!("it cannot be taken: {}", left.reason)],
            }
        },
        schedules: 0,
        failed_schedules: 0,
        started_threads: 0,
        notes: Vec::new(),
        time: Duration::ZERO,
    });
    let mut tell = |result: TestResult, report: &mut TestReport| -> Result<(), Failure> {
        if !arguments.json {
            out.write_all(test_text(&result).as_bytes())?;
            out.flush()?;
        }
        report.results.push(result);
        Ok(())
    };
    let count = tests.tests.len();
    for (number, test) in tests.tests.iter().enumerate() {
        let line = Line::new();
        line.say_text(format!("test {} of {count}: {}", number + 1, test.name()));
        let result = runner.test(test, &line)?;
        line.clear();
        tell(result, &mut report)?;
        if cancel.load(Ordering::Relaxed) {
            break;
        }
    }
    for left_out in left_out {
        tell(left_out, &mut report)?;
    }
    report.jdk_version = runner.jdk_version();
    let text = if arguments.json {
        tests_json(&report).map_err(io::Error::from)?
    } else {
        format!("\n{}", tests_total(&report))
    };
    out.write_all(text.as_bytes())?;
    out.flush()?;
    let is_cut = report.results.len() < count;
    Ok(if report.failed() > 0 {
        ExitCode::ViolationsFound
    } else if report.inconclusive() > 0 || report.passed() == 0 || is_cut {
        ExitCode::Inconclusive
    } else {
        ExitCode::Done
    })
}

/// The tests that were asked for.
fn find(program: &Program, typed: &[String]) -> Result<Tests, Failure> {
    let mut all = Tests::default();
    for text in typed {
        let (class, method) = text
            .split_once('#')
            .map_or((text.as_str(), None), |(class, method)| (class, Some(method)));
        let targets = targets::resolve(program, &[class.to_owned()])
            .map_err(|errors| Failure::bad_input(errors.iter().map(ToString::to_string).collect()))?;
        let mut found = Tests::default();
        for target in targets {
            let tests = tests_of(program, target.id, target.is_named);
            found.tests.extend(tests.tests);
            found.left_out.extend(tests.left_out);
        }
        if let Some(method) = method {
            // Of a test that is run once for every row of a table, all are meant, unless one is named.
            let is_meant = |name: &str| name == method || name.split('[').next() == Some(method);
            found.tests.retain(|test| is_meant(&test.method));
            found.left_out.retain(|left| {
                let name = left.test.split_once('#').map_or("", |(_, name)| name);
                is_meant(name)
            });
        }
        if found.is_empty() {
            return Err(Failure::bad_input(vec![format!(
                "{text}: no test found. Tests are methods of JUnit 3 to 6, TestNG or Fray, the actors of JCStress and \
                 the operations of Lincheck; of a class that is named, also main(String[]), or run() of a Runnable"
            )]));
        }
        all.tests.extend(found.tests);
        all.left_out.extend(found.left_out);
    }
    let mut seen = BTreeSet::new();
    all.tests.retain(|test| seen.insert(test.name()));
    Ok(all)
}
