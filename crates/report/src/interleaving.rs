//! What the threads of one run did, one column per thread.

use std::collections::BTreeMap;
use std::fmt::Write;

use raddle_plan::plain::{lines, one_line};
use raddle_plan::{Call, CallResult, Event, EventKind, Outcome, Target, TestPlan, ThreadState};

use crate::plan_text::{
    call_text, cut, result_text, shorten, shorten_source, simple_name, source_text, with_names,
};

/// Narrower columns cannot hold an event: then all threads share one, with their numbers in front.
const NARROWEST: usize = 34;
const GAP: usize = 2;

/// What to show, and how wide.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct InterleavingOptions {
    /// Everything that the threads did, and not only what other threads could notice.
    pub all: bool,
    /// Columns of the terminal.
    pub width: usize,
}

/// What the threads of one run did, in order, and what came of the plan's calls.
pub fn interleaving(
    plan: &TestPlan,
    outcome: &Outcome,
    events: &[Event],
    options: InterleavingOptions,
) -> String {
    let mut text = steps(plan, outcome, events, options);
    text.push('\n');
    text.push_str(&results(plan, outcome));
    lines(&text).into_owned()
}

/// What the threads of one run did, in order.
pub(crate) fn steps(
    plan: &TestPlan,
    outcome: &Outcome,
    events: &[Event],
    options: InterleavingOptions,
) -> String {
    let threads = events.iter().map(|event| event.thread).max().unwrap_or(0);
    let shown: Vec<&Event> = if options.all {
        events.iter().collect()
    } else {
        noticed(outcome, events)
    };
    let first = u32::from(!shown.iter().any(|event| event.thread == 0));
    let columns = Columns::new(first, threads, options.width);
    let mut text = columns.heading(outcome);
    let mut last = None;
    for event in &shown {
        // A line between two threads, because that is where the scheduler had its say.
        if last.is_some_and(|last| last != event.thread) {
            text.push('\n');
        }
        last = Some(event.thread);
        columns.write(
            &mut text,
            event.thread,
            &one_line(&event_text(plan, event)),
            &place(event),
        );
    }
    for (thread, end) in (0..).zip(&outcome.threads).skip(1) {
        if let Some(wants) = end
            .wants
            .as_deref()
            .filter(|_| end.state != ThreadState::Finished)
        {
            let text_of_end = format!("waits for {}", one_line(&with_names(plan, wants)));
            text.push('\n');
            let place = end.place.as_ref().map(source_text).unwrap_or_default();
            columns.write(&mut text, thread, &text_of_end, &place);
        }
    }
    let hidden = events.len() - shown.len();
    if hidden > 0 {
        let _ = writeln!(
            text,
            "\n{hidden} steps that no other thread could notice are not shown; --all shows them."
        );
    }
    text
}

/// The events that other threads could notice, and those with which they were left waiting.
pub(crate) fn noticed<'e>(outcome: &Outcome, events: &'e [Event]) -> Vec<&'e Event> {
    let shared = Shared::of(events);
    let is_noticed = |at: usize, event: &Event| {
        event.thread > 0 && (shared.shows(event, &events[at + 1..]) || takes_held_lock(outcome, event))
    };
    let numbered = events.iter().enumerate();
    let noticed = numbered.filter(|(at, event)| is_noticed(*at, event));
    noticed.map(|(_, event)| event).collect()
}

/// Whether a lock is taken that the thread still held when the run was stuck: others wait for those.
fn takes_held_lock(outcome: &Outcome, event: &Event) -> bool {
    let thread = outcome.threads.get(event.thread as usize);
    event.kind == EventKind::Enter
        && thread.is_some_and(|thread| {
            thread.state != ThreadState::Finished && thread.holds.iter().any(|held| held.place == event.place)
        })
}

/// The calls of the plan with what came of them.
pub(crate) fn results(plan: &TestPlan, outcome: &Outcome) -> String {
    let rows: Vec<(String, String, String)> = plan
        .calls()
        .zip(&outcome.calls)
        .map(|((_, part, call), result)| {
            (
                part.to_string(),
                call_text(call),
                // A void method has nothing to show.
                match &result.result {
                    CallResult::Returned(_) if call.result_descriptor().is_none() => {
                        "returned normally".to_owned()
                    }
                    result => with_names(plan, &result_text(result)),
                },
            )
        })
        .collect();
    let parts = rows.iter().map(|(part, ..)| part.len()).max().unwrap_or(0);
    let calls = rows
        .iter()
        .map(|(_, call, _)| call.chars().count())
        .max()
        .unwrap_or(0)
        .min(60);
    let mut text = String::new();
    let mut before = "";
    for (part, call, result) in &rows {
        let shown = if part == before { "" } else { part };
        before = part;
        let _ = writeln!(text, "  {shown:<parts$}  {call:<calls$}  {result}");
    }
    text
}

