//! `raddle hunt` and `raddle explain` on a real JVM.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use raddle_classpath::Jdk;
use raddle_testkit::{Compiled, compile, engine_classes};
use serde_json::Value;
use tempfile::TempDir;

use crate::raddle::{Run, command, raddle};

/// Bounds of a hunt that ends by itself after some plans, however fast the machine is.
const SOME_PLANS: [&str; 4] = ["--max-plans", "20", "--budget", "1h"];

/// A directory to hunt in.
pub(crate) struct Ground(pub(crate) TempDir);

impl Ground {
    pub(crate) fn new() -> Ground {
        Ground(tempfile::tempdir().unwrap())
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command();
        command.arg("hunt").args(arguments).current_dir(self.0.path());
        command
    }

    pub(crate) fn hunt(&self, arguments: &[&str]) -> Run {
        Run::of(&mut self.command(arguments))
    }

    pub(crate) fn document(&self, arguments: &[&str], code: i32) -> Value {
        let run = self.hunt(&[arguments, &["--json"]].concat());
        assert_eq!((run.code, run.stderr.as_str()), (code, ""), "{run:#?}");
        serde_json::from_str(&run.stdout).unwrap()
    }

    pub(crate) fn class(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join("raddle-out").join(name)
    }
}

pub(crate) fn fixtures() -> &'static str {
    engine_classes().unwrap().classes().to_str().unwrap()
}

pub(crate) fn class_path(compiled: &Compiled) -> &str {
    compiled.classes().to_str().unwrap()
}

pub(crate) fn assert_contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in:\n{text}");
    }
}

#[test]
fn a_deadlock_of_string_buffer_is_found_minimised_and_can_be_repeated() {
    let ground = Ground::new();
    let run = ground.hunt(&["java.lang.StringBuffer", "--kinds", "deadlock", "--stop-at-first"]);
    assert_eq!(run.code, 1, "{run:#?}");
    assert_contains(
        &run.stdout,
        &[
            "deadlock   java.lang.StringBuffer   deadlock-",
            "  What the threads did, from top to bottom:\n",
            "StringBuffer.java:",
            "reproduced in 2 fresh JVMs\n",
            "  confirmed on a stock JVM by its reproducer\n",
            "\njava.lang.StringBuffer: 1 violation\n",
        ],
    );
    let line = run
        .stdout
        .lines()
        .find(|line| line.contains("raddle replay "))
        .unwrap();
    let file = line.trim().strip_prefix("raddle replay ").unwrap();
    let replayed = Run::of(command().args(["replay", file]).current_dir(ground.0.path()));
    assert_eq!(replayed.code, 0, "{replayed:#?}");
    assert_contains(&replayed.stdout, &["\nidentical: the same "]);
    let findings = fs::read_dir(ground.class("java.lang.StringBuffer").join("findings"));
    let finding = findings.unwrap().next().unwrap().unwrap().path();
    let id = finding.file_name().unwrap().to_str().unwrap();
    let test = id.replace("deadlock-", "StringBufferDeadlock") + "Test";
    for (name, parts) in [
        ("finding.json", &["\"raddle_recording\""][..]),
        (
            "interleaving.txt",
            &["waits for", "\n  confirmed on a stock JVM by its reproducer\n"],
        ),
        ("Reproducer.java", &["class Reproducer "]),
        (&format!("{test}.java"), &[&format!("class {test} ")]),
    ] {
        assert_contains(&fs::read_to_string(finding.join(name)).unwrap(), parts);
    }
}

#[test]
fn a_finding_that_no_stock_jvm_was_asked_for_says_so() {
    let ground = Ground::new();
    let arguments = ["-cp", fixtures(), "Counter", "--stop-at-first"];
    let run = ground.hunt(&[&arguments[..], &["--no-confirm"]].concat());
    assert_contains(
        &run.stdout,
        &["\n  not tried on a stock JVM: --stock-jvm never was given\n"],
    );
    let run = ground.hunt(&[&arguments[..], &["--no-confirm", "--confirm"]].concat());
    assert_eq!(run.code, 2, "{run:#?}");
}

