//! Descriptors that a process was handed down, beyond the three standard streams.
//!
//! A shell or a build server may have files open that it never closes for its children. Through such a descriptor a
//! test could write to a file that no cage would have let it open.

use std::ffi::c_uint;
use std::io;

/// The first descriptor that is no standard stream.
const FIRST: c_uint = 3;

/// Closes all of them. To be called before anything else of the process has happened: nothing of its own is open yet.
pub fn close_inherited() -> io::Result<()> {
    close_range(0, |descriptor| {
        #[expect(
            unsafe_code,
            reason = "a descriptor that nobody owns has no safe owner to drop"
        )]
        // SAFETY: the caller promises that nothing of this process is open yet, so nobody else uses the number.
        let result = unsafe { libc::close(descriptor) };
        is_done(result)
    })
}

/// Keeps all of them from the programs that this process starts. To be called before anything else of the process has
/// happened.
pub fn keep_inherited_from_children() -> io::Result<()> {
    close_range(libc::CLOSE_RANGE_CLOEXEC, |descriptor| {
        #[expect(unsafe_code, reason = "a descriptor that nobody owns cannot be borrowed")]
        // SAFETY: the call takes no pointers and changes no descriptor but this one's flag.
        let result = unsafe { libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC) };
        is_done(result)
    })
}

/// Does it with one system call, or one by one where the kernel does not know that call.
fn close_range(flags: c_uint, one: impl Fn(i32) -> io::Result<()>) -> io::Result<()> {
    #[expect(
        unsafe_code,
        reason = "the C library may be older than its function for this call"
    )]
    // SAFETY: the call takes three numbers; what it closes is nobody's, as the callers promise.
    let result = unsafe { libc::syscall(libc::SYS_close_range, FIRST, c_uint::MAX, flags) };
    if result == 0 {
        return Ok(());
    }
    let error = io::Error::last_os_error();
    if error.raw_os_error() != Some(libc::ENOSYS) {
        return Err(error);
    }
    // Collected first: the directory is itself open while it is read.
    let open: Vec<i32> = std::fs::read_dir("/proc/self/fd")?
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|descriptor| i64::from(*descriptor) >= i64::from(FIRST))
        .collect();
    for descriptor in open {
        match one(descriptor) {
            Err(error) if error.raw_os_error() == Some(libc::EBADF) => {}
            other => other?,
        }
    }
    Ok(())
}

fn is_done(result: i32) -> io::Result<()> {
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}
