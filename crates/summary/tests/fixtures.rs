//! What the Java files in `fixtures` say about themselves, compared with what both analyses find.

#![allow(
    clippy::panic,
    reason = "clippy.toml allows it in test functions; helpers are the same"
)]

use std::collections::{BTreeMap, BTreeSet};

use raddle_program::Program;
use raddle_summary::{
    Access, AccessKind, Analyzer, ClassFacts, ConflictKind, MethodFacts, PairFacts, Precision,
};
use raddle_testkit::{
    Analysis, Claim, Expectation, Fixture, Fixtures, MethodRef, Relation, Summary, fixtures, parse,
};

/// How a lock ends that is held for reading only.
const SHARED: &str = " (shared)";

const TOPICS: [&str; 5] = ["alias", "calls", "data", "figures", "locks"];

#[test]
fn alias_fixtures_hold() {
    topic_holds("alias");
}

#[test]
fn calls_fixtures_hold() {
    topic_holds("calls");
}

#[test]
fn data_fixtures_hold() {
    topic_holds("data");
}

#[test]
fn figures_fixtures_hold() {
    topic_holds("figures");
}

#[test]
fn locks_fixtures_hold() {
    topic_holds("locks");
}

#[test]
fn every_topic_has_a_test() {
    assert_eq!(
        all().topics(),
        TOPICS,
        "give every folder of fixtures/analyze a test in this file"
    );
}

#[test]
fn known_misses_are_still_missed() {
    let fixtures = all();
    let mut complaints = Vec::new();
    for fixture in fixtures.known_misses() {
        let report = Report::of(fixtures.program(), fixture);
        if report.mistakes.is_empty() && report.failures.is_empty() {
            complaints.push(format!(
                "{}: every expectation holds; move it out of fixme",
                fixture.file
            ));
        }
        complaints.extend(report.mistakes);
    }
    assert!(complaints.is_empty(), "\n\n{}\n", complaints.join("\n\n"));
}

fn all() -> &'static Fixtures {
    fixtures().unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn topic_holds(topic: &str) {
    let fixtures = all();
    let mut complaints = Vec::new();
    let mut count = 0;
    for fixture in fixtures.of_topic(topic) {
        let report = Report::of(fixtures.program(), fixture);
        count += report.checked;
        complaints.extend(report.mistakes);
        complaints.extend(report.failures);
    }
    assert!(
        complaints.is_empty(),
        "\n\n{}\n\n{topic}: {} complaints, {count} expectations checked\n",
        complaints.join("\n\n"),
        complaints.len(),
    );
}

/// One fixture, checked in both precisions.
#[derive(Default)]
struct Report {
    checked: usize,
    /// Lines that cannot hold or fail, because they name nothing.
    mistakes: Vec<String>,
    /// Lines that do not hold.
    failures: Vec<String>,
}

impl Report {
    fn of(program: &Program, fixture: &Fixture) -> Report {
        let mut report = Report::default();
        let file = &fixture.file;
        let expectations = match parse(&fixture.text) {
            Ok(expectations) if expectations.is_empty() => {
                report.mistakes.push(format!("{file}: no expectation at all"));
                return report;
            }
            Ok(expectations) => expectations,
            Err(mistakes) => {
                report
                    .mistakes
                    .extend(mistakes.iter().map(|mistake| format!("{file}:{mistake}")));
                return report;
            }
        };
        for (analysis, precision) in [
            (Analysis::Paper, Precision::Paper),
            (Analysis::Precise, Precision::Precise),
        ] {
            let name = if precision == Precision::Paper {
                "paper"
            } else {
                "precise"
            };
            let analyzer = Analyzer::new(program, precision);
            let mut analysed = BTreeMap::new();
            let applies = |expectation: &&Expectation| expectation.only.is_none_or(|only| only == analysis);
            for Expectation {
                line, class, claim, ..
            } in expectations.iter().filter(applies)
            {
                let facts = analysed
                    .entry(class)
                    .or_insert_with(|| analyze(program, &analyzer, class));
                let outcome = match facts {
                    Ok(facts) => check(facts, claim),
                    Err(message) => Err(message.clone()),
                };
                report.checked += 1;
                match outcome {
                    Ok(Verdict::Holds) => {}
                    Ok(Verdict::Fails { found }) => {
                        report
                            .failures
                            .push(format!("{file}:{line}: [{name}] {claim}\n{found}"));
                    }
                    Err(message) => report.mistakes.push(format!("{file}:{line}: [{name}] {message}")),
                }
            }
        }
        report
    }
}

fn analyze(program: &Program, analyzer: &Analyzer<'_>, class: &str) -> Result<ClassFacts, String> {
    let id = program.find_class(class).map_err(|error| error.to_string())?;
    if program.name(id) != class {
        return Err(format!(
            "write the binary name {} instead of {class}",
            program.name(id)
        ));
    }
    analyzer.analyze(id).map_err(|error| error.to_string())
}

enum Verdict {
    Holds,
    Fails { found: String },
}

