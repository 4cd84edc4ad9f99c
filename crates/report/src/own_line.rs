//! Which line a step is shown at: that of the class under test, and not one of the code that it calls.

use std::collections::BTreeSet;
use std::fmt::Write;

use raddle_plan::plain::one_line;
use raddle_plan::{Call, Caller, Event, Invoke, Place, TestPlan, ThreadEnd};

use crate::location::Location;
use raddle_plan::plan_text::{simple_name, source_text};

/// The classes that the threads of a plan call.
pub(crate) struct Owners {
    /// Their outermost classes.
    nests: BTreeSet<String>,
    packages: BTreeSet<String>,
}

/// A step as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnLine {
    /// `EventBus.java:29`
    pub(crate) source: String,
    /// What the line is in the middle of, if the step is not its own: `EventBus.publish › Dispatcher.dispatch:12`.
    pub(crate) below: Option<String>,
    /// The same line for other programs.
    pub(crate) location: Location,
}

impl Owners {
    /// Of a plan.
    pub(crate) fn of(plan: &TestPlan) -> Owners {
        let in_threads = || plan.threads.iter().flatten();
        let made = |call: &&Call| {
            let is_used = |variable: &String| in_threads().any(|other| other.on.as_ref() == Some(variable));
            call.invoke == Invoke::New && call.bind.as_ref().is_some_and(is_used)
        };
        let calls = in_threads().chain(plan.prefix.iter().filter(made));
        let classes: Vec<String> = calls.map(|call| call.member.class.replace('/', ".")).collect();
        Owners {
            nests: classes.iter().map(|class| nest(class).to_owned()).collect(),
            packages: classes.iter().map(|class| package(class).to_owned()).collect(),
        }
    }

    /// Of an event.
    pub(crate) fn line(&self, event: &Event) -> Option<OwnLine> {
        self.chosen(event.place.as_ref()?, &event.callers)
    }

    /// Of a thread that was left waiting.
    pub(crate) fn end(&self, end: &ThreadEnd) -> Option<OwnLine> {
        self.chosen(end.place.as_ref()?, &end.callers)
    }

    /// The innermost line of a class that the plan calls; if there is none, the innermost that is no line of the platform.
    fn chosen(&self, place: &Place, callers: &[Caller]) -> Option<OwnLine> {
        let is_own = |class: &str| self.nests.contains(nest(class));
        if is_own(&place.class) || callers.is_empty() {
            return Some(OwnLine {
                source: source_text(place),
                below: None,
                location: Location::of_place(place),
            });
        }
        let at = callers
            .iter()
            .position(|caller| is_own(&caller.class))
            .unwrap_or(0);
        let own = callers.get(at)?;
        let mut below = method_text(&own.class, &own.method);
        // A helper of the class says more than what the platform does for it.
        let helper = if self.packages.contains(package(&place.class)) {
            Some((method_text(&place.class, &place.method), place.line))
        } else {
            let inner = callers.first().filter(|_| at > 0);
            inner.map(|caller| (method_text(&caller.class, &caller.method), caller.line))
        };
        if let Some((method, line)) = helper {
            below.push_str(" › ");
            below.push_str(&method);
            if let Some(line) = line {
                let _ = write!(below, ":{line}");
            }
        }
        let place = Place {
            class: own.class.clone(),
            method: own.method.clone(),
            descriptor: String::new(),
            bci: 0,
            source: own.source.clone(),
            line: own.line,
        };
        Some(OwnLine {
            source: match own.line {
                Some(_) => source_text(&place),
                None => String::new(),
            },
            below: Some(below),
            location: Location::of_place(&place),
        })
    }
}

/// `EventBus.publish`
fn method_text(class: &str, method: &str) -> String {
    one_line(&format!("{}.{method}", simple_name(class))).into_owned()
}

/// The outermost class.
fn nest(class: &str) -> &str {
    let name = class.len() - simple_name(class).len();
    let end = class[name..].find('$').filter(|at| *at > 0);
    end.map_or(class, |at| &class[..name + at])
}

fn package(class: &str) -> &str {
    class.rsplit_once('.').map_or("", |(package, _)| package)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(class: &str, line: u32) -> Caller {
        Caller {
            class: class.to_owned(),
            method: "m".to_owned(),
            source: Some(format!("{}.java", simple_name(nest(class)))),
            line: Some(line),
        }
    }

    fn shown(place: &str, callers: &[Caller]) -> (String, Option<String>) {
        let call = r#"{"invoke": "virtual", "on": "bus", "member": "p.Bus.m()V"}"#;
        let made = r#"{"let": "bus", "invoke": "new", "member": "p.Bus.<init>()V"}"#;
        let plan = format!(r#"{{"raddle_plan": 1, "prefix": [{made}], "threads": [[{call}], [{call}]]}}"#);
        let owners = Owners::of(&TestPlan::from_json(&plan).unwrap());
        let at = caller(place, 7);
        let place = Place {
            class: at.class,
            method: at.method,
            descriptor: "()V".to_owned(),
            bci: 0,
            source: at.source,
            line: at.line,
        };
        let line = owners.chosen(&place, callers).unwrap();
        (line.source, line.below)
    }

    fn line(source: &str, below: Option<&str>) -> (String, Option<String>) {
        (source.to_owned(), below.map(str::to_owned))
    }

    #[test]
    fn a_step_is_shown_at_the_innermost_line_of_the_class_under_test() {
        assert_eq!(shown("p.Bus", &[]), line("Bus.java:7", None));
        assert_eq!(
            shown("p.Bus$Slot", &[caller("p.Bus", 3)]),
            line("Bus.java:7", None)
        );
        assert_eq!(
            shown("q.List", &[caller("p.Bus$Slot", 29), caller("p.Bus", 3)]),
            line("Bus.java:29", Some("Bus$Slot.m"))
        );
    }

    #[test]
    fn code_between_the_class_and_the_platform_is_named_with_its_line() {
        assert_eq!(
            shown("q.List", &[caller("r.Sender", 4), caller("p.Bus", 29)]),
            line("Bus.java:29", Some("Bus.m › Sender.m:4"))
        );
        assert_eq!(
            shown("p.Node", &[caller("p.Bus", 29)]),
            line("Bus.java:29", Some("Bus.m › Node.m:7"))
        );
    }

    #[test]
    fn a_thread_without_a_line_of_the_class_is_shown_where_it_left_other_code() {
        assert_eq!(
            shown("q.List", &[caller("r.Task", 4)]),
            line("Task.java:4", Some("Task.m"))
        );
        assert_eq!(shown("q.List", &[]), line("List.java:7", None));
    }
}
