//! The end of a hunt on a terminal, and colour.

use raddle_testkit::{Compiled, compile};

use crate::hunt::{Ground, assert_contains, class_path};

/// A class with a wrong result, one with an exception, and one that is correct.
pub(crate) fn shop() -> Compiled {
    compile(&[
        (
            "shop/Till.java",
            "package shop; public class Till { private volatile int sum; public void add() { sum++; } \
             public int sum() { return sum; } }",
        ),
        (
            "shop/Stock.java",
            "package shop; public class Stock { \
             private final java.util.List<String> names = new java.util.ArrayList<>(); \
             public synchronized void add(String name) { names.add(name); } \
             public int letters() { int sum = 0; for (String name : names) { sum += name.length(); } return sum; } }",
        ),
        (
            "shop/Bell.java",
            "package shop; public class Bell { private int rung; public synchronized int ring() { return ++rung; } }",
        ),
    ])
    .unwrap()
}

/// Bounds within which each of these classes shows what it has.
pub(crate) const BOUNDS: [&str; 7] = [
    "--max-plans",
    "20",
    "--budget",
    "1h",
    "--max-findings",
    "1",
    "--stock-jvm=never",
];

#[test]
fn a_hunt_of_several_classes_ends_with_a_list_and_has_details_on_demand() {
    let shop = shop();
    let arguments = [&["-cp", class_path(&shop), "shop.*"][..], &BOUNDS].concat();
    let run = Ground::new().hunt(&[&arguments[..], &["--color", "always"]].concat());
    assert_eq!(run.code, 1, "{run:#?}");
    assert_contains(
        &run.stdout,
        &[
            "shop.Bell: \u{1b}[32mnothing found\u{1b}[0m, ",
            "shop.Stock: \u{1b}[1;31m1 violation\u{1b}[0m, ",
            "\n    raddle-out/shop.Till/findings/result-"
                .replace("    ", "    \u{1b}[2m")
                .as_str(),
            "In each folder, interleaving.txt shows what the threads did",
            "raddle explain exception says what such",
            "\n3 classes in ",
        ],
    );
    assert!(!run.stdout.contains("What the threads did, from top"), "{run:#?}");

    let run = Ground::new().hunt(&[&arguments[..], &["-v"]].concat());
    assert_contains(
        &run.stdout,
        &[
            "What the threads did, from top to bottom:",
            "\nFindings\n",
            "one at a time",
        ],
    );
    assert!(!run.stdout.contains('\u{1b}'), "no colour in pipes: {run:#?}");
    let list = run.stdout.split_once("\nFindings\n").unwrap().1;
    let at = |part: &str| {
        list.find(part)
            .unwrap_or_else(|| panic!("{part} is not in {list}"))
    };
    assert!(at("  exception-") < at("  result-"), "{list}");
}

#[test]
fn the_only_finding_of_the_only_class_is_told_once() {
    let shop = shop();
    let run = Ground::new().hunt(&[&["-cp", class_path(&shop), "shop.Till"][..], &BOUNDS].concat());
    assert_contains(&run.stdout, &["What the threads did", "returned normally"]);
    assert!(!run.stdout.contains("\nFindings"), "{run:#?}");
}
