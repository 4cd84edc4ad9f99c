//! SARIF 2.1.0: what code hosts and editors show beside the lines.

use std::collections::BTreeMap;
use std::path::Path;

use raddle_campaign::{Conclusion, Finding};
use raddle_oracle::Kind;
use serde::Serialize;

use crate::closing::{by_weight, uncounted_because};
use crate::explain::explain;
use crate::headline::headline;
use crate::hunt::{FoundHere, HuntReport};
use crate::hunt_folder::TRACE;
use crate::hunt_json::stock_jvm_name;
use crate::location::Location;
use crate::reports::{ReportError, Sources};
use crate::trace::{Step, Trace};
use raddle_plan::plan_text::with_names;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// What the fingerprint is made of has this version.
const FINGERPRINT: &str = "raddleFault/v1";

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<Outcome<'a>>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    name: &'static str,
    short_description: Message,
    full_description: Message,
    help: Message,
    default_configuration: Configuration,
    properties: RuleProperties,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct RuleProperties {
    tags: [&'static str; 2],
    precision: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
}

#[derive(Clone, Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome<'a> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: Vec<At>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<At>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<CodeFlow>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressions: Vec<Suppression>,
    properties: Properties<'a>,
}

/// What was accepted, and why.
#[derive(Serialize)]
struct Suppression {
    kind: &'static str,
    justification: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Properties<'a> {
    id: &'a str,
    counts: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    uncounted_because: Option<String>,
    stock_jvm: &'static str,
    promise: String,
    methods: &'a [String],
    folder: String,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct At {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: Physical,
    logical_locations: [Logical; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Clone, Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Logical {
    fully_qualified_name: String,
    kind: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CodeFlow {
    message: Message,
    thread_flows: Vec<ThreadFlow>,
}

#[derive(Serialize)]
struct ThreadFlow {
    id: String,
    locations: Vec<FlowStep>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FlowStep {
    location: At,
    execution_order: usize,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    state: BTreeMap<&'static str, Message>,
}

fn message(text: impl Into<String>) -> Message {
    Message { text: text.into() }
}

/// The whole of it.
pub(super) fn sarif(report: &HuntReport, sources: &Sources) -> Result<String, ReportError> {
    let findings = by_weight(report);
    let results = findings
        .iter()
        .map(|found| result(found, &findings, report, sources))
        .collect::<Result<_, ReportError>>()?;
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "Raddle",
                    version: report.tool.1,
                    semantic_version: report.tool.1,
                    rules: Kind::ALL.into_iter().map(rule).collect(),
                },
            },
            invocations: [Invocation {
                execution_successful: report.finished,
                tool_execution_notifications: notifications(report),
            }],
            column_kind: "utf16CodeUnits",
            results,
        }],
    };
    let text = serde_json::to_string_pretty(&log).map(|text| text + "\n");
    text.map_err(|reason| ReportError::Unwritable {
        path: "report.sarif".into(),
        reason: reason.into(),
    })
}

