//! The JSON document of `raddle hunt --json`, which is also the file `run.json`; `docs/hunt-json.md` describes it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use raddle_campaign::{Conclusion, Numbers, Promise, Silenced, StockJvm, Strength};
use raddle_oracle::{Evidence, Kind, Weakness};
use raddle_plan::{Outcome, TestPlan};
use serde::Serialize;

use crate::baseline::Accepted;
use crate::class_text::rate;
use crate::coverage::CoverageMember;
use crate::hunt::NOT_YET;
use crate::hunt::{FoundHere, HuntClass, HuntReport, NotHunted, beside};
use crate::journal::SightingLine;
use crate::location::Location;
use crate::spent_time::SpentTime;
use raddle_plan::plan_text::with_names;

/// Changes its number whenever a reader of the old document would misread the new one.
const SCHEMA: &str = "raddle.hunt/1";

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    tool: Tool,
    jdk: Jdk<'a>,
    finished: bool,
    conclusion: &'static str,
    fails: bool,
    strategy: &'a str,
    seed: u64,
    budget_ms: f64,
    classes: Vec<Hunted<'a>>,
    skipped: Vec<Skipped<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gone: Vec<&'a Accepted>,
    time_ms: f64,
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
struct Hunted<'a> {
    class: &'a str,
    conclusion: Option<&'static str>,
    findings: Vec<Found<'a>>,
    unconfirmed: Vec<SightingLine>,
    weaker: Vec<Found<'a>>,
    gaps: &'a [String],
    notes: &'a [String],
    numbers: Option<Counts>,
    coverage: Option<CoverageMember>,
    predicted: BTreeMap<String, u64>,
    spent_ms: Option<SpentTime>,
    silenced: &'a [Silenced],
    promise: Option<Promised<'a>>,
}

#[derive(Serialize)]
struct Promised<'a> {
    strength: Strength,
    sentence: &'a str,
}

impl<'a> Promised<'a> {
    fn of(promise: &'a Promise) -> Promised<'a> {
        Promised {
            strength: promise.strength,
            sentence: &promise.sentence,
        }
    }
}

#[derive(Serialize)]
struct Found<'a> {
    id: &'a str,
    fingerprint: String,
    kind: Kind,
    sentence: String,
    methods: &'a [String],
    locations: &'a [Location],
    weakness: Option<&'a Weakness>,
    state: &'a BTreeSet<String>,
    unguarded: &'a BTreeSet<String>,
    also: &'a [String],
    cause: &'a str,
    first_cause: &'a str,
    minimal: bool,
    reason: &'a str,
    preemptions: Option<u32>,
    calls: usize,
    first_calls: usize,
    stock_jvm: &'static str,
    stock_jvm_note: Option<&'a str>,
    analysis_bug: Option<&'a str>,
    beside: Vec<String>,
    promise: Promised<'a>,
    promised: bool,
    counts: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<String>,
    after_ms: f64,
    file: &'a Path,
    plan: &'a TestPlan,
    outcome: &'a Outcome,
    evidence: &'a Evidence,
}

#[derive(Serialize)]
struct Counts {
    pairs: usize,
    pairs_tried: usize,
    pairs_covered: usize,
    plans: u64,
    failed_plans: u64,
    schedules: u64,
    steps: u64,
    repeats: u64,
    branches: usize,
    encounters: usize,
    time_ms: f64,
    schedules_per_second: u64,
}

#[derive(Serialize)]
struct Skipped<'a> {
    class: &'a str,
    reason: &'a str,
}

