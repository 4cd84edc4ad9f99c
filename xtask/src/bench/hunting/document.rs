//! What a hunt says of itself in its folder; `docs/raddle-out.md` and `docs/hunt-json.md` describe all of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;
use raddle_classfile::descriptor::{FieldType, MethodType};
use serde::Deserialize;

use super::calls::BESIDE;
use super::expectation::Kind;
use super::record::{Also, Found, StockJvm};

pub(super) const RUN: &str = "run.json";
pub(super) const EVENTS: &str = "events.jsonl";
/// Of a stack, from its innermost frame on, so many are kept: a stack that overflows has thousands.
const FRAMES: usize = 24;

/// `run.json`, as far as it matters here.
#[derive(Default, Deserialize)]
pub(super) struct Document {
    pub(super) finished: bool,
    pub(super) jdk: Jdk,
    classes: Vec<Class>,
}

#[derive(Default, Deserialize)]
pub(super) struct Jdk {
    pub(super) version: String,
}

#[derive(Deserialize)]
struct Class {
    findings: Vec<Finding>,
    #[serde(default)]
    weaker: Vec<Finding>,
    gaps: Vec<String>,
    notes: Vec<String>,
    numbers: Option<Numbers>,
    #[serde(default)]
    predicted: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
struct Finding {
    id: String,
    kind: Kind,
    methods: Vec<String>,
    analysis_bug: Option<String>,
    after_ms: f64,
    #[serde(default)]
    plan: Plan,
    evidence: Evidence,
}

#[derive(Default, Deserialize)]
struct Plan {
    threads: Vec<Vec<Call>>,
}

#[derive(Deserialize)]
struct Call {
    /// Such as `java.util.Vector.get(I)Ljava/lang/Object;`.
    member: String,
}

/// Named for the kind of finding.
#[derive(Deserialize)]
struct Evidence {
    exception: Option<Thrown>,
    deadlock: Option<Deadlock>,
}

#[derive(Deserialize)]
struct Thrown {
    class: String,
    #[serde(default)]
    frames: Vec<String>,
}

#[derive(Deserialize)]
struct Deadlock {
    #[serde(default)]
    cycle: Vec<Link>,
}

/// A thread that waits, and holds what another waits for.
#[derive(Deserialize)]
struct Link {
    at: Option<Place>,
    holds: Option<Held>,
}

#[derive(Deserialize)]
struct Held {
    place: Option<Place>,
}

#[derive(Deserialize)]
struct Place {
    class: String,
    method: String,
}

#[derive(Copy, Clone, Default, Deserialize)]
pub(super) struct Numbers {
    pub(super) plans: u64,
    pub(super) failed_plans: u64,
    pub(super) schedules: u64,
    pub(super) time_ms: f64,
}

/// A line of `events.jsonl`.
#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Event {
    Progress {
        time_ms: f64,
        plans: u64,
        schedules: u64,
    },
    Also {
        id: String,
        calls: String,
        after_ms: f64,
    },
    #[serde(other)]
    Other,
}

/// What the event log tells.
#[derive(Default)]
pub(super) struct Log {
    progress: Vec<Progress>,
    /// By finding.
    also: BTreeMap<String, Vec<Also>>,
}

/// How much had been done when.
#[derive(Copy, Clone)]
pub(super) struct Progress {
    time_ms: f64,
    plans: u64,
    schedules: u64,
}

/// None if nothing has been found yet and the hunt has not ended. The file is there as a whole or not at all.
pub(super) fn read(class_directory: &Path) -> anyhow::Result<Option<Document>> {
    let path = class_directory.join(RUN);
    let Ok(text) = fs::read_to_string(&path) else {
        return Ok(None);
    };
    let document =
        serde_json::from_str(&text).with_context(|| format!("cannot understand {}", path.display()))?;
    Ok(Some(document))
}

/// What the event log tells; nothing if there is none.
pub(super) fn log(class_directory: &Path) -> Log {
    parse_log(&fs::read_to_string(class_directory.join(EVENTS)).unwrap_or_default())
}

fn parse_log(text: &str) -> Log {
    let mut log = Log::default();
    for line in text.lines() {
        match serde_json::from_str(line) {
            Ok(Event::Progress {
                time_ms,
                plans,
                schedules,
            }) => log.progress.push(Progress {
                time_ms,
                plans,
                schedules,
            }),
            Ok(Event::Also { id, calls, after_ms }) => log.also.entry(id).or_default().push(Also {
                methods: beside_each_other(&calls),
                seconds: after_ms / 1000.0,
            }),
            Ok(Event::Other) | Err(_) => {}
        }
    }
    log
}

impl Plan {
    /// As `methods` of a finding has them, such as `get(int)`.
    fn methods(&self) -> Vec<Vec<String>> {
        let threads = self.threads.iter();
        threads
            .map(|calls| calls.iter().map(|call| method_text(&call.member)).collect())
            .collect()
    }
}

/// The methods of `add(int) ∥ clear()`.
fn beside_each_other(calls: &str) -> Vec<String> {
    calls.split(BESIDE).map(str::to_owned).collect()
}