fn rule(kind: Kind) -> Rule {
    let help = explain(kind);
    let first = help.lines().next().unwrap_or_default();
    let short = first.split_once(": ").map_or(first, |(_, short)| short);
    // The first paragraph below its heading.
    let paragraph = help.split("\n\n").nth(1).unwrap_or(first);
    let full = paragraph.split_once('\n').map_or(paragraph, |(_, full)| full);
    Rule {
        id: kind.name(),
        name: match kind {
            Kind::Exception => "Exception",
            Kind::Deadlock => "Deadlock",
            Kind::LostWakeup => "LostWakeup",
            Kind::Livelock => "Livelock",
            Kind::Result => "WrongResult",
        },
        short_description: message(sentence(short)),
        full_description: message(full.split_whitespace().collect::<Vec<_>>().join(" ")),
        default_configuration: Configuration { level: level(kind) },
        properties: RuleProperties {
            tags: ["concurrency", "thread-safety"],
            precision: if kind == Kind::Result { "high" } else { "very-high" },
        },
        help: message(help),
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

/// A wrong result may be what a class means to do; nothing else may.
fn level(kind: Kind) -> &'static str {
    if kind == Kind::Result { "warning" } else { "error" }
}

/// Classes of which nothing can be said.
fn notifications(report: &HuntReport) -> Vec<Notification> {
    let counting = report.counting();
    let classes = report.classes.iter();
    let unclear = classes.filter(|class| class.conclusion(counting) == Conclusion::Inconclusive);
    unclear
        .map(|class| {
            let gaps = class.report.as_ref().map(|report| report.gaps.join("; "));
            let because = gaps
                .filter(|gaps| !gaps.is_empty())
                .map_or_else(String::new, |gaps| format!(", because {gaps}"));
            Notification {
                level: "warning",
                message: message(format!("{}: inconclusive{because}", class.class)),
            }
        })
        .collect()
}

fn result<'a>(
    found: &'a FoundHere,
    all: &[&FoundHere],
    report: &HuntReport,
    sources: &Sources,
) -> Result<Outcome<'a>, ReportError> {
    let finding = &found.finding;
    let kind = finding.violation.kind;
    let mut places = found.locations.iter();
    let fallback = Location::of_class(&finding.class);
    let first = places.next().unwrap_or(&fallback);
    let counts = found.counts(report.counting());
    let uncounted_because = uncounted_because(found, report);
    let path = found.file.with_file_name(TRACE);
    let trace = Trace::read(&path).map_err(|reason| ReportError::Unreadable { path, reason })?;
    let summary = with_names(&finding.recording.plan, &finding.violation.summary);
    Ok(Outcome {
        rule_id: kind.name(),
        rule_index: Kind::ALL.iter().position(|of| *of == kind).unwrap_or(0),
        level: if counts { level(kind) } else { "note" },
        message: message(format!("{}\n{summary}", headline(finding))),
        locations: vec![at(first, sources, None)],
        related_locations: places
            .enumerate()
            .map(|(number, place)| At {
                id: Some(number + 1),
                ..at(place, sources, Some(message("also takes part")))
            })
            .collect(),
        code_flows: trace
            .into_iter()
            .filter_map(|trace| flow(&trace, first, sources))
            .collect(),
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, unique_mark(finding, all))]),
        suppressions: report
            .accepted_because(finding)
            .filter(|_| counts)
            .map(|justification| Suppression {
                kind: "external",
                justification,
            })
            .into_iter()
            .collect(),
        properties: Properties {
            id: &finding.id,
            counts,
            uncounted_because,
            stock_jvm: stock_jvm_name(&finding.stock_jvm),
            promise: finding.promise.strength.to_string(),
            methods: &finding.methods,
            folder: found.file.parent().unwrap_or(Path::new("")).display().to_string(),
        },
    })
}

/// The mark of a fault that lasts while lines move. Faults that only lines tell apart are numbered, in the order of their
/// causes, which stays when all of them move.
fn unique_mark(finding: &Finding, all: &[&FoundHere]) -> String {
    let mark = finding.lasting_mark();
    let before = all.iter().filter(|other| {
        let other = &other.finding;
        other.class == finding.class
            && (&other.cause, &other.id) < (&finding.cause, &finding.id)
            && other.lasting_mark() == mark
    });
    format!("{mark}:{}", before.count() + 1)
}

fn at(location: &Location, sources: &Sources, message: Option<Message>) -> At {
    let Location {
        class, method, line, ..
    } = location;
    At {
        id: None,
        physical_location: Physical {
            artifact_location: Artifact {
                uri: sources.uri(location),
            },
            // Lines count from 1; a class file may say anything.
            region: line
                .filter(|line| *line > 0)
                .map(|start_line| Region { start_line }),
        },
        logical_locations: [match method {
            Some(method) => Logical {
                fully_qualified_name: format!("{class}.{method}"),
                kind: "member",
            },
            None => Logical {
                fully_qualified_name: class.clone(),
                kind: "type",
            },
        }],
        message,
    }
}

/// What the threads did, a flow for each of them.
fn flow(trace: &Trace, fallback: &Location, sources: &Sources) -> Option<CodeFlow> {
    let mut by_thread: BTreeMap<u32, Vec<FlowStep>> = BTreeMap::new();
    for (order, step) in (1..).zip(&trace.steps) {
        let place = step.location.as_ref().unwrap_or(fallback);
        by_thread.entry(step.thread).or_default().push(FlowStep {
            location: at(place, sources, Some(message(step.text.clone()))),
            execution_order: order,
            state: state(step),
        });
    }
    if by_thread.is_empty() {
        return None;
    }
    let name = |thread: u32| match trace.threads.get(thread as usize) {
        Some(name) if !name.is_empty() => name.clone(),
        _ => format!("thread {thread}"),
    };
    Some(CodeFlow {
        message: message(
            "What the threads did, in this order; only what other threads could notice is shown.",
        ),
        thread_flows: by_thread
            .into_iter()
            .map(|(thread, locations)| ThreadFlow {
                id: name(thread),
                locations,
            })
            .collect(),
    })
}

fn state(step: &Step) -> BTreeMap<&'static str, Message> {
    let mut state = BTreeMap::new();
    if let Some(value) = &step.value {
        state.insert("value", message(value.clone()));
    }
    if !step.held.is_empty() {
        state.insert("locks held", message(step.held.join(", ")));
    }
    state
}

#[cfg(test)]
mod schema;
#[cfg(test)]
mod tests;
