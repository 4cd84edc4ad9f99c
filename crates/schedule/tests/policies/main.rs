//! The policies against their papers and definitions, on the reference machine.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests stop at the first surprise, and say what they measured"
)]
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_wrap,
    reason = "the numbers are small"
)]

mod bounded;
mod delay;
mod dpor;
mod dpor_waiting;
mod pct;
mod pos;
mod programs;
mod random;
mod replay;
mod sequential;
