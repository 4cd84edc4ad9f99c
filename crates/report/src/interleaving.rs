//! What the threads of one run did, one column per thread.

use std::collections::BTreeMap;
use std::fmt::Write;

use raddle_plan::plain::{lines, one_line};
use raddle_plan::{Accessed, Call, CallResult, Event, EventKind, Outcome, Target, TestPlan, ThreadState};

use crate::columns::Columns;
use crate::own_line::Owners;
use raddle_plan::plan_text::{call_in, cut, result_text, simple_name, source_text, type_text, with_names};

/// How far in steps below a line are.
const STEP: usize = 2;

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
    let owners = Owners::of(plan);
    let mut text = columns.heading(outcome);
    let mut last = None;
    for run in runs(plan, &owners, &shown, options.all) {
        // A line between two threads, because that is where the scheduler had its say.
        if last.is_some_and(|last| last != run.thread) {
            text.push('\n');
        }
        last = Some(run.thread);
        match &run.below {
            None => {
                for step in &run.steps {
                    columns.write(&mut text, run.thread, 0, &step.text(), &run.source);
                }
            }
            Some(below) => {
                columns.write(&mut text, run.thread, 0, &format!("{below} ›"), &run.source);
                for step in &run.steps {
                    columns.write(&mut text, run.thread, STEP, &step.text(), "");
                }
            }
        }
    }
    for (thread, end) in (0..).zip(&outcome.threads).skip(1) {
        if let Some(wants) = end
            .wants
            .as_deref()
            .filter(|_| end.state != ThreadState::Finished)
        {
            let text_of_end = format!("waits for {}", one_line(&with_names(plan, wants)));
            text.push('\n');
            let place = owners.end(end).map(|line| line.source).unwrap_or_default();
            columns.write(&mut text, thread, 0, &text_of_end, &place);
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

/// Steps of one thread that are shown together: below one line of the class under test, or one step of its own.
struct StepRun {
    thread: u32,
    below: Option<String>,
    source: String,
    steps: Vec<RepeatedStep>,
}

/// A step, and how often it was taken below one line without another thread in between.
struct RepeatedStep {
    what: String,
    times: usize,
}

impl StepRun {
    /// A value that is read and then written is shown as one change.
    fn add(&mut self, step: RepeatedStep) {
        let change = self.steps.last().and_then(|last| changed(&last.what, &step.what));
        if let Some(change) = change
            && let Some(last) = self.steps.last_mut().filter(|last| last.times == 1)
        {
            last.what = change;
            return;
        }
        match self.steps.iter_mut().find(|known| known.what == step.what) {
            Some(known) => known.times += 1,
            None => self.steps.push(step),
        }
    }
}

/// `write list.size = 0 → 1` of a read of 0 and a write of 1.
fn changed(read: &str, write: &str) -> Option<String> {
    let (place, before) = read.strip_prefix("read ")?.split_once(" = ")?;
    let (written, after) = write.strip_prefix("write ")?.split_once(" = ")?;
    (place == written).then(|| format!("write {place} = {before} → {after}"))
}

impl RepeatedStep {
    fn text(&self) -> String {
        match self.times {
            1 => self.what.clone(),
            times => format!("{} ({times} times)", self.what),
        }
    }
}

/// Of what the class under test calls, a run of steps has one line of that class above it; with `all`, every step is at its
/// own place.
fn runs(plan: &TestPlan, owners: &Owners, shown: &[&Event], all: bool) -> Vec<StepRun> {
    let mut runs: Vec<StepRun> = Vec::new();
    for event in shown {
        let what = one_line(&event_text(plan, event)).into_owned();
        let line = owners.line(event).filter(|_| !all);
        let (below, source) = match line {
            Some(line) => (line.below, line.source),
            None => (None, place(event)),
        };
        let step = RepeatedStep { what, times: 1 };
        match runs.last_mut() {
            Some(run)
                if run.thread == event.thread
                    && below.is_some()
                    && run.below == below
                    && run.source == source =>
            {
                run.add(step);
            }
            _ => runs.push(StepRun {
                thread: event.thread,
                below,
                source,
                steps: vec![step],
            }),
        }
    }
    runs
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
                call_in(plan, call),
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

/// Which part of an object, or of the static state of a class, an access is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part<'e> {
    /// All of it, or nobody knows: an atomic operation that changed nothing, or code that is not seen.
    Any,
    Element(i32),
    /// With the class that it is named by, where there is no object.
    Field(&'e str, &'e str),
}

/// What threads did to a part of an object.
#[derive(Copy, Clone, Default)]
struct Touched {
    /// A bit each.
    readers: u64,
    writers: u64,
}

impl Touched {
    fn and(self, other: Touched) -> Touched {
        Touched {
            readers: self.readers | other.readers,
            writers: self.writers | other.writers,
        }
    }

    fn is_conflict(self) -> bool {
        self.writers != 0 && (self.readers | self.writers).count_ones() > 1
    }
}

/// Which places more than one thread came to.
struct Shared<'e> {
    places: BTreeMap<u32, BTreeMap<Part<'e>, Touched>>,
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
                let parts = shared.places.entry(event.object).or_default();
                let touched = parts.entry(part(event)).or_default();
                if event.kind == EventKind::Read || event.is_idle() {
                    touched.readers |= bit;
                } else {
                    touched.writers |= bit;
                }
            } else {
                *shared.monitors.entry(event.object).or_default() |= bit;
            }
        }
        shared
    }

    /// Whether threads conflict on what an access is about.
    fn is_conflict(&self, event: &Event) -> bool {
        let Some(parts) = self.places.get(&event.object) else {
            return false;
        };
        let of = |part: &Part<'_>| parts.get(part).copied().unwrap_or_default();
        let part = part(event);
        match part {
            // Nobody knows which statics are meant.
            _ if event.object == 0 => of(&part).is_conflict(),
            Part::Any => parts
                .values()
                .copied()
                .fold(Touched::default(), Touched::and)
                .is_conflict(),
            part => of(&part).and(of(&Part::Any)).is_conflict(),
        }
    }

    /// `later` are the events after it.
    fn shows(&self, event: &Event, later: &[Event]) -> bool {
        if event.kind.is_access() {
            return self.is_conflict(event);
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

/// What changed says which field an atomic operation is about; the operation itself has only an offset.
fn part(event: &Event) -> Part<'_> {
    let owner = |owner: &'_ str| if event.object == 0 { owner.len() } else { 0 };
    match event.accessed() {
        Some(Accessed::Element(index)) => Part::Element(index),
        Some(Accessed::Field(field)) => Part::Field(&field.owner[..owner(&field.owner)], &field.name),
        _ => {
            let change = event
                .value
                .as_deref()
                .filter(|_| is_change(event) && !event.is_idle());
            let field = change.and_then(|change| change.split_once(' '));
            field.map_or(Part::Any, |(field, _)| Part::Field("", field))
        }
    }
}

pub(crate) fn event_text(plan: &TestPlan, event: &Event) -> String {
    if let Some(call) = called(plan, event) {
        return format!("call {}", call_in(plan, call));
    }
    let mut text = event.kind.to_string();
    let what = what_text(plan, event);
    if !what.is_empty() {
        let _ = write!(text, " {what}");
    }
    if let Some(value) = event.value.as_ref().filter(|_| !is_change(event)) {
        let _ = write!(text, " = {}", cut(&value_text(plan, event, value)));
    }
    text
}

/// The value of an event: objects by variable, or by class and number.
pub(crate) fn value_text(plan: &TestPlan, event: &Event, value: &str) -> String {
    match event.referred().filter(|_| !is_change(event)) {
        Some(object) if object.name.starts_with('$') => with_names(plan, object.name),
        Some(object) => format!("{}#{}", class_text(object.name), object.object),
        None => with_names(plan, value),
    }
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
    if let Some(class) = event.initialised_class() {
        return format!("the initialiser of {}", simple_name(class));
    }
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
    if name.starts_with('[') {
        type_text(name)
    } else {
        simple_name(name).to_owned()
    }
}

fn place(event: &Event) -> String {
    event.place.as_ref().map(source_text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use raddle_plan::{Caller, Place};

    use super::*;
    use crate::snapshot;
    use raddle_testkit::run_sample;

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

    /// The same run, if the accesses were made by another class for the one under test.
    #[test]
    fn what_a_class_has_others_do_is_below_its_line() {
        let elsewhere = |event: Event| Event {
            place: event.place.clone().map(|place| Place {
                class: "q.Store".to_owned(),
                source: Some("Store.java".to_owned()),
                ..place
            }),
            callers: vec![Caller {
                class: "java.util.ArrayList".to_owned(),
                method: "addWithAVeryLongNameThatSaysAll".to_owned(),
                source: Some("ArrayList.java".to_owned()),
                line: Some(12),
            }],
            ..event
        };
        let events: Vec<Event> = run_sample::events().into_iter().map(elsewhere).collect();
        let options = InterleavingOptions { width: 76, ..OPTIONS };
        let text = interleaving(&run_sample::plan(), &run_sample::lost_update(), &events, options);
        snapshot::check("interleaving-below.txt", &text);
        assert!(text.lines().all(|line| line.chars().count() <= 76), "{text}");
    }

    #[test]
    fn a_read_of_what_is_changed_atomically_is_shown() {
        let mut events = run_sample::events();
        for event in &mut events {
            if event.kind == EventKind::Write {
                event.kind = EventKind::Atomic;
                event.target = None;
                event.value = Some("size 0 → 1".to_owned());
            }
        }
        let text = interleaving(&run_sample::plan(), &run_sample::lost_update(), &events, OPTIONS);
        assert!(text.contains("read ArrayList#1.size = 0"), "{text}");
        assert!(text.contains("#1.size 0 → 1"), "{text}");
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
        assert_eq!(named("the initialiser of p.A", None), "the initialiser of A");
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
    fn a_run_without_events_shows_its_results() {
        let text = interleaving(&run_sample::plan(), &run_sample::lost_update(), &[], OPTIONS);
        assert!(text.contains("list.size()"), "{text}");
    }
}
