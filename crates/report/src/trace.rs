//! The file `trace.json`: what the threads of a finding did, step by step, for reports and other programs;
//! `docs/raddle-out.md` describes it.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use raddle_campaign::Finding;
use raddle_classpath::SourceFiles;
use raddle_plan::plain::plain_value;
use raddle_plan::{Event, EventKind, ThreadState};
use serde::{Deserialize, Serialize};

use crate::bounded;
use crate::excerpt::line_of;
use crate::interleaving::{event_text, noticed, value_text};
use crate::location::Location;
use crate::own_line::Owners;
use raddle_plan::plan_text::with_names;

/// Changes its number whenever a reader of the old file would misread the new one.
const VERSION: u32 = 1;
/// Steps that are kept of the beginning and of the end: a run that comes to no end has thousands that look alike.
const HEAD: usize = 450;
const TAIL: usize = 150;

/// What the threads of a run did, as far as other threads could notice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Trace {
    #[serde(rename = "raddle_trace")]
    version: u32,
    /// Names of the threads; the first prepares and looks at the result.
    pub(crate) threads: Vec<String>,
    /// In the order in which they happened.
    pub(crate) steps: Vec<Step>,
    /// Steps in the middle that are not in the list.
    #[serde(default)]
    pub(crate) left_out: usize,
}

/// A step of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) thread: u32,
    /// None for where a thread is left waiting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<EventKind>,
    /// The step in words.
    pub(crate) text: String,
    /// What was read or written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<String>,
    /// The line of the class under test, if the thread is in or below one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) location: Option<Location>,
    /// What the line is in the middle of, if the step is in code that it calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) below: Option<String>,
    /// The text of that line, if there are sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<String>,
    /// Monitors that the thread holds after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) held: Vec<String>,
}

impl Trace {
    /// Of a finding that was just made; of one from before a hunt was resumed there is nothing to be had but the file.
    pub(crate) fn of(finding: &Finding) -> Trace {
        let plan = &finding.recording.plan;
        let outcome = &finding.recording.outcome;
        let noticed = noticed(outcome, &finding.events);
        let mut wanted = noticed.into_iter().peekable();
        let owners = Owners::of(plan);
        let mut held = HeldLocks::default();
        let mut steps = Vec::new();
        for event in &finding.events {
            let text = event_text(plan, event);
            held.take(event, &text);
            let is_next = wanted.peek().is_some_and(|next| std::ptr::eq(*next, event));
            if !is_next {
                continue;
            }
            wanted.next();
            let line = owners.line(event);
            steps.push(Step {
                thread: event.thread,
                kind: Some(event.kind),
                text,
                value: event.value.as_ref().map(|value| value_text(plan, event, value)),
                location: line.as_ref().map(|line| line.location.clone()),
                below: line.and_then(|line| line.below),
                source: None,
                held: held.of(event.thread),
            });
        }
        for (thread, end) in (0..).zip(&outcome.threads).skip(1) {
            let wants = end
                .wants
                .as_deref()
                .filter(|_| end.state != ThreadState::Finished);
            if let Some(wants) = wants {
                let named = |object: &str| plain_value(&with_names(plan, object)).to_owned();
                let held = end.holds.iter().map(|held| named(&held.lock));
                steps.push(Step {
                    thread,
                    kind: None,
                    text: format!("waits for {}", named(wants)),
                    value: None,
                    location: owners.end(end).map(|line| line.location),
                    below: None,
                    source: None,
                    held: held.collect(),
                });
            }
        }
        let left_out = steps.len().saturating_sub(HEAD + TAIL);
        if left_out > 0 {
            steps.drain(HEAD..HEAD + left_out);
        }
        Trace {
            version: VERSION,
            threads: outcome.threads.iter().map(|thread| thread.name.clone()).collect(),
            steps,
            left_out,
        }
    }

    /// With the text of the lines.
    pub(crate) fn with_sources(mut self, sources: &SourceFiles) -> Trace {
        for step in &mut self.steps {
            let text = step
                .location
                .as_ref()
                .and_then(|location| line_of(sources, location));
            step.source = text.map(|text| text.trim().to_owned());
        }
        self
    }

    /// The file's text.
    pub(crate) fn to_json(&self) -> serde_json::Result<String> {
        let mut text = serde_json::to_string(self)?;
        text.push('\n');
        Ok(text)
    }

