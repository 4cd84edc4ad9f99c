//! The hidden command that runs a program in the cage for a stock JVM.
//!
//! It is a process of its own that makes namespaces and starts another one in them, because that is what puts the
//! program into them. When this process is killed, the program and everything that it has started are gone.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use rustix::process::{Pid, WaitOptions, WaitStatus, waitpid};

use crate::cage::{Cage, CageError};
use crate::descriptors::close_inherited;
use crate::protocol::CageLimits;

/// The exit code if the program was not started; a sentence that begins with [`NO_CAGE`] says why.
pub const NOT_STARTED: u8 = 125;
/// How that sentence begins if it is the cage that cannot be had.
pub const NO_CAGE: &str = "NO CAGE: ";
/// Before the program: what may be read.
pub const READ: &str = "--read";
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
    #[error("{NO_CAGE}cannot close what others have open: {0}")]
    Descriptors(io::Error),
    #[error("no directory and program were given")]
    Arguments,
    #[error("cannot start another process: {0}")]
    Fork(io::Error),
    #[error("cannot start {program}: {error}")]
    Program { program: String, error: io::Error },
}

/// The whole of `raddle raddle-stock DIRECTORY [--read PATH]... PROGRAM ARGUMENTS`: runs the program, which can write below
/// the directory only and read these paths besides what every program needs, and ends with its exit code. To be called before anything else of the process has happened.
pub fn stock_main() -> ExitCode {
    let started = close_inherited()
        .map_err(NotStarted::Descriptors)
        .and_then(|()| run(env::args_os().skip(2)));
    match started {
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
    let Some(directory) = arguments.next() else {
        return Err(NotStarted::Arguments);
    };
    let mut readable = Vec::new();
    let program = loop {
        match arguments.next() {
            Some(argument) if argument == READ => readable.extend(arguments.next().map(PathBuf::from)),
            Some(program) => break program,
            None => return Err(NotStarted::Arguments),
        }
    };
    let cage = Cage::new(&PathBuf::from(directory), CageLimits::for_heap(STOCK_HEAP_MIB)).reading(readable);
    let mut command = Command::new(&program);
    command.args(arguments);
    Cage::prepare_for_children()?;
    if let Some(status) = fork()? {
        return Ok(status);
    }
    let report = cage.enter_with_children(CPU_SECONDS)?;
    if report.is_open() {
        return Err(NotStarted::Open(report.gaps().join("; ")));
    }
    Err(NotStarted::Program {
        program: program.to_string_lossy().into_owned(),
        error: command.exec(),
    })
}

/// Waits for a child process that goes on from here, and says how it ended; none to the child.
fn fork() -> Result<Option<WaitStatus>, NotStarted> {
    #[expect(unsafe_code, reason = "there is no other way to have a child process")]
    // SAFETY: this process has one thread, so the child finds nothing half done.
    let child = unsafe { libc::fork() };
    if child < 0 {
        return Err(NotStarted::Fork(io::Error::last_os_error()));
    }
    let Some(child) = Pid::from_raw(child) else {
        return Ok(None);
    };
    loop {
        let ended = waitpid(Some(child), WaitOptions::empty());
        if let Some((_, status)) = ended.map_err(|error| NotStarted::Fork(error.into()))? {
            return Ok(Some(status));
        }
    }
}
