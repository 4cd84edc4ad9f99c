//! `raddle hunt --shard`, `raddle merge` and `raddle hunt --changed`: parts of a hunt are the whole.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use raddle_testkit::{Compiled, compile, crew};
use serde_json::Value;

use crate::hunt::{Ground, assert_contains, class_path};
use crate::raddle::{Run, command};

/// Two faults of one class, a fault of each of two others, one correct class, and one that is passed over.
fn shop() -> Compiled {
    let counter = |name: &str| {
        format!(
            "package shop; public class {name} {{ private volatile int sum; \
             public void add() {{ sum++; }} public int sum() {{ return sum; }} }}"
        )
    };
    compile(&[
        ("shop/Till.java", &counter("Till")),
        ("shop/Desk.java", &counter("Desk")),
        (
            "shop/Stock.java",
            "package shop; public class Stock { private volatile int a, b; \
             public int nextA() { return a++; } public int nextB() { return b++; } }",
        ),
        (
            "shop/Bell.java",
            "package shop; public class Bell { private int rung; public synchronized int ring() { return ++rung; } }",
        ),
        ("shop/Price.java", "package shop; public record Price(int cents) { }"),
    ])
    .unwrap()
}

const BOUNDS: [&str; 7] = [
    "--max-plans",
    "6",
    "--budget",
    "1h",
    "--jobs",
    "1",
    "--stock-jvm=never",
];

/// A document without what differs from run to run: times, where it was written to, and how many schedules were run, since
/// those of a plan that was under way when a hunt was killed are run again.
fn told(document: &Value) -> Vec<Value> {
    let mut classes = document["classes"].as_array().unwrap().clone();
    classes.sort_by_key(|class| class["class"].to_string());
    for class in &mut classes {
        let members = class.as_object_mut().unwrap();
        members.remove("spent_ms");
        let numbers = members["numbers"].as_object_mut().unwrap();
        numbers
            .retain(|name, _| ["plans", "failed_plans", "repeats", "pairs_tried"].contains(&name.as_str()));
        for finding in members["findings"].as_array_mut().unwrap() {
            let finding = finding.as_object_mut().unwrap();
            finding.remove("after_ms");
            finding.remove("file");
        }
    }
    classes
}

fn merge(ground: &Ground, arguments: &[&str]) -> Run {
    let mut merge = command();
    merge.arg("merge").args(arguments).current_dir(ground.0.path());
    Run::of(&mut merge)
}

/// Whether an event of this name is in the log.
fn has_event(log: &Path, name: &str) -> bool {
    let text = fs::read_to_string(log).unwrap_or_default();
    text.contains(&format!("{{\"event\":\"{name}\""))
}

#[test]
fn shards_are_the_whole_hunt_also_when_one_was_killed_and_started_again() {
    let shop = shop();
    let hunt = [&["-cp", class_path(&shop), "shop.*"][..], &BOUNDS].concat();
    let ground = Ground::new();
    // The third has Stock, and is killed when it has found one of its two faults.
    let third = [&hunt[..], &["--resume", "--shard", "3/4"]].concat();
    let documents = crew::run(
        &[None, Some("1/4"), Some("2/4"), Some("3/4")],
        crew::cores(),
        |_, shard| match *shard {
            None => Some(Ground::new().document(&hunt, 1)),
            Some("3/4") => {
                let mut child = ground
                    .command(&third)
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .spawn()
                    .unwrap();
                let log = ground.class("shard-3-of-4").join("shop.Stock/events.jsonl");
                while !has_event(&log, "finding") {
                    assert_eq!(child.try_wait().unwrap(), None, "it ended before it was killed");
                    thread::sleep(Duration::from_millis(10));
                }
                child.kill().unwrap();
                child.wait().unwrap();
                None
            }
            Some(shard) => {
                let mut shard = ground.command(&[&hunt[..], &["--resume", "--shard", shard]].concat());
                assert_ne!(Run::of(&mut shard).code, 2);
                None
            }
        },
    );
    let whole = documents[0].as_ref().unwrap();

    let part = merge(&ground, &["raddle-out", "--output", "merged", "--json"]);
    assert_eq!(part.code, 3, "{part:#?}");
    assert_contains(
        &part.stderr,
        &[
            "WARNING: shard 4/4 is missing\n",
            "WARNING: shard 3/4 is not finished: shop.Stock of its 1 classes; \
             raddle hunt --resume --out raddle-out/shard-3-of-4 goes on\n",
        ],
    );

    // As a scheduler of jobs starts it again: with the very same command.
    assert_eq!(ground.hunt(&third).code, 1);
    let mut last = ground.command(&[&hunt[..], &["--shard", "auto"]].concat());
    last.env("CI_NODE_INDEX", "4").env("CI_NODE_TOTAL", "4");
    assert_eq!(Run::of(&mut last).code, 1);
    let merged = merge(&ground, &["raddle-out", "--output", "merged", "--json"]);
    assert_eq!((merged.code, merged.stderr.as_str()), (1, ""), "{merged:#?}");
    let document: Value = serde_json::from_str(&merged.stdout).unwrap();
    assert_eq!(told(&document), told(whole));
    assert_eq!(document["classes"].as_array().unwrap().len(), 4);

    // It is the folder of a hunt like any other, and says where it is.
    let finding = document["classes"][1]["findings"][0]["file"].as_str().unwrap();
    let replay = Run::of(command().args(["replay", finding]).current_dir(ground.0.path()));
    assert_eq!(replay.code, 0, "{replay:#?}");
    let text = ground.0.path().join(finding).with_file_name("interleaving.txt");
    let text = fs::read_to_string(text).unwrap();
    assert_contains(&text, &[&format!("raddle replay {finding}\n")]);
    let helper = ground.0.path().join("merged/interleaving/Interleaving.java");
    assert!(helper.is_file(), "tests of findings cannot do without it");
    let again = ground.hunt(&["--resume", "--out", "merged"]);
    assert_eq!(again.code, 1, "{again:#?}");
    assert_contains(&again.stdout, &["nothing was left to do"]);

    merge(&ground, &["raddle-out", "raddle-out", "--output", "twice"])
        .is_refused(&["are the same shard; leave one of them out"]);
    merge(&ground, &["merged", "--output", "twice"]).is_refused(&["there is no shard of a hunt in merged"]);
    let request = ground.class("shard-2-of-4").join("hunt.json");
    let text = fs::read_to_string(&request).unwrap();
    fs::write(&request, text.replace("\"seed\": 1", "\"seed\": 2")).unwrap();
    merge(&ground, &["raddle-out", "--output", "other"])
        .is_refused(&["are of different hunts: seed differs"]);
}