/// The whole of it as one JSON document.
pub fn hunt_json(report: &HuntReport) -> serde_json::Result<String> {
    let document = Document {
        schema: SCHEMA,
        tool: Tool {
            name: report.tool.0,
            version: report.tool.1,
        },
        jdk: Jdk {
            version: &report.jdk_version,
        },
        finished: report.finished,
        conclusion: conclusion_name(report.conclusion()),
        fails: report.verdict() == Conclusion::Violations,
        strategy: &report.strategy.0,
        seed: report.strategy.1,
        budget_ms: milliseconds(report.budget),
        classes: report
            .classes
            .iter()
            .map(|hunted| class(hunted, report))
            .collect(),
        skipped: report
            .skipped
            .iter()
            .map(|NotHunted { class, reason }| Skipped { class, reason })
            .collect(),
        gone: report.acceptance.baseline.gone(report),
        time_ms: milliseconds(report.time),
    };
    let mut text = serde_json::to_string(&document)?;
    text.push('\n');
    Ok(text)
}

fn class<'a>(class: &'a HuntClass, hunt: &'a HuntReport) -> Hunted<'a> {
    let is_strict = hunt.is_strict;
    let report = class.report.as_ref();
    let found_if = |weaker: bool| {
        let found_here = class.findings.iter();
        let wanted = found_here.filter(move |found| found.is_weaker(is_strict) == weaker);
        wanted.map(move |here| {
            let also = report.and_then(|report| report.also.get(&here.finding.id));
            found(here, also.map(Vec::as_slice).unwrap_or_default(), hunt)
        })
    };
    Hunted {
        class: &class.class,
        conclusion: report.map(|_| conclusion_name(class.conclusion(hunt.counting()))),
        findings: found_if(false).collect(),
        unconfirmed: report
            .map(|report| report.sightings.iter().map(SightingLine::from).collect())
            .unwrap_or_default(),
        weaker: found_if(true).collect(),
        gaps: report.map(|report| &*report.gaps).unwrap_or_default(),
        notes: report.map(|report| &*report.notes).unwrap_or_default(),
        numbers: report.map(|report| counts(&report.numbers)),
        coverage: report.map(|report| CoverageMember::of(&report.coverage)),
        predicted: report
            .map(|report| report.predicted.iter().cloned().collect())
            .unwrap_or_default(),
        spent_ms: report.map(|report| SpentTime::from(&report.spending)),
        silenced: report.map(|report| &*report.silenced).unwrap_or_default(),
        promise: report.and_then(|report| report.promise.as_ref().map(Promised::of)),
    }
}

fn found<'a>(found: &'a FoundHere, also: &'a [String], hunt: &HuntReport) -> Found<'a> {
    let finding = &found.finding;
    let recording = &finding.recording;
    Found {
        id: &finding.id,
        fingerprint: finding.lasting_mark(),
        kind: finding.violation.kind,
        sentence: with_names(&recording.plan, &finding.violation.summary),
        methods: &finding.methods,
        locations: &found.locations,
        weakness: finding.weakness.as_ref(),
        state: &finding.state,
        unguarded: &finding.unguarded,
        also,
        cause: &finding.cause,
        first_cause: &finding.first_cause,
        minimal: finding.is_minimal,
        reason: &finding.reason,
        preemptions: finding.preemptions,
        calls: recording.plan.call_count(),
        first_calls: finding.first_calls,
        stock_jvm: stock_jvm_name(&finding.stock_jvm),
        stock_jvm_note: stock_jvm_note(&finding.stock_jvm),
        analysis_bug: finding.analysis_bug.as_deref(),
        beside: beside(finding),
        promise: Promised::of(&finding.promise),
        promised: finding.is_promised,
        counts: found.counts(hunt.counting()),
        accepted: hunt.accepted_because(finding),
        after_ms: milliseconds(finding.after),
        file: &found.file,
        plan: &recording.plan,
        outcome: &recording.outcome,
        evidence: &finding.violation.evidence,
    }
}

