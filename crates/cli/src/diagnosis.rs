//! What the stages tell of their work for people who look for a fault in Raddle, see `docs/diagnosis.md`. Off unless asked for.

use std::io::stderr;

use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::time::uptime;
use tracing_subscriber::prelude::*;

use crate::standard_output::complain;

/// Says what is to be told, and of which stages.
const VARIABLE: &str = "RADDLE_LOG";

/// Has everything written to standard error that the variable asks for. A wrong one changes nothing else about the run.
pub(crate) fn install() {
    let Some(wanted) = std::env::var(VARIABLE).ok().filter(|text| !text.is_empty()) else {
        return;
    };
    match wanted.parse::<Targets>() {
        Ok(filter) => {
            let told = tracing_subscriber::fmt::layer()
                .with_writer(stderr)
                .with_ansi(false)
                .with_timer(uptime());
            tracing_subscriber::registry()
                .with(told.with_filter(filter))
                .init();
        }
        Err(problem) => complain!(
            "WARNING: {VARIABLE} is ignored: {problem}; write a level, such as debug, or raddle_campaign=debug"
        ),
    }
}
