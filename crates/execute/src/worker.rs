//! One worker process, from start to end.

use std::io::BufReader;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use raddle_worker::protocol::{
    CageLimits, Failed, Fault, PROTOCOL_VERSION, Ready, Request, Response, Start, read_line_and_length,
    write_line,
};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::account::{Account, Sign};
use crate::death::{Cause, Death, crash_report, telling};
use crate::error::SessionError;
use crate::options::{Limits, SessionOptions};
use crate::output::Output;
use crate::process_stats::{Activity, Watch};
use crate::scratch::Scratch;

/// How often a silent worker is looked at.
const TICK: Duration = Duration::from_millis(25);
/// How long a worker may take to be gone after it has closed its socket: a crashing JVM writes a report.
const LAST_WORDS: Duration = Duration::from_secs(5);
/// How long a stuck worker may take to say where it is stuck.
const STACKS: Duration = Duration::from_secs(3);
/// Answers that may wait here; a worker that sends more waits itself. Few, because each may be as long as a line can be.
const QUEUE: usize = 4;

/// One worker process. Killed when dropped.
pub(crate) struct Worker {
    child: Child,
    stream: UnixStream,
    responses: Receiver<Result<Answer, String>>,
    stdout: Output,
    stderr: Output,
    watch: Watch,
    limits: Limits,
    /// Removed after the process has gone: fields are dropped after `drop` has run.
    directory: Scratch,
}

/// Files that a worker may have open between two plans. A JVM has a few dozen; what tests leave open stays so until the
/// worker ends, and one that has run out of them says so in the place of whatever it was asked.
const MOST_OPEN_FILES: usize = 1024;

/// How long a request may take.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Patience {
    /// All in all.
    pub(crate) total: Option<Duration>,
    /// Between two signs of life, when the process does nothing.
    pub(crate) silence: Duration,
    /// The same when it is busy, in its own time on CPUs: a computer that is busy with others makes it slow, and not stuck.
    pub(crate) busy_silence: Duration,
}

/// A process that waits for a CPU may take so many times as long as one that has it.
const STARVED: u32 = 10;

impl Patience {
    /// For something that has no signs of life before its end.
    pub(crate) fn once(total: Duration) -> Patience {
        Patience {
            total: None,
            silence: total,
            busy_silence: total,
        }
    }

    /// Whether a silence has lasted too long: how long it is, since when the process was watched, what it did since.
    fn is_over(self, silence: Duration, watched: Duration, did: Activity) -> bool {
        if silence <= self.silence {
            return false;
        }
        // Many threads wait for a CPU longer than there is time, so that what they had of it counts as well. What was done
        // before the process was watched is not known.
        let own = silence.saturating_sub(did.waited());
        let worked = silence.saturating_sub(watched) + did.worked();
        !did.is_busy(watched)
            || silence > self.busy_silence
                && (own.max(worked) > self.busy_silence || silence > self.busy_silence * STARVED)
    }

    /// For something that shows signs of life.
    pub(crate) fn exploring(total: Option<Duration>, limits: &Limits) -> Patience {
        Patience {
            total: total.map(|total| total + limits.busy_silence),
            silence: limits.silence,
            busy_silence: limits.busy_silence,
        }
    }
}

/// When an answer is no longer wanted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unwanted {
    /// When this is set, and [`AFTER_INTERRUPT`] has gone by.
    pub(crate) interrupt: Arc<AtomicBool>,
    /// From then on.
    pub(crate) from: Option<Instant>,
}

/// Whoever presses ^C waits about as long as this.
const AFTER_INTERRUPT: Duration = Duration::from_millis(1_200);

/// The last sign of life, and how much the process had done when the silence was noticed.
struct Heard {
    at: Instant,
    noticed: Option<(Instant, Activity)>,
}

impl Heard {
    fn now() -> Heard {
        Heard {
            at: Instant::now(),
            noticed: None,
        }
    }

    /// Whether the silence has lasted too long.
    fn is_over(&mut self, pid: u32, patience: Patience) -> bool {
        let silence = self.at.elapsed();
        // Batches do not take that long, and looking costs something.
        if silence < patience.silence / 4 {
            return false;
        }
        let (noticed_at, before) = *self
            .noticed
            .get_or_insert_with(|| (Instant::now(), Activity::of(pid)));
        silence > patience.silence
            && patience.is_over(silence, noticed_at.elapsed(), Activity::of(pid).since(before))
    }
}

