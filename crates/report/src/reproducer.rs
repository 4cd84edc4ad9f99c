//! Java files that show a violation without this program: one that forces it, and one that tries for it.
//!
//! `Reproducer.java` starts the test in a second JVM, which it controls through the JDK's debugger interface. The JUnit
//! test runs it many times as it is. Both judge by what was recorded.

mod calls;
mod junit;
mod order;
mod steps;

use std::collections::BTreeSet;
use std::fmt::Write;

use raddle_oracle::Kind;
use raddle_plan::{CallResult, Event, Outcome, Part, TestPlan, ThreadState};

use self::calls::Calls;
use self::steps::{Step, Stop, events_in_order, steps};
use crate::interleaving::{InterleavingOptions, interleaving};
use crate::plan_text::{call_text, place_text, simple_name};

pub use self::junit::{junit_name, junit_test};

/// The name of the class that [`reproducer`] makes; its file has the same name and ends in `.java`.
pub const REPRODUCER_NAME: &str = "Reproducer";

const DEBUGGER: &str = include_str!("reproducer/Debugger.java.txt");
const SCENARIO: &str = include_str!("reproducer/Scenario.java.txt");
const OUTCOME: &str = include_str!("reproducer/Outcome.java.txt");
const QUOTED: &str = include_str!("reproducer/Quoted.java.txt");
const PLAIN_TEXT: &str = include_str!("reproducer/PlainText.java.txt");
const TEXT: &str = include_str!("reproducer/Text.java.txt");
/// Stands for the calls of the plan.
const TEST: &str = "        @TEST@\n";
/// What javac would say about erased types.
const WARNINGS: &str = r#"@SuppressWarnings({"cast", "deprecation", "rawtypes", "removal", "unchecked"})"#;
/// Columns of the table of events, behind the slashes of a comment.
const WIDTH: usize = 114;
/// Lines of that table that anybody reads.
const LONGEST_TABLE: usize = 100;
/// The classes that the debugger names, besides what [`JAVA_LANG`] has.
const IMPORTS: [&str; 44] = [
    "com.sun.jdi.Bootstrap",
    "com.sun.jdi.ClassNotLoadedException",
    "com.sun.jdi.ClassType",
    "com.sun.jdi.IncompatibleThreadStateException",
    "com.sun.jdi.IntegerValue",
    "com.sun.jdi.InvalidTypeException",
    "com.sun.jdi.Location",
    "com.sun.jdi.Method",
    "com.sun.jdi.ReferenceType",
    "com.sun.jdi.StackFrame",
    "com.sun.jdi.ThreadReference",
    "com.sun.jdi.VMDisconnectedException",
    "com.sun.jdi.VirtualMachine",
    "com.sun.jdi.connect.Connector",
    "com.sun.jdi.connect.ListeningConnector",
    "com.sun.jdi.event.BreakpointEvent",
    "com.sun.jdi.event.ClassPrepareEvent",
    "com.sun.jdi.event.Event",
    "com.sun.jdi.event.EventSet",
    "com.sun.jdi.event.StepEvent",
    "com.sun.jdi.event.ThreadDeathEvent",
    "com.sun.jdi.request.BreakpointRequest",
    "com.sun.jdi.request.ClassPrepareRequest",
    "com.sun.jdi.request.EventRequest",
    "com.sun.jdi.request.EventRequestManager",
    "com.sun.jdi.request.StepRequest",
    "com.sun.jdi.request.ThreadDeathRequest",
    "java.io.File",
    "java.io.IOException",
    "java.io.InputStream",
    "java.nio.ByteBuffer",
    "java.nio.file.Files",
    "java.nio.file.Path",
    "java.util.ArrayList",
    "java.util.HashMap",
    "java.util.HashSet",
    "java.util.List",
    "java.util.Map",
    "java.util.Set",
    "java.util.concurrent.TimeUnit",
    "java.util.stream.Stream",
    "java.lang.Process",
    "java.lang.ProcessBuilder",
    "java.lang.IllegalStateException",
];
/// The classes of `java.lang` that files use besides those that the printer of plans keeps free.
const JAVA_LANG: [&str; 19] = [
    "Boolean",
    "Byte",
    "CharSequence",
    "Character",
    "ClassNotFoundException",
    "Enum",
    "Exception",
    "Integer",
    "Iterable",
    "LinkageError",
    "Long",
    "Number",
    "Record",
    "Runtime",
    "RuntimeException",
    "Short",
    "StackOverflowError",
    "StringBuilder",
    "Void",
];

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
    pub kind: Kind,
    /// The class under test, as a binary name with dots.
    pub class_name: &'a str,
}

