//! The population: `strata.toml`, which is written by hand, and `population.toml`, which lists the classes of each stratum
//! that meet the rule.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Context, bail};
use raddle_classpath::{ClassPath, Jdk, Origin};
use raddle_program::Program;
use serde::{Deserialize, Serialize};

use super::set::Set;
use super::{draw, rule};
use crate::subjects::Cache;
use crate::{file, jdks, workspace};

const STRATA: &str = "strata.toml";
const FILE: &str = "population.toml";
const SEEN: &str = "seen.toml";
const HEAD: &str = "\
# The classes that meet the rule in README.md, by stratum. Made by `cargo xtask bench sample --draw`; not to be edited.
";
/// The JDK whose classes are listed, and on which the sample is hunted.
pub(super) const JDK: u32 = 17;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StrataFile {
    /// How many are drawn from each library of the frozen sample, which are part of this list too.
    take_of_sample: Option<usize>,
    stratum: Vec<Stratum>,
}

/// Classes of one library, or of packages of the JDK.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stratum {
    pub(super) name: String,
    /// How many are drawn from it.
    pub(super) take: usize,
    /// Maven coordinates: the library, and what it needs to run.
    #[serde(default)]
    pub(super) jars: Vec<String>,
    /// Of the JDK, as `java.util`; those below are not meant.
    #[serde(default)]
    packages: Vec<String>,
}

/// Names of classes by the name of the stratum.
#[derive(Serialize, Deserialize)]
pub(super) struct Population {
    classes: BTreeMap<String, BTreeSet<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeenFile {
    seen: Vec<Seen>,
}

/// Classes that somebody has looked at, and so are no longer chosen by nobody.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Seen {
    #[expect(dead_code, reason = "for who reads the file")]
    why: String,
    classes: Vec<String>,
}

/// In the order of the file.
pub(super) fn strata(set: Set) -> anyhow::Result<Vec<Stratum>> {
    let file: StrataFile = set.read(STRATA)?;
    for stratum in &file.stratum {
        if stratum.jars.is_empty() == stratum.packages.is_empty() {
            bail!(
                "{} needs either `jars` or `packages`; correct {}",
                stratum.name,
                set.path(STRATA).display()
            );
        }
    }
    let mut strata = file.stratum;
    if let Some(take) = file.take_of_sample {
        let of_sample: StrataFile = Set::Sample.read(STRATA)?;
        let libraries = of_sample.stratum.into_iter();
        strata.extend(
            libraries
                .filter(|stratum| !stratum.jars.is_empty())
                .map(|stratum| Stratum { take, ..stratum }),
        );
    }
    Ok(strata)
}

/// Names of the classes that are not drawn.
pub(super) fn seen(set: Set) -> anyhow::Result<BTreeSet<String>> {
    let file: SeenFile = Set::Sample.read(SEEN)?;
    let mut seen: BTreeSet<String> = file.seen.into_iter().flat_map(|seen| seen.classes).collect();
    if set != Set::Sample {
        seen.extend(draw::read(Set::Sample)?.into_iter().map(|drawn| drawn.class));
    }
    Ok(seen)
}

/// From the jars and the JDK.
pub(super) fn list(set: Set, cache: &Cache) -> anyhow::Result<Population> {
    let mut classes = BTreeMap::new();
    for stratum in strata(set)? {
        let jars = match cache.jars(&stratum.jars)? {
            Ok(jars) => jars,
            Err(why) => bail!("{}: {why}", stratum.name),
        };
        let listed = stratum.classes(&jars)?;
        eprintln!("{}: {} classes", stratum.name, listed.len());
        classes.insert(stratum.name, listed);
    }
    Ok(Population { classes })
}

impl Stratum {
    fn classes(&self, jars: &[PathBuf]) -> anyhow::Result<BTreeSet<String>> {
        let jdk = Jdk::open(&home()?)?;
        let class_path = ClassPath::open(jars, JDK)?;
        let candidates = if jars.is_empty() {
            self.of_packages(&jdk)?
        } else {
            of_library(&class_path)
        };
        let program = Program::new(jdk, class_path);
        let ids = candidates.iter().map(|name| program.class_id(name));
        Ok(ids
            .filter(|id| rule::is_met_by(&program, *id))
            .map(|id| program.name(id))
            .collect())
    }

    /// Internal names.
    fn of_packages(&self, jdk: &Jdk) -> anyhow::Result<Vec<String>> {
        let mut names = Vec::new();
        for module in jdk.modules() {
            let classes = jdk.try_classes_of(module)?;
            names.extend(classes.into_iter().map(|(name, _)| name));
        }
        names.retain(|name| {
            let package = name.rsplit_once('/').map_or("", |(package, _)| package);
            self.packages.contains(&package.replace('/', "."))
        });
        Ok(names)
    }
}

/// Internal names of the classes of the first jar.
fn of_library(class_path: &ClassPath) -> Vec<String> {
    let names = class_path.class_names().into_iter();
    names
        .filter(|(_, origin)| matches!(origin, Origin::Entry { index: 0, .. }))
        .map(|(name, _)| name)
        .collect()
}

/// Of the JDK that the sample is of.
pub(super) fn home() -> anyhow::Result<PathBuf> {
    for home in jdks::installed()? {
        if Jdk::open(&home)?.feature() == JDK {
            return Ok(home);
        }
    }
    bail!("there is no JDK {JDK} beside the default one; install it there")
}

impl Population {
    #[cfg(test)]
    pub(super) fn read(set: Set) -> anyhow::Result<Population> {
        set.read(FILE)
    }

    pub(super) fn write(&self, set: Set) -> anyhow::Result<()> {
        let text = toml::to_string_pretty(self).context("cannot write the population as TOML")?;
        file::write(
            &workspace::root().join(set.path(FILE)),
            &format!("{HEAD}\n{text}"),
        )
    }

    /// In order of name; empty for a stratum that is not listed.
    pub(super) fn of(&self, stratum: &str) -> impl Iterator<Item = &str> {
        self.classes
            .get(stratum)
            .into_iter()
            .flatten()
            .map(String::as_str)
    }

    #[cfg(test)]
    pub(super) fn sample(classes: &[(&str, &[&str])]) -> Population {
        let of = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Population {
            classes: classes
                .iter()
                .map(|(name, names)| ((*name).to_owned(), of(names)))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    impl Stratum {
        /// The library without its version, or the packages.
        fn sources(&self) -> Vec<&str> {
            match self.jars.first() {
                Some(library) => vec![library.rsplit_once(':').unwrap().0],
                None => self.packages.iter().map(String::as_str).collect(),
            }
        }
    }

    #[test]
    fn later_samples_share_nothing_with_other_sets() {
        for later in [Set::SecondSample, Set::ThirdSample] {
            let own = strata(later).unwrap();
            let own: BTreeSet<&str> = own.iter().flat_map(Stratum::sources).collect();
            for &other in Set::value_variants().iter().filter(|set| **set != later) {
                for stratum in strata(other).unwrap() {
                    for source in stratum.sources() {
                        assert!(!own.contains(source), "{source} of {later:?} is in {other:?}");
                    }
                }
            }
        }
    }
}
