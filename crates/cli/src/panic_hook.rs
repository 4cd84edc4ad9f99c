//! A panic is a bug of Raddle: one sentence that asks for a report, and an exit code of its own.

use std::panic::{self, PanicHookInfo};

use crate::exit_code::ExitCode;
use crate::standard_output::complain;

/// From here on, a panic on any thread ends the process with [`ExitCode::InternalFailure`].
pub(crate) fn install() {
    let default = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if std::env::var_os("RUST_BACKTRACE").is_some() {
            default(info);
        }
        complain!("error: {}", sentence(info));
        std::process::exit(ExitCode::InternalFailure as i32);
    }));
}

fn sentence(info: &PanicHookInfo<'_>) -> String {
    let what = info.payload_as_str().unwrap_or("no message");
    let place = info
        .location()
        .map(|location| format!(" at {location}"))
        .unwrap_or_default();
    format!(
        "raddle {} itself failed ({what}{place}); please report this sentence together with the command line",
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    /// Set in the process that is to panic.
    const CHILD: &str = "RADDLE_TEST_PANIC";

    #[test]
    fn a_panic_ends_with_its_own_exit_code_and_one_sentence() {
        if std::env::var_os(CHILD).is_some() {
            super::install();
            panic!("three threads and no loom");
        }
        let output = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "panic_hook::tests::a_panic_ends_with_its_own_exit_code_and_one_sentence",
                "--nocapture",
            ])
            .env(CHILD, "1")
            .env_remove("RUST_BACKTRACE")
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(70), "{errors}");
        assert!(
            errors.contains("itself failed (three threads and no loom at crates/cli/src/panic_hook.rs:"),
            "{errors}"
        );
        assert_eq!(
            errors.lines().filter(|line| line.starts_with("error: ")).count(),
            1,
            "{errors}"
        );
    }
}