/// `get(int)` of `java.util.Vector.get(I)Ljava/lang/Object;`.
fn method_text(member: &str) -> String {
    let (path, descriptor) = member.split_at(member.find('(').unwrap_or(member.len()));
    let name = path.rsplit('.').next().unwrap_or(path);
    match MethodType::parse(descriptor) {
        Ok(types) => {
            let parameters: Vec<String> = types.parameters.iter().map(FieldType::java).collect();
            format!("{name}({})", parameters.join(", "))
        }
        Err(_) => name.to_owned(),
    }
}

impl Evidence {
    fn places(&self) -> Vec<String> {
        if let Some(thrown) = &self.exception {
            return thrown
                .frames
                .iter()
                .take(FRAMES)
                .map(|frame| frame_method(frame).to_owned())
                .collect();
        }
        let cycle = self.deadlock.iter().flat_map(|deadlock| &deadlock.cycle);
        cycle
            .filter_map(|link| {
                let taken = link.holds.as_ref().and_then(|held| held.place.as_ref());
                let place = taken.or(link.at.as_ref())?;
                Some(format!("{}.{}", place.class.replace('/', "."), place.method))
            })
            .collect()
    }
}

/// `java.util.Vector.get` of `java.base/java.util.Vector.get(Vector.java:749)`.
fn frame_method(frame: &str) -> &str {
    let text = frame.split('(').next().unwrap_or(frame);
    text.rsplit('/').next().unwrap_or(text)
}

impl Document {
    /// Of the one class that there is; none while it is being hunted.
    pub(super) fn numbers(&self) -> Option<Numbers> {
        self.classes.iter().find_map(|class| class.numbers)
    }

    pub(super) fn gaps(&self) -> Vec<String> {
        self.classes.iter().flat_map(|class| class.gaps.clone()).collect()
    }

    pub(super) fn notes(&self) -> Vec<String> {
        self.classes
            .iter()
            .flat_map(|class| class.notes.clone())
            .collect()
    }

    /// Of the one class that there is; empty unless its strategy predicts.
    pub(super) fn predicted(&self) -> BTreeMap<String, u64> {
        self.classes
            .iter()
            .flat_map(|class| class.predicted.clone())
            .collect()
    }

    /// What breaks a plain promise.
    pub(super) fn findings(&self, log: &Log) -> Vec<Found> {
        self.found(log, |class| &class.findings)
    }

    /// What is told apart because it may be by design.
    pub(super) fn apart(&self, log: &Log) -> Vec<Found> {
        self.found(log, |class| &class.weaker)
    }

