//! The archive for people who unpack and run.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Contents, DOCUMENTS, completion_file, install, place, run_command};
use crate::file;
use crate::workspace;

/// Makes the archive, with one directory of its own name in it.
pub(super) fn make(contents: &Contents, out: &Path) -> anyhow::Result<PathBuf> {
    let name = format!(
        "raddle-{}-{}-{}",
        contents.version,
        env::consts::ARCH,
        env::consts::OS
    );
    let scratch = tempfile::tempdir()?;
    let root = scratch.path().join(&name);
    install(&contents.raddle, &root.join("raddle"))?;
    for document in DOCUMENTS {
        place(&workspace::root().join(document), &root.join(document))?;
    }
    for page in contents.pages()? {
        place(
            &page,
            &root.join("man/man1").join(page.file_name().unwrap_or_default()),
        )?;
    }
    for (shell, script) in &contents.completions {
        file::write(
            &root.join("completions").join(shell).join(completion_file(shell)),
            script,
        )?;
    }
    let archive = out.join(format!("{name}.tar.gz"));
    run_command(
        Command::new("tar")
            .args([
                "--sort=name",
                "--owner=0",
                "--group=0",
                "--numeric-owner",
                "--format=ustar",
            ])
            .arg("--mode=u+w,go-w,a+rX")
            .arg(format!("--mtime=@{}", contents.time))
            .args(["--use-compress-program=gzip -9n", "--create", "--file"])
            .arg(&archive)
            .arg("--directory")
            .arg(scratch.path())
            .arg(&name),
    )?;
    fs::remove_dir_all(&root)?;
    run_command(
        Command::new("tar")
            .args(["--extract", "--file"])
            .arg(&archive)
            .arg("--directory")
            .arg(scratch.path()),
    )?;
    contents.check_unpacked(&root.join("raddle"))?;
    Ok(archive)
}
