//! Files in directories that tests can write to: any of them may be a link, a pipe, or far too large.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

/// The beginning of a file, if it is one: no link is followed, and a pipe is not waited for.
pub(crate) fn beginning_of(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The end of a file that we opened ourselves, whatever has its name by now. Where others write to it does not change.
pub(crate) fn end_of(file: &File, most: u64) -> io::Result<Vec<u8>> {
    let mut at = file.metadata()?.len().saturating_sub(most);
    let mut bytes = vec![0; usize::try_from(most).unwrap_or(usize::MAX)];
    let mut filled = 0;
    while filled < bytes.len() {
        match file.read_at(&mut bytes[filled..], at)? {
            0 => break,
            length => {
                filled += length;
                at += length as u64;
            }
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::process::Command;

    #[test]
    fn of_a_large_file_only_as_much_is_read_as_wanted() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        fs::write(&path, "0123456789").unwrap();
        assert_eq!(beginning_of(&path, 4).unwrap(), b"0123");
        let file = File::open(&path).unwrap();
        assert_eq!(end_of(&file, 4).unwrap(), b"6789");
        assert_eq!(end_of(&file, 100).unwrap(), b"0123456789");
    }

    #[test]
    fn links_pipes_and_directories_are_not_read() {
        let directory = tempfile::tempdir().unwrap();
        let link = directory.path().join("link");
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        let pipe = directory.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [&link, &pipe, directory.path(), Path::new("/dev/zero")] {
            assert!(beginning_of(path, 10).is_err(), "{}", path.display());
        }
    }
}
