//! The program itself, as developer commands run it.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, bail};

use crate::workspace;

/// The release binary, built now.
pub(crate) fn build() -> anyhow::Result<PathBuf> {
    let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--quiet", "--release", "--package", "raddle"])
        .current_dir(workspace::root())
        .status()
        .context("cannot run cargo")?;
    if !status.success() {
        bail!("raddle does not build; `cargo build --release --package raddle` says why");
    }
    Ok(workspace::target()
        .join("release/raddle")
        .with_extension(env::consts::EXE_EXTENSION))
}
