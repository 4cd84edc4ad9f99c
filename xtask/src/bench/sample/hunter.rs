//! One hunt as a user would start it: a process of its own, in a directory that is thrown away.

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::draw::Drawn;
use super::population;
use super::record::Record;
use super::set::Set;
use crate::bench::hunting::stock::Group;
use crate::bench::machine;
use crate::date;
use crate::subjects::Cache;

const TICK: Duration = Duration::from_millis(20);
/// Findings made near the end are still confirmed, and JVMs have to end.
const AFTER_BUDGET: Duration = Duration::from_mins(3);
/// Of every hunt: the sample is one of classes, not of seeds.
const SEED: &str = "1";
/// Lines of what it says on standard error that are kept.
const SAID: usize = 5;

/// All that the hunts have in common.
pub(super) struct Hunter {
    executable: PathBuf,
    commit: String,
    budget: Duration,
    keep: Option<PathBuf>,
    jdk: PathBuf,
    cache: Cache,
    /// Maven coordinates by the name of the stratum.
    jars: BTreeMap<String, Vec<String>>,
}

impl Hunter {
    pub(super) fn new(
        set: Set,
        executable: PathBuf,
        commit: String,
        budget: Duration,
        keep: Option<PathBuf>,
        is_offline: bool,
    ) -> anyhow::Result<Hunter> {
        let strata = population::strata(set)?.into_iter();
        Ok(Hunter {
            executable,
            commit,
            budget,
            keep,
            jdk: population::home()?,
            cache: Cache::open(is_offline)?,
            jars: strata.map(|stratum| (stratum.name, stratum.jars)).collect(),
        })
    }

    pub(super) fn hunt(&self, drawn: &Drawn) -> anyhow::Result<Record> {
        let mut record = Record {
            date: date::today(),
            commit: self.commit.clone(),
            load: machine::load()
                .split(' ')
                .next()
                .and_then(|load| load.parse().ok())
                .unwrap_or(0.0),
            ..Record::new(drawn, self.budget)
        };
        let coordinates = self
            .jars
            .get(&drawn.stratum)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let class_path = match self.cache.jars(coordinates)? {
            Ok(jars) => jars,
            Err(why) => {
                record.said = Some(why);
                return Ok(record);
            }
        };
        let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
        let begun = Instant::now();
        let status = self.run(&drawn.class, &class_path, directory.path())?;
        record.seconds = begun.elapsed().as_secs_f64();
        record.exit_code = status.and_then(|status| status.code());
        match serde_json::from_str(&read(&directory.path().join("stdout"))) {
            Ok(document) => record.take(document),
            Err(_) => record.said = Some(last_lines(&read(&directory.path().join("stderr")))),
        }
        if let Some(keep) = &self.keep {
            let to = keep.join(drawn.half.name());
            fs::create_dir_all(&to).with_context(|| format!("cannot make {}", to.display()))?;
            move_directory(
                &directory.path().join("raddle-out").join(&drawn.class),
                &to.join(&drawn.class),
            )?;
        }
        Ok(record)
    }

    /// None if it did not end by itself long after its budget.
    fn run(
        &self,
        class: &str,
        class_path: &[PathBuf],
        directory: &Path,
    ) -> anyhow::Result<Option<ExitStatus>> {
        let output = |name: &str| {
            let path = directory.join(name);
            File::create(&path).with_context(|| format!("cannot write {}", path.display()))
        };
        let mut command = Command::new(&self.executable);
        command
            .args([
                "hunt",
                "--json",
                "--jobs",
                "1",
                "--seed",
                SEED,
                // As of a class that a pattern matches: nobody says that these are meant to be shared.
                "--promise",
                "built",
                "--out",
                "raddle-out",
            ])
            .args(["--budget", &format!("{}ms", self.budget.as_millis())])
            .arg("--jdk")
            .arg(&self.jdk);
        if !class_path.is_empty() {
            let joined = env::join_paths(class_path).context("the path of a jar contains a colon")?;
            command.arg("--class-path").arg(joined);
        }
        let mut child = Group(
            command
                .arg(class)
                .current_dir(directory)
                .stdin(Stdio::null())
                .stdout(output("stdout")?)
                .stderr(output("stderr")?)
                // It starts JVMs, which have to end with it.
                .process_group(0)
                .spawn()
                .with_context(|| format!("cannot run {}", self.executable.display()))?,
        );
        let begun = Instant::now();
        while begun.elapsed() < self.budget + AFTER_BUDGET {
            if let Some(status) = child.0.try_wait().context("cannot wait for raddle")? {
                return Ok(Some(status));
            }
            thread::sleep(TICK);
        }
        Ok(None)
    }
}

/// Empty if it cannot be read: what a hunt has not written is told by its exit code.
fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(SAID)..].join("\n")
}

/// By copying, since the directories may be on different file systems. One that is not there is not moved.
fn move_directory(from: &Path, to: &Path) -> anyhow::Result<()> {
    if !from.is_dir() {
        return Ok(());
    }
    if to.exists() {
        fs::remove_dir_all(to).with_context(|| format!("cannot remove {}", to.display()))?;
    }
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot list {}", from.display()))? {
        let entry = entry.with_context(|| format!("cannot list {}", from.display()))?;
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            move_directory(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)
                .with_context(|| format!("cannot copy {}", entry.path().display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::sample::draw::Half;
    use crate::bench::sample::record::Verdict;
    use std::os::unix::fs::PermissionsExt;

    /// Hunts with a script in the place of raddle.
    fn hunt(script: &str, keep: Option<PathBuf>) -> Record {
        let directory = tempfile::tempdir().unwrap();
        let executable = directory.path().join("raddle");
        fs::write(&executable, format!("#!/bin/sh\n{script}")).unwrap();
        fs::set_permissions(&executable, fs::Permissions::from_mode(0o755)).unwrap();
        let hunter = Hunter {
            executable,
            commit: "abc".to_owned(),
            budget: Duration::from_secs(25),
            keep,
            jdk: PathBuf::from("/no/jdk"),
            cache: Cache::open(true).unwrap(),
            jars: BTreeMap::new(),
        };
        hunter.hunt(&Drawn::sample("a.B", Half::Open)).unwrap()
    }

    #[test]
    fn the_exit_code_and_the_document_are_kept() {
        let keep = tempfile::tempdir().unwrap();
        let script = r#"mkdir -p raddle-out/a.B/findings && echo x >raddle-out/a.B/findings/y
            echo '{"jdk": {"version": "17"}, "classes": [{"findings": [{"id": "result-1"}], "gaps": ["few"]}]}'
            exit 1"#;
        let record = hunt(script, Some(keep.path().to_owned()));
        assert_eq!(record.verdict(), Verdict::Red);
        assert_eq!(record.findings[0]["id"], "result-1");
        assert_eq!(record.of_class["gaps"][0], "few");
        assert_eq!(record.said, None);
        assert!(keep.path().join("open/a.B/findings/y").is_file());
    }

    #[test]
    fn a_hunt_without_document_says_why() {
        let record = hunt("echo \"error: $*\" >&2\nexit 2\n", None);
        assert_eq!(record.verdict(), Verdict::Failed);
        assert_eq!(
            record.said.as_deref(),
            Some(
                "error: hunt --json --jobs 1 --seed 1 --promise built --out raddle-out --budget 25000ms --jdk /no/jdk a.B"
            )
        );
    }
}
