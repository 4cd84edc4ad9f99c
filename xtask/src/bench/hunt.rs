//! `cargo xtask bench hunt`: whether hunts find what is known to be wrong, and how soon.

mod report;

use std::time::Duration;

use super::hunting::arguments::{Arguments, Jdks};
use super::hunting::expectation::Likeness;
use super::hunting::list::{self, Group};
use super::hunting::published;
use super::hunting::record::{Scheduler, Strategy};
use super::hunting::runner::{self, Benchmark, Way};
use crate::file;

const BUDGET: Duration = Duration::from_mins(1);

/// Arguments of `bench hunt`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    common: Arguments,
    /// Only classes of these groups, separated by commas.
    #[arg(long, value_name = "GROUP", value_delimiter = ',', value_enum, default_values = ["jdk", "library", "standin"])]
    group: Vec<Group>,
    /// JDKs to hunt on; only classes of the JDK itself are hunted on more than 17.
    #[arg(long, value_enum, default_value = "both")]
    jdk: Jdks,
    /// Where tests come from.
    #[arg(long, value_name = "NAME", value_enum, default_value = "portfolio")]
    strategy: Strategy,
    /// Do not try findings on a JVM without Raddle.
    #[arg(long)]
    skip_stock_jvm: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let benchmark = Benchmark {
        name: "hunt",
        groups: args.group.clone(),
        jdks: args.jdk,
        budget: BUDGET,
        seeds: 5,
        ways: vec![Way::of_all(args.strategy, Scheduler::Controlled)],
        ends_at: Some(Likeness::Fault),
        tries_stock_jvm: !args.skip_stock_jvm,
    };
    let subjects = list::read()?;
    let mut records = runner::records(&args.common, &benchmark, &subjects)?;
    records.retain(|record| record.key.strategy == args.strategy);
    let text = report::render(&benchmark.groups, &subjects, &records, &published::read()?);
    print!("{text}");
    if let Some(path) = &args.common.out {
        file::write(path, &text)?;
    }
    Ok(())
}