/// Object, member and index.
type Location<'e> = (u32, Option<&'e Target>, Option<i32>);

/// Which places more than one thread came to.
struct Shared<'e> {
    /// The threads, and whether one of them wrote.
    places: BTreeMap<Location<'e>, (u64, bool)>,
    /// By object: the threads that used it as a lock or condition.
    monitors: BTreeMap<u32, u64>,
}

impl<'e> Shared<'e> {
    fn of(events: &'e [Event]) -> Shared<'e> {
        let mut shared = Shared {
            places: BTreeMap::new(),
            monitors: BTreeMap::new(),
        };
        // What the prefix does comes before everything, and is noticed by all in the same way.
        for event in events.iter().filter(|event| event.thread > 0) {
            let bit = 1_u64.checked_shl(event.thread).unwrap_or(1 << 63);
            if event.kind.is_access() {
                let entry = shared.places.entry(key(event)).or_default();
                entry.0 |= bit;
                entry.1 |= event.kind != EventKind::Read;
            } else {
                *shared.monitors.entry(event.object).or_default() |= bit;
            }
        }
        shared
    }

    /// `later` are the events after it.
    fn shows(&self, event: &Event, later: &[Event]) -> bool {
        if event.kind.is_access() {
            return self
                .places
                .get(&key(event))
                .is_some_and(|(threads, is_written)| threads.count_ones() > 1 && *is_written);
        }
        match event.kind {
            EventKind::Loop | EventKind::Yield | EventKind::End => false,
            // A thread's first call may have no event of its own.
            EventKind::Begin => later
                .iter()
                .find(|other| other.thread == event.thread)
                .is_none_or(|next| next.kind != EventKind::Call),
            EventKind::Enter | EventKind::Exit => self
                .monitors
                .get(&event.object)
                .is_some_and(|threads| threads.count_ones() > 1),
            _ => true,
        }
    }
}

fn key(event: &Event) -> Location<'_> {
    (event.object, event.target.as_ref(), event.index)
}

pub(crate) fn event_text(plan: &TestPlan, event: &Event) -> String {
    if let Some(call) = called(plan, event) {
        return format!("call {}", call_text(call));
    }
    let mut text = event.kind.to_string();
    let what = what_text(plan, event);
    if !what.is_empty() {
        let _ = write!(text, " {what}");
    }
    if let Some(value) = event.value.as_ref().filter(|_| !is_change(event)) {
        let _ = write!(text, " = {}", cut(&with_names(plan, value)));
    }
    text
}

/// The call of the plan that begins here.
fn called<'p>(plan: &'p TestPlan, event: &Event) -> Option<&'p Call> {
    match event.kind {
        EventKind::Call => {
            let number = usize::try_from(event.index?).ok()?;
            plan.calls().nth(number).map(|(_, _, call)| call)
        }
        EventKind::Begin => plan
            .calls()
            .find(|(_, part, _)| part.thread() == event.thread && event.thread > 0)
            .map(|(_, _, call)| call),
        _ => None,
    }
}

/// Whether the value says what an atomic operation did, and not what it read or wrote.
fn is_change(event: &Event) -> bool {
    event.kind == EventKind::Atomic && event.value.is_some()
}

/// `list.size`, `Node#2.next`, `Object[]#4[0]`, `#7`, `AtomicInteger#1.value 0 → 1`
fn what_text(plan: &TestPlan, event: &Event) -> String {
    let named = event.name.as_deref();
    let index = event
        .index
        .filter(|_| event.kind.is_access())
        .map_or_else(String::new, |index| format!("[{index}]"));
    let target = event.target.as_ref();
    let member = target
        .map(|target| format!(".{}", target.name()))
        .unwrap_or_default();
    let object = match named {
        Some(variable) if variable.starts_with('$') => with_names(plan, variable),
        _ => {
            let class = named
                .or(target.map(Target::owner))
                .map(class_text)
                .unwrap_or_default();
            let number = if event.object == 0 {
                String::new()
            } else {
                format!("#{}", event.object)
            };
            format!("{class}{number}")
        }
    };
    match event.value.as_deref().filter(|_| is_change(event)) {
        Some(unchanged) if event.is_idle() => format!("{object} {unchanged}"),
        Some(change) => format!("{object}.{}", with_names(plan, change)),
        None => format!("{object}{member}{index}"),
    }
}

/// The name without its package; arrays as Java writes them.
fn class_text(name: &str) -> String {
    let element = name.trim_start_matches('[');
    let brackets = "[]".repeat(name.len() - element.len());
    let element = match (brackets.is_empty(), element) {
        (true, element) => simple_name(element),
        (false, "Z") => "boolean",
        (false, "B") => "byte",
        (false, "S") => "short",
        (false, "C") => "char",
        (false, "I") => "int",
        (false, "J") => "long",
        (false, "F") => "float",
        (false, "D") => "double",
        (false, class) => simple_name(class.trim_start_matches('L').trim_end_matches(';')),
    };
    format!("{element}{brackets}")
}

