//! Java files that show a violation without this program: one to be run by itself, and one for JUnit.
//!
//! Nothing is run or written here. Both files start the test in a second JVM, which they control through the JDK's debugger
//! interface, and both judge by what was recorded:
//!
//! ```text
//!   order      the recorded run with fewer switches between threads
//!   steps      which thread runs next, and where it is held
//!   calls      the calls of the plan as Java
//!   scenario   how the fault shows
//!   debugger   the class that makes the threads take turns, the same for all files
//!   file       one file of all this, in which names mean what they should
//! ```

mod calls;
mod debugger;
mod file;
mod junit;
mod order;
mod scenario;
mod steps;

use std::fmt::Write;
use std::path::PathBuf;

use raddle_oracle::{Kind, Violation};
use raddle_plan::{CallResult, Event, Outcome, TestPlan};

use self::debugger::{CLASS, Embedded, FULL_NAME};
use self::file::{Body, CALLS, FAULT, STEPS, file, quoted};
use self::steps::steps;
use raddle_plan::plan_text::call_text;

pub use self::debugger::{HELPER_FILE, helper_file};
pub use self::junit::{junit_file, junit_name, junit_test, suite_test};
pub use self::steps::events_in_order;

/// The name of the class that [`reproducer`] makes; its file has the same name and ends in `.java`.
pub const REPRODUCER_NAME: &str = "Reproducer";

const MAIN: &str = include_str!("Main.java.txt");
/// Lines about the recorded run that anybody reads, and that fit into a short test.
const LONGEST_TABLE: usize = 100;
const SHORT_TABLE: usize = 30;
/// What javac would say about erased types.
const WARNINGS: &str = r#"@SuppressWarnings({"cast", "deprecation", "rawtypes", "removal", "unchecked"})"#;

const HOW_IT_WORKS: &str = "The calls are made in a second JVM, whose threads are held through the JDK's debugger interface, \
    so that they meet as\nrecorded. The classes run as they are. Places are code indices of the recorded classes. Where \
    they lead nowhere, because\nthe class or the JDK has changed, schedules with one switch between threads are tried \
    for a while.";

/// A violation to show.
#[derive(Copy, Clone, Debug)]
pub struct ReproducerInput<'a> {
    /// The test.
    pub plan: &'a TestPlan,
    /// What came of the run that violated something.
    pub outcome: &'a Outcome,
    /// Everything that its threads did, in order.
    pub events: &'a [Event],
    /// What was violated.
    pub violation: &'a Violation,
    /// The class under test, as a binary name with dots.
    pub class_name: &'a str,
    /// The name of the finding.
    pub id: &'a str,
    /// What the calls may come to, by order and call, if everything else is a violation; none for what does not matter.
    pub allowed: Option<&'a [Vec<Option<String>>]>,
    /// What the threads did, for the comment at the top, which people read; empty to leave that out.
    pub told: &'a str,
}

impl ReproducerInput<'_> {
    fn kind(&self) -> Kind {
        self.violation.kind
    }
}

/// A Java file to be run by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reproducer {
    /// Where it must be, below some directory: what is in a package is in a directory of that name.
    pub file: PathBuf,
    /// What is in it.
    pub text: String,
}

impl Reproducer {
    /// See [`reproducer`].
    pub fn of(input: &ReproducerInput<'_>) -> Reproducer {
        Reproducer {
            file: input.plan.source_file(REPRODUCER_NAME),
            text: reproducer(input),
        }
    }
}

/// A Java file that makes the recorded run again on any JDK 17 or later, to be run as
/// `java -cp CLASSPATH Reproducer.java`. Its exit code is 0 if the violation occurs and 1 if it does not, 2 if it could
/// not be tried.
pub fn reproducer(input: &ReproducerInput<'_>) -> String {
    let how = format!(
        "To run it, with a JDK 17 or later and the class path of the recorded run:\n\n    \
         java -cp CLASSPATH {REPRODUCER_NAME}.java\n\n\
         Exit code: 0 if the violation occurs, 1 if it does not, 2 if it could not be tried.\n\n{HOW_IT_WORKS}"
    );
    let helper = Embedded::free_in(input.plan);
    let class = Class {
        plan: input.plan,
        name: REPRODUCER_NAME,
        declaration: format!("public final class {REPRODUCER_NAME}"),
        entry: MAIN,
        fault: String::new(),
        helper: &helper.name,
    };
    let machinery = format!(
        "\n// What follows is the same in every reproducer.\n\n{}",
        helper.text
    );
    class.file(
        input,
        &head(input, &how, LONGEST_TABLE),
        &helper.imports,
        &machinery,
    )
}

