//! `raddle hunt --resume`: what was killed or ended goes on, and what cannot is refused.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use raddle_testkit::{Compiled, compile};
use serde_json::Value;

use crate::hunt::{Ground, assert_contains, class_path, fixtures};

/// Enough to find all there is in [`several`].
const PLANS: &str = "14";

/// The fast tests resume hunts with several jobs, which is the harder case, the full ones those with one as well.
const JOBS: &[&str] = if cfg!(feature = "full-tests") {
    &["1", "2"]
} else {
    &["2"]
};

/// A class with several faults: two counters, and locks in opposite order.
fn several() -> Compiled {
    compile(&[(
        "Several.java",
        "public class Several {
            private int a, b;
            private final Object left = new Object(), right = new Object();
            public int nextA() { return a++; }
            public int nextB() { return b++; }
            public void leftRight() { synchronized (left) { synchronized (right) { } } }
            public void rightLeft() { synchronized (right) { synchronized (left) { } } }
        }",
    )])
    .unwrap()
}

fn arguments<'a>(compiled: &'a Compiled, jobs: &'a str) -> Vec<&'a str> {
    let class_path = class_path(compiled);
    vec![
        "-cp",
        class_path,
        "Several",
        "--max-plans",
        PLANS,
        "--budget",
        "1h",
        "--jobs",
        jobs,
    ]
}

