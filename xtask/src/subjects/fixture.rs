//! Stand-ins, compiled from `fixtures/analyze`.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::{Context, bail};
use tempfile::TempDir;

use super::list::{Source, Subject};
use crate::{javac, workspace};

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
    javac::compile(jdk, &[source], OsStr::new("."), directory.path())?;
    Ok(Some(directory))
}
