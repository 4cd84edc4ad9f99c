//! The report: totals of both halves, and the classes and findings of the open one.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::draw::{Drawn, Half};
use super::judgement::{Category, Judgement, Judgements};
use super::record::{Record, Standing, Verdict, text};
use super::set::Set;
use crate::bench::hunting::statistics::{count, median};
use crate::bench::machine;
use crate::markdown::{Side, Table, add};

/// Below this share of pairs, it says little that nothing was found.
const LITTLE: f64 = 0.3;
const LEGEND: &str = "
Classes that nobody has chosen: `README.md` beside the list has the rule by which they were drawn. Each was hunted once, as \
`raddle hunt --jobs 1 --seed 1 --promise built` does it, which is how classes are hunted that a pattern matches. Green, red and inconclusive are the exit codes 0, 1 and 3. Every finding is judged by \
hand: a bug that maintainers would accept; a guarantee that is documented to be weak; misuse of a protocol; an artefact of \
ours. Precision is the share of bugs among the findings that were judged. Findings that may be by design, that a stock JVM does not \
show, or of a class that is documented as not for threads are listed apart. \"No promise\" are those that would count if the \
class were named: what they break is state that the class leaves unguarded; \"bugs of these\" is of those that were judged. Both are \
in no other number. Coverage is the share of the pairs of methods that \
could hurt each other which the hunt says it has covered.";
const OF_CLOSED: &str = " Of the closed half only this table is shown, so that nothing is tuned to it.";

pub(super) fn render(set: Set, sample: &[Drawn], records: &[Record], judgements: &Judgements) -> String {
    // A class that is no longer in the sample is not counted.
    let records: Vec<&Record> = records
        .iter()
        .filter(|record| sample.iter().any(|drawn| drawn.class == record.class))
        .collect();
    let mut text = head(set, &records);
    text.push_str(LEGEND);
    if set.has_closed_half() {
        text.push_str(OF_CLOSED);
    }
    add(
        &mut text,
        format_args!(
            "\n\n## Totals\n\n{}",
            totals(set, sample, &records, judgements).render()
        ),
    );
    let open: Vec<&Record> = records
        .iter()
        .copied()
        .filter(|record| record.half == Half::Open)
        .collect();
    add(
        &mut text,
        format_args!("\n## Findings{}\n\n{}", of_open(set), findings(&open, judgements)),
    );
    add(
        &mut text,
        format_args!("\n## Classes{}\n\n{}", of_open(set), classes(&open).render()),
    );
    text
}

/// After a word for what may be shown finding by finding.
fn of_open(set: Set) -> &'static str {
    if set.has_closed_half() {
        " of the open half"
    } else {
        ""
    }
}

/// Precision and coverage of both halves.
pub(super) fn in_short(sample: &[Drawn], records: &[Record], judgements: &Judgements) -> String {
    let of_half = |half: Half| {
        let hunted: Vec<&Record> = records
            .iter()
            .filter(|record| {
                sample
                    .iter()
                    .any(|drawn| drawn.class == record.class && drawn.half == half)
            })
            .collect();
        let all = judged(&hunted, judgements, Standing::Counts);
        let bugs = all
            .iter()
            .flatten()
            .filter(|one| one.category == Category::Bug)
            .count();
        let coverage: Vec<f64> = hunted.iter().filter_map(|record| record.coverage()).collect();
        format!(
            "{} half, {} classes: {} findings, {} judged, bugs among these {}, median coverage {}.",
            half.name(),
            hunted.len(),
            all.len(),
            all.iter().flatten().count(),
            share_cell(bugs, all.iter().flatten().count()),
            percent_cell(median(coverage))
        )
    };
    format!(
        "Classes that nobody has chosen: {} {}",
        of_half(Half::Open),
        of_half(Half::Closed)
    )
}

