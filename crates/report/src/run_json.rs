//! The JSON document of `raddle run --json`; `docs/run-json.md` describes it.

use std::path::Path;

use raddle_oracle::Kind;
use raddle_plan::{Outcome, TestPlan};
use raddle_schedule::Config;
use serde::Serialize;

use crate::run::{Conclusion, RunReport};

/// Changes its number whenever a reader of the old document would misread the new one.
const SCHEMA: &str = "raddle.run/1";

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    tool: Tool,
    jdk: Jdk<'a>,
    conclusion: &'static str,
    findings: Vec<Found<'a>>,
    gaps: &'a [String],
    notes: &'a [String],
    scheduler: Config,
    seed: u64,
    rates: Numbers,
    claim: Option<&'a str>,
    plan: &'a TestPlan,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Jdk<'a> {
    version: &'a str,
}

#[derive(Serialize)]
struct Found<'a> {
    kind: Kind,
    sentence: &'a str,
    count: u64,
    schedule_index: Option<u64>,
    repeated: Option<bool>,
    file: Option<&'a Path>,
    outcome: &'a Outcome,
}

#[derive(Serialize)]
struct Numbers {
    schedules: u64,
    outcomes: u64,
    time_ms: f64,
    schedules_per_second: f64,
    events_per_schedule: f64,
    switches_per_schedule: f64,
}

/// The whole of it as one JSON document.
pub fn run_json(report: &RunReport) -> serde_json::Result<String> {
    let rates = report.rates;
    let document = Document {
        schema: SCHEMA,
        tool: Tool {
            name: report.tool.0,
            version: report.tool.1,
        },
        jdk: Jdk {
            version: &report.jdk_version,
        },
        conclusion: match report.conclusion() {
            Conclusion::NoViolation => "no_violation",
            Conclusion::Violations => "violations",
            Conclusion::Inconclusive => "inconclusive",
        },
        findings: report
            .findings
            .iter()
            .map(|finding| Found {
                kind: finding.kind,
                sentence: &finding.sentence,
                count: finding.count,
                schedule_index: finding.index,
                repeated: finding.repeated,
                file: finding.file.as_deref(),
                outcome: &finding.outcome,
            })
            .collect(),
        gaps: &report.gaps,
        notes: &report.notes,
        scheduler: report.scheduler.0,
        seed: report.scheduler.1,
        rates: Numbers {
            schedules: rates.schedules,
            outcomes: rates.outcomes,
            time_ms: rounded(rates.time.as_secs_f64() * 1000.0),
            schedules_per_second: rounded(rates.schedules_per_second()),
            events_per_schedule: rounded(rates.events_per_schedule()),
            switches_per_schedule: rounded(rates.switches_per_schedule()),
        },
        claim: report.claim.as_deref(),
        plan: &report.plan,
    };
    let mut text = serde_json::to_string(&document)?;
    text.push('\n');
    Ok(text)
}

/// To three places.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::{report, wrong_result};

    #[test]
    fn the_document_names_its_schema_and_carries_everything() {
        let text = run_json(&report(vec![wrong_result()], &["a gap"])).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["schema"], "raddle.run/1");
        assert_eq!(value["conclusion"], "violations");
        assert_eq!(value["jdk"]["version"], "17.0.15");
        assert_eq!(value["findings"][0]["kind"], "result");
        assert_eq!(value["findings"][0]["schedule_index"], 4);
        assert_eq!(
            value["findings"][0]["outcome"]["schedule"]["switches"][0]["thread"],
            2
        );
        assert_eq!(value["rates"]["schedules_per_second"], 4000.0);
        assert_eq!(value["rates"]["switches_per_schedule"], 2.5);
        assert_eq!(value["gaps"][0], "a gap");
        assert_eq!(value["plan"]["name"], "two adds");
        assert_eq!(text.lines().count(), 1);
    }
}
