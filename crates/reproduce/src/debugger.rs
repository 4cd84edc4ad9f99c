//! The class that makes the threads of a test take turns, through the JDK's debugger interface: the same for every test.

use std::fmt::Write;

use raddle_plan::{EventKind, TestPlan};

use crate::file::{ascii, free_name, qualified, quoted};
use crate::steps::{Step, Stop};
use raddle_plan::plan_text::place_text;

/// The class that tests use, by its simple name.
pub(super) const CLASS: &str = "Interleaving";
/// It has a package, since classes without one cannot be imported.
pub(super) const FULL_NAME: &str = "interleaving.Interleaving";
/// Where its file is, below the folder of all sources.
pub const HELPER_FILE: &str = "interleaving/Interleaving.java";

/// In one file these are one class.
const PARTS: [&str; 4] = [
    include_str!("Interleaving.java.txt"),
    include_str!("Scenario.java.txt"),
    include_str!("Text.java.txt"),
    include_str!("Debugger.java.txt"),
];

/// The file that all JUnit tests of a project share.
pub fn helper_file() -> String {
    PARTS.concat()
}

/// The same for a file that needs no other.
pub(super) struct Embedded {
    pub(super) name: String,
    pub(super) imports: Vec<String>,
    pub(super) text: String,
}

impl Embedded {
    /// Under a name that hides none of the plan's classes.
    pub(super) fn free_in(plan: &TestPlan) -> Embedded {
        let name = free_name(plan, CLASS);
        let file = helper_file();
        let import = |line: &str| Some(line.strip_prefix("import ")?.strip_suffix(';')?.to_owned());
        let class = file.find("/**\n").map_or("", |at| &file[at..]);
        Embedded {
            imports: file.lines().filter_map(import).collect(),
            text: qualified(
                &class.replacen("public final class", "final class", 1),
                CLASS,
                &name,
            ),
            name,
        }
    }
}

/// The steps as Java, a line each.
pub(super) fn schedule(steps: &[Step]) -> Vec<String> {
    let mut lines = Vec::new();
    for step in steps {
        let thread = step.thread;
        if let Some((kind, place)) = &step.pending {
            let mut line = String::new();
            let _ = write!(
                line,
                "// Thread {thread} is about to {}: {}.",
                verb(*kind),
                ascii(&place_text(place))
            );
            lines.push(line);
        }
        let place = |name: &str, place: &raddle_plan::Place, times: usize| {
            format!(
                ".{name}({thread}, {}, {}, {}, {}, {times})",
                quoted(&place.class),
                quoted(&place.method),
                quoted(&place.descriptor),
                place.bci
            )
        };
        lines.push(match &step.stop {
            Stop::Call(call) => format!(".runToCall({thread}, {call})"),
            Stop::At(at, times) => place("runTo", at, *times),
            Stop::After(after, times) => place("runPast", after, *times),
            Stop::Blocked => format!(".runUntilBlocked({thread})"),
            Stop::Waiting => format!(".runUntilWaiting({thread})"),
            Stop::End => format!(".runToEnd({thread})"),
        });
    }
    lines
}

fn verb(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Enter => "take a lock",
        EventKind::Atomic => "access something atomically",
        EventKind::Woken => "go on after a wait",
        EventKind::Loop => "go round a loop",
        other => other.name(),
    }
}
