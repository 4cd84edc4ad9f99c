//! The file `journal.jsonl`: what a class needs to be hunted on; `docs/raddle-out.md` describes it.
//!
//! A line for the version, then a line for every plan that was tried, and one for the end of the class.
//! Whatever the end of the file looks like, the whole lines before it are as good as ever.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use raddle_campaign::{Exercise, Fared, Numbers, Reach, Settled, Sighting, Silenced, TrialRecord, Tried};
use raddle_generate::Feedback;
use raddle_oracle::Kind;
use serde::{Deserialize, Serialize};

use crate::bounded;
use crate::resume_options::Bounds;
use crate::resume_state::ResumeError;

/// Changes its number whenever a reader of the old file would misread the new one.
const VERSION: u32 = 4;

/// The file while it is written.
pub(crate) struct Journal(File);

/// What the file says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Entries {
    pub(crate) tried: Vec<Tried>,
    /// If the class was done, the bounds that it was done for.
    pub(crate) ended: Option<Bounds>,
    /// Bytes of the file that are whole lines.
    length: u64,
}

/// Plans that a strategy can be ahead of what it has heard; a worker has four.
const MOST_AHEAD: usize = 1 << 16;

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Version {
        raddle_journal: u32,
    },
    Tried {
        tried: Box<TrialLine>,
        window: usize,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        settled: Vec<SettledLine>,
        schedules: u64,
        steps: u64,
        #[serde(default, skip_serializing_if = "is_zero")]
        repeats: u64,
        time_ms: u64,
        used_ms: u64,
    },
    Ended {
        ended: Bounds,
    },
}

#[derive(Serialize, Deserialize)]
struct TrialLine {
    plan: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    prefix_threw: Option<(usize, String)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    always_throws: Vec<(usize, String)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    wanted: Vec<(usize, String)>,
    #[serde(default, skip_serializing_if = "is_false")]
    violation: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    covered: Vec<(usize, usize)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    realised: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    observable: Vec<String>,
    #[serde(default, skip_serializing_if = "is_false")]
    is_slow: bool,
    #[serde(default)]
    work: u64,
    #[serde(default, skip_serializing_if = "is_false")]
    asks_time: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    branches: Vec<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    encounters: Vec<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    blind_spots: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    silenced: Vec<Silenced>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    thrown: Vec<String>,
    exercise: ExerciseLine,
}

#[derive(Serialize, Deserialize)]
struct ExerciseLine {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    methods: Vec<(String, FaredLine)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pairs: Vec<(String, String, ReachName)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    objects: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    handed_out: Vec<String>,
    #[serde(default, skip_serializing_if = "is_false")]
    serial: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    apart: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FaredLine {
    Returned,
    Threw(String, String),
    Hung,
    Unprepared(String, String),
    Refused(String),
}

#[derive(Copy, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ReachName {
    Failed,
    Threw,
    Serial,
    Apart,
    Met,
}

#[derive(Serialize, Deserialize)]
struct SettledLine {
    cause: String,
    #[serde(flatten)]
    came_to: CameTo,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    also: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CameTo {
    Finding(String),
    Unconfirmed(SightingLine),
}

/// What was seen and not confirmed; also a part of `run.json`.
#[derive(Serialize, Deserialize)]
pub(crate) struct SightingLine {
    kind: Kind,
    sentence: String,
    methods: Vec<String>,
    why: String,
    #[serde(default, skip_serializing_if = "is_false")]
    unfair: bool,
}

impl From<&Sighting> for SightingLine {
    fn from(sighting: &Sighting) -> SightingLine {
        SightingLine {
            kind: sighting.kind,
            sentence: sighting.summary.clone(),
            methods: sighting.methods.clone(),
            why: sighting.why.clone(),
            unfair: sighting.is_no_violation,
        }
    }
}

impl From<SightingLine> for Sighting {
    fn from(line: SightingLine) -> Sighting {
        Sighting {
            kind: line.kind,
            summary: line.sentence,
            methods: line.methods,
            why: line.why,
            is_no_violation: line.unfair,
        }
    }
}

impl Journal {
    /// A new file.
    pub(crate) fn create(path: &Path) -> io::Result<Journal> {
        let mut journal = Journal(bounded::create(path)?);
        journal.append(&Line::Version {
            raddle_journal: VERSION,
        })?;
        Ok(journal)
    }