/// Workers load the JVM themselves, but a reproducer needs the program.
#[test]
fn a_finding_whose_reproducer_cannot_be_run_is_reported_and_labelled() {
    let ground = Ground::new();
    let jdk = ground.0.path().join("jdk");
    fs::create_dir(&jdk).unwrap();
    let home = Jdk::locate(None).unwrap().home().to_owned();
    for entry in fs::read_dir(home).unwrap() {
        let entry = entry.unwrap();
        if entry.file_name() != "bin" {
            std::os::unix::fs::symlink(entry.path(), jdk.join(entry.file_name())).unwrap();
        }
    }
    let arguments = ["-cp", fixtures(), "Counter", "--stop-at-first", "--jdk", "jdk"];
    let value = ground.document(&arguments, 1);
    let finding = &value["classes"][0]["findings"][0];
    // Which says nothing about the finding, so it counts.
    assert_eq!(finding["stock_jvm"], "untried", "{finding:#}");
    assert_contains(
        finding["stock_jvm_note"].as_str().unwrap(),
        &["the reproducer ended with", "cannot start", "jdk/bin/java"],
    );
    let folder = ground
        .class("Counter")
        .join("findings")
        .join(finding["id"].as_str().unwrap());
    assert_contains(
        &fs::read_to_string(folder.join("interleaving.txt")).unwrap(),
        &["\n  not tried on a stock JVM: the reproducer ended with"],
    );
}

#[test]
fn a_deadlock_of_hashtable_is_found_and_documented() {
    let ground = Ground::new();
    let value = ground.document(
        &["java.util.Hashtable", "--kinds", "deadlock", "--stop-at-first"],
        1,
    );
    assert_eq!(value["schema"], "raddle.hunt/1");
    assert_eq!(value["conclusion"], "violations");
    let finding = &value["classes"][0]["findings"][0];
    assert_eq!(finding["kind"], "deadlock");
    assert_eq!(finding["analysis_bug"], Value::Null);
    assert_eq!(
        finding["evidence"]["deadlock"]["cycle"].as_array().unwrap().len(),
        2
    );
    let class = ground.class("java.util.Hashtable");
    let written: Value = serde_json::from_str(&fs::read_to_string(class.join("run.json")).unwrap()).unwrap();
    assert_eq!(written["classes"][0]["findings"], value["classes"][0]["findings"]);
    assert_eq!(written["finished"], true);
    let events = fs::read_to_string(class.join("events.jsonl")).unwrap();
    let events: Vec<Value> = events
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(events.first().unwrap()["event"], "begun");
    assert!(
        events.iter().any(|event| event["id"] == finding["id"]),
        "{events:#?}"
    );
    assert_eq!(finding["stock_jvm"], "confirmed");
    let last = |name: &str| events.iter().rposition(|event| event["event"] == name);
    assert_eq!(last("stock_jvm").max(last("ended")), Some(events.len() - 1));
}

#[test]
fn a_lost_update_is_a_wrong_result_and_the_same_seed_finds_the_same() {
    let findings = || {
        let arguments = [
            "-cp",
            fixtures(),
            "Counter",
            "--max-plans",
            "12",
            "--budget",
            "1h",
            "--seed",
            "3",
            "--jobs",
            "1",
            "--no-confirm",
        ];
        let value = Ground::new().document(&arguments, 1);
        let mut findings = value["classes"][0]["findings"].clone();
        for finding in findings.as_array_mut().unwrap() {
            finding.as_object_mut().unwrap().remove("after_ms").unwrap();
        }
        findings
    };
    let first = findings();
    assert_eq!(first[0]["kind"], "result");
    assert_eq!(
        first[0]["plan"]["threads"][0].as_array().unwrap().len(),
        1,
        "minimal: {first:#}"
    );
    assert_eq!(first, findings());
}

/// The first exception of its kind loads classes, so that a fresh JVM takes other steps than the one that found it.
#[test]
fn a_fault_whose_first_run_in_a_jvm_differs_from_the_others_is_confirmed() {
    first_is_exception(
        "Pops",
        "import java.util.*;
         public class Pops {
             private final List<Integer> items = new ArrayList<>();
             public int push(int item) { synchronized (items) { items.add(item); return items.size(); } }
             public int pop() {
                 if (items.isEmpty()) { return -1; }
                 synchronized (items) { return items.remove(items.size() - 1); }
             }
         }",
    );
}

