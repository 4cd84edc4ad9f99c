//! Resource limits, and the end of the worker when the coordinator ends.

use std::io;

use rustix::process::{Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit};

use super::CageError;
use crate::protocol::CageLimits;

/// A JVM has none that wait for long.
const WAITING_SIGNALS: u64 = 1024;

/// Sets every limit, soft and hard, so that it cannot be raised again by a process that is not root; seccomp keeps
/// root from it.
pub(super) fn set(limits: &CageLimits) -> Result<(), CageError> {
    end_with_parent()?;
    ignore_large_files()?;
    for (what, resource, most) in [
        ("the size of files", Resource::Fsize, limits.file_bytes),
        ("open files", Resource::Nofile, limits.descriptors),
        ("memory", Resource::Data, limits.data_bytes),
        ("address space", Resource::As, limits.address_bytes),
        // Not 0, at which the kernel still starts the program that takes them on most systems, gigabytes of a JVM.
        ("core dumps", Resource::Core, 1),
        // All processes of a user share what the kernel has for these.
        ("waiting signals", Resource::Sigpending, WAITING_SIGNALS),
    ] {
        lower(what, resource, most)?;
    }
    Ok(())
}

/// Has this process killed when the one that started it ends.
pub(super) fn end_with_parent() -> Result<(), CageError> {
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(failed("the life of the worker"))
}

/// Limits the time on CPUs, of each process by itself.
pub(super) fn set_cpu(seconds: u64) -> Result<(), CageError> {
    lower("time on the CPU", Resource::Cpu, seconds)
}

fn lower(what: &'static str, resource: Resource, most: u64) -> Result<(), CageError> {
    // A limit that is lower already stays: only root may raise it, and whoever set it had a reason.
    let now = rustix::process::getrlimit(resource).maximum;
    let most = now.map_or(most, |now| now.min(most));
    let limit = Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    setrlimit(resource, limit).map_err(failed(what))
}

fn failed(what: &'static str) -> impl FnOnce(rustix::io::Errno) -> CageError {
    move |error| CageError::Limit {
        what,
        error: error.into(),
    }
}

/// Writing beyond the limit is to be an error of that write, and not the end of the process.
fn ignore_large_files() -> Result<(), CageError> {
    #[expect(
        unsafe_code,
        reason = "the disposition of a signal can only be set through libc"
    )]
    // SAFETY: SIG_IGN is a valid disposition for SIGXFSZ, and no handler is installed.
    let before = unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    if before == libc::SIG_ERR {
        return Err(CageError::Limit {
            what: "the size of files",
            error: io::Error::last_os_error(),
        });
    }
    Ok(())
}
