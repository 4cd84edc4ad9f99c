//! Signals whose handling is beyond the safe interfaces.

/// Whether whoever started this process wants it to survive the end of its terminal, as `nohup` does.
pub fn hangups_are_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    ignores(&status, libc::SIGHUP)
}

/// Ignores them, whatever handler there is.
pub fn ignore_hangups() {
    #[expect(
        unsafe_code,
        reason = "the disposition of a signal can only be set through libc"
    )]
    // SAFETY: SIG_IGN is a valid disposition for SIGHUP, and no handler is installed.
    unsafe {
        libc::signal(libc::SIGHUP, libc::SIG_IGN);
    }
}

/// From the mask of ignored signals in `/proc/self/status`, where signal 1 is the lowest bit.
fn ignores(status: &str, signal: i32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_of_ignored_signals_is_read() {
        let status = "Name:\traddle\nSigIgn:\t0000000000001001\nSigCgt:\t0000000000000002\n";
        assert!(ignores(status, libc::SIGHUP) && ignores(status, libc::SIGPIPE));
        assert!(!ignores(status, libc::SIGINT) && !ignores("", libc::SIGHUP));
    }
}