fn counts(numbers: &Numbers) -> Counts {
    Counts {
        pairs: numbers.pairs,
        pairs_tried: numbers.pairs_tried,
        pairs_covered: numbers.pairs_covered,
        plans: numbers.plans,
        failed_plans: numbers.failed_plans,
        schedules: numbers.schedules,
        steps: numbers.steps,
        repeats: numbers.repeats,
        branches: numbers.branches,
        encounters: numbers.encounters,
        time_ms: milliseconds(numbers.time),
        schedules_per_second: rate(numbers),
    }
}

pub(crate) fn stock_jvm_name(stock_jvm: &StockJvm) -> &'static str {
    match stock_jvm {
        StockJvm::Untried(_) | StockJvm::Awaited => "untried",
        StockJvm::Confirmed => "confirmed",
        StockJvm::NotConfirmed(_) => "not_confirmed",
    }
}

/// Why it is not confirmed.
pub(crate) fn stock_jvm_note(stock_jvm: &StockJvm) -> Option<&str> {
    match stock_jvm {
        StockJvm::Untried(note) | StockJvm::NotConfirmed(note) => Some(note),
        StockJvm::Awaited => Some(NOT_YET),
        StockJvm::Confirmed => None,
    }
}

pub(crate) fn conclusion_name(conclusion: Conclusion) -> &'static str {
    match conclusion {
        Conclusion::NothingFound => "nothing_found",
        Conclusion::Violations => "violations",
        Conclusion::Inconclusive => "inconclusive",
    }
}

/// To the millisecond. What is derived from a time in a document is derived from this, so that who reads the document
/// back derives the same.
pub(crate) fn whole_milliseconds(time: Duration) -> u64 {
    u64::try_from((time.as_micros() + 500) / 1000).unwrap_or(u64::MAX)
}

#[expect(clippy::cast_precision_loss, reason = "exact for 285,000 years")]
pub(crate) fn milliseconds(time: Duration) -> f64 {
    whole_milliseconds(time) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt_sample;

    #[test]
    fn the_document_names_its_schema_and_carries_everything() {
        let text = hunt_json(&hunt_sample::report()).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["schema"], "raddle.hunt/1");
        assert_eq!(value["conclusion"], "violations");
        assert_eq!(value["finished"], true);
        let class = &value["classes"][0];
        assert_eq!(class["class"], "java.util.ArrayList");
        assert_eq!(class["conclusion"], "violations");
        let finding = &class["findings"][0];
        assert_eq!(finding["kind"], "result");
        assert_eq!(finding["preemptions"], 1);
        assert_eq!(finding["fingerprint"].as_str().unwrap().len(), 16);
        assert_eq!(
            finding["locations"][0],
            serde_json::json!({
                "class": "java.util.ArrayList",
                "method": "add",
                "file": "java/util/ArrayList.java",
                "line": 455,
            })
        );
        assert_eq!(finding["stock_jvm"], "untried");
        assert_eq!(finding["stock_jvm_note"], "--stock-jvm never was given");
        assert_eq!(finding["plan"]["name"], "two adds");
        assert_eq!(finding["promise"]["strength"], "disclaimed");
        assert_eq!(value["classes"][1]["silenced"][0]["count"], 3);
        assert_eq!(class["numbers"]["schedules_per_second"], 1000);
        let coverage = &value["classes"][1]["coverage"];
        assert_eq!(
            (&coverage["pairs"], &coverage["covered"]),
            (&40.into(), &36.into())
        );
        assert_eq!(coverage["methods"][2], "remove(int)");
        assert_eq!(
            coverage["uncovered"]["not_tried"],
            serde_json::json!([[0, 1], [1, 1]])
        );
        assert_eq!(coverage["never_returned"][0]["method"], "add(int)");
        assert_eq!(coverage["never_returned"][0]["mutator"], true);
        assert_eq!(coverage["failed_plans"][0]["plans"], 3);
        assert_eq!(value["classes"][2]["conclusion"], "inconclusive");
        assert_eq!(value["skipped"][0]["class"], "java.util.BitSet");
        assert_eq!(text.lines().count(), 1);
    }
}