fn head(set: Set, records: &[&Record]) -> String {
    let distinct = |what: fn(&Record) -> String| {
        let values: BTreeSet<String> = records.iter().map(|record| what(record)).collect();
        let values: Vec<String> = values.into_iter().filter(|value| !value.is_empty()).collect();
        values.join(" and ")
    };
    let loads = || records.iter().map(|record| record.load);
    format!(
        "# {}\n\n{}, commit {}, JDK {}, {}, load {:.1} to {:.1}. Made by `cargo xtask bench sample --set {}`.\n\n\
         {} hunts with a budget of {}, seed 1.\n",
        set.title(),
        distinct(|record| record.date.clone()),
        distinct(|record| record.commit.clone()),
        distinct(|record| record.jdk_version.clone()),
        machine::processor(),
        loads().reduce(f64::min).unwrap_or(0.0),
        loads().reduce(f64::max).unwrap_or(0.0),
        set.name(),
        records.len(),
        distinct(|record| format!("{} s", record.budget().as_secs_f64())),
    )
}

fn totals(set: Set, sample: &[Drawn], records: &[&Record], judgements: &Judgements) -> Table {
    let mut columns = vec![
        ("half", Side::Left),
        ("classes", Side::Right),
        ("hunted", Side::Right),
        ("green", Side::Right),
        ("red", Side::Right),
        ("inconclusive", Side::Right),
        ("no result", Side::Right),
        ("listed apart", Side::Right),
        ("no promise", Side::Right),
        ("bugs of these", Side::Right),
        ("findings", Side::Right),
    ];
    columns.extend(Category::ALL.map(|category| (category.name(), Side::Right)));
    columns.extend([
        ("not judged", Side::Right),
        ("precision", Side::Right),
        ("median coverage", Side::Right),
        ("classes below 30 %", Side::Right),
    ]);
    let mut table = Table::new(&columns);
    let mut row = |name: &str, is_part: &dyn Fn(Half) -> bool| {
        let part: Vec<&Record> = records
            .iter()
            .copied()
            .filter(|record| is_part(record.half))
            .collect();
        let drawn = sample.iter().filter(|drawn| is_part(drawn.half)).count();
        table.row(totals_cells(name, drawn, &part, judgements));
    };
    if set.has_closed_half() {
        row(Half::Open.name(), &|half| half == Half::Open);
        row(Half::Closed.name(), &|half| half == Half::Closed);
        row("both", &|_| true);
    } else {
        row("all", &|_| true);
    }
    table
}

fn totals_cells(name: &str, drawn: usize, records: &[&Record], judgements: &Judgements) -> Vec<String> {
    let with = |verdict: Verdict| {
        let found = records.iter().filter(|record| record.verdict() == verdict);
        found.count().to_string()
    };
    let unpromised = judged(records, judgements, Standing::Unpromised);
    let apart = judged(records, judgements, Standing::Apart);
    let judged = judged(records, judgements, Standing::Counts);
    let is_bug = |one: &&&Judgement| one.category == Category::Bug;
    let unpromised_bugs = unpromised.iter().flatten().filter(is_bug).count();
    let of_category = |category: Category| {
        let meant = judged.iter().flatten().filter(|one| one.category == category);
        meant.count()
    };
    let all_judged = judged.iter().flatten().count();
    let coverage: Vec<f64> = records.iter().filter_map(|record| record.coverage()).collect();
    let little = coverage.iter().filter(|share| **share < LITTLE).count();
    let mut cells = vec![
        name.to_owned(),
        drawn.to_string(),
        records.len().to_string(),
        with(Verdict::Green),
        with(Verdict::Red),
        with(Verdict::Inconclusive),
        with(Verdict::Failed),
        apart.len().to_string(),
        unpromised.len().to_string(),
        share_cell(unpromised_bugs, unpromised.iter().flatten().count()),
        judged.len().to_string(),
    ];
    cells.extend(Category::ALL.map(|category| of_category(category).to_string()));
    cells.extend([
        (judged.len() - all_judged).to_string(),
        share_cell(of_category(Category::Bug), all_judged),
        percent_cell(median(coverage.clone())),
        share_cell(little, coverage.len()),
    ]);
    cells
}