    /// Goes on after what was read.
    pub(crate) fn go_on(path: &Path, entries: &Entries) -> io::Result<Journal> {
        let mut file = bounded::go_on(path)?;
        file.set_len(entries.length)?;
        file.seek(SeekFrom::Start(entries.length))?;
        Ok(Journal(file))
    }

    pub(crate) fn tried(&mut self, tried: &Tried) -> io::Result<()> {
        let numbers = &tried.numbers;
        self.append(&Line::Tried {
            tried: Box::new(TrialLine::of(&tried.trial)),
            window: tried.window,
            settled: tried.settled.iter().map(SettledLine::of).collect(),
            schedules: numbers.schedules,
            steps: numbers.steps,
            repeats: numbers.repeats,
            time_ms: milliseconds(numbers.time),
            used_ms: milliseconds(tried.used),
        })
    }

    pub(crate) fn ended(&mut self, bounds: Bounds) -> io::Result<()> {
        self.append(&Line::Ended { ended: bounds })
    }

    /// One write per line, so that no more than the last one can be torn.
    fn append(&mut self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.0.write_all(text.as_bytes())
    }
}

impl Entries {
    /// Reads the file as far as its lines are whole; none if there is no file, or not even its first line.
    pub(crate) fn read(path: &Path) -> Result<Option<Entries>, ResumeError> {
        let bytes = match bounded::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(ResumeError::unreadable(path, &error)),
        };
        let mut entries = Entries::default();
        for bytes in bytes.split_inclusive(|byte| *byte == b'\n') {
            let Some(line) = bytes
                .strip_suffix(b"\n")
                .and_then(|line| serde_json::from_slice(line).ok())
            else {
                break;
            };
            match line {
                Line::Version { raddle_journal } if raddle_journal != VERSION => {
                    return Err(ResumeError::unreadable(
                        path,
                        &format!(
                            "it is of version {raddle_journal}, and this program reads version {VERSION}"
                        ),
                    ));
                }
                Line::Version { .. } => {}
                _ if entries.length == 0 => break,
                Line::Tried {
                    tried,
                    window,
                    settled,
                    schedules,
                    steps,
                    repeats,
                    time_ms,
                    used_ms,
                } => {
                    let numbers = [schedules, steps, repeats, time_ms, used_ms];
                    if window > MOST_AHEAD || numbers.into_iter().any(|number| number > bounded::MOST) {
                        return Err(ResumeError::unreadable(path, &"a number in it is too large"));
                    }
                    entries.ended = None;
                    entries.tried.push(Tried {
                        window,
                        trial: tried.record(),
                        settled: settled.into_iter().map(SettledLine::settled).collect(),
                        numbers: Numbers {
                            schedules,
                            steps,
                            repeats,
                            time: Duration::from_millis(time_ms),
                            ..Numbers::default()
                        },
                        used: Duration::from_millis(used_ms),
                    });
                }
                Line::Ended { ended } => entries.ended = Some(ended),
            }
            entries.length += bytes.len() as u64;
        }
        Ok((entries.length > 0).then_some(entries))
    }
}

impl TrialLine {
    fn of(record: &TrialRecord) -> TrialLine {
        let feedback = record.feedback.clone();
        TrialLine {
            plan: record.plan.clone(),
            prefix_threw: feedback.prefix_threw,
            always_throws: feedback.always_throws,
            wanted: feedback.wanted,
            violation: feedback.violation,
            covered: feedback.covered,
            refused: feedback.refused,
            realised: feedback.realised,
            observable: feedback.observable,
            is_slow: feedback.is_slow,
            work: feedback.work,
            asks_time: feedback.asks_time,
            branches: feedback.branches,
            encounters: feedback.encounters,
            failure: record.failure.clone(),
            blind_spots: record.blind_spots.clone(),
            notes: record.notes.clone(),
            exercise: ExerciseLine::of(&record.exercise),
            thrown: record.thrown.clone(),
            silenced: record.silenced.clone(),
        }
    }

    fn record(self) -> TrialRecord {
        TrialRecord {
            plan: self.plan,
            feedback: Feedback {
                prefix_threw: self.prefix_threw,
                always_throws: self.always_throws,
                wanted: self.wanted,
                violation: self.violation,
                covered: self.covered,
                refused: self.refused,
                realised: self.realised,
                observable: self.observable,
                is_slow: self.is_slow,
                work: self.work,
                asks_time: self.asks_time,
                branches: self.branches,
                encounters: self.encounters,
            },
            failure: self.failure,
            blind_spots: self.blind_spots,
            notes: self.notes,
            silenced: self.silenced,
            thrown: self.thrown,
            exercise: self.exercise.exercise(),
        }
    }
}

