//! The report: the papers' numbers and ours, class by class.

use super::first;
use super::hunts::{Hunts, Number, of_paper};
use crate::bench::hunting::expectation::Kind;
use crate::bench::hunting::head;
use crate::bench::hunting::list::{Group, Paper, Subject};
use crate::bench::hunting::published::{Published, Results};
use crate::bench::hunting::record::{Aim, End, Record, StockJvm, Strategy};
use crate::bench::hunting::statistics::{count, seconds_cell, whole_cell};
use crate::markdown::{Side, Table, add};

const LEGEND: &str = "
Hunts end by themselves when every prediction has been tried, or else with the budget. \"Tests\" are the plans that were \
assembled from predictions, \"run\" those that were run, \"failed\" those whose objects could not be prepared; a prediction \
that was realised is tried with a second test if the first showed nothing to a caller, and then no more. Predictions are distinct by their places in the program. \
\"Realised\" counts those whose interleaving was seen to happen, \"observable\" those of them whose run a caller can tell \
from every sequential order. Only findings are reported, which anybody can observe: an \
exception, a wrong result, a deadlock that no sequential order has. Several predictions may come to one finding, since these \
are told apart by their causes. What was realised and came to none is benign as far as seen. \"Confirmed\" are findings that their reproducers show on a JVM without Raddle. Schedules are all that were run, those \
that made findings smaller included. Seconds are of the class, without the start of the analysis. Of several seeds, numbers \
are medians. The papers' numbers are of their versions of the classes and of their machines.
";

const OMEN: &str = "
D are nodes of the lock dependency relation, Θ cycles, CMI concurrent method invocations, DL deadlocks that the paper's \
detector reports, TP those that are real; all from Omen Table 6, with tests of Randoop as seeds. I_TP and I_MS are from \
Table 7, with tests of volunteers and of the authors. Seconds are the sum of the three phases.

";

const INTRUDER: &str = "
T are unique pairs of accesses, T_S tests, A atomicity violations that the paper's detector reports, TP those that are real; \
all from Intruder Table 6.

";

const NARADA: &str = "
T_O are tests, TP real atomicity violations that they expose; both from Intruder Table 7, which has no times. The paper on \
Narada itself has other classes.

";

/// A table of one row per class and their sum.
struct Numbers {
    table: Table,
    sums: Vec<Number>,
}

/// How a column is written. The last one of each table has seconds.
fn cells(numbers: &[Number]) -> Vec<String> {
    let (seconds, whole) = numbers
        .split_last()
        .map_or((None, numbers), |(last, rest)| (*last, rest));
    let mut cells: Vec<String> = whole.iter().copied().map(whole_cell).collect();
    cells.push(seconds_cell(seconds));
    cells
}

