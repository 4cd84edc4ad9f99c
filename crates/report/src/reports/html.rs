//! One HTML file with everything: no network, no other files, opens from disk.
//!
//! The page is made of the files in `crates/report/src/html`; what is told is embedded as JSON, an overview and one document
//! for each finding, which the page reads when it is opened.

use std::fmt::Write;
use std::path::Path;

use raddle_campaign::Conclusion;
use raddle_oracle::{Difference, Evidence, Kind};
use raddle_plan::plain::plain_value;
use raddle_plan::{CallResult, EventKind};
use serde::Serialize;

use crate::closing::{by_weight, uncounted_because};
use crate::headline::headline;
use crate::hunt::{FoundHere, HuntClass, HuntReport, certainty, commands, promise_text, violations};
use crate::hunt_folder::TRACE;
use crate::hunt_json::conclusion_name;
use crate::reports::{ReportError, Sources};
use crate::run::kind_text;
use crate::trace::{Step, Trace};
use raddle_plan::plan_text::{call_in, result_text, with_names};

const PAGE: &str = include_str!("../html/page.html");
const STYLE: &str = include_str!("../html/style.css");
const SCRIPT: &str = include_str!("../html/script.js");

#[derive(Serialize)]
struct Overview<'a> {
    summary: String,
    kinds: Vec<KindName>,
    classes: Vec<ClassEntry<'a>>,
    findings: Vec<FindingEntry<'a>>,
}

#[derive(Serialize)]
struct KindName {
    kind: Kind,
    text: &'static str,
}

#[derive(Serialize)]
struct ClassEntry<'a> {
    name: &'a str,
    conclusion: &'static str,
    findings: usize,
    pairs: usize,
    covered: usize,
    plans: u64,
    schedules: u64,
    seconds: f64,
    gaps: &'a [String],
    notes: &'a [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FindingEntry<'a> {
    id: &'a str,
    /// Position among the classes.
    class: usize,
    kind: Kind,
    kind_text: &'static str,
    headline: String,
    counts: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
}

/// What is shown of a finding when it is opened.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Details<'a> {
    sentence: String,
    facts: Vec<String>,
    calls: Vec<CallRow>,
    threads: &'a [String],
    steps: Vec<StepRow<'a>>,
    left_out: usize,
    stack: Vec<String>,
    also: &'a [String],
    commands: [String; 3],
    folder: String,
}

#[derive(Serialize)]
struct CallRow {
    part: String,
    call: String,
    result: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    sequential: Option<String>,
    decisive: bool,
}

#[derive(Serialize)]
struct StepRow<'a> {
    thread: u32,
    text: &'a str,
    /// What the value is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    what: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// What the line of the class under test is in the middle of, and its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    below: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    held: &'a [String],
}

/// The whole of it.
pub(super) fn html(report: &HuntReport, sources: &Sources) -> Result<String, ReportError> {
    let findings = by_weight(report);
    let mut details = String::new();
    for (number, found) in findings.iter().enumerate() {
        let json = embedded(&details_of(found, report, sources)?)?;
        let _ = writeln!(
            details,
            "<script type=\"application/json\" id=\"finding-{number}\">{json}</script>"
        );
    }
    let overview = embedded(&overview(report, &findings))?;
    let mut page = String::new();
    let mut rest = PAGE;
    while let Some((before, marked)) = rest.split_once("{{") {
        page.push_str(before);
        let Some((name, after)) = marked.split_once("}}") else {
            page.push_str("{{");
            rest = marked;
            continue;
        };
        page.push_str(match name {
            "style" => STYLE,
            "script" => SCRIPT,
            "data" => &overview,
            "details" => &details,
            _ => "",
        });
        rest = after;
    }
    page.push_str(rest);
    Ok(page)
}

/// JSON that can stand in an element of HTML: nothing in it ends the element or begins a comment, and it means the same.
fn embedded(value: &impl Serialize) -> Result<String, ReportError> {
    let json = serde_json::to_string(value).map_err(|reason| ReportError::Unwritable {
        path: "report.html".into(),
        reason: reason.into(),
    })?;
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            // These occur within strings only.
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(safe, "\\u{:04x}", u32::from(c));
            }
            c => safe.push(c),
        }
    }
    Ok(safe)
}

