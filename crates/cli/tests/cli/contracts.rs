//! Hunts of classes that have, inherit, implement or wrap a contract: `fixtures/contracts`, in folders named for the verdict.

use std::fs;
use std::path::{Path, PathBuf};

use raddle_testkit::{Compiled, compile};
use serde_json::Value;

use crate::hunt::{Ground, assert_contains, class_path};

fn fixture(file: &str) -> Compiled {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures/contracts")
        .join(file);
    let text = fs::read_to_string(path).unwrap();
    let name = Path::new(file).file_name().unwrap().to_str().unwrap();
    compile(&[(&format!("fixtures/contracts/{name}"), &text)]).unwrap()
}

/// Hunts the class of a fixture with a number of plans, so that no test depends on the clock.
fn hunt(file: &str, arguments: &[&str], code: i32) -> Value {
    let compiled = fixture(file);
    let simple = Path::new(file).file_stem().unwrap().to_str().unwrap();
    let class = format!("fixtures.contracts.{simple}");
    let common = [
        &class,
        "-cp",
        class_path(&compiled),
        "--stock-jvm=never",
        "--budget",
        "5m",
        "--jobs",
        "1",
    ];
    Ground::new().document(&[&common[..], arguments].concat(), code)
}

fn silenced(document: &Value) -> String {
    let all = document["classes"][0]["silenced"].as_array().unwrap();
    all.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
}

fn findings(document: &Value) -> &Vec<Value> {
    document["classes"][0]["findings"].as_array().unwrap()
}

/// The first finding that may be by design.
fn weaker(document: &Value) -> &Value {
    &document["classes"][0]["weaker"][0]
}

/// The file of contracts that the fixtures come with.
fn own() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/contracts/contracts.toml");
    file.to_str().unwrap().to_owned()
}

/// Whoever names a class means to share its objects; whoever names a pattern wants to hear of what is meant to be shared.
#[test]
fn state_that_a_class_leaves_unguarded_counts_only_if_the_class_is_named() {
    let unguarded = "only 1 of 5 accesses of `at` hold `this`";
    let arguments = ["--max-plans", "40", "--stop-at-first"];
    let document = hunt("unguarded/Cursor.java", &arguments, 1);
    let promise = &findings(&document)[0]["promise"];
    assert_eq!(promise["strength"], "no-sign", "{document:#}");
    assert_eq!(promise["sentence"], unguarded);
    let matched = |file: &str, code: i32| {
        let compiled = fixture(file);
        let common = [
            "fixtures.contracts.Cur*",
            "-cp",
            class_path(&compiled),
            "--stock-jvm=never",
        ];
        let bounds = ["--budget", "5m", "--jobs", "1", "--max-plans", "40"];
        Ground::new().document(&[&common[..], &bounds[..]].concat(), code)
    };
    let document = matched("unguarded/Cursor.java", 0);
    let finding = &findings(&document)[0];
    assert_eq!(finding["promise"]["sentence"], unguarded);
    assert_eq!(finding["counts"], false);
    let document = matched("wrong-result/Cursor.java", 1);
    let finding = &findings(&document)[0];
    assert_eq!(finding["promise"]["strength"], "built");
    assert_eq!(finding["counts"], true);
}

#[test]
fn a_wrapper_has_the_contract_of_what_it_hands_calls_to() {
    let document = hunt("documented/Wrapper.java", &["--max-plans", "140"], 0);
    assert_eq!(findings(&document).len(), 0, "{document:#}");
    assert_contains(
        &silenced(&document),
        &[
            "fixtures.contracts.Wrapper.size only delegates, and the documentation of \
             java.util.concurrent.ConcurrentLinkedQueue.size says: ",
            "\"add(int)\",\"poll()\",\"size()\"",
        ],
    );
    let strict = hunt("documented/Wrapper.java", &["--max-plans", "140", "--strict"], 1);
    assert_eq!(silenced(&strict), "");
    assert_eq!(findings(&strict)[0]["kind"], "result");
    assert_eq!(findings(&strict)[0]["promise"]["strength"], "built", "{strict:#}");
}

#[test]
fn what_a_walk_through_a_map_shows_is_no_more_of_a_snapshot_than_the_walk() {
    let document = hunt("documented/HitCounts.java", &["--max-plans", "60"], 0);
    assert_eq!(findings(&document).len(), 0, "{document:#}");
    assert_contains(
        &silenced(&document),
        &["fixtures.contracts.HitCounts.report only looks through it, and the documentation of"],
    );
}

#[test]
fn a_check_before_the_act_is_the_wrappers_own_fault() {
    let document = hunt(
        "wrong-result/Checked.java",
        &["--max-plans", "40", "--stop-at-first"],
        1,
    );
    assert_eq!(findings(&document)[0]["kind"], "result");
}

