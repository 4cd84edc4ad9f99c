//! The program has a JVM in it: the hidden command starts one and runs a plan.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "clippy.toml allows them in test functions; helpers are the same"
)]

use std::process::{Command, Output};

use raddle_classpath::Jdk;

fn self_test(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_raddle");
    let arguments = ["raddle-worker", "--self-test"].iter().chain(arguments);
    Command::new(program).args(arguments).output().unwrap()
}

#[test]
fn the_program_starts_a_jvm_and_finds_both_orders() {
    let jdk = Jdk::locate(None).unwrap();
    let output = self_test(&[jdk.home().to_str().unwrap()]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(text.contains("ab") && text.contains("ba"), "{text}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn a_directory_without_a_jdk_is_refused_with_a_sentence() {
    let output = self_test(&["/nonexistent"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success());
    assert!(text.starts_with("error: no JDK at /nonexistent"), "{text}");
}
