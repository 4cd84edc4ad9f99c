//! `bench/peers.toml`, whose head explains the keys.

use anyhow::Context;
use serde::Deserialize;

use crate::bench::hunting::expectation::Expectation;
use crate::bench::hunting::list::Subject;
use crate::workspace;

/// Relative to the root of the workspace.
const FILE: &str = "bench/peers.toml";
/// The classes of the pairs, relative to the root of the workspace.
pub(super) const PAIRS: &str = "bench/peers/pairs";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    pub(super) pair: Vec<Pair>,
    #[serde(default)]
    pub(super) limit: Vec<Limit>,
}

/// Calls of two threads that are known to hurt each other.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pair {
    pub(super) class: String,
    pub(super) hunt: String,
    #[serde(default = "one")]
    expectation: usize,
    #[serde(default)]
    pub(super) opens: Vec<String>,
}

/// What a peer cannot do.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Limit {
    pub(super) peer: String,
    pub(super) what: String,
    pub(super) how: String,
}

fn one() -> usize {
    1
}

pub(super) fn read() -> anyhow::Result<List> {
    let text = workspace::read(workspace::root(), FILE.as_ref())?;
    toml::from_str(&text).with_context(|| format!("cannot parse {FILE}"))
}

impl Pair {
    pub(super) fn subject<'s>(&self, subjects: &'s [Subject]) -> anyhow::Result<&'s Subject> {
        let found = subjects.iter().find(|subject| subject.id == self.hunt);
        found.with_context(|| format!("{FILE}: {} is not in bench/hunts.toml", self.hunt))
    }

    /// What Raddle has to find.
    pub(super) fn expectation<'s>(&self, subject: &'s Subject) -> anyhow::Result<&'s Expectation> {
        let number = self.expectation.checked_sub(1);
        let found = number.and_then(|index| subject.expected.get(index));
        found.with_context(|| format!("{FILE}: {} has no such expectation", self.hunt))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use crate::bench::hunting::list::{self, Group};

    #[test]
    fn every_pair_has_a_class_and_a_hunt() {
        let subjects = list::read().unwrap();
        for pair in read().unwrap().pair {
            let source = Path::new(PAIRS).join(&pair.class).with_extension("java");
            let text = workspace::read(workspace::root(), &source).unwrap();
            let head = format!("public class {} implements Pair {{", pair.class);
            assert!(text.contains(&head), "{}", source.display());
            pair.expectation(pair.subject(&subjects).unwrap()).unwrap();
        }
    }

    #[test]
    fn every_known_fault_has_a_pair_of_its_own() {
        let pairs = read().unwrap().pair;
        let faults: BTreeSet<(&str, usize)> = pairs
            .iter()
            .map(|pair| (pair.hunt.as_str(), pair.expectation))
            .collect();
        assert_eq!(faults.len(), pairs.len());
        for subject in list::read().unwrap() {
            if matches!(subject.group, Group::Correct | Group::Directed) {
                continue;
            }
            for number in 1..=subject.expected.len() {
                assert!(
                    faults.contains(&(subject.id.as_str(), number)),
                    "{} {number}",
                    subject.id
                );
            }
        }
    }
}