/// Every object has a lock of its own, and all share one map: no two calls on one object can go wrong.
#[test]
fn two_objects_that_share_nothing_but_static_state_break_each_other() {
    first_is_exception(
        "Member",
        "import java.util.*;
         public class Member {
             private static final Map<Integer, Member> ALL = new HashMap<>();
             private int number = -1;
             public synchronized int enter() {
                 int last = 0;
                 for (int taken : ALL.keySet()) { last = Math.max(last, taken); }
                 number = last + 1;
                 ALL.put(number, this);
                 return number;
             }
             public synchronized boolean leave() { return ALL.remove(number) != null; }
         }",
    );
}

/// A stock JVM makes other random identifiers in every run. Two that are the same are the same there, too.
#[test]
fn results_with_random_identifiers_are_confirmed_on_a_stock_jvm() {
    let source = "import java.util.UUID;
         public class Ids {
             private final String node = UUID.randomUUID().toString();
             private volatile int last;
             public String next() { last = last + 1; return node + '-' + last; }
         }";
    let compiled = compile(&[("Ids.java", source)]).unwrap();
    let arguments = ["-cp", class_path(&compiled), "Ids", "--stop-at-first"];
    let value = Ground::new().document(&[&arguments[..], &SOME_PLANS].concat(), 1);
    assert_eq!(
        value["classes"][0]["findings"][0]["stock_jvm"], "confirmed",
        "{value}"
    );
}

/// A cool-down of a millisecond is over before a JVM without control has made two calls, and then nothing is wrong any more.
#[test]
fn times_are_long_enough_for_a_stock_jvm() {
    let source = "import java.util.concurrent.atomic.AtomicInteger;
         public class CoolDown {
             private final long millis;
             private final AtomicInteger trials = new AtomicInteger();
             private volatile boolean isOpen;
             private volatile long openedAt;
             public CoolDown(long millis) {
                 if (millis <= 0) { throw new IllegalArgumentException(); }
                 this.millis = millis;
             }
             public void open() { isOpen = true; openedAt = System.currentTimeMillis(); }
             public boolean permits() {
                 if (!isOpen) { return true; }
                 if (System.currentTimeMillis() - openedAt < millis) { return false; }
                 trials.incrementAndGet();
                 return true;
             }
             public int trials() { return trials.get(); }
         }";
    let compiled = compile(&[("CoolDown.java", source)]).unwrap();
    let arguments = ["-cp", class_path(&compiled), "CoolDown", "--max-plans", "60"];
    let value = Ground::new().document(&[&arguments[..], &["--budget", "1h"]].concat(), 1);
    let findings = value["classes"][0]["findings"].as_array().unwrap();
    assert!(
        findings.iter().any(|finding| finding["stock_jvm"] == "confirmed"),
        "{value}"
    );
}

/// Loading a class asks how long that took. A class that asks for no time is not tried with time that has passed.
#[test]
fn who_asks_for_no_time_is_not_tried_later() {
    let source = "public class Plain {
             private int n;
             public synchronized int up(int by) { n += by; return n; }
         }";
    let compiled = compile(&[("Plain.java", source)]).unwrap();
    let ground = Ground::new();
    let arguments = ["-cp", class_path(&compiled), "Plain", "--stock-jvm=never"];
    ground.document(&[&arguments[..], &SOME_PLANS].concat(), 0);
    let journal = fs::read_to_string(ground.class("Plain").join("journal.jsonl")).unwrap();
    assert!(journal.contains("\"plan\""), "{journal}");
    assert!(!journal.contains("asks_time"), "{journal}");
}

/// An interface has no code that two threads could meet in. What it hands out has.
#[test]
fn in_place_of_an_interface_its_implementations_are_hunted() {
    let source = "public interface Ids {
             static Ids create() { return new Racy(); }
             int next();
             class Racy implements Ids {
                 private volatile int last;
                 private Racy() { }
                 public int next() { last = last + 1; return last; }
             }
         }";
    let compiled = compile(&[("Ids.java", source)]).unwrap();
    let arguments = [
        "-cp",
        class_path(&compiled),
        "Ids",
        "--stop-at-first",
        "--stock-jvm=never",
    ];
    let value = Ground::new().document(&[&arguments[..], &SOME_PLANS].concat(), 1);
    assert_eq!(value["classes"][0]["class"], "Ids$Racy", "{value}");
    let reason = value["skipped"][0]["reason"].as_str().unwrap();
    assert_contains(reason, &["an interface; hunted in its place: Ids$Racy"]);
}

