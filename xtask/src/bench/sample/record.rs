//! What came of the hunt of one class, as a line of the results file. What the document of `raddle hunt --json` says of
//! findings and numbers is passed through, so that members that it gains are kept.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::draw::{Drawn, Half};
use crate::bench::hunting::results::Row;

/// Members of a finding that are large, and of no use in a table.
const LARGE_OF_FINDING: [&str; 6] = ["plan", "outcome", "evidence", "file", "beside", "stock_jvm_note"];
/// Members of a class that are kept otherwise, or not at all.
const LARGE_OF_CLASS: [&str; 4] = ["class", "conclusion", "spent_ms", "predicted"];
/// Of the coverage of a class, long lists.
const LARGE_OF_COVERAGE: [&str; 1] = ["uncovered"];

/// What came of the hunt of one class.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) class: String,
    pub(super) half: Half,
    pub(super) artifact: String,
    pub(super) budget_ms: u64,
    pub(super) date: String,
    pub(super) commit: String,
    /// How many threads wanted to run on the machine when the hunt began.
    pub(super) load: f64,
    pub(super) jdk_version: String,
    /// None if it had to be ended.
    pub(super) exit_code: Option<i32>,
    /// What it said on standard error, at the end, if it gave no document.
    pub(super) said: Option<String>,
    pub(super) seconds: f64,
    pub(super) findings: Vec<Map<String, Value>>,
    /// Findings that are listed apart because what they break is a weaker promise.
    #[serde(default)]
    pub(super) weaker: Vec<Map<String, Value>>,
    /// `numbers`, `gaps`, `notes`, and what else there is of the class.
    pub(super) of_class: Map<String, Value>,
}

/// What a hunt says of a class, by its exit code.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Green,
    Red,
    Inconclusive,
    /// It gave no result.
    Failed,
}

impl Row for Record {
    type Key = String;

    fn key(&self) -> String {
        self.class.clone()
    }
}

/// What a finding counts as.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It is shown by default.
    Counts,
    /// All that is missing is a promise that it breaks: it would count if the class were named.
    Unpromised,
    /// It may be by design, a stock JVM does not show it, or the class says that it is not for threads.
    Apart,
}

impl Standing {
    fn of(finding: &Map<String, Value>) -> Standing {
        let is = |member: &str| finding.get(member).and_then(Value::as_bool) == Some(true);
        let is_weaker = finding
            .get("weakness")
            .is_some_and(|weakness| !weakness.is_null());
        let is_disclaimed = finding
            .get("promise")
            .is_some_and(|promise| promise["strength"] == "disclaimed");
        if is("counts") {
            Standing::Counts
        } else if is("promised")
            || is_weaker
            || is_disclaimed
            || text(finding, "stock_jvm") == "not_confirmed"
        {
            Standing::Apart
        } else {
            Standing::Unpromised
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Standing::Counts => "yes",
            Standing::Unpromised => "no promise",
            Standing::Apart => "apart",
        }
    }
}

impl Record {
    pub(super) fn budget(&self) -> Duration {
        Duration::from_millis(self.budget_ms)
    }

    pub(super) fn verdict(&self) -> Verdict {
        match self.exit_code {
            Some(0) => Verdict::Green,
            Some(1) => Verdict::Red,
            Some(3) => Verdict::Inconclusive,
            _ => Verdict::Failed,
        }
    }

    /// All findings, each with what it counts as.
    pub(super) fn all_findings(&self) -> impl Iterator<Item = (&Map<String, Value>, Standing)> {
        let all = self.findings.iter().chain(&self.weaker);
        all.map(|finding| (finding, Standing::of(finding)))
    }

    pub(super) fn has_ended(&self) -> bool {
        self.verdict() != Verdict::Failed
    }

    /// Share of the pairs of methods that the hunt says it has covered, or tried if it does not know of coverage; none if
    /// there are no pairs.
    pub(super) fn coverage(&self) -> Option<f64> {
        let number = |name: &str| self.of_class.get("numbers")?.get(name)?.as_f64();
        let pairs = number("pairs").filter(|pairs| *pairs > 0.0)?;
        let covered = number("pairs_covered").or_else(|| number("pairs_tried"))?;
        Some(covered / pairs)
    }

    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.of_class.get("numbers")?.get(name)?.as_u64()
    }

    /// Of the closed half, that it was hunted and nothing else.
    pub(super) fn progress_line(&self) -> String {
        if self.half == Half::Closed {
            return "a class of the closed half".to_owned();
        }
        format!(
            "{}: {}, {} findings, {:.1} s",
            self.class,
            self.verdict().name(),
            self.findings.len(),
            self.seconds
        )
    }

    /// Takes what is kept from the document; nothing if it has no such class.
    pub(super) fn take(&mut self, mut document: Value) {
        if let Some(version) = document.pointer("/jdk/version").and_then(Value::as_str) {
            version.clone_into(&mut self.jdk_version);
        }
        let Some(Value::Object(mut class)) = document.pointer_mut("/classes/0").map(Value::take) else {
            return;
        };
        self.findings = findings(class.remove("findings"));
        self.weaker = findings(class.remove("weaker"));
        let mut class = without(class, &LARGE_OF_CLASS);
        if let Some(Value::Object(coverage)) = class.get_mut("coverage") {
            *coverage = without(std::mem::take(coverage), &LARGE_OF_COVERAGE);
        }
        self.of_class = class;
    }

    /// Of a class before it is hunted.
    pub(super) fn new(drawn: &Drawn, budget: Duration) -> Record {
        Record {
            class: drawn.class.clone(),
            half: drawn.half,
            artifact: drawn.artifact.clone(),
            budget_ms: u64::try_from(budget.as_millis()).unwrap_or(u64::MAX),
            date: String::new(),
            commit: String::new(),
            load: 0.0,
            jdk_version: String::new(),
            exit_code: None,
            said: None,
            seconds: 0.0,
            findings: Vec::new(),
            weaker: Vec::new(),
            of_class: Map::new(),
        }
    }
}