/// An error is a mistake in the line itself.
fn check(facts: &ClassFacts, claim: &Claim) -> Result<Verdict, String> {
    match claim {
        Claim::Exactly {
            summary,
            method,
            elements,
        } => {
            let found = summary_of(&facts.methods[find(facts, method)?], *summary);
            if found == *elements {
                return Ok(Verdict::Holds);
            }
            let missing: BTreeSet<String> = elements.difference(&found).cloned().collect();
            let surplus: BTreeSet<String> = found.difference(elements).cloned().collect();
            Ok(Verdict::Fails {
                found: format!(
                    "    found:   {}\n    missing: {}\n    surplus: {}",
                    list(&found),
                    list(&missing),
                    list(&surplus)
                ),
            })
        }
        Claim::Related {
            relation,
            holds,
            first,
            second,
        } => {
            let (a, b) = (find(facts, first)?, find(facts, second)?);
            let (a, b) = (a.min(b), a.max(b));
            let pair = facts
                .pairs
                .iter()
                .find(|pair| (pair.first, pair.second) == (a, b));
            let (first, second) = (&facts.methods[a], &facts.methods[b]);
            let found = match relation {
                Relation::Parallel => pair.map_or_else(|| !share_a_lock(first, second), |pair| pair.parallel),
                Relation::Conflict => pair
                    .and_then(|pair| pair.conflict)
                    .is_some_and(|conflict| conflict.kind == ConflictKind::ReadWrite),
                Relation::DoubleLock => pair.is_some_and(|pair| pair.double_lock.is_some()),
                Relation::ParallelConflict => pair.is_some_and(|pair| pair.mpc),
            };
            if found == *holds {
                return Ok(Verdict::Holds);
            }
            Ok(Verdict::Fails {
                found: evidence(*relation, pair, first, second),
            })
        }
    }
}

fn find(facts: &ClassFacts, wanted: &MethodRef) -> Result<usize, String> {
    let is_named = |method: &MethodFacts| wanted.names(&method.signature);
    let named: Vec<usize> = (0..facts.methods.len())
        .filter(|&at| is_named(&facts.methods[at]))
        .collect();
    match named[..] {
        [] => {
            let known: Vec<&str> = facts.methods.iter().map(|method| &*method.signature).collect();
            Err(format!(
                "{} has no public method {wanted}; it has {}",
                facts.class,
                known.join(", ")
            ))
        }
        [one] => Ok(one),
        _ => Err(format!(
            "{} has several methods {wanted}; write the parameter types",
            facts.class
        )),
    }
}

fn summary_of(method: &MethodFacts, summary: Summary) -> BTreeSet<String> {
    match summary {
        Summary::Accesses => method.accesses.iter().map(written).collect(),
        Summary::Locks => method.locks.iter().cloned().collect(),
        Summary::DoubleLocks => method
            .double_locks
            .iter()
            .map(|lock| format!("<{}, {}>", lock.first, lock.second))
            .collect(),
    }
}

/// `R(this.n)`.
fn written(access: &Access) -> String {
    let kind = match access.kind {
        AccessKind::Read => "R",
        AccessKind::Write => "W",
    };
    format!("{kind}({})", access.location)
}

/// Definition 8, for a pair without any other dependency. Two holders of a shared lock do not exclude each other.
fn share_a_lock(first: &MethodFacts, second: &MethodFacts) -> bool {
    let shared = |lock: &str| lock.ends_with(SHARED);
    first.locks.iter().any(|left| {
        second.locks.iter().any(|right| {
            let is_same = left.trim_end_matches(SHARED) == right.trim_end_matches(SHARED);
            is_same && !(shared(left) && shared(right))
        })
    })
}

/// What speaks for the answer that was found.
fn evidence(
    relation: Relation,
    pair: Option<&PairFacts>,
    first: &MethodFacts,
    second: &MethodFacts,
) -> String {
    let summaries: &[Summary] = match relation {
        Relation::Parallel => &[Summary::Locks],
        Relation::Conflict => &[Summary::Accesses],
        Relation::DoubleLock => &[Summary::DoubleLocks],
        Relation::ParallelConflict => &[Summary::Locks, Summary::Accesses],
    };
    let mut lines = Vec::new();
    let met = pair
        .and_then(|pair| pair.conflict)
        .filter(|_| summaries.contains(&Summary::Accesses));
    if let Some(conflict) = met {
        let (left, right) = (
            &first.accesses[conflict.first_access],
            &second.accesses[conflict.second_access],
        );
        lines.push(format!("    found:   {} meets {}", written(left), written(right)));
    }
    let methods = if first.signature == second.signature {
        vec![first]
    } else {
        vec![first, second]
    };
    for summary in summaries {
        for method in &methods {
            lines.push(format!(
                "    found:   {summary} {} = {}",
                method.signature,
                list(&summary_of(method, *summary))
            ));
        }
    }
    lines.join("\n")
}

fn list(elements: &BTreeSet<String>) -> String {
    if elements.is_empty() {
        "-".to_owned()
    } else {
        elements.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
    }
}
