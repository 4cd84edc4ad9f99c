//! The strategies, one file each.

mod autocontest;
mod contege;
mod corpus;
mod covcon;
mod default;
mod depcon;
mod initialisers;
mod intruder;
mod omen;
mod portfolio;
mod predicted;
mod priority;
mod random;

pub use autocontest::{Autocontest, CoverageOptions};
pub(crate) use contege::Contege;
pub(crate) use covcon::Covcon;
pub(crate) use default::DefaultStrategy;
pub(crate) use depcon::Depcon;
pub(crate) use initialisers::initialiser_plans;
pub(crate) use intruder::{predict as predict_atomicity, predict_races};
pub(crate) use omen::predict as predict_deadlocks;
pub(crate) use portfolio::Portfolio;
pub(crate) use predicted::Predicted;