impl Verdict {
    pub(super) fn name(self) -> &'static str {
        match self {
            Verdict::Green => "green",
            Verdict::Red => "red",
            Verdict::Inconclusive => "inconclusive",
            Verdict::Failed => "no result",
        }
    }
}

fn findings(list: Option<Value>) -> Vec<Map<String, Value>> {
    let Some(Value::Array(list)) = list else {
        return Vec::new();
    };
    list.into_iter()
        .filter_map(|finding| match finding {
            Value::Object(members) => Some(without(members, &LARGE_OF_FINDING)),
            _ => None,
        })
        .collect()
}

fn without(mut members: Map<String, Value>, names: &[&str]) -> Map<String, Value> {
    members.retain(|name, _| !names.contains(&name.as_str()));
    members
}

/// A member of a finding as text; empty if it is not there.
pub(super) fn text<'v>(finding: &'v Map<String, Value>, name: &str) -> &'v str {
    finding.get(name).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
impl Record {
    pub(super) fn sample(class: &str, exit_code: Option<i32>) -> Record {
        let mut record = Record::new(&Drawn::sample(class, Half::Open), Duration::from_secs(25));
        record.exit_code = exit_code;
        record
    }

    /// With findings of these ids, and so many pairs covered of so many.
    pub(super) fn with(mut self, findings: &[&str], covered: u64, pairs: u64) -> Record {
        let findings: Vec<Value> = findings
            .iter()
            .map(|id| {
                serde_json::json!({"id": id, "kind": "result", "sentence": "wrong", "methods": ["a()", "b()"],
                "stock_jvm": "confirmed", "plan": {"threads": []}, "promised": true, "counts": true, "strength": "documented"})
            })
            .collect();
        self.take(
            serde_json::json!({"jdk": {"version": "17.0.1"}, "classes": [{"class": self.class,
            "findings": findings, "gaps": [], "numbers": {"pairs": pairs, "pairs_tried": pairs,
            "pairs_covered": covered, "plans": 7, "failed_plans": 1},
            "coverage": {"covered": covered, "uncovered": {"not_tried": [[0, 1]]}}, "spent_ms": {}}]}),
        );
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_finding_says_is_passed_through_but_for_what_is_large() {
        let record = Record::sample("a.B", Some(1)).with(&["result-1"], 1, 4);
        let finding = &record.findings[0];
        assert_eq!(text(finding, "strength"), "documented");
        assert!(!finding.contains_key("plan"));
        assert!(!record.of_class.contains_key("spent_ms"));
        assert_eq!(record.of_class["coverage"], serde_json::json!({"covered": 1}));
        assert_eq!(record.jdk_version, "17.0.1");
        assert_eq!(record.number("failed_plans"), Some(1));
    }

    #[test]
    fn what_is_listed_apart_does_not_count() {
        let standings = |members: &str| -> Vec<Standing> {
            let mut record = Record::sample("a.B", Some(1));
            record.take(serde_json::from_str(&format!("{{\"classes\": [{{{members}}}]}}")).unwrap());
            record.all_findings().map(|(_, standing)| standing).collect()
        };
        let findings = r#""findings": [{"counts": true, "promised": true}, {"counts": false, "promised": true},
            {"counts": false, "promised": false}]"#;
        let found = [Standing::Counts, Standing::Apart, Standing::Unpromised];
        assert_eq!(standings(findings), found);
        let weaker = r#""weaker": [{"weakness": {}, "promised": false}]"#;
        assert_eq!(
            standings(&format!("{findings}, {weaker}"))[3..],
            [Standing::Apart]
        );
    }

    #[test]
    fn coverage_is_a_share_of_pairs() {
        assert_eq!(
            Record::sample("a.B", Some(0)).with(&[], 1, 4).coverage(),
            Some(0.25)
        );
        assert_eq!(Record::sample("a.B", Some(0)).with(&[], 0, 0).coverage(), None);
        assert_eq!(Record::sample("a.B", None).coverage(), None);
    }

    #[test]
    fn the_exit_code_is_the_verdict() {
        let verdicts =
            [Some(0), Some(1), Some(3), Some(2), None].map(|code| Record::sample("a.B", code).verdict());
        assert_eq!(
            verdicts,
            [
                Verdict::Green,
                Verdict::Red,
                Verdict::Inconclusive,
                Verdict::Failed,
                Verdict::Failed
            ]
        );
    }

    #[test]
    fn nothing_is_told_of_the_closed_half() {
        let mut record = Record::sample("a.B", Some(1)).with(&["result-1"], 1, 4);
        assert_eq!(record.progress_line(), "a.B: red, 1 findings, 0.0 s");
        record.half = Half::Closed;
        assert_eq!(record.progress_line(), "a class of the closed half");
    }
}