fn place(event: &Event) -> String {
    event.place.as_ref().map(source_text).unwrap_or_default()
}

struct Columns {
    first: u32,
    last: u32,
    /// None if all threads share one column.
    width: Option<usize>,
    total: usize,
}

impl Columns {
    fn new(first: u32, last: u32, total: usize) -> Columns {
        let count = (last.max(first) - first) as usize + 1;
        let width = ((total + GAP) / count).saturating_sub(GAP);
        Columns {
            first,
            last: last.max(first),
            width: (width >= NARROWEST && count > 1).then_some(width),
            total,
        }
    }

    fn heading(&self, outcome: &Outcome) -> String {
        let Some(width) = self.width else {
            return String::new();
        };
        let mut text = String::new();
        for thread in self.first..=self.last {
            let name = match outcome.threads.get(thread as usize) {
                _ if thread == 0 => "prefix and after".to_owned(),
                Some(end) if !end.name.is_empty() => one_line(&end.name).into_owned(),
                _ => format!("thread {thread}"),
            };
            let name = shorten(&name, width);
            if thread == self.last {
                text.push_str(&name);
            } else {
                let _ = write!(text, "{name:<0$}", width + GAP);
            }
        }
        text.push('\n');
        for thread in self.first..=self.last {
            text.push_str(&"-".repeat(width));
            text.push_str(if thread == self.last { "\n" } else { "  " });
        }
        text
    }

    /// The event to the left of its column, its place to the right.
    fn write(&self, text: &mut String, thread: u32, event: &str, place: &str) {
        let (indent, width) = match self.width {
            Some(width) => {
                let column = thread.saturating_sub(self.first) as usize;
                (" ".repeat(column * (width + GAP)), width)
            }
            None => (
                format!("{thread:>3}  "),
                self.total.saturating_sub(5).max(NARROWEST),
            ),
        };
        let place = shorten_source(place, width / 2);
        let room = width.saturating_sub(place.chars().count() + 1);
        let event = shorten(event, room);
        let line = format!("{indent}{event:<room$} {place}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{run_sample, snapshot};

    const OPTIONS: InterleavingOptions = InterleavingOptions {
        all: false,
        width: 100,
    };

    fn text(options: InterleavingOptions) -> String {
        interleaving(
            &run_sample::plan(),
            &run_sample::lost_update(),
            &run_sample::events(),
            options,
        )
    }

    #[test]
    fn a_column_for_each_thread() {
        snapshot::check("interleaving.txt", &text(OPTIONS));
    }

    #[test]
    fn everything_with_the_prefix() {
        snapshot::check(
            "interleaving-all.txt",
            &text(InterleavingOptions { all: true, ..OPTIONS }),
        );
    }

    #[test]
    fn a_narrow_terminal_has_one_column() {
        let narrow = text(InterleavingOptions { width: 60, ..OPTIONS });
        assert!(narrow.contains("\n  2  write ArrayList#1.size = 1"), "{narrow}");
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for line in text(OPTIONS).lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }

    #[test]
    fn objects_are_named_by_variable_or_class() {
        let named = |name: &str, target: Option<&str>| {
            let event = Event {
                name: Some(name.to_owned()),
                target: target.map(|target| target.parse().unwrap()),
                ..run_sample::events()[7].clone()
            };
            what_text(&run_sample::plan(), &event)
        };
        assert_eq!(named("$0", Some("java/util/ArrayList.size:I")), "list.size[0]");
        assert_eq!(named("[Ljava.lang.Object;", None), "Object[]#2[0]");
        assert_eq!(named("[[I", None), "int[][]#2[0]");
    }

    #[test]
    fn the_first_call_of_a_thread_shows_once() {
        let begin = |thread: u32| Event {
            kind: EventKind::Begin,
            ..run_sample::events()[2 + 3 * (thread as usize - 1)].clone()
        };
        let mut events = run_sample::events();
        events.insert(2, begin(1));
        let with_calls = interleaving(&run_sample::plan(), &run_sample::lost_update(), &events, OPTIONS);
        assert_eq!(
            with_calls.matches("call list.add(\"a\")").count(),
            1,
            "{with_calls}"
        );
        events.remove(3);
        let without = interleaving(&run_sample::plan(), &run_sample::lost_update(), &events, OPTIONS);
        assert_eq!(without.matches("call list.add(\"a\")").count(), 1, "{without}");
    }

    #[test]
    fn any_number_of_threads_shares_one_column() {
        for last in [60, 250, u32::MAX] {
            assert_eq!(Columns::new(0, last, 120).width, None, "{last}");
        }
    }

    #[test]
    fn a_run_without_events_shows_its_results() {
        let text = interleaving(&run_sample::plan(), &run_sample::lost_update(), &[], OPTIONS);
        assert!(text.contains("list.size()"), "{text}");
    }
}
