//! Whether a finding is gone after the class was changed.
//!
//! The test of the finding is run again first: where the fault is still there, that shows it in seconds. Only then is the class
//! hunted again, with the options of the hunt before, since another test may show what this one no longer does.

use std::ffi::OsString;
use std::path::Path;

use raddle_campaign::{Strength, UseStockJvm};
use raddle_plan::Recording;
use raddle_report::{HuntFolder, HuntRequest};
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};

use super::child::{Children, Waiting};
use super::findings::{Document, Finding, Hunted};

/// Schedules of the test, enough for two threads with a few calls each.
const SCHEDULES: &str = "3000";

/// What is known of a finding now.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Again {
    status: Status,
    /// The answer in words.
    sentence: String,
    /// What the class was found to do now, if it was hunted again: this fault under the same or another id, or other faults.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<Finding>,
    /// Why more cannot be said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gaps: Vec<String>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    /// The fault was seen again.
    StillThere,
    /// Neither its test nor a hunt shows it.
    Gone,
    /// It was not seen, but part of the work could not be done.
    NotSeen,
}

/// What is needed of the document of `raddle run --json`.
#[derive(Deserialize)]
struct RunDocument {
    findings: Vec<RunFinding>,
}

#[derive(Deserialize)]
struct RunFinding {
    kind: String,
    sentence: String,
}

/// Looks for the finding again. The folder then has what the class does now.
pub(super) async fn check(
    children: &Children,
    folder: &Path,
    finding: &Finding,
    waiting: &mut (impl Waiting + Send),
) -> Result<Again, String> {
    let request = HuntFolder::new(folder)
        .request()
        .map_err(|error| error.to_string())?;
    // A test that no longer fits the class says nothing about the fault.
    let mut gaps = Vec::new();
    match run_test(children, &request, finding, waiting).await {
        Ok(Some(sentence)) => {
            return Ok(Again {
                status: Status::StillThere,
                sentence: format!("The test of the finding still fails: {sentence}"),
                findings: Vec::new(),
                gaps: Vec::new(),
            });
        }
        Ok(None) => {}
        Err(problem) => gaps.push(format!(
            "the test of the finding could not be run again, only a new hunt was made: {problem}"
        )),
    }
    let mut arguments = hunt_arguments(&request, folder)?;
    arguments.extend(["--".into(), finding.class.clone().into()]);
    let text = children.document(&arguments, waiting).await?;
    let hunted = Document::parse(&text)?.into_hunted();
    Ok(judge(finding, hunted, gaps))
}

fn judge(finding: &Finding, hunted: Hunted, mut gaps: Vec<String>) -> Again {
    let is_same = |other: &Finding| other.id == finding.id || other.fingerprint == finding.fingerprint;
    let (status, sentence) = if hunted.findings.iter().any(is_same) {
        (
            Status::StillThere,
            "Its test passes now, but a new hunt found the same fault with another one.".to_owned(),
        )
    } else if hunted.found_nothing() {
        (
            Status::Gone,
            "Gone: a new hunt with the same options found nothing that counts.".to_owned(),
        )
    } else if hunted.gaps.is_empty() {
        (
            Status::Gone,
            "Gone, but a new hunt with the same options found other faults; see findings.".to_owned(),
        )
    } else {
        (
            Status::NotSeen,
            "Not seen again, but the new hunt could not do all of its work; see gaps.".to_owned(),
        )
    };
    gaps.extend(hunted.gaps);
    Again {
        status,
        sentence,
        findings: hunted.findings,
        gaps,
    }
}

/// Runs the test of the finding under many schedules; what it shows, if that is of the same kind.
async fn run_test(
    children: &Children,
    request: &HuntRequest,
    finding: &Finding,
    waiting: &mut (impl Waiting + Send),
) -> Result<Option<String>, String> {
    let recording =
        Recording::read(&finding.folder.join("finding.json")).map_err(|error| error.to_string())?;
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let plan = scratch.path().join("plan.json");
    let text = recording.plan.to_json().map_err(|error| error.to_string())?;
    std::fs::write(&plan, text).map_err(|error| error.to_string())?;
    let mut arguments: Vec<OsString> = vec!["run".into(), "--json".into()];
    arguments.extend([
        "--schedules".into(),
        SCHEDULES.into(),
        "--save".into(),
        scratch.path().into(),
    ]);
    arguments.extend(jvm_arguments(request)?);
    arguments.extend(["--".into(), plan.into()]);
    let text = children.document(&arguments, waiting).await?;
    let run: RunDocument = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let mut findings = run.findings.into_iter();
    Ok(findings
        .find(|found| found.kind == finding.kind)
        .map(|found| found.sentence))
}

/// What a hunt with the same options is told, but for its classes. `--stop-at-first` is not among it: the first finding may be
/// another one.
fn hunt_arguments(request: &HuntRequest, folder: &Path) -> Result<Vec<OsString>, String> {
    let mut arguments: Vec<OsString> = vec!["hunt".into(), "--json".into()];
    let mut option = |name: &str, value: OsString| {
        let mut argument = OsString::from(format!("--{name}="));
        argument.push(value);
        arguments.push(argument);
    };
    option("out", folder.into());
    option("budget", format!("{}ms", request.bounds.budget_ms).into());
    if let Some(plans) = request.bounds.max_plans {
        option("max-plans", plans.to_string().into());
    }
    option("max-findings", request.bounds.max_findings.to_string().into());
    option("strategy", request.strategy.clone().into());
    option("seed", request.seed.to_string().into());
    option("threads", request.threads.to_string().into());
    option("jobs", request.jobs.to_string().into());
    let kinds: Vec<String> = request.kinds.iter().map(ToString::to_string).collect();
    option("kinds", kinds.join(",").into());
    if !request.seeds.is_empty() {
        option("from-tests", request.seeds.join(",").into());
    }
    if let Some(promise) = request.promise {
        let name = match promise {
            Strength::Documented => "documented",
            Strength::Built => "built",
            Strength::NoSign | Strength::Disclaimed => "all",
        };
        option("promise", name.into());
    }
    for contracts in &request.contracts {
        option("contracts", contracts.into());
    }
    let flags = [
        ("--strict", request.strict),
        ("--stress", request.stress),
        ("--count-unconfirmed", request.count_unconfirmed),
        ("--stock-jvm=always", request.confirm == UseStockJvm::Always),
        ("--stock-jvm=never", request.confirm == UseStockJvm::Never),
    ];
    arguments.extend(
        flags
            .iter()
            .filter(|(_, is_set)| *is_set)
            .map(|(flag, _)| flag.into()),
    );
    arguments.extend(jvm_arguments(request)?);
    Ok(arguments)
}

/// What every command with a JVM is told.
fn jvm_arguments(request: &HuntRequest) -> Result<Vec<OsString>, String> {
    let mut arguments = vec![OsString::from("--jdk"), request.jdk_home.clone().into()];
    if !request.class_path.is_empty() {
        let path = std::env::join_paths(&request.class_path).map_err(|error| error.to_string())?;
        arguments.extend(["--class-path".into(), path]);
    }
    for package in &request.opens {
        arguments.push(format!("--add-opens={package}").into());
    }
    if !request.cage {
        arguments.push("--no-cage".into());
    }
    Ok(arguments)
}
