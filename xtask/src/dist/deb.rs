//! The package for Debian and its relatives.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

use super::{Contents, completion_file, install, output, place, run_command};
use crate::file;
use crate::workspace;

/// Makes the package with Debian's own tools, which know its rules.
pub(super) fn make(contents: &Contents, out: &Path) -> anyhow::Result<PathBuf> {
    let scratch = tempfile::tempdir()?;
    let root = scratch.path().join("root");
    let share = root.join("usr/share");
    let raddle = root.join("usr/bin/raddle");
    install(&contents.raddle, &raddle)?;
    for page in contents.pages()? {
        let to = share.join("man/man1").join(page.file_name().unwrap_or_default());
        place(&page, &to)?;
        run_command(Command::new("gzip").arg("-9n").arg(&to))?;
    }
    for (shell, script) in &contents.completions {
        let directory = match *shell {
            "zsh" => "zsh/vendor-completions",
            "fish" => "fish/vendor_completions.d",
            _ => "bash-completion/completions",
        };
        file::write(&share.join(directory).join(completion_file(shell)), script)?;
    }
    let documents = share.join("doc/raddle");
    let mit = workspace::read(workspace::root(), Path::new("LICENSE-MIT"))?;
    file::write(&documents.join("copyright"), &copyright(&mit))?;
    place(&workspace::root().join("README.md"), &documents.join("README.md"))?;

    let architecture = output(Command::new("dpkg").arg("--print-architecture"))?;
    let architecture = architecture.trim();
    let libraries = libraries(scratch.path(), &raddle)?;
    let control = control(&contents.version, architecture, &libraries, kilobytes(&root)?);
    file::write(&root.join("DEBIAN/control"), &control)?;
    run_command(Command::new("chmod").arg("-R").arg("u+w,go-w,a+rX").arg(&root))?;
    let package = out.join(format!("raddle_{}_{architecture}.deb", contents.version));
    output(
        Command::new("dpkg-deb")
            .args(["--build", "--root-owner-group"])
            .args([&root, &package])
            .env("SOURCE_DATE_EPOCH", &contents.time),
    )?;

    let unpacked = scratch.path().join("unpacked");
    output(
        Command::new("dpkg-deb")
            .arg("--extract")
            .args([&package, &unpacked]),
    )?;
    contents.check_unpacked(&unpacked.join("usr/bin/raddle"))?;
    Ok(package)
}

/// The packages that the executable needs, as `libc6 (>= 2.34), …`.
fn libraries(scratch: &Path, raddle: &Path) -> anyhow::Result<String> {
    // The tool wants to be in the sources of a package.
    file::write(
        &scratch.join("debian/control"),
        "Source: raddle\n\nPackage: raddle\nArchitecture: any\n",
    )?;
    let mut command = Command::new("dpkg-shlibdeps");
    command
        .arg("-O")
        .arg(format!("-e{}", raddle.display()))
        .current_dir(scratch);
    let text = output(&mut command).context("dpkg-shlibdeps is part of dpkg-dev; --no-deb does without")?;
    let depends = text.lines().find_map(|line| line.strip_prefix("shlibs:Depends="));
    Ok(depends.context("dpkg-shlibdeps names no libraries")?.to_owned())
}

fn control(version: &str, architecture: &str, libraries: &str, kilobytes: u64) -> String {
    format!(
        "Package: raddle\n\
         Version: {version}\n\
         Architecture: {architecture}\n\
         Maintainer: Raddle contributors <raddle@example.invalid>\n\
         Installed-Size: {kilobytes}\n\
         Depends: {libraries}\n\
         Recommends: default-jdk-headless (>= 2:1.17) | java17-sdk-headless\n\
         Section: devel\n\
         Priority: optional\n\
         Description: finds out whether two threads can break a Java class\n \
         Raddle takes compiled Java classes, generates concurrent tests for them, explores\n \
         the interleavings on a real JVM under a scheduler of its own, and reports only\n \
         violations that it has seen happen.\n"
    )
}

fn copyright(mit: &str) -> String {
    let paragraphs: String = mit
        .lines()
        .map(|line| match line.trim() {
            "" => " .\n".to_owned(),
            line => format!(" {line}\n"),
        })
        .collect();
    format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
         Upstream-Name: raddle\n\n\
         Files: *\n\
         Copyright: Raddle contributors\n\
         License: Expat or Apache-2.0\n\n\
         License: Expat\n{paragraphs}\n\
         License: Apache-2.0\n \
         The full text is in /usr/share/common-licenses/Apache-2.0 on Debian systems.\n"
    )
}

/// What all files take, rounded up one by one as the archive's own tools do.
fn kilobytes(directory: &Path) -> anyhow::Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        sum += if entry.file_type()?.is_dir() {
            kilobytes(&entry.path())? + 1
        } else {
            entry.metadata()?.len().div_ceil(1024)
        };
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_a_package_are_one_a_line_and_texts_are_indented() {
        let control = control("0.1.0", "amd64", "libc6 (>= 2.34)", 7000);
        for line in control.lines() {
            assert!(line.starts_with(' ') || line.contains(": "), "{line:?}");
        }
        assert!(control.contains("\nDepends: libc6 (>= 2.34)\n"), "{control}");
        let text = copyright("MIT License\n\nPermission is\ngranted\n");
        assert!(
            text.contains("\nLicense: Expat\n MIT License\n .\n Permission is\n granted\n\n"),
            "{text}"
        );
    }
}
