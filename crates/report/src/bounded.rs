//! Files that a hunt has left behind, read with a bound: they may have been changed since.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Bytes of a file. The largest that was seen had a tenth of it.
const MOST_BYTES: u64 = 1 << 30;
/// No count comes near it, and sums of such numbers do not overflow.
pub(crate) const MOST: u64 = 1 << 53;

/// The whole of a file, unless it is larger than any that a hunt would have written.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = File::open(path)?.take(MOST_BYTES + 1);
    file.read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        let reason = format!("it has more than {} MiB", MOST_BYTES >> 20);
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    Ok(bytes)
}

/// The same as text.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}
