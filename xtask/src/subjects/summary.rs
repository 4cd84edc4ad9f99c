//! Averages over the subjects.

use super::Row;
use super::table::percent;
use crate::markdown::{Side, Table};

/// What DepCon+ says of its own average.
pub(super) const PUBLISHED_REDUCTION: f64 = 83.0;

pub(super) fn render(rows: &[Row]) -> String {
    let mut table = Table::new(&[
        ("average reduction over", Side::Left),
        ("classes", Side::Right),
        ("precise %", Side::Right),
        ("paper %", Side::Right),
        ("as printed %", Side::Right),
    ]);
    let mut line = |title: &str, chosen: &dyn Fn(&Row) -> bool| {
        let chosen: Vec<&Row> = rows.iter().filter(|row| chosen(row)).collect();
        let precise = mean(
            chosen
                .iter()
                .map(|row| row.precise.facts.counts.reduction_percent()),
        );
        let paper = mean(
            chosen
                .iter()
                .map(|row| row.paper.facts.counts.reduction_percent()),
        );
        let printed = mean(chosen.iter().filter_map(|row| {
            let published = row.subject.depcon.as_ref()?;
            Some(published.counts().reduction_percent())
        }));
        table.row(vec![
            title.to_owned(),
            chosen.len().to_string(),
            precise,
            paper,
            printed,
        ]);
    };
    line("DepCon+ Table IV", &|row| row.subject.depcon.is_some());
    line("CovCon Table II", &|row| row.subject.covcon.is_some());
    line("either", &|row| {
        row.subject.depcon.is_some() || row.subject.covcon.is_some()
    });
    line("all subjects", &|_| true);
    format!(
        "{}\nDepCon+ says {PUBLISHED_REDUCTION:.0} % of its own subjects. \"As printed\" is the average of Table IV over \
         those of the classes that it has.\n",
        table.render()
    )
}

fn mean(values: impl Iterator<Item = f64>) -> String {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value;
        count += 1.0;
    }
    if count > 0.0 {
        percent(sum / count)
    } else {
        "–".to_owned()
    }
}