/// Why a request has no answer.
pub(crate) enum NoAnswer {
    /// The worker is alive and says why.
    Failed(Failed),
    /// The worker is dead.
    Died(Death),
}

impl Worker {
    /// Whether tests have left so many files open that the next ones may not get any.
    pub(crate) fn is_littered(&self) -> bool {
        let open = std::fs::read_dir(format!("/proc/{}/fd", self.child.id()));
        // Who cannot be looked into is not replaced for that.
        open.is_ok_and(|open| open.count() > MOST_OPEN_FILES)
    }

    /// Starts a worker and waits until its JVM is there; from some time on it is not wanted any more.
    pub(crate) fn start(
        options: &SessionOptions,
        until: Option<Instant>,
    ) -> Result<(Worker, Ready), SessionError> {
        let mut worker = Worker::spawn(options)?;
        let start = Request::Start(Box::new(Start {
            protocol: PROTOCOL_VERSION,
            jdk_home: options.jdk_home.clone(),
            directory: worker.directory.path().to_owned(),
            heap_mib: options.heap_mib,
            cage: options.cage.then(|| CageLimits::for_heap(options.heap_mib)),
            unplugged: options.unplugged.clone(),
            cpu: options.cpu,
            opens: options.opens.clone(),
            readable: options
                .class_path
                .iter()
                .chain(&options.readable)
                .cloned()
                .collect(),
        }));
        let unwanted = Unwanted {
            interrupt: Arc::clone(&options.interrupt),
            from: until,
        };
        let patience = Patience::once(options.limits.start);
        match worker.request(&start, patience, None, &unwanted, &mut |_| {}) {
            Ok(Response::Ready(ready)) => {
                if let Some(gaps) = options.require_cage.then(|| gaps(&ready)).flatten() {
                    return Err(SessionError::CageGaps(gaps));
                }
                tracing::debug!(pid = ready.pid, jdk = %ready.jdk_version, "worker is ready");
                Ok((worker, ready))
            }
            Ok(other) => Err(worker.garbled(&other).into()),
            Err(NoAnswer::Died(death)) => Err(death.into()),
            Err(NoAnswer::Failed(failed)) => Err(SessionError::Environment(failed.sentence)),
        }
    }

    fn spawn(options: &SessionOptions) -> Result<Worker, SessionError> {
        let directory = Scratch::new("worker")?;
        let (stream, theirs) = UnixStream::pair()?;
        // A worker that does not read must not keep us from noticing.
        stream.set_write_timeout(Some(options.limits.silence))?;
        let mut command = Command::new(&options.program);
        command
            .args(&options.arguments)
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .current_dir(directory.path())
            // Nothing is handed down that could make two runs differ, or that a test should not see.
            .env_clear()
            .env("HOME", directory.path())
            .env("TMPDIR", directory.path())
            .env("PATH", "/usr/bin:/bin")
            .env("LC_ALL", "C.UTF-8")
            .env("TZ", "UTC")
            .envs(options.environment.iter().map(|(name, value)| (name, value)))
            // A ^C at the terminal is for the coordinator, which ends its workers in good order.
            .process_group(0);
        let mut child = command.spawn()?;
        // The command holds the other end of the socket, whose end would not be seen.
        drop(command);
        let stdout = Output::of(child.stdout.take())?;
        let stderr = Output::of(child.stderr.take())?;
        let responses = listen(stream.try_clone()?)?;
        Ok(Worker {
            child,
            stream,
            responses,
            stdout,
            stderr,
            watch: Watch::new(),
            limits: options.limits.clone(),
            directory,
        })
    }

