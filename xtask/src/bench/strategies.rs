//! `cargo xtask bench strategies`: the published ways to make tests beside ours, with and without control over threads.

mod report;

use std::time::Duration;

use clap::ValueEnum;

use super::hunting::arguments::{Arguments, Jdks};
use super::hunting::expectation::Likeness;
use super::hunting::list::{self, Group};
use super::hunting::published;
use super::hunting::record::{Scheduler, Strategy};
use super::hunting::runner::{self, Benchmark, Way};
use crate::file;

const BUDGET: Duration = Duration::from_secs(10);

/// Arguments of `bench strategies`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    common: Arguments,
    /// Only these strategies, separated by commas [default: all].
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_enum)]
    strategies: Vec<Strategy>,
    /// Only these schedulers, separated by commas [default: all].
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_enum)]
    schedulers: Vec<Scheduler>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let benchmark = Benchmark {
        name: "strategies",
        groups: vec![Group::Jdk, Group::Library, Group::Standin],
        jdks: Jdks::Seventeen,
        budget: BUDGET,
        seeds: 5,
        ways: ways(&args.strategies, &args.schedulers)
            .into_iter()
            .map(|(strategy, scheduler)| Way::of_all(strategy, scheduler))
            .collect(),
        ends_at: Some(Likeness::Kind),
        tries_stock_jvm: false,
    };
    let subjects = list::read()?;
    let records = runner::records(&args.common, &benchmark, &subjects)?;
    let text = report::render(&benchmark.groups, &subjects, &records, &published::read()?);
    print!("{text}");
    if let Some(path) = &args.common.out {
        file::write(path, &text)?;
    }
    Ok(())
}

/// Every strategy with every scheduler; none means all.
fn ways(strategies: &[Strategy], schedulers: &[Scheduler]) -> Vec<(Strategy, Scheduler)> {
    let strategies = or_all(strategies);
    let schedulers = or_all(schedulers);
    schedulers
        .iter()
        .flat_map(|scheduler| strategies.iter().map(move |strategy| (*strategy, *scheduler)))
        .collect()
}

fn or_all<T: ValueEnum + Copy>(chosen: &[T]) -> Vec<T> {
    let all = if chosen.is_empty() {
        T::value_variants()
    } else {
        chosen
    };
    all.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strategy_meets_every_scheduler() {
        assert_eq!(ways(&[], &[]).len(), 14);
        assert_eq!(
            ways(&[Strategy::Depcon], &[]),
            [
                (Strategy::Depcon, Scheduler::Controlled),
                (Strategy::Depcon, Scheduler::Stress)
            ]
        );
    }
}