/// A class that says what is called, how the threads take turns and what must not come of it.
struct Class<'a> {
    plan: &'a TestPlan,
    name: &'a str,
    declaration: String,
    /// The method that is called from outside, indented for the body of the class.
    entry: &'a str,
    /// The fault, as a Java string.
    fault: String,
    /// The class that makes the threads take turns.
    helper: &'a str,
}

impl Class<'_> {
    /// A file of it, with other classes below.
    fn file(&self, input: &ReproducerInput<'_>, head: &str, imports: &[String], below: &str) -> String {
        let steps = steps(self.plan, input.outcome, input.events, input.kind());
        let calls = calls::Calls::of(self.plan, &self.plan.in_package(self.name));
        let helper = self.helper;
        let text = format!(
            "{} {{\n{}\n    \
             /** The calls: those before the threads, those of each thread, and those after the threads. */\n    \
             {WARNINGS}\n    \
             static void calls({helper}.Calls calls) throws Throwable {{\n\
             {CALLS}\n    }}\n\n    \
             /** How the fault shows, and how the threads take turns; in the end, all run freely. */\n    \
             static {helper} interleaving() {{\n        \
             return {helper}.of({}.class, {})\n\
             {STEPS}\n    }}\n{}}}\n{below}",
            self.declaration,
            self.entry,
            self.name,
            quoted(input.class_name),
            calls.helpers,
        );
        let mut lines = scenario::verdict(input);
        lines.extend(debugger::schedule(&steps));
        if let Some(last) = lines.last_mut() {
            last.push(';');
        }
        let body = Body {
            text,
            parts: vec![
                (CALLS, indented(&calls.statements, 8)),
                (STEPS, indented(&lines, 16)),
                (FAULT, format!("                {});\n", self.fault)),
            ],
        };
        file(head, self.plan, &calls, imports.iter().cloned(), &body)
    }
}

fn indented(texts: &[String], margin: usize) -> String {
    let mut result = String::new();
    for line in texts.iter().flat_map(|text| text.lines()) {
        let margin = if line.is_empty() { 0 } else { margin };
        let _ = writeln!(result, "{:margin$}{line}", "");
    }
    result
}

/// The comment at the top; `how` says how to run it.
fn head(input: &ReproducerInput<'_>, how: &str, longest: usize) -> String {
    let told = if input.told.is_empty() {
        String::new()
    } else {
        format!(
            "The recorded run, from top to bottom. Lines that only one thread could notice are left out.\n\n{}\n",
            shortened(input.told, longest)
        )
    };
    format!("{}\n\n{told}{how}", what(input))
}

/// At most so many lines: those in the middle, which matter least, are left out.
fn shortened(text: &str, longest: usize) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let left_out = lines.len().saturating_sub(longest);
    let left_out_text = format!("({left_out} lines are left out)");
    if left_out > 0 {
        let from = lines.len() - left_out - longest / 4;
        lines.splice(from..from + left_out, [&*left_out_text]);
    }
    let mut shortened = lines.join("\n");
    shortened.push('\n');
    shortened
}

/// One sentence: what is shown.
fn what(input: &ReproducerInput<'_>) -> String {
    let class = input.class_name;
    if input.allowed.is_some() {
        return format!(
            "Two threads use {class} and meet in a way that breaks code that is not made for it."
        );
    }
    let names: Vec<String> = scenario::stuck(input)
        .iter()
        .map(|thread| match thread {
            0 => "the thread that looks at the result".to_owned(),
            thread => format!("thread {thread}"),
        })
        .collect();
    let names = names.join(" and ");
    match input.kind() {
        Kind::Exception => {
            let thrown = input
                .plan
                .calls()
                .zip(&input.outcome.calls)
                .filter(|((id, ..), _)| input.violation.decisive_calls().contains(&(id.0 as usize)))
                .find_map(|((_, part, call), came_to)| match &came_to.result {
                    CallResult::Threw { class, .. } => {
                        Some(format!("{class}, in {part} from {}", call_text(call)))
                    }
                    _ => None,
                });
            format!(
                "{class} throws when two threads use it: {}.",
                thrown.unwrap_or_else(|| "an exception".to_owned())
            )
        }
        Kind::Deadlock => format!("{class} deadlocks: {names} wait for each other, for ever."),
        Kind::LostWakeup => {
            format!("{class} loses a wake-up: {names} waits, and nobody is left to end that.")
        }
        Kind::Livelock => format!("{class} never finishes: {names} runs on and on."),
        Kind::Result => {
            format!("{class} gives results that no sequential order of its calls can produce.")
        }
    }
}
