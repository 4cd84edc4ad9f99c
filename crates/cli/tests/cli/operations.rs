//! A run that nothing upsets: readers that go away, signals, full disks, two hunts at once, what killed runs leave behind.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::hunt::{Ground, assert_contains, fixtures};
use crate::raddle::{Run, analyze};

const FIRST_DEADLOCK: [&str; 5] = [
    "java.lang.StringBuffer",
    "--kinds",
    "deadlock",
    "--stop-at-first",
    "--stock-jvm=never",
];

/// What is left in a directory.
fn entries(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    entries.map(name).collect()
}

/// A hunt that does not end by itself, once it has begun to try plans.
fn endless(ground: &Ground, temporary: &Path) -> Child {
    let inner = ground.command(&["java.util.Hashtable", "--budget", "1h", "--stock-jvm=never"]);
    // Whoever runs the tests under nohup hands its deafness on.
    let mut child = Command::new("env")
        .arg("--default-signal=HUP")
        .arg(inner.get_program())
        .args(inner.get_args())
        .current_dir(ground.0.path())
        .env("TMPDIR", temporary)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let journal = ground.class("java.util.Hashtable").join("journal.jsonl");
    while fs::read_to_string(&journal).unwrap_or_default().lines().count() < 2 {
        assert_eq!(child.try_wait().unwrap(), None, "it ended by itself");
        thread::sleep(Duration::from_millis(10));
    }
    child
}

fn send(child: &Child, signal: &str) {
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args([signal, &pid])
            .status()
            .unwrap()
            .success()
    );
}

#[test]
fn a_reader_that_has_seen_enough_does_not_change_the_verdict() {
    let ground = Ground::new();
    let mut child = ground
        .command(&FIRST_DEADLOCK)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Both ends of the pipe are gone before anything is written.
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn nobody_who_listens_to_complaints_does_not_change_the_verdict() {
    let ground = Ground::new();
    let mut command = ground.command(&FIRST_DEADLOCK);
    // Something to complain about.
    let class = ground.class("java.lang.StringBuffer");
    fs::create_dir_all(&class).unwrap();
    fs::write(class.join("findings"), "").unwrap();
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn what_cannot_be_written_is_printed_all_the_same() {
    let ground = Ground::new();
    let class = ground.class("java.lang.StringBuffer");
    fs::create_dir_all(&class).unwrap();
    // No file can be written below a file, as none can on a full disk.
    fs::write(class.join("findings"), "").unwrap();
    let run = ground.hunt(&FIRST_DEADLOCK);
    assert_eq!(run.code, 1, "{run:#?}");
    assert_contains(
        &run.stdout,
        &[
            "deadlock   java.lang.StringBuffer   deadlock-",
            "\njava.lang.StringBuffer: 1 violation\n",
        ],
    );
    assert_contains(
        &run.stderr,
        &["WARNING: cannot write to raddle-out: ", "the hunt goes on"],
    );
}

#[test]
fn two_hunts_in_one_folder_are_refused() {
    let ground = Ground::new();
    let out = ground.0.path().join("raddle-out");
    fs::create_dir(&out).unwrap();
    let other = File::open(&out).unwrap();
    other.try_lock().unwrap();
    for arguments in [&["java.lang.StringBuffer"][..], &["--resume"]] {
        let run = ground.hunt(arguments);
        run.is_refused(&["another hunt is writing to raddle-out", "--out"]);
    }
    assert!(entries(&out).is_empty());
}

#[cfg(feature = "full-tests")]
#[test]
fn whoever_ends_a_hunt_politely_gets_the_summary_and_no_leftovers() {
    for signal in ["-TERM", "-HUP"] {
        let ground = Ground::new();
        let temporary = tempfile::tempdir().unwrap();
        let child = endless(&ground, temporary.path());
        send(&child, signal);
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            matches!(output.status.code(), Some(1 | 3)),
            "{signal}: {:?}",
            output.status
        );
        assert_contains(
            &text,
            &["java.util.Hashtable: ", "raddle hunt --resume goes on from here"],
        );
        assert_eq!(entries(temporary.path()), [""; 0], "{signal}");
    }
}

#[test]
fn nohup_is_respected() {
    let ground = Ground::new();
    let inner = ground.command(&["java.util.Hashtable", "--budget", "1h", "--stock-jvm=never"]);
    let mut child = Command::new("nohup")
        .arg(inner.get_program())
        .args(inner.get_args())
        .current_dir(ground.0.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let journal = ground.class("java.util.Hashtable").join("journal.jsonl");
    let tried = || fs::read_to_string(&journal).unwrap_or_default().lines().count();
    while tried() < 2 {
        thread::sleep(Duration::from_millis(10));
    }
    send(&child, "-HUP");
    let then = tried();
    while tried() < then + 3 {
        assert_eq!(child.try_wait().unwrap(), None, "it ended with its terminal");
        thread::sleep(Duration::from_millis(10));
    }
    send(&child, "-TERM");
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with("java.util.Hashtable: ")));
    child.wait().unwrap();
}

#[test]
fn what_a_killed_run_leaves_behind_is_removed_by_the_next() {
    let ground = Ground::new();
    let temporary = tempfile::tempdir().unwrap();
    let mut child = endless(&ground, temporary.path());
    child.kill().unwrap();
    child.wait().unwrap();
    let left = entries(temporary.path());
    assert!(!left.is_empty(), "a worker had a directory");
    for name in &left {
        let old = Command::new("touch")
            .args(["-d", "10 minutes ago"])
            .arg(temporary.path().join(name))
            .status();
        assert!(old.unwrap().success());
    }
    let run = Run::of(
        Ground::new()
            .command(&FIRST_DEADLOCK)
            .env("TMPDIR", temporary.path()),
    );
    assert_eq!(run.code, 1, "{run:#?}");
    assert_eq!(entries(temporary.path()), [""; 0]);
}

#[test]
fn a_place_for_tests_that_cannot_be_written_to_is_named() {
    let run = Run::of(Ground::new().command(&FIRST_DEADLOCK).env("TMPDIR", "/proc"));
    assert_eq!(run.code, 3, "{run:#?}");
    assert_contains(
        &run.stderr,
        &["cannot make a directory for tests in /proc", "TMPDIR"],
    );
}

#[test]
fn a_pattern_without_a_package_is_about_the_class_path() {
    let text = analyze(&["**", "-cp", fixtures(), "--json"]).stdout;
    let document: Value = serde_json::from_str(&text).unwrap();
    let classes = document["classes"].as_array().unwrap();
    let names: Vec<&str> = classes
        .iter()
        .map(|class| class["class"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"Counter"), "{names:?}");
    assert!(!names.iter().any(|name| name.starts_with("java.")), "{names:?}");
    assert_eq!(analyze(&["java.util.Hash*", "-cp", fixtures()]).code, 0);
}

#[test]
fn a_cage_can_be_required() {
    let run = Ground::new().hunt(&[&FIRST_DEADLOCK[..], &["--require-cage"]].concat());
    assert_eq!(run.code, 1, "{run:#?}");
    let run = Ground::new().hunt(&["java.lang.StringBuffer", "--require-cage", "--no-cage"]);
    assert_eq!(run.code, 2, "{run:#?}");
}