/// A Java file that makes the recorded run again on any JDK 17 or later, to be run as
/// `java -cp CLASSPATH Reproducer.java`. Its exit code is 0 if the violation occurs and 1 if it does not, 2 if it could
/// not be tried.
pub fn reproducer(input: &ReproducerInput<'_>) -> String {
    let steps = steps(input.plan, input.outcome, input.events, input.kind);
    let calls = Calls::of(input.plan, REPRODUCER_NAME, Some("begins"));
    let scenario_name = free_name(input.plan, "Scenario");
    let mut body = String::new();
    let _ = writeln!(
        body,
        "public final class {REPRODUCER_NAME} {{\n    private static final int THREADS = {};\n",
        input.plan.threads.len()
    );
    body.push_str(&schedule(&steps));
    body.push('\n');
    body.push_str(
        &DEBUGGER
            .replace("@SCENARIO@", &scenario_name)
            .replace("@NAME@", REPRODUCER_NAME),
    );
    body.push('\n');
    let scenario = Scenario {
        input,
        steps: &steps,
        calls: &calls,
    };
    body.push_str(&indented(&scenario.class(&scenario_name), 4));
    body.push_str("}\n");
    let imports = IMPORTS.iter().map(|name| (*name).to_owned());
    let body = Body {
        text: body,
        test: indented(&test(&calls, ""), 4),
    };
    file(&head(input), input.plan, &calls, imports, &body)
}

/// The comment at the top.
fn head(input: &ReproducerInput<'_>) -> String {
    format!(
        "{}\n\nThe recorded run, from top to bottom. Lines that only one thread could notice are left out.\n\n{}\n\
         To run it, with a JDK 17 or later, the JDK and the class path of the recorded run:\n\n    \
         java -cp CLASSPATH {REPRODUCER_NAME}.java\n\n\
         It starts the test in a second JVM and holds the threads at a few places through the JDK's debugger \
         interface\n(module jdk.jdi), so that they meet as recorded. Nothing else is changed: the classes run as they \
         are. Places are\ncode indices of the recorded classes. In other classes, such as corrected ones, a thread that \
         does not come to its\nplace is let go.\n\n\
         Exit code: 0 if the violation occurred, 1 if it did not, 2 if it could not be tried.",
        what(input),
        table(input),
    )
}

/// One sentence: what is shown.
fn what(input: &ReproducerInput<'_>) -> String {
    let class = input.class_name;
    let stuck = stuck(input);
    let names: Vec<String> = stuck.iter().map(|thread| format!("thread {thread}")).collect();
    let names = names.join(" and ");
    match input.kind {
        Kind::Exception => {
            let thrown =
                input
                    .plan
                    .calls()
                    .zip(&input.outcome.calls)
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
            format!("{class} gives wrong results: together, these are possible in no order of the calls.")
        }
    }
}

/// What the threads did, one column each, in the order in which the steps make it.
fn table(input: &ReproducerInput<'_>) -> String {
    let options = InterleavingOptions {
        all: false,
        width: WIDTH,
    };
    let events = events_in_order(input.plan, input.events, input.kind);
    let text = interleaving(input.plan, input.outcome, &events, options);
    let mut lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.ends_with("--all shows them."))
        .collect();
    lines.dedup_by(|one, other| one.is_empty() && other.is_empty());
    let left_out = lines.len().saturating_sub(LONGEST_TABLE);
    let left_out_text = format!("({left_out} lines are left out)");
    if left_out > 0 {
        let from = lines.len() - left_out - LONGEST_TABLE / 4;
        lines.splice(from..from + left_out, [&*left_out_text]);
    }
    let mut table = lines.join("\n");
    table.push('\n');
    table
}

