//! Help, version, and wrong usage.

use crate::raddle::{Run, command, raddle};

#[test]
fn help_names_every_command_and_exit_code_and_nothing_that_does_not_exist() {
    let help = raddle(&["--help"]).succeeds();
    for command in [
        "  hunt     ",
        "  explain  ",
        "  analyze  ",
        "  run      ",
        "  replay   ",
    ] {
        assert!(help.contains(command), "{help}");
    }
    for code in ["\n   0  ", "\n   1  ", "\n   2  ", "\n   3  ", "\n  70  "] {
        assert!(help.contains(code), "{help}");
    }
    assert!(!help.contains("raddle-worker"), "{help}");
}

#[test]
fn help_of_analyze_has_examples() {
    let help = raddle(&["analyze", "--help"]).succeeds();
    assert!(
        help.contains("Examples:") && help.contains("raddle analyze java.util.Hashtable"),
        "{help}"
    );
}

#[test]
fn the_version_is_that_of_the_package_and_the_long_one_has_the_commit() {
    let short = concat!("raddle ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(raddle(&["-V"]).succeeds(), short);
    let long = raddle(&["--version"]).succeeds();
    assert!(long.starts_with(short.trim_end()), "{long}");
    let commit = long.trim().split_once(" (commit ").map(|(_, commit)| commit);
    // Sources that were unpacked and not cloned have none.
    assert!(
        commit.is_none_or(|commit| commit.len() == 13 && commit.ends_with(')')),
        "{long}"
    );
}

#[test]
fn shells_and_the_manual_know_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let script = raddle(&["completions", shell]).succeeds();
        assert!(
            script.contains("hunt") && script.contains("budget"),
            "{shell}: {script}"
        );
    }
    let page = raddle(&["man"]).succeeds();
    assert!(
        page.contains(".TH raddle 1") && page.contains("raddle\\-hunt(1)"),
        "{page}"
    );
    let directory = tempfile::tempdir().unwrap();
    let man1 = directory.path().join("man1");
    raddle(&["man".as_ref(), man1.as_os_str()]).succeeds();
    let mut pages: Vec<_> = std::fs::read_dir(&man1)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    pages.sort_unstable();
    assert!(pages.contains(&"raddle.1".to_owned()), "{pages:?}");
    assert!(pages.contains(&"raddle-hunt.1".to_owned()), "{pages:?}");
    assert!(!pages.iter().any(|page| page.contains("help")), "{pages:?}");
    raddle(&["man".as_ref(), man1.join("raddle.1").as_os_str()])
        .is_refused(&["the manual pages cannot be written to "]);
}

#[test]
fn wrong_usage_has_the_exit_code_of_bad_input() {
    let wrong: [&[&str]; 6] = [
        &[],
        &["no-such-command"],
        &["analyze"],
        &["analyze", "--no-such-option", "java.util.Vector"],
        &["analyze", "--precision", "vague", "java.util.Vector"],
        &["analyze", "--json", "--verbose", "java.util.Vector"],
    ];
    for arguments in wrong {
        let run = raddle(arguments);
        assert_eq!(
            (run.code, run.stdout.as_str()),
            (2, ""),
            "{arguments:?}: {run:#?}"
        );
        assert!(!run.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn what_is_told_for_diagnosis_never_reaches_standard_output() {
    let explain = |log: &str| Run::of(command().args(["explain", "deadlock"]).env("RADDLE_LOG", log));
    let plain = explain("");
    assert_eq!(plain.stderr, "");
    let wrong = explain("a=b=c");
    assert!(
        wrong.stderr.starts_with("WARNING: RADDLE_LOG is ignored: "),
        "{}",
        wrong.stderr
    );
    for run in [wrong, explain("trace")] {
        assert_eq!(
            (run.code, run.stdout.as_str()),
            (plain.code, plain.stdout.as_str())
        );
    }
}
