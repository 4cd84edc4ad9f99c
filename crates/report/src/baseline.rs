//! The file of accepted findings; `docs/configuration.md` describes it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use raddle_campaign::Finding;
use serde::{Deserialize, Serialize};

use crate::headline::headline;
use crate::hunt::{FoundHere, HuntReport};
use crate::hunt_folder::write_whole;

const HEAD: &str = "\
# Findings that are known and accepted: raddle hunt --baseline with this file fails only on others. They are told apart by
# their fingerprints, which stay the same when lines move; id and finding are for people. Every reason is yours to change.
";

/// Accepted findings, by class and fingerprint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    accepted: BTreeMap<(String, String), Accepted>,
}

/// An accepted finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accepted {
    /// The class in which it is.
    pub class: String,
    /// Its mark that lasts.
    pub fingerprint: String,
    /// Its id when it was accepted.
    #[serde(default)]
    pub id: String,
    /// What it is, in a line.
    #[serde(default)]
    pub finding: String,
    /// Why it is accepted.
    pub reason: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    accepted: Vec<Accepted>,
}

/// Why a file of accepted findings cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be used: {reason}", .path.display())]
pub struct BaselineError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub reason: String,
}

impl Baseline {
    /// Reads a file that must be there.
    pub fn read(path: &Path) -> Result<Baseline, BaselineError> {
        let problem = |reason: String| BaselineError {
            path: path.to_owned(),
            reason,
        };
        let text = fs::read_to_string(path).map_err(|error| problem(error.to_string()))?;
        let document: Document = toml::from_str(&text).map_err(|error| problem(error.to_string()))?;
        let keyed = document.accepted.into_iter();
        Ok(Baseline {
            accepted: keyed
                .map(|one| ((one.class.clone(), one.fingerprint.clone()), one))
                .collect(),
        })
    }

    /// Reads a file, or begins a new one.
    pub fn read_or_new(path: &Path) -> Result<Baseline, BaselineError> {
        if path.exists() {
            Baseline::read(path)
        } else {
            Ok(Baseline::default())
        }
    }

    /// Writes the file, in an order that depends on nothing but what is in it.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let document = Document {
            accepted: self.accepted.values().cloned().collect(),
        };
        let text = toml::to_string(&document).map_err(io::Error::other)?;
        write_whole(path, &format!("{HEAD}\n{text}"))
    }

    /// Accepts a finding for a reason. False if it was accepted before; then that reason stays.
    pub fn accept(&mut self, finding: &Finding, reason: &str) -> bool {
        let key = key(finding);
        if self.accepted.contains_key(&key) {
            return false;
        }
        let (class, fingerprint) = key.clone();
        let accepted = Accepted {
            class,
            fingerprint,
            id: finding.id.clone(),
            finding: headline(finding),
            reason: reason.to_owned(),
        };
        self.accepted.insert(key, accepted);
        true
    }

    /// Why a finding is accepted, if it is.
    pub fn reason(&self, finding: &Finding) -> Option<&str> {
        let accepted = self.accepted.get(&key(finding))?;
        Some(&accepted.reason)
    }

    /// Those that a hunt did not find again, of the classes that it has hunted to the end.
    pub fn gone(&self, report: &HuntReport) -> Vec<&Accepted> {
        let is_gone = |accepted: &&Accepted| {
            let class = report.classes.iter().find(|class| class.class == accepted.class);
            class.is_some_and(|class| {
                class.report.as_ref().is_some_and(|report| !report.is_interrupted)
                    && !class.findings.iter().any(|found| is_of(accepted, found))
            })
        };
        self.accepted.values().filter(is_gone).collect()
    }

    /// Forgets those.
    pub fn prune(&mut self, report: &HuntReport) -> usize {
        let gone: Vec<Accepted> = self.gone(report).into_iter().cloned().collect();
        self.accepted.retain(|_, accepted| !gone.contains(accepted));
        gone.len()
    }
}

fn key(finding: &Finding) -> (String, String) {
    (finding.class.clone(), finding.lasting_mark())
}

fn is_of(accepted: &Accepted, found: &FoundHere) -> bool {
    found.finding.lasting_mark() == accepted.fingerprint
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt_sample;

    #[test]
    fn accepted_findings_are_known_again_and_missed_when_they_are_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("raddle-baseline.toml");
        let mut baseline = Baseline::read_or_new(&path).unwrap();
        let mut report = hunt_sample::several();
        assert!(baseline.accept(&hunt_sample::deadlock(), "nobody compares \"two\" tables\n"));
        assert!(!baseline.accept(&hunt_sample::deadlock(), "another reason"));
        baseline.write(&path).unwrap();
        let baseline = Baseline::read(&path).unwrap();

        // Its lines have moved.
        let mut moved = hunt_sample::deadlock();
        moved.cause = moved.cause.replace(":804", ":805");
        moved.id = "deadlock-12345678".to_owned();
        assert_eq!(baseline.reason(&moved), Some("nobody compares \"two\" tables\n"));
        assert_eq!(baseline.reason(&hunt_sample::exception()), None);

        assert_eq!(baseline.gone(&report), [] as [&Accepted; 0]);
        report.classes[1].findings.clear();
        assert_eq!(baseline.gone(&report)[0].id, "deadlock-1f00c4a2");
        // What was not hunted to its end may still be there.
        report.classes[1].report.as_mut().unwrap().is_interrupted = true;
        assert!(baseline.gone(&report).is_empty());
        report.classes[1].report.as_mut().unwrap().is_interrupted = false;
        let mut pruned = baseline.clone();
        assert_eq!(pruned.prune(&report), 1);
        assert_eq!(pruned, Baseline::default());
    }

    #[test]
    fn a_file_that_cannot_be_used_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.toml");
        let missing = Baseline::read(&path).unwrap_err().to_string();
        assert!(missing.contains("b.toml cannot be used"), "{missing}");
        fs::write(&path, "[[accepted]]\nclass = \"a.B\"\nmark = 1\n").unwrap();
        let wrong = Baseline::read(&path).unwrap_err().to_string();
        assert!(wrong.contains("unknown field `mark`"), "{wrong}");
    }
}