/// Hunts a class that is written here until its first finding, which is an exception.
#[track_caller]
fn first_is_exception(name: &str, source: &str) {
    let compiled = compile(&[(&format!("{name}.java"), source)]).unwrap();
    let arguments = [
        "-cp",
        class_path(&compiled),
        name,
        "--kinds",
        "exception",
        "--stop-at-first",
        "--no-confirm",
    ];
    let value = Ground::new().document(&arguments, 1);
    assert_eq!(value["classes"][0]["findings"][0]["kind"], "exception", "{value}");
}

#[test]
fn a_correct_class_is_left_with_nothing_found() {
    let arguments = ["-cp", fixtures(), "SynchronizedCounter"];
    let run = Ground::new().hunt(&[&arguments[..], &SOME_PLANS].concat());
    assert_eq!(run.code, 0, "{run:#?}");
    assert_contains(
        &run.stdout,
        &[
            "SynchronizedCounter: nothing found\n",
            "self-check passed: 2 planted bugs were caught",
        ],
    );
}

#[test]
fn nothing_found_is_not_said_when_the_probes_are_missed() {
    let arguments = [
        "-cp",
        fixtures(),
        "SynchronizedCounter",
        "--unplug",
        "java.util.ArrayList",
    ];
    let run = Ground::new().hunt(&[&arguments[..], &SOME_PLANS].concat());
    assert_eq!(run.code, 3, "{run:#?}");
    assert_contains(&run.stdout, &["SynchronizedCounter: inconclusive"]);
    assert!(!run.stdout.contains("nothing found"), "{run:#?}");
}

#[test]
fn a_class_of_which_no_object_can_be_had_is_inconclusive() {
    let compiled = compile(&[
        (
            "Hidden.java",
            "public class Hidden { private int n; private Hidden() {} public synchronized int a() { return n++; } }",
        ),
        (
            "Base.java",
            // Nobody can extend it.
            "public abstract class Base { private int n; private Base() {} public int a() { return n++; } }",
        ),
    ])
    .unwrap();
    for (class, parts) in [
        ("java.util.Map", ["java.util.Map is an interface", "\n"]),
        ("Hidden", ["no object can be made to test", "Hidden"]),
        ("Base", ["no object can be made to test", "Base"]),
    ] {
        let run = Ground::new().hunt(&["-cp", class_path(&compiled), class]);
        assert_eq!(run.code, 3, "{run:#?}");
        assert_contains(&run.stdout, &[&format!("{class}: inconclusive, because:\n")]);
        assert_contains(&run.stdout, &parts);
    }
}

#[test]
fn a_class_most_of_whose_tests_cannot_be_judged_is_inconclusive() {
    let run = Ground::new().hunt(&[&["-cp", fixtures(), "Exits"][..], &SOME_PLANS].concat());
    assert_eq!(run.code, 3, "{run:#?}");
    assert_contains(&run.stdout, &["Exits: inconclusive", "asked the JVM to exit"]);
    assert!(!run.stdout.contains("nothing found"), "{run:#?}");
}

/// Tests, replays and reproducers of such a class are in its package.
#[test]
fn a_class_that_its_package_keeps_to_itself_is_hunted_and_confirmed() {
    let compiled = compile(&[
        (
            "shop/Stock.java",
            "package shop; class Stock { private final java.util.List<String> names = new java.util.ArrayList<>();
             private final Clock clock; Stock(Clock clock) { this.clock = clock; }
             synchronized void add(String name) { names.add(name + clock.now()); }
             int letters() { int sum = 0; for (String name : names) { sum += name.length(); } return sum; } }",
        ),
        ("shop/Clock.java", "package shop; interface Clock { int now(); }"),
    ])
    .unwrap();
    let ground = Ground::new();
    let run = ground.hunt(&["-cp", class_path(&compiled), "shop.*", "--stop-at-first"]);
    assert_eq!(run.code, 1, "{run:#?}");
    assert_contains(
        &run.stdout,
        &[
            "exception   shop.Stock   exception-",
            "  confirmed on a stock JVM by its reproducer\n",
        ],
    );
    let findings = fs::read_dir(ground.class("shop.Stock").join("findings"));
    let finding = findings.unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(finding.join("shop/Reproducer.java")).unwrap();
    assert_contains(&text, &["\npackage shop;\n"]);
    let file = finding.join("finding.json");
    let replayed = Run::of(command().args(["replay", file.to_str().unwrap()]));
    assert_eq!(replayed.code, 0, "{replayed:#?}");
}