#[test]
fn a_shard_without_classes_is_done_and_a_wrong_one_is_refused() {
    let (ground, shop) = (Ground::new(), shop());
    let run = ground.hunt(&["-cp", class_path(&shop), "shop.Bell", "--shard", "2/2"]);
    assert_eq!(run.code, 0, "{run:#?}");
    assert_contains(&run.stdout, &["no class falls to this shard"]);
    let wrong = ground.hunt(&["-cp", class_path(&shop), "shop.Bell", "--shard", "3/2"]);
    assert_eq!(wrong.code, 2, "{wrong:#?}");
    assert_contains(&wrong.stderr, &["`3/2` is no part of a hunt"]);
}

#[test]
fn only_what_has_changed_is_hunted_again_and_findings_still_stand() {
    let source = |step: &str| {
        compile(&[
            (
                "shop/Till.java",
                "package shop; public class Till { private volatile int sum; \
                 public void add() { sum = Step.next(sum); } public int sum() { return sum; } }",
            ),
            ("shop/Step.java", step),
            (
                "shop/Bell.java",
                "package shop; public class Bell { private volatile int sum; \
                 public void add() { sum++; } public int sum() { return sum; } }",
            ),
        ])
        .unwrap()
    };
    let faulty = "package shop; class Step { static int next(int sum) { return sum + 1; } }";
    let correct = "package shop; class Step { static int next(int sum) { return 7; } }";
    let (before, after) = (source(faulty), source(correct));
    let ground = Ground::new();
    let hunt = |shop: &Compiled, more: &[&str]| {
        let arguments = [
            &["-cp", class_path(shop), "shop.*", "--changed"][..],
            &BOUNDS,
            more,
        ]
        .concat();
        ground.hunt(&arguments)
    };
    let first = hunt(&before, &[]);
    assert_contains(
        &first.stdout,
        &["shop.Bell: 1 violation", "shop.Till: 1 violation"],
    );

    let second = hunt(&before, &[]);
    assert_eq!(second.code, 1, "{second:#?}");
    assert_contains(
        &second.stdout,
        &[
            "shop.Bell: unchanged since 20",
            "shop.Till: unchanged since 20",
            ", 1 finding still stands\n",
            "no class has changed since the latest hunt\n",
        ],
    );

    // What it calls has changed, and nothing of its own.
    let third = hunt(&after, &[]);
    assert_eq!(third.code, 1, "{third:#?}");
    assert_contains(
        &third.stdout,
        &[
            "shop.Bell: unchanged since 20",
            "shop.Till: nothing found",
            "\n2 classes in ",
        ],
    );

    let other = hunt(&after, &["--seed", "2"]);
    assert!(!other.stdout.contains("unchanged"), "other options: {other:#?}");
}
