//! The nested class with the test: the calls of the plan in real threads, and a verdict.

use std::fmt::Write;

use raddle_oracle::Kind;
use raddle_plan::{CallResult, Part, ThreadEnd, ThreadState};

use crate::ReproducerInput;
use crate::calls::Calls;
use crate::file::{TEST, push_lines, quoted};
use crate::steps::{Step, Stop};
use raddle_plan::plan_text::call_text;

/// The method that is called with its number before each call of a thread.
pub(super) const HOOK: &str = "begins";

const SCENARIO: &str = include_str!("Scenario.java.txt");
const OUTCOME: &str = include_str!("Outcome.java.txt");
const QUOTED: &str = include_str!("Quoted.java.txt");
const PLAIN_TEXT: &str = include_str!("PlainText.java.txt");
const TEXT: &str = include_str!("Text.java.txt");
const CONTROL: &str = include_str!("Control.java.txt");
/// Orders of the calls, one after the other, that the test is compared with. Smaller tests have fewer.
const MOST_ORDERS: usize = 24;
/// What javac would say about erased types.
const WARNINGS: &str = r#"@SuppressWarnings({"cast", "deprecation", "rawtypes", "removal", "unchecked"})"#;

/// The class, with [`TEST`] in place of the calls.
pub(super) fn class(input: &ReproducerInput<'_>, steps: &[Step], calls: &Calls, name: &str) -> String {
    let mut text = format!(
        "/** The test itself. It runs in a JVM of its own, whose exit code is the verdict. */\n\
         {WARNINGS}\nstatic final class {name} {{\n    \
         /** Exit codes that nothing else has. */\n    \
         static final int SEEN = 80;\n    static final int NOT_SEEN = 81;\n    static final int FAILED = 82;\n\n    \
         /** Threads that do not go on for so long are stuck; longer than the other time, nothing is waited for. */\n    \
         private static final long STUCK_SECONDS = 3;\n    private static final long SECONDS = {};\n    \
         /** Calls that are made one after the other wait so many looks for each other. */\n    \
         private static final int IDLE_LOOKS = 50;\n    \
         private static final String NO_END = \"did not end\";\n    \
         static final String SUBJECT = {};\n    static final String[] CLASSES = {{{}}};\n",
        seconds(input.kind()),
        quoted(input.class_name),
        classes(input, steps).join(", ")
    );
    text.push_str(&control_fields(input));
    text.push_str(&fields(input));
    text.push_str(
        "
    public static void main(String[] arguments) {
        int code = FAILED;
        try {
@RUN@
        } catch (Throwable problem) {
            problem.printStackTrace();
        }
        System.out.flush();
        Runtime.getRuntime().halt(code);
    }

    private static Thread[] test() throws Throwable {
",
    );
    text.push_str(TEST);
    text.push_str("        return threads;\n    }\n");
    text.push_str(&verdict(input));
    text.push_str(SCENARIO);
    if has_control(input) {
        text.push_str(CONTROL);
    }
    text.push_str(&outcomes(input));
    text.push_str(&helper(calls));
    text.push_str("}\n");
    text.replace("@RUN@", if has_control(input) { CONTROLLED } else { PLAIN })
        .replace("@SCENARIO@", name)
}

/// What the JVM with the test does, with and without a control to compare with.
const PLAIN: &str = "            load();
            Thread[] threads = test();
            show(threads);
            code = isSeen(threads) ? SEEN : NOT_SEEN;";
const CONTROLLED: &str = "            if (arguments.length > 1) {
                control(arguments);
                code = NOT_SEEN;
            } else {
                load();
                Thread[] threads = test();
                show(threads);
                write(arguments[0], java.util.Arrays.asList(decisiveOutcomes()));
                code = isSeen(threads) ? SEEN : NOT_SEEN;
            }";

/// Whether what comes of the test is compared with what comes of its calls one after the other, on the same JVM. No order of
/// whole calls makes threads wait for each other's locks, and who waits needlessly, or for a lock that was left behind, may do so
/// in every order.
fn has_control(input: &ReproducerInput<'_>) -> bool {
    let is_needless = |thread: &ThreadEnd| thread.state == ThreadState::WaitingNeedlessly;
    input.allowed.is_none()
        && input.kind() != Kind::Deadlock
        && !input.outcome.threads.iter().any(is_needless)
        && input.outcome.kept_lock().is_none()
}

/// The orders of the calls, by the calls of the threads in their order.
fn orders(threads: &[Vec<u32>], begun: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
    if found.len() == MOST_ORDERS {
        return;
    }
    let total: usize = threads.iter().map(Vec::len).sum();
    if begun.len() == total {
        found.push(begun.clone());
        return;
    }
    for calls in threads {
        if let Some(next) = calls.iter().find(|call| !begun.contains(call)) {
            begun.push(*next);
            orders(threads, begun, found);
            begun.pop();
        }
    }
}

