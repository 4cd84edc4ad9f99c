//! The draw: of every stratum the classes whose names have the smallest hashes, and halves by the same hash. The result is
//! committed, and a test draws it again.

use std::collections::BTreeSet;

use anyhow::Context;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::population::{self, Population, Stratum};
use super::set::Set;
use crate::{file, workspace};

pub(super) const FILE: &str = "classes.toml";
const HEAD: &str = "\
# What was drawn, in the order of the hashes. Made by `cargo xtask bench sample --draw`; not to be edited.
";
/// Where a class of the JDK comes from.
const OF_JDK: &str = "jdk";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    class: Vec<Drawn>,
}

/// A class of the sample.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Drawn {
    #[serde(rename = "name")]
    pub(super) class: String,
    pub(super) half: Half,
    pub(super) stratum: String,
    /// Maven coordinates with the version, or `jdk`.
    pub(super) artifact: String,
}

/// What may be looked at.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Half {
    /// Every finding.
    Open,
    /// Totals only.
    Closed,
}

impl Half {
    pub(super) fn name(self) -> &'static str {
        match self {
            Half::Open => "open",
            Half::Closed => "closed",
        }
    }
}

/// The sample as it was drawn once.
pub(super) fn read(set: Set) -> anyhow::Result<Vec<Drawn>> {
    Ok(set.read::<File>(FILE)?.class)
}

pub(super) fn write(set: Set, sample: &[Drawn]) -> anyhow::Result<()> {
    let file = File {
        class: sample.to_vec(),
    };
    let text = toml::to_string_pretty(&file).context("cannot write the sample as TOML")?;
    file::write(
        &workspace::root().join(set.path(FILE)),
        &format!("{HEAD}\n{text}"),
    )
}

/// Draws from the population, without the classes that were looked at.
pub(super) fn draw(set: Set, population: &Population) -> anyhow::Result<Vec<Drawn>> {
    Ok(drawn(
        set,
        population,
        &population::strata(set)?,
        &population::seen(set)?,
    ))
}

fn drawn(set: Set, population: &Population, strata: &[Stratum], seen: &BTreeSet<String>) -> Vec<Drawn> {
    let mut chosen: Vec<(Vec<u8>, &str, &Stratum)> = Vec::new();
    for stratum in strata {
        let mut own: Vec<(Vec<u8>, &str)> = population
            .of(&stratum.name)
            .filter(|class| !seen.contains(*class))
            .map(|class| (hash(set, class), class))
            .collect();
        own.sort_unstable();
        own.truncate(stratum.take);
        chosen.extend(own.into_iter().map(|(hash, class)| (hash, class, stratum)));
    }
    chosen.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    chosen
        .into_iter()
        .enumerate()
        .map(|(index, (_, class, stratum))| Drawn {
            class: class.to_owned(),
            half: if index % 2 == 0 || !set.has_closed_half() {
                Half::Open
            } else {
                Half::Closed
            },
            stratum: stratum.name.clone(),
            artifact: stratum.jars.first().cloned().unwrap_or_else(|| OF_JDK.to_owned()),
        })
        .collect()
}

fn hash(set: Set, class: &str) -> Vec<u8> {
    Sha256::digest(format!("{}{class}", set.salt())).to_vec()
}

#[cfg(test)]
impl Drawn {
    pub(super) fn sample(class: &str, half: Half) -> Drawn {
        Drawn {
            class: class.to_owned(),
            half,
            stratum: "a".to_owned(),
            artifact: OF_JDK.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;
    use crate::bench::hunting::list;

    #[test]
    fn the_sample_is_what_the_rule_draws() {
        for &set in Set::value_variants() {
            let again = draw(set, &Population::read(set).unwrap()).unwrap();
            assert_eq!(
                again,
                read(set).unwrap(),
                "{FILE} was edited, or what it is drawn from"
            );
        }
    }

    #[test]
    fn both_halves_are_large_and_of_one_size() {
        let sample = read(Set::Sample).unwrap();
        let of = |half: Half| sample.iter().filter(|drawn| drawn.half == half).count();
        assert!(sample.len() >= 80, "{}", sample.len());
        assert!(of(Half::Open).abs_diff(of(Half::Closed)) <= 1);
    }

    #[test]
    fn no_class_of_the_other_benchmarks_is_in_it() {
        let sample = read(Set::Sample).unwrap();
        let names: BTreeSet<&str> = sample.iter().map(|drawn| drawn.class.as_str()).collect();
        assert_eq!(names.len(), sample.len(), "classes are distinct");
        for subject in list::read().unwrap() {
            assert!(!names.contains(subject.class.as_str()), "{}", subject.class);
        }
        for seen in population::seen(Set::Sample).unwrap() {
            assert!(!names.contains(seen.as_str()), "{seen}");
        }
    }

    #[test]
    fn the_smallest_hashes_of_each_stratum_are_drawn() {
        let stratum = |name: &str, take: usize| -> Stratum {
            toml::from_str(&format!("name = '{name}'\ntake = {take}\npackages = ['{name}']")).unwrap()
        };
        let names = ["p.A", "p.B", "p.C", "p.D"];
        let population = Population::sample(&[("p", &names), ("q", &["q.E"])]);
        let strata = [stratum("p", 2), stratum("q", 3)];
        let mut by_hash = names.map(|name| (hash(Set::Sample, name), name));
        by_hash.sort_unstable();
        let seen = BTreeSet::from([by_hash[0].1.to_owned()]);
        let sample = drawn(Set::Sample, &population, &strata, &seen);
        let mut classes: Vec<&str> = sample.iter().map(|drawn| drawn.class.as_str()).collect();
        classes.sort_unstable();
        let mut expected = vec![by_hash[1].1, by_hash[2].1, "q.E"];
        expected.sort_unstable();
        assert_eq!(classes, expected);
        let halves: Vec<Half> = sample.iter().map(|drawn| drawn.half).collect();
        assert_eq!(halves, [Half::Open, Half::Closed, Half::Open]);
    }
}
