//! `raddle test`.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use raddle_campaign::changed_statics;
use raddle_discover::{Expectation, Test, Tests, static_state, tests_of};
use raddle_execute::{Distinct, Exploration, ExploreOptions, Session, SessionOptions};
use raddle_oracle::{TestVerdict, Violation, judge_test};
use raddle_plan::{RECORDING_VERSION, Recording};
use raddle_program::Program;
use raddle_report::{
    InterleavingOptions, TestConclusion, TestReport, TestResult, interleaving, test_text, tests_json,
    tests_total, with_names,
};
use raddle_schedule::Config;
use raddle_summary::{Analyzer, Precision};

use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::progress::Line;
use crate::replay::width;
use crate::run::{end_on_interrupt, gaps_of, open, prepare, unwritable};
use crate::targets;
use crate::test_arguments::TestArguments;

/// The schedulers that take turns, and their parts of the budget in percent. The first looks at every interleaving once and
/// comes to an end with small tests; the second finds what needs one preemption, wherever that is; the others find what
/// needs more, each something else.
const STAGES: [(Config, u64); 5] = [
    (Config::Dpor, 20),
    (Config::Bounded { preemptions: 1 }, 25),
    (Config::Pos, 25),
    (Config::Pct { depth: 3 }, 20),
    (Config::Random, 10),
];

pub(crate) fn run(arguments: &TestArguments) -> Result<ExitCode, Failure> {
    let class_path = arguments.jvm.class_path().unwrap_or_default();
    let (options, program) = prepare(&arguments.jvm, &class_path)?;
    let tests = find(&program, &arguments.tests)?;
    let cancel = Arc::new(AtomicBool::new(false));
    end_on_interrupt(&cancel)?;
    let mut runner = Runner {
        arguments,
        program: &program,
        analyzer: Analyzer::new(&program, Precision::Precise),
        options,
        session: None,
        cancel,
    };
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
        if runner.cancel.load(Ordering::Relaxed) {
            break;
        }
    }
    for left_out in left_out {
        tell(left_out, &mut report)?;
    }
    report.jdk_version = runner
        .session
        .as_ref()
        .map(|session| session.ready().jdk_version.clone())
        .unwrap_or_default();
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
            let suffix = format!("#{method}");
            found.tests.retain(|test| test.method == method);
            found.left_out.retain(|left| left.test.ends_with(&suffix));
        }
        if found.is_empty() {
            return Err(Failure::bad_input(vec![format!(
                "{text}: no test found. Tests are methods of JUnit 3 to 6 or TestNG; of a class that is named, also \
                 main(String[]), or run() of a Runnable"
            )]));
        }
        all.tests.extend(found.tests);
        all.left_out.extend(found.left_out);
    }
    let mut seen = BTreeSet::new();
    all.tests.retain(|test| seen.insert(test.name()));
    Ok(all)
}

struct Runner<'r> {
    arguments: &'r TestArguments,
    program: &'r Program,
    analyzer: Analyzer<'r>,
    options: SessionOptions,
    /// Opened when first needed, and again after it was lost.
    session: Option<Session>,
    cancel: Arc<AtomicBool>,
}

/// A failing outcome, and the scheduler that had it.
struct Failing {
    violation: Violation,
    by: Distinct,
    scheduler: Config,
}

