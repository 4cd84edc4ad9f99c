//! The bytes that go to the runtime's Java half and come back: a batch of orders, and what came of them.
//!
//! Numbers are big-endian, texts are UTF-8 after their length. `java/java/lang/RaddleEngine.java` and
//! `java/java/lang/RaddleReport.java` are the other side.

use raddle_plan::{
    Blocked, CallOutcome, CallResult, Caller, Clock, End, Event, EventKind, Frame, Held, Order, Outcome,
    Place, Run, Schedule, Step, Switch, Target, ThreadEnd, ThreadState, Touch, TouchKind, Uncaught,
};

use crate::protocol::{Alone, Link, Meetings};
use crate::serve::{Batch, BatchOptions, Reported};

/// Changes with every change of the format.
const VERSION: u8 = 5;

/// What the answer does not say itself.
pub(crate) struct Context<'a> {
    /// The thread of every call of the plan.
    pub(crate) calls: &'a [u32],
    pub(crate) options: BatchOptions,
    /// What is known of a place in rewritten code.
    pub(crate) site: &'a dyn Fn(i32) -> Option<SiteFacts>,
    /// The lines through which a thread came to where it is, by their number in this batch.
    pub(crate) callers: &'a dyn Fn(i32) -> Vec<Caller>,
}

/// A place, and what the instruction there is about.
pub(crate) struct SiteFacts {
    pub(crate) place: Place,
    pub(crate) target: Option<Target>,
}

/// A request for a batch. `has_lasting` says that there are classes whose static state is made anew by loading them again, once
/// they have any.
pub(crate) fn request(options: BatchOptions, has_lasting: bool, orders: &[Order]) -> Vec<u8> {
    let mut out = Output(vec![VERSION]);
    let flags = [
        options.record_steps,
        options.trace,
        options.report_all,
        options.isolate,
        options.mark_shared,
        options.record_touches,
        has_lasting,
        options.callers,
    ];
    out.int(
        flags
            .into_iter()
            .rev()
            .fold(0, |bits, flag| bits << 1 | i32::from(flag)),
    );
    out.count(options.max_steps);
    out.length(orders.len());
    for order in orders {
        match order {
            Order::Tape(switches) => {
                out.0.push(0);
                out.length(switches.len());
                for switch in switches {
                    out.count(switch.step);
                    out.count(switch.thread);
                }
            }
            Order::Random { seed } => out.seeded(1, *seed),
            Order::Pct { priorities, changes } => {
                out.0.push(2);
                out.length(priorities.len());
                for priority in priorities {
                    out.int(*priority);
                }
                out.length(changes.len());
                for change in changes {
                    out.count(*change);
                }
            }
            Order::Pos { seed } => out.seeded(3, *seed),
            Order::Stress { seed } => out.seeded(4, *seed),
            Order::Serial { choices, clock } => {
                out.0.push(5);
                out.0.push(match clock {
                    Clock::Ticking => 0,
                    Clock::Faster => 1,
                    Clock::Standing => 2,
                });
                out.length(choices.len());
                for choice in choices {
                    out.int(i32::from(*choice));
                }
            }
        }
    }
    out.0
}

struct Output(Vec<u8>);

impl Output {
    fn int(&mut self, value: i32) {
        self.0.extend(value.to_be_bytes());
    }

    /// Java's integers have a sign; nothing that is counted comes near their end.
    fn count(&mut self, value: u32) {
        self.int(i32::try_from(value).unwrap_or(i32::MAX));
    }

    fn length(&mut self, value: usize) {
        self.int(i32::try_from(value).unwrap_or(i32::MAX));
    }

    fn seeded(&mut self, kind: u8, seed: u64) {
        self.0.push(kind);
        self.0.extend(seed.to_be_bytes());
    }
}

/// What is wrong with an answer, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem} at byte {position}")]
pub(crate) struct WireError {
    problem: &'static str,
    position: usize,
}

type Result<T> = std::result::Result<T, WireError>;

/// Reads an answer.
pub(crate) fn answer(bytes: &[u8], context: &Context<'_>) -> Result<Batch> {
    let mut input = Input { bytes, position: 0 };
    let mut report = Batch::default();
    for _ in 0..input.length()? {
        let reported = reported(&mut input, context, &mut report.broken)?;
        report.reported.push(reported);
    }
    for _ in 0..input.length()? {
        report.counts.push((input.long()?, u64::from(input.count()?)));
    }
    report.steps = input.long()?;
    report.switches = input.long()?;
    if input.byte()? != 0 && report.broken.is_none() {
        report.broken = Some(String::from(
            "a thread of an earlier run could not be brought to its end",
        ));
    }
    report.not_reset = input.list(Input::text)?;
    let unseen = input.list(|input| input.place(context))?;
    report.asks_time = input.byte()? != 0;
    report.unseen = unseen.into_iter().flatten().map(unseen_text).collect();
    report.meetings = meetings(&mut input)?;
    if input.position != bytes.len() {
        return Err(input.problem("more bytes than expected"));
    }
    Ok(report)
}

