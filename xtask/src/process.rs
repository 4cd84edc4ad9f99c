//! What this process has used so far, as the kernel tells.

use std::fs;
use std::time::Duration;

/// The unit of `/proc/self/stat`, which Linux fixes for programs whatever its own clock is.
const TICKS_PER_SECOND: u64 = 100;

/// More than any analysis may need, in KiB; one that takes more would take everything.
pub(crate) const MEMORY_LIMIT: u64 = 8 << 20;

/// Processor time of all threads; zero where it cannot be told.
pub(crate) fn cpu_time() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program comes second, in brackets, and may contain anything.
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks: u64 = after_name
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok())
        .sum();
    Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND)
}

/// Most memory held at any time since the last reset, in KiB; zero where it cannot be told.
pub(crate) fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}

/// Counts the peak from here on. Where that is not allowed, it stays the peak of the whole run.
pub(crate) fn reset_peak_memory() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn time_and_memory_are_told() {
        let start = cpu_time();
        let mut sum = 0_u64;
        while cpu_time() == start {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(peak_memory() > 100);
    }
}
