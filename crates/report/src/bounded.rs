//! Files in the folder of a hunt, which may have come from anybody, with a repository perhaps: read with a bound, and no link
//! among them is followed. One would show a stranger's choice of file in a report, or have it written over.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Bytes of a file. The largest that was seen had a tenth of it.
const MOST_BYTES: u64 = 1 << 30;
/// No count comes near it, and sums of such numbers do not overflow.
pub(crate) const MOST: u64 = 1 << 53;

/// The whole of a file, unless it is larger than any that a hunt would have written.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    check(path)?;
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

/// A new file in the place of whatever has the name.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    remove(path)?;
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// A file to go on with, which is made if it is not there.
pub(crate) fn go_on(path: &Path) -> io::Result<File> {
    match check(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).read(true).write(true);
    options.open(path)
}

/// Makes a directory and those above it, up to a root that may be a link if the user wants it to be one.
pub(crate) fn make_directory(root: &Path, directory: &Path) -> io::Result<()> {
    fs::create_dir_all(root)?;
    let Ok(below) = directory.strip_prefix(root) else {
        return fs::create_dir_all(directory);
    };
    let mut path = root.to_owned();
    for part in below {
        path.push(part);
        match fs::create_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => other?,
        }
        if !fs::symlink_metadata(&path)?.is_dir() {
            return Err(stranger(&path, "is no directory"));
        }
    }
    Ok(())
}

/// Removes a file, if there is one.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// A pipe would keep whoever opens it waiting.
fn check(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_file() {
        Ok(())
    } else {
        Err(stranger(path, "is no file"))
    }
}

fn stranger(path: &Path, what: &str) -> io::Error {
    let reason = format!(
        "{} {what}, so no hunt has left it here; remove it",
        path.display()
    );
    io::Error::new(io::ErrorKind::InvalidInput, reason)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Write;
    use std::os::unix::fs::symlink;

    #[test]
    fn what_a_link_leads_to_is_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        let secret = folder.path().join("secret");
        fs::write(&secret, "keep\n").unwrap();
        let link = folder.path().join("link");
        symlink(&secret, &link).unwrap();
        assert!(read(&link).is_err() && go_on(&link).is_err());
        create(&link).unwrap().write_all(b"new").unwrap();
        assert_eq!(fs::read_to_string(&secret).unwrap(), "keep\n");
        assert_eq!(read(&link).unwrap(), b"new");
        // Nor what one leads to that leads nowhere yet.
        let dangling = folder.path().join("dangling");
        symlink(folder.path().join("made"), &dangling).unwrap();
        assert!(go_on(&dangling).is_err());
        create(&dangling).unwrap();
        assert!(!folder.path().join("made").exists());
    }

    #[test]
    fn directories_are_made_below_the_root_only() {
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = folder.path().join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        let root = folder.path().join("root");
        // The user may keep the folder on another disk.
        symlink(&elsewhere, &root).unwrap();
        make_directory(&root, &root.join("a/b")).unwrap();
        make_directory(&root, &root.join("a/b")).unwrap();
        symlink(folder.path(), root.join("a/out")).unwrap();
        assert!(make_directory(&root, &root.join("a/out/x")).is_err());
        assert!(!folder.path().join("x").exists());
    }
}
