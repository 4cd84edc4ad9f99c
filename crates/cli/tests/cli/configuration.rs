//! `raddle.toml`, `raddle baseline`, and what makes a hunt fail.

use std::fs;

use raddle_testkit::{Compiled, compile};

use crate::closing::BOUNDS;
use crate::hunt::{Ground, assert_contains, class_path};
use crate::raddle::{Run, command};

/// A class with an exception and one with a wrong result, which may be corrected, below so many lines.
fn shop(lines: usize, is_corrected: bool) -> Compiled {
    let head = "\n".repeat(lines);
    let synchronized = if is_corrected { "synchronized" } else { "" };
    let till = format!(
        "package shop; {head} public class Till {{ private volatile int sum; \
         public {synchronized} void add() {{ sum++; }} public {synchronized} int sum() {{ return sum; }} }}"
    );
    let stock = format!(
        "package shop; {head} public class Stock {{ \
         private final java.util.List<String> names = new java.util.ArrayList<>(); \
         public synchronized void add(String name) {{ names.add(name); }} \
         public int letters() {{ int sum = 0; for (String name : names) {{ sum += name.length(); }} return sum; }} }}"
    );
    let bell = "package shop; public class Bell { private volatile int rung; public void ring() { rung++; } \
         public int rung() { return rung; } }";
    compile(&[
        ("shop/Till.java", &till),
        ("shop/Stock.java", &stock),
        ("shop/Bell.java", bell),
    ])
    .unwrap()
}

fn configure(ground: &Ground, shop: &Compiled, more: &str) {
    let text = format!(
        "class-path = ['{}']\nclasses = ['shop.*']\nexclude-classes = ['shop.B*']\n{more}\n",
        class_path(shop)
    );
    fs::write(ground.0.path().join("raddle.toml"), text).unwrap();
}

#[test]
fn accepted_findings_do_not_fail_a_hunt_although_lines_move_and_gone_ones_are_named() {
    let ground = Ground::new();
    let before = shop(0, false);
    configure(&ground, &before, "");
    let run = ground.hunt(&BOUNDS);
    assert_eq!(run.code, 1, "{run:#?}");
    assert_contains(
        &run.stdout,
        &[
            "shop.Stock: 1 violation",
            "shop.Till: 1 violation",
            "shop.Bell: excluded by shop.B* in the configuration",
        ],
    );

    let baseline = |arguments: &[&str]| {
        Run::of(
            command()
                .arg("baseline")
                .args(arguments)
                .current_dir(ground.0.path()),
        )
    };
    let refused = baseline(&["raddle-out", "deadlock-00000000", "--reason", "none"]);
    refused.is_refused(&["there is no finding deadlock-00000000 in raddle-out"]);
    let accepted = baseline(&["--reason", "known before we began"]);
    assert_eq!(
        accepted.succeeds(),
        "raddle-baseline.toml: 2 accepted, 0 taken out\n"
    );
    let again = baseline(&["--reason", "another reason"]);
    assert_eq!(
        again.succeeds(),
        "raddle-baseline.toml: 0 accepted, 0 taken out\n"
    );

    let after = shop(3, true);
    configure(&ground, &after, "baseline = 'raddle-baseline.toml'");
    let run = ground.hunt(&BOUNDS);
    assert_eq!(run.code, 0, "{run:#?}");
    assert_contains(
        &run.stdout,
        &[
            "\nAccepted findings\n",
            "\n    accepted: known before we began\n",
            " of shop.Till is accepted and was not found again: add() ∥ ",
        ],
    );
    let pruned = baseline(&["--prune"]);
    assert_eq!(
        pruned.succeeds(),
        "raddle-baseline.toml: 0 accepted, 1 taken out\n"
    );
}

#[test]
fn only_chosen_kinds_fail_a_hunt_and_what_is_typed_wins() {
    let ground = Ground::new();
    let shop = shop(0, false);
    configure(&ground, &shop, "fail-on = ['deadlock']\nreport = ['junit']");
    let named = [&["shop.Bell"][..], &BOUNDS].concat();
    let value = ground.document(&named, 0);
    assert_eq!(value["classes"][0]["class"], "shop.Bell", "{value:#}");
    assert_eq!(value["conclusion"], "violations");
    assert_eq!(value["fails"], false);
    assert!(ground.0.path().join("raddle-out/report.xml").exists());
    let value = ground.document(&[&named[..], &["--fail-on", "result,deadlock"]].concat(), 1);
    assert_eq!(value["fails"], true);
}

#[test]
fn a_configuration_that_cannot_be_used_is_refused() {
    let ground = Ground::new();
    ground
        .hunt(&[])
        .is_refused(&["there is no class to hunt", "raddle.toml"]);
    ground
        .hunt(&["--config", "none.toml", "a.B"])
        .is_refused(&["none.toml cannot be used"]);
    fs::write(ground.0.path().join("raddle.toml"), "budget = '3 days'").unwrap();
    ground
        .hunt(&["a.B"])
        .is_refused(&["raddle.toml cannot be used: budget: `3 days` is not a time"]);
}
