//! The loop, with scripted plans, scripted workers and a scripted clock: no JVM is started.

mod confirming;
mod covering;
mod ending;
mod failing;
mod finding;
mod jobs;
mod long_runs;
mod minimising;
mod outcomes;
mod resuming;
mod scripted;
mod shrinking;
mod stock_jvm;
