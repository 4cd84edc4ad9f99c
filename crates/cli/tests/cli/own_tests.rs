//! `raddle test`: every class of `fixtures/tests` gets the verdict of its folder.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use raddle_testkit::{Compiled, compile, crew};

use crate::raddle::{Run, command};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/tests")
}

/// Name and text of every source below a folder.
fn sources(folder: &Path, prefix: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            all.extend(sources(&path, &format!("{prefix}{name}/")));
        } else {
            all.push((format!("{prefix}{name}"), fs::read_to_string(&path).unwrap()));
        }
    }
    all.sort();
    all
}

fn compile_all(folder: &str) -> (Vec<(String, String)>, Compiled) {
    let tests = sources(&root().join(folder), "");
    let frameworks = sources(&root().join("frameworks"), "");
    let all: Vec<(&str, &str)> = tests
        .iter()
        .chain(&frameworks)
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let compiled = compile(&all).unwrap();
    (tests, compiled)
}

/// By numbers of schedules, so that nothing depends on how fast the machine is.
fn test(classes: &Path, directory: &Path, arguments: &[&str]) -> Run {
    test_with(classes, directory, "1000", arguments)
}

fn test_with(classes: &Path, directory: &Path, schedules: &str, arguments: &[&str]) -> Run {
    let mut command = command();
    command
        .args(["test", "--schedules", schedules, "--max-steps", "20000", "-cp"])
        .arg(classes)
        .args(arguments)
        .current_dir(directory);
    Run::of(&mut command)
}

/// A jar of some of the files below a directory.
fn jar(classes: &Path, jar: &Path, is_meant: impl Fn(&str) -> bool) {
    let mut writer = zip::ZipWriter::new(fs::File::create(jar).unwrap());
    let mut folders = vec![classes.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(classes).unwrap().to_str().unwrap();
            if path.is_dir() {
                folders.push(path);
            } else if is_meant(name) {
                let options = zip::write::SimpleFileOptions::default();
                writer.start_file(name, options).unwrap();
                writer.write_all(&fs::read(&path).unwrap()).unwrap();
            }
        }
    }
    writer.finish().unwrap();
}

#[track_caller]
fn check(folder: &str, code: i32, all_say: &[&str]) {
    let directory = tempfile::tempdir().unwrap();
    let (tests, compiled) = compile_all(folder);
    let complaints = crew::run(&tests, crew::cores(), |_, (file, text)| {
        let class = file.trim_end_matches(".java");
        let run = test(compiled.classes(), directory.path(), &[class]);
        let says = text.lines().filter_map(|line| line.strip_prefix("//@ says: "));
        let missing: Vec<&str> = says
            .chain(all_say.iter().copied())
            .filter(|says| !run.stdout.contains(says))
            .collect();
        (run.code != code || !missing.is_empty()).then(|| {
            format!(
                "== {folder}/{class}: exit code {:?}, does not say {missing:?}\n{}{}",
                run.code, run.stdout, run.stderr
            )
        })
    });
    let wrong: Vec<String> = complaints.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn tests_that_can_fail_do_and_the_schedule_can_be_repeated() {
    check(
        "fails",
        1,
        &["FAIL  ", "\n  reproduced in a fresh JVM", "raddle replay "],
    );
}

#[test]
fn tests_that_cannot_fail_pass() {
    check("passes", 0, &["pass  "]);
}

#[test]
fn what_cannot_be_run_is_named_with_the_reason() {
    check("inconclusive", 3, &[]);
}

/// One schedule of these takes as long as a hundred of others.
#[test]
fn a_test_may_take_long_if_it_ends_without_a_preemption() {
    for (folder, code, says) in [("long/passes", 0, "pass  "), ("long/fails", 1, "FAIL  ")] {
        let directory = tempfile::tempdir().unwrap();
        let (tests, compiled) = compile_all(folder);
        for (file, _) in tests {
            let class = file.trim_end_matches(".java");
            let run = test_with(compiled.classes(), directory.path(), "10", &[class]);
            assert_eq!(run.code, code, "{class}: {}{}", run.stdout, run.stderr);
            assert!(run.stdout.contains(says), "{class}: {}", run.stdout);
        }
    }
}

/// Jars with the package of the test are of the project, whatever they are called.
#[test]
fn static_state_of_the_jar_with_the_package_of_the_test_is_as_new() {
    let library = (
        "p/Register.java",
        "package p; public class Register {
             private static final java.util.Timer TIMER = new java.util.Timer(true);
             public static void later(java.util.TimerTask task) { TIMER.schedule(task, 1); } }",
    );
    let test = (
        "p/RegisterTest.java",
        "package p; import java.util.concurrent.CountDownLatch;
         class RegisterTest { @org.junit.jupiter.api.Test void runs() throws Exception {
             CountDownLatch done = new CountDownLatch(1);
             Register.later(new java.util.TimerTask() { public void run() { done.countDown(); } });
             done.await(); } }",
    );
    let frameworks = sources(&root().join("frameworks"), "");
    let frameworks = frameworks
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()));
    let compiled = compile(&frameworks.chain([library, test]).collect::<Vec<_>>()).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let classes = compiled.classes();
    let is_library = |name: &str| name == "p/Register.class";
    let is_test = |name: &str| name.starts_with("p/") && !is_library(name);
    jar(classes, &directory.path().join("library.jar"), is_library);
    jar(classes, &directory.path().join("tests.jar"), is_test);
    jar(classes, &directory.path().join("frameworks.jar"), |name| {
        !name.starts_with("p/")
    });
    let run = test_with(Path::new("*"), directory.path(), "50", &["p.RegisterTest"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
}

#[test]
fn a_test_that_is_not_there_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let (_, compiled) = compile_all("passes");
    for (name, says) in [
        ("JupiterLocked#nothing", "no test found"),
        ("java.lang.String", "no test found"),
        ("NoSuchTest", "NoSuchTest"),
    ] {
        let run = test(compiled.classes(), directory.path(), &[name]);
        assert_eq!(run.code, 2, "{name}: {}", run.stdout);
        assert!(run.stderr.contains(says), "{name}: {}", run.stderr);
    }
}

#[test]
fn one_document_tells_of_all_tests() {
    let directory = tempfile::tempdir().unwrap();
    let (_, compiled) = compile_all("fails");
    let run = test(
        compiled.classes(),
        directory.path(),
        &["JupiterRaces#counts", "NotThrown", "--json"],
    );
    let document: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(document["schema"], "raddle.test/1");
    assert_eq!(document["failed"], 2);
    assert_eq!(document["tests"][0]["test"], "JupiterRaces#counts");
    assert_eq!(document["tests"][0]["verdict"], "failed");
    assert_eq!(document["tests"][1]["without_preemption"], true);
}
