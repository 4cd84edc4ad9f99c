//! Hunts of classes that have, inherit, implement or wrap a contract: `fixtures/contracts`, in folders named for the verdict.

use std::fs;
use std::path::{Path, PathBuf};

use raddle_testkit::{Compiled, compile};
use serde_json::Value;

use crate::hunt::{Ground, assert_contains, class_path};

fn fixture(file: &str) -> Compiled {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/contracts").join(file);
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
        &class, "-cp", class_path(&compiled), "--no-confirm", "--budget", "5m", "--jobs", "1",
    ];
    Ground::new().document(&[&common[..], arguments].concat(), code)
}

fn silenced(document: &Value) -> String {
    let all = document["classes"][0]["silenced"].as_array().unwrap();
    all.iter().map(|one| format!("{one}\n")).collect()
}

fn findings(document: &Value) -> &Vec<Value> {
    document["classes"][0]["findings"].as_array().unwrap()
}

#[test]
fn a_wrapper_has_the_contract_of_what_it_hands_calls_to() {
    let document = hunt("documented/Wrapper.java", &["--max-plans", "60"], 0);
    assert_eq!(findings(&document).len(), 0, "{document:#}");
    assert_contains(
        &silenced(&document),
        &[
            "fixtures.contracts.Wrapper.size only hands the call on, and java.util.concurrent.ConcurrentLinkedQueue.size is \
             documented so: ",
        ],
    );
    let strict = hunt("documented/Wrapper.java", &["--max-plans", "60", "--strict"], 1);
    assert_eq!(silenced(&strict), "");
    assert_eq!(findings(&strict)[0]["kind"], "result");
    assert_eq!(findings(&strict)[0]["promise"]["strength"], "built", "{strict:#}");
}

#[test]
fn a_check_before_the_act_is_the_wrappers_own_fault() {
    let document = hunt("wrong-result/Checked.java", &["--max-plans", "40", "--stop-at-first"], 1);
    assert_eq!(findings(&document)[0]["kind"], "result");
}