#[test]
fn of_what_a_pattern_matches_only_what_is_meant_to_be_shared_is_hunted() {
    let compiled = compile(&[
        (
            "shop/Till.java",
            "package shop; public class Till { private volatile int sum; public void add() { sum++; } \
             public int sum() { return sum; } }",
        ),
        (
            "shop/Price.java",
            "package shop; public class Price { private int cents; public void set(int c) { cents = c; } }",
        ),
        (
            "shop/Shelf.java",
            "package shop; public interface Shelf { void put(Object o); }",
        ),
    ])
    .unwrap();
    let ground = Ground::new();
    let value = ground.document(&["-cp", class_path(&compiled), "shop.*", "--stop-at-first"], 1);
    assert_eq!(value["classes"].as_array().unwrap().len(), 1);
    assert_eq!(value["classes"][0]["class"], "shop.Till");
    let skipped: Vec<&str> = value["skipped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|skipped| skipped["class"].as_str().unwrap())
        .collect();
    assert_eq!(skipped, ["shop.Price", "shop.Shelf"]);
    let run = ground.hunt(&["-cp", class_path(&compiled), "shop.P*"]);
    run.is_refused(&[
        "none of the 1 classes that match looks meant to be shared",
        "shop.Price",
    ]);
}

#[test]
fn an_interrupt_ends_the_hunt_with_what_was_found() {
    let ground = Ground::new();
    let child = ground
        .command(&["-cp", fixtures(), "Counter", "--budget", "10m"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let findings = ground.class("Counter").join("findings");
    while !findings.exists() {
        thread::sleep(Duration::from_millis(50));
    }
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_contains(&text, &["wrong result   Counter", "the hunt was ended by ^C"]);
}

#[test]
fn bad_input_is_refused() {
    let ground = Ground::new();
    ground
        .hunt(&["java.util.Hashtabel"])
        .is_refused(&["java.util.Hashtable"]);
    ground
        .hunt(&["-cp", "/nonexistent.jar", "a.B"])
        .is_refused(&["/nonexistent.jar"]);
    let blocked = ground.0.path().join("file");
    fs::write(&blocked, "").unwrap();
    let run = ground.hunt(&["-cp", fixtures(), "Counter", "--out", "file"]);
    assert_eq!(run.code, 2, "{run:#?}");
    assert_contains(&run.stderr, &["cannot write to file", "--out"]);
    for wrong in [["--kinds", "race"], ["--strategy", "luck"], ["--budget", "soon"]] {
        let run = ground.hunt(&[&["java.util.Vector"], &wrong[..]].concat());
        assert_eq!(run.code, 2, "{run:#?}");
    }
}

#[test]
fn every_kind_is_explained() {
    for kind in ["exception", "deadlock", "lost-wakeup", "livelock", "result"] {
        let page = raddle(&["explain", kind]).succeeds();
        assert!(page.starts_with(&format!("{kind}: ")), "{page}");
    }
    let run = raddle(&["explain", "race"]);
    assert_eq!(run.code, 2, "{run:#?}");
    assert_contains(&run.stderr, &["choose one of exception, deadlock"]);
}

#[test]
fn the_files_are_those_of_the_document() {
    let document = include_str!("../../../../docs/raddle-out.md");
    for name in [
        "hunt.json",
        "run.json",
        "events.jsonl",
        "journal.jsonl",
        "finding.json",
        "interleaving.txt",
        "Reproducer.java",
        "Test.java",
    ] {
        assert!(
            document.contains(name),
            "docs/raddle-out.md does not tell of {name}"
        );
    }
    assert!(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../docs/hunt-json.md")
            .exists()
    );
}
