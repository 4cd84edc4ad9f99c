//! `cargo xtask tidy`: the rules of CONTRIBUTING.md that a program can check.

mod class_names;
mod documents;
mod event_texts;
mod layers;
mod powers;
mod sources;

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::workspace;

/// Arguments of `tidy`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Workspace to check.
    #[arg(long, value_name = "DIRECTORY", default_value = workspace::root().as_os_str())]
    root: PathBuf,
}

/// A broken rule, and where.
#[derive(Debug, PartialEq, Eq)]
struct Problem {
    file: PathBuf,
    line: Option<usize>,
    message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file.display(), self.message),
            None => write!(f, "{}: {}", self.file.display(), self.message),
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let problems = check(&args.root)?;
    for problem in &problems {
        eprintln!("{problem}");
    }
    match problems.len() {
        0 => Ok(()),
        1 => bail!("1 rule broken"),
        count => bail!("{count} rules broken"),
    }
}

fn check(root: &Path) -> anyhow::Result<Vec<Problem>> {
    let mut problems = documents::check(root)?;
    problems.extend(layers::check(root)?);
    problems.extend(sources::check(root)?);
    problems.extend(class_names::check(root)?);
    problems.extend(event_texts::check(root)?);
    problems.extend(powers::check(root)?);
    Ok(problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_is_tidy() {
        let problems = check(workspace::root()).expect("the workspace can be read");
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert!(lines.is_empty(), "\n{}\n", lines.join("\n"));
    }
}
