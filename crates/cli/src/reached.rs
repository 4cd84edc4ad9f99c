//! What tests may read of a class path.

use std::path::{Path, PathBuf};

use raddle_classpath::{ClassPath, Origin};

use crate::failure::Failure;

/// All jars and directories of a class path, those that only manifests name included: tests must be able to read them.
///
/// A jar is a stranger's, and its manifest may name any directory, such as one with keys. So a directory that the user has not
/// named must be near what the user has named, or below the current directory.
pub(crate) fn reached(class_path: &ClassPath, named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let near = Near::to(named);
    let mut reached = Vec::new();
    for origin in class_path.entries() {
        let Origin::Entry { path, .. } = origin else {
            continue;
        };
        if path.is_dir() && !near.contains(&path) {
            return Err(Failure::bad_input(vec![format!(
                "the manifest of a jar puts the directory {} on the class path, which is neither beside the jar nor below \
                 the current directory; tests could read all of it. If that is meant, name it in the class path",
                path.display()
            )]));
        }
        reached.push(std::path::absolute(path)?);
    }
    Ok(reached)
}

/// What the user has named, and directories in which nothing is secret.
struct Near {
    named: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Near {
    fn to(named: &[PathBuf]) -> Near {
        let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
        let named = named.iter().filter_map(|entry| entry.canonicalize().ok());
        let named: Vec<PathBuf> = named.collect();
        let beside = named
            .iter()
            .filter_map(|entry| entry.parent().map(Path::to_owned));
        let own = std::env::current_dir().and_then(|own| own.canonicalize()).ok();
        // A home directory, or what it is in, has more than classes.
        let holds_home = |folder: &PathBuf| home.as_ref().is_some_and(|home| home.starts_with(folder));
        let folders = beside.chain(own).filter(|folder| !holds_home(folder)).collect();
        Near { named, folders }
    }

    fn contains(&self, path: &Path) -> bool {
        let Ok(path) = path.canonicalize() else {
            return false;
        };
        let is_below = |folder: &PathBuf| path.starts_with(folder) && *folder != path;
        self.named.contains(&path) || self.folders.iter().any(is_below)
    }
}
