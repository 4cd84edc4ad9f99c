//! Runs a reproducer: the violation once more, on a JVM as it is.
//!
//! It is run in a cage, by this very program under a hidden command, unless the caller does without.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use raddle_worker::stock::{NO_CAGE, NOT_STARTED, READ, STOCK_HEAP_MIB};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::options::Limits;
use crate::process_stats::{Watch, waited_of_group};
use crate::scratch::Scratch;
use crate::untrusted::end_of;

/// The hidden command under which the program runs another one in a cage.
pub const STOCK_COMMAND: &str = "raddle-stock";
/// Some attempts, each with a schedule that cannot be followed and a test that does not end.
const LONGEST: Duration = Duration::from_mins(2);
/// What any reproducer is given, which is several times what most of them take.
const SHORTEST: Duration = Duration::from_secs(30);
/// Whoever has a short time for a hunt does not want to wait much longer for a reproducer.
const BUDGETS: u32 = 3;
const TICK: Duration = Duration::from_millis(20);
/// The last line begins like this if it was the reproducer that ended, and not the compiler.
const RESULT: &str = "RESULT: ";
/// What `java` says last of a source file that it cannot compile.
const NOT_COMPILED: &str = "error: compilation failed";
/// Bytes of the output: at most, and how many of the last ones are looked at.
const FLOOD: u64 = 64 << 20;
const KEPT: u64 = 64 << 10;
/// Lines of the output that say enough.
const TAIL: usize = 40;
/// Two JVMs, and what they need to start.
const MOST_PROCESSES: u64 = 16;
/// Both JVMs are there for a second: what makes the start fast counts. The reproducer hands these on to the second JVM.
const JVM_OPTIONS: [&str; 4] = [
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    // Would write to a place that all users share.
    "-XX:-UsePerfData",
    "-Xshare:auto",
];

/// How reproducers are run.
#[derive(Clone, Debug)]
pub struct StockOptions {
    /// The program that runs another one in a cage when given [`STOCK_COMMAND`]; none to do without a cage.
    pub cage: Option<PathBuf>,
    /// Home directory of the JDK.
    pub jdk_home: PathBuf,
    /// Jars and directories.
    pub class_path: Vec<PathBuf>,
    /// What may be read besides, such as jars that manifests name.
    pub readable: Vec<PathBuf>,
    /// Packages that are opened to the tests, each as `module/package`.
    pub opens: Vec<String>,
    /// How long one may take, the time aside in which it waits for a CPU.
    pub limit: Duration,
}

impl StockOptions {
    /// How long a reproducer may take whose finding was made in a hunt of this length.
    pub fn limit_for(budget: Duration) -> Duration {
        budget.saturating_mul(BUDGETS).clamp(SHORTEST, LONGEST)
    }
}

/// What came of running a reproducer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StockVerdict {
    /// The violation occurred.
    Confirmed,
    /// It did not; the end of what the reproducer said.
    NotConfirmed(String),
    /// It could not be tried, for this reason.
    Failed(String),
    /// It was not tried, because this system has no cage for it, for this reason.
    NoCage(String),
    /// It was ended from outside.
    Stopped,
}

/// Runs a reproducer that is in no file yet. `file` is where it must be, below some directory.
pub fn run_reproducer_text(
    options: &StockOptions,
    file: &Path,
    text: &str,
    stop: &AtomicBool,
) -> StockVerdict {
    let written = || {
        let folder = Scratch::new("reproducer")?;
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap_or(folder.path()))?;
        fs::write(&path, text)?;
        Ok::<_, io::Error>((folder, path))
    };
    match written() {
        Ok((_folder, path)) => run_reproducer(options, &path, stop),
        Err(error) => StockVerdict::Failed(format!("{} could not be written: {error}", file.display())),
    }
}

