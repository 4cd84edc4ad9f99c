//! Files and variables of strangers that would have a hunt do more than it says.

use std::fs;
use std::path::Path;
use std::process::Command;

use raddle_classpath::Jdk;
use raddle_testkit::compile;

use crate::hunt::Ground;
use crate::raddle::{Run, command};

/// A jar of a class whose manifest names this.
fn jar(folder: &Path, class_path: &str) -> String {
    let classes = compile(&[(
        "p/Plain.java",
        "package p; public class Plain { public void a() { } }",
    )])
    .unwrap();
    let manifest = folder.join("manifest");
    fs::write(&manifest, format!("Class-Path: {class_path}\n")).unwrap();
    let jar = folder.join("plain.jar");
    let made = Command::new(Jdk::locate(None).unwrap().home().join("bin/jar"))
        .args(["--create", "--file"])
        .arg(&jar)
        .arg("--manifest")
        .arg(&manifest)
        .arg("-C")
        .arg(classes.classes())
        .arg(".")
        .status()
        .unwrap();
    assert!(made.success());
    jar.to_str().unwrap().to_owned()
}

/// Tests can read what is on the class path, so that a jar could open the whole disk to them.
#[test]
fn a_manifest_cannot_open_any_directory_to_tests() {
    let secret = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    let ground = Ground::new();
    let named = format!("file://{}/", secret.path().display());
    for directory in ["file:///", &named] {
        let jar = jar(other.path(), directory);
        let run = ground.hunt(&["p.Plain", "-cp", &jar]);
        run.is_refused(&[
            "the manifest of a jar puts the directory",
            "name it in the class path",
        ]);
    }
    // With the user's word it may.
    let both = format!("{}:{}", jar(other.path(), &named), secret.path().display());
    let run = ground.hunt(&["p.Plain", "-cp", &both, "--max-plans", "1", "--budget", "1m"]);
    assert_ne!(run.code, 2, "{run:#?}");
}

#[test]
fn a_folder_cannot_say_that_there_is_no_cage() {
    let ground = Ground::new();
    let out = ground.0.path().join("raddle-out");
    fs::create_dir(&out).unwrap();
    let request = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/hunt-folder/hunt.json");
    let request = fs::read_to_string(request).unwrap();
    let free = request.replace("\"cage\": true", "\"cage\": false");
    assert_ne!(free, request);
    fs::write(out.join("hunt.json"), free).unwrap();
    let run = ground.hunt(&["--resume"]);
    run.is_refused(&["--no-cage", "not taken from a file"]);
}

#[test]
fn variables_that_change_jvms_are_not_handed_down() {
    let plan = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures/engine/plans/clean/hashtable-equals-one-way.json");
    let mut command = command();
    command.arg("run").arg(plan).args(["--schedules", "10"]);
    for name in [
        "JAVA_TOOL_OPTIONS",
        "_JAVA_OPTIONS",
        "JDK_JAVA_OPTIONS",
        "CLASSPATH",
    ] {
        command.env(name, "-XX:NoSuchOption");
    }
    let run = Run::of(&mut command);
    assert_eq!(run.code, 0, "{run:#?}");
    assert!(!run.stderr.contains("NoSuchOption"), "{run:#?}");
}
