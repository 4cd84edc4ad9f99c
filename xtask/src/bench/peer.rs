//! The peers' jars, fetched once and kept outside the repository; and Lincheck, whose schedules are counted with
//! `bench/peers/lincheck/Peer.java`.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};

use super::program::PeerCalls;
use crate::{maven, workspace};

/// As in the table's head.
pub(super) const NAME: &str = "Lincheck 3.6";
/// Below it, every peer has a directory that is named for what is in it: another version goes into another one.
const CACHE: &str = "raddle/peers";
/// Processor time after which its compilers have settled on a quiet machine.
const WARM_UP_SECONDS: u64 = 12;

/// Sources that its runs need beside the programs', relative to the root of the workspace.
pub(super) const SOURCES: [&str; 2] = [
    "bench/peers/lincheck/Peer.java",
    "bench/peers/lincheck/HashtableInOrder.java",
];

/// One program under one JDK.
#[derive(Debug, Copy, Clone, PartialEq)]
pub(super) struct Measured {
    pub(super) schedules_per_second: f64,
    /// Of a schedule, in microseconds.
    pub(super) cpu: f64,
}

/// A peer, by what Maven has to fetch for it.
pub(super) struct Peer {
    name: &'static str,
    directory: &'static str,
    /// Relative to the root of the workspace.
    pom: &'static str,
}

pub(super) const LINCHECK: Peer = Peer::new(NAME, "lincheck-3.6", "bench/peers/lincheck/pom.xml");

/// All jars of a peer.
pub(super) struct Jars(Vec<PathBuf>);

impl Peer {
    pub(super) const fn new(name: &'static str, directory: &'static str, pom: &'static str) -> Peer {
        Peer { name, directory, pom }
    }

    /// Takes the jars from the cache, or has Maven fetch them.
    pub(super) fn jars(&self) -> anyhow::Result<Jars> {
        let directory = cache(self.name)?.join(self.directory);
        if !directory.is_dir() {
            self.fetch(&directory)?;
        }
        jars_in(&directory)
    }

    /// Into a directory beside the final one first, so that a broken fetch leaves nothing that looks complete.
    fn fetch(&self, directory: &Path) -> anyhow::Result<()> {
        let parent = directory.parent().unwrap_or(directory);
        fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
        let fetched = tempfile::tempdir_in(parent).context("cannot make a directory for jars")?;
        let mut maven = maven::quiet();
        maven
            .arg("-f")
            .arg(workspace::root().join(self.pom))
            .args(["dependency:copy-dependencies", "-DincludeScope=runtime"])
            .arg(format!("-DoutputDirectory={}", fetched.path().display()));
        match maven.status() {
            Ok(status) if status.success() => {}
            Ok(_) => {
                bail!(
                    "Maven could not fetch {}; its messages are above; leave it out with `bench engine --skip-peers`, or with `--only` of `bench all`",
                    self.name
                )
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                bail!(
                    "mvn is not on the PATH to fetch {}; install Maven; leave it out with `bench engine --skip-peers`, or with `--only` of `bench all`",
                    self.name
                )
            }
            Err(error) => return Err(error).context("cannot run mvn"),
        }
        let fetched = fetched.keep();
        fs::rename(&fetched, directory).with_context(|| format!("cannot make {}", directory.display()))
    }
}

fn jars_in(directory: &Path) -> anyhow::Result<Jars> {
    let entries = fs::read_dir(directory).with_context(|| format!("cannot list {}", directory.display()))?;
    let mut jars: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some(OsStr::new("jar")))
        .collect();
    jars.sort_unstable();
    if jars.is_empty() {
        bail!(
            "there are no jars in {}; delete it, and they will be fetched again",
            directory.display()
        );
    }
    Ok(Jars(jars))
}

