//! Where the classes are: in jars from the cache, or compiled from sources here.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::list::Subject;
use crate::subjects::Cache;
use crate::{javac, workspace};

/// The class path of a subject; or, as a sentence, why there is none. Classes go into a directory of their own below the
/// one that is given.
pub(in crate::bench) fn prepare(
    subject: &Subject,
    cache: &Cache,
    jdk: &Path,
    directory: &Path,
) -> anyhow::Result<Result<Vec<PathBuf>, String>> {
    if subject.sources.is_empty() {
        return cache.jars(&subject.jars);
    }
    let sources = sources(&subject.sources)?;
    let classes = directory.join(&subject.id);
    fs::create_dir_all(&classes).with_context(|| format!("cannot make {}", classes.display()))?;
    javac::compile(jdk, &sources, OsStr::new("."), &classes)?;
    Ok(Ok(vec![classes]))
}

/// A file of an earlier directory takes the place of one of the same name in a later one.
fn sources(directories: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut sources: BTreeMap<OsString, PathBuf> = BTreeMap::new();
    for directory in directories {
        let directory = workspace::root().join(directory);
        let cannot_list = || format!("cannot list {}", directory.display());
        for entry in fs::read_dir(&directory).with_context(cannot_list)? {
            let entry = entry.with_context(cannot_list)?;
            if entry.path().extension() == Some(OsStr::new("java")) {
                sources.entry(entry.file_name()).or_insert(entry.path());
            }
        }
    }
    Ok(sources.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_file_of_a_name_is_compiled() {
        let root = tempfile::tempdir().unwrap();
        let (faulty, fixed) = (root.path().join("S"), root.path().join("S/fixed"));
        fs::create_dir_all(&fixed).unwrap();
        for file in ["A.java", "B.java", "note.txt"] {
            fs::write(faulty.join(file), "").unwrap();
        }
        fs::write(fixed.join("A.java"), "").unwrap();
        let found = sources(&[fixed.clone(), faulty.clone()]).unwrap();
        assert_eq!(found, [fixed.join("A.java"), faulty.join("B.java")]);
    }
}