/// Of every finding with this standing.
fn judged<'j>(
    records: &[&Record],
    judgements: &'j Judgements,
    wanted: Standing,
) -> Vec<Option<&'j Judgement>> {
    let findings = records.iter().flat_map(|record| {
        let all = record.all_findings();
        all.map(move |(finding, standing)| (*record, finding, standing))
    });
    findings
        .filter(|(_, _, standing)| *standing == wanted)
        .map(|(record, finding, _)| of(record, finding, judgements))
        .collect()
}

fn of<'j>(
    record: &Record,
    finding: &Map<String, Value>,
    judgements: &'j Judgements,
) -> Option<&'j Judgement> {
    judgements.of(&record.class, text(finding, "id"))
}

/// Such as `3 of 4, 75 %`; a dash of nothing.
fn share_cell(part: usize, all: usize) -> String {
    if all == 0 {
        return "–".to_owned();
    }
    let share = count(part as u64) / count(all as u64);
    format!("{part} of {all}, {}", percent_cell(Some(share)))
}

fn percent_cell(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.0} %", 100.0 * share))
}

fn findings(records: &[&Record], judgements: &Judgements) -> String {
    let mut table = Table::new(&[
        ("class", Side::Left),
        ("finding", Side::Left),
        ("methods", Side::Left),
        ("stock JVM", Side::Left),
        ("counts", Side::Left),
        ("what", Side::Left),
        ("judgement", Side::Left),
        ("why", Side::Left),
    ]);
    let mut is_empty = true;
    for record in records {
        for (finding, standing) in record.all_findings() {
            is_empty = false;
            let judgement = of(record, finding, judgements);
            table.row(vec![
                record.class.clone(),
                text(finding, "id").to_owned(),
                methods(finding),
                text(finding, "stock_jvm").to_owned(),
                standing.name().to_owned(),
                short(text(finding, "sentence")),
                judgement
                    .map_or("not judged", |one| one.category.name())
                    .to_owned(),
                cell(judgement.and_then(|one| one.why.as_deref()).unwrap_or_default()),
            ]);
        }
    }
    if is_empty {
        "None.\n".to_owned()
    } else {
        table.render()
    }
}

/// Text that may hold anything, as part of a row.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// The same, cut where a table would become too wide to read.
fn short(text: &str) -> String {
    const LONGEST: usize = 160;
    let text = cell(text);
    if text.chars().count() <= LONGEST {
        return text;
    }
    let mut cut: String = text.chars().take(LONGEST).collect();
    cut.push('…');
    cut
}

/// A method that stands alone is called by both threads.
fn methods(finding: &Map<String, Value>) -> String {
    let methods = finding.get("methods").and_then(Value::as_array);
    let names: Vec<&str> = methods.into_iter().flatten().filter_map(Value::as_str).collect();
    match names[..] {
        [only] => format!("{only} ∥ {only}"),
        _ => names.join(" ∥ "),
    }
}

