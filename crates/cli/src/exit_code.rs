//! What the exit code says. The table for users is `docs/exit-codes.md`; a test keeps the two equal.

use std::fmt::Write;

/// Exit codes: "found something" and "something broke" never share one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExitCode {
    /// The work was done.
    Done = 0,
    /// By a command that runs code.
    ViolationsFound = 1,
    /// Also what clap uses for its own errors.
    BadInput = 2,
    /// Some of the work could not be done.
    Inconclusive = 3,
    /// `EX_SOFTWARE` of sysexits.
    InternalFailure = 70,
}

impl ExitCode {
    const ALL: [ExitCode; 5] = [
        ExitCode::Done,
        ExitCode::ViolationsFound,
        ExitCode::BadInput,
        ExitCode::Inconclusive,
        ExitCode::InternalFailure,
    ];

    fn meaning(self) -> &'static str {
        match self {
            ExitCode::Done => "done, no violation found",
            ExitCode::ViolationsFound => "violations found",
            ExitCode::BadInput => "bad usage or bad input",
            ExitCode::Inconclusive => "inconclusive, part of the work could not be done",
            ExitCode::InternalFailure => "raddle itself failed, please report it",
        }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        std::process::ExitCode::from(code as u8)
    }
}

/// The table that `--help` ends with.
pub(crate) fn table() -> String {
    ExitCode::ALL
        .into_iter()
        .fold("Exit codes:".to_owned(), |mut table, code| {
            let _ = write!(table, "\n  {:>2}  {}", code as u8, code.meaning());
            table
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_has_the_same_table() {
        let document = include_str!("../../../docs/exit-codes.md");
        for code in ExitCode::ALL {
            let row = format!("| {} | {} |", code as u8, code.meaning());
            assert!(document.contains(&row), "docs/exit-codes.md lacks the row {row}");
        }
    }
}
