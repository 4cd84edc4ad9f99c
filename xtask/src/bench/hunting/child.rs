//! One hunt as a process of its own, ended as soon as enough is known.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use anyhow::Context;
use rustix::process::{Pid, Signal, kill_process};

use super::document::{self, Document};
use super::record::{Aim, End, Found, Scheduler, Strategy};

const TICK: Duration = Duration::from_millis(20);
/// What is found in the end is still made sure of, and JVMs have to end.
const AFTER_BUDGET: Duration = Duration::from_mins(3);
/// From ^C to the end.
const AFTER_INTERRUPT: Duration = Duration::from_mins(1);
/// So many that none that is expected is kept out by others.
const MAX_FINDINGS: &str = "100000";
/// Lines of what it says on standard error that are kept.
const SAID: usize = 5;

/// One hunt.
pub(in crate::bench) struct Hunt<'a> {
    pub(in crate::bench) executable: &'a Path,
    pub(in crate::bench) class: &'a str,
    pub(in crate::bench) class_path: &'a [PathBuf],
    /// Packages of modules, for `--add-opens`.
    pub(in crate::bench) opens: &'a [String],
    /// Home directory.
    pub(in crate::bench) jdk: &'a Path,
    pub(in crate::bench) strategy: Strategy,
    pub(in crate::bench) scheduler: Scheduler,
    pub(in crate::bench) aim: Aim,
    pub(in crate::bench) seed: u64,
    pub(in crate::bench) budget: Duration,
}

/// What came of it.
pub(in crate::bench) struct Ended {
    pub(in crate::bench) end: End,
    /// Empty if there is none.
    pub(super) document: Document,
    pub(in crate::bench) findings: Vec<Found>,
    /// What is told apart because it may be by design.
    pub(in crate::bench) apart: Vec<Found>,
    pub(in crate::bench) time: Duration,
}

impl Ended {
    pub(in crate::bench) fn schedules(&self) -> u64 {
        self.document.numbers().unwrap_or_default().schedules
    }
}

impl Hunt<'_> {
    /// Runs in a directory, where it leaves its folder.
    pub(in crate::bench) fn run(
        &self,
        directory: &Path,
        is_enough: impl Fn(&[Found]) -> bool,
    ) -> anyhow::Result<Ended> {
        let said = directory.join("stderr.txt");
        let begun = Instant::now();
        let mut child = Running(
            self.command()?
                .current_dir(directory)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(File::create(&said).with_context(|| format!("cannot write {}", said.display()))?)
                .spawn()
                .with_context(|| format!("cannot run {}", self.executable.display()))?,
        );
        let folder = self.folder(directory);
        let end = self.watch(&mut child, begun, &folder, is_enough)?;
        let time = begun.elapsed();
        let document = document::read(&folder)?.unwrap_or_default();
        let log = document::log(&folder);
        let (findings, apart) = (document.findings(&log), document.apart(&log));
        let end = match end {
            End::Met | End::Itself if !document.finished => End::Failed(last_lines(&said)),
            end => end,
        };
        Ok(Ended {
            end,
            document,
            findings,
            apart,
            time,
        })
    }

    /// Where the hunt writes what it finds.
    pub(super) fn folder(&self, directory: &Path) -> PathBuf {
        directory.join("raddle-out").join(self.class)
    }

    fn command(&self) -> anyhow::Result<Command> {
        let mut command = Command::new(self.executable);
        command
            .args(["hunt", "--json", "--jobs", "1", "--out", "raddle-out"])
            .args(["--strategy", self.strategy.name()])
            .args(["--seed", &self.seed.to_string()])
            .args(["--budget", &format!("{}ms", self.budget.as_millis())])
            .arg("--jdk")
            .arg(self.jdk);
        match self.aim {
            Aim::Everything => command.args(["--max-findings", MAX_FINDINGS]),
            Aim::FirstDeadlock => command.args(["--stop-at-first", "--kinds", "deadlock"]),
        };
        if self.scheduler == Scheduler::Stress {
            command.arg("--stress");
        }
        if !self.class_path.is_empty() {
            command.arg("--class-path").arg(
                env::join_paths(self.class_path)
                    .context("the path of a jar or directory contains a colon")?,
            );
        }
        for package in self.opens {
            command.args(["--add-opens", package]);
        }
        command.arg(self.class);
        Ok(command)
    }

    fn watch(
        &self,
        child: &mut Running,
        begun: Instant,
        folder: &Path,
        is_enough: impl Fn(&[Found]) -> bool,
    ) -> anyhow::Result<End> {
        let files = [document::RUN, document::EVENTS].map(|name| folder.join(name));
        let mut seen: [Option<SystemTime>; 2] = [None; 2];
        let mut interrupted: Option<(Instant, End)> = None;
        loop {
            if child.0.try_wait().context("cannot wait for raddle")?.is_some() {
                return Ok(interrupted.map_or(End::Itself, |(_, why)| why));
            }
            if let Some((since, _)) = &interrupted {
                if since.elapsed() > AFTER_INTERRUPT {
                    return Ok(End::Stuck);
                }
            } else if begun.elapsed() > self.budget + AFTER_BUDGET {
                child.interrupt()?;
                interrupted = Some((Instant::now(), End::Stuck));
            } else {
                // Both tell of what was found: one is written anew after every finding, the other grows.
                let changed = files
                    .each_ref()
                    .map(|file| fs::metadata(file).and_then(|metadata| metadata.modified()).ok());
                if changed != seen {
                    seen = changed;
                    let document = document::read(folder)?;
                    let log = document::log(folder);
                    let all =
                        document.map(|document| [document.findings(&log), document.apart(&log)].concat());
                    if all.is_some_and(|all| is_enough(&all)) {
                        child.interrupt()?;
                        interrupted = Some((Instant::now(), End::Met));
                    }
                }
            }
            thread::sleep(TICK);
        }
    }
}

