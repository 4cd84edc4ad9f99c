//! The hidden command that makes a process a worker.

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::descriptors::close_inherited;
use crate::jvm::Jvm;
use crate::self_test::self_test;
use crate::serve::serve;

/// Instead of the loop: start the JVM of the JDK that follows, with the options that follow, say how that went, end.
const SELF_TEST: &str = "--self-test";

/// The whole of `raddle raddle-worker`. To be called before anything else of the process has happened.
pub fn main() -> ExitCode {
    if let Err(error) = close_inherited() {
        let _ = writeln!(io::stderr(), "cannot close what others have open: {error}");
        return ExitCode::FAILURE;
    }
    let mut arguments = env::args_os().skip(2);
    match arguments.next() {
        Some(argument) if argument == SELF_TEST => {
            let home = arguments.next().map(PathBuf::from).unwrap_or_default();
            let extra = arguments.map(|argument| argument.to_string_lossy().into_owned());
            let (sentence, code) = match self_test(home, extra.collect()) {
                Ok(sentence) => (sentence, ExitCode::SUCCESS),
                Err(problem) => (format!("error: {problem}"), ExitCode::FAILURE),
            };
            // Whoever does not listen need not be told.
            let _ = writeln!(io::stdout(), "{sentence}");
            code
        }
        _ => serve(Jvm::start),
    }
}
