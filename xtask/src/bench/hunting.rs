//! What benchmarks of `raddle hunt` share: the classes, the runner, the results, and what the papers print.

pub(super) mod arguments;
mod calls;
pub(super) mod child;
pub(super) mod class_path;
mod document;
pub(super) mod expectation;
pub(super) mod head;
pub(super) mod list;
pub(super) mod published;
pub(super) mod record;
pub(super) mod results;
pub(super) mod runner;
pub(super) mod series;
pub(super) mod statistics;
pub(super) mod stock;
