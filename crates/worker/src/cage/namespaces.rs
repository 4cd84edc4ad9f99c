//! Namespaces of users, processes, mounts and the network: whoever is in them sees no process and no network but their own.

use std::ffi::CStr;
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use rustix::process::{getgid, getuid};
use rustix::thread::{UnshareFlags, unshare_unsafe};

use super::CageError;

/// The network interface that leads back to the machine itself; a new namespace has no other.
const LOOPBACK: &[u8] = b"lo\0";

/// Moves this process and its future children, who have all rights in there until they give them up. Children are in a namespace of processes of which the first child is
/// the root: when that one ends, the others are killed.
///
/// The process must have one thread only.
pub(super) fn enter() -> Result<(), CageError> {
    let (user, group) = (getuid().as_raw(), getgid().as_raw());
    let failed = |what| move |error: io::Error| CageError::Namespace { what, error };
    #[expect(
        unsafe_code,
        reason = "some flags of the call can break promises that others rely on"
    )]
    // SAFETY: the table of file descriptors stays shared, which is what the call could break.
    let moved = unsafe {
        unshare_unsafe(
            UnshareFlags::NEWUSER | UnshareFlags::NEWNET | UnshareFlags::NEWPID | UnshareFlags::NEWNS,
        )
    };
    moved.map_err(|error| failed("namespaces of its own")(error.into()))?;
    // Everybody stays who they are, so that files are readable as before. Without the first line the kernel does not
    // take the last one from somebody without rights.
    for (file, line) in [
        ("setgroups", "deny".to_owned()),
        ("uid_map", format!("{user} {user} 1")),
        ("gid_map", format!("{group} {group} 1")),
    ] {
        fs::write(format!("/proc/self/{file}"), line).map_err(failed("a user of its own"))?;
    }
    raise_loopback().map_err(failed("a loopback interface"))
}

/// Puts a list of the processes of this namespace in the place of the list of all, if the system allows that; one in a
/// container may not. To be called by the first process of the namespace, before it gives up its rights.
pub(super) fn show_own_processes() -> bool {
    const PROC: &CStr = c"proc";
    #[expect(unsafe_code, reason = "file systems are mounted through libc")]
    // SAFETY: all four texts outlive the call.
    let mount = |options: &CStr| unsafe {
        libc::mount(
            PROC.as_ptr(),
            c"/proc".as_ptr(),
            PROC.as_ptr(),
            libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC,
            options.as_ptr().cast(),
        )
    };
    // Without what is said there of the kernel, some of which is for root alone; kernels before 5.8 know only the whole.
    mount(c"subset=pid") == 0 || mount(c"") == 0
}

/// Switches the loopback interface on: it is off in a new namespace.
#[expect(unsafe_code, reason = "interfaces are switched on through ioctl")]
fn raise_loopback() -> io::Result<()> {
    // SAFETY: the call takes no pointers.
    let socket = unsafe { libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0) };
    if socket < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor was just opened and belongs to nobody else.
    let socket = unsafe { OwnedFd::from_raw_fd(socket) };
    // SAFETY: all members of the structure are numbers, arrays of them and pointers, for which zero is a value.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (slot, byte) in request.ifr_name.iter_mut().zip(LOOPBACK) {
        *slot = byte.cast_signed();
    }
    request.ifr_ifru.ifru_flags = libc::IFF_UP as libc::c_short;
    // SAFETY: the call reads a structure of this type, which outlives it.
    let result = unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, &raw const request) };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}
