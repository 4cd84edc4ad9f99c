//! Findings, as an assistant is told of them: a small part of the document that `docs/hunt-json.md` describes.

use std::path::{Path, PathBuf};

use raddle_report::{Location, hunt_json};
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::report;

/// What is needed of the document.
#[derive(Deserialize)]
pub(super) struct Document {
    conclusion: String,
    classes: Vec<HuntedClass>,
    #[serde(default)]
    skipped: Vec<Skipped>,
}

#[derive(Deserialize)]
struct HuntedClass {
    class: String,
    findings: Vec<Found>,
    #[serde(default)]
    weaker: Vec<Found>,
    #[serde(default)]
    gaps: Vec<String>,
}

#[derive(Deserialize)]
struct Skipped {
    class: String,
    reason: String,
}

#[derive(Clone, Debug, Deserialize)]
struct Found {
    id: String,
    fingerprint: String,
    kind: String,
    sentence: String,
    methods: Vec<String>,
    #[serde(default)]
    locations: Vec<Location>,
    weakness: Option<Weakness>,
    stock_jvm: String,
    counts: bool,
    accepted: Option<String>,
    file: PathBuf,
}

#[derive(Clone, Debug, Deserialize)]
struct Weakness {
    sentence: String,
}

/// What a hunt came to.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Hunted {
    /// `violations`, `nothing_found` or `inconclusive`.
    conclusion: String,
    /// Each fault once.
    pub(super) findings: Vec<Finding>,
    /// Why more cannot be said. With neither findings nor gaps, the work was done and nothing was found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) gaps: Vec<String>,
    /// Classes that matched a pattern and were passed over, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    skipped: Vec<String>,
}

/// A fault.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct Finding {
    /// The same for the same fault in every hunt; what the other tools want to know.
    pub(super) id: String,
    /// The same also after lines have moved.
    pub(super) fingerprint: String,
    /// The class under test.
    pub(super) class: String,
    /// `exception`, `deadlock`, `lost-wakeup`, `livelock` or `result`.
    pub(super) kind: String,
    /// What is wrong, and what happens without concurrency instead.
    pub(super) sentence: String,
    /// The public methods that the threads call.
    methods: Vec<String>,
    /// Where it is in the sources, the place that says most first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    places: Vec<String>,
    /// Whether it makes the conclusion `violations`.
    counts: bool,
    /// Why it may be by design, if it may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    may_be_by_design: Option<String>,
    /// Why it is accepted, if the baseline or the configuration of the project says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<String>,
    /// Whether a reproducer without Raddle shows it on a stock JVM: `confirmed`, `not_confirmed` or `untried`.
    stock_jvm: String,
    /// The folder with the interleaving, a stand-alone reproducer and a JUnit test.
    pub(super) folder: PathBuf,
}

impl Document {
    /// Reads the document of a hunt.
    pub(super) fn parse(text: &str) -> Result<Document, String> {
        serde_json::from_str(text)
            .map_err(|reason| format!("the answer of the hunt is not understood: {reason}"))
    }

    /// Reads what the folder has: of each class the latest hunt.
    pub(super) fn read(folder: &Path) -> Result<Document, String> {
        let report = Config::find(None).and_then(|config| report::read(folder, None, config));
        let report = report.map_err(|failure| failure.messages.join("\n"))?;
        let text = hunt_json(&report).map_err(|reason| reason.to_string())?;
        Document::parse(&text)
    }

    pub(super) fn into_hunted(self) -> Hunted {
        let mut findings = Vec::new();
        let mut gaps = Vec::new();
        let is_one = self.classes.len() == 1;
        for class in self.classes {
            let found = class.findings.into_iter().chain(class.weaker);
            findings.extend(found.map(|found| found.told(&class.class)));
            gaps.extend(class.gaps.into_iter().map(|gap| {
                if is_one {
                    gap
                } else {
                    format!("{}: {gap}", class.class)
                }
            }));
        }
        Hunted {
            conclusion: self.conclusion,
            findings,
            gaps,
            skipped: self
                .skipped
                .into_iter()
                .map(|Skipped { class, reason }| format!("{class}: {reason}"))
                .collect(),
        }
    }
}

impl Hunted {
    pub(super) fn found_nothing(&self) -> bool {
        self.conclusion == "nothing_found"
    }

    /// The finding with this id.
    pub(super) fn finding(self, id: &str, folder: &Path) -> Result<Finding, String> {
        let known: Vec<String> = self.findings.iter().map(|finding| finding.id.clone()).collect();
        self.findings
            .into_iter()
            .find(|finding| finding.id == id)
            .ok_or_else(|| match known.as_slice() {
                [] => format!("there are no findings in {}", folder.display()),
                known => format!(
                    "there is no finding {id} in {}; there are {}",
                    folder.display(),
                    known.join(", ")
                ),
            })
    }
}

impl Found {
    fn told(self, class: &str) -> Finding {
        Finding {
            class: class.to_owned(),
            places: self.locations.iter().map(place).collect(),
            may_be_by_design: self.weakness.map(|weakness| weakness.sentence),
            folder: self.file.parent().map(Path::to_owned).unwrap_or_default(),
            id: self.id,
            fingerprint: self.fingerprint,
            kind: self.kind,
            sentence: self.sentence,
            methods: self.methods,
            counts: self.counts,
            accepted: self.accepted,
            stock_jvm: self.stock_jvm,
        }
    }
}

/// `com/acme/Cache.java:17, in put`, as far as it is known.
fn place(location: &Location) -> String {
    let line = location.line.map(|line| format!(":{line}"));
    let method = location.method.as_ref().map(|method| format!(", in {method}"));
    [Some(location.file.clone()), line, method]
        .into_iter()
        .flatten()
        .collect()
}
