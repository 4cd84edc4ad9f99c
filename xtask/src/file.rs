//! Files that commands write.

use std::fs;
use std::path::Path;

use anyhow::Context;

/// Writes a file, with the directories that lead to it.
pub(crate) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let cannot_write = || format!("cannot write {}", path.display());
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).with_context(cannot_write)?;
    }
    fs::write(path, text).with_context(cannot_write)
}
