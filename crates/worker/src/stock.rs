//! The hidden command that runs a program in the cage for a stock JVM.
//!
//! It is a process of its own that goes into the cage and starts the program there, because that is what puts the
//! program into new namespaces. When this process is killed, the program and everything that it has started are gone.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, set_parent_process_death_signal, waitpid};

use crate::cage::{Cage, CageError};
use crate::protocol::CageLimits;

/// The exit code if the program was not started; a sentence that begins with [`NO_CAGE`] says why.
pub const NOT_STARTED: u8 = 125;
/// How that sentence begins if it is the cage that cannot be had.
pub const NO_CAGE: &str = "NO CAGE: ";
/// What a shell adds to the number of a signal.
const SIGNALLED: i32 = 128;
/// The largest heap of each JVM in the cage, in MiB.
pub const STOCK_HEAP_MIB: u32 = 512;
/// Of each process. Threads that run for ever are looked at for seconds.
const CPU_SECONDS: u64 = 120;

/// Why the program was not started.
#[derive(Debug, thiserror::Error)]
enum NotStarted {
    #[error("{NO_CAGE}{0}")]
    Cage(#[from] CageError),
    #[error("{NO_CAGE}{0}")]
    Open(String),
    #[error("no directory and program were given")]
    Arguments,
    #[error("cannot start {program}: {error}")]
    Program { program: String, error: io::Error },
}

/// The whole of `raddle raddle-stock DIRECTORY PROGRAM ARGUMENTS`: runs the program, which can write below the directory
/// only, and ends with its exit code. To be called before anything else of the process has happened.
pub fn stock_main() -> ExitCode {
    match run(env::args_os().skip(2)) {
        Ok(status) => {
            let signalled = || status.terminating_signal().map(|signal| SIGNALLED + signal);
            let code = status.exit_status().or_else(signalled);
            ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX))
        }
        Err(problem) => {
            // Whoever does not listen need not be told.
            let _ = writeln!(io::stdout(), "{problem}");
            ExitCode::from(NOT_STARTED)
        }
    }
}

fn run(mut arguments: impl Iterator<Item = OsString>) -> Result<WaitStatus, NotStarted> {
    let (Some(directory), Some(program)) = (arguments.next(), arguments.next()) else {
        return Err(NotStarted::Arguments);
    };
    let cage = Cage::new(&PathBuf::from(directory), CageLimits::for_heap(STOCK_HEAP_MIB));
    let report = cage.enter_with_children(CPU_SECONDS)?;
    if report.is_open() {
        return Err(NotStarted::Open(report.gaps().join("; ")));
    }
    let mut command = Command::new(&program);
    command.args(arguments);
    start(&mut command).map_err(|error| NotStarted::Program {
        program: program.to_string_lossy().into_owned(),
        error,
    })
}

/// Runs a program to its end in a child process. The standard library's way needs a socket that the cage forbids.
fn start(command: &mut Command) -> io::Result<WaitStatus> {
    #[expect(unsafe_code, reason = "there is no other way to have a child process")]
    // SAFETY: this process has one thread, so the child finds nothing half done.
    let child = unsafe { libc::fork() };
    if child < 0 {
        return Err(io::Error::last_os_error());
    }
    let Some(child) = Pid::from_raw(child) else {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        return Err(command.exec());
    };
    loop {
        if let Some((_, status)) = waitpid(Some(child), WaitOptions::empty())? {
            return Ok(status);
        }
    }
}
