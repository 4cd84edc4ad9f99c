//! Verdicts on outcomes made by hand: every kind, and everything that must not be reported.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod exceptions;
mod hangs;
mod inconclusive;
mod made;
mod results;
