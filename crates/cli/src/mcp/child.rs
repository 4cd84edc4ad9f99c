//! This executable as a child process.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::process::Command;
use tokio::sync::watch;

use crate::exit_code::ExitCode;

/// How often somebody who waits is told how far it is.
const BETWEEN_SIGNS: Duration = Duration::from_secs(1);

/// Starts children, and ends them all together.
#[derive(Clone, Debug)]
pub(super) struct Children {
    program: PathBuf,
    /// Whether all are to end. Every child has a receiver as long as it runs.
    ending: watch::Sender<bool>,
}

/// Who waits for a child.
pub(super) trait Waiting {
    /// Comes back when nobody wants the answer any more.
    fn cancelled(&self) -> impl Future<Output = ()> + Send;

    /// Is told now and then that the child is at work.
    fn sign_of_life(&mut self) -> impl Future<Output = ()> + Send;
}

impl Children {
    pub(super) fn new() -> io::Result<Children> {
        Ok(Children {
            program: std::env::current_exe()?,
            ending: watch::Sender::new(false),
        })
    }

    /// Runs `raddle` with these arguments, and gives back the document that it prints; or why there is none.
    pub(super) async fn document(
        &self,
        arguments: &[OsString],
        waiting: &mut (impl Waiting + Send),
    ) -> Result<String, String> {
        let output = self
            .run(arguments, waiting)
            .await
            .map_err(|reason| format!("raddle cannot be run: {reason}"))?;
        let answered =
            [ExitCode::Done, ExitCode::ViolationsFound, ExitCode::Inconclusive].map(|code| Some(code as i32));
        if answered.contains(&output.status.code()) && !output.stdout.is_empty() {
            return String::from_utf8(output.stdout).map_err(|reason| reason.to_string());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(match said.trim() {
            "" => format!("raddle ended without an answer ({})", output.status),
            said => said.to_owned(),
        })
    }

    async fn run(&self, arguments: &[OsString], waiting: &mut (impl Waiting + Send)) -> io::Result<Output> {
        let mut ending = self.ending.subscribe();
        let child = Command::new(&self.program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let id = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        // A hunt that is interrupted writes what it has found, and says so.
        let interrupt = || id.map(|id| kill_process(id, Signal::INT));
        let mut is_interrupted = false;
        let mut signs = tokio::time::interval(BETWEEN_SIGNS);
        let output = child.wait_with_output();
        tokio::pin!(output);
        loop {
            tokio::select! {
                output = &mut output => return output,
                () = waiting.cancelled(), if !is_interrupted => {
                    is_interrupted = true;
                    interrupt();
                }
                () = ended(&mut ending), if !is_interrupted => {
                    is_interrupted = true;
                    interrupt();
                }
                _ = signs.tick(), if !is_interrupted => waiting.sign_of_life().await,
            }
        }
    }

    /// Interrupts all that run, and waits until they have ended.
    pub(super) async fn end(&self) {
        self.ending.send_replace(true);
        self.ending.closed().await;
    }
}

/// Comes back when all children are to end.
async fn ended(ending: &mut watch::Receiver<bool>) {
    // The sender outlives every child.
    let _ = ending.wait_for(|ending| *ending).await;
}