impl ExerciseLine {
    fn of(exercise: &Exercise) -> ExerciseLine {
        let methods = exercise.methods.iter();
        let pairs = exercise.pairs.iter();
        ExerciseLine {
            methods: methods
                .map(|(method, fared)| (method.clone(), FaredLine::of(fared)))
                .collect(),
            pairs: pairs
                .map(|((first, second), reach)| (first.clone(), second.clone(), ReachName::of(*reach)))
                .collect(),
            objects: exercise.objects.clone(),
            handed_out: exercise.handed_out.clone(),
            serial: exercise.is_serial,
            apart: exercise.is_apart,
        }
    }

    fn exercise(self) -> Exercise {
        let methods = self.methods.into_iter();
        let pairs = self.pairs.into_iter();
        Exercise {
            methods: methods.map(|(method, fared)| (method, fared.fared())).collect(),
            pairs: pairs
                .map(|(first, second, reach)| ((first, second), reach.reach()))
                .collect(),
            objects: self.objects,
            handed_out: self.handed_out,
            is_serial: self.serial,
            is_apart: self.apart,
        }
    }
}

impl FaredLine {
    fn of(fared: &Fared) -> FaredLine {
        match fared.clone() {
            Fared::Returned => FaredLine::Returned,
            Fared::Threw(class, message) => FaredLine::Threw(class, message),
            Fared::Hung => FaredLine::Hung,
            Fared::Unprepared(class, message) => FaredLine::Unprepared(class, message),
            Fared::Refused(why) => FaredLine::Refused(why),
        }
    }

    fn fared(self) -> Fared {
        match self {
            FaredLine::Returned => Fared::Returned,
            FaredLine::Threw(class, message) => Fared::Threw(class, message),
            FaredLine::Hung => Fared::Hung,
            FaredLine::Unprepared(class, message) => Fared::Unprepared(class, message),
            FaredLine::Refused(why) => Fared::Refused(why),
        }
    }
}

impl ReachName {
    fn of(reach: Reach) -> ReachName {
        match reach {
            Reach::Failed => ReachName::Failed,
            Reach::Threw => ReachName::Threw,
            Reach::Serial => ReachName::Serial,
            Reach::Apart => ReachName::Apart,
            Reach::Met => ReachName::Met,
        }
    }

    fn reach(self) -> Reach {
        match self {
            ReachName::Failed => Reach::Failed,
            ReachName::Threw => Reach::Threw,
            ReachName::Serial => Reach::Serial,
            ReachName::Apart => Reach::Apart,
            ReachName::Met => Reach::Met,
        }
    }
}

impl SettledLine {
    fn of(settled: &Settled) -> SettledLine {
        SettledLine {
            cause: settled.cause.clone(),
            came_to: match &settled.came_to {
                Ok(id) => CameTo::Finding(id.clone()),
                Err(sighting) => CameTo::Unconfirmed(sighting.into()),
            },
            also: settled.also.clone(),
        }
    }

