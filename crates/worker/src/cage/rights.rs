//! Capabilities: nobody in a cage has any, whoever started it.
//!
//! Root in a container or on a build server has them all, and some reach past Landlock: making devices, shutting a
//! file system down, looking into other processes.

use rustix::io::{Errno, Result};
use rustix::thread::{
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_capabilities_secure_bits, set_no_new_privs,
};

/// Of this thread and every thread and process that it starts.
pub(super) fn give_up() -> Result<()> {
    // Whoever lacks this right cannot narrow these, and need not: only a program with rights of its own could give
    // something back, and none does from here on.
    if capabilities(None)?.effective.contains(CapabilitySet::SETPCAP) {
        // Somebody called root would get everything back with every program that it starts.
        set_capabilities_secure_bits(
            CapabilitiesSecureBits::NO_ROOT
                | CapabilitiesSecureBits::NO_ROOT_LOCKED
                | CapabilitiesSecureBits::NO_SETUID_FIXUP
                | CapabilitiesSecureBits::NO_SETUID_FIXUP_LOCKED,
        )?;
        narrow_bounds()?;
    }
    match clear_ambient_capability_set() {
        // A kernel that does not know the set has nothing in it.
        Ok(()) | Err(Errno::INVAL) => {}
        Err(error) => return Err(error),
    }
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    set_capabilities(None, none)?;
    set_no_new_privs(true)
}

/// Takes everything out of what programs could at most get, also what only newer kernels know.
fn narrow_bounds() -> Result<()> {
    for number in 0..u64::BITS {
        match remove_capability_from_bounding_set(CapabilitySet::from_bits_retain(1 << number)) {
            Ok(()) => {}
            // The first number that the kernel does not know.
            Err(Errno::INVAL) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
