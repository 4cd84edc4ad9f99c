//! The plans in `fixtures/engine/plans`: classes of the JDK itself.

use std::fs;
use std::process::Command;

use raddle_testkit::engine_root;

fn run(folder: &str, arguments: &[&str], mut check: impl FnMut(&str, i32, &str)) {
    let directory = tempfile::tempdir().unwrap();
    let mut plans: Vec<_> = fs::read_dir(engine_root().join("plans").join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    plans.sort();
    assert!(!plans.is_empty());
    for plan in plans {
        let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
            .arg("run")
            .arg(plan.canonicalize().unwrap())
            .args(arguments)
            .current_dir(directory.path())
            .output()
            .unwrap();
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        check(
            plan.file_stem().unwrap().to_str().unwrap(),
            output.status.code().unwrap_or(-1),
            &text,
        );
    }
}

#[test]
fn deadlocks_of_the_jdk_show_within_twenty_random_schedules() {
    run(
        "deadlock",
        &["--scheduler", "random", "--schedules", "20"],
        |name, code, text| {
            assert_eq!(code, 1, "{name}: {text}");
            assert!(text.contains("deadlock"), "{name}: {text}");
            for part in ["holds", "wants"] {
                assert!(text.contains(part), "{name}: {part}: {text}");
            }
        },
    );
}

#[test]
fn correct_twins_are_explored_completely() {
    run("clean", &["--scheduler", "bounded:2"], |name, code, text| {
        assert_eq!(code, 0, "{name}: {text}");
        assert!(
            text.contains("all interleavings with at most 2 preemptions"),
            "{name}: {text}"
        );
    });
}

#[test]
fn reduction_explores_correct_twins_completely_and_finds_deadlocks() {
    run("clean", &["--scheduler", "dpor"], |name, code, text| {
        assert_eq!(code, 0, "{name}: {text}");
        assert!(
            text.contains("All interleavings (up to equivalence) of this test were run: "),
            "{name}: {text}"
        );
        assert!(
            text.contains("no violation in all interleavings, up to equivalence ("),
            "{name}: {text}"
        );
    });
    run("deadlock", &["--scheduler", "dpor"], |name, code, text| {
        assert_eq!(code, 1, "{name}: {text}");
        assert!(text.contains("deadlock"), "{name}: {text}");
        assert!(
            text.contains("All interleavings (up to equivalence)"),
            "{name}: {text}"
        );
    });
}
