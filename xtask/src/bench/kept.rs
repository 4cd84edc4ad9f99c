//! What benchmarks have in common that keep a result a line, and make a report of them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;

use super::hunting::results::{self, Results, Row};
use super::ours;
use crate::file;

/// Arguments of such a benchmark.
#[derive(clap::Args)]
pub(super) struct Kept {
    /// Also write the report to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Use this executable [default: the release binary, built now].
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
    /// Where results are kept, a JSON object a line [default: bench/NAME.jsonl in cargo's target directory].
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Leave out what is in the results already.
    #[arg(long)]
    resume: bool,
    /// Measure nothing; make the report of the results that are there.
    #[arg(long, conflicts_with = "resume")]
    table_only: bool,
    /// Fetch nothing; classes whose jars are missing are left out.
    #[arg(long)]
    pub(super) offline: bool,
}

impl Kept {
    /// All results, once what is missing has been measured.
    pub(super) fn records<R: Row>(
        &self,
        benchmark: &str,
        measure: impl FnOnce(&Path) -> anyhow::Result<()>,
    ) -> anyhow::Result<Vec<R>> {
        let path = self.results.clone();
        let path = path.unwrap_or_else(|| results::default_path(benchmark));
        if !self.table_only {
            measure(&path)?;
        }
        let records = results::read(&path)?;
        if records.is_empty() {
            bail!("there are no results in {}", path.display());
        }
        Ok(records)
    }

    /// What an earlier run left that is to be gone on with.
    pub(super) fn earlier<R: Row>(
        &self,
        path: &Path,
        budget: Duration,
        budget_of: impl Fn(&R) -> Duration,
    ) -> anyhow::Result<Vec<R>> {
        let earlier: Vec<R> = results::earlier(path, self.resume)?;
        if let Some(other) = earlier.iter().map(budget_of).find(|other| *other != budget) {
            bail!(
                "{} has results of a budget of {} ms; go on with the same --budget, or give another --results",
                path.display(),
                other.as_millis()
            );
        }
        Ok(earlier)
    }

    pub(super) fn open(&self, path: &Path) -> anyhow::Result<Results> {
        Results::open(path, self.resume)
    }

    /// The executable, and the commit that it was built from.
    pub(super) fn executable(&self) -> anyhow::Result<(PathBuf, String)> {
        ours::executable(self.raddle.as_deref())
    }

    pub(super) fn tell(&self, report: &str) -> anyhow::Result<()> {
        print!("{report}");
        match &self.out {
            Some(path) => file::write(path, report),
            None => Ok(()),
        }
    }
}

/// Writes pictures, which have names, if they are asked for.
pub(super) fn draw<N: AsRef<Path>>(
    directory: Option<&Path>,
    pictures: impl IntoIterator<Item = (N, String)>,
) -> anyhow::Result<()> {
    let Some(directory) = directory else {
        return Ok(());
    };
    for (name, picture) in pictures {
        file::write(&directory.join(name), &picture)?;
    }
    Ok(())
}
