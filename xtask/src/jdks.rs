//! The JDKs of this machine.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use raddle_classpath::Jdk;

/// First version that Raddle supports.
const OLDEST: u32 = 17;

/// Home directories of the default JDK, and of those installed beside it in order of name.
pub(crate) fn installed() -> anyhow::Result<Vec<PathBuf>> {
    let default = Jdk::locate(None)?
        .home()
        .canonicalize()
        .context("cannot resolve the JDK's home")?;
    let mut homes: Vec<PathBuf> = default
        .parent()
        .map(beside)
        .unwrap_or_default()
        .into_iter()
        .filter(|home| *home != default && Jdk::open(home).is_ok_and(|jdk| jdk.feature() >= OLDEST))
        .collect();
    homes.sort_unstable();
    homes.dedup();
    homes.insert(0, default);
    Ok(homes)
}

/// Directories with a run-time image, symbolic links resolved.
fn beside(parent: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.path().join("lib/modules").is_file())
        .filter_map(|entry| entry.path().canonicalize().ok())
        .collect()
}
