//! Stand-ins, compiled from `fixtures/analyze`.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};
use tempfile::TempDir;

use super::list::{Source, Subject};
use crate::workspace;

/// The directory with the classes, for a subject that is compiled here.
pub(super) fn compile(subject: &Subject, jdk: &Path) -> anyhow::Result<Option<TempDir>> {
    if subject.source != Source::Fixture {
        return Ok(None);
    }
    let Some(within) = subject.class.strip_prefix("fixtures.") else {
        bail!(
            "{} is not in a package below fixtures; correct bench/subjects.toml",
            subject.class
        );
    };
    let source = workspace::root()
        .join("fixtures/analyze")
        .join(within.replace('.', "/"))
        .with_extension("java");
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    let javac = jdk.join("bin/javac");
    let output = Command::new(&javac)
        .args(["-g", "-encoding", "UTF-8", "-d"])
        .args([directory.path(), &source])
        .output()
        .with_context(|| format!("cannot run {}; use a JDK rather than a JRE", javac.display()))?;
    if !output.status.success() {
        bail!(
            "{} does not compile:\n{}",
            source.display(),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(Some(directory))
}
