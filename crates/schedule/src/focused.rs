//! The search of `bounded` with preemptions only where threads get in each other's way, see [`crate::bounded`].

use crate::bounded::{Bounded, DEFAULT_PREEMPTIONS};
use crate::registry::{Config, ConfigError, Entry, Resume, Written};

/// What is to be known of it.
pub(crate) const ENTRY: Entry = Entry {
    name: "focused",
    parameter: Some("PREEMPTIONS"),
    about: "focused:PREEMPTIONS is the same with preemptions only where threads are about to touch the same thing.",
    resume: Resume::Anew,
};

pub(crate) fn read(written: &Written<'_>) -> Result<Config, ConfigError> {
    let preemptions = written.number("number of preemptions", 0, DEFAULT_PREEMPTIONS)?;
    Ok(Config::Focused { preemptions })
}

pub(crate) const fn build(preemptions: u32, _seed: u64, _from: u64) -> Bounded {
    Bounded::focused(preemptions)
}
