//! The machine: what it is, how busy it is, and what programs started here have taken of it.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::workspace;

/// The unit of `/proc/self/stat`, which Linux fixes for programs whatever its own clock is.
const TICKS_PER_SECOND: u64 = 100;
/// Where the processor time of children begins in `/proc/self/stat`, counted from behind the program's name.
const CHILDREN_USER: usize = 13;

/// Processor time of all children that have ended, and of theirs: what `getrusage` tells, to a hundredth of a second.
pub(super) fn cpu_time_of_children() -> Duration {
    children_in(&fs::read_to_string("/proc/self/stat").unwrap_or_default())
}

fn children_in(stat: &str) -> Duration {
    // The name of the program comes second, in brackets, and may contain anything.
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks: u64 = after_name
        .split_whitespace()
        .skip(CHILDREN_USER)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok())
        .sum();
    Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND)
}

/// Such as `2 × Intel(R) Xeon(R)`.
pub(crate) fn processor() -> String {
    let information = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = information
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map_or("unknown processor", |(_, model)| model.trim());
    let count = thread::available_parallelism().map_or(1, usize::from);
    format!("{count} × {model}")
}

/// How many threads wanted to run in the last minute, five and fifteen minutes.
pub(crate) fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().take(3).collect::<Vec<_>>().join(" ")
}

/// Such as `3a79e66 with changes`.
pub(crate) fn commit() -> String {
    let Some(commit) = git(&["rev-parse", "--short", "HEAD"]) else {
        return "unknown".to_owned();
    };
    match git(&["status", "--porcelain", "--", "crates"]) {
        Some(changes) if changes.is_empty() => commit,
        _ => format!("{commit} with changes"),
    }
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        // Looking must not write to the index, which someone else may be working with.
        .arg("--no-optional-locks")
        .args(arguments)
        .current_dir(workspace::root())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_of_children_is_told_from_ones_own() {
        let stat = "7 (a) b) S 1 7 7 0 -1 0 0 0 0 0 11 12 130 20 20 0 1 0 5";
        assert_eq!(children_in(stat), Duration::from_millis(1500));
        assert_eq!(children_in(""), Duration::ZERO);
    }
}