/// The steps as Java.
fn schedule(steps: &[Step]) -> String {
    let mut text = String::from(
        "    /** One thread at a time runs until it is where it should be. After that, all run freely. */\n    \
         private static final Step[] SCHEDULE = {\n",
    );
    for step in steps {
        let thread = step.thread;
        if let Some((kind, place)) = &step.pending {
            let _ = writeln!(
                text,
                "        // Thread {thread} is about to {}: {}.",
                verb(kind),
                ascii(&place_text(place))
            );
        }
        let place = |name: &str, place: &raddle_plan::Place, times: usize| {
            format!(
                "{name}({thread}, {}, {}, {}, {}, {times})",
                quoted(&place.class),
                quoted(&place.method),
                quoted(&place.descriptor),
                place.bci
            )
        };
        let step = match &step.stop {
            Stop::Call(call) => format!("call({thread}, {call})"),
            Stop::At(at, times) => place("at", at, *times),
            Stop::After(after, times) => place("after", after, *times),
            Stop::Waiting => format!("waiting({thread})"),
            Stop::End => format!("end({thread})"),
        };
        let _ = writeln!(text, "        {step},");
    }
    text.push_str("    };\n");
    text
}

fn verb(kind: &str) -> &str {
    match kind {
        "enter" => "take a lock",
        "atomic" => "access something atomically",
        "woken" => "go on after a wait",
        "loop" => "go round a loop",
        other => other,
    }
}

/// The test itself, as a nested class.
struct Scenario<'a> {
    input: &'a ReproducerInput<'a>,
    steps: &'a [Step],
    calls: &'a Calls,
}

impl Scenario<'_> {
    fn class(&self, name: &str) -> String {
        let mut text = format!(
            "/** The test itself. It runs in a JVM of its own, whose exit code is the verdict. */\n\
             {WARNINGS}\nstatic final class {name} {{\n    \
             /** Exit codes that nothing else has. */\n    \
             static final int SEEN = 80;\n    static final int NOT_SEEN = 81;\n    static final int FAILED = 82;\n\n    \
             /** Threads that do not go on for so long are stuck; longer than the other time, nothing is waited for. */\n    \
             private static final long STUCK_SECONDS = 3;\n    private static final long SECONDS = {};\n",
            seconds(self.input.kind)
        );
        let mut classes: Vec<&str> = self
            .steps
            .iter()
            .filter_map(|step| match &step.stop {
                Stop::At(place, _) | Stop::After(place, _) => Some(&*place.class),
                _ => None,
            })
            .collect();
        classes.sort_unstable();
        classes.dedup();
        let classes: Vec<String> = classes.into_iter().map(quoted).collect();
        let _ = writeln!(
            text,
            "    private static final String[] CLASSES = {{{}}};",
            classes.join(", ")
        );
        text.push_str(&fields(self.input));
        text.push_str(
            "
    public static void main(String[] arguments) {
        int code = FAILED;
        try {
            load();
            code = test() ? SEEN : NOT_SEEN;
        } catch (Throwable problem) {
            problem.printStackTrace();
        }
        System.out.flush();
        Runtime.getRuntime().halt(code);
    }

    private static boolean test() throws Throwable {
",
        );
        text.push_str(TEST);
        text.push_str("        show(threads);\n        return isSeen(threads);\n    }\n");
        text.push_str(&verdict(self.input));
        text.push_str(SCENARIO);
        text.push_str(&outcomes(self.input));
        text.push_str(&helper(self.calls));
        text.push_str("}\n");
        text
    }
}

/// How long threads may run: a livelock shows by being too long.
fn seconds(kind: Kind) -> u32 {
    if kind == Kind::Livelock { 10 } else { 30 }
}

/// What is known of the calls, and where results are kept.
fn fields(input: &ReproducerInput<'_>) -> String {
    let mut text = String::from("    private static final String[] CALLS = {\n");
    for (_, part, call) in input.plan.calls() {
        let _ = writeln!(
            text,
            "        {},",
            quoted(&format!("{part}: {}", call_text(call)))
        );
    }
    text.push_str(
        "    };
    private static final Object VOID = new Object();
    private static final Object UNFINISHED = new Object();
    private static final Object[] returned = new Object[CALLS.length];
    private static final Throwable[] thrown = new Throwable[CALLS.length];
",
    );
    text
}

