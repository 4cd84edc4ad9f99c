//! Call sequences of AutoConTest (Terragni and Cheung, "Coverage-Driven Test Code Generation for Concurrent Classes", ICSE
//! 2016; slides, "Call Sequence Generator" and "Search Space Pruning Strategies").
//!
//! A sequence is made of calls on one object with a fixed pool of values. `search` walks depth first through all sequences
//! and keeps the one with most calls that do something new; `meetings` puts calls together that could get in each other's
//! way in one of the states of that sequence. Neither runs anything: they say which sequential test they want to see next.

mod meetings;
mod pool;
mod search;

pub(crate) use meetings::{Meetings, State};
pub(crate) use pool::Pool;
pub(crate) use search::{Search, SearchLimits};