    /// Reads the file; none if there is none, as in folders of older versions.
    pub(crate) fn read(path: &Path) -> io::Result<Option<Trace>> {
        let text = match bounded::read_text(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let trace: Trace = serde_json::from_str(&text)?;
        Ok(Some(trace).filter(|trace| trace.version == VERSION))
    }
}

/// The monitors that threads hold, followed through a run.
#[derive(Default)]
struct HeldLocks {
    /// By thread, in the order in which they were taken.
    by_thread: BTreeMap<u32, Vec<HeldLock>>,
}

struct HeldLock {
    object: u32,
    name: String,
    /// How often it was entered and not left.
    depth: u32,
    /// Given up until somebody notifies.
    is_waited_on: bool,
}

impl HeldLocks {
    fn take(&mut self, event: &Event, text: &str) {
        let locks = self.by_thread.entry(event.thread).or_default();
        let at = locks.iter().position(|lock| lock.object == event.object);
        match (event.kind, at) {
            (EventKind::Enter, Some(at)) => locks[at].depth += 1,
            (EventKind::Enter, None) => locks.push(HeldLock {
                object: event.object,
                name: text.split_once(' ').map_or(text, |(_, name)| name).to_owned(),
                depth: 1,
                is_waited_on: false,
            }),
            (EventKind::Exit, Some(at)) => {
                locks[at].depth -= 1;
                if locks[at].depth == 0 {
                    locks.remove(at);
                }
            }
            (EventKind::Wait, Some(at)) => locks[at].is_waited_on = true,
            (EventKind::Woken, Some(at)) => locks[at].is_waited_on = false,
            _ => {}
        }
    }

    fn of(&self, thread: u32) -> Vec<String> {
        let locks = self.by_thread.get(&thread).into_iter().flatten();
        let held = locks.filter(|lock| !lock.is_waited_on);
        held.map(|lock| lock.name.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt_sample;

    #[test]
    fn a_trace_has_the_steps_that_others_notice_with_their_lines_and_values() {
        let trace = Trace::of(&hunt_sample::wrong_result());
        let texts: Vec<(u32, &str)> = trace
            .steps
            .iter()
            .map(|step| (step.thread, step.text.as_str()))
            .collect();
        assert_eq!(
            texts[..4],
            [
                (1, "call list.add(\"a\")"),
                (1, "read ArrayList#1.size = 0"),
                (2, "call list.add(\"b\")"),
                (2, "read ArrayList#1.size = 0"),
            ]
        );
        let read = &trace.steps[1];
        assert_eq!(read.value.as_deref(), Some("0"));
        assert_eq!(read.location.as_ref().unwrap().file, "java/util/ArrayList.java");
        let again: Trace = serde_json::from_str(&trace.to_json().unwrap()).unwrap();
        assert_eq!(again, trace);
    }

    #[test]
    fn threads_that_wait_in_the_end_have_a_last_step() {
        let trace = Trace::of(&hunt_sample::deadlock());
        let last = trace.steps.last().unwrap();
        assert_eq!((last.thread, last.kind), (2, None));
        assert_eq!(last.text, "waits for java.util.Hashtable#1");
        assert_eq!(last.held, ["java.util.Hashtable#2"]);
    }

    #[test]
    fn monitors_are_held_from_their_first_entering_to_their_last_leaving() {
        let event = |thread: u32, kind: EventKind| Event {
            thread,
            kind,
            object: 4,
            ..hunt_sample::wrong_result().events[0].clone()
        };
        let mut held = HeldLocks::default();
        let mut step = |thread: u32, kind: EventKind| {
            held.take(&event(thread, kind), &format!("{kind} map"));
            (held.of(1).len(), held.of(2).len())
        };
        assert_eq!(step(1, EventKind::Enter), (1, 0));
        assert_eq!(step(1, EventKind::Enter), (1, 0));
        assert_eq!(step(1, EventKind::Exit), (1, 0));
        assert_eq!(step(1, EventKind::Wait), (0, 0));
        assert_eq!(step(2, EventKind::Enter), (0, 1));
        assert_eq!(step(2, EventKind::Exit), (0, 0));
        assert_eq!(step(1, EventKind::Woken), (1, 0));
        assert_eq!(step(1, EventKind::Exit), (0, 0));
    }

    #[test]
    fn the_middle_of_an_endless_run_is_left_out() {
        let mut finding = hunt_sample::wrong_result();
        let event = finding.events[4].clone();
        finding.events.extend(vec![event; 1000]);
        let trace = Trace::of(&finding);
        assert_eq!(trace.steps.len(), HEAD + TAIL);
        assert!(trace.left_out > 400, "{}", trace.left_out);
    }
}
