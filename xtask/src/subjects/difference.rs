//! Where our numbers differ from the papers', and why pairs are left.

use std::collections::BTreeSet;

use raddle_summary::{ClassFacts, PairFacts};

use super::Row;
use super::failing::is_dependent;
use super::kind::Kinds;
use super::summary::PUBLISHED_REDUCTION;
use crate::markdown::add;

/// One line per subject whose numbers are not the paper's.
pub(super) fn from_papers(rows: &[Row], jdk: u32) -> String {
    let lines = rows.iter().filter_map(|row| line(row, jdk));
    lines.collect()
}

fn line(row: &Row, jdk: u32) -> Option<String> {
    let subject = &row.subject;
    let facts = &row.precise.facts;
    let ours = facts.methods.len();
    let mut differences = Vec::new();
    if let Some(published) = &subject.depcon {
        if published.public != ours {
            differences.push(format!(
                "{ours} public methods against {} in DepCon+ {}",
                published.public, published.id
            ));
        }
        if published.union != facts.counts.union {
            differences.push(format!(
                "∪ {} (paper precision {}) against {} in {}",
                facts.counts.union, row.paper.facts.counts.union, published.union, published.id
            ));
        }
    }
    if let Some(published) = &subject.covcon
        && published.public != ours
    {
        differences.push(format!(
            "{ours} public methods against {} ({} pairs) in CovCon {}",
            published.public, published.pairs, published.id
        ));
    }
    let measured = match jdk {
        17 => Some(subject.measured.jdk17),
        25 => Some(subject.measured.jdk25),
        _ => None,
    };
    if let Some(measured) = measured.filter(|measured| *measured != ours) {
        differences.push(format!("{ours} public methods against {measured} counted before"));
    }
    if differences.is_empty() {
        return None;
    }
    let mut text = format!("- {} {}: {}.", subject.id, subject.class, differences.join(", "));
    text.push_str(&against_paper_precision(facts, &row.paper.facts));
    text.push(' ');
    text.push_str(subject.note.trim());
    if !subject.papers.is_empty() {
        add(&mut text, format_args!(" Other papers: {}.", subject.papers));
    }
    text.push('\n');
    Some(text)
}

/// Pairs that only one of our two precisions has.
fn against_paper_precision(precise: &ClassFacts, paper: &ClassFacts) -> String {
    let (in_precise, in_paper) = (positions(precise), positions(paper));
    let beyond = |facts: &ClassFacts, other: &BTreeSet<(usize, usize)>| {
        let only: Vec<&PairFacts> = facts
            .pairs
            .iter()
            .filter(|pair| is_dependent(pair) && !other.contains(&(pair.first, pair.second)))
            .collect();
        (only.len(), Kinds::of(facts, only.into_iter()).words())
    };
    let mut text = String::new();
    for (title, (count, kinds)) in [
        ("Only in precise", beyond(precise, &in_paper)),
        ("Only in paper precision", beyond(paper, &in_precise)),
    ] {
        if count > 0 {
            add(&mut text, format_args!(" {title}: {count} ({kinds})."));
        }
    }
    text
}

/// Both precisions number the methods alike.
fn positions(facts: &ClassFacts) -> BTreeSet<(usize, usize)> {
    let dependent = facts.pairs.iter().filter(|pair| is_dependent(pair));
    dependent.map(|pair| (pair.first, pair.second)).collect()
}

/// Kinds of the pairs of every subject that is reduced less than the paper's average.
pub(super) fn below_average(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        let facts = &row.precise.facts;
        let reduction = facts.counts.reduction_percent();
        if reduction < PUBLISHED_REDUCTION {
            add(
                &mut text,
                format_args!(
                    "- {} {}: {reduction:.1} %, {} of {} pairs: {}.\n",
                    row.subject.id,
                    facts.class,
                    facts.counts.union,
                    facts.counts.m,
                    Kinds::of(facts, facts.pairs.iter()).words()
                ),
            );
        }
    }
    text
}
