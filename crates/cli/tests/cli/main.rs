//! Runs the `raddle` program as a user does, against the JDK that this machine's `java` belongs to.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "clippy.toml allows them in test functions; helpers are the same"
)]

mod autocontest;
mod awkward;
mod bad_class;
mod bad_class_path;
mod bad_hunt;
mod bad_jdk;
mod causes;
mod closing;
mod configuration;
mod contracts;
mod coverage;
mod directed;
mod hashtable;
mod hostile;
mod hunt;
mod hunt_resume;
mod initialisers;
mod invariants;
mod mcp;
mod names;
mod odd_names;
mod operations;
mod output;
mod own_programs;
mod own_tests;
mod project;
mod raddle;
mod readme;
mod reports;
mod rules;
mod run;
mod shard;
mod tutorial;
mod usage;
