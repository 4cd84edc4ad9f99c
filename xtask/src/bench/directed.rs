//! `cargo xtask bench directed`: what tests foretold from sequential ones show in the classes of Omen and Intruder, and
//! how soon beside tests that are not.

mod first;
mod hunts;
mod report;
#[cfg(test)]
mod sample;

use std::time::Duration;

use super::hunting::arguments::{Arguments, Jdks};
use super::hunting::list::{self, Group, Paper, Subject};
use super::hunting::published;
use super::hunting::record::{Aim, Scheduler, Strategy};
use super::hunting::runner::{self, Benchmark, Way};
use crate::file;

/// An upper bound: a hunt ends when every prediction has been tried.
const BUDGET: Duration = Duration::from_mins(1);
/// The strategies that a first deadlock is looked for with.
const RIVALS: [Strategy; 4] = [
    Strategy::Omen,
    Strategy::Depcon,
    Strategy::Covcon,
    Strategy::Contege,
];

/// Arguments of `bench directed`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    common: Arguments,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let benchmark = Benchmark {
        name: "directed",
        groups: vec![Group::Jdk, Group::Library, Group::Standin, Group::Directed],
        jdks: Jdks::Seventeen,
        budget: BUDGET,
        seeds: 1,
        ways: ways(),
        ends_at: None,
        tries_stock_jvm: true,
    };
    let mut subjects = list::read()?;
    subjects.retain(|subject| !subject.papers.is_empty());
    let records = runner::records(&args.common, &benchmark, &subjects)?;
    let text = report::render(&benchmark.groups, &subjects, &records, &published::read()?);
    print!("{text}");
    if let Some(path) = &args.common.out {
        file::write(path, &text)?;
    }
    Ok(())
}

fn ways() -> Vec<Way> {
    let way = |strategy, aim, takes| Way {
        strategy,
        scheduler: Scheduler::Controlled,
        aim,
        takes,
    };
    let mut ways = vec![
        way(Strategy::Omen, Aim::Everything, is_of_omen),
        way(Strategy::Intruder, Aim::Everything, is_of_intruder),
        way(Strategy::Narada, Aim::Everything, is_of_intruder),
    ];
    ways.extend(RIVALS.map(|strategy| way(strategy, Aim::FirstDeadlock, is_of_omen)));
    ways
}

fn is_of_omen(subject: &Subject) -> bool {
    subject.papers.contains_key(&Paper::Omen)
}

fn is_of_intruder(subject: &Subject) -> bool {
    subject.papers.contains_key(&Paper::Intruder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_is_hunted_in_the_ways_of_its_papers() {
        let subjects = list::read().unwrap();
        let hunts = |strategy: Strategy, aim: Aim| -> usize {
            let ways = ways();
            let own = ways
                .iter()
                .filter(|way| way.strategy == strategy && way.aim == aim);
            own.map(|way| subjects.iter().filter(|subject| (way.takes)(subject)).count())
                .sum()
        };
        assert_eq!(hunts(Strategy::Omen, Aim::Everything), 8);
        assert_eq!(hunts(Strategy::Intruder, Aim::Everything), 9);
        assert_eq!(hunts(Strategy::Narada, Aim::Everything), 9);
        for strategy in RIVALS {
            assert_eq!(hunts(strategy, Aim::FirstDeadlock), 8, "{}", strategy.name());
        }
        assert_eq!(hunts(Strategy::Portfolio, Aim::Everything), 0);
    }
}