/// Runs the source file of a reproducer with the `java` of a JDK, until it ends or `stop` is set. It starts a
/// second JVM; both are gone afterwards.
///
/// They die with the thread that calls this.
pub fn run_reproducer(options: &StockOptions, file: &Path, stop: &AtomicBool) -> StockVerdict {
    match run(options, file, stop) {
        Ok(Ended {
            how: How::Killed(why),
            output,
        }) => StockVerdict::Failed(format!("the reproducer was killed, because it {why}\n{output}")),
        Ok(Ended {
            how: How::Stopped, ..
        }) => StockVerdict::Stopped,
        Ok(Ended {
            how: How::Exited(status),
            output,
        }) => {
            let is_own = output.lines().any(|line| line.starts_with(RESULT));
            let no_cage = output.lines().find_map(|line| line.strip_prefix(NO_CAGE));
            match (status.code(), no_cage) {
                (Some(0), _) if is_own => StockVerdict::Confirmed,
                (Some(1), _) if is_own => StockVerdict::NotConfirmed(output),
                (Some(code), Some(why)) if code == i32::from(NOT_STARTED) => {
                    StockVerdict::NoCage(why.to_owned())
                }
                _ if output.lines().any(|line| line == NOT_COMPILED) => {
                    StockVerdict::Failed(format!("the reproducer does not compile\n{output}"))
                }
                _ => StockVerdict::Failed(format!("the reproducer ended with {status}\n{output}")),
            }
        }
        Err(error) => StockVerdict::Failed(format!(
            "{} could not be run with the JDK in {}: {error}",
            file.display(),
            options.jdk_home.display()
        )),
    }
}

struct Ended {
    how: How,
    output: String,
}

enum How {
    Exited(ExitStatus),
    /// With the end of a sentence that begins with "it".
    Killed(String),
    Stopped,
}