fn overview<'a>(report: &'a HuntReport, findings: &[&'a FoundHere]) -> Overview<'a> {
    let counting = report.counting();
    let is_counted = |found: &&&FoundHere| uncounted_because(found, report).is_none();
    let counted = findings.iter().filter(is_counted).count();
    let inconclusive = report
        .classes
        .iter()
        .filter(|class| class.conclusion(counting) == Conclusion::Inconclusive);
    let classes = report.classes.len();
    Overview {
        summary: format!(
            "{} and {} in {classes} class{}, {} inconclusive; {:.0} s on JDK {}, {} {}",
            violations(counted),
            match findings.len() - counted {
                1 => "1 finding that does not count".to_owned(),
                others => format!("{others} findings that do not count"),
            },
            if classes == 1 { "" } else { "es" },
            inconclusive.count(),
            report.time.as_secs_f64(),
            report.jdk_version,
            report.tool.0,
            report.tool.1,
        ),
        kinds: Kind::ALL
            .into_iter()
            .map(|kind| KindName {
                kind,
                text: kind_text(kind),
            })
            .collect(),
        classes: report
            .classes
            .iter()
            .map(|class| class_entry(class, report))
            .collect(),
        findings: findings
            .iter()
            .map(|found| {
                let finding = &found.finding;
                let because = uncounted_because(found, report);
                FindingEntry {
                    id: &finding.id,
                    class: report
                        .classes
                        .iter()
                        .position(|class| class.class == finding.class)
                        .unwrap_or(0),
                    kind: finding.violation.kind,
                    kind_text: kind_text(finding.violation.kind),
                    headline: headline(finding),
                    counts: because.is_none(),
                    because,
                }
            })
            .collect(),
    }
}

fn class_entry<'a>(class: &'a HuntClass, report: &HuntReport) -> ClassEntry<'a> {
    let done = class.report.as_ref();
    let numbers = done.map(|done| done.numbers).unwrap_or_default();
    ClassEntry {
        name: &class.class,
        conclusion: conclusion_name(class.conclusion(report.counting())),
        findings: class.findings.len(),
        pairs: numbers.pairs,
        covered: numbers.pairs_covered,
        plans: numbers.plans,
        schedules: numbers.schedules,
        seconds: numbers.time.as_secs_f64(),
        gaps: done.map(|done| &*done.gaps).unwrap_or_default(),
        notes: done.map(|done| &*done.notes).unwrap_or_default(),
    }
}

/// The JSON of a finding, in which its trace is borrowed.
fn details_of(
    found: &FoundHere,
    report: &HuntReport,
    sources: &Sources,
) -> Result<serde_json::Value, ReportError> {
    let finding = &found.finding;
    let plan = &finding.recording.plan;
    let path = found.file.with_file_name(TRACE);
    let trace = Trace::read(&path).map_err(|reason| ReportError::Unreadable { path, reason })?;
    let trace = trace.as_ref();
    let mut facts = vec![promise_text(&finding.promise)];
    facts.extend(certainty(finding));
    let class = report.classes.iter().find(|class| class.class == finding.class);
    let also = class
        .and_then(|class| class.report.as_ref())
        .and_then(|report| report.also.get(&finding.id));
    let details = Details {
        sentence: with_names(plan, &finding.violation.summary),
        facts,
        calls: call_rows(found),
        threads: trace.map(|trace| &*trace.threads).unwrap_or_default(),
        steps: trace
            .into_iter()
            .flat_map(|trace| &trace.steps)
            .map(|step| step_row(step, sources))
            .collect(),
        left_out: trace.map_or(0, |trace| trace.left_out),
        stack: match &finding.violation.evidence {
            Evidence::Exception { class, frames, .. } => std::iter::once(class.clone())
                .chain(frames.iter().map(|frame| format!("    at {}", frame.0)))
                .collect(),
            _ => Vec::new(),
        },
        also: also.map(Vec::as_slice).unwrap_or_default(),
        commands: commands(finding, &found.file),
        folder: found.file.parent().unwrap_or(Path::new("")).display().to_string(),
    };
    serde_json::to_value(&details).map_err(|reason| ReportError::Unwritable {
        path: "report.html".into(),
        reason: reason.into(),
    })
}

fn step_row<'a>(step: &'a Step, sources: &Sources) -> StepRow<'a> {
    let location = step.location.as_ref();
    StepRow {
        thread: step.thread,
        text: &step.text,
        what: step.value.as_deref().map(|value| what(step, value)),
        value: step.value.as_deref(),
        at: location.map(crate::location::Location::short),
        file: location.map(|location| {
            let file = sources.path(location);
            location
                .line
                .map_or_else(|| file.clone(), |line| format!("{file}:{line}"))
        }),
        below: step.below.as_deref(),
        source: step.source.as_deref(),
        held: &step.held,
    }
}

/// `list.size` of `read list.size = 1`.
fn what<'a>(step: &'a Step, value: &str) -> &'a str {
    let kind = step.kind.map_or("", EventKind::name);
    let text = step.text.strip_prefix(kind).unwrap_or(&step.text).trim_start();
    let text = text.strip_suffix(value).unwrap_or(text).trim_end();
    let text = text.strip_suffix('=').unwrap_or(text).trim_end();
    text.strip_suffix('.').unwrap_or(text)
}

