//! The table with one line per subject.

use raddle_summary::Counts;

use super::Row;
use super::list::DepCon;
use crate::markdown::{Side, Table};

const HEAD: [(&str, Side); 22] = [
    ("id", Side::Left),
    ("class", Side::Left),
    ("version", Side::Left),
    ("public", Side::Right),
    ("CovCon", Side::Right),
    ("DepCon+", Side::Right),
    ("M", Side::Right),
    ("paper M_pc", Side::Right),
    ("M_d", Side::Right),
    ("∪", Side::Right),
    ("−%", Side::Right),
    ("precise M_pc", Side::Right),
    ("M_d", Side::Right),
    ("∪", Side::Right),
    ("−%", Side::Right),
    ("Table IV M", Side::Right),
    ("M_pc", Side::Right),
    ("M_d", Side::Right),
    ("∪", Side::Right),
    ("−%", Side::Right),
    ("ms", Side::Right),
    ("failing kept", Side::Right),
];

pub(super) fn render(rows: &[Row]) -> String {
    let mut table = Table::new(&HEAD);
    for row in rows {
        table.row(cells(row));
        for published in &row.subject.covcon_also {
            let mut cells = vec![String::new(); HEAD.len()];
            cells[4] = published.public.to_string();
            table.row(cells);
        }
        for published in &row.subject.depcon_also {
            let mut cells = vec![String::new(); HEAD.len()];
            cells[5] = published.public.to_string();
            cells[15..20].clone_from_slice(&published_cells(published));
            table.row(cells);
        }
    }
    table.render()
}

fn cells(row: &Row) -> Vec<String> {
    let subject = &row.subject;
    let or_dash = |number: Option<usize>| number.map_or_else(|| "–".to_owned(), |number| number.to_string());
    let mut cells = vec![
        std::iter::once(&subject.id)
            .chain(&subject.also)
            .cloned()
            .collect::<Vec<_>>()
            .join(", "),
        subject.class.clone(),
        subject.version(),
        row.precise.facts.methods.len().to_string(),
        or_dash(subject.covcon.as_ref().map(|published| published.public)),
        or_dash(subject.depcon.as_ref().map(|published| published.public)),
        row.precise.facts.counts.m.to_string(),
    ];
    cells.extend(count_cells(&row.paper.facts.counts));
    cells.extend(count_cells(&row.precise.facts.counts));
    cells.extend(match &subject.depcon {
        Some(published) => published_cells(published),
        None => ["–"; 5].map(str::to_owned),
    });
    cells.push(row.precise.time.as_millis().to_string());
    let verdicts = &row.verdicts;
    cells.push(match verdicts.total {
        0 => "–".to_owned(),
        total => format!(
            "{}/{total} (paper {}/{total})",
            verdicts.kept_in_precise, verdicts.kept_in_paper
        ),
    });
    cells
}

fn count_cells(counts: &Counts) -> [String; 4] {
    [
        counts.mpc.to_string(),
        counts.md.to_string(),
        counts.union.to_string(),
        percent(counts.reduction_percent()),
    ]
}

fn published_cells(published: &DepCon) -> [String; 5] {
    let [mpc, md, union, reduction] = count_cells(&published.counts());
    [published.m.to_string(), mpc, md, union, reduction]
}

pub(super) fn percent(value: f64) -> String {
    format!("{value:.1}")
}
