//! The jar of raddle-junit, with the executable inside.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use super::{Contents, install, output, place, run_command};
use crate::maven;
use crate::workspace;

/// Makes the jar with Maven, which keeps what it fetches where `java/verify.sh` keeps it.
pub(super) fn make(contents: &Contents, out: &Path) -> anyhow::Result<PathBuf> {
    let scratch = tempfile::tempdir()?;
    install(&contents.raddle, &scratch.path().join("raddle"))?;
    let java = workspace::root().join("java");
    run_command(
        maven::quiet()
            .arg(format!("-Dmaven.repo.local={}", repository()?.display()))
            .arg(format!("-Draddle.bundle={}", scratch.path().display()))
            .args([
                "-DskipTests",
                "--projects",
                "raddle-junit",
                "--also-make",
                "clean",
                "package",
            ])
            .current_dir(&java),
    )?;
    let name = format!("raddle-junit-{}.jar", contents.version);
    let made = java.join("raddle-junit/target").join(&name);
    let jar = out.join(name);
    place(&made, &jar)
        .context("Maven has made a jar of another version; are pom.xml and Cargo.toml of the same?")?;
    let said = output(
        Command::new("java")
            .arg("-jar")
            .arg(&jar)
            .arg("-V")
            .env_remove("RADDLE"),
    )?;
    ensure!(
        said.trim() == format!("raddle {}", contents.version),
        "java -jar {} says: {said}",
        jar.display()
    );
    Ok(jar)
}

fn repository() -> anyhow::Result<PathBuf> {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| env::home_dir().map(|home| home.join(".cache")));
    Ok(cache.context("there is no home directory")?.join("raddle/maven"))
}