fn run(options: &StockOptions, file: &Path, stop: &AtomicBool) -> io::Result<Ended> {
    let file = std::path::absolute(file)?;
    let scratch = Scratch::new("stock")?;
    // A file and no pipe: what the test prints must not keep it waiting. It is not where the test can write, which could
    // put something else in its place.
    let aside = Scratch::new("printed")?;
    let printed = OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .open(aside.path().join("output"))?;
    let (out, err) = (printed.try_clone()?, printed.try_clone()?);
    let mut temporary = OsString::from("-Djava.io.tmpdir=");
    temporary.push(scratch.path());
    let java = options.jdk_home.join("bin/java");
    let mut command = match &options.cage {
        Some(program) => {
            let mut command = Command::new(program);
            command.arg(STOCK_COMMAND).arg(scratch.path());
            let needed = options.class_path.iter().chain(&options.readable);
            for path in needed.chain([&file, &options.jdk_home]) {
                command.arg(READ).arg(std::path::absolute(path)?);
            }
            command.arg(java);
            command
        }
        None => Command::new(java),
    };
    command
        .args(JVM_OPTIONS)
        .arg(format!("-Xmx{STOCK_HEAP_MIB}m"))
        .arg(temporary)
        .args(
            options
                .opens
                .iter()
                .map(|package| format!("--add-opens={package}=ALL-UNNAMED")),
        )
        .arg("-cp")
        .arg(joined(&options.class_path)?)
        .arg(&file)
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(err)
        .current_dir(scratch.path())
        .env_clear()
        .env("HOME", scratch.path())
        .env("TMPDIR", scratch.path())
        .env("PATH", "/usr/bin:/bin")
        .env("LC_ALL", "C.UTF-8")
        .env("TZ", "UTC")
        // The JVM that it starts is in the same group, and ends with it.
        .process_group(0);
    let mut group = Group(command.spawn()?);
    let how = group.supervise(scratch.path(), &printed, options.limit, stop)?;
    drop(group);
    Ok(Ended {
        how,
        output: tail(&String::from_utf8_lossy(&end_of(&printed, KEPT)?)),
    })
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

impl Group {
    /// Whether it has had its time. A computer that is busy with others makes it slow, and not stuck.
    fn is_over(&self, took: Duration, limit: Duration) -> bool {
        took > limit && (took > LONGEST || took.saturating_sub(waited_of_group(self.0.id())) > limit)
    }

    /// Waits for its end, and watches what it uses meanwhile.
    fn supervise(
        &mut self,
        scratch: &Path,
        printed: &File,
        limit: Duration,
        stop: &AtomicBool,
    ) -> io::Result<How> {
        let limits = Limits::for_heap(2 * STOCK_HEAP_MIB);
        let mut watch = Watch::new();
        let begun = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait()? {
                return Ok(How::Exited(status));
            }
            if stop.load(Ordering::Relaxed) {
                return Ok(How::Stopped);
            }
            if self.is_over(begun.elapsed(), limit) {
                let seconds = begun.elapsed().as_secs();
                return Ok(How::Killed(format!("did not end within {seconds} seconds")));
            }
            if printed.metadata()?.len() > FLOOD {
                return Ok(How::Killed(format!("printed more than {} MiB", FLOOD >> 20)));
            }
            if let Some(excess) = watch.look_at_group(self.0.id(), MOST_PROCESSES, scratch, &limits) {
                return Ok(How::Killed(format!("used {}", excess.what)));
            }
            thread::sleep(TICK);
        }
    }
}

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
        let options = StockOptions {
            cage: None,
            jdk_home: PathBuf::from("/no/jdk"),
            class_path: Vec::new(),
            readable: Vec::new(),
            opens: Vec::new(),
            limit: SHORTEST,
        };
        let file = folder.path().join("Reproducer.java");
        let verdict = run_reproducer(&options, &file, &AtomicBool::new(false));
        let StockVerdict::Failed(text) = verdict else {
            panic!("{verdict:?}");
        };
        assert!(
            text.contains("/no/jdk") && text.contains("Reproducer.java"),
            "{text}"
        );
    }

    /// A program that says something and ends.
    fn script(folder: &Path, lines: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.join("program");
        fs::write(&path, format!("#!/bin/sh\n{lines}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn verdict_of(lines: &str) -> StockVerdict {
        let folder = tempfile::tempdir().unwrap();
        let options = StockOptions {
            cage: Some(script(folder.path(), lines)),
            jdk_home: PathBuf::from("/jdk"),
            class_path: Vec::new(),
            readable: Vec::new(),
            opens: Vec::new(),
            limit: SHORTEST,
        };
        run_reproducer(&options, folder.path(), &AtomicBool::new(false))
    }

    #[test]
    fn a_verdict_is_one_only_if_the_reproducer_says_so() {
        assert_eq!(verdict_of("echo RESULT: yes"), StockVerdict::Confirmed);
        let no = verdict_of("echo RESULT: no; exit 1");
        assert_eq!(no, StockVerdict::NotConfirmed("RESULT: no".to_owned()));
        // The compiler ends with 1, too.
        for other in [
            "exit 0",
            "echo error: no such class; exit 1",
            "echo RESULT: failed; exit 2",
        ] {
            assert!(matches!(verdict_of(other), StockVerdict::Failed(_)), "{other}");
        }
    }

    /// It says nothing about the violation, whatever the exit code is.
    #[test]
    fn a_reproducer_that_does_not_compile_is_said_not_to() {
        let verdict = verdict_of(
            "echo 'Reproducer.java:7: error: not a statement'; echo 'error: compilation failed'; exit 1",
        );
        let StockVerdict::Failed(why) = verdict else {
            panic!("{verdict:?}");
        };
        assert!(why.starts_with("the reproducer does not compile\n"), "{why}");
    }

    #[test]
    fn a_cage_that_cannot_be_had_is_no_verdict() {
        let none = verdict_of("echo 'NO CAGE: not allowed'; exit 125");
        assert_eq!(none, StockVerdict::NoCage("not allowed".to_owned()));
        let pretended = verdict_of("echo 'NO CAGE: not allowed'; exit 1");
        assert!(matches!(pretended, StockVerdict::Failed(_)), "{pretended:?}");
    }

    #[test]
    fn what_uses_too_much_is_killed_with_all_that_it_has_started() {
        let forks =
            verdict_of("for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do sleep 100 & done; wait");
        let StockVerdict::Failed(why) = forks else {
            panic!("{forks:?}");
        };
        assert!(why.contains("processes, more than the 16 it may"), "{why}");
        let writes = verdict_of("dd if=/dev/zero of=large bs=1048576 count=80 2>/dev/null; sleep 100");
        let StockVerdict::Failed(why) = writes else {
            panic!("{writes:?}");
        };
        assert!(why.contains("more than the 64 MiB in"), "{why}");
    }

    #[test]
    fn only_the_end_of_a_long_output_is_kept() {
        let lines: Vec<String> = (0..100).map(|line| line.to_string()).collect();
        let text = lines.join("\n") + "\n";
        assert!(tail(&text).starts_with("60\n") && tail(&text).ends_with("\n99"));
    }
}
