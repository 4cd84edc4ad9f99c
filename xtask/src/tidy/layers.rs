//! Crates depend only on crates above them.

use std::fs;
use std::path::Path;

use anyhow::Context;
use toml::Table;

use super::Problem;

/// The path of data, first stage first. ARCHITECTURE.md explains it.
const ORDER: [&str; 17] = [
    "classfile",
    "classpath",
    "program",
    "summary",
    "plan",
    "discover",
    "predict",
    "generate",
    "schedule",
    "instrument",
    "worker",
    "execute",
    "oracle",
    "reproduce",
    "campaign",
    "report",
    "cli",
];
/// Helps tests: may use every crate, and only tests may use it.
const TEST_ONLY: &str = "testkit";
/// Package names of the library crates are this and the crate's directory name.
const PREFIX: &str = "raddle-";

pub(super) fn check(root: &Path) -> anyhow::Result<Vec<Problem>> {
    let mut crates: Vec<String> = Vec::new();
    for entry in fs::read_dir(root.join("crates")).context("cannot list crates")? {
        let entry = entry.context("cannot list crates")?;
        if entry.path().join("Cargo.toml").is_file() {
            crates.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    crates.sort_unstable();
    let mut problems = Vec::new();
    for name in crates {
        let file = Path::new("crates").join(&name).join("Cargo.toml");
        let text = crate::workspace::read(root, &file)?;
        let manifest: Table = text
            .parse()
            .with_context(|| format!("cannot parse {}", file.display()))?;
        problems.extend(broken_rules(&name, &manifest).into_iter().map(|message| Problem {
            file: file.clone(),
            line: None,
            message,
        }));
    }
    Ok(problems)
}

fn broken_rules(name: &str, manifest: &Table) -> Vec<String> {
    let mut broken = Vec::new();
    let inherits_lints = manifest
        .get("lints")
        .and_then(|lints| lints.get("workspace"))
        .and_then(toml::Value::as_bool)
        .unwrap_or(false);
    if !inherits_lints {
        broken.push("the workspace's lints are not inherited; add `[lints] workspace = true`".to_owned());
    }
    if name == TEST_ONLY {
        return broken;
    }
    let Some(own_position) = position(name) else {
        broken.push(format!(
            "crate {name} has no place in ORDER in xtask/src/tidy/layers.rs; give it one"
        ));
        return broken;
    };
    for dependency in dependencies(manifest) {
        if dependency.name == TEST_ONLY {
            if !dependency.is_dev {
                broken.push(format!("{TEST_ONLY} is for tests; move it to [dev-dependencies]"));
            }
        } else if position(&dependency.name).is_none_or(|position| position >= own_position) {
            broken.push(format!(
                "{name} may not depend on {}: only crates before it in the order {} are allowed",
                dependency.name,
                ORDER.join(", ")
            ));
        }
    }
    broken
}

fn position(name: &str) -> Option<usize> {
    ORDER.iter().position(|member| *member == name)
}

struct Dependency {
    name: String,
    is_dev: bool,
}

/// The dependencies on crates of this workspace, of every kind and target.
fn dependencies(manifest: &Table) -> Vec<Dependency> {
    let of_targets = manifest
        .get("target")
        .and_then(toml::Value::as_table)
        .into_iter()
        .flat_map(Table::values);
    let sections = std::iter::once(manifest).chain(of_targets.filter_map(toml::Value::as_table));
    let mut found = Vec::new();
    for section in sections {
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let Some(table) = section.get(kind).and_then(toml::Value::as_table) else {
                continue;
            };
            let own = table.keys().filter_map(|package| package.strip_prefix(PREFIX));
            found.extend(own.map(|name| Dependency {
                name: name.to_owned(),
                is_dev: kind == "dev-dependencies",
            }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(name: &str, manifest: &str) -> Vec<String> {
        let manifest = format!("{manifest}\n[lints]\nworkspace = true");
        broken_rules(name, &manifest.parse().expect("valid TOML"))
    }

    #[test]
    fn a_crate_may_use_those_above_it() {
        assert!(
            broken(
                "summary",
                "[dependencies]\nraddle-program.workspace = true\nserde = '1'"
            )
            .is_empty()
        );
    }

    #[test]
    fn a_crate_may_not_use_those_below_it_nor_itself() {
        let found = broken("program", "[dependencies]\nraddle-summary.workspace = true");
        assert_eq!(found.len(), 1);
        assert!(
            found[0].starts_with("program may not depend on summary"),
            "{found:?}"
        );
        assert_eq!(
            broken("program", "[dev-dependencies]\nraddle-program.workspace = true").len(),
            1
        );
        assert_eq!(
            broken(
                "program",
                "[target.'cfg(unix)'.dependencies]\nraddle-report.workspace = true"
            )
            .len(),
            1
        );
    }

    #[test]
    fn only_tests_may_use_the_test_kit() {
        assert!(broken("program", "[dev-dependencies]\nraddle-testkit.workspace = true").is_empty());
        assert_eq!(
            broken("program", "[dependencies]\nraddle-testkit.workspace = true").len(),
            1
        );
        assert!(broken("testkit", "[dependencies]\nraddle-summary.workspace = true").is_empty());
    }

    #[test]
    fn a_new_crate_must_be_given_its_place() {
        assert!(broken("loom", "")[0].contains("has no place"));
    }

    #[test]
    fn lints_must_be_inherited() {
        assert_eq!(broken_rules("program", &Table::new()).len(), 1);
    }
}
