//! A directory of class files.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::MAX_CLASS_SIZE;
use crate::error::ClassPathError;
use crate::fingerprint::Fingerprint;
use crate::name;

/// One directory of the class path.
pub(crate) struct Directory {
    pub(crate) path: Arc<Path>,
}

impl Directory {
    /// A class by its file name (`p/C.class`), which the caller has found safe.
    pub(crate) fn find(&self, file: &str) -> Result<Option<Vec<u8>>, ClassPathError> {
        let path = self.path.join(file);
        match read_class(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(ReadError::Absent) => Ok(None),
            Err(ReadError::TooLarge) => Err(ClassPathError::TooLarge {
                name: path.display().to_string(),
                jar: None,
            }),
            Err(ReadError::Io(reason)) => Err(ClassPathError::Unreadable { path, reason }),
        }
    }

    /// Adds the names and bytes of all classes below.
    pub(crate) fn add_to(&self, fingerprint: &mut Fingerprint) {
        let mut names = Vec::new();
        self.class_names(&mut names, &mut Vec::new());
        names.sort_unstable();
        for name in names {
            if let Ok(Some(bytes)) = self.find(&format!("{name}.class")) {
                fingerprint.add(name.as_bytes());
                fingerprint.add(&bytes);
            }
        }
    }

    /// Adds the names of all classes below, in no particular order, and the directories that cannot be read.
    ///
    /// Symbolic links to directories are followed after all real directories have been seen, and only to
    /// directories not seen yet. So a loop ends, no tree is walked twice, and a class keeps its real name
    /// even when a link leads to it as well.
    pub(crate) fn class_names(&self, names: &mut Vec<String>, problems: &mut Vec<ClassPathError>) {
        let mut seen = HashSet::new();
        let mut real = Vec::new();
        let mut links = vec![(self.path.to_path_buf(), String::new())];
        loop {
            // Sorted, so that it is always the same link that wins of two to the same directory.
            links.sort_unstable_by(|a, b| b.cmp(a));
            let Some((link, package)) = links.pop() else {
                return;
            };
            match fs::canonicalize(&link) {
                Ok(target) => real.push((target, package)),
                Err(reason) => problems.push(ClassPathError::Unreadable { path: link, reason }),
            }
            while let Some((path, package)) = real.pop() {
                if !seen.insert(path.clone()) {
                    continue;
                }
                if let Err(reason) = read_package(&path, &package, names, &mut real, &mut links) {
                    problems.push(ClassPathError::Unreadable { path, reason });
                }
            }
        }
    }
}

/// Directories to look into, with the package prefix of their classes.
type Packages = Vec<(PathBuf, String)>;

/// Sorts the contents of one directory into classes, directories and links to directories.
fn read_package(
    path: &Path,
    package: &str,
    names: &mut Vec<String>,
    real: &mut Packages,
    links: &mut Packages,
) -> io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        // A name that is not UTF-8 cannot be that of a class.
        let Ok(file) = entry.file_name().into_string() else {
            continue;
        };
        let relative = format!("{package}{file}");
        let mut kind = entry.file_type()?;
        let is_link = kind.is_symlink();
        if is_link {
            // A link to nowhere is as good as no file.
            let Ok(target) = fs::metadata(entry.path()) else {
                continue;
            };
            kind = target.file_type();
        }
        if kind.is_dir() {
            let into = if is_link { &mut *links } else { &mut *real };
            into.push((entry.path(), relative + "/"));
        } else if kind.is_file() {
            names.extend(name::of_class_file(&relative).map(str::to_owned));
        }
    }
    Ok(())
}

enum ReadError {
    Absent,
    TooLarge,
    Io(io::Error),
}

fn read_class(path: &Path) -> Result<Vec<u8>, ReadError> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        // A file where the package should be, and a name the file system does not allow, also mean: not here.
        Err(error) if is_absence(&error) => return Err(ReadError::Absent),
        Err(error) => return Err(ReadError::Io(error)),
    };
    // Reading a pipe or device might never end.
    if !metadata.is_file() {
        return Err(ReadError::Absent);
    }
    if metadata.len() > MAX_CLASS_SIZE {
        return Err(ReadError::TooLarge);
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    let file = File::open(path).map_err(ReadError::Io)?;
    // The file may grow while it is read.
    file.take(MAX_CLASS_SIZE + 1)
        .read_to_end(&mut bytes)
        .map_err(ReadError::Io)?;
    if bytes.len() as u64 > MAX_CLASS_SIZE {
        Err(ReadError::TooLarge)
    } else {
        Ok(bytes)
    }
}

fn is_absence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::InvalidFilename
    )
}