    fn settled(self) -> Settled {
        Settled {
            cause: self.cause,
            came_to: match self.came_to {
                CameTo::Finding(id) => Ok(id),
                CameTo::Unconfirmed(sighting) => Err(sighting.into()),
            },
            also: self.also,
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(truth: &bool) -> bool {
    !truth
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const BOUNDS: Bounds = Bounds {
        budget_ms: 60_000,
        max_plans: None,
        max_findings: 20,
    };

    fn exercise() -> Exercise {
        let name = |name: &str| name.to_owned();
        let fared = [
            ("add(int)", Fared::Returned),
            ("get()", Fared::Threw(name("a.Problem"), name("no"))),
            ("take()", Fared::Hung),
            ("put(int)", Fared::Unprepared(name("a.Problem"), String::new())),
            ("set(int)", Fared::Refused(name("no"))),
        ];
        let reached = [
            Reach::Failed,
            Reach::Threw,
            Reach::Serial,
            Reach::Apart,
            Reach::Met,
        ];
        Exercise {
            methods: fared.map(|(method, fared)| (name(method), fared)).into(),
            pairs: reached
                .map(|reach| ((name("add(int)"), format!("{reach:?}()")), reach))
                .into(),
            objects: vec![name("a.B")],
            handed_out: vec![name("a.C")],
            is_serial: true,
            is_apart: true,
        }
    }

    fn tried(plan: &str) -> Tried {
        let trial = TrialRecord {
            plan: plan.to_owned(),
            feedback: Feedback {
                prefix_threw: Some((1, "a.Problem".to_owned())),
                always_throws: vec![(2, "b.Problem".to_owned())],
                wanted: vec![(2, "b.Order".to_owned())],
                violation: true,
                covered: vec![(0, 3)],
                refused: Some("no".to_owned()),
                realised: vec!["here > there".to_owned()],
                observable: vec!["here > there".to_owned()],
                is_slow: true,
                work: 11,
                asks_time: true,
                branches: vec![7],
                encounters: vec![9],
            },
            failure: Some("why".to_owned()),
            blind_spots: Some("where".to_owned()),
            notes: vec!["so it is".to_owned()],
            exercise: exercise(),
            thrown: vec!["0badcafe".to_owned()],
            silenced: vec![Silenced {
                kind: raddle_oracle::Kind::Result,
                methods: vec!["size()".to_owned()],
                because: "it is documented".to_owned(),
                count: 2,
            }],
        };
        let settled = |came_to| Settled {
            cause: "result add()V".to_owned(),
            came_to,
            also: Some("add() ∥ clear()".to_owned()),
        };
        Tried {
            window: 8,
            trial,
            settled: vec![
                settled(Ok("result-1".to_owned())),
                settled(Err(Sighting {
                    kind: Kind::Result,
                    summary: "Wrong result: one.".to_owned(),
                    methods: vec!["add()".to_owned()],
                    why: "not so".to_owned(),
                    is_no_violation: true,
                })),
            ],
            numbers: Numbers {
                schedules: 7,
                steps: 90,
                repeats: 1,
                time: Duration::from_millis(1500),
                ..Numbers::default()
            },
            used: Duration::from_millis(1200),
        }
    }

    #[test]
    fn what_was_written_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal.jsonl");
        assert_eq!(Entries::read(&path).unwrap(), None);
        let mut journal = Journal::create(&path).unwrap();
        journal.tried(&tried("a")).unwrap();
        journal.tried(&tried("b")).unwrap();
        journal.ended(BOUNDS).unwrap();
        let entries = Entries::read(&path).unwrap().unwrap();
        assert_eq!(entries.tried, [tried("a"), tried("b")]);
        assert_eq!(entries.ended, Some(BOUNDS));
        // A class that is hunted on has not ended.
        Journal::go_on(&path, &entries)
            .unwrap()
            .tried(&tried("c"))
            .unwrap();
        let entries = Entries::read(&path).unwrap().unwrap();
        assert_eq!((entries.tried.len(), entries.ended), (3, None));
    }

    #[test]
    fn a_torn_line_is_as_if_it_had_never_been_begun() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal.jsonl");
        let mut journal = Journal::create(&path).unwrap();
        journal.tried(&tried("a")).unwrap();
        let whole = fs::read(&path).unwrap();
        journal.tried(&tried("b")).unwrap();
        let all = fs::read(&path).unwrap();
        for cut in whole.len()..all.len() {
            fs::write(&path, &all[..cut]).unwrap();
            let entries = Entries::read(&path).unwrap().unwrap();
            assert_eq!(entries.tried, [tried("a")], "cut at {cut}");
            Journal::go_on(&path, &entries)
                .unwrap()
                .tried(&tried("b"))
                .unwrap();
            assert_eq!(fs::read(&path).unwrap(), all, "cut at {cut}");
        }
        fs::write(&path, "{\"raddle_jour").unwrap();
        assert_eq!(Entries::read(&path).unwrap(), None);
    }

    #[test]
    fn a_number_that_no_hunt_has_written_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        for wrong in [
            "\"window\":18446744073709551615",
            "\"steps\":18446744073709551615",
        ] {
            let mut journal = Journal::create(&path).unwrap();
            journal.tried(&tried("a")).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            let name = wrong.split(':').next().unwrap();
            let at = text.find(name).unwrap();
            let end = at + text[at..].find([',', '}']).unwrap();
            std::fs::write(&path, format!("{}{wrong}{}", &text[..at], &text[end..])).unwrap();
            let message = Entries::read(&path).unwrap_err().to_string();
            assert!(message.contains("a number in it is too large"), "{message}");
        }
    }

    #[test]
    fn another_version_is_not_guessed_at() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal.jsonl");
        fs::write(&path, "{\"raddle_journal\":9}\n{\"what\":1}\n").unwrap();
        let message = Entries::read(&path).unwrap_err().to_string();
        assert!(message.contains("it is of version 9"), "{message}");
    }
}
