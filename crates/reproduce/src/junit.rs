//! The JUnit test: fails when the recorded run, made again, shows the violation.

use std::path::PathBuf;

use raddle_oracle::Kind;
use raddle_plan::TestPlan;

use crate::debugger::HELPER_FILE;
use crate::file::{FAULT, ascii, quoted};
use crate::{CLASS, Class, FULL_NAME, ReproducerInput, SHORT_TABLE, head};
use raddle_plan::plan_text::{simple_name, with_names};

const TEST: &str = "org.junit.jupiter.api.Test";
/// How the names of packages begin that are those of the JDK, or may be.
const PLATFORM: [&str; 5] = ["java.", "javax.", "jdk.", "sun.", "com.sun."];

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

/// Where the file of [`junit_test`] is, below the folder of all sources.
pub fn junit_file(input: &ReproducerInput<'_>) -> PathBuf {
    in_its_package(input).source_file(&junit_name(input.class_name, input.id))
}

/// The plan, for a test in the package of the class. Nobody but the JDK has classes in the packages of the JDK.
fn in_its_package(input: &ReproducerInput<'_>) -> TestPlan {
    let mut plan = input.plan.clone();
    let package = input
        .class_name
        .rsplit_once('.')
        .map_or("", |(package, _)| package);
    let is_platform = PLATFORM
        .iter()
        .any(|platform| input.class_name.starts_with(platform));
    if plan.package.is_none() && !is_platform && package.is_ascii() && TestPlan::can_be_package(package) {
        plan.package = Some(package.to_owned());
    }
    plan
}

/// A JUnit 5 test that forces a schedule and fails when the calls do what they do in no order.
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
        Kind::Livelock => "allThreadsEnd",
        Kind::Result => "resultsAreThoseOfSomeOrder",
    };
    // What was seen, and what the calls do one at a time.
    let sentence = with_names(input.plan, &input.violation.summary);
    let how = "For JUnit 5. It takes some seconds.";
    java(input, &name, method, &sentence, how)
}

fn java(input: &ReproducerInput<'_>, name: &str, method: &str, sentence: &str, how: &str) -> String {
    let plan = in_its_package(input);
    let helper_file = format!(
        "{how}\nAll tests of a project share the file {HELPER_FILE}. Nothing else is needed but a JDK, 17 or later."
    );
    let entry = format!(
        "    /** If you fix {}, this passes. */\n    \
         @Test\n    \
         void {method}() throws Exception {{\n        \
         interleaving().mustNotOccur(\n\
         {FAULT}\n    \
         }}\n",
        ascii(simple_name(input.class_name)),
    );
    let class = Class {
        plan: &plan,
        name,
        declaration: format!("class {name}"),
        entry: &entry,
        fault: quoted(sentence),
        helper: CLASS,
    };
    let imports = [FULL_NAME, TEST].map(str::to_owned);
    class.file(input, &head(input, &helper_file, SHORT_TABLE), &imports, "")
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
