//! Findings on a JVM without Raddle: their reproducers, run when the hunt is over, so that it costs the hunt no time.

use std::env;
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use raddle_plan::Recording;
use rustix::process::{Pid, Signal, kill_process_group};

use super::record::StockJvm;

const TICK: Duration = Duration::from_millis(20);
/// Of one reproducer.
const LIMIT: Duration = Duration::from_mins(2);
/// What a reproducer ends with if the violation occurs; `docs/raddle-out.md` tells the others.
const OCCURS: i32 = 0;

/// Runs the reproducer of a finding's folder.
pub(super) fn confirm(folder: &Path, class_path: &[PathBuf], jdk: &Path) -> anyhow::Result<StockJvm> {
    let recording = Recording::read(&folder.join("finding.json")).context("cannot read a finding")?;
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    let output = File::create(directory.path().join("output")).context("cannot write a temporary file")?;
    let class_path =
        env::join_paths(class_path).context("the path of a jar or directory contains a colon")?;
    let mut java = Group(
        Command::new(jdk.join("bin/java"))
            .arg(format!("-Djava.io.tmpdir={}", directory.path().display()))
            .arg("-cp")
            .arg(class_path)
            .arg(folder.join(recording.plan.source_file("Reproducer")))
            .current_dir(directory.path())
            .stdin(Stdio::null())
            .stdout(output.try_clone().context("cannot write a temporary file")?)
            .stderr(output)
            // It starts another JVM, which has to end with it.
            .process_group(0)
            .spawn()
            .context("cannot run java")?,
    );
    let begun = Instant::now();
    while begun.elapsed() < LIMIT {
        if let Some(status) = java.0.try_wait().context("cannot wait for java")? {
            return Ok(match status.code() {
                Some(OCCURS) => StockJvm::Confirmed,
                _ => StockJvm::NotConfirmed,
            });
        }
        thread::sleep(TICK);
    }
    Ok(StockJvm::NotConfirmed)
}

/// A process and all that it has started, none of which outlives its owner.
pub(in crate::bench) struct Group(pub(in crate::bench) Child);

impl Drop for Group {
    fn drop(&mut self) {
        // The group may be gone, which is just as well.
        let _ = kill_process_group(Pid::from_child(&self.0), Signal::KILL);
        let _ = self.0.wait();
    }
}
