//! `raddle mcp`: a server of the Model Context Protocol on standard input and output, for coding assistants.
//!
//! It has no way of its own to hunt. What takes time or needs a JVM is done by this same executable as a child process, as if
//! somebody had typed the command, so that a hunt can neither disturb the protocol on standard output nor end the server.

mod again;
mod child;
mod findings;
mod progress;
mod server;

use std::env;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::Args;
use rmcp::ServiceExt;
use rmcp::transport::stdio;
use tokio::signal::unix::{SignalKind, signal};

use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::standard_output::complain;
use server::Server;

pub(crate) const MCP_ABOUT: &str = "\
Serve coding assistants over the Model Context Protocol

The assistant starts this command and talks to it on standard input and output. It can hunt a class, list findings, have one explained, step through its interleaving, and check after a change whether it is gone. docs/mcp.md has the lines for its configuration.";

#[derive(Args)]
pub(crate) struct McpArguments {
    /// The root of the project, with raddle.toml; relative paths start there [default: the current directory].
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
}

pub(crate) fn run(arguments: &McpArguments) -> Result<ExitCode, Failure> {
    if let Some(directory) = &arguments.directory {
        env::set_current_dir(directory).map_err(|reason| {
            Failure::bad_input(vec![format!("cannot work in {}: {reason}", directory.display())])
        })?;
    }
    if io::stdin().is_terminal() {
        complain!(
            "waiting for an assistant on standard input; docs/mcp.md says how to tell one of this command"
        );
    }
    let server = Server::new().map_err(|reason| cannot_serve(&reason))?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|reason| cannot_serve(&reason))?;
    let served = runtime.block_on(serve(server));
    // A thread may still be waiting for a line on standard input.
    runtime.shutdown_background();
    served.map_err(|reason| cannot_serve(&reason))?;
    Ok(ExitCode::Done)
}

/// Serves until the assistant closes standard input or ends the process.
async fn serve(server: Server) -> io::Result<()> {
    let children = server.children();
    let mut terminated = signal(SignalKind::terminate())?;
    let mut interrupted = signal(SignalKind::interrupt())?;
    let service = tokio::select! {
        service = server.serve(stdio()) => service.map_err(io::Error::other)?,
        _ = terminated.recv() => return Ok(()),
        _ = interrupted.recv() => return Ok(()),
    };
    let stop = service.cancellation_token();
    let ended = service.waiting();
    tokio::pin!(ended);
    tokio::select! {
        _ = &mut ended => {}
        _ = terminated.recv() => stop.cancel(),
        _ = interrupted.recv() => stop.cancel(),
    }
    // What is still being hunted for is of interest to nobody, but what was found is to be written.
    children.end().await;
    Ok(())
}

fn cannot_serve(reason: &io::Error) -> Failure {
    Failure::inconclusive(vec![format!("the server cannot go on: {reason}")])
}
