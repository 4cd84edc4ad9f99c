//! The whole report, as Markdown.

use super::list::Subject;
use super::{Outcome, Row, difference, summary, table};
use crate::markdown::add;

const LEGEND: &str = "\
M is the set of unordered pairs of public methods, M_pc the pairs that are conflict and parallel dependent, M_d those \
that are double-lock dependent, −% the share of M that needs no test. \"paper\" and \"precise\" are Raddle's two \
precisions, \"Table IV\" is what DepCon+ prints for its version of the class. \"public\" counts public methods, beside \
what CovCon and DepCon+ count. \"ms\" is the precise analysis alone in a fresh process state: JDK and class path opened, \
nothing loaded. \"failing kept\" counts pairs known to fail that are in M_pc ∪ M_d.
";

pub(super) fn render(outcome: &Outcome) -> String {
    let mut text = format!(
        "# Subjects of the papers\n\n{}, JDK {}, raddle {}. Made by `cargo xtask subjects`.\n\n{LEGEND}\n{}",
        outcome.date,
        outcome.jdk_version,
        env!("CARGO_PKG_VERSION"),
        table::render(&outcome.rows),
    );
    section(
        &mut text,
        "Failing pairs that were pruned",
        &pruned(&outcome.rows),
    );
    section(&mut text, "Average reduction", &summary::render(&outcome.rows));
    let feature = outcome
        .jdk_version
        .split('.')
        .next()
        .and_then(|feature| feature.parse().ok());
    section(
        &mut text,
        "Differences from the papers",
        &difference::from_papers(&outcome.rows, feature.unwrap_or(0)),
    );
    section(
        &mut text,
        "Kinds of pairs, precise, where the reduction is below the paper's average",
        &difference::below_average(&outcome.rows),
    );
    section(
        &mut text,
        "Subjects that could not be analysed",
        &reasons(&outcome.unanalysed),
    );
    section(
        &mut text,
        "Subjects that could not be had",
        &reasons(&outcome.absent),
    );
    text
}

fn section(text: &mut String, title: &str, content: &str) {
    let content = if content.is_empty() { "None.\n" } else { content };
    add(text, format_args!("\n## {title}\n\n{content}"));
}

fn reasons(subjects: &[(Subject, String)]) -> String {
    let line =
        |(subject, reason): &(Subject, String)| format!("- {} {}: {reason}.\n", subject.id, subject.class);
    subjects.iter().map(line).collect()
}

fn pruned(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        let mut lines = |precision: &str, pruned: &[String]| {
            for pair in pruned {
                add(
                    &mut text,
                    format_args!(
                        "- {precision}: {} {}: {pair}\n",
                        row.subject.id, row.subject.class
                    ),
                );
            }
        };
        lines("precise", &row.verdicts.pruned_in_precise);
        lines("paper", &row.verdicts.pruned_in_paper);
        for method in &row.verdicts.unknown {
            add(
                &mut text,
                format_args!(
                    "- {} {} has no public method `{method}`; correct bench/subjects.toml\n",
                    row.subject.id, row.subject.class
                ),
            );
        }
    }
    text
}