/// The calls: those before, those of the threads, those after. `first` begins every thread.
fn test(calls: &Calls, first: &str) -> String {
    let mut text = String::from("        java.util.Arrays.fill(returned, UNFINISHED);\n");
    push_lines(&mut text, &calls.prefix, 8);
    text.push_str("        Thread[] threads = {\n");
    for (number, statements) in (1..).zip(&calls.threads) {
        text.push_str("            new Thread(() -> {\n");
        if !first.is_empty() {
            let _ = writeln!(text, "                {first}");
        }
        push_lines(&mut text, statements, 16);
        let _ = writeln!(text, "            }}, \"thread {number}\"),");
    }
    text.push_str("        };\n");
    if calls.after.is_empty() {
        text.push_str("        end(threads);\n");
    } else {
        text.push_str("        if (end(threads)) {\n");
        push_lines(&mut text, &calls.after, 12);
        text.push_str("        }\n");
    }
    text
}

/// The method that says whether the violation occurred.
fn verdict(input: &ReproducerInput<'_>) -> String {
    if matches!(input.kind, Kind::Exception | Kind::Result) {
        let mut text = String::from(
            "\n    /** What calls came to in the recorded run; null for those that do not matter. */\n    \
             private static final String[] RECORDED = {\n",
        );
        for recorded in recorded(input) {
            let recorded = recorded.map_or_else(|| "null".to_owned(), |recorded| quoted(&recorded));
            let _ = writeln!(text, "        {recorded},");
        }
        text.push_str(
            "    };

    /** Whether the calls came to the same as in the recorded run. */
    private static boolean isSeen(Thread[] threads) {
        for (int call = 0; call < CALLS.length; call++) {
            if (RECORDED[call] != null && !RECORDED[call].equals(outcome(call))) {
                return false;
            }
        }
        return true;
    }
",
        );
        return text;
    }
    let stuck: Vec<String> = stuck(input).iter().map(u32::to_string).collect();
    let condition = if input.kind == Kind::Livelock {
        "state == Thread.State.TERMINATED"
    } else {
        "state != Thread.State.BLOCKED && state != Thread.State.WAITING"
    };
    format!(
        "
    /** The threads that did not come to their ends in the recorded run. */
    private static final int[] STUCK = {{{}}};

    /** Whether the same threads do not come to their ends now. */
    private static boolean isSeen(Thread[] threads) {{
        for (int number : STUCK) {{
            Thread.State state = threads[number - 1].getState();
            if ({condition}) {{
                return false;
            }}
        }}
        return STUCK.length > 0;
    }}
",
        stuck.join(", ")
    )
}

/// The plan's threads that had not ended.
fn stuck(input: &ReproducerInput<'_>) -> Vec<u32> {
    (0..)
        .zip(&input.outcome.threads)
        .skip(1)
        .take(input.plan.threads.len())
        .filter(|(_, end)| end.state != ThreadState::Finished)
        .map(|(thread, _)| thread)
        .collect()
}

/// By call: what it must come to, in the words of the Java code.
fn recorded(input: &ReproducerInput<'_>) -> Vec<Option<String>> {
    let calls = input.plan.calls().zip(&input.outcome.calls);
    calls
        .map(|((_, part, call), came_to)| match &came_to.result {
            _ if part == Part::Prefix => None,
            CallResult::Threw { class, .. } => Some(format!("threw {class}")),
            _ if input.kind == Kind::Exception => None,
            CallResult::Returned(_) if call.result_descriptor().is_none() => Some("returned".to_owned()),
            CallResult::Returned(value) => Some(format!("returned {value}")),
            CallResult::NotBegun | CallResult::Unfinished => Some("did not end".to_owned()),
        })
        .collect()
}

/// The methods that show results.
fn outcomes(input: &ReproducerInput<'_>) -> String {
    let is_plain = |recorded: &String| {
        let value = recorded.strip_prefix("returned ").unwrap_or("");
        let is_number = value.parse::<f64>().is_ok();
        is_number || matches!(value, "" | "null" | "true" | "false") || value.starts_with(['"', '\''])
    };
    let is_simple = input.kind != Kind::Result || recorded(input).iter().flatten().all(is_plain);
    let text = if is_simple {
        PLAIN_TEXT.to_owned()
    } else {
        let calls: Vec<String> = input
            .plan
            .variables()
            .iter()
            .map(|variable| variable.call.0.to_string())
            .collect();
        TEXT.replace("@VARIABLES@", &calls.join(", "))
    };
    format!("{OUTCOME}{text}{QUOTED}")
}

fn helper(calls: &Calls) -> String {
    let mut text = String::new();
    if !calls.helper.is_empty() {
        text.push('\n');
        push_lines(&mut text, &calls.helper, 4);
    }
    text
}

