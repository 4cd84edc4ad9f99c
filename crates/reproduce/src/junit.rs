//! The JUnit test: fails when the recorded run, made again, shows the violation.

use std::fmt::Write;

use raddle_oracle::Kind;

use crate::file::{ascii, quoted};
use crate::{Class, ReproducerInput, head};
use raddle_plan::plan_text::{call_in, simple_name, with_names};

const IMPORTS: [&str; 1] = ["org.junit.jupiter.api.Test"];

/// Letters of the name of the class under test: the name of a file has at most 255 bytes.
const LONGEST_NAME: usize = 150;

/// The name of the class that [`junit_test`] makes; its file has the same name and ends in `.java`.
///
/// It is made of the class under test and the finding: `HashtableDeadlock1f00c4a2Test`.
pub fn junit_name(class_name: &str, id: &str) -> String {
    let simple: String = simple_name(class_name)
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(LONGEST_NAME)
        .collect();
    let first = simple.chars().next();
    let start = if first.is_some_and(|c| c.is_ascii_alphabetic()) {
        ""
    } else {
        "Class"
    };
    let id: String = id.split('-').map(capitalised).collect();
    format!("{start}{simple}{id}Test")
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars().filter(char::is_ascii_alphanumeric);
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// A JUnit 5 test that forces a schedule and fails when the calls come to what they do in no order.
pub fn suite_test(input: &ReproducerInput<'_>, name: &str, how: &str) -> String {
    let sentence = "the calls gave results that no sequential order can produce";
    java(input, name, "resultsAreThoseOfSomeOrder", sentence, how)
}

/// A JUnit 5 test that fails when the violation occurs.
pub fn junit_test(input: &ReproducerInput<'_>) -> String {
    let name = junit_name(input.class_name, input.id);
    let method = match input.kind() {
        Kind::Exception => "noCallThrows",
        Kind::Deadlock => "noDeadlock",
        Kind::LostWakeup => "noLostWakeup",
        Kind::Livelock => "comesToAnEnd",
        Kind::Result => "resultsAreThoseOfSomeOrder",
    };
    // What was seen, and what the calls come to one at a time.
    let sentence = with_names(input.plan, &input.violation.summary);
    let how = "This test, for JUnit 5, fails while the fault is there and passes when it is corrected. It needs a JDK 17 or\n\
               later, and takes some seconds.";
    java(input, &name, method, &sentence, how)
}

fn java(input: &ReproducerInput<'_>, name: &str, method: &str, sentence: &str, how: &str) -> String {
    let class = Class {
        name,
        declaration: format!("class {name}"),
        entry: format!(
            "/**\n{} * If you fix the class, this passes.\n */\n\
             @Test\n\
             void {method}() throws Exception {{\n    \
             if (@DEBUGGER@.occurs()) {{\n        \
             fail({} + \"\\n\" + @DEBUGGER@.story());\n    \
             }}\n\
             }}\n",
            called(input),
            quoted(sentence)
        ),
        imports: &IMPORTS,
    };
    let file = class.file(input, &head(input, how));
    // A static import has no name that a class could take.
    file.replacen(
        "\nimport ",
        "\nimport static org.junit.jupiter.api.Assertions.fail;\n\nimport ",
        1,
    )
}

/// The calls, as lines of a comment.
fn called(input: &ReproducerInput<'_>) -> String {
    let mut text = String::from(
        " * Whatever the threads do first, this must come to what it comes to one call at a time:\n *\n",
    );
    for (_, part, call) in input.plan.calls() {
        let _ = writeln!(text, " *     {part}: {}", ascii(&call_in(input.plan, call)));
    }
    text.push_str(" *\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_named_for_the_class_and_the_finding() {
        let names = [
            (
                "java.util.Hashtable",
                "deadlock-1f00c4a2",
                "HashtableDeadlock1f00c4a2Test",
            ),
            (
                "p.Map$Entry",
                "lost-wakeup-00000001",
                "MapEntryLostWakeup00000001Test",
            ),
            ("p.1", "result-2", "Class1Result2Test"),
        ];
        for (class, id, name) in names {
            assert_eq!(junit_name(class, id), name);
        }
    }
}
