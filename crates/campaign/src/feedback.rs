//! What a strategy hears of its candidate.

use std::fmt::Write;

use raddle_execute::Exploration;
use raddle_generate::Feedback;
use raddle_plan::{CallResult, End, Outcome, Part, TestPlan};

use crate::pairs::Methods;
use crate::traces::OVERFLOW;

/// What a cast throws, and what its message has before the name of the class: JVM specification, `checkcast`, as the JVM words it.
const WRONG_CLASS: &str = "java.lang.ClassCastException";
const CAST_TO: &str = " cannot be cast to class ";
/// Of an exception's message, what is told.
const LONGEST_MESSAGE: usize = 300;

/// From an exploration that could be done. Whether there was a violation is for others to say.
pub(crate) fn of(plan: &TestPlan, exploration: &Exploration, methods: &Methods, is_stress: bool) -> Feedback {
    let runs: Vec<&Outcome> = exploration
        .baseline
        .iter()
        .flat_map(|(one, other)| [one, other])
        .collect();
    let mut feedback = Feedback::default();
    for (id, part, _) in plan.calls() {
        let number = id.0 as usize;
        let Some(class) = always_thrown(&runs, number) else {
            continue;
        };
        feedback
            .wanted
            .extend(wanted(&runs, number).map(|wanted| (number, wanted)));
        match part {
            Part::Prefix => {
                feedback.prefix_threw.get_or_insert((number, class));
            }
            Part::Thread(_) => feedback.always_throws.push((number, class)),
            Part::After => {}
        }
    }
    feedback.covered = if is_stress && overlap(exploration) {
        methods.overlapping(plan).into_iter().collect()
    } else {
        methods.overlapped(plan, &exploration.meetings.overlaps)
    };
    feedback
}

/// Why the threads never ran: what the calls that prepare the objects threw, as a part of a sentence.
pub(crate) fn unprepared(exploration: &Exploration) -> Option<String> {
    let runs = exploration.baseline.iter().map(|(run, _)| run);
    let run = runs.into_iter().find(|run| run.end == End::PrefixThrew)?;
    let thrown = run.calls.iter().find_map(|call| match &call.result {
        CallResult::Threw { class, message, .. } => Some((class, message)),
        _ => None,
    });
    let (class, message) = thrown?;
    let words: Vec<&str> = message.split_whitespace().collect();
    let mut text = format!("the calls that prepare the objects threw {class}");
    if !words.is_empty() {
        let message: String = words.join(" ").chars().take(LONGEST_MESSAGE).collect();
        let _ = write!(text, ": {message}");
    }
    Some(text)
}

/// What a call throws in every sequential order. One that does not end counts as one that overflows the stack: which of
/// them comes first, the end of the steps or that of the stack, depends on what the JVM has compiled by then.
fn always_thrown(runs: &[&Outcome], call: usize) -> Option<String> {
    let mut thrown = runs.iter().filter_map(|run| {
        let is_endless = run.end == End::StepBound;
        match run.calls.get(call).map(|call| &call.result) {
            Some(CallResult::Threw { class, .. }) => Some(Some(class.as_str())),
            Some(CallResult::Unfinished) if is_endless => Some(Some(OVERFLOW)),
            // The call before it did not end.
            Some(CallResult::NotBegun) if is_endless => None,
            _ => Some(None),
        }
    });
    let first = thrown.next()??;
    thrown.all(|class| class == Some(first)).then(|| first.to_owned())
}

/// The class to which something could not be cast in a call, if that is what it threw. A type argument that is only known further up is
/// told nowhere else.
fn wanted(runs: &[&Outcome], call: usize) -> Option<String> {
    let thrown = runs
        .iter()
        .find_map(|run| match run.calls.get(call).map(|call| &call.result) {
            Some(CallResult::Threw { class, message, .. }) => Some((class, message)),
            _ => None,
        });
    let (_, message) = thrown.filter(|(class, _)| *class == WRONG_CLASS)?;
    let (_, wanted) = message.split_once(CAST_TO)?;
    let name = wanted.split([' ', '(']).next()?;
    (!name.is_empty()).then(|| name.to_owned())
}

/// Whether uncontrolled threads may have been in their calls at the same time, of which nobody can tell.
fn overlap(exploration: &Exploration) -> bool {
    let has_run = exploration
        .baseline
        .iter()
        .any(|(run, _)| run.end != End::PrefixThrew);
    has_run && exploration.progress.schedules as usize > exploration.baseline.len()
}
