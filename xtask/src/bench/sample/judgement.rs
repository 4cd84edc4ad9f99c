//! What people say of the findings: `judgements.toml`, and for a closed half, of which only totals are shown,
//! `judgements-closed.toml`.

use std::collections::BTreeMap;

use anyhow::{Context, bail};
use serde::Deserialize;

use super::set::Set;
use crate::workspace;

const OPEN: &str = "judgements.toml";
const CLOSED: &str = "judgements-closed.toml";

/// What a finding is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Category {
    /// Its maintainers would accept it.
    Bug,
    /// A guarantee that the documentation says is weak.
    Documented,
    /// The test uses the class in a way that its protocol forbids.
    Misuse,
    /// Of ours: the class does nothing wrong.
    Artefact,
}

impl Category {
    pub(super) const ALL: [Category; 4] = [
        Category::Bug,
        Category::Documented,
        Category::Misuse,
        Category::Artefact,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Category::Bug => "bug",
            Category::Documented => "documented",
            Category::Misuse => "misuse",
            Category::Artefact => "artefact",
        }
    }
}

/// Of one finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Judgement {
    pub(super) category: Category,
    /// None in the closed half.
    pub(super) why: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpenFile {
    #[serde(default)]
    judgement: Vec<OpenRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpenRow {
    class: String,
    finding: String,
    category: Category,
    why: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClosedFile {
    #[serde(default)]
    judgement: Vec<ClosedRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClosedRow {
    class: String,
    finding: String,
    category: Category,
}

/// Judgements by class and by the id of the finding.
pub(super) struct Judgements(BTreeMap<(String, String), Judgement>);

impl Judgements {
    pub(super) fn read(set: Set) -> anyhow::Result<Judgements> {
        let text = |file: &str| workspace::read(workspace::root(), &set.path(file));
        let closed = if set.has_closed_half() {
            text(CLOSED)?
        } else {
            String::new()
        };
        Judgements::parse(&text(OPEN)?, &closed)
    }

    pub(super) fn parse(open: &str, closed: &str) -> anyhow::Result<Judgements> {
        let open: OpenFile = toml::from_str(open).with_context(|| format!("cannot parse {OPEN}"))?;
        let closed: ClosedFile = toml::from_str(closed).with_context(|| format!("cannot parse {CLOSED}"))?;
        let open = open
            .judgement
            .into_iter()
            .map(|row| (row.class, row.finding, row.category, Some(row.why)));
        let closed = closed
            .judgement
            .into_iter()
            .map(|row| (row.class, row.finding, row.category, None));
        let mut judgements = BTreeMap::new();
        for (class, finding, category, why) in open.chain(closed) {
            let judgement = Judgement { category, why };
            if judgements
                .insert((class.clone(), finding.clone()), judgement)
                .is_some()
            {
                bail!("{class} {finding} is judged twice; correct {OPEN} or {CLOSED}");
            }
        }
        Ok(Judgements(judgements))
    }

    pub(super) fn of(&self, class: &str, finding: &str) -> Option<&Judgement> {
        self.0.get(&(class.to_owned(), finding.to_owned()))
    }

    #[cfg(test)]
    fn classes(&self) -> impl Iterator<Item = (&str, &Judgement)> {
        self.0
            .iter()
            .map(|((class, _), judgement)| (class.as_str(), judgement))
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;
    use crate::bench::sample::draw::{self, Half};

    #[test]
    fn every_judgement_is_of_a_class_of_its_half_and_says_why_in_the_open_one() {
        for &set in Set::value_variants() {
            let sample = draw::read(set).unwrap();
            for (class, judgement) in Judgements::read(set).unwrap().classes() {
                let drawn = sample.iter().find(|drawn| drawn.class == class).unwrap();
                assert_eq!(drawn.half == Half::Open, judgement.why.is_some(), "{class}");
                assert!(
                    judgement.why.as_ref().is_none_or(|why| !why.trim().is_empty()),
                    "{class}"
                );
            }
        }
    }

    #[test]
    fn the_closed_half_is_judged_without_a_word() {
        let row = "[[judgement]]\nclass = 'a.B'\nfinding = 'result-1'\ncategory = 'misuse'\n";
        let judgements = Judgements::parse("", row).unwrap();
        assert_eq!(
            judgements.of("a.B", "result-1").unwrap().category,
            Category::Misuse
        );
        assert_eq!(judgements.of("a.B", "result-2"), None);
        let with_why = format!("{row}why = 'because'\n");
        assert!(Judgements::parse("", &with_why).is_err());
        assert!(
            Judgements::parse(row, "").is_err(),
            "the open half has to say why"
        );
        assert!(Judgements::parse(&with_why, row).is_err(), "judged twice");
    }
}
