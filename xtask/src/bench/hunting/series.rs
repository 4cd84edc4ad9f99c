//! One expectation over all seeds.

use std::collections::BTreeSet;

use super::expectation::{Expectation, Likeness};
use super::list::Subject;
use super::record::{Record, Scheduler, Strategy};
use super::statistics::{count, mean, median};

/// One expectation over all seeds, with everything else the same.
pub(in crate::bench) struct Series<'a> {
    pub(in crate::bench) subject: &'a Subject,
    pub(in crate::bench) expectation: &'a Expectation,
    pub(in crate::bench) jdk: u32,
    pub(in crate::bench) way: (Strategy, Scheduler),
    records: Vec<&'a Record>,
}

/// All that there are results of: in the order of the list, and then by JDK and way to hunt.
pub(in crate::bench) fn all<'a>(subjects: &'a [Subject], records: &'a [Record]) -> Vec<Series<'a>> {
    let mut series = Vec::new();
    for subject in subjects {
        let own = records.iter().filter(|record| record.key.hunt == subject.id);
        let variants: BTreeSet<(u32, (Strategy, Scheduler))> =
            own.clone().map(|record| (record.key.jdk, way(record))).collect();
        for (jdk, variant) in variants {
            let records: Vec<&Record> = own
                .clone()
                .filter(|record| record.key.jdk == jdk && way(record) == variant)
                .collect();
            series.extend(subject.expected.iter().map(|expectation| Series {
                subject,
                expectation,
                jdk,
                way: variant,
                records: records.clone(),
            }));
        }
    }
    series
}

fn way(record: &Record) -> (Strategy, Scheduler) {
    (record.key.strategy, record.key.scheduler)
}

impl Series<'_> {
    /// What was meant, once for each hunt that has found it.
    pub(in crate::bench) fn hits(&self, likeness: Likeness) -> Vec<Hit> {
        let records = self.records.iter();
        records
            .filter_map(|record| Hit::of(self.expectation, record, likeness))
            .collect()
    }

    pub(in crate::bench) fn hunts(&self) -> usize {
        self.records.len()
    }

    /// Seeds of the hunts that have not found it.
    pub(in crate::bench) fn missed_seeds(&self, likeness: Likeness) -> Vec<u64> {
        let missed = self
            .records
            .iter()
            .filter(|record| Hit::of(self.expectation, record, likeness).is_none());
        missed.map(|record| record.key.seed).collect()
    }

    /// How many hunts have shown the fault itself as something that may be by design, and as nothing else.
    pub(in crate::bench) fn told_apart(&self) -> usize {
        let missed = |record: &&&Record| Hit::of(self.expectation, record, Likeness::Fault).is_none();
        let is_apart = |record: &&Record| {
            let shown = self
                .expectation
                .first_in(&record.apart, Likeness::Fault)
                .is_some();
            shown || self.expectation.listed_in(&record.apart).is_some()
        };
        let missing = self.records.iter().filter(missed);
        missing.filter(|record| is_apart(record)).count()
    }

    /// Such as `4/5`.
    pub(in crate::bench) fn score(&self, likeness: Likeness) -> String {
        format!("{}/{}", self.hits(likeness).len(), self.hunts())
    }

    /// Seconds of every hunt until it was found, a miss counted as the whole budget.
    fn seconds_or_budget(&self, likeness: Likeness) -> impl Iterator<Item = f64> {
        self.records
            .iter()
            .map(move |record| match Hit::of(self.expectation, record, likeness) {
                Some(hit) => hit.seconds,
                None => std::time::Duration::from_millis(record.budget_ms).as_secs_f64(),
            })
    }
}

/// That a hunt has found what was meant, and what that took.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(in crate::bench) struct Hit {
    pub(in crate::bench) seconds: f64,
    plans: u64,
    schedules: u64,
}

impl Hit {
    /// How much had been done when a pair was seen that is listed with another finding is not known, so it counts as all.
    pub(super) fn of(expectation: &Expectation, record: &Record, likeness: Likeness) -> Option<Hit> {
        match expectation.first_in(&record.findings, likeness) {
            Some(finding) => Some(Hit {
                seconds: finding.seconds,
                plans: finding.plans,
                schedules: finding.schedules,
            }),
            None => expectation.listed_in(&record.findings).map(|also| Hit {
                seconds: also.seconds,
                plans: record.plans,
                schedules: record.schedules,
            }),
        }
    }
}

