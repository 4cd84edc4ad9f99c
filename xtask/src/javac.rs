//! Java sources, compiled with the compiler of a JDK.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

/// Compiles into a directory. The sources may use each other and what is on the class path.
pub(crate) fn compile(
    jdk: &Path,
    sources: &[PathBuf],
    class_path: &OsStr,
    classes: &Path,
) -> anyhow::Result<()> {
    let javac = jdk.join("bin/javac");
    let output = Command::new(&javac)
        .args(["-g", "-encoding", "UTF-8", "-cp"])
        .arg(class_path)
        .arg("-d")
        .arg(classes)
        .args(sources)
        .output()
        .with_context(|| format!("cannot run {}; use a JDK rather than a JRE", javac.display()))?;
    if !output.status.success() {
        let names: Vec<String> = sources
            .iter()
            .map(|source| source.display().to_string())
            .collect();
        bail!(
            "{} do not compile:\n{}",
            names.join(", "),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(())
}