impl Runner<'_> {
    fn session(&mut self) -> Result<&mut Session, Failure> {
        if self.session.is_none() {
            self.session = Some(open(self.options.clone())?);
        }
        self.session
            .as_mut()
            .ok_or_else(|| Failure::inconclusive(vec!["there is no JVM".to_owned()]))
    }

    fn test(&mut self, test: &Test, line: &Line) -> Result<TestResult, Failure> {
        let begun = Instant::now();
        let resets = self.resets(test);
        let stages: Vec<(Config, u64)> = match self.arguments.scheduler {
            Some(scheduler) => vec![(scheduler, 100)],
            None => STAGES.to_vec(),
        };
        let mut schedules = 0;
        let mut failed_schedules = 0;
        let mut failing: Option<Failing> = None;
        let mut gaps: BTreeSet<String> = BTreeSet::new();
        let mut skipped = None;
        let mut covered = None;
        let mut without_preemption = false;
        for (scheduler, share) in stages {
            let options = self.explore_options(scheduler, share, begun.elapsed(), &resets);
            let exploration = match self
                .session()?
                .explore(&test.plan, &options, &mut |progress| line.show(progress))
            {
                Ok(exploration) => exploration,
                Err(error) => {
                    gaps.insert(error.to_string());
                    self.session = None;
                    break;
                }
            };
            schedules += exploration.progress.schedules;
            let alone = exploration.baseline.first().map(|(outcome, _)| outcome);
            without_preemption |=
                alone.is_some_and(|alone| matches!(self.judge(test, alone), TestVerdict::Failed(_)));
            for distinct in &exploration.outcomes {
                match self.judge(test, &distinct.outcome) {
                    TestVerdict::Passed => {}
                    TestVerdict::Skipped(reason) => skipped = Some(reason),
                    TestVerdict::Undecided(reason) => {
                        gaps.insert(reason);
                    }
                    TestVerdict::Failed(violation) => {
                        failed_schedules += distinct.count;
                        failing.get_or_insert_with(|| Failing {
                            violation,
                            by: distinct.clone(),
                            scheduler,
                        });
                    }
                }
            }
            gaps.extend(gaps_of(&test.plan, &exploration));
            covered = complete(scheduler, &exploration);
            if failing.is_some()
                || covered.is_some()
                || skipped.is_some()
                || self.cancel.load(Ordering::Relaxed)
            {
                break;
            }
        }
        let verdict = match (failing, skipped) {
            (Some(failing), _) => self.save(test, &failing, &resets, without_preemption)?,
            (None, Some(reason)) => TestConclusion::Skipped { reason },
            (None, None) if gaps.is_empty() => {
                let is_complete = covered.is_some();
                let covered = covered.unwrap_or_else(|| format!("{schedules} schedules"));
                TestConclusion::Passed { covered, is_complete }
            }
            (None, None) => TestConclusion::Inconclusive {
                reasons: gaps.into_iter().collect(),
            },
        };
        Ok(TestResult {
            test: test.name(),
            verdict,
            schedules,
            failed_schedules,
            time: begun.elapsed(),
        })
    }

    /// Classes whose static state is made anew before every schedule.
    fn resets(&self, test: &Test) -> Vec<String> {
        let mut resets: BTreeSet<String> = changed_statics(self.program, &self.analyzer, &test.plan)
            .into_iter()
            .collect();
        let class = self.program.class_id(&test.class.replace('.', "/"));
        resets.extend(static_state(self.program, class));
        resets.into_iter().collect()
    }

    /// A share of what the test may use. What the stages before have not used is for those after them.
    fn explore_options(
        &self,
        scheduler: Config,
        share: u64,
        used: Duration,
        resets: &[String],
    ) -> ExploreOptions {
        let budget = self.arguments.budget;
        let part = budget * u32::try_from(share).unwrap_or(100) / 100;
        ExploreOptions {
            schedules: self
                .arguments
                .schedules
                .map(|schedules| (schedules * share / 100).max(1)),
            time: self.arguments.schedules.is_none().then(|| {
                part.min(budget.saturating_sub(used))
                    .max(Duration::from_millis(50))
            }),
            max_steps: self.arguments.max_steps,
            orders: false,
            cancel: Arc::clone(&self.cancel),
            ..ExploreOptions::new(scheduler, self.arguments.seed)
        }
        .resetting(resets)
    }

    fn judge(&self, test: &Test, outcome: &raddle_plan::Outcome) -> TestVerdict {
        let number = test.plan.prefix.len();
        let Expectation::Throws(expected) = &test.expects else {
            return judge_test(outcome, number, None);
        };
        let is_expected = |class: &str| {
            let id = |name: &str| self.program.class_id(&name.replace('.', "/"));
            let is_below = |expected: &String| self.program.is_subtype(id(class), id(expected)) == Some(true);
            expected.iter().any(is_below)
        };
        judge_test(outcome, number, Some(&is_expected))
    }

    /// Writes the recording, and repeats it in a fresh JVM, which also says what the threads did.
    fn save(
        &mut self,
        test: &Test,
        failing: &Failing,
        resets: &[String],
        without_preemption: bool,
    ) -> Result<TestConclusion, Failure> {
        let max_steps = self.arguments.max_steps;
        let outcome = &failing.by.outcome;
        let directory = &self.arguments.save;
        let file = directory.join(format!("{}.json", file_name(&test.name())));
        let session = self.session()?;
        let recording = Recording {
            raddle_recording: RECORDING_VERSION,
            raddle: env!("CARGO_PKG_VERSION").to_owned(),
            jdk: session.ready().jdk_version.clone(),
            class_path: session.options().class_path.clone(),
            max_steps: Some(max_steps),
            unplugged: Vec::new(),
            opens: session.options().opens.clone(),
            resets: resets.to_vec(),
            test: Some(test.name()),
            plan: test.plan.clone(),
            schedule: outcome.schedule.clone(),
            outcome: outcome.clone(),
        };
        std::fs::create_dir_all(directory).map_err(|error| unwritable(directory, &error))?;
        recording.write(&file)?;
        let replayed = session.replay(&recording).ok();
        let repeated = replayed
            .as_ref()
            .is_some_and(|replayed| replayed.outcome.is_same_run(outcome));
        let options = InterleavingOptions {
            all: false,
            width: width().saturating_sub(4),
        };
        let columns = replayed.map_or_else(String::new, |replayed| {
            interleaving(&test.plan, &replayed.outcome, &replayed.events, options)
        });
        Ok(TestConclusion::Failed {
            kind: failing.violation.kind,
            sentence: with_names(&test.plan, &failing.violation.summary),
            without_preemption,
            preemptions: match failing.scheduler {
                Config::Bounded { preemptions } => Some(preemptions as usize),
                _ => None,
            },
            columns,
            file,
            repeated,
        })
    }
}

/// What was run completely.
fn complete(scheduler: Config, exploration: &Exploration) -> Option<String> {
    let claim = exploration.claim.as_ref().filter(|claim| claim.complete)?;
    (scheduler == Config::Dpor).then(|| match claim.interleavings {
        1 => "its only interleaving".to_owned(),
        many => format!("all {many} interleavings, up to equivalence"),
    })
}

fn file_name(test: &str) -> String {
    let keep = |c: char| {
        if c.is_alphanumeric() || "._-".contains(c) {
            c
        } else {
            '-'
        }
    };
    test.chars().map(keep).collect()
}
