//! `bench/subjects.toml`, whose head explains the keys.

use std::fs;
use std::path::Path;

use anyhow::Context;
use raddle_summary::Counts;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    subject: Vec<Subject>,
}

/// One class and version.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Subject {
    pub(super) id: String,
    #[serde(default)]
    pub(super) also: Vec<String>,
    pub(super) class: String,
    pub(super) source: Source,
    #[serde(default)]
    pub(super) jars: Vec<String>,
    pub(super) note: String,
    pub(super) measured: PublicMethods,
    pub(super) depcon: Option<DepCon>,
    #[serde(default)]
    pub(super) depcon_also: Vec<DepCon>,
    pub(super) covcon: Option<CovCon>,
    #[serde(default)]
    pub(super) covcon_also: Vec<CovCon>,
    #[serde(default)]
    pub(super) papers: String,
    #[serde(default)]
    pub(super) failing: Vec<FailingPair>,
    #[serde(default)]
    pub(super) failing_any: Vec<Vec<FailingPair>>,
}

/// Where the class comes from.
#[derive(Copy, Clone, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Source {
    Maven,
    Jdk,
    Fixture,
}

/// Public methods, by JDK.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PublicMethods {
    pub(super) jdk17: usize,
    pub(super) jdk25: usize,
}

/// A row of DepCon+ Table IV.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DepCon {
    pub(super) id: String,
    pub(super) public: usize,
    pub(super) m: usize,
    pub(super) mpc: usize,
    pub(super) md: usize,
    pub(super) union: usize,
}

/// A row of CovCon Table II.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CovCon {
    pub(super) id: String,
    pub(super) public: usize,
    pub(super) pairs: usize,
}

/// Two methods, and how their calls fail.
#[derive(Clone, Deserialize, PartialEq, Eq)]
pub(super) struct FailingPair(pub(super) String, pub(super) String, pub(super) Failure);

/// How a pair of calls fails.
#[derive(Copy, Clone, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Failure {
    Exception,
    Deadlock,
    Value,
}

impl Subject {
    /// Version of the jar with the class, or what stands in its place.
    pub(super) fn version(&self) -> String {
        match self.source {
            Source::Jdk => "jdk".to_owned(),
            Source::Fixture => "fixture".to_owned(),
            Source::Maven => {
                let mut parts = self.jars.first().map_or("", String::as_str).split(':').skip(1);
                let artifact = parts.next().unwrap_or_default();
                let version = parts.next().unwrap_or_default();
                format!("{artifact} {version}")
            }
        }
    }
}

impl DepCon {
    pub(super) fn counts(&self) -> Counts {
        Counts {
            m: self.m,
            mpc: self.mpc,
            md: self.md,
            union: self.union,
        }
    }
}

impl Failure {
    pub(super) fn name(self) -> &'static str {
        match self {
            Failure::Exception => "exception",
            Failure::Deadlock => "deadlock",
            Failure::Value => "value",
        }
    }
}

pub(super) fn read(path: &Path) -> anyhow::Result<Vec<Subject>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let file: File = toml::from_str(&text).with_context(|| format!("cannot parse {}", path.display()))?;
    Ok(file.subject)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    #[test]
    fn the_list_can_be_read() {
        let subjects = read(&workspace::root().join("bench/subjects.toml")).unwrap();
        assert!(subjects.len() > 30);
        for subject in subjects {
            assert_eq!(
                subject.source == Source::Maven,
                !subject.jars.is_empty(),
                "{}",
                subject.id
            );
            assert!(
                subject.jars.iter().all(|jar| jar.split(':').count() == 3),
                "{}",
                subject.id
            );
        }
    }
}