fn cache(name: &str) -> anyhow::Result<PathBuf> {
    let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let base = match (variable("XDG_CACHE_HOME"), variable("HOME")) {
        (Some(cache), _) => PathBuf::from(cache),
        (None, Some(home)) => Path::new(&home).join(".cache"),
        (None, None) => bail!(
            "neither XDG_CACHE_HOME nor HOME is set, so there is nowhere to keep {name}; leave it out with `bench engine --skip-peers`, or with `--only` of `bench all`"
        ),
    };
    Ok(base.join(CACHE))
}

impl Jars {
    /// These and more, as `java` wants them.
    pub(super) fn class_path(&self, classes: &Path) -> anyhow::Result<OsString> {
        let entries = [classes.to_owned()].into_iter().chain(self.0.iter().cloned());
        env::join_paths(entries).context("the path of a jar contains a colon")
    }

    /// The one whose name begins so.
    pub(super) fn named(&self, beginning: &str) -> anyhow::Result<&Path> {
        let is_meant = |jar: &&PathBuf| {
            jar.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with(beginning))
        };
        let found = self.0.iter().find(is_meant);
        found
            .map(PathBuf::as_path)
            .with_context(|| format!("no jar is called {beginning}…"))
    }

    pub(super) fn all(&self) -> &[PathBuf] {
        &self.0
    }

    /// The better of two runs: on all cores, and on one, which suits its way to switch threads better on a busy
    /// machine.
    pub(super) fn measure(
        &self,
        calls: &PeerCalls,
        jdk: &Path,
        classes: &Path,
        window: Duration,
    ) -> anyhow::Result<Measured> {
        let java = jdk.join("bin/java");
        let on_all = self.run(Command::new(&java), calls, classes, window)?;
        let mut on_one = Command::new("taskset");
        on_one.args(["-c", "0"]).arg(&java);
        match self.run(on_one, calls, classes, window) {
            Ok(on_one) if on_one.schedules_per_second > on_all.schedules_per_second => Ok(on_one),
            // There need not be a taskset.
            _ => Ok(on_all),
        }
    }

    fn run(
        &self,
        mut java: Command,
        calls: &PeerCalls,
        classes: &Path,
        window: Duration,
    ) -> anyhow::Result<Measured> {
        let output = java
            // Lincheck attaches an agent to its own JVM, of which newer ones warn.
            .arg("-XX:+EnableDynamicAgentLoading")
            .arg("-cp")
            .arg(self.class_path(classes)?)
            .args(["Peer", calls.class])
            .args(calls.threads)
            .arg(calls.after.unwrap_or("-"))
            .arg(WARM_UP_SECONDS.to_string())
            .arg(window.as_secs_f64().to_string())
            .stdin(Stdio::null())
            .output()
            .context("cannot run java")?;
        let text = String::from_utf8_lossy(&output.stdout);
        parse(&text).with_context(|| {
            format!(
                "{NAME} gives no result for {}: {}",
                calls.class,
                String::from_utf8_lossy(&output.stderr).trim()
            )
        })
    }
}

/// Schedules, nanoseconds, and nanoseconds of processor time, in the last line.
fn parse(text: &str) -> Option<Measured> {
    let mut numbers = text.lines().last()?.split(' ').map(str::parse::<f64>);
    let mut next = || numbers.next()?.ok();
    let (schedules, time, cpu) = (next()?, next()?, next()?);
    (schedules > 0.0 && time > 0.0).then_some(Measured {
        schedules_per_second: schedules * 1e9 / time,
        cpu: cpu / schedules / 1e3,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_read() {
        let measured = Measured {
            schedules_per_second: 500.0,
            cpu: 1000.0,
        };
        assert_eq!(parse("noise\n2500 5000000000 2500000000\n"), Some(measured));
        assert_eq!(parse("0 5 5"), None);
        assert_eq!(parse("Exception in thread"), None);
    }

    #[test]
    fn every_source_exists() {
        for source in SOURCES {
            assert!(workspace::root().join(source).is_file(), "{source}");
        }
    }
}
