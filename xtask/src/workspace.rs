//! The workspace on disk: its root and its files.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// Root of the workspace this program was built from.
pub(crate) fn root() -> &'static Path {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask)
}

/// Where cargo puts what it builds.
pub(crate) fn target() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    root().join(target)
}

/// Every file with this extension, sorted, relative to `root`. Hidden and build directories are left out.
pub(crate) fn files_with_extension(root: &Path, extension: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut pending = vec![root.to_owned()];
    while let Some(directory) = pending.pop() {
        let cannot_list = || format!("cannot list {}", directory.display());
        for entry in fs::read_dir(&directory).with_context(cannot_list)? {
            let entry = entry.with_context(cannot_list)?;
            let path = entry.path();
            let name = entry.file_name();
            // Symbolic links are not followed: they can lead out of the workspace or round in circles.
            if entry.file_type().with_context(cannot_list)?.is_dir() {
                let skipped = name.to_string_lossy().starts_with('.') || name == "target";
                if !skipped {
                    pending.push(path);
                }
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path.strip_prefix(root)?.to_owned());
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// Text of a file given relative to `root`.
pub(crate) fn read(root: &Path, relative: &Path) -> anyhow::Result<String> {
    fs::read_to_string(root.join(relative)).with_context(|| format!("cannot read {}", relative.display()))
}
