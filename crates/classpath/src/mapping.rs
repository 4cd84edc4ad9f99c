//! Mapping a file into memory, the only `unsafe` of this crate.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// Maps a regular file for reading.
#[allow(unsafe_code)] // mapping is the point: an image of 130 MB is opened in microseconds
pub(crate) fn map(path: &Path) -> io::Result<Mmap> {
    // Opening a pipe would block for ever, so look before opening.
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is not a regular file",
        ));
    }
    let file = File::open(path)?;
    // SAFETY: the mapping is read-only, and nothing in this process writes to the file. Another
    // process could: if it truncates the file, touching the missing pages ends this process with SIGBUS, and
    // if it writes, bytes change under a shared slice. Run-time images are part of an installed JDK, are
    // never rewritten in place (package managers replace the file, which leaves our mapping intact), and the
    // JVM itself maps them in the same way. Jars are rewritten in place by builds, and therefore are not
    // mapped.
    unsafe { Mmap::map(&file) }
}