fn meetings(input: &mut Input<'_>) -> Result<Meetings> {
    Ok(Meetings {
        overlaps: input.list(|input| Ok((input.count()?, input.count()?)))?,
        is_blurred: input.byte()? != 0,
        kinds: input.list(|input| input.list(Input::text))?,
        handed_out: input.list(Input::text)?,
        reached: input.list(Input::count)?,
    })
}

fn reported(input: &mut Input<'_>, context: &Context<'_>, broken: &mut Option<String>) -> Result<Reported> {
    let index = input.count()? as usize;
    let digest = input.long()?;
    let trace_hash = input.long()?;
    let steps = input.count()?;
    let kind = input.byte()?;
    let detail = input.text()?;
    let end = match kind {
        0 => End::Completed,
        1 => End::Stuck,
        2 => End::StepBound,
        3 => End::Exit(detail),
        4 => End::Diverged(detail),
        5 => End::PrefixThrew,
        6 => {
            broken.get_or_insert_with(|| String::from("a thread could not be brought to its end"));
            End::Unsupported(String::from("a thread that does not stop"))
        }
        7 => End::Unsupported(detail),
        _ => return Err(input.problem("an unknown end")),
    };
    let switches = input.list(|input| {
        Ok(Switch {
            step: input.count()?,
            thread: input.count()?,
        })
    })?;
    let mut position = 0;
    let calls = input.list(|input| {
        let thread = context.calls.get(position).copied().unwrap_or(0);
        position += 1;
        Ok(CallOutcome {
            thread,
            result: call(input)?,
        })
    })?;
    let uncaught = input.list(uncaught)?;
    let threads = input.list(|input| thread(input, context))?;
    let mut points = if context.options.record_steps {
        input.list(|input| Ok(step(input.long()?)))?
    } else {
        Vec::new()
    };
    let mut blocked = None;
    if context.options.record_touches {
        for point in &mut points {
            point.touch = Some(touch(input)?);
        }
        if input.byte()? != 0 {
            blocked = Some(input.list(|input| {
                Ok(Blocked {
                    thread: input.byte()?,
                    touch: touch(input)?,
                })
            })?);
        }
    }
    let (events, links, alone) = if context.options.trace {
        let events = input.list(|input| event(input, context))?;
        let links = input.list(link)?;
        let alone = Alone {
            contexts: input.list(Input::long)?,
            states: input.list(|input| input.list(Input::long))?,
        };
        (events, links, alone)
    } else {
        (Vec::new(), Vec::new(), Alone::default())
    };
    Ok(Reported {
        index,
        outcome: Outcome {
            digest,
            trace_hash,
            steps,
            schedule: Schedule { switches },
            end,
            calls,
            uncaught,
            threads,
        },
        run: Run {
            length: steps,
            steps: points,
            blocked,
        },
        events,
        links,
        alone,
    })
}

fn call(input: &mut Input<'_>) -> Result<CallResult> {
    let state = input.byte()?;
    let text = input.text()?;
    let message = input.text()?;
    let frames = input.list(|input| input.text().map(Frame))?;
    match state {
        0 => Ok(CallResult::NotBegun),
        1 => Ok(CallResult::Unfinished),
        2 => Ok(CallResult::Returned(text)),
        3 => Ok(CallResult::Threw {
            class: text,
            message,
            frames,
        }),
        _ => Err(input.problem("an unknown state of a call")),
    }
}

fn uncaught(input: &mut Input<'_>) -> Result<Uncaught> {
    Ok(Uncaught {
        thread: input.text()?,
        call: usize::try_from(input.int()?).ok(),
        class: input.text()?,
        message: input.text()?,
        frames: input.list(|input| input.text().map(Frame))?,
    })
}

fn thread(input: &mut Input<'_>, context: &Context<'_>) -> Result<ThreadEnd> {
    Ok(ThreadEnd {
        name: input.text()?,
        state: match input.byte()? {
            0 => ThreadState::Finished,
            1 => ThreadState::Runnable,
            2 => ThreadState::Blocked,
            3 => ThreadState::Waiting,
            4 => ThreadState::Parked,
            5 => ThreadState::Joining,
            6 => ThreadState::Sleeping,
            7 => ThreadState::Other,
            8 => ThreadState::WaitingNeedlessly,
            _ => return Err(input.problem("an unknown state of a thread")),
        },
        place: input.place(context)?.map(|facts| facts.place),
        callers: input.callers(context)?,
        wants: input.some_text()?,
        holds: input.list(|input| {
            Ok(Held {
                lock: input.text()?,
                place: input.place(context)?.map(|facts| facts.place),
            })
        })?,
    })
}