/// A process that does not outlive its owner.
struct Running(Child);

impl Running {
    /// As ^C does: it ends cleanly and keeps what was found. One that has just ended does not mind.
    fn interrupt(&self) -> anyhow::Result<()> {
        match kill_process(Pid::from_child(&self.0), Signal::INT) {
            Ok(()) | Err(rustix::io::Errno::SRCH) => Ok(()),
            Err(error) => Err(error).context("cannot interrupt raddle"),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both do nothing to one that has ended and was waited for.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn last_lines(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let last = lines[lines.len().saturating_sub(SAID)..].join("\n");
    if last.trim().is_empty() {
        "it said nothing".to_owned()
    } else {
        last
    }
}

#[cfg(test)]
mod tests {
    use super::super::expectation::Kind;
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// Stands in for raddle: writes a finding, and then waits for ^C or gives up.
    fn raddle(directory: &Path, script: &str) -> PathBuf {
        let path = directory.join("raddle");
        fs::write(&path, format!("#!/bin/sh\n{script}")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn hunt(executable: &Path, aim: Aim, is_enough: impl Fn(&[Found]) -> bool) -> Ended {
        let directory = tempfile::tempdir().unwrap();
        let hunt = Hunt {
            executable,
            class: "a.B",
            class_path: &[PathBuf::from("/x/a.jar"), PathBuf::from("/x/b.jar")],
            opens: &[],
            jdk: Path::new("/no/jdk"),
            strategy: Strategy::Portfolio,
            scheduler: Scheduler::Stress,
            aim,
            seed: 7,
            budget: Duration::from_secs(30),
        };
        hunt.run(directory.path(), is_enough).unwrap()
    }

    const FINDS: &str = r#"
write() {
    printf '{"finished": %s, "jdk": {"version": "17"}, "classes": [{"gaps": [], "notes": [], "numbers": %s, "findings": [
        {"id": "deadlock-1", "kind": "deadlock", "methods": ["a()"], "analysis_bug": null, "after_ms": 5,
         "evidence": {"deadlock": {}}}]}]}' "$1" "$2" >run.tmp
    mv run.tmp raddle-out/a.B/run.json
}
mkdir -p raddle-out/a.B
trap 'write true "{\"plans\": 3, \"failed_plans\": 0, \"schedules\": 9, \"time_ms\": 6}"; exit 1' INT
write false null
"#;

    /// As in a job that a shell runs in the background. What is ignored when a shell starts, it cannot trap.
    fn is_interrupt_ignored() -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask & 0b10 != 0)
    }

    #[test]
    fn a_hunt_is_interrupted_when_enough_was_found() {
        if is_interrupt_ignored() {
            return;
        }
        let directory = tempfile::tempdir().unwrap();
        let executable = raddle(
            directory.path(),
            &format!("{FINDS}while :; do sleep 0.05; done\n"),
        );
        let ended = hunt(&executable, Aim::Everything, |findings| {
            findings[0].kind == Kind::Deadlock
        });
        assert_eq!(ended.end, End::Met);
        assert_eq!(ended.findings[0].plans, 3, "numbers are those of the end");
    }

    #[test]
    fn a_hunt_without_result_says_why() {
        let directory = tempfile::tempdir().unwrap();
        let executable = raddle(directory.path(), "echo \"error: $*\" >&2\nexit 2\n");
        let ended = hunt(&executable, Aim::Everything, |_| true);
        let End::Failed(said) = ended.end else {
            panic!("{:?}", ended.end);
        };
        assert_eq!(
            said,
            "error: hunt --json --jobs 1 --out raddle-out --strategy portfolio --seed 7 --budget 30000ms --jdk /no/jdk \
             --max-findings 100000 --stress --class-path /x/a.jar:/x/b.jar a.B"
        );
        assert!(ended.findings.is_empty());
    }

    #[test]
    fn a_hunt_for_the_first_deadlock_looks_for_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let executable = raddle(directory.path(), "echo \"$*\" >&2\nexit 2\n");
        let End::Failed(said) = hunt(&executable, Aim::FirstDeadlock, |_| false).end else {
            panic!("it wrote nothing");
        };
        assert!(said.contains(" --stop-at-first --kinds deadlock "), "{said}");
        assert!(!said.contains("--max-findings"), "{said}");
    }
}
