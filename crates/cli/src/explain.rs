//! `raddle explain`.

use std::io::{self, Write};

use raddle_report::explain;

use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::hunt_arguments::ExplainArguments;

pub(crate) fn run(arguments: &ExplainArguments) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    out.write_all(explain(arguments.kind).as_bytes())?;
    out.flush()?;
    Ok(ExitCode::Done)
}
