//! Arguments that all benchmarks of hunts have.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use super::results;

/// Arguments that all benchmarks of hunts have.
#[derive(clap::Args)]
pub(in crate::bench) struct Arguments {
    /// Also write the report to this file.
    #[arg(long, value_name = "FILE")]
    pub(in crate::bench) out: Option<PathBuf>,
    /// Only these, by their id or the number of the subject, separated by commas.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub(super) only: Vec<String>,
    /// Hunt each class with the seeds 1 to N [default: 5, for directed 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) seeds: Option<u64>,
    /// How long each class is hunted, such as 500ms, 60s or 2m [default: 60s, for strategies 10s].
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(super) budget: Option<Duration>,
    /// Hunts at the same time, each with one JVM at a time.
    #[arg(long, value_name = "N", default_value = "2")]
    pub(super) parallel: NonZeroUsize,
    /// Use this executable [default: the release binary, built now].
    #[arg(long, value_name = "FILE")]
    pub(super) raddle: Option<PathBuf>,
    /// Where results are kept, a JSON object a line [default: bench/NAME.jsonl in cargo's target directory].
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Leave out the hunts whose results are there already.
    #[arg(long)]
    pub(super) resume: bool,
    /// Hunt nothing; make the report of the results that are there.
    #[arg(long, conflicts_with = "resume")]
    pub(super) table_only: bool,
    /// Keep the folder of each hunt in this directory.
    #[arg(long, value_name = "DIRECTORY")]
    pub(super) keep: Option<PathBuf>,
    /// Fetch nothing; classes whose jars are missing are left out.
    #[arg(long)]
    pub(super) offline: bool,
}

/// JDKs to hunt on, as far as the group of a class is meant for them.
#[derive(Copy, Clone, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::bench) enum Jdks {
    #[value(name = "17")]
    Seventeen,
    #[value(name = "25")]
    TwentyFive,
    Both,
}

impl Arguments {
    pub(super) fn results_path(&self, benchmark: &str) -> PathBuf {
        let path = self.results.clone();
        path.unwrap_or_else(|| results::default_path(benchmark))
    }
}

impl Jdks {
    pub(super) fn includes(self, feature: u32) -> bool {
        match self {
            Jdks::Seventeen => feature == 17,
            Jdks::TwentyFive => feature == 25,
            Jdks::Both => true,
        }
    }
}

/// As `raddle hunt --budget` takes it.
pub(in crate::bench) fn parse_time(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let milliseconds = match &text[digits.len()..] {
        "ms" => 1,
        "s" => 1000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return Err("write a number and ms, s, m or h, such as 60s".to_owned()),
    };
    let number: u64 = digits.parse().map_err(|_| format!("{digits:?} is no number"))?;
    number
        .checked_mul(milliseconds)
        .filter(|time| *time > 0)
        .map(Duration::from_millis)
        .ok_or_else(|| "that is no time to hunt in".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit() {
        assert_eq!(parse_time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_time("20s"), Ok(Duration::from_secs(20)));
        assert_eq!(parse_time("2m"), Ok(Duration::from_mins(2)));
        for wrong in ["20", "s", "1.5s", "0s", "-1s", "1d", "18446744073709551615h"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_jdk_is_named_by_its_version() {
        assert!(Jdks::Seventeen.includes(17) && !Jdks::Seventeen.includes(25));
        assert!(Jdks::Both.includes(17) && Jdks::Both.includes(25));
    }
}