/// The calls that matter, and the orders of all.
fn control_fields(input: &ReproducerInput<'_>) -> String {
    let threads: Vec<Vec<u32>> = (0..input.plan.threads.len())
        .map(|thread| {
            let calls = input.plan.calls();
            let own = calls.filter(|(_, part, _)| matches!(part, Part::Thread(of) if *of as usize == thread));
            own.map(|(id, ..)| id.0).collect()
        })
        .collect();
    let mut found = Vec::new();
    orders(&threads, &mut Vec::new(), &mut found);
    let list = |numbers: &[String]| numbers.join(", ");
    let orders: Vec<String> = found
        .iter()
        .map(|order| {
            let numbers: Vec<String> = order.iter().map(ToString::to_string).collect();
            format!("{{{}}}", list(&numbers))
        })
        .collect();
    let decisive: Vec<String> = input
        .violation
        .decisive_calls()
        .iter()
        .map(ToString::to_string)
        .collect();
    format!(
        "    /** The calls that show the violation, and the orders in which calls can be made one after the other. */\n    \
         private static final int[] DECISIVE = {{{}}};\n    \
         private static final int[][] ORDERS = {{{}}};\n    \
         static final boolean HAS_CONTROL = {};\n    \
         static final int DECISIVE_COUNT = {};\n    static final int ORDER_COUNT = {};\n",
        list(&decisive),
        list(&orders),
        has_control(input),
        decisive.len(),
        orders.len(),
    )
}

/// The classes that the run is about, as Java strings.
fn classes(input: &ReproducerInput<'_>, steps: &[Step]) -> Vec<String> {
    let mut classes: Vec<&str> = steps
        .iter()
        .filter_map(|step| match &step.stop {
            Stop::At(place, _) | Stop::After(place, _) => Some(&*place.class),
            _ => None,
        })
        .chain([input.class_name])
        .collect();
    classes.sort_unstable();
    classes.dedup();
    classes.into_iter().map(quoted).collect()
}

/// How long threads may run: a livelock shows by being too long.
fn seconds(kind: Kind) -> u32 {
    if kind == Kind::Livelock { 5 } else { 30 }
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

/// The calls: those before, those of the threads, those after. These have a thread of their own too, since they may get
/// stuck as well; it is the first.
pub(super) fn test(calls: &Calls) -> String {
    let mut text = String::from("        java.util.Arrays.fill(returned, UNFINISHED);\n");
    push_lines(&mut text, &calls.prefix, 8);
    text.push_str("        Thread[] threads = {\n");
    let names = (1..).map(|number| format!("thread {number}"));
    let after = (&calls.after, "after".to_owned());
    for (statements, name) in [after].into_iter().chain(calls.threads.iter().zip(names)) {
        text.push_str("            new Thread(() -> {\n");
        push_lines(&mut text, statements, 16);
        if name != "after" {
            text.push_str("                ends();\n");
        }
        let _ = writeln!(text, "            }}, \"{name}\"),");
    }
    text.push_str(
        "        };
        if (end(java.util.Arrays.copyOfRange(threads, 1, threads.length))) {
            end(threads[0]);
        }
",
    );
    text
}

/// The method that says whether the violation occurred.
fn verdict(input: &ReproducerInput<'_>) -> String {
    if let Some(allowed) = input.allowed {
        return unlike(allowed);
    }
    if input.kind() == Kind::Result {
        return "
    /** What the calls came to is compared with what they come to one after the other. */
    private static boolean isSeen(Thread[] threads) {
        return true;
    }
"
        .to_owned();
    }
    if input.kind() == Kind::Exception {
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
    let condition = if input.kind() == Kind::Livelock {
        "state == Thread.State.NEW || state == Thread.State.TERMINATED"
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
            Thread.State state = threads[number].getState();
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

/// The violation is that calls come to what they do in no order.
fn unlike(allowed: &[Vec<Option<String>>]) -> String {
    let mut text = String::from(
        "\n    /** What calls come to in each order, one after the other; null for what is not always the same. */\n    \
         private static final String[][] ALLOWED = {\n",
    );
    for order in allowed {
        text.push_str("        {\n");
        for result in order {
            let result = result
                .as_ref()
                .map_or_else(|| "null".to_owned(), |result| quoted(result));
            let _ = writeln!(text, "            {result},");
        }
        text.push_str("        },\n");
    }
    text.push_str(
        "    };

    /** Whether the calls came to what they come to in no order. */
    private static boolean isSeen(Thread[] threads) {
        for (String[] order : ALLOWED) {
            boolean isLike = true;
            for (int call = 0; call < CALLS.length; call++) {
                isLike &= order[call] == null || order[call].equals(outcome(call));
            }
            if (isLike) {
                return false;
            }
        }
        return true;
    }
",
    );
    text
}

/// The plan's threads that had not ended; number 0, which makes the calls after them, if all of them had.
pub(super) fn stuck(input: &ReproducerInput<'_>) -> Vec<u32> {
    let unended: Vec<u32> = (0..)
        .zip(&input.outcome.threads)
        .take(input.plan.threads.len() + 1)
        .filter(|(_, end)| end.state != ThreadState::Finished)
        .map(|(thread, _)| thread)
        .collect();
    match &*unended {
        [0, stuck @ ..] if !stuck.is_empty() => stuck.to_vec(),
        _ => unended,
    }
}

/// By call: what it must come to, in the words of the Java code.
fn recorded(input: &ReproducerInput<'_>) -> Vec<Option<String>> {
    let decisive = input.violation.decisive_calls();
    let calls = input.plan.calls().zip(&input.outcome.calls);
    calls
        .map(|((id, _, call), came_to)| match &came_to.result {
            _ if !decisive.contains(&(id.0 as usize)) => None,
            CallResult::Threw { class, .. } => Some(format!("threw {class}")),
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
    let is_simple = match input.allowed {
        Some(allowed) => allowed.iter().flatten().flatten().all(is_plain),
        None => input.kind() != Kind::Result || recorded(input).iter().flatten().all(is_plain),
    };
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
