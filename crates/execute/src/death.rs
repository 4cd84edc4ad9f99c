//! How a worker came to its end before it had answered.

use std::fmt;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::Signal;
use serde::Serialize;

use crate::untrusted::beginning_of;

/// Lines of a JVM's crash report that say what happened.
const CRASH_LINES: usize = 8;
/// Bytes of it that are looked at. What happened is said at the beginning.
const CRASH_BYTES: u64 = 64 << 10;
/// Files that are looked at in search of it.
const MOST_ENTRIES: usize = 10_000;

/// How a worker came to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Death {
    /// What happened.
    pub cause: Cause,
    /// The schedules that were being run: number of the first, and how many.
    pub during: Option<(u64, u64)>,
    /// What helps to understand it: the head of the JVM's crash report, the stacks of all threads, the last words on
    /// standard error.
    pub evidence: String,
}

impl Death {
    /// Of a worker that was not even started, since nobody would wait for it.
    pub(crate) fn unwanted() -> Death {
        Death {
            cause: Cause::Unwanted,
            during: None,
            evidence: String::new(),
        }
    }

    /// Whether somebody else killed it, such as a system that is short of memory. No JVM does that to itself, so that it says
    /// nothing about the test.
    pub(crate) fn is_by_others(&self) -> bool {
        const KILLED: i32 = Signal::KILL.as_raw();
        self.cause == Cause::Crashed { signal: KILLED }
    }
}

/// What ended a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A signal that we did not send.
    Crashed {
        /// Its number.
        signal: i32,
    },
    /// It ended by itself.
    Exited {
        /// The exit code.
        code: i32,
    },
    /// The JVM ran out of memory, or used more than it may.
    OutOfMemory {
        /// How that was noticed.
        how: String,
    },
    /// No sign of life for so long; it was killed.
    Hung {
        /// In milliseconds.
        milliseconds: u64,
    },
    /// What it was asked for was no longer wanted, and it did not stop; it was killed.
    Unwanted,
    /// It used more than it may of something else; it was killed.
    OverLimit {
        /// What.
        what: String,
    },
    /// It said itself that it cannot go on.
    GaveUp {
        /// The sentence.
        sentence: String,
    },
    /// It said something that is no answer.
    Garbled {
        /// What is wrong with it.
        what: String,
    },
}

impl Cause {
    pub(crate) fn hung(time: Duration) -> Cause {
        Cause::Hung {
            milliseconds: u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// From how the process ended and what it left behind.
    pub(crate) fn of_exit(status: ExitStatus, left_behind: &str) -> Cause {
        let is_memory = [
            "OutOfMemoryError",
            "insufficient memory",
            "Out of Memory Error",
            "memory allocation of",
        ]
        .iter()
        .find_map(|sign| left_behind.lines().find(|line| line.contains(sign)));
        if let Some(line) = is_memory {
            return Cause::OutOfMemory {
                how: line.trim_start_matches(['#', ' ']).to_owned(),
            };
        }
        match (status.signal(), status.code()) {
            (Some(signal), _) => Cause::Crashed { signal },
            (None, code) => Cause::Exited {
                code: code.unwrap_or(-1),
            },
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Crashed { signal } => {
                write!(f, "the JVM crashed with signal {signal}{}", signal_name(*signal))
            }
            Cause::Exited { code } => write!(f, "the JVM ended by itself with exit code {code}"),
            Cause::OutOfMemory { how } => write!(f, "the JVM ran out of memory ({how})"),
            Cause::Hung { milliseconds } => write!(
                f,
                "the JVM gave no sign of life for {:.1} s",
                Duration::from_millis(*milliseconds).as_secs_f64()
            ),
            Cause::Unwanted => f.write_str("the time was up before the JVM had an answer"),
            Cause::OverLimit { what } => write!(f, "the worker used {what}"),
            Cause::GaveUp { sentence } => write!(f, "the worker gave up: {sentence}"),
            Cause::Garbled { what } => write!(f, "the worker's answer cannot be read: {what}"),
        }
    }
}

impl fmt::Display for Death {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.cause)?;
        match self.during {
            Some((index, 1)) => write!(f, " in schedule {index}"),
            Some((index, count)) => write!(
                f,
                " in one of the schedules {index} to {}",
                index.saturating_add(count.saturating_sub(1))
            ),
            None => Ok(()),
        }
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => " (SIGILL)",
        6 => " (SIGABRT)",
        7 => " (SIGBUS)",
        8 => " (SIGFPE)",
        9 => " (SIGKILL)",
        11 => " (SIGSEGV)",
        _ => "",
    }
}

