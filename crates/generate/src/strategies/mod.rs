//! The strategies, one file each.

mod contege;
mod covcon;
mod depcon;
mod portfolio;
mod priority;
mod random;

pub(crate) use contege::Contege;
pub(crate) use covcon::Covcon;
pub(crate) use depcon::Depcon;
pub(crate) use portfolio::Portfolio;