/// The calls of the test, with what they come to one at a time where that is known.
fn call_rows(found: &FoundHere) -> Vec<CallRow> {
    let finding = &found.finding;
    let plan = &finding.recording.plan;
    let decisive = finding.violation.decisive_calls();
    plan.calls()
        .zip(&finding.recording.outcome.calls)
        .map(|((id, part, call), outcome)| {
            let number = id.0 as usize;
            let is_void = call.result_descriptor().is_none();
            CallRow {
                part: part.to_string(),
                call: call_in(plan, call),
                result: match &outcome.result {
                    CallResult::Returned(_) if is_void => "returned normally".to_owned(),
                    result => with_names(plan, &result_text(result)),
                },
                sequential: sequential(&finding.violation.evidence, number)
                    .map(|text| with_names(plan, &text)),
                decisive: decisive.contains(&number),
            }
        })
        .collect()
}

fn sequential(evidence: &Evidence, number: usize) -> Option<String> {
    match evidence {
        Evidence::Exception { call, sequential, .. } if *call == number => {
            Some(match sequential.as_slice() {
                [] => "throws nothing".to_owned(),
                thrown => format!("throws {}", thrown.join(" or ")),
            })
        }
        Evidence::Result { differences, .. } => {
            let is_it = |difference: &&Difference| difference.call == number;
            let Difference { sequential, .. } = differences.iter().find(is_it)?;
            let (values, others): (Vec<&str>, Vec<&str>) = sequential
                .iter()
                .map(String::as_str)
                .partition(|result| result.starts_with("returned "));
            let values: Vec<&str> = values
                .into_iter()
                .filter_map(|result| result.strip_prefix("returned "))
                .map(plain_value)
                .collect();
            let returned = (!values.is_empty()).then(|| format!("returned {}", values.join(" or ")));
            let parts: Vec<&str> = returned.as_deref().into_iter().chain(others).collect();
            Some(parts.join(" or "))
        }
        Evidence::Deadlock { calls, .. }
        | Evidence::LostWakeup { calls, .. }
        | Evidence::Livelock { calls, .. }
            if calls.contains(&number) =>
        {
            Some("comes to its end".to_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #[cfg(feature = "full-tests")]
    mod browser;

    use super::*;
    use crate::hunt_sample;

    /// What stands in an element of the page.
    fn element(page: &str, id: &str) -> serde_json::Value {
        let start = format!("id=\"{id}\">");
        let json = page
            .split_once(&start)
            .unwrap()
            .1
            .split_once("</script>")
            .unwrap()
            .0;
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn the_page_has_an_overview_and_every_finding() {
        let page = html(&hunt_sample::several(), &Sources::default()).unwrap();
        let data = element(&page, "data");
        assert_eq!(data["classes"][1]["name"], "java.util.Hashtable");
        assert_eq!(data["classes"][0]["covered"], 36);
        assert_eq!(data["findings"][0]["kind"], "deadlock");
        assert_eq!(data["findings"][3]["counts"], false);
        let details = element(&page, "finding-2");
        assert_eq!(details["calls"][3]["result"], "returned 1");
        assert_eq!(details["calls"][3]["sequential"], "returned 2");
        assert_eq!(details["calls"][3]["decisive"], true);
        assert!(!page.contains("{{"), "nothing is left to be filled in");
        for outside in ["http:", "https:", "src=", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
    }

    #[test]
    fn no_text_of_a_class_file_leaves_its_element() {
        let mut report = hunt_sample::several();
        let evil = "</script><script>alert(1)</script><!--<script>{{script}}\u{2028}&amp;";
        for class in &mut report.classes {
            for found in &mut class.findings {
                found.finding.violation.summary = evil.to_owned();
                found.finding.id = evil.to_owned();
                found.finding.methods = vec![evil.to_owned()];
            }
        }
        report.classes[0].class = evil.to_owned();
        let clean = html(&hunt_sample::several(), &Sources::default()).unwrap();
        let page = html(&report, &Sources::default()).unwrap();
        let scripts = |page: &str| (page.matches("<script").count(), page.matches("</script").count());
        assert_eq!(scripts(&page), scripts(&clean));
        assert!(!page.contains("<!--"), "a comment would hide the end of a script");
        assert_eq!(element(&page, "finding-0")["sentence"], evil);
    }

    #[test]
    fn values_are_those_of_what_was_read_or_written() {
        let trace = Trace::of(&hunt_sample::wrong_result());
        let read = &trace.steps[1];
        assert_eq!(what(read, read.value.as_deref().unwrap()), "ArrayList#1.size");
        let atomic = Step {
            kind: Some(EventKind::Atomic),
            text: "atomic AtomicInteger#1.value 0 → 1".to_owned(),
            value: Some("value 0 → 1".to_owned()),
            ..read.clone()
        };
        assert_eq!(what(&atomic, "value 0 → 1"), "AtomicInteger#1");
    }
}
