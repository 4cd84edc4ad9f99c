//! Phrases for places, calls, threads.

use raddle_plan::plain::one_line;
use raddle_plan::{CallResult, End, Outcome, Place, TestPlan};

/// Values longer than this are cut in sentences; the evidence has them whole.
const LONGEST_VALUE: usize = 80;
/// A message may be the one thing that says what is wrong.
const LONGEST_MESSAGE: usize = 240;

/// What the calls of a plan are called.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    calls: Vec<String>,
    /// By call, whether it returns nothing.
    voids: Vec<bool>,
}

impl Names {
    pub(crate) fn of(plan: &TestPlan) -> Names {
        let mut calls = Vec::new();
        let mut voids = Vec::new();
        let mut add = |list: &[raddle_plan::Call], whose: &str| {
            for call in list {
                let class = simple(&call.member.class);
                let what = match call.member.name.as_str() {
                    "<init>" => format!("new {class}"),
                    name => format!("{class}.{name}"),
                };
                calls.push(format!("{what} {whose}"));
                voids.push(call.result_descriptor().is_none());
            }
        };
        add(&plan.prefix, "in the prefix");
        for (thread, list) in (1..).zip(&plan.threads) {
            add(list, &format!("in thread {thread}"));
        }
        add(&plan.after, "after the threads");
        Names { calls, voids }
    }

    /// Whether a call is known to return nothing.
    pub(crate) fn is_void(&self, call: usize) -> bool {
        self.voids.get(call).is_some_and(|is_void| *is_void)
    }

    /// `Hashtable.equals in thread 1`, or `call 3 of 7`, counted as people do.
    pub(crate) fn of_call(&self, call: usize, count: usize) -> String {
        match self.calls.get(call) {
            Some(name) => name.clone(),
            None => format!("call {} of {count}", call + 1),
        }
    }
}

/// `Hashtable.equals (Hashtable.java:812)`.
pub(crate) fn place(place: &Place) -> String {
    let class = simple(&place.class);
    let method = &place.method;
    match (&place.source, place.line) {
        (Some(source), Some(line)) => format!("{class}.{method} ({source}:{line})"),
        (None, Some(line)) => format!("{class}.{method} (line {line})"),
        _ => format!("{class}.{method} (bytecode index {})", place.bci),
    }
}

/// ` at …`, or nothing.
pub(crate) fn at(known: Option<&Place>) -> String {
    known.map_or_else(String::new, |known| format!(" at {}", place(known)))
}

/// ` at Hashtable.java:812`, for sentences in which only the line counts; or as much as is known, or nothing.
pub(crate) fn at_line(known: Option<&Place>) -> String {
    match known {
        Some(Place {
            source: Some(source),
            line: Some(line),
            ..
        }) => format!(" at {source}:{line}"),
        _ => at(known),
    }
}

/// A class without its package.
pub(crate) fn simple(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

/// `Table.size` of `p.Table` and `size`.
pub(crate) fn field(owner: &str, name: &str) -> String {
    format!("{}.{name}", simple(owner))
}

/// An object of a run: `$0` for the plan's variables, which have names elsewhere, or `Table#4`.
pub(crate) fn object(name: Option<&str>, number: u32) -> String {
    match name {
        Some(variable) if variable.starts_with('$') => variable.to_owned(),
        Some(array) if array.starts_with('[') => format!("array#{number}"),
        Some(class) => format!("{}#{number}", simple(class)),
        None => format!("#{number}"),
    }
}

/// A thread by number.
pub(crate) fn thread(number: u32) -> String {
    match number {
        0 => "the main thread".to_owned(),
        number => format!("thread {number}"),
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list(items: &[String], and: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} {and} {last}", most.join(", ")),
    }
}

/// `1 sequential order` or `6 sequential orders`, with "of the calls".
pub(crate) fn orders(count: usize) -> String {
    match count {
        1 => "the one sequential order of the calls".to_owned(),
        2 => "both sequential orders of the calls".to_owned(),
        n => format!("all {n} sequential orders of the calls"),
    }
}

/// Cut to a length that can be read.
pub(crate) fn short(value: &str) -> String {
    cut(value, LONGEST_VALUE)
}

fn cut(value: &str, longest: usize) -> String {
    let mut start: String = value.chars().take(longest).collect();
    if start.len() < value.len() {
        start.push('…');
    }
    one_line(&start).into_owned()
}

/// A name as it begins a sentence.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

/// Why an end of this kind is neither right nor wrong.
pub(crate) fn no_verdict(run: &Outcome) -> Option<String> {
    match &run.end {
        End::Completed | End::Stuck | End::StepBound => None,
        End::Exit(detail) if detail.is_empty() => Some("The class asked the JVM to exit.".to_owned()),
        End::Exit(detail) => Some(format!("The class asked the JVM to exit ({detail}).")),
        End::Diverged(detail) => Some(format!(
            "The run did not follow its schedule ({detail}), so something in it is not deterministic."
        )),
        End::Unsupported(detail) => Some(format!(
            "The run did something that cannot be controlled: {detail}."
        )),
        End::PrefixThrew => {
            let thrown = run.calls.iter().find_map(|call| match &call.result {
                CallResult::Threw { class, message, .. } => Some(exception(class, message)),
                _ => None,
            });
            let what = thrown.map_or_else(String::new, |thrown| format!(" {thrown}"));
            Some(format!("The prefix threw{what}, so the threads never ran."))
        }
    }
}

/// `java.lang.IllegalStateException ("closed")`.
pub(crate) fn exception(class: &str, message: &str) -> String {
    if message.is_empty() {
        class.to_owned()
    } else {
        format!("{class} (\"{}\")", cut(message, LONGEST_MESSAGE))
    }
}
