//! One run of a peer: processes one after the other that share a budget, ended as soon as something is found.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::journal::{self, Journal, Said};
use super::record::Verdict;
use crate::bench::hunting::stock::Group;

const TICK: Duration = Duration::from_millis(20);
/// What a process says if the journal does not tell.
const OUTPUT: &str = "output.txt";

/// One process, with a directory of its own, in which it keeps its journal.
pub(super) struct Step {
    pub(super) directory: PathBuf,
    pub(super) command: Command,
}

/// What came of it.
pub(super) struct Ended {
    pub(super) verdict: Verdict,
    pub(super) time: Duration,
    /// Of all steps.
    pub(super) journals: Vec<Journal>,
}

/// Runs the steps until one finds something, or cannot go on, or the time is over.
pub(super) fn run(steps: Vec<Step>, budget: Duration) -> anyhow::Result<Ended> {
    let begun = Instant::now();
    let mut journals = Vec::new();
    let mut verdict = Verdict::Exhausted;
    let mut time = Duration::ZERO;
    for step in steps {
        let directory = step.directory.clone();
        verdict = watch(step, begun, budget)?;
        time = begun.elapsed();
        journals.extend(journal::read(&directory));
        if verdict != Verdict::Exhausted {
            break;
        }
    }
    Ok(Ended {
        verdict,
        time,
        journals,
    })
}

fn watch(step: Step, begun: Instant, budget: Duration) -> anyhow::Result<Verdict> {
    let Step {
        directory,
        mut command,
    } = step;
    let output = File::create(directory.join(OUTPUT)).context("cannot write a temporary file")?;
    let mut java = Group(
        command
            .current_dir(&directory)
            .stdin(Stdio::null())
            .stdout(output.try_clone().context("cannot write a temporary file")?)
            .stderr(output)
            // It may start other JVMs, which have to end with it.
            .process_group(0)
            .spawn()
            .context("cannot run java")?,
    );
    loop {
        let ended = java.0.try_wait().context("cannot wait for java")?;
        match journal::verdict(&journal::read(&directory)) {
            Some(Said::Found(what)) => return Ok(Verdict::Found(what)),
            Some(Said::Cannot(why)) => return Ok(Verdict::Cannot(why)),
            Some(Said::Done) | None => {}
        }
        if let Some(status) = ended {
            return Ok(if status.success() {
                Verdict::Exhausted
            } else {
                Verdict::Cannot(last_line(&directory))
            });
        }
        if begun.elapsed() >= budget {
            return Ok(Verdict::Nothing);
        }
        thread::sleep(TICK);
    }
}

fn last_line(directory: &Path) -> String {
    let text = fs::read_to_string(directory.join(OUTPUT)).unwrap_or_default();
    let last = text.lines().rfind(|line| !line.trim().is_empty());
    last.unwrap_or("it said nothing").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(directory: &Path, name: &str, script: &str) -> Step {
        let directory = directory.join(name);
        fs::create_dir(&directory).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Step { directory, command }
    }

    #[test]
    fn a_step_that_finds_something_is_the_last() {
        let directory = tempfile::tempdir().unwrap();
        let steps = vec![
            step(directory.path(), "1", "echo 'run 3 0\ndone' > 1.journal"),
            step(
                directory.path(),
                "2",
                "echo 'run 4 0\nfound x' > 2.journal; sleep 60",
            ),
            step(directory.path(), "3", "exit 1"),
        ];
        let ended = run(steps, Duration::from_secs(50)).unwrap();
        assert_eq!(ended.verdict, Verdict::Found("x".to_owned()));
        assert_eq!(journal::executions(&ended.journals), 7);
        assert!(ended.time < Duration::from_secs(40));
    }

    #[test]
    fn a_step_that_fails_says_why() {
        let directory = tempfile::tempdir().unwrap();
        let steps = vec![step(directory.path(), "1", "echo why; echo; exit 1")];
        let ended = run(steps, Duration::from_secs(50)).unwrap();
        assert_eq!(ended.verdict, Verdict::Cannot("why".to_owned()));
    }

    #[test]
    fn time_can_be_over() {
        let directory = tempfile::tempdir().unwrap();
        let steps = vec![step(directory.path(), "1", "sleep 60")];
        let ended = run(steps, Duration::from_millis(50)).unwrap();
        assert_eq!(ended.verdict, Verdict::Nothing);
    }
}
