//! The strategies, one file each.

mod autocontest;
mod contege;
mod corpus;
mod covcon;
mod depcon;
mod foreseen;
mod intruder;
mod joined;
mod omen;
mod portfolio;
mod priority;
mod random;

pub use autocontest::{Autocontest, CoverageOptions};
pub(crate) use contege::Contege;
pub(crate) use covcon::Covcon;
pub(crate) use depcon::Depcon;
pub(crate) use foreseen::Foreseen;
pub(crate) use intruder::{foresee as foresee_atomicity, foresee_races};
pub(crate) use joined::Joined;
pub(crate) use omen::foresee as foresee_deadlocks;
pub(crate) use portfolio::Portfolio;
