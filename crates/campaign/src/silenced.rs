//! Violations that were seen and are not reported, since the documentation excuses them.

use raddle_oracle::Kind;
use serde::{Deserialize, Serialize};

use crate::verdicts::Excused;

/// Violations of one kind that one sentence of the documentation excuses, for one set of methods.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Silenced {
    /// Of this kind.
    pub kind: Kind,
    /// The public methods that ran at the same time, by name and parameter types.
    pub methods: Vec<String>,
    /// What the documentation says, as a sentence without its end.
    pub because: String,
    /// How many there were, each counted once for each plan.
    pub count: u64,
}

impl Silenced {
    pub(crate) fn of(excused: &Excused, methods: Vec<String>) -> Silenced {
        Silenced {
            kind: excused.violation.kind,
            methods,
            because: excused.because.clone(),
            count: 1,
        }
    }

    /// Adds some to what there is, the same ones by number.
    pub(crate) fn count(all: &mut Vec<Silenced>, more: Silenced) {
        let is_same = |known: &&mut Silenced| {
            known.kind == more.kind && known.methods == more.methods && known.because == more.because
        };
        match all.iter_mut().find(is_same) {
            Some(known) => known.count += more.count,
            None => all.push(more),
        }
    }
}
