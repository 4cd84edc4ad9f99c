//! The JUnit test: the same test as it is, many times.

use std::fmt::Write;

use raddle_oracle::Kind;

use super::calls::Calls;
use super::{
    Body, ReproducerInput, TEST, WARNINGS, fields, file, helper, outcomes, table, test, verdict, what,
};
use crate::plan_text::simple_name;

const ROUNDS: &str = include_str!("Rounds.java.txt");

/// The name of the class that [`junit_test`] makes; its file has the same name and ends in `.java`.
pub fn junit_name(class_name: &str) -> String {
    let simple: String = simple_name(class_name)
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    let first = simple.chars().next();
    let start = if first.is_some_and(|c| c.is_ascii_alphabetic()) {
        ""
    } else {
        "Class"
    };
    format!("{start}{simple}Test")
}

/// A JUnit 5 test that fails when the violation occurs. It runs the test many times without control, so it may pass by
/// chance.
pub fn junit_test(input: &ReproducerInput<'_>) -> String {
    let name = junit_name(input.class_name);
    let calls = Calls::of(input.plan, &name, None);
    let (method, sentence) = match input.kind {
        Kind::Exception => (
            "noCallThrows",
            "a call threw what it throws in no order of the calls",
        ),
        Kind::Deadlock => ("noDeadlock", "threads wait for each other for ever"),
        Kind::LostWakeup => ("noLostWakeup", "a thread waits for ever"),
        Kind::Livelock => ("comesToAnEnd", "the threads do not come to an end"),
        Kind::Result => (
            "resultsAreThoseOfSomeOrder",
            "the calls came to what they come to in no order",
        ),
    };
    let mut text = format!(
        "{WARNINGS}\nclass {name} {{\n    \
         /** Where it ends when nothing is found. */\n    \
         private static final int ROUNDS = 20_000;\n    private static final long SECONDS = 10;\n    \
         /** Threads that do not go on for so long are stuck; longer than the other time, nothing is waited for. */\n    \
         private static final long STUCK_SECONDS = 3;\n    private static final long END_SECONDS = 10;\n\n    \
         private static final java.util.concurrent.atomic.AtomicInteger absent =\n            \
         new java.util.concurrent.atomic.AtomicInteger();\n"
    );
    text.push_str(&fields(input));
    let _ = write!(
        text,
        "
    @Test
    void {method}() throws Throwable {{
        long end = System.nanoTime() + SECONDS * 1_000_000_000L;
        for (int round = 0; round < ROUNDS && System.nanoTime() < end; round++) {{
            if (occurs()) {{
                fail(\"in round \" + round + \" {sentence}\");
            }}
        }}
    }}

    private static boolean occurs() throws Throwable {{
        java.util.Arrays.fill(thrown, null);
{TEST}        if (!isSeen(threads)) {{
            return false;
        }}
        show(threads);
        return true;
    }}
"
    );
    text.push_str(&verdict(input));
    text.push_str(ROUNDS);
    text.push_str(&outcomes(input));
    text.push_str(&helper(&calls));
    text.push_str("}\n");
    let body = Body {
        text,
        test: test(&calls, "meet();"),
    };
    let imports = ["org.junit.jupiter.api.Test".to_owned()].into_iter();
    let file = file(&head(input), input.plan, &calls, imports, &body);
    // A static import has no name that a class could take.
    file.replacen(
        "\nimport ",
        "\nimport static org.junit.jupiter.api.Assertions.fail;\n\nimport ",
        1,
    )
}

fn head(input: &ReproducerInput<'_>) -> String {
    let limit = if input.kind == Kind::Livelock {
        " Threads that run\nfor 10 seconds are taken for ones that run for ever."
    } else {
        ""
    };
    format!(
        "{}\n\nA recorded run that shows it, from top to bottom:\n\n{}\n\
         This test lets the threads run as they like, many times, and fails when it sees that. It is a matter of \
         chance: it\ncan pass although the fault is there, the more so the fewer processors there are. Reproducer.java, \
         beside this\nfile, forces the recorded run instead.{limit}",
        what(input),
        table(input),
    )
}
