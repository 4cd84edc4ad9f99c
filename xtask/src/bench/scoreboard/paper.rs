//! `bench/papers.toml`, whose head explains the keys.

use anyhow::Context;
use serde::Deserialize;

use crate::workspace;

/// Relative to the root of the workspace.
const FILE: &str = "bench/papers.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    subject: Vec<Entry>,
}

/// A class of the papers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub(super) id: String,
    pub(super) papers: String,
    pub(super) class: String,
    pub(super) version: String,
    pub(super) fault: String,
    pub(super) ours: Option<String>,
}

/// In the order of their numbers.
pub(super) fn read() -> anyhow::Result<Vec<Entry>> {
    let text = workspace::read(workspace::root(), FILE.as_ref())?;
    let file: File = toml::from_str(&text).with_context(|| format!("cannot parse {FILE}"))?;
    Ok(file.subject)
}

impl Entry {
    /// Its number in a paper, such as `C1` of DepCon+; none if it is not in that.
    pub(super) fn number_in(&self, paper: &str) -> Option<&str> {
        self.papers
            .split(", ")
            .find_map(|one| one.strip_prefix(paper))
            .map(str::trim)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::hunting::list;

    #[test]
    fn there_are_forty_and_each_is_hunted() {
        let entries = read().unwrap();
        assert_eq!(entries.len(), 40);
        let hunts = list::read().unwrap();
        for entry in &entries {
            let is_hunted = hunts.iter().any(|hunt| {
                hunt.id.split('-').next() == Some(entry.id.as_str())
                    || hunt.expected.iter().any(|one| one.of == entry.id)
                    || hunt.papers.values().any(|number| *number == entry.id)
            });
            assert!(is_hunted, "{}", entry.id);
        }
    }

    #[test]
    fn numbers_are_those_of_the_paper() {
        let entries = read().unwrap();
        assert_eq!(entries[0].number_in("DepCon+"), Some("C1"));
        assert_eq!(entries[0].number_in("CovCon"), Some("17"));
        assert_eq!(entries[0].number_in("Omen"), None);
    }
}
