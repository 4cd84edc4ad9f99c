//! `raddle run` and `raddle replay` on a real JVM, with classes of the JDK.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use raddle_testkit::{Compiled, compile};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::raddle::{Run, command, raddle};

/// A directory with a plan in it.
struct Plan {
    directory: TempDir,
    path: PathBuf,
}

impl Plan {
    fn new(value: &Value) -> Plan {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("plan.json");
        fs::write(&path, value.to_string()).unwrap();
        Plan { directory, path }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command();
        command
            .arg("run")
            .arg(&self.path)
            .args(arguments)
            .current_dir(self.directory.path());
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        Run::of(&mut self.command(arguments))
    }

    /// The recording of the first violation of a kind; its number depends on what else was seen before.
    fn saved_as(&self, ending: &str) -> PathBuf {
        let mut files: Vec<PathBuf> = std::fs::read_dir(self.saved(""))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.to_str().unwrap().ends_with(ending))
            .collect();
        files.sort();
        files.remove(0)
    }

    fn saved(&self, name: &str) -> PathBuf {
        self.directory.path().join("raddle-out").join(name)
    }
}

fn call(class: &str, member: &str, on: &str, args: &Value) -> Value {
    json!({"invoke": "virtual", "member": format!("{class}.{member}"), "on": on, "args": args})
}

fn new(class: &str, variable: &str) -> Value {
    json!({"let": variable, "invoke": "new", "member": format!("{class}.<init>()V")})
}

/// Two threads add to one collection; then its size is asked for.
fn two_adds(class: &str) -> Plan {
    let add = |text: &str| {
        call(
            class,
            "add(Ljava/lang/Object;)Z",
            "list",
            &json!([{"string": text}]),
        )
    };
    Plan::new(&json!({
        "raddle_plan": 1,
        "name": "two adds",
        "prefix": [new(class, "list")],
        "threads": [[add("a")], [add("b")]],
        "after": [call(class, "size()I", "list", &json!([]))],
    }))
}

fn replay(file: &Path) -> Run {
    raddle(&[Path::new("replay"), file])
}

