//! `cargo xtask dist`: everything that is handed out, in one directory.
//!
//! What is packed is what the executable says of itself: it writes its own manual pages and completions, and each package is
//! unpacked again and asked for its version. So this makes packages for the kind of machine that it runs on.

mod deb;
mod jar;
mod tarball;

use std::env;
use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use sha2::{Digest, Sha256};

use crate::file;
use crate::workspace;

/// More is no executable to send around.
const LARGEST: u64 = 20_000_000;
/// What the packages contain besides what the executable writes.
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Pack this executable instead of building one.
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,

    /// Where everything goes [default: dist in cargo's target directory].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Leave out the jar, for which Maven is needed.
    #[arg(long)]
    no_jar: bool,

    /// Leave out the package for Debian, for which dpkg-dev is needed.
    #[arg(long)]
    no_deb: bool,
}

/// What is packed.
struct Contents {
    version: String,
    /// The executable.
    raddle: PathBuf,
    /// A directory with manual pages only.
    man: PathBuf,
    /// The shells and their scripts.
    completions: Vec<(&'static str, String)>,
    /// Seconds since 1970 that all files in packages are of, so that the same commit gives the same packages.
    time: String,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| workspace::target().join("dist"));
    fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
    let raddle = match &args.raddle {
        Some(file) => file.clone(),
        None => build()?,
    };
    let scratch = tempfile::tempdir()?;
    let contents = Contents::of(&raddle, scratch.path())?;
    let mut made = Vec::new();
    made.push(tarball::make(&contents, &out)?);
    if !args.no_deb {
        made.push(deb::make(&contents, &out)?);
    }
    if !args.no_jar {
        made.push(jar::make(&contents, &out)?);
    }
    file::write(&out.join("SHA256SUMS"), &checksums(&made)?)?;
    println!("{} bytes  {}", fs::metadata(&raddle)?.len(), raddle.display());
    for path in &made {
        println!("{} bytes  {}", fs::metadata(path)?.len(), path.display());
    }
    Ok(())
}

/// The executable that is handed out, built now.
fn build() -> anyhow::Result<PathBuf> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["build", "--locked", "--profile", "dist", "--package", "raddle"])
        .current_dir(workspace::root());
    run_command(&mut cargo)?;
    let raddle = workspace::target().join("dist/raddle");
    let size = fs::metadata(&raddle)
        .with_context(|| format!("cannot find {}", raddle.display()))?
        .len();
    ensure!(
        size <= LARGEST,
        "{} has {size} bytes, and {LARGEST} are the most; look at what was added to it",
        raddle.display()
    );
    Ok(raddle)
}

impl Contents {
    fn of(raddle: &Path, scratch: &Path) -> anyhow::Result<Contents> {
        let said = version_of(raddle)?;
        let version = said
            .strip_prefix("raddle ")
            .with_context(|| format!("{} says that it is {said}", raddle.display()))?;
        let man = scratch.join("man1");
        output(Command::new(raddle).arg("man").arg(&man))?;
        let mut completions = Vec::new();
        for shell in ["bash", "zsh", "fish"] {
            completions.push((shell, output(Command::new(raddle).args(["completions", shell]))?));
        }
        Ok(Contents {
            version: version.to_owned(),
            raddle: raddle.to_owned(),
            man,
            completions,
            time: time()?,
        })
    }

    /// Manual pages, sorted.
    fn pages(&self) -> anyhow::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(&self.man)?;
        let mut pages = entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<Vec<_>, _>>()?;
        pages.sort_unstable();
        Ok(pages)
    }

    /// Checks that an executable that came out of a package is the one that went in.
    fn check_unpacked(&self, raddle: &Path) -> anyhow::Result<()> {
        let said = version_of(raddle)?;
        ensure!(
            said == format!("raddle {}", self.version),
            "{} says that it is {said}",
            raddle.display()
        );
        Ok(())
    }
}

/// The name of a program that is kept under its shell's own rules.
fn completion_file(shell: &str) -> &'static str {
    match shell {
        "zsh" => "_raddle",
        "fish" => "raddle.fish",
        _ => "raddle",
    }
}

fn version_of(raddle: &Path) -> anyhow::Result<String> {
    Ok(output(Command::new(raddle).arg("-V"))?.trim().to_owned())
}

/// `SOURCE_DATE_EPOCH`, as everybody who makes packages again says it, else the time of the commit, else that of nothing.
fn time() -> anyhow::Result<String> {
    if let Some(time) = env::var_os("SOURCE_DATE_EPOCH") {
        return time.into_string().ok().context("SOURCE_DATE_EPOCH is no number");
    }
    let mut git = Command::new("git");
    git.args(["log", "-1", "--format=%ct"])
        .current_dir(workspace::root());
    let time = output(&mut git).unwrap_or_default();
    Ok(match time.trim() {
        "" => "0".to_owned(),
        time => time.to_owned(),
    })
}

/// In the form that `sha256sum --check` reads.
fn checksums(files: &[PathBuf]) -> anyhow::Result<String> {
    let mut text = String::new();
    for file in files {
        let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        for byte in Sha256::digest(bytes) {
            write!(text, "{byte:02x}")?;
        }
        writeln!(text, "  {}", file.file_name().unwrap_or_default().display())?;
    }
    Ok(text)
}

/// Copies an executable, so that everybody may run it.
fn install(from: &Path, to: &Path) -> anyhow::Result<()> {
    let mode = OsStr::new("-m755");
    run_command(Command::new("install").args([OsStr::new("-D"), mode, from.as_ref(), to.as_ref()]))
}

/// Copies a file, so that everybody may read it.
fn place(from: &Path, to: &Path) -> anyhow::Result<()> {
    let mode = OsStr::new("-m644");
    run_command(Command::new("install").args([OsStr::new("-D"), mode, from.as_ref(), to.as_ref()]))
}

fn run_command(command: &mut Command) -> anyhow::Result<()> {
    let status = command.status().with_context(|| cannot_run(command))?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}

/// What a command prints.
fn output(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| cannot_run(command))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{command:?} ended with {}: {}", output.status, said.trim());
    }
    String::from_utf8(output.stdout).with_context(|| format!("{command:?} prints no text"))
}

fn cannot_run(command: &Command) -> String {
    format!("cannot run {}; is it installed?", command.get_program().display())
}
