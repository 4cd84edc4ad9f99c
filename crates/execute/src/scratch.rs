//! Directories for the time of one process, and the end of those whose owner was killed.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

/// How their names begin.
pub(crate) const PREFIX: &str = "raddle-scratch-";
/// Levels of directories that are removed at once, each of which takes a descriptor.
const DEEP: usize = 100;
/// How often so many levels are cut off; paths have an end.
const MOST_PARTS: usize = 1000;
/// Between its making and its lock a directory looks like one that was left behind.
const YOUNG: Duration = Duration::from_mins(1);

/// A directory that is gone when this is dropped, or else when another one is made after this process has ended.
#[derive(Debug)]
pub(crate) struct Scratch {
    /// Dropped last.
    directory: TempDir,
    /// Open as long as the process lives, and then unlocked by the kernel, whatever has ended the process.
    _lock: Option<File>,
}

/// A directory could not be made.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot make a directory for tests in {}: {error}; name one that can be written to with the variable TMPDIR",
    place.display()
)]
pub struct NoScratch {
    /// Where it was to be.
    pub place: PathBuf,
    /// What the system said.
    pub error: io::Error,
}

impl From<NoScratch> for io::Error {
    fn from(problem: NoScratch) -> io::Error {
        io::Error::new(problem.error.kind(), problem.to_string())
    }
}

impl Scratch {
    /// A new directory, with a name that says what it is for. The first of a process removes what others have left behind.
    pub(crate) fn new(what: &str) -> Result<Scratch, NoScratch> {
        static SWEEP: Once = Once::new();
        let place = std::env::temp_dir();
        SWEEP.call_once(|| sweep(&place, SystemTime::now()));
        let prefix = format!("{PREFIX}{what}-");
        let directory = tempfile::Builder::new().prefix(&prefix).tempdir_in(&place);
        let directory = directory.map_err(|error| NoScratch { place, error })?;
        // Without a lock it may be taken for left behind when it is old; on file systems without locks nothing is.
        let lock = File::open(directory.path()).ok();
        let lock = lock.filter(|lock| lock.try_lock().is_ok());
        Ok(Scratch {
            directory,
            _lock: lock,
        })
    }

    /// Removes it; what cannot be removed stays.
    fn remove(path: &Path) {
        // What is nested deeper than there are descriptors is made flat, a part at a time.
        for number in 0..MOST_PARTS {
            if fs::remove_dir_all(path).is_ok() || !flatten(path, number) {
                return;
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        Scratch::remove(self.directory.path());
    }
}

/// Moves something that is nested too deep to the top; whether there was any.
fn flatten(top: &Path, number: usize) -> bool {
    deep(top, DEEP).is_some_and(|path| fs::rename(path, top.join(format!("{PREFIX}{number}"))).is_ok())
}

/// A directory so many levels below another one.
fn deep(path: &Path, levels: usize) -> Option<PathBuf> {
    if levels == 0 {
        return Some(path.to_owned());
    }
    let is_directory = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    let entries = fs::read_dir(path).ok()?.flatten().filter(is_directory);
    // Collected, so that no descriptor is held on the way down.
    let inner: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    inner.iter().find_map(|path| deep(path, levels - 1))
}

/// Removes the directories of processes that have ended. What cannot be removed stays.
fn sweep(place: &Path, now: SystemTime) {
    let Ok(entries) = fs::read_dir(place) else {
        return;
    };
    let own = rustix::process::geteuid().as_raw();
    for entry in entries.flatten() {
        if !entry
            .file_name()
            .as_encoded_bytes()
            .starts_with(PREFIX.as_bytes())
        {
            continue;
        }
        // Of the entry itself: a link is not followed.
        let Ok(metadata) = entry.metadata() else { continue };
        let is_old = |time: SystemTime| now.duration_since(time).is_ok_and(|age| age > YOUNG);
        if metadata.is_dir()
            && metadata.uid() == own
            && metadata.modified().is_ok_and(is_old)
            && File::open(entry.path()).is_ok_and(|directory| directory.try_lock().is_ok())
        {
            Scratch::remove(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_holds_is_swept() {
        let place = tempfile::tempdir().unwrap();
        let make = |name: &str| {
            let path = place.path().join(name);
            fs::create_dir(&path).unwrap();
            fs::write(path.join("file"), "x").unwrap();
            path
        };
        let (dead, held, other) = (
            make("raddle-scratch-worker-a"),
            make("raddle-scratch-worker-b"),
            make("someone-else"),
        );
        let lock = File::open(&held).unwrap();
        lock.try_lock().unwrap();
        sweep(place.path(), SystemTime::now());
        assert!(dead.exists(), "it may be that its owner has not come to lock it");
        sweep(place.path(), SystemTime::now() + 2 * YOUNG);
        assert!(!dead.exists() && held.exists() && other.exists());
        drop(lock);
        sweep(place.path(), SystemTime::now() + 2 * YOUNG);
        assert!(!held.exists());
    }

    #[test]
    fn what_is_nested_deeper_than_there_are_descriptors_is_removed() {
        let scratch = Scratch::new("test").unwrap();
        let top = scratch.path().to_owned();
        fs::create_dir_all(top.join("d/".repeat(1800))).unwrap();
        let parts = (0..MOST_PARTS)
            .take_while(|number| flatten(&top, *number))
            .count();
        assert_eq!(parts, 1800 / DEEP, "each has few levels");
        drop(scratch);
        assert!(!top.exists());
    }

    #[test]
    fn a_place_that_cannot_be_written_to_is_named() {
        let problem = NoScratch {
            place: PathBuf::from("/nowhere"),
            error: io::Error::from(io::ErrorKind::NotFound),
        };
        let text = io::Error::from(problem).to_string();
        assert!(text.contains("/nowhere") && text.contains("TMPDIR"), "{text}");
    }
}
