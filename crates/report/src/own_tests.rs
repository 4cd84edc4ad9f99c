//! What came of tests that people have written: terminal text and JSON.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use raddle_oracle::Kind;
use serde::Serialize;

use crate::run::kind_text;

/// Changes its number whenever a reader of the old document would misread the new one.
const SCHEMA: &str = "raddle.test/1";

/// What came of one test.
#[derive(Clone, Debug, Serialize)]
pub struct TestResult {
    /// `com.acme.CacheTest#evictsOnce`.
    pub test: String,
    /// What was found out.
    #[serde(flatten)]
    pub verdict: TestConclusion,
    /// How many schedules were run.
    pub schedules: u64,
    /// Those that failed.
    pub failed_schedules: u64,
    /// The most threads that a schedule has started.
    pub started_threads: usize,
    /// What else there is to say, as parts of sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// How long that took.
    #[serde(skip)]
    pub time: Duration,
}

/// What was found out about a test.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum TestConclusion {
    /// No schedule fails.
    Passed {
        /// What was covered, as the end of "passes".
        covered: String,
        /// Whether that is everything.
        is_complete: bool,
    },
    /// Some schedule fails.
    Failed {
        /// How.
        kind: Kind,
        /// The same as a sentence.
        sentence: String,
        /// Whether it fails without a single preemption, too.
        without_preemption: bool,
        /// How often the schedule that is shown takes a thread off the CPU that could go on.
        preemptions: Option<usize>,
        /// What the threads did, in columns.
        #[serde(skip)]
        columns: String,
        /// Where it was saved.
        file: PathBuf,
        /// Whether a fresh JVM did the same again.
        repeated: bool,
    },
    /// It says itself that it cannot be run here, or somebody wants it left out.
    Skipped {
        /// Why.
        reason: String,
    },
    /// Nothing can be said.
    Inconclusive {
        /// Why, as sentences.
        reasons: Vec<String>,
    },
}

/// What came of all of them.
#[derive(Clone, Debug, Default)]
pub struct TestReport {
    /// In the order in which they were run.
    pub results: Vec<TestResult>,
    /// The JDK.
    pub jdk_version: String,
}

impl TestReport {
    fn count(&self, is_it: impl Fn(&TestConclusion) -> bool) -> usize {
        self.results
            .iter()
            .filter(|result| is_it(&result.verdict))
            .count()
    }

    /// How many failed.
    pub fn failed(&self) -> usize {
        self.count(|verdict| matches!(verdict, TestConclusion::Failed { .. }))
    }

    /// How many came to no verdict.
    pub fn inconclusive(&self) -> usize {
        self.count(|verdict| matches!(verdict, TestConclusion::Inconclusive { .. }))
    }

    /// How many passed.
    pub fn passed(&self) -> usize {
        self.count(|verdict| matches!(verdict, TestConclusion::Passed { .. }))
    }

    fn skipped(&self) -> usize {
        self.count(|verdict| matches!(verdict, TestConclusion::Skipped { .. }))
    }
}

/// What came of one test, as soon as that is known.
pub fn test_text(result: &TestResult) -> String {
    let mut text = verdict_text(result);
    for note in &result.notes {
        let _ = writeln!(text, "      {note}");
    }
    text
}

fn verdict_text(result: &TestResult) -> String {
    let test = &result.test;
    let seconds = result.time.as_secs_f64();
    match &result.verdict {
        TestConclusion::Passed { covered, .. } => format!("pass  {test}\n      {covered}, {seconds:.1} s\n"),
        TestConclusion::Skipped { reason } => format!("skip  {test}\n      {reason}\n"),
        TestConclusion::Inconclusive { reasons } => {
            let mut text = format!("?     {test}\n");
            for reason in reasons {
                let _ = writeln!(text, "      inconclusive: {}", reason.replace('\n', "\n      "));
            }
            text
        }
        TestConclusion::Failed {
            kind,
            sentence,
            without_preemption,
            preemptions,
            columns,
            file,
            repeated,
        } => {
            let mut text = format!("FAIL  {test}   {}\n  {sentence}\n\n", kind_text(*kind));
            for line in columns.lines() {
                let _ = writeln!(text, "{}", format!("    {line}").trim_end());
            }
            let _ = writeln!(
                text,
                "\n  failed in {} of {} schedules, {seconds:.1} s",
                result.failed_schedules, result.schedules
            );
            if *without_preemption {
                text.push_str("  it fails without any preemption, too\n");
            } else if let Some(preemptions) = preemptions {
                let plural = if *preemptions == 1 { "" } else { "s" };
                let _ = writeln!(text, "  shown with {preemptions} preemption{plural}");
            }
            text.push_str(if *repeated {
                "  reproduced in a fresh JVM\n"
            } else {
                "  NOT reproduced in a fresh JVM: take this with care\n"
            });
            let _ = writeln!(text, "  raddle replay {}", file.display());
            text
        }
    }
}

/// The closing lines.
pub fn tests_total(report: &TestReport) -> String {
    let mut text = String::new();
    if report.failed() > 0 {
        text.push_str("failed:\n");
    }
    for result in &report.results {
        if let TestConclusion::Failed { kind, file, .. } = &result.verdict {
            let _ = writeln!(
                text,
                "  {}   {}   {}",
                result.test,
                kind_text(*kind),
                file.display()
            );
        }
    }
    let count = report.results.len();
    let _ = writeln!(
        text,
        "{count} test{}: {} passed, {} failed, {} inconclusive, {} skipped",
        if count == 1 { "" } else { "s" },
        report.passed(),
        report.failed(),
        report.inconclusive(),
        report.skipped(),
    );
    text
}

/// The whole of it as one JSON document.
pub fn tests_json(report: &TestReport) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Document<'a> {
        schema: &'static str,
        jdk: &'a str,
        passed: usize,
        failed: usize,
        inconclusive: usize,
        skipped: usize,
        tests: &'a [TestResult],
    }
    let document = Document {
        schema: SCHEMA,
        jdk: &report.jdk_version,
        passed: report.passed(),
        failed: report.failed(),
        inconclusive: report.inconclusive(),
        skipped: report.skipped(),
        tests: &report.results,
    };
    let mut text = serde_json::to_string_pretty(&document)?;
    text.push('\n');
    Ok(text)
}
