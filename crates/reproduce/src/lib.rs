//! Java files that show a violation without this program: one to be run by itself, and one for JUnit.
//!
//! Nothing is run here, and nothing written. Both files start the test in a second JVM, which they control through the JDK's debugger interface, and both judge by what
//! was recorded:
//!
//! ```text
//!   order      the recorded run with fewer switches between threads
//!   steps      which thread runs next, and where it is held
//!   calls      the calls of the plan as Java
//!   scenario   the nested class with the test, which says whether the violation occurred
//!   debugger   the nested class that makes the threads take turns
//!   file       one file of all this, in which names mean what they should
//! ```

mod calls;
mod debugger;
mod file;
mod junit;
mod order;
mod scenario;
mod steps;

use std::path::PathBuf;

use raddle_oracle::{Kind, Violation};
use raddle_plan::{CallResult, Event, Outcome, TestPlan};

use self::file::{Body, file, indented};
use self::steps::steps;
use raddle_plan::plan_text::call_text;

pub use self::junit::{junit_name, junit_test, suite_test};
pub use self::steps::events_in_order;

/// The name of the class that [`reproducer`] makes; its file has the same name and ends in `.java`.
pub const REPRODUCER_NAME: &str = "Reproducer";

const MAIN: &str = include_str!("Main.java.txt");

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
         Exit code: 0 if the violation occurs, 1 if it does not, 2 if it could not be tried."
    );
    let class = Class {
        name: REPRODUCER_NAME,
        declaration: format!("public final class {REPRODUCER_NAME}"),
        entry: MAIN.to_owned(),
        imports: &[],
    };
    class.file(input, &head(input, &how))
}

/// A class with the machinery to make a recorded run again.
struct Class<'a> {
    name: &'a str,
    declaration: String,
    /// The method that is called from outside; `@DEBUGGER@` stands for the nested class that does the work.
    entry: String,
    imports: &'a [&'a str],
}

impl Class<'_> {
    fn file(&self, input: &ReproducerInput<'_>, head: &str) -> String {
        let steps = steps(input.plan, input.outcome, input.events, input.kind());
        let name = input.plan.in_package(self.name);
        let calls = calls::Calls::of(input.plan, &name, Some(scenario::HOOK));
        let names = debugger::Names::free_in(input.plan);
        let mut text = format!("{} {{\n", self.declaration);
        for part in [
            names.put_into(&self.entry),
            scenario::class(input, &steps, &calls, &names.scenario),
            debugger::class(input.plan, &steps, &names, input.allowed.is_none()),
        ] {
            if !text.ends_with("{\n") {
                text.push('\n');
            }
            text.push_str(&indented(&part, 4));
        }
        text.push_str("}\n");
        let body = Body {
            text,
            test: indented(&scenario::test(&calls), 4),
        };
        let imports = debugger::IMPORTS.iter().chain(self.imports);
        file(
            head,
            input.plan,
            &calls,
            imports.map(|name| (*name).to_owned()),
            &body,
        )
    }
}

/// The comment at the top; `how` says how to run it.
fn head(input: &ReproducerInput<'_>, how: &str) -> String {
    let told = if input.told.is_empty() {
        String::new()
    } else {
        format!(
            "The recorded run, from top to bottom. Lines that only one thread could notice are left out.\n\n{}\n",
            input.told
        )
    };
    format!(
        "{}\n\n{told}{how}\n\n\
         The test runs in a second JVM, whose threads are held at a few places through the JDK's debugger interface \
         (module\njdk.jdi), so that they meet as recorded. The classes run as they are. Places are code indices of the \
         recorded classes.\nIn other classes, such as changed ones or those of another JDK, that may show nothing. Then \
         other schedules, with one\nswitch between threads, are tried for a while.",
        what(input),
    )
}

/// One sentence: what is shown.
fn what(input: &ReproducerInput<'_>) -> String {
    let class = input.class_name;
    if input.allowed.is_some() {
        return format!("Two threads use {class} and meet in a way that breaks what is not made for it.");
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
        Kind::Livelock => format!("{class} does not come to an end: {names} runs on and on."),
        Kind::Result => {
            format!("{class} gives results that no sequential order of its calls can produce.")
        }
    }
}