    /// Sends a request and waits for its last answer; those before it go to `on_report`. When `cancel` is set, the
    /// worker is told to finish early. If it has no answer when none is wanted, it is killed.
    pub(crate) fn request(
        &mut self,
        request: &Request,
        patience: Patience,
        cancel: Option<&AtomicBool>,
        unwanted: &Unwanted,
        on_report: &mut dyn FnMut(Response),
    ) -> Result<Response, NoAnswer> {
        tracing::trace!(request = request.name(), "asked");
        if let Err(error) = write_line(&self.stream, request) {
            return Err(NoAnswer::Died(self.post_mortem(None, &error.to_string())));
        }
        let begun = Instant::now();
        let mut account = Account::of(request);
        let mut heard = Heard::now();
        let mut during = None;
        let mut is_cancelled = false;
        let mut interrupted = None;
        loop {
            match self.responses.recv_timeout(TICK) {
                Ok(Ok(Answer { response, bytes })) => {
                    let sign = match account.take(&response, bytes) {
                        Ok(sign) => sign,
                        Err(what) => {
                            let cause = Cause::Garbled {
                                what: format!("it {what}"),
                            };
                            return Err(NoAnswer::Died(self.kill_for(cause, during, String::new())));
                        }
                    };
                    if sign == Sign::OfLife {
                        heard = Heard::now();
                    }
                    match response {
                        Response::Failed(failed) => return Err(self.failed(failed, during)),
                        Response::At { index, count } => {
                            // Which schedule is to blame is not left to who says anything.
                            if sign == Sign::OfLife {
                                during = Some((index, count));
                            }
                            on_report(response);
                        }
                        response if response.is_last() => return Ok(response),
                        response => on_report(response),
                    }
                }
                Ok(Err(problem)) => {
                    let death = self.post_mortem(during, &problem);
                    return Err(NoAnswer::Died(death));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(NoAnswer::Died(self.post_mortem(during, "")));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if !is_cancelled && cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                is_cancelled = true;
                // A worker that cannot be told will be found silent.
                let _ = write_line(&self.stream, &Request::Cancel);
            }
            if let Some(excess) = self
                .watch
                .look(self.child.id(), self.directory.path(), &self.limits)
            {
                let cause = if excess.is_memory {
                    Cause::OutOfMemory {
                        how: format!("it used {}", excess.what),
                    }
                } else {
                    Cause::OverLimit { what: excess.what }
                };
                return Err(NoAnswer::Died(self.kill_for(cause, during, String::new())));
            }
            if interrupted.is_none() && unwanted.interrupt.load(Ordering::Relaxed) {
                interrupted = Some(Instant::now());
            }
            let is_unwanted = interrupted.is_some_and(|since: Instant| since.elapsed() > AFTER_INTERRUPT)
                || unwanted.from.is_some_and(|from| Instant::now() > from);
            if is_unwanted {
                let death = self.kill_for(Cause::Unwanted, during, String::new());
                return Err(NoAnswer::Died(death));
            }
            let is_late = patience.total.is_some_and(|total| begun.elapsed() > total);
            if is_late || heard.is_over(self.child.id(), patience) {
                let silence = heard.at.elapsed();
                let cause = match patience.total {
                    Some(total) if silence < patience.silence => Cause::OverLimit {
                        what: format!("more than the {} s it may for one request", total.as_secs()),
                    },
                    _ => Cause::hung(silence),
                };
                let stacks = self.stacks();
                return Err(NoAnswer::Died(self.kill_for(cause, during, stacks)));
            }
        }
    }

    /// Bytes that the worker has printed.
    pub(crate) fn printed(&self) -> u64 {
        self.stdout.length() + self.stderr.length()
    }

    /// The death of a worker that answered something that was not asked for.
    pub(crate) fn garbled(&mut self, response: &Response) -> Death {
        let text = format!("{response:?}");
        let what = format!("{} was not expected", text.chars().take(200).collect::<String>());
        self.kill_for(Cause::Garbled { what }, None, String::new())
    }

    fn failed(&mut self, failed: Failed, during: Option<(u64, u64)>) -> NoAnswer {
        if failed.fault != Fault::Worker {
            return NoAnswer::Failed(failed);
        }
        let cause = Cause::GaveUp {
            sentence: failed.sentence,
        };
        NoAnswer::Died(self.kill_for(cause, during, String::new()))
    }

    /// What all threads are doing, if the worker can still say.
    fn stacks(&mut self) -> String {
        if write_line(&self.stream, &Request::Stacks).is_err() {
            return String::new();
        }
        let asked = Instant::now();
        while let Some(left) = STACKS.checked_sub(asked.elapsed()) {
            match self.responses.recv_timeout(left) {
                Ok(Ok(Answer {
                    response: Response::Stuck { stacks },
                    ..
                })) => return telling(&stacks),
                Ok(Ok(_)) => {}
                Ok(Err(_)) | Err(_) => break,
            }
        }
        String::new()
    }

    fn kill_for(&mut self, cause: Cause, during: Option<(u64, u64)>, evidence: String) -> Death {
        self.kill();
        Death {
            cause,
            during,
            evidence: or_else(evidence, || self.last_words()),
        }
    }

    /// What happened to a worker whose socket has closed.
    fn post_mortem(&mut self, during: Option<(u64, u64)>, problem: &str) -> Death {
        let status = self.wait(LAST_WORDS);
        self.kill();
        let report = crash_report(self.directory.path());
        let left_behind = format!("{report}\n{}", self.last_words());
        let cause = match status {
            Some(status) => Cause::of_exit(status, &left_behind),
            None => Cause::Garbled {
                what: or_else(problem.to_owned(), || "it closed its socket".to_owned()),
            },
        };
        Death {
            cause,
            during,
            evidence: left_behind.trim().to_owned(),
        }
    }

    /// The end of what it printed, standard error first.
    fn last_words(&self) -> String {
        let error = self.stderr.text();
        let text = if error.trim().is_empty() {
            self.stdout.text()
        } else {
            error
        };
        let lines: Vec<&str> = text.lines().collect();
        let first = lines.len().saturating_sub(20);
        lines[first..].join("\n")
    }

    fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let begun = Instant::now();
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if begun.elapsed() > limit {
                return None;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    fn kill(&mut self) {
        // The group: without a cage a worker may have started processes. SIGKILL: a JVM may hang over any other.
        // While the child has not been waited for, its number is not given to anyone else.
        if let Ok(None) = self.child.try_wait()
            && let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
        {
            let _ = kill_process_group(pid, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
    }
}

/// What is missing from the cage of a worker.
fn gaps(ready: &Ready) -> Option<String> {
    let gaps = match &ready.cage {
        Some(cage) => cage.gaps().join("; "),
        None => "there is none".to_owned(),
    };
    (!gaps.is_empty()).then_some(gaps)
}

fn or_else(text: String, other: impl FnOnce() -> String) -> String {
    if text.trim().is_empty() { other() } else { text }
}

/// What a worker said, and how long that was.
struct Answer {
    response: Response,
    bytes: u64,
}

fn listen(stream: UnixStream) -> std::io::Result<Receiver<Result<Answer, String>>> {
    let (sender, receiver) = mpsc::sync_channel(QUEUE);
    thread::Builder::new()
        .name("raddle-answers".to_owned())
        .spawn(move || {
            let mut input = BufReader::new(stream);
            loop {
                let answer = match read_line_and_length(&mut input) {
                    Ok(Some((response, bytes))) => Ok(Answer { response, bytes }),
                    Ok(None) => break,
                    Err(error) => Err(error.to_string()),
                };
                let is_over = answer.is_err();
                if sender.send(answer).is_err() || is_over {
                    break;
                }
            }
        })?;
    Ok(receiver)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_worker::cage::{CageReport, Hold};

    #[test]
    fn every_missing_part_of_the_cage_counts() {
        let ready = |cage| Ready {
            protocol: PROTOCOL_VERSION,
            pid: 1,
            jdk_version: String::new(),
            cage,
        };
        let report = |files| {
            Some(CageReport {
                files,
                calls: Hold::Full,
            })
        };
        assert_eq!(gaps(&ready(report(Hold::Full))), None);
        let old = "tests can empty files".to_owned();
        assert_eq!(gaps(&ready(report(Hold::Partial(old.clone())))), Some(old));
        assert!(gaps(&ready(None)).is_some());
    }

    const SECOND: Duration = Duration::from_secs(1);

    fn patience() -> Patience {
        Patience {
            total: None,
            silence: 6 * SECOND,
            busy_silence: 30 * SECOND,
        }
    }

    /// Whether so many seconds of silence are too many, if the process was on a CPU, and in the queue for one, for so many.
    fn is_over(silence: u32, worked: u32, waited: u32) -> bool {
        let did = Activity::new(worked * SECOND, waited * SECOND);
        patience().is_over(silence * SECOND, (silence - 1) * SECOND, did)
    }

    #[test]
    fn who_does_nothing_is_given_up_soon() {
        assert!(!is_over(5, 0, 0));
        assert!(is_over(7, 0, 0));
    }

    #[test]
    fn who_works_is_given_up_by_its_own_time() {
        assert!(!is_over(20, 19, 0));
        assert!(is_over(31, 30, 0));
        assert!(is_over(31, 10, 0), "nobody else had the CPU");
    }

    #[test]
    fn who_waits_for_a_cpu_is_not_stuck() {
        assert!(!is_over(100, 2, 96));
        assert!(is_over(301, 2, 298), "but not for ever");
        assert!(is_over(40, 39, 3000), "threads that wait for each other");
    }
}
