//! Namespaces of users, processes and the network: whoever is in them sees no process and no network but their own.

use std::fs;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use rustix::process::{getgid, getuid};
use rustix::thread::{
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, UnshareFlags, set_capabilities,
    set_capabilities_secure_bits, unshare_unsafe,
};

use super::CageError;

/// The network interface that leads back to the machine itself; a new namespace has no other.
const LOOPBACK: &[u8] = b"lo\0";

/// Moves this process and its future children. Children are in a namespace of processes of which the first child is
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
    let moved =
        unsafe { unshare_unsafe(UnshareFlags::NEWUSER | UnshareFlags::NEWNET | UnshareFlags::NEWPID) };
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
    raise_loopback().map_err(failed("a loopback interface"))?;
    give_up_rights().map_err(|error| failed("no special rights")(error.into()))
}

/// Whoever makes a namespace has all rights in it, and somebody called root would keep them in every program it starts.
fn give_up_rights() -> rustix::io::Result<()> {
    set_capabilities_secure_bits(
        CapabilitiesSecureBits::NO_ROOT
            | CapabilitiesSecureBits::NO_ROOT_LOCKED
            | CapabilitiesSecureBits::NO_SETUID_FIXUP
            | CapabilitiesSecureBits::NO_SETUID_FIXUP_LOCKED,
    )?;
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    set_capabilities(None, none)
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