impl Numbers {
    fn new(columns: &[&'static str]) -> Numbers {
        let mut head = vec![("id", Side::Left), ("class", Side::Left)];
        head.extend(columns.iter().map(|title| (*title, Side::Right)));
        Numbers {
            table: Table::new(&head),
            sums: vec![None; columns.len()],
        }
    }

    fn row(&mut self, subject: &Subject, numbers: &[Number]) {
        for (sum, number) in self.sums.iter_mut().zip(numbers) {
            *sum = match (*sum, *number) {
                (Some(sum), Some(number)) => Some(sum + number),
                (sum, number) => sum.or(number),
            };
        }
        let mut row = vec![subject.id.clone(), subject.class.clone()];
        row.extend(cells(numbers));
        self.table.row(row);
    }

    fn render(mut self) -> String {
        let mut row = vec!["total".to_owned(), String::new()];
        row.extend(cells(&self.sums));
        self.table.row(row);
        self.table.render()
    }
}

pub(super) fn render(
    groups: &[Group],
    subjects: &[Subject],
    records: &[Record],
    published: &Results,
) -> String {
    let mut text = head::render("Directed tests", "directed", records);
    text.push_str(LEGEND);
    let parts = [
        (
            "Omen: deadlocks",
            OMEN,
            omen_printed(subjects, published),
            omen(subjects, records),
        ),
        (
            "Intruder: atomicity violations",
            INTRUDER,
            intruder_printed(subjects, published),
            intruder(subjects, records),
        ),
        (
            "Narada: races",
            NARADA,
            narada_printed(subjects, published),
            narada(subjects, records),
        ),
    ];
    for (title, legend, printed, ours) in parts {
        add(
            &mut text,
            format_args!("\n## {title}\n\n### Measured\n\n{ours}\n### As published\n{legend}{printed}"),
        );
    }
    text.push_str(&first::render(subjects, records));
    text.push_str(&cut_short(records));
    text.push_str(&inconclusive(records));
    text.push_str(&unconfirmed(records));
    text.push_str(&head::missing(groups, subjects, records));
    text
}

fn printed(number: Option<u32>) -> Number {
    number.map(f64::from)
}

fn omen_printed(subjects: &[Subject], published: &Results) -> String {
    let mut table = Numbers::new(&[
        "D", "Θ", "CMI", "tests", "DL", "TP", "I_TP DL", "I_TP TP", "I_MS DL", "I_MS TP", "s",
    ]);
    for (subject, number) in of_paper(subjects, Paper::Omen) {
        let papers = published.of(number);
        let randoop = papers.and_then(|papers| papers.omen);
        let volunteers = papers.and_then(|papers| papers.omen_volunteers);
        let authors = papers.and_then(|papers| papers.omen_authors);
        table.row(
            subject,
            &[
                randoop.map(|omen| omen.lock_nodes),
                randoop.map(|omen| omen.cycles),
                randoop.map(|omen| omen.invocations),
                randoop.map(|omen| omen.tests),
                randoop.map(|omen| omen.deadlocks),
                randoop.map(|omen| omen.real),
                volunteers.map(|found| found.deadlocks),
                volunteers.map(|found| found.real),
                authors.map(|found| found.deadlocks),
                authors.map(|found| found.real),
                randoop.map(|omen| omen.seconds),
            ]
            .map(printed),
        );
    }
    table.render()
}

fn omen(subjects: &[Subject], records: &[Record]) -> String {
    let mut table = Numbers::new(&[
        "sequential tests",
        "lock nodes",
        "cycles",
        "tests",
        "run",
        "failed",
        "predictions",
        "realised",
        "findings",
        "confirmed",
        "schedules",
        "s",
    ]);
    for (subject, _) in of_paper(subjects, Paper::Omen) {
        let hunts = Hunts::of(records, subject, Strategy::Omen, Aim::Everything);
        table.row(
            subject,
            &[
                hunts.predicted("sequential tests"),
                hunts.predicted("lock nodes"),
                hunts.predicted("cycles"),
                hunts.predicted("tests"),
                hunts.plans(),
                hunts.failed_plans(),
                hunts.predicted("distinct predictions"),
                hunts.predicted("realised"),
                hunts.findings(|_| true),
                hunts.confirmed(),
                hunts.schedules(),
                hunts.seconds(),
            ],
        );
    }
    table.render()
}

fn intruder_printed(subjects: &[Subject], published: &Results) -> String {
    let mut table = Numbers::new(&["pairs", "T", "T_S", "A", "TP", "s"]);
    for (subject, number) in of_paper(subjects, Paper::Intruder) {
        let intruder = published.of(number).and_then(|papers| papers.intruder);
        table.row(
            subject,
            &[
                printed(intruder.map(|intruder| intruder.pairs)),
                printed(intruder.map(|intruder| intruder.unique)),
                printed(intruder.map(|intruder| intruder.tests)),
                printed(intruder.map(|intruder| intruder.violations)),
                printed(intruder.map(|intruder| intruder.real)),
                intruder.map(|intruder| intruder.seconds),
            ],
        );
    }
    table.render()
}

fn intruder(subjects: &[Subject], records: &[Record]) -> String {
    found(
        subjects,
        records,
        Strategy::Intruder,
        &["accesses", "pairs", "unique pairs", "feasible"],
    )
}

fn narada_printed(subjects: &[Subject], published: &Results) -> String {
    let mut table = Numbers::new(&["T_O", "TP", "s"]);
    for (subject, number) in of_paper(subjects, Paper::Intruder) {
        let narada = published.of(number).and_then(|papers: &Published| papers.narada);
        table.row(
            subject,
            &[
                printed(narada.map(|narada| narada.tests)),
                printed(narada.map(|narada| narada.real)),
                None,
            ],
        );
    }
    table.render()
}

fn narada(subjects: &[Subject], records: &[Record]) -> String {
    found(subjects, records, Strategy::Narada, &["pairs", "races"])
}

/// What a strategy predicted of Intruder's classes, by its own names, and what came of it.
fn found(subjects: &[Subject], records: &[Record], strategy: Strategy, predicted: &[&'static str]) -> String {
    let mut columns = vec!["sequential tests"];
    columns.extend(predicted);
    columns.extend([
        "tests",
        "run",
        "failed",
        "predictions",
        "realised",
        "observable",
        "exceptions",
        "results",
        "deadlocks",
        "others",
        "confirmed",
        "schedules",
        "s",
    ]);
    let mut table = Numbers::new(&columns);
    for (subject, _) in of_paper(subjects, Paper::Intruder) {
        let hunts = Hunts::of(records, subject, strategy, Aim::Everything);
        let of_kinds = |kinds: &[Kind]| hunts.findings(|finding| kinds.contains(&finding.kind));
        let mut numbers = vec![hunts.predicted("sequential tests")];
        numbers.extend(predicted.iter().map(|name| hunts.predicted(name)));
        numbers.extend([
            hunts.predicted("tests"),
            hunts.plans(),
            hunts.failed_plans(),
            hunts.predicted("distinct predictions"),
            hunts.predicted("realised"),
            hunts.predicted("observable"),
            of_kinds(&[Kind::Exception]),
            of_kinds(&[Kind::Result]),
            of_kinds(&[Kind::Deadlock]),
            of_kinds(&[Kind::LostWakeup, Kind::Livelock]),
            hunts.confirmed(),
            hunts.schedules(),
            hunts.seconds(),
        ]);
        table.row(subject, &numbers);
    }
    table.render()
}

/// Hunts whose budget was used up before all predictions had been tried; empty if there are none.
fn cut_short(records: &[Record]) -> String {
    let mut text = String::new();
    for record in records {
        let is_whole = record.key.aim == Aim::Everything && matches!(record.end, End::Met | End::Itself);
        if is_whole && record.class_seconds * 1000.0 >= count(record.budget_ms) {
            let tests = record.predicted.get("tests").copied().unwrap_or(0);
            add(
                &mut text,
                format_args!(
                    "- {}: {} of {tests} tests tried\n",
                    record.key,
                    record.plans + record.failed_plans
                ),
            );
        }
    }
    if text.is_empty() {
        return text;
    }
    format!("\n## Not to the end of the predictions\n\n{text}")
}

/// Why little was tried in some hunts; empty if there are none.
fn inconclusive(records: &[Record]) -> String {
    let mut text = String::new();
    for record in records {
        for gap in &record.gaps {
            add(&mut text, format_args!("- {}: {gap}\n", record.key));
        }
    }
    if text.is_empty() {
        return text;
    }
    format!("\n## Inconclusive\n\n{text}")
}

/// Findings that no reproducer shows; empty if there are none.
fn unconfirmed(records: &[Record]) -> String {
    let mut text = String::new();
    for record in records {
        for finding in &record.findings {
            if finding.stock_jvm == StockJvm::NotConfirmed {
                add(
                    &mut text,
                    format_args!(
                        "- {}: {}, {}\n",
                        record.key,
                        finding.id,
                        finding.methods.join(" ∥ ")
                    ),
                );
            }
        }
    }
    if text.is_empty() {
        return text;
    }
    format!("\n## Not confirmed on a JVM without Raddle\n\n{text}")
}

#[cfg(test)]
mod tests {
    use super::super::sample::{record, rows, subjects};
    use super::*;
    use crate::bench::hunting::published;
    use crate::bench::hunting::record::Found;

    fn predicted(mut record: Record, numbers: &[(&str, u64)]) -> Record {
        record.predicted = numbers
            .iter()
            .map(|(name, number)| ((*name).to_owned(), *number))
            .collect();
        record
    }

    fn report(records: &[Record]) -> String {
        render(
            &[Group::Jdk, Group::Library, Group::Standin, Group::Directed],
            &subjects(),
            records,
            &published::read().unwrap(),
        )
    }

    #[test]
    fn the_papers_numbers_are_those_of_the_class_in_that_paper() {
        let text = report(&[record("S17", Strategy::Omen, Aim::Everything, Vec::new())]);
        assert_eq!(
            rows(&text, "Omen", 1, "S17"),
            ["S17 ; java.util.Hashtable ; 28 ; 28 ; 21 ; 15 ; 20 ; 19 ; 3 ; 2 ; 20 ; 19 ; 111.0"]
        );
        assert_eq!(
            rows(&text, "Omen", 1, "S40"),
            ["S40-standin ; standin.s40.MonitoredObjectImpl ; – ; – ; – ; – ; – ; – ; 1 ; 1 ; 1 ; 1 ; –"]
        );
        let total = rows(&text, "Omen", 1, "total");
        assert!(
            total[0].contains(" ; 26 ; 61 ; 45 ; 63 ; 42 ; 81 ; 60 ; "),
            "{total:?}"
        );
        assert_eq!(
            rows(&text, "Intruder", 1, "total"),
            ["total ;  ; 359 ; 74 ; 40 ; 133 ; 79 ; 85.2"]
        );
        assert_eq!(rows(&text, "Narada", 1, "total"), ["total ;  ; 10 ; 20 ; –"]);
    }

    #[test]
    fn ours_are_predictions_and_what_came_of_them() {
        let mut unconfirmed = Found::sample(Kind::Result, 1.0);
        unconfirmed.stock_jvm = StockJvm::NotConfirmed;
        let findings = vec![Found::sample(Kind::Exception, 1.0), unconfirmed];
        let numbers = [
            ("sequential tests", 9),
            ("accesses", 70),
            ("pairs", 60),
            ("unique pairs", 50),
            ("feasible", 40),
            ("tests", 30),
            ("distinct predictions", 20),
            ("realised", 11),
            ("observable", 7),
        ];
        let records = [
            predicted(
                record("S16", Strategy::Intruder, Aim::Everything, findings),
                &numbers,
            ),
            predicted(
                record("S27", Strategy::Intruder, Aim::Everything, Vec::new()),
                &numbers,
            ),
        ];
        let text = report(&records);
        assert_eq!(
            rows(&text, "Intruder", 0, "S16"),
            [
                "S16 ; java.lang.StringBuffer ; 9 ; 70 ; 60 ; 50 ; 40 ; 30 ; 100 ; 1 ; 20 ; 11 ; 7 ; 1 ; 1 ; 0 ; 0 ; 1 ; 10000 ; 59.5"
            ]
        );
        assert_eq!(
            rows(&text, "Intruder", 0, "total"),
            [
                "total ;  ; 18 ; 140 ; 120 ; 100 ; 80 ; 60 ; 200 ; 2 ; 40 ; 22 ; 14 ; 1 ; 1 ; 0 ; 0 ; 1 ; 20000 ; 119.0"
            ]
        );
        assert!(
            text.contains("- S16-jdk17-intruder-controlled-1: result-0, a() ∥ b(int)\n"),
            "{text}"
        );
        assert!(
            rows(&text, "Narada", 0, "S16")[0].ends_with(" ; – ; – ; –"),
            "not hunted"
        );
    }

    #[test]
    fn hunts_that_could_try_little_say_why() {
        let mut record = record("S32", Strategy::Narada, Aim::Everything, Vec::new());
        assert!(!report(std::slice::from_ref(&record)).contains("## Inconclusive"));
        record.gaps.push("hardly any plan could be run".to_owned());
        let text = report(&[record]);
        assert!(
            text.contains(
                "## Inconclusive\n\n- S32-jdk17-narada-controlled-1: hardly any plan could be run\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn hunts_that_were_cut_short_are_told() {
        let mut records = [
            predicted(
                record("S25", Strategy::Omen, Aim::Everything, Vec::new()),
                &[("tests", 400)],
            ),
            record("S17", Strategy::Omen, Aim::FirstDeadlock, Vec::new()),
        ];
        assert!(!report(&records).contains("## Not to the end"));
        for record in &mut records {
            record.class_seconds = 60.0;
        }
        let text = report(&records);
        assert!(
            text.contains(
                "## Not to the end of the predictions\n\n- S25-jdk17-omen-controlled-1: 101 of 400 tests tried\n\n"
            ),
            "{text}"
        );
        assert!(!text.contains("-first: "), "{text}");
    }
}