fn ids(document: &Value) -> Vec<String> {
    let findings = document["classes"][0]["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|finding| finding["id"].as_str().unwrap().to_owned())
        .collect()
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn append(path: &Path, text: &str) {
    let before = fs::read_to_string(path).unwrap();
    fs::write(path, before + text).unwrap();
}

/// Lines of the journal that tell of plans.
fn tried(ground: &Ground) -> usize {
    let journal = fs::read_to_string(ground.class("Several").join("journal.jsonl"));
    let journal = journal.unwrap_or_default();
    journal
        .lines()
        .filter(|line| line.starts_with("{\"tried\""))
        .count()
}

/// Starts a hunt, and kills it as soon as it has tried so many plans.
fn kill_after(ground: &Ground, arguments: &[&str], plans: usize) {
    let mut child = ground
        .command(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while tried(ground) < plans {
        assert_eq!(child.try_wait().unwrap(), None, "it ended before it was killed");
        thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(json(&ground.class("Several").join("run.json"))["finished"], false);
}

#[test]
fn a_hunt_that_was_killed_comes_to_the_findings_of_one_that_was_not() {
    let compiled = several();
    for jobs in JOBS {
        let arguments = [arguments(&compiled, jobs), vec!["--stock-jvm=never"]].concat();
        let whole = Ground::new().document(&arguments, 1);
        assert!(ids(&whole).len() >= 3, "{whole:#}");

        let ground = Ground::new();
        kill_after(&ground, &arguments, 1);
        kill_after(&ground, &["--resume", "--stock-jvm=never"], 3);
        let class = ground.class("Several");
        let before = ids(&json(&class.join("run.json")));
        assert!(!before.is_empty());
        append(&class.join("journal.jsonl"), "{\"tried\":[{\"pla");
        append(&class.join("events.jsonl"), "{\"event\":\"fin");
        let resumed = ground.document(&["--resume", "--stock-jvm=never"], 1);
        assert_eq!(ids(&resumed), ids(&whole));
        assert!(ids(&resumed).starts_with(&before), "{before:?}");
        for number in ["plans", "failed_plans", "repeats", "pairs_tried"] {
            assert_eq!(
                resumed["classes"][0]["numbers"][number], whole["classes"][0]["numbers"][number],
                "{number}, {jobs} jobs"
            );
        }
        let events = fs::read_to_string(class.join("events.jsonl")).unwrap();
        let names: Vec<String> = events
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["event"].to_string())
            .filter(|name| {
                !["\"progress\"", "\"finding\"", "\"also\"", "\"stock_jvm\""].contains(&name.as_str())
            })
            .collect();
        assert_eq!(names, ["\"begun\"", "\"resumed\"", "\"resumed\"", "\"ended\""]);
    }
}

#[cfg(feature = "full-tests")]
#[test]
fn a_hunt_that_is_done_is_told_again_or_goes_on_with_more_plans() {
    let compiled = several();
    let ground = Ground::new();
    let few = [
        &arguments(&compiled, "1")[..3],
        &["--max-plans", "2", "--jobs", "1"],
    ]
    .concat();
    let first = ground.document(&few, 1);
    let events = ground.class("Several").join("events.jsonl");
    let before = fs::read_to_string(&events).unwrap();

    let told = ground.hunt(&["--resume"]);
    assert_eq!((told.code, told.stderr.as_str()), (1, ""), "{told:#?}");
    assert_contains(
        &told.stdout,
        &[
            &format!("   {}   found before, see raddle-out/Several/", ids(&first)[0]),
            "\nSeveral: ",
            "\nnothing was left to do; a larger --budget",
        ],
    );
    assert!(!told.stdout.contains("What the threads did"), "{told:#?}");
    let document = ground.document(&["--resume"], 1);
    assert_eq!(document["classes"], first["classes"]);
    assert_eq!(fs::read_to_string(&events).unwrap(), before, "nothing was done");

    let whole = Ground::new().document(&arguments(&compiled, "1"), 1);
    let more = ground.document(&["--resume", "--max-plans", PLANS, "--budget", "1h"], 1);
    assert!(ids(&more).len() > ids(&first).len(), "{more:#}");
    assert_eq!(ids(&more), ids(&whole));
}

#[test]
fn a_hunt_that_was_interrupted_says_how_to_go_on_and_does() {
    let compiled = several();
    let ground = Ground::new();
    let arguments = arguments(&compiled, "1");
    let child = ground
        .command(&arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while tried(&ground) < 1 {
        thread::sleep(Duration::from_millis(10));
    }
    let sent = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_contains(
        &String::from_utf8(output.stdout).unwrap(),
        &[
            "the hunt was ended by ^C",
            "\nraddle hunt --resume goes on from here\n",
        ],
    );
    let whole = Ground::new().document(&arguments, 1);
    let resumed = ground.document(&["--resume"], 1);
    assert_eq!(ids(&resumed), ids(&whole));
    assert_eq!(resumed["classes"][0]["gaps"], Value::Array(Vec::new()));
}

#[test]
fn of_several_classes_only_those_that_were_not_done_are_hunted() {
    let compiled = compile(&[
        (
            "shop/Till.java",
            "package shop; public class Till { private volatile int sum; public int add() { return sum++; } }",
        ),
        (
            "shop/Desk.java",
            "package shop; public class Desk { private volatile int sum; public int add() { return sum++; } }",
        ),
    ])
    .unwrap();
    let ground = Ground::new();
    let arguments = [
        "-cp",
        class_path(&compiled),
        "shop.*",
        "--max-plans",
        "2",
        "--jobs",
        "1",
    ];
    let whole = ground.document(&arguments, 1);
    // As if it had been killed between the two.
    let (desk, till) = (ground.class("shop.Desk"), ground.class("shop.Till"));
    fs::remove_file(till.join("journal.jsonl")).unwrap();
    let written = fs::metadata(desk.join("run.json")).unwrap().modified().unwrap();
    let resumed = ground.document(&["--resume"], 1);
    let names = |document: &Value| {
        let classes = document["classes"].as_array().unwrap();
        classes
            .iter()
            .map(|class| (class["class"].clone(), class["findings"][0]["id"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&resumed), names(&whole));
    assert_eq!(
        fs::metadata(desk.join("run.json")).unwrap().modified().unwrap(),
        written
    );
    let events = fs::read_to_string(till.join("events.jsonl")).unwrap();
    assert!(events.starts_with("{\"event\":\"begun\""), "{events}");
}

#[test]
fn what_cannot_be_resumed_is_refused() {
    let ground = Ground::new();
    ground
        .hunt(&["--resume"])
        .is_refused(&["there is no hunt to resume in raddle-out", "--out"]);
    ground
        .hunt(&["--resume", "--out", "elsewhere"])
        .is_refused(&["there is no hunt to resume in elsewhere"]);

    let compiled = several();
    let arguments = [
        "-cp",
        class_path(&compiled),
        "Several",
        "--max-plans",
        "1",
        "--stop-at-first",
    ];
    ground.document(&arguments, 1);
    for (other, then) in [
        (&["--seed", "9"][..], "begun with --seed 1;"),
        (&["--strategy", "covcon"], "begun with --strategy portfolio;"),
        (&["--kinds", "deadlock"], "begun with --kinds exception,deadlock,"),
        (&["--jobs", "7"], "begun with --jobs "),
        (&["--class-path", fixtures()], "begun with --class-path '"),
        (&["--no-cage"], "begun without --no-cage;"),
        (&["java.util.Vector"], "begun for Several;"),
    ] {
        let run = ground.hunt(&[&["--resume"], other].concat());
        run.is_refused(&[then, "leave --resume out"]);
    }
    let same = ["--resume", "--seed", "1", "Several", "-cp", class_path(&compiled)];
    assert_eq!(ground.hunt(&same).code, 1, "said again as it was");

    let request = ground.0.path().join("raddle-out").join("hunt.json");
    let text = fs::read_to_string(&request).unwrap();
    let version = json(&request)["jdk_version"].to_string();
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{text}");
        fs::write(&request, text.replace(from, to)).unwrap();
        ground.hunt(&["--resume"])
    };
    with(&version, "\"16.0.1\"").is_refused(&["ran on JDK 16.0.1, and this is JDK ", "--jdk"]);
    with("\"raddle\": \"0", "\"raddle\": \"99.0").is_refused(&["begun by raddle 99.0", "and this is"]);
    with("\"raddle_hunt\": 1", "\"raddle_hunt\": 7").is_refused(&["hunt.json", "it is of version 7"]);
    with("\"seed\"", "\"need\"").is_refused(&["hunt.json cannot be used", "seed"]);
    fs::write(&request, &text).unwrap();

    let class = compiled.classes().join("Several.class");
    fs::copy(&class, compiled.classes().join("Other.class")).unwrap();
    ground
        .hunt(&["--resume"])
        .is_refused(&["the classes on the class path have changed", "leave --resume out"]);
}

#[test]
fn a_journal_of_other_plans_is_refused() {
    let compiled = several();
    let ground = Ground::new();
    let arguments = arguments(&compiled, "1");
    kill_after(&ground, &arguments, 1);
    let journal = ground.class("Several").join("journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let mark = text
        .split("\"plan\":\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    fs::write(&journal, text.replace(mark, "00000000")).unwrap();
    ground.hunt(&["--resume"]).is_refused(&[
        "the hunt of Several cannot be resumed",
        "other plans are made now than then",
    ]);
}

#[test]
fn findings_that_no_stock_jvm_was_asked_for_are_tried_when_the_hunt_is_resumed() {
    let (ground, compiled) = (Ground::new(), several());
    let stock_jvm = |document: &Value| {
        let findings = document["classes"][0]["findings"].as_array().unwrap();
        findings
            .iter()
            .map(|finding| finding["stock_jvm"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let first = ground.document(
        &[arguments(&compiled, "1"), vec!["--stock-jvm=never"]].concat(),
        1,
    );
    let count = ids(&first).len();
    assert_eq!(stock_jvm(&first), vec!["untried"; count]);
    let again = ground.document(&["--resume", "--stock-jvm=always"], 1);
    assert_eq!(ids(&again), ids(&first));
    assert_eq!(stock_jvm(&again), vec!["confirmed"; count]);
    let class = ground.class("Several");
    assert_eq!(
        stock_jvm(&json(&class.join("run.json"))),
        vec!["confirmed"; count]
    );
    for id in ids(&again) {
        let text = fs::read_to_string(class.join("findings").join(id).join("interleaving.txt")).unwrap();
        assert_contains(&text, &["\n  confirmed on a stock JVM by its reproducer\n"]);
    }
}