/// Several series as one.
pub(in crate::bench) struct Total {
    pub(in crate::bench) hunts: usize,
    pub(in crate::bench) hits: usize,
    /// Of the hits.
    pub(in crate::bench) median_seconds: Option<f64>,
    /// Of the hits.
    pub(in crate::bench) longest: Option<f64>,
    /// Of the hits.
    pub(in crate::bench) median_plans: Option<f64>,
    /// Of the hits.
    pub(in crate::bench) median_schedules: Option<f64>,
    /// Of all hunts, a miss counted as the whole budget.
    pub(in crate::bench) mean_seconds: Option<f64>,
}

impl Total {
    pub(in crate::bench) fn of<'s, 'a: 's>(
        series: impl IntoIterator<Item = &'s Series<'a>>,
        likeness: Likeness,
    ) -> Total {
        let mut hunts = 0;
        let mut hits = Vec::new();
        let mut all_seconds = Vec::new();
        for one in series {
            hunts += one.hunts();
            hits.extend(one.hits(likeness));
            all_seconds.extend(one.seconds_or_budget(likeness));
        }
        let of_hits = |number: fn(&Hit) -> f64| -> Vec<f64> { hits.iter().map(number).collect() };
        let seconds = of_hits(|hit| hit.seconds);
        Total {
            hunts,
            hits: hits.len(),
            longest: seconds.iter().copied().reduce(f64::max),
            median_seconds: median(seconds),
            median_plans: median(of_hits(|hit| count(hit.plans))),
            median_schedules: median(of_hits(|hit| count(hit.schedules))),
            mean_seconds: mean(&all_seconds),
        }
    }

    /// In percent; none of no hunts.
    pub(in crate::bench) fn success(&self) -> Option<f64> {
        (self.hunts > 0).then(|| 100.0 * count(self.hits as u64) / count(self.hunts as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::super::expectation::Kind;
    use super::super::list;
    use super::super::record::Found;
    use super::*;
    use crate::bench::hunting::record::Also;

    #[test]
    fn a_miss_counts_as_the_budget_in_the_mean_only() {
        let subjects = list::read().unwrap();
        let records = [
            Record::sample("S19", 1, vec![Found::sample(Kind::Deadlock, 2.0)]),
            Record::sample("S19", 2, vec![Found::sample(Kind::Exception, 1.0)]),
            Record::sample(
                "S19",
                3,
                vec![
                    Found::sample(Kind::Deadlock, 4.0),
                    Found::sample(Kind::Deadlock, 5.0),
                ],
            ),
        ];
        let series = all(&subjects, &records);
        assert_eq!(series.len(), 1);
        assert_eq!(series[0].score(Likeness::Kind), "2/3");
        assert_eq!(series[0].missed_seeds(Likeness::Kind), [2]);
        let total = Total::of(&series, Likeness::Kind);
        assert_eq!((total.hunts, total.hits), (3, 2));
        assert_eq!(total.median_seconds, Some(3.0));
        assert_eq!(total.longest, Some(4.0));
        assert_eq!(total.mean_seconds, Some(22.0));
        assert_eq!(total.median_plans, Some(10.0));
    }

    #[test]
    fn a_pair_that_is_listed_with_another_finding_counts_as_found() {
        let subjects = list::read().unwrap();
        let mut finding = Found::sample(Kind::Deadlock, 2.0);
        finding.also_shown.push(Also {
            methods: vec!["hashCode()".to_owned(), "hashCode()".to_owned()],
            seconds: 7.0,
        });
        let records = [Record::sample("S19", 1, vec![finding])];
        let series = all(&subjects, &records);
        let seconds = |likeness| Total::of(&series, likeness).median_seconds;
        assert_eq!(seconds(Likeness::Kind), Some(2.0));
        assert_eq!(seconds(Likeness::Fault), Some(7.0));
    }

    #[test]
    fn every_expectation_jdk_and_way_has_its_own() {
        let subjects = list::read().unwrap();
        let mut records = vec![Record::sample("S16", 1, Vec::new()); 3];
        records[1].key.jdk = 25;
        records[2].key.scheduler = Scheduler::Stress;
        let series = all(&subjects, &records);
        assert_eq!(series.len(), 6, "two faults are expected of S16");
        assert!(series.iter().all(|one| one.hunts() == 1));
    }
}
