//! `raddle run`.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use raddle_campaign::{Shown, blind_spots, changed_statics, judge_all};
use raddle_classpath::{ClassPath, Jdk};
use raddle_execute::{Exploration, Session, SessionError, SessionOptions, Stop};
use raddle_oracle::{Kind, veto};
use raddle_plan::plan_text::with_names;
use raddle_plan::{RECORDING_VERSION, Recording, TestPlan};
use raddle_program::Program;
use raddle_report::{Conclusion, Finding, Rates, RunReport, run_json, run_text};
use raddle_schedule::Config;
use raddle_summary::{Analyzer, Precision};
use raddle_worker::signals::{hangups_are_ignored, ignore_hangups};

use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::plan_members;
use crate::progress::Line;
use crate::reached::reached;
use crate::run_arguments::{JvmArguments, RunArguments};
use crate::standard_output::{self, complain};

/// What a shell says of a program that ^C has ended.
const INTERRUPTED: i32 = 130;
/// Of the stacks or the crash report of a JVM that died.
const EVIDENCE_LINES: usize = 60;

pub(crate) fn run(arguments: &RunArguments) -> Result<ExitCode, Failure> {
    let plan = TestPlan::read(&arguments.plan)?;
    let (mut options, program) = session_options(
        &arguments.jvm,
        &arguments.jvm.class_path().unwrap_or_default(),
        &plan,
    )?;
    options.unplugged.clone_from(&arguments.unplug);
    let analyzer = Analyzer::new(&program, Precision::Precise);
    let resets = changed_statics(&program, &analyzer, &plan);
    let explore = arguments.options().resetting(&resets);
    end_on_interrupt(&explore.cancel)?;

    let line = Line::new();
    line.say("starting a JVM");
    let mut session = open(options)?;
    let exploration = session.explore(&plan, &explore, &mut |progress| line.show(progress))?;
    let verdicts = judge_all(&plan, &exploration, &Kind::ALL.into_iter().collect());
    line.say("repeating what was found");
    let mut gaps = verdicts.gaps;
    let mut findings = Vec::new();
    for (number, shown) in verdicts.violations.iter().enumerate() {
        match save(&mut session, arguments, (&plan, &resets), number + 1, shown)? {
            Ok(finding) => findings.push(finding),
            Err(vetoed) => gaps.push(vetoed),
        }
    }
    gaps.extend(gaps_of(&plan, &exploration));
    // With something unplugged, whether that blinds the engine is the question.
    if findings.is_empty() && (gaps.is_empty() || !arguments.unplug.is_empty()) {
        line.say("running tests that are known to fail");
        gaps.extend(probe(&mut session)?);
    }
    line.clear();

    let report = RunReport {
        tool: (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")),
        plan,
        jdk_version: session.ready().jdk_version.clone(),
        scheduler: (explore.scheduler, explore.seed),
        findings,
        gaps,
        notes: notes(verdicts.notes, &exploration),
        rates: rates(&exploration),
        covered: covered(arguments.scheduler, &exploration),
        claim: exploration.claim.map(|claim| claim.text),
    };
    let text = if arguments.json {
        run_json(&report).map_err(io::Error::from)?
    } else {
        run_text(&report)
    };
    standard_output::write(&text)?;
    Ok(match report.conclusion() {
        Conclusion::NoViolation => ExitCode::Done,
        Conclusion::Violations => ExitCode::ViolationsFound,
        Conclusion::Inconclusive => ExitCode::Inconclusive,
    })
}

/// How workers are started, after a check of the JDK, the class path, and what the plan wants of them; and the classes.
pub(crate) fn session_options(
    arguments: &JvmArguments,
    class_path: &[PathBuf],
    plan: &TestPlan,
) -> Result<(SessionOptions, Program), Failure> {
    let (options, program) = prepare(arguments, class_path)?;
    let missing = plan_members::missing(&program, plan);
    if !missing.is_empty() {
        return Err(Failure::bad_input(missing));
    }
    Ok((options, program))
}

/// The same, whatever is to be run.
pub(crate) fn prepare(
    arguments: &JvmArguments,
    class_path: &[PathBuf],
) -> Result<(SessionOptions, Program), Failure> {
    let jdk = Jdk::locate(arguments.jdk.as_deref())?;
    let mut options = SessionOptions::new(jdk.home().to_owned())?;
    options.cage = !arguments.no_cage;
    options.require_cage = arguments.require_cage;
    options.opens.clone_from(&arguments.add_opens);
    options.class_path = class_path
        .iter()
        .map(std::path::absolute)
        .collect::<Result<_, _>>()?;
    let opened = ClassPath::open(class_path, jdk.feature())?;
    options.readable = reached(&opened, class_path)?;
    Ok((options, Program::new(jdk, opened)))
}

/// Opens a session whose workers are caged, or are meant not to be.
pub(crate) fn open(options: SessionOptions) -> Result<Session, Failure> {
    let session = Session::open(options)?;
    if let Some(cage) = &session.ready().cage {
        let gaps = cage.gaps().join("; ");
        if cage.is_open() {
            return Err(Failure::inconclusive(vec![format!(
                "this system cannot cage tests: {gaps}; if you trust the classes, say so with --no-cage"
            )]));
        }
        if !gaps.is_empty() {
            complain!("WARNING: the cage has gaps: {gaps}");
        }
    }
    Ok(session)
}

/// The first ^C ends the exploration, the second one the program. So do SIGTERM, which build servers send, and the end of
/// the terminal.
pub(crate) fn end_on_interrupt(cancel: &Arc<AtomicBool>) -> Result<(), Failure> {
    let cancel = Arc::clone(cancel);
    let outlives_terminal = hangups_are_ignored();
    ctrlc::set_handler(move || {
        if cancel.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    })
    .map_err(|error| Failure::inconclusive(vec![format!("cannot prepare for ^C: {error}")]))?;
    if outlives_terminal {
        ignore_hangups();
    }
    Ok(())
}

/// Writes the recording, and repeats it in a fresh worker; a sentence if the interleaving is not to blame.
fn save(
    session: &mut Session,
    arguments: &RunArguments,
    (plan, resets): (&TestPlan, &[String]),
    number: usize,
    shown: &Shown,
) -> Result<Result<Finding, String>, Failure> {
    let outcome = &shown.by.outcome;
    let recording = Recording {
        raddle_recording: RECORDING_VERSION,
        raddle: env!("CARGO_PKG_VERSION").to_owned(),
        jdk: session.ready().jdk_version.clone(),
        class_path: session.options().class_path.clone(),
        max_steps: Some(arguments.max_steps),
        unplugged: session.options().unplugged.clone(),
        opens: session.options().opens.clone(),
        resets: resets.to_vec(),
        test: None,
        plan: plan.clone(),
        schedule: outcome.schedule.clone(),
        outcome: outcome.clone(),
    };
    let file = arguments.save.join(format!(
        "{}-{number}-{}.json",
        file_stem(&arguments.plan),
        shown.violation.kind
    ));
    std::fs::create_dir_all(&arguments.save).map_err(|error| unwritable(&arguments.save, &error))?;
    recording.write(&file)?;
    // Without control there is nothing to repeat.
    let repeated = match (arguments.scheduler, session.replay(&recording)) {
        (Config::Stress, _) => None,
        (_, Ok(replayed)) => {
            let is_same = replayed.outcome.is_same_run(outcome);
            if is_same && let Some(why) = veto(plan.threads.len(), shown.violation.kind, &replayed.events) {
                let seen = with_names(plan, &shown.violation.summary);
                return Ok(Err(format!("seen but not counted ({why}): {seen}")));
            }
            Some(is_same)
        }
        (_, Err(SessionError::Died(_))) => Some(false),
        (_, Err(error)) => return Err(error.into()),
    };
    Ok(Ok(Finding {
        kind: shown.violation.kind,
        sentence: with_names(&recording.plan, &shown.violation.summary),
        outcome: outcome.clone(),
        count: shown.count,
        index: Some(shown.by.index),
        file: Some(file),
        repeated,
    }))
}

fn file_stem(path: &Path) -> String {
    path.file_stem()
        .map_or_else(|| "plan".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::bad_input(vec![format!(
        "cannot write to {}: {error}; choose another directory with --save",
        path.display()
    )])
}

/// Which probes were not caught.
fn probe(session: &mut Session) -> Result<Vec<String>, Failure> {
    let report = session.probe()?;
    Ok(report
        .missed
        .into_iter()
        .map(|missed| format!("a test that is known to fail did not: {missed}"))
        .collect())
}

/// What was not run or could not be seen, as sentences.
pub(crate) fn gaps_of(plan: &TestPlan, exploration: &Exploration) -> Vec<String> {
    let mut gaps: Vec<String> = exploration.deaths.iter().map(ToString::to_string).collect();
    gaps.dedup();
    // They mostly died of the same; the last one is known best, because it was watched most closely.
    if let (Some(gap), Some(death)) = (gaps.last_mut(), exploration.deaths.last())
        && !death.evidence.is_empty()
    {
        let lines: Vec<&str> = death.evidence.lines().take(EVIDENCE_LINES).collect();
        *gap = format!("{gap}\n{}", lines.join("\n"));
    }
    gaps.extend(exploration.not_explored.clone());
    gaps.extend(blind_spots(plan, &exploration.left_alone, &exploration.unseen));
    match exploration.stop {
        Some(Stop::Cancelled) => gaps.push("the run was ended by ^C before all was done".to_owned()),
        Some(Stop::Outcomes) => gaps.push(format!(
            "there are more than {} different outcomes, so the results vary by themselves",
            exploration.outcomes.len().saturating_sub(1)
        )),
        _ => {}
    }
    gaps
}

fn notes(mut notes: Vec<String>, exploration: &Exploration) -> Vec<String> {
    notes.extend(exploration.not_reset.iter().cloned());
    if exploration.printed > 0 {
        notes.push(format!(
            "the tests printed {} bytes, which are not shown",
            exploration.printed
        ));
    }
    notes
}

pub(crate) fn rates(exploration: &Exploration) -> Rates {
    let progress = exploration.progress;
    Rates {
        schedules: progress.schedules,
        steps: progress.steps,
        switches: progress.switches,
        outcomes: progress.outcomes,
        time: Duration::from_millis(progress.milliseconds),
    }
}

/// What was run completely.
fn covered(scheduler: Config, exploration: &Exploration) -> Option<String> {
    let claim = exploration.claim.as_ref().filter(|claim| claim.complete)?;
    let which = match scheduler {
        Config::Bounded { preemptions: 1 } => "all interleavings with at most 1 preemption".to_owned(),
        Config::Bounded { preemptions } => {
            format!("all interleavings with at most {preemptions} preemptions")
        }
        Config::Dpor => "all interleavings, up to equivalence".to_owned(),
        _ => return None,
    };
    Some(format!("{which} ({})", claim.interleavings))
}