fn classes(records: &[&Record]) -> Table {
    let mut table = Table::new(&[
        ("class", Side::Left),
        ("of", Side::Left),
        ("verdict", Side::Left),
        ("findings", Side::Right),
        ("pairs", Side::Right),
        ("coverage", Side::Right),
        ("plans", Side::Right),
        ("failed plans", Side::Right),
        ("why not more", Side::Left),
    ]);
    for record in records {
        let number = |name: &str| {
            let number = record.number(name);
            number.map_or_else(|| "–".to_owned(), |number| number.to_string())
        };
        let gaps = record.of_class.get("gaps").and_then(Value::as_array);
        let gaps: Vec<&str> = gaps.into_iter().flatten().filter_map(Value::as_str).collect();
        table.row(vec![
            record.class.clone(),
            record.artifact.clone(),
            record.verdict().name().to_owned(),
            record.findings.len().to_string(),
            number("pairs"),
            percent_cell(record.coverage()),
            number("plans"),
            number("failed_plans"),
            short(record.said.as_deref().unwrap_or(&gaps.join("; "))),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data() -> ([Drawn; 4], [Record; 4], Judgements) {
        let sample = [
            Drawn::sample("a.A", Half::Open),
            Drawn::sample("a.B", Half::Closed),
            Drawn::sample("a.C", Half::Open),
            Drawn::sample("a.D", Half::Closed),
        ];
        let mut closed = Record::sample("a.B", Some(1)).with(&["result-7"], 3, 4);
        closed.half = Half::Closed;
        let records = [
            Record::sample("a.A", Some(1)).with(&["result-1", "result-2", "result-3"], 1, 4),
            closed,
            Record::sample("a.C", Some(0)).with(&[], 4, 4),
            Record::sample("a.Gone", Some(1)).with(&["result-9"], 1, 1),
        ];
        let open = "[[judgement]]\nclass = 'a.A'\nfinding = 'result-1'\ncategory = 'bug'\nwhy = 'Loses an element.'\n\
                    [[judgement]]\nclass = 'a.A'\nfinding = 'result-2'\ncategory = 'artefact'\nwhy = 'The clock.'\n";
        let closed = "[[judgement]]\nclass = 'a.B'\nfinding = 'result-7'\ncategory = 'documented'\n";
        (sample, records, Judgements::parse(open, closed).unwrap())
    }

    fn report() -> String {
        let (sample, records, judgements) = data();
        render(Set::Sample, &sample, &records, &judgements)
    }

    #[test]
    fn the_page_has_it_in_two_sentences() {
        let (sample, records, judgements) = data();
        assert_eq!(
            in_short(&sample, &records, &judgements),
            "Classes that nobody has chosen: open half, 2 classes: 3 findings, 2 judged, bugs among these 1 of 2, 50 %, median \
             coverage 62 %. closed half, 1 classes: 1 findings, 1 judged, bugs among these 0 of 1, 0 %, median coverage 75 %."
        );
    }

    fn row(text: &str, start: &str) -> String {
        let line = text.lines().find(|line| line.starts_with(start)).unwrap();
        let cells = line.trim_matches('|').split('|').map(str::trim);
        cells.collect::<Vec<_>>().join(" ; ")
    }

    #[test]
    fn halves_are_summed_up() {
        let text = report();
        assert_eq!(
            row(&text, "| open"),
            "open ; 2 ; 2 ; 1 ; 1 ; 0 ; 0 ; 0 ; 0 ; – ; 3 ; 1 ; 0 ; 0 ; 1 ; 1 ; 1 of 2, 50 % ; 62 % ; 1 of 2, 50 %"
        );
        assert_eq!(
            row(&text, "| closed"),
            "closed ; 2 ; 1 ; 0 ; 1 ; 0 ; 0 ; 0 ; 0 ; – ; 1 ; 0 ; 1 ; 0 ; 0 ; 0 ; 0 of 1, 0 % ; 75 % ; 0 of 1, 0 %"
        );
        assert_eq!(
            row(&text, "| both"),
            "both ; 4 ; 3 ; 1 ; 2 ; 0 ; 0 ; 0 ; 0 ; – ; 4 ; 1 ; 1 ; 0 ; 1 ; 1 ; 1 of 3, 33 % ; 75 % ; 1 of 3, 33 %"
        );
    }

    #[test]
    fn findings_of_the_open_half_stand_with_their_judgement() {
        let text = report();
        assert_eq!(
            row(&text, "| a.A   | result-1"),
            "a.A ; result-1 ; a() ∥ b() ; confirmed ; yes ; wrong ; bug ; Loses an element."
        );
        assert!(row(&text, "| a.A   | result-3").contains("; not judged"));
    }

    #[test]
    fn what_a_class_says_does_not_break_the_table() {
        assert_eq!(cell("a | b\n  c"), "a \\| b c");
    }

    #[test]
    fn nothing_of_the_closed_half_is_named() {
        let text = report();
        assert!(!text.contains("a.B") && !text.contains("result-7"), "{text}");
        assert!(!text.contains("a.Gone"), "{text}");
    }
}