#[test]
fn a_contract_of_the_user_holds_for_implementations_and_their_subclasses() {
    let file = own();
    let document = hunt(
        "documented/Halves.java",
        &["--max-plans", "40", "--contracts", &file],
        0,
    );
    assert_eq!(findings(&document).len(), 0, "{document:#}");
    assert_contains(
        &silenced(&document),
        &[
            "the documentation of fixtures.contracts.Total.total says: an estimate while parts are shifted (Total.total)",
        ],
    );
    // Without the contract it is no more than a snapshot of two variables, and told as that.
    let document = hunt("documented/Halves.java", &["--max-plans", "40"], 0);
    assert_eq!(weaker(&document)["weakness"]["rule"], "snapshot", "{document:#}");
    let arguments = ["--max-plans", "40", "--stop-at-first", "--contracts", &file];
    let document = hunt("wrong-result/Halves.java", &arguments, 1);
    assert_eq!(findings(&document)[0]["kind"], "result");
}

#[test]
fn an_implementation_is_judged_by_the_documentation_of_its_interface() {
    // So few plans cover too little of it for more than that.
    let document = hunt("documented/Mine.java", &["--max-plans", "40"], 3);
    assert_eq!(findings(&document).len(), 0, "{document:#}");
    assert_eq!(document["classes"][0]["promise"]["strength"], "documented");
    let document = hunt(
        "wrong-result/Mine.java",
        &["--max-plans", "60", "--stop-at-first"],
        1,
    );
    let finding = &findings(&document)[0];
    assert_eq!(finding["kind"], "result");
    assert_contains(
        finding["promise"]["sentence"].as_str().unwrap(),
        &["the documentation of java.util.concurrent.BlockingQueue says: implementations are thread-safe"],
    );
}

#[test]
fn a_subclass_is_excused_by_the_documentation_of_the_class_above_and_its_own_check_is_reported() {
    let document = hunt("documented/Hits.java", &["--max-plans", "60"], 0);
    assert_eq!(findings(&document).len(), 0, "{document:#}");
    assert_eq!(document["classes"][0]["promise"]["strength"], "documented");
    let document = hunt(
        "wrong-result/MyAdder.java",
        &["--max-plans", "60", "--stop-at-first"],
        1,
    );
    let finding = &findings(&document)[0];
    assert_eq!(
        (&finding["kind"], &finding["promise"]["strength"]),
        (&"result".into(), &"documented".into())
    );
}

#[cfg(feature = "full-tests")]
#[test]
fn a_hang_in_what_is_not_defined_is_told_with_the_sentence_and_not_silenced() {
    let document = hunt("deadlock/Drain.java", &["--max-plans", "60"], 3);
    let hang = weaker(&document);
    assert_eq!(
        (&hang["kind"], &hang["weakness"]["rule"]),
        (&"deadlock".into(), &"undefined".into()),
        "{document:#}"
    );
    let strict = ["--max-plans", "60", "--stop-at-first", "--strict"];
    let document = hunt("deadlock/Drain.java", &strict, 1);
    assert_eq!(findings(&document)[0]["kind"], "deadlock");
}

#[test]
fn findings_of_a_class_that_says_it_is_not_for_threads_are_labelled_and_do_not_count() {
    let document = hunt("disclaimed/OneThread.java", &["--max-plans", "10"], 0);
    let class = &document["classes"][0];
    assert_eq!(
        (&class["conclusion"], &class["findings"][0]["counts"]),
        (&"nothing_found".into(), &false.into())
    );
    assert_eq!(findings(&document)[0]["promise"]["strength"], "disclaimed");
    let document = hunt(
        "disclaimed/OneThread.java",
        &["--max-plans", "10", "--promise", "all"],
        1,
    );
    assert_eq!(findings(&document)[0]["counts"], true);
}

#[test]
fn a_pattern_leaves_out_what_promises_too_little() {
    let compiled = fixture("disclaimed/OneThread.java");
    let run = Ground::new().hunt(&["fixtures.contracts.One*", "-cp", class_path(&compiled)]);
    assert_eq!(run.code, 2, "{run:#?}");
    assert_contains(
        &run.stderr,
        &["fixtures.contracts.OneThread is annotated @NotThreadSafe"],
    );
    let compiled = fixture("documented/Wrapper.java");
    let arguments = [
        "fixtures.**",
        "-cp",
        class_path(&compiled),
        "--promise",
        "documented",
    ];
    let run = Ground::new().hunt(&arguments);
    assert_eq!(run.code, 2, "{run:#?}");
    assert_contains(
        &run.stderr,
        &["it has the field queue of java.util.concurrent.ConcurrentLinkedQueue"],
    );
}

#[test]
fn a_mistake_in_a_file_of_contracts_is_named_with_its_line() {
    let ground = Ground::new();
    fs::write(
        ground.0.path().join("mine.toml"),
        "[[contract]]\ntypes = [\"a.B\"]\npromise = \"often\"\nsays = \"x\"\nat = \"y\"\n",
    )
    .unwrap();
    let run = ground.hunt(&["java.util.Vector", "--contracts", "mine.toml"]);
    assert_eq!(run.code, 2, "{run:#?}");
    assert_contains(
        &run.stderr,
        &["error: mine.toml:3: unknown variant `often`", "docs/contracts.md"],
    );
    let run = ground.hunt(&["java.util.Vector", "--contracts", "none.toml"]);
    assert_eq!(run.code, 2, "{run:#?}");
    assert_contains(
        &run.stderr,
        &["cannot read the contracts in none.toml", "--contracts"],
    );
}
