//! Running the program and looking at what it did.

use std::ffi::OsStr;
use std::process::{Command, Output};

/// What one run did.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The program, ready to be given arguments.
pub(crate) fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_raddle"))
}

/// Runs `raddle` with these arguments.
pub(crate) fn raddle<S: AsRef<OsStr>>(arguments: &[S]) -> Run {
    Run::of(command().args(arguments))
}

/// Runs `raddle analyze` with these arguments.
pub(crate) fn analyze<S: AsRef<OsStr>>(arguments: &[S]) -> Run {
    Run::of(command().arg("analyze").args(arguments))
}

impl Run {
    pub(crate) fn of(command: &mut Command) -> Run {
        let Output {
            status,
            stdout,
            stderr,
        } = command.output().expect("raddle can be started");
        Run {
            code: status.code().expect("raddle is not killed"),
            stdout: String::from_utf8(stdout).expect("standard output is UTF-8"),
            stderr: String::from_utf8(stderr).expect("standard error is UTF-8"),
        }
    }

    /// The results, after checking that all went well.
    #[track_caller]
    pub(crate) fn succeeds(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "{self:#?}");
        self.stdout
    }

    /// Checks that bad input was answered with exit code 2, no results, and one sentence that contains all `parts`.
    #[track_caller]
    pub(crate) fn is_refused(&self, parts: &[&str]) {
        assert_eq!((self.code, self.stdout.as_str()), (2, ""), "{self:#?}");
        assert!(
            self.stderr.starts_with("error: ") && self.stderr.lines().count() == 1,
            "{self:#?}"
        );
        for part in parts {
            assert!(self.stderr.contains(part), "{part:?} is not in {self:#?}");
        }
    }
}

/// Results without the lines that differ from run to run.
pub(crate) fn without_times(text: &str) -> String {
    text.lines()
        .filter(|line| !line.starts_with("analysed in "))
        .collect::<Vec<_>>()
        .join("\n")
}