#[test]
fn a_lost_update_is_found_saved_and_repeated() {
    let plan = two_adds("java.util.ArrayList");
    let run = plan.run(&["--schedules", "500"]);
    assert_eq!(run.code, 1, "{run:#?}");
    for part in [
        "wrong result   two adds\n",
        "    after     list.size()             returned 1\n",
        " of 500 schedules, first in number ",
        "a fresh JVM did the same again",
        " switches each",
    ] {
        assert!(run.stdout.contains(part), "{part:?} is not in {run:#?}");
    }
    assert_eq!(run.stderr, "", "nothing but results on a pipe");
    let replayed = replay(&plan.saved_as("-result.json"));
    assert_eq!(replayed.code, 0, "{replayed:#?}");
    for part in [
        "thread 1   ",
        "call list.add(\"a\")",
        "write list.size",
        "ArrayList.java:",
        "\nidentical: the same ",
    ] {
        assert!(replayed.stdout.contains(part), "{part:?} is not in {replayed:#?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_document() {
    let plan = two_adds("java.util.ArrayList");
    let document = || {
        let run = plan.run(&["--schedules", "300", "--json", "--seed", "5"]);
        assert_eq!((run.code, run.stderr.as_str()), (1, ""), "{run:#?}");
        let mut value: Value = serde_json::from_str(&run.stdout).unwrap();
        value.as_object_mut().unwrap().remove("rates").unwrap();
        value
    };
    let first = document();
    assert_eq!(first["schema"], "raddle.run/1");
    assert_eq!(first["conclusion"], "violations");
    assert_eq!(first["findings"][0]["repeated"], true);
    assert_eq!(first, document());
}

#[test]
fn a_correct_class_is_explored_to_the_end() {
    let run = two_adds("java.util.Vector").run(&["--scheduler", "bounded:1"]);
    assert_eq!(run.code, 0, "{run:#?}");
    assert!(
        run.stdout
            .contains("\nno violation in all interleavings with at most 1 preemption ("),
        "{run:#?}"
    );
    assert!(
        run.stdout
            .contains(" interleavings with at most 1 preemption were run."),
        "{run:#?}"
    );
}

#[test]
fn a_class_that_is_not_instrumented_makes_the_run_inconclusive() {
    // The race is out of reach then, and must not be reported as absent.
    let run = two_adds("java.util.ArrayList").run(&["--schedules", "200", "--unplug", "java.util.ArrayList"]);
    assert_eq!(run.code, 3, "{run:#?}");
    assert!(
        run.stdout
            .contains("no switch could happen inside of java.util.ArrayList (left alone on purpose)"),
        "{run:#?}"
    );
    assert!(!run.stdout.contains("no violation"), "{run:#?}");
}

#[test]
fn a_probe_that_is_not_caught_makes_the_run_inconclusive() {
    // The plan does not use the class, but the probe does.
    let run = two_adds("java.util.Vector").run(&["--schedules", "50", "--unplug", "java.util.ArrayList"]);
    assert_eq!(run.code, 3, "{run:#?}");
    assert!(
        run.stdout
            .contains("a test that is known to fail did not: the lost update of two threads"),
        "{run:#?}"
    );
}

#[test]
fn bad_input_is_refused() {
    let missing = Plan::new(&json!({
        "raddle_plan": 1,
        "prefix": [new("com.acme.Nothing", "x")],
        "threads": [[], []],
    }));
    missing.run(&[]).is_refused(&["com.acme.Nothing"]);
    let wrong_method = Plan::new(&json!({
        "raddle_plan": 1,
        "prefix": [new("java.util.Vector", "list")],
        "threads": [[call("java.util.Vector", "size()J", "list", &json!([]))], []],
    }));
    wrong_method
        .run(&[])
        .is_refused(&["java.util.Vector has no method size()J", "there is size()I"]);
    let written = |class: &str, method: &str| {
        Plan::new(&json!({
            "raddle_plan": 1,
            "prefix": [{"let": "f", "invoke": "implement", "member": format!("{class}.<init>()V"),
                        "methods": [{"name": method, "descriptor": "()V"}]}],
            "threads": [[], []],
        }))
        .run(&[])
    };
    written("com.acme.Listener", "run").is_refused(&["com.acme.Listener"]);
    written("java.util.TimerTask", "run")
        .is_refused(&["java.util.TimerTask is no interface; use \"extend\""]);
    written("java.lang.Runnable", "walk").is_refused(&["java.lang.Runnable has no method walk()V"]);
    Plan::new(&json!({"name": "left-pad"}))
        .run(&[])
        .is_refused(&["no test plan"]);
    raddle(&["run", "/nonexistent/plan.json"]).is_refused(&["/nonexistent/plan.json"]);
    raddle(&["replay", "/nonexistent/run.json"]).is_refused(&["/nonexistent/run.json"]);
    let plan = two_adds("java.util.Vector");
    plan.run(&["-cp", "/nonexistent.jar"])
        .is_refused(&["/nonexistent.jar"]);
    plan.run(&["--jdk", "/nonexistent"]).is_refused(&["/nonexistent"]);
    let wrong = plan.run(&["--scheduler", "dice"]);
    assert_eq!(wrong.code, 2, "{wrong:#?}");
    let both = plan.run(&["--schedules", "5", "--budget", "5s"]);
    assert_eq!(both.code, 2, "{both:#?}");
}

/// Objects of this class leave a mark of every run, and lose updates.
fn marking_counter(marks: &Path) -> Compiled {
    let source = format!(
        "public class Marking {{
            private int sum;
            public Marking() throws java.io.IOException {{
                try (var marks = new java.io.FileOutputStream({:?}, true)) {{
                    marks.write('.');
                }}
            }}
            public void add() {{ sum++; }}
            public int sum() {{ return sum; }}
        }}",
        marks.to_str().unwrap()
    );
    compile(&[("Marking.java", &source)]).unwrap()
}

#[test]
fn an_interrupt_ends_the_run_with_what_was_found() {
    let outside = tempfile::tempdir().unwrap();
    let marks = outside.path().join("marks");
    let compiled = marking_counter(&marks);
    let add = call("Marking", "add()V", "it", &json!([]));
    let plan = Plan::new(&json!({
        "raddle_plan": 1,
        "prefix": [new("Marking", "it")],
        "threads": [[add], [add]],
        "after": [call("Marking", "sum()I", "it", &json!([]))],
    }));
    let class_path = compiled.classes().to_str().unwrap();
    let mut child = plan
        .command(&["--budget", "10m", "--no-cage", "-cp", class_path])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // More runs than it takes to lose an update, by far.
    while fs::metadata(&marks).map_or(0, |marks| marks.len()) < 2_000 {
        assert_eq!(child.try_wait().unwrap(), None, "it ended by itself");
        thread::sleep(Duration::from_millis(10));
    }
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("the run was ended by ^C"), "{text}");
    assert!(text.contains("wrong result"), "{text}");
}

#[test]
fn a_test_cannot_leave_its_cage_and_can_with_permission() {
    // The file is made in the thread, outside of the worker's directory.
    let outside = tempfile::tempdir().unwrap();
    let file = outside.path().join("made-by-a-test");
    let plan = Plan::new(&json!({
        "raddle_plan": 1,
        "prefix": [{
            "let": "file",
            "invoke": "new",
            "member": "java.io.File.<init>(Ljava/lang/String;)V",
            "args": [{"string": file.to_str().unwrap()}],
        }],
        "threads": [
            [{"invoke": "virtual", "member": "java.io.File.createNewFile()Z", "on": "file"}],
            [],
        ],
    }));
    let caged = plan.run(&["--schedules", "1"]);
    assert!(!file.exists(), "{caged:#?}");
    let free = plan.run(&["--schedules", "1", "--no-cage"]);
    assert!(file.exists(), "{free:#?}");
}