/// A class without the calls of the plan, and what to put in place of [`TEST`].
struct Body {
    text: String,
    test: String,
}

/// A whole file: comment, imports, and a body whose names mean the same as where it was written.
fn file(
    head: &str,
    plan: &TestPlan,
    calls: &Calls,
    imports: impl Iterator<Item = String>,
    body: &Body,
) -> String {
    let mut file = String::new();
    for line in head.lines() {
        let _ = writeln!(file, "{}", format!("// {}", ascii(line)).trim_end());
    }
    file.push('\n');
    let mut text = body.text.clone();
    let mut all = calls.imports.clone();
    let own = default_package(plan);
    let java_lang = JAVA_LANG.iter().map(|name| format!("java.lang.{name}"));
    for import in imports.chain(java_lang) {
        let simple = simple_name(&import);
        let is_other = |other: &String| *other != import && simple_name(other) == simple;
        if own.contains(simple) || calls.imports.iter().any(is_other) {
            text = qualified(&text, simple, &import);
        } else if !import.starts_with("java.lang.") {
            all.push(import);
        }
    }
    all.sort_unstable();
    all.dedup();
    for import in all {
        let _ = writeln!(file, "import {import};");
    }
    file.push('\n');
    for line in text.lines() {
        if line.trim() == TEST.trim() {
            file.push_str(&body.test);
        } else {
            let _ = writeln!(file, "{line}");
        }
    }
    file
}

/// The plan's classes that are in no package: such names cannot be imported.
fn default_package(plan: &TestPlan) -> BTreeSet<String> {
    let classes = plan.calls().map(|(_, _, call)| call.member.class.as_str());
    classes
        .filter(|class| !class.contains('.'))
        .map(|class| class.split('$').next().unwrap_or(class).to_owned())
        .collect()
}

/// A name for a nested class that hides none of the plan's classes.
fn free_name(plan: &TestPlan, wanted: &str) -> String {
    let classes: BTreeSet<&str> = plan
        .calls()
        .map(|(_, _, call)| simple_name(&call.member.class))
        .map(|class| class.split('$').next().unwrap_or(class))
        .collect();
    let mut name = wanted.to_owned();
    while classes.contains(name.as_str()) {
        name.insert_str(0, "My");
    }
    name
}

/// With the full name wherever the simple one stands for the class.
fn qualified(text: &str, simple: &str, full: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    let mut before = ' ';
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '"');
    while let Some(at) = rest.find(simple) {
        let (skipped, found) = rest.split_at(at);
        let after = &found[simple.len()..];
        before = skipped.chars().next_back().unwrap_or(before);
        let ends = !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        result.push_str(skipped);
        result.push_str(if is_part(before) || !ends { simple } else { full });
        before = simple.chars().next_back().unwrap_or(' ');
        rest = after;
    }
    result.push_str(rest);
    result
}

fn push_lines(text: &mut String, lines: &[String], margin: usize) {
    for line in lines {
        let _ = writeln!(text, "{:margin$}{line}", "");
    }
}

fn indented(text: &str, margin: usize) -> String {
    let mut result = String::new();
    for line in text.lines() {
        let margin = if line.is_empty() { 0 } else { margin };
        let _ = writeln!(result, "{:margin$}{line}", "");
    }
    result
}

/// A Java string in ASCII, so that the encoding of the file does not matter.
fn quoted(text: &str) -> String {
    let mut result = String::from("\"");
    for unit in text.encode_utf16() {
        match u8::try_from(unit) {
            Ok(quote @ (b'"' | b'\\')) => {
                result.push('\\');
                result.push(char::from(quote));
            }
            Ok(plain @ b' '..=b'~') => result.push(char::from(plain)),
            // Unicode escapes are replaced before literals are read, so control characters cannot use them.
            Ok(control @ 0..=0x7f) => {
                let _ = write!(result, "\\{control:03o}");
            }
            _ => {
                let _ = write!(result, "\\u{unit:04x}");
            }
        }
    }
    result.push('"');
    result
}

/// Fit for a comment: in ASCII, and without what Java would take for a Unicode escape.
fn ascii(text: &str) -> String {
    let text = text.replace('\u{2026}', "~").replace("\\u", "\\ u");
    text.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect()
}
