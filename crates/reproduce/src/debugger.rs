//! The nested class that makes the threads of the test take turns, through the JDK's debugger interface.

use std::fmt::Write;

use raddle_plan::{EventKind, TestPlan};

use crate::file::{ascii, free_name, quoted};
use crate::steps::{Step, Stop};
use raddle_plan::plan_text::place_text;

const DEBUGGER: &str = include_str!("Debugger.java.txt");
/// Stands for the steps.
const SCHEDULE: &str = "    @SCHEDULE@\n";
/// The classes that it names, besides those of `java.lang` that every file may use.
pub(super) const IMPORTS: [&str; 56] = [
    "com.sun.jdi.Bootstrap",
    "com.sun.jdi.ClassNotLoadedException",
    "com.sun.jdi.ClassType",
    "com.sun.jdi.IncompatibleThreadStateException",
    "com.sun.jdi.IntegerValue",
    "com.sun.jdi.InvalidTypeException",
    "com.sun.jdi.Location",
    "com.sun.jdi.Method",
    "com.sun.jdi.ObjectReference",
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
    "java.io.BufferedReader",
    "java.io.File",
    "java.io.IOException",
    "java.io.InputStream",
    "java.io.InputStreamReader",
    "java.io.UncheckedIOException",
    "java.lang.ClassLoader",
    "java.lang.IllegalStateException",
    "java.lang.Process",
    "java.lang.ProcessBuilder",
    "java.net.URI",
    "java.net.URL",
    "java.net.URLClassLoader",
    "java.nio.ByteBuffer",
    "java.nio.file.Files",
    "java.nio.file.Path",
    "java.security.CodeSource",
    "java.util.ArrayList",
    "java.util.Collections",
    "java.util.HashMap",
    "java.util.HashSet",
    "java.util.LinkedHashSet",
    "java.util.List",
    "java.util.Map",
    "java.util.Set",
    "java.util.TreeSet",
    "java.util.concurrent.TimeUnit",
    "java.util.stream.Stream",
];

/// The names of the nested classes.
pub(super) struct Names {
    pub(super) scenario: String,
    debugger: String,
}

impl Names {
    /// Names that hide none of the plan's classes.
    pub(super) fn free_in(plan: &TestPlan) -> Names {
        Names {
            scenario: free_name(plan, "Scenario"),
            debugger: free_name(plan, "Debugger"),
        }
    }

    pub(super) fn put_into(&self, text: &str) -> String {
        text.replace("@SCENARIO@", &self.scenario)
            .replace("@DEBUGGER@", &self.debugger)
    }
}

/// The class.
pub(super) fn class(plan: &TestPlan, steps: &[Step], names: &Names, is_expected: bool) -> String {
    // What is not expected is tried once more, and then looked for elsewhere: the code may have changed.
    let attempts = if is_expected { "2" } else { "1" };
    let text = DEBUGGER
        .replace("@ATTEMPTS@", attempts)
        .replace("@ALWAYS@", if is_expected { "true" } else { "false" })
        .replace("@THREADS@", &plan.threads.len().to_string())
        .replace(SCHEDULE, &schedule(steps));
    names.put_into(&text)
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
                verb(*kind),
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

fn verb(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Enter => "take a lock",
        EventKind::Atomic => "access something atomically",
        EventKind::Woken => "go on after a wait",
        EventKind::Loop => "go round a loop",
        other => other.name(),
    }
}