fn step(record: u64) -> Step {
    Step {
        enabled: record & 0xffff_ffff_ffff,
        chosen: (record >> 48) as u8,
        could_stay: record >> 56 & 1 != 0,
        boundary: record >> 57 & 1 != 0,
        yielded: record >> 58 & 1 != 0,
        shared: record >> 59 & 1 != 0,
        touch: None,
    }
}

/// What can be done to what is touched, numbered as in `java/java/lang/RaddleAccessSets.java`.
const TOUCHES: [TouchKind; 12] = [
    TouchKind::Read,
    TouchKind::Write,
    TouchKind::Lock,
    TouchKind::Unlock,
    TouchKind::Wait,
    TouchKind::Notify,
    TouchKind::Park,
    TouchKind::Unpark,
    TouchKind::Spawn,
    TouchKind::Join,
    TouchKind::Local,
    TouchKind::Unknown,
];

fn touch(input: &mut Input<'_>) -> Result<Touch> {
    let kind = TOUCHES
        .get(usize::from(input.byte()?))
        .copied()
        .ok_or_else(|| input.problem("an unknown touch"))?;
    Ok(Touch::new(kind, input.long()?))
}

/// A call of what may touch anything, as people read it.
fn unseen_text(facts: SiteFacts) -> String {
    let called = facts
        .target
        .map(|target| format!("{}.{}", target.owner(), target.name()));
    let Place { class, method, .. } = facts.place;
    format!("{} in {class}.{method}", called.unwrap_or_default())
}

fn event(input: &mut Input<'_>, context: &Context<'_>) -> Result<Event> {
    let thread = u32::from(input.byte()?);
    let operation = input.byte()?;
    // Numbered as in `java/java/lang/RaddleThread.java`.
    let kind = EventKind::ALL
        .get(usize::from(operation))
        .copied()
        .ok_or_else(|| input.problem("an unknown operation"))?;
    let facts = input.place(context)?;
    let (place, target) = facts.map_or((None, None), |facts| (Some(facts.place), facts.target));
    let callers = input.callers(context)?;
    let object = input.count()?;
    let index = input.int()?;
    Ok(Event {
        thread,
        callers: if place.is_some() { callers } else { Vec::new() },
        place,
        kind,
        target,
        object,
        index: (index >= 0).then_some(index),
        name: input.some_text()?,
        value: input.some_text()?,
    })
}

fn link(input: &mut Input<'_>) -> Result<Link> {
    let (owner, owner_name) = (input.count()?, input.text()?);
    let field = input.text()?;
    let (class, field) = field
        .rsplit_once('.')
        .ok_or_else(|| input.problem("a field without its class"))?;
    Ok(Link {
        owner,
        owner_name,
        class: class.to_owned(),
        field: field.to_owned(),
        value: input.count()?,
        name: input.text()?,
    })
}

struct Input<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Input<'a> {
    fn problem(&self, problem: &'static str) -> WireError {
        WireError {
            problem,
            position: self.position,
        }
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let rest = self.bytes.get(self.position..).unwrap_or_default();
        let taken = rest.get(..length).ok_or_else(|| self.problem("too few bytes"))?;
        self.position += length;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let taken = self.take(N)?;
        taken.try_into().map_err(|_| self.problem("too few bytes"))
    }

    fn byte(&mut self) -> Result<u8> {
        self.array().map(|[byte]| byte)
    }

    fn int(&mut self) -> Result<i32> {
        self.array().map(i32::from_be_bytes)
    }

    fn long(&mut self) -> Result<u64> {
        self.array().map(u64::from_be_bytes)
    }

    fn count(&mut self) -> Result<u32> {
        let value = self.int()?;
        u32::try_from(value).map_err(|_| self.problem("a negative number"))
    }

    /// The number of things that follow. Each has a byte at least, so more than there are bytes is wrong.
    fn length(&mut self) -> Result<usize> {
        let length = self.count()? as usize;
        if length > self.bytes.len().saturating_sub(self.position) {
            return Err(self.problem("a length beyond the end"));
        }
        Ok(length)
    }

    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        // Room is made as things come, since a wrong length could ask for far more than there is.
        let mut list = Vec::new();
        for _ in 0..self.length()? {
            list.push(read(self)?);
        }
        Ok(list)
    }

    fn text(&mut self) -> Result<String> {
        let length = self.length()?;
        Ok(String::from_utf8_lossy(self.take(length)?).into_owned())
    }

    /// None for an empty text.
    fn some_text(&mut self) -> Result<Option<String>> {
        self.text().map(|text| (!text.is_empty()).then_some(text))
    }

    /// None for site 0 and for one that is not known.
    fn place(&mut self, context: &Context<'_>) -> Result<Option<SiteFacts>> {
        self.int().map(|id| (context.site)(id))
    }

    fn callers(&mut self, context: &Context<'_>) -> Result<Vec<Caller>> {
        self.int().map(|id| (context.callers)(id))
    }
}

#[cfg(test)]
mod tests;
