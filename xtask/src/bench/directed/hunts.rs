//! Numbers of a class's hunts with one strategy.

use crate::bench::hunting::list::{Paper, Subject};
use crate::bench::hunting::record::{Aim, Found, Record, StockJvm, Strategy};
use crate::bench::hunting::statistics::{count, median};

/// One number of a row; none where there is none.
pub(super) type Number = Option<f64>;

/// Hunts of one class with one strategy, one for each seed.
pub(super) struct Hunts<'a>(pub(super) Vec<&'a Record>);

impl<'a> Hunts<'a> {
    pub(super) fn of(records: &'a [Record], subject: &Subject, strategy: Strategy, aim: Aim) -> Hunts<'a> {
        let own = records.iter().filter(|record| {
            let key = &record.key;
            key.hunt == subject.id && key.strategy == strategy && key.aim == aim
        });
        Hunts(own.collect())
    }

    pub(super) fn median(&self, number: impl Fn(&Record) -> Number) -> Number {
        median(self.0.iter().filter_map(|record| number(record)).collect())
    }

    pub(super) fn predicted(&self, name: &str) -> Number {
        self.median(|record| record.predicted.get(name).copied().map(count))
    }

    pub(super) fn findings(&self, is_meant: impl Fn(&Found) -> bool) -> Number {
        self.median(|record| {
            let meant = record.findings.iter().filter(|finding| is_meant(finding));
            Some(count(meant.count() as u64))
        })
    }

    pub(super) fn confirmed(&self) -> Number {
        self.findings(|finding| finding.stock_jvm == StockJvm::Confirmed)
    }

    pub(super) fn plans(&self) -> Number {
        self.median(|record| Some(count(record.plans)))
    }

    pub(super) fn failed_plans(&self) -> Number {
        self.median(|record| Some(count(record.failed_plans)))
    }

    pub(super) fn schedules(&self) -> Number {
        self.median(|record| Some(count(record.schedules)))
    }

    pub(super) fn seconds(&self) -> Number {
        self.median(|record| Some(record.class_seconds))
    }
}

/// With their number in the paper.
pub(super) fn of_paper(subjects: &[Subject], paper: Paper) -> impl Iterator<Item = (&Subject, &str)> {
    subjects
        .iter()
        .filter_map(move |subject| Some((subject, subject.papers.get(&paper)?.as_str())))
}
