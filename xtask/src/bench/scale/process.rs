//! Runs a program and looks at it and its children meanwhile.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Seek};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use super::record::Memory;
use crate::bench::machine;

/// What a run took, and what it printed.
pub(super) struct Ran {
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: String,
    pub(super) wall: Duration,
    pub(super) cpu: Duration,
    pub(super) memory: Memory,
}

/// A process that does not outlive its owner.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Both do nothing to one that has ended and was waited for.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs to the end, looking at memory once a tick. Whatever the exit code is: it tells what was found.
pub(super) fn run(command: &mut Command, tick: Duration, limit: Duration) -> anyhow::Result<Ran> {
    // Files, because pipes would have to be emptied meanwhile.
    let cannot_keep = "cannot make a temporary file";
    let mut stdout = tempfile::tempfile().context(cannot_keep)?;
    let mut stderr = tempfile::tempfile().context(cannot_keep)?;
    command
        .stdin(Stdio::null())
        .stdout(stdout.try_clone().context(cannot_keep)?)
        .stderr(stderr.try_clone().context(cannot_keep)?);
    let cpu = machine::cpu_time_of_children();
    let begun = Instant::now();
    let mut child = Running(command.spawn().context("cannot run raddle")?);
    let mut watch = Watch::default();
    while child.0.try_wait().context("cannot wait for raddle")?.is_none() {
        if begun.elapsed() > limit {
            bail!("raddle did not end in {} s", limit.as_secs());
        }
        watch.look(child.0.id());
        thread::sleep(tick);
    }
    let wall = begun.elapsed();
    let mut ran = Ran {
        stdout: Vec::new(),
        stderr: String::new(),
        wall,
        cpu: machine::cpu_time_of_children().saturating_sub(cpu),
        memory: watch.memory(),
    };
    stdout
        .rewind()
        .and_then(|()| stdout.read_to_end(&mut ran.stdout))?;
    stderr
        .rewind()
        .and_then(|()| stderr.read_to_string(&mut ran.stderr))?;
    Ok(ran)
}

/// What has been seen so far.
#[derive(Default)]
struct Watch {
    coordinator: u64,
    workers: BTreeMap<u32, u64>,
    together: (u64, u64),
}

impl Watch {
    fn look(&mut self, coordinator: u32) {
        let Some(own) = Status::of(coordinator) else {
            return;
        };
        self.coordinator = self.coordinator.max(own.peak);
        let mut workers = 0;
        for child in children(coordinator) {
            // A child that is not yet the program it is to become has the memory of its parent.
            if let Some(status) = Status::of(child).filter(|_| is_worker(child)) {
                workers += status.now;
                let peak = self.workers.entry(child).or_default();
                *peak = status.peak.max(*peak);
            }
        }
        if own.now + workers > self.together.0 + self.together.1 {
            self.together = (own.now, workers);
        }
    }

    fn memory(self) -> Memory {
        Memory {
            coordinator: self.coordinator,
            workers: self.workers.into_values().collect(),
            together: self.together,
        }
    }
}

/// Resident memory of a process in KiB.
#[derive(Debug, PartialEq, Eq)]
struct Status {
    peak: u64,
    now: u64,
}

impl Status {
    /// None if it has ended.
    fn of(process: u32) -> Option<Status> {
        Status::parse(&fs::read_to_string(format!("/proc/{process}/status")).ok()?)
    }

    fn parse(text: &str) -> Option<Status> {
        let field = |name: &str| -> Option<u64> {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse().ok()
        };
        Some(Status {
            peak: field("VmHWM:")?,
            now: field("VmRSS:")?,
        })
    }
}

/// The children of all threads of a process.
fn children(process: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{process}/task"))
        .into_iter()
        .flatten()
        .flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let mut children = Vec::new();
    for list in lists {
        children.extend(
            list.split_whitespace()
                .filter_map(|child| child.parse::<u32>().ok()),
        );
    }
    children
}

fn is_worker(process: u32) -> bool {
    let line = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    line.split(|byte| *byte == 0).any(|word| word == b"raddle-worker")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_from_the_status() {
        let text = "Name:\tjava\nVmHWM:\t   93764 kB\nVmRSS:\t   85920 kB\n";
        let expected = Status {
            peak: 93_764,
            now: 85_920,
        };
        assert_eq!(Status::parse(text), Some(expected));
        assert_eq!(Status::parse("Name:\tended\n"), None);
    }

    #[test]
    fn workers_are_seen_with_their_coordinator() {
        let mut command = Command::new("sh");
        let script = "sh -c 'sleep 0.4; :' raddle-worker & echo out; echo err >&2; wait; exit 3";
        let ran = run(
            command.args(["-c", script]),
            Duration::from_millis(5),
            Duration::from_secs(20),
        )
        .unwrap();
        assert_eq!(
            (ran.stdout.as_slice(), ran.stderr.as_str()),
            (b"out\n".as_slice(), "err\n")
        );
        assert!(ran.wall >= Duration::from_millis(400));
        assert!(ran.memory.coordinator > 0);
        assert_eq!(ran.memory.workers.len(), 1);
        assert!(ran.memory.together.1 > 0);
    }

    #[test]
    fn a_run_that_does_not_end_is_given_up() {
        let mut command = Command::new("sleep");
        let outcome = run(
            command.arg("60"),
            Duration::from_millis(5),
            Duration::from_millis(50),
        );
        assert!(outcome.is_err());
    }
}
