//! Runs a reproducer: the violation once more, on a JVM as it is.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

/// The file in the folder of a finding.
const FILE: &str = "Reproducer.java";
/// Three attempts, each with schedules that cannot be followed and a test that does not end.
const LIMIT: Duration = Duration::from_mins(5);
const TICK: Duration = Duration::from_millis(20);
/// The last line begins like this if it was the reproducer that ended, and not the compiler.
const RESULT: &str = "RESULT: ";
/// Bytes of the output: at most, and how many of the last ones are looked at.
const FLOOD: u64 = 64 << 20;
const KEPT: u64 = 64 << 10;
/// Lines of the output that say enough.
const TAIL: usize = 40;

/// What came of running a reproducer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StockVerdict {
    /// The violation occurred.
    Confirmed,
    /// It did not; the end of what the reproducer said.
    NotConfirmed(String),
    /// It could not be tried, for this reason.
    Failed(String),
}

/// Runs the file `Reproducer.java` of a folder with the `java` of a JDK. It starts a second JVM; both are gone
/// afterwards. The classes run without a cage.
pub fn run_reproducer(jdk_home: &Path, class_path: &[PathBuf], dir: &Path) -> StockVerdict {
    match run(jdk_home, class_path, dir) {
        Ok(Ended { status: None, output }) => StockVerdict::Failed(format!(
            "the reproducer did not end within {} seconds, or printed more than {} MiB\n{output}",
            LIMIT.as_secs(),
            FLOOD >> 20
        )),
        Ok(Ended {
            status: Some(status),
            output,
        }) => {
            let is_own = output.lines().any(|line| line.starts_with(RESULT));
            match status.code() {
                Some(0) if is_own => StockVerdict::Confirmed,
                Some(1) if is_own => StockVerdict::NotConfirmed(output),
                _ => StockVerdict::Failed(format!("the reproducer ended with {status}\n{output}")),
            }
        }
        Err(error) => StockVerdict::Failed(format!(
            "{} could not be run with the JDK in {}: {error}",
            dir.join(FILE).display(),
            jdk_home.display()
        )),
    }
}

struct Ended {
    /// `None` if it had to be killed.
    status: Option<ExitStatus>,
    output: String,
}

fn run(jdk_home: &Path, class_path: &[PathBuf], dir: &Path) -> io::Result<Ended> {
    let file = std::path::absolute(dir.join(FILE))?;
    let scratch = tempfile::Builder::new().prefix("raddle-stock-").tempdir()?;
    // A file and no pipe: what the test prints must not keep it waiting.
    let printed = scratch.path().join("output");
    let out = File::create(&printed)?;
    let mut temporary = OsString::from("-Djava.io.tmpdir=");
    temporary.push(scratch.path());
    let mut command = Command::new(jdk_home.join("bin/java"));
    command
        .arg(temporary)
        .arg("-cp")
        .arg(joined(class_path)?)
        .arg(&file)
        .stdin(Stdio::null())
        .stdout(out.try_clone()?)
        .stderr(out)
        .current_dir(scratch.path())
        .env_clear()
        .env("HOME", scratch.path())
        .env("TMPDIR", scratch.path())
        .env("PATH", "/usr/bin:/bin")
        .env("LC_ALL", "C.UTF-8")
        .env("TZ", "UTC")
        // The JVM that it starts is in the same group, and ends with it.
        .process_group(0);
    let mut child = Group(command.spawn()?);
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.0.try_wait()? {
            break Some(status);
        }
        if begun.elapsed() > LIMIT || fs::metadata(&printed)?.len() > FLOOD {
            break None;
        }
        thread::sleep(TICK);
    };
    drop(child);
    Ok(Ended {
        status,
        output: tail(&end_of(&printed)?),
    })
}

/// The end of a file.
fn end_of(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(KEPT)))?;
    let mut bytes = Vec::new();
    file.take(KEPT).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// As `java` wants it. Entries are made absolute, since the program runs elsewhere.
fn joined(class_path: &[PathBuf]) -> io::Result<OsString> {
    let mut joined = OsString::new();
    for entry in class_path {
        if !joined.is_empty() {
            joined.push(":");
        }
        joined.push(std::path::absolute(entry)?);
    }
    // An empty class path would mean the current directory, which is empty as well.
    Ok(joined)
}

/// The last lines.
fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(TAIL)..].join("\n")
}

/// A process and all that it has started. Killed when dropped.
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        // Also when the first process has ended: the group lives as long as one of them.
        if let Some(pid) = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(pid, Signal::KILL);
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_reproducer_is_a_failure() {
        let folder = tempfile::tempdir().unwrap();
        let verdict = run_reproducer(Path::new("/no/jdk"), &[], folder.path());
        let StockVerdict::Failed(text) = verdict else {
            panic!("{verdict:?}");
        };
        assert!(
            text.contains("/no/jdk") && text.contains("Reproducer.java"),
            "{text}"
        );
    }

    #[test]
    fn only_the_end_of_a_long_output_is_kept() {
        let lines: Vec<String> = (0..100).map(|line| line.to_string()).collect();
        let text = lines.join("\n") + "\n";
        assert!(tail(&text).starts_with("60\n") && tail(&text).ends_with("\n99"));
    }
}
