//! `bench/hunts.toml`, whose head explains the keys.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Context;
use serde::Deserialize;

use super::expectation::Expectation;
use crate::{subjects, workspace};

/// Relative to the root of the workspace.
const FILE: &str = "bench/hunts.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    hunt: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    group: Group,
    subject: Option<String>,
    class: Option<String>,
    #[serde(default)]
    jars: Vec<String>,
    #[serde(default)]
    sources: Vec<PathBuf>,
    #[serde(default)]
    expect: Vec<Expectation>,
    #[serde(default)]
    papers: BTreeMap<Paper, String>,
    #[serde(default)]
    opens: Vec<String>,
}

/// Why a class is hunted.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(in crate::bench) enum Group {
    /// Classes of today's JDK that are known to fail.
    Jdk,
    /// Classes in jars that are known to fail.
    Library,
    /// Classes that were written to fail as others that cannot be had.
    Standin,
    /// Classes that do not fail.
    Correct,
    /// Classes that only `bench directed` hunts.
    Directed,
}

/// A paper that predicts violations from sequential tests.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::bench) enum Paper {
    Omen,
    Intruder,
}

/// A class to hunt.
pub(in crate::bench) struct Subject {
    pub(in crate::bench) id: String,
    pub(in crate::bench) group: Group,
    pub(in crate::bench) class: String,
    /// Maven coordinates.
    pub(in crate::bench) jars: Vec<String>,
    /// Relative to the root of the workspace, the most important first.
    pub(in crate::bench) sources: Vec<PathBuf>,
    pub(in crate::bench) expected: Vec<Expectation>,
    /// Which of these papers have measured it, with its number there.
    pub(in crate::bench) papers: BTreeMap<Paper, String>,
    /// Packages that are opened to it.
    pub(in crate::bench) opens: Vec<String>,
}

/// In the order of the file.
pub(in crate::bench) fn read() -> anyhow::Result<Vec<Subject>> {
    let path = workspace::root().join(FILE);
    let text = workspace::read(workspace::root(), FILE.as_ref())?;
    let file: File = toml::from_str(&text).with_context(|| format!("cannot parse {}", path.display()))?;
    let classes = subjects::classes()?;
    file.hunt
        .into_iter()
        .map(|entry| entry.resolve(&classes))
        .collect()
}

impl Entry {
    fn resolve(self, classes: &BTreeMap<String, (String, Vec<String>)>) -> anyhow::Result<Subject> {
        let (class, jars) = match (&self.subject, self.class) {
            (Some(subject), None) => classes.get(subject).cloned().with_context(|| {
                format!(
                    "{}: {subject} is not in bench/subjects.toml; correct {FILE}",
                    self.id
                )
            })?,
            (None, Some(class)) => (class, self.jars),
            _ => anyhow::bail!("{} needs either `subject` or `class`; correct {FILE}", self.id),
        };
        Ok(Subject {
            id: self.id,
            group: self.group,
            class,
            jars,
            sources: self.sources,
            expected: self.expect,
            papers: self.papers,
            opens: self.opens,
        })
    }
}

impl Group {
    /// As in the list.
    pub(in crate::bench) fn name(self) -> &'static str {
        match self {
            Group::Jdk => "jdk",
            Group::Library => "library",
            Group::Standin => "standin",
            Group::Correct => "correct",
            Group::Directed => "directed",
        }
    }

    /// Feature versions of the JDKs on which to hunt: the same jar does the same on all.
    pub(in crate::bench) fn jdks(self) -> &'static [u32] {
        match self {
            Group::Jdk | Group::Correct => &[17, 25],
            Group::Library | Group::Standin | Group::Directed => &[17],
        }
    }
}

impl Subject {
    /// Whether someone who asks for this number or name means this class.
    pub(in crate::bench) fn is_called(&self, name: &str) -> bool {
        self.id == name
            || self.expected.iter().any(|expectation| expectation.of == name)
            || self.papers.values().any(|number| number == name)
    }
}

#[cfg(test)]
mod tests {
    use super::super::published;
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_list_can_be_read_and_every_source_exists() {
        let subjects = read().unwrap();
        let ids: BTreeSet<&str> = subjects.iter().map(|subject| subject.id.as_str()).collect();
        assert_eq!(ids.len(), subjects.len(), "ids are distinct");
        for subject in &subjects {
            for directory in &subject.sources {
                let directory = workspace::root().join(directory);
                assert!(directory.is_dir(), "{}", directory.display());
            }
            let needs_expectation = !matches!(subject.group, Group::Correct | Group::Directed);
            assert!(
                !needs_expectation || !subject.expected.is_empty(),
                "{} must have something to find",
                subject.id
            );
        }
    }

    #[test]
    fn every_fault_says_which_pair_it_is_and_who_says_so() {
        for subject in read().unwrap() {
            for expectation in &subject.expected {
                let is_said = !expectation.calls().is_empty() && !expectation.source.is_empty();
                assert!(is_said, "{} {expectation}", subject.id);
            }
        }
    }

    #[test]
    fn every_result_that_the_papers_print_has_a_hunt() {
        let subjects = read().unwrap();
        let expected: BTreeSet<&str> = subjects
            .iter()
            .flat_map(|subject| &subject.expected)
            .map(|expectation| expectation.of.as_str())
            .chain(
                subjects
                    .iter()
                    .flat_map(|subject| subject.papers.values().map(String::as_str)),
            )
            .collect();
        for id in published::read().unwrap().ids() {
            assert!(expected.contains(id), "{id}");
        }
    }

    #[test]
    fn a_number_stands_for_all_classes_that_have_it() {
        let subjects = read().unwrap();
        let called = |name: &str| -> Vec<&str> {
            let called = subjects.iter().filter(|subject| subject.is_called(name));
            called.map(|subject| subject.id.as_str()).collect()
        };
        assert_eq!(called("S13"), ["S13", "S13-standin"]);
        assert_eq!(called("S22"), ["S16"]);
        assert_eq!(called("S37"), ["S17"]);
        assert_eq!(called("S05-fixed"), ["S05-fixed"]);
    }

    #[test]
    fn every_class_of_the_papers_is_there_once() {
        let subjects = read().unwrap();
        let numbers = |paper: Paper| -> BTreeSet<&str> {
            let numbers = subjects.iter().filter_map(|subject| subject.papers.get(&paper));
            numbers.map(String::as_str).collect()
        };
        let omen = ["S25", "S34", "S35", "S36", "S37", "S38", "S39", "S40"];
        assert_eq!(numbers(Paper::Omen), BTreeSet::from(omen));
        let intruder = ["S25", "S26", "S27", "S28", "S29", "S30", "S31", "S32", "S33"];
        assert_eq!(numbers(Paper::Intruder), BTreeSet::from(intruder));
        let marks: usize = subjects.iter().map(|subject| subject.papers.len()).sum();
        assert_eq!(marks, omen.len() + intruder.len());
    }
}
