//! Runs plans on a real JVM through the `raddle` program, and compares verdicts with the folders of
//! `fixtures/engine`.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy.toml allows them in test functions; helpers are the same"
)]

#[cfg(target_os = "linux")]
mod cage;
mod junit;
#[cfg(feature = "full-tests")]
mod old;
mod plans;
mod reproducer;
#[cfg(target_os = "linux")]
mod stock_cage;
mod unplug;
mod verdicts;