/// Threads that every JVM has and that say nothing about a test.
const SYSTEM_THREADS: [&str; 7] = [
    "Reference Handler",
    "Finalizer",
    "Signal Dispatcher",
    "Notification Thread",
    "Common-Cleaner",
    "process reaper",
    "raddle-observer",
];

/// The stacks of those threads that have to do with the test. Stacks are apart by empty lines.
pub(crate) fn telling(stacks: &str) -> String {
    let is_system = |stack: &&str| {
        SYSTEM_THREADS
            .iter()
            .any(|name| stack.trim_start().starts_with(&format!("\"{name}\"")))
    };
    let stacks: Vec<&str> = stacks.split("\n\n").filter(|stack| !is_system(stack)).collect();
    stacks.join("\n")
}

/// The head of the crash report that a JVM left in its directory.
pub(crate) fn crash_report(directory: &Path) -> String {
    let Ok(entries) = fs::read_dir(directory) else {
        return String::new();
    };
    let report = entries.flatten().take(MOST_ENTRIES).find(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        (name.starts_with("jvm-crash") || name.starts_with("hs_err")) && name.ends_with(".log")
    });
    // A test may have put something else in its place.
    let Some(text) = report.and_then(|entry| beginning_of(&entry.path(), CRASH_BYTES).ok()) else {
        return String::new();
    };
    let text = String::from_utf8_lossy(&text);
    let telling: Vec<&str> = text
        .lines()
        .filter(|line| line.len() > 2 && line.starts_with("# "))
        .take(CRASH_LINES)
        .collect();
    telling.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_is_told_from_an_exit() {
        let crash = Cause::of_exit(ExitStatus::from_raw(11), "");
        assert_eq!(crash.to_string(), "the JVM crashed with signal 11 (SIGSEGV)");
        let exit = Cause::of_exit(ExitStatus::from_raw(3 << 8), "");
        assert_eq!(exit.to_string(), "the JVM ended by itself with exit code 3");
    }

    #[test]
    fn running_out_of_memory_is_recognised_by_what_is_left_behind() {
        let report = "# There is insufficient memory for the Java Runtime Environment to continue.";
        let cause = Cause::of_exit(ExitStatus::from_raw(6), report);
        assert!(matches!(cause, Cause::OutOfMemory { .. }), "{cause:?}");
    }

    #[test]
    fn the_crash_report_is_cut_to_what_matters() {
        let directory = tempfile::tempdir().unwrap();
        let text = "#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n#  SIGSEGV (0xb) at pc=0x1\n\n---------------\n";
        fs::write(directory.path().join("jvm-crash.log"), text).unwrap();
        assert_eq!(
            crash_report(directory.path()),
            "# A fatal error has been detected by the Java Runtime Environment:\n#  SIGSEGV (0xb) at pc=0x1"
        );
    }

    #[test]
    fn only_a_kill_is_from_outside() {
        let death = |signal| Death {
            cause: Cause::Crashed { signal },
            during: None,
            evidence: String::new(),
        };
        assert!(death(9).is_by_others() && !death(11).is_by_others());
        assert!(!Death::unwanted().is_by_others());
    }

    #[test]
    fn what_stands_in_the_place_of_a_crash_report_is_not_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("hs_err_pid7.log");
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        assert_eq!(crash_report(directory.path()), "");
        fs::remove_file(&path).unwrap();
        fs::write(&path, "# x\n".repeat(1 << 20)).unwrap();
        assert_eq!(crash_report(directory.path()).lines().count(), CRASH_LINES);
    }

    #[test]
    fn threads_of_the_jvm_itself_are_left_out() {
        let stacks =
            "\"main\" parked\n    at A.b\n\n\"Finalizer\" in Object.wait\n    at C.d\n\n\"thread 1\" running";
        assert_eq!(
            telling(stacks),
            "\"main\" parked\n    at A.b\n\"thread 1\" running"
        );
    }

    #[test]
    fn a_death_names_its_schedules() {
        let mut death = Death {
            cause: Cause::hung(Duration::from_millis(1500)),
            during: Some((40, 8)),
            evidence: String::new(),
        };
        assert_eq!(
            death.to_string(),
            "the JVM gave no sign of life for 1.5 s in one of the schedules 40 to 47"
        );
        death.during = Some((40, 1));
        assert!(death.to_string().ends_with("in schedule 40"));
    }
}