    /// Progress is logged once a second, so what was done until a finding is told by the first line after it, or by the
    /// end of the hunt. A line before it with as many plans was written when the violation had been seen.
    fn found(&self, log: &Log, of_class: fn(&Class) -> &Vec<Finding>) -> Vec<Found> {
        let progress = &log.progress;
        let end = self.numbers().unwrap_or_default();
        let findings = self.classes.iter().flat_map(of_class);
        findings
            .map(|finding| {
                let after = progress.iter().find(|line| line.time_ms >= finding.after_ms);
                let (plans, schedules) =
                    after.map_or((end.plans, end.schedules), |line| (line.plans, line.schedules));
                let before = progress.iter().rfind(|line| line.time_ms < finding.after_ms);
                Found {
                    id: finding.id.clone(),
                    kind: finding.kind,
                    methods: finding.methods.clone(),
                    threads: finding.plan.methods(),
                    places: finding.evidence.places(),
                    also_shown: log.also.get(&finding.id).cloned().unwrap_or_default(),
                    exception: finding
                        .evidence
                        .exception
                        .as_ref()
                        .map(|thrown| thrown.class.clone()),
                    seconds: finding.after_ms / 1000.0,
                    plans,
                    schedules,
                    seen_schedules: before
                        .filter(|line| line.plans == plans)
                        .map(|line| line.schedules),
                    analysis_bug: finding.analysis_bug.clone(),
                    stock_jvm: StockJvm::Untried,
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEADLOCK: &str = r#"{"jdk": {"version": "17"}, "finished": true, "classes": [{"findings": [{"id": "deadlock-1",
        "kind": "deadlock", "methods": ["a(int)"], "analysis_bug": null, "after_ms": 1.0,
        "plan": {"threads": [[{"member": "a.B.a(I)V"}, {"member": "a.B.get([[JLa/C;)La/B;"}], [{"member": "a.B.a(I)V"}]]},
        "evidence": {"deadlock": {"cycle": [
            {"at": {"class": "a.B", "method": "inner"}, "holds": {"place": {"class": "a.B", "method": "a"}}},
            {"at": {"class": "a.C", "method": "join"}, "holds": null}]}}}], "gaps": [], "notes": [], "numbers": null}]}"#;

    #[test]
    fn a_finding_tells_what_each_thread_calls_and_where_locks_were_taken() {
        let document: Document = serde_json::from_str(DEADLOCK).unwrap();
        let log = parse_log(
            "{\"event\":\"also\",\"id\":\"deadlock-1\",\"calls\":\"a(int) ∥ b()\",\"after_ms\":1500.0}\n",
        );
        let finding = &document.findings(&log)[0];
        assert_eq!(
            finding.threads,
            [vec!["a(int)", "get(long[][], a.C)"], vec!["a(int)"]]
        );
        assert_eq!(finding.places, ["a.B.a", "a.C.join"]);
        let also = Also {
            methods: vec!["a(int)".to_owned(), "b()".to_owned()],
            seconds: 1.5,
        };
        assert_eq!(finding.also_shown, [also]);
    }

    #[test]
    fn a_finding_tells_the_stack_of_its_exception() {
        let text = DEADLOCK.replace(
            &DEADLOCK[DEADLOCK.find(r#"{"deadlock": "#).unwrap()..],
            r#"{"exception": {"class": "a.E", "frames": ["java.base/a.B$C.get(B.java:7)", "a.B.run(Unknown Source)"]}}}],
            "gaps": [], "notes": [], "numbers": null}]}"#,
        );
        let document: Document = serde_json::from_str(&text).unwrap();
        assert_eq!(
            document.findings(&Log::default())[0].places,
            ["a.B$C.get", "a.B.run"]
        );
    }

    const DOCUMENT: &str = r#"{"schema": "raddle.hunt/1", "jdk": {"version": "17.0.15"}, "finished": true, "classes": [{
        "class": "a.B", "findings": [
            {"id": "deadlock-1", "kind": "deadlock", "methods": ["a(int)"], "analysis_bug": null, "after_ms": 401.0,
             "evidence": {"deadlock": {"cycle": []}}},
            {"id": "exception-2", "kind": "exception", "methods": ["a(int)", "b()"], "analysis_bug": "ruled out",
             "after_ms": 2500.0, "evidence": {"exception": {"class": "java.lang.NullPointerException", "call": 1}}}],
        "gaps": [], "notes": ["a note"], "numbers": {"pairs": 3, "plans": 90, "failed_plans": 2, "schedules": 9000,
            "time_ms": 3000.0}, "predicted": {"cycles": 4, "realised": 2}}]}"#;

    const LOG: &str = r#"{"event":"begun","class":"a.B","methods":2}
{"event":"progress","time_ms":100.0,"plans":1,"failed_plans":0,"schedules":80,"findings":0}
{"event":"finding","id":"deadlock-1","kind":"deadlock","after_ms":401.0}
{"event":"progress","time_ms":1100.0,"plans":40,"failed_plans":0,"schedules":4000,"findings":1}
"#;

    #[test]
    fn effort_is_never_told_too_low() {
        let document: Document = serde_json::from_str(DOCUMENT).unwrap();
        let findings = document.findings(&parse_log(LOG));
        let efforts: Vec<(u64, u64)> = findings.iter().map(|one| (one.plans, one.schedules)).collect();
        assert_eq!(efforts, [(40, 4000), (90, 9000)]);
    }

    #[test]
    fn what_was_done_until_a_violation_was_seen_is_exact_or_not_told() {
        let document: Document = serde_json::from_str(DOCUMENT).unwrap();
        let seen = |log: &str| -> Vec<Option<u64>> {
            let findings = document.findings(&parse_log(log));
            findings.iter().map(|finding| finding.seen_schedules).collect()
        };
        assert_eq!(seen(LOG), [None, None], "other plans came between");
        let same_plan = LOG.replace(r#""plans":40"#, r#""plans":1"#);
        assert_eq!(seen(&same_plan), [Some(80), None]);
        assert_eq!(seen(""), [None, None]);
    }

    #[test]
    fn what_was_predicted_is_kept_by_name() {
        let document: Document = serde_json::from_str(DOCUMENT).unwrap();
        let predicted = [("cycles".to_owned(), 4), ("realised".to_owned(), 2)];
        assert_eq!(document.predicted(), BTreeMap::from(predicted));
    }

    #[test]
    fn a_finding_keeps_what_expectations_ask_for() {
        let document: Document = serde_json::from_str(DOCUMENT).unwrap();
        let findings = document.findings(&Log::default());
        assert_eq!(findings[0].exception, None);
        assert_eq!(findings[1].kind, Kind::Exception);
        assert_eq!(
            findings[1].exception.as_deref(),
            Some("java.lang.NullPointerException")
        );
        assert_eq!(findings[1].methods, ["a(int)", "b()"]);
        assert!((findings[1].seconds - 2.5).abs() < 1e-9);
        assert_eq!(findings[1].analysis_bug.as_deref(), Some("ruled out"));
    }

    #[test]
    fn a_hunt_that_goes_on_has_no_numbers_yet() {
        let text = DOCUMENT.replace("true", "false").replace(
            "\"numbers\": {\"pairs\": 3, \"plans\": 90, \"failed_plans\": 2, \"schedules\": 9000,\n            \"time_ms\": 3000.0}",
            r#""numbers": null"#,
        );
        let document: Document = serde_json::from_str(&text).unwrap();
        assert!(!document.finished && document.numbers().is_none());
        assert_eq!(document.findings(&Log::default()).len(), 2);
    }
}
