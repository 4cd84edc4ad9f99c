//! JDKs that are none.

use std::fs;

use crate::raddle::{Run, analyze, command};

const CLASS: &str = "java.util.Vector";

#[test]
fn a_home_that_does_not_exist_is_named() {
    analyze(&["--jdk", "/no/such/jdk", CLASS]).is_refused(&["no JDK at /no/such/jdk", "--jdk or JAVA_HOME"]);
}

#[test]
fn a_directory_that_is_no_jdk_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let home = directory.path().to_str().unwrap();
    analyze(&["--jdk", home, CLASS]).is_refused(&[home, "lib/modules", "JDK 17 or later"]);
}

#[test]
fn a_jdk_without_run_time_image_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("bin")).unwrap();
    fs::write(directory.path().join("bin/java"), "").unwrap();
    fs::write(directory.path().join("release"), "JAVA_VERSION=\"17.0.1\"\n").unwrap();
    let home = directory.path().to_str().unwrap();
    analyze(&["--jdk", home, CLASS]).is_refused(&[home, "no lib/modules"]);
}

#[test]
fn without_any_java_the_remedy_is_told() {
    let run = Run::of(
        command()
            .args(["analyze", CLASS])
            .env_remove("JAVA_HOME")
            .env("PATH", ""),
    );
    run.is_refused(&["no Java found", "install a JDK 17 or later"]);
}

#[test]
fn a_wrong_java_home_is_not_passed_over() {
    let run = Run::of(
        command()
            .args(["analyze", CLASS])
            .env("JAVA_HOME", "/no/such/jdk"),
    );
    run.is_refused(&["no JDK at /no/such/jdk"]);
}
