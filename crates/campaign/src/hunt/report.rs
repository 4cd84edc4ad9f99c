//! What came of a class, put together when it is done.

use std::collections::BTreeMap;
use std::time::Instant;

use raddle_summary::ClassFacts;

use super::Run;
use crate::class_state::ClassState;
use crate::coverage::{ClassCoverage, Exercised};
use crate::error::HuntError;
use crate::event::{ClassReport, Numbers};
use crate::executor::Executor;
use crate::pairs::Methods;
use crate::timing::TimeSpent;

/// Objects that a class hands out whose classes are looked into.
const MOST_HANDED_OUT: usize = 4;
/// Where the analysis sees no pair to try, fewer tests than these that were run say nothing.
const FEW_PLANS: u64 = 8;

impl Run<'_, '_> {
    pub(super) fn report(
        &mut self,
        class_state: ClassState,
        facts: &ClassFacts,
        skipped: &[(String, String)],
    ) -> Result<ClassReport, HuntError> {
        let ClassState {
            subject,
            stats,
            is_exhausted,
            left_out,
            spending,
            promise,
            ..
        } = class_state;
        let numbers = stats.numbers();
        let coverage = stats
            .exercised()
            .coverage(&subject.methods, skipped, stats.failure_counts());
        let mut gaps: Vec<String> = stats.blind_spots.iter().cloned().collect();
        if stats.sightings.iter().any(|sighting| !sighting.is_no_violation) {
            gaps.push("a violation was seen that could not be confirmed".to_owned());
        }
        let mut notes = stats.notes.clone();
        let is_interrupted = self.is_cancelled();
        if is_interrupted {
            gaps.push("the hunt was ended by ^C".to_owned());
        }
        let is_untried = numbers.plans == 0;
        if is_untried && numbers.failed_plans > 0 {
            gaps.push("no plan could be run and judged".to_owned());
        } else if stats.undecided > 0 && stats.undecided >= numbers.plans {
            gaps.push(format!(
                "{} of {} plans could not be run or judged",
                stats.undecided,
                stats.undecided + numbers.plans
            ));
        }
        if !is_untried {
            gaps.extend(coverage.gaps());
            gaps.extend(self.untested(&subject.methods, stats.exercised()));
            if coverage.pairs == 0 && !is_exhausted && numbers.plans < FEW_PLANS {
                let tests = if numbers.plans == 1 {
                    "test was"
                } else {
                    "tests were"
                };
                gaps.push(format!(
                    "only {} {tests} run: no two methods seem to hurt each other, and that was hardly tried",
                    numbers.plans
                ));
            }
        }
        if is_untried && numbers.failed_plans == 0 && !is_interrupted {
            gaps.push(self.why_untried(is_exhausted, facts));
        }
        if stats.findings.len() >= self.options.max_findings && !self.options.stop_at_first {
            notes.push(format!(
                "stopped after {} findings, as --max-findings says",
                stats.findings.len()
            ));
        }
        if self
            .options
            .max_plans
            .is_some_and(|most| stats.tried_plans() >= most)
        {
            notes.push(format!(
                "stopped after {} plans, as --max-plans says",
                stats.tried_plans()
            ));
        }
        if stats.is_in_vain() || (is_exhausted && left_out > 0) {
            notes.push(
                "left early: every other test would begin with calls like those that threw before".to_owned(),
            );
        }
        notes.extend(facts.missing.iter().map(|class| {
            format!("{class} was not found, so what it does is not known; check the class path")
        }));
        if stats.findings.is_empty() && gaps.is_empty() {
            gaps.extend(self.missed_probes()?);
        }
        let predicted = stats.predicted();
        Ok(ClassReport {
            class: subject.class,
            jdk_version: self.ready.jdk_version.clone(),
            strategy: (self.options.strategy.to_string(), self.options.seed),
            also: stats.also(),
            findings: stats.findings,
            unpromised: stats.unpromised,
            sightings: stats.sightings,
            weaker: stats.weaker,
            gaps,
            notes,
            numbers,
            coverage,
            predicted,
            spending,
            silenced: stats.silenced,
            promise: Some(promise),
            is_interrupted,
        })
    }

    /// Why there was nothing to test: calls never meet, and what they hand to both threads can change, but nobody calls it.
    fn untested(&self, methods: &Methods, exercised: &Exercised) -> Option<String> {
        if !methods.dependent().is_empty() || !exercised.is_serial() {
            return None;
        }
        let can_break = |name: &&str| {
            let class = self.program.class_id(&name.replace('.', "/"));
            let facts = self.analyzer.analyze(class);
            facts.is_ok_and(|facts| facts.counts.union > 0)
        };
        let handed_out = exercised.handed_out().take(MOST_HANDED_OUT);
        let names: Vec<&str> = handed_out.filter(can_break).collect();
        if names.is_empty() {
            return None;
        }
        Some(format!(
            "nothing to test: no two of its methods could hurt each other, and the objects that it hands to several \
             threads are never called; hunt {} itself",
            names.join(" and ")
        ))
    }

    fn why_untried(&self, is_exhausted: bool, facts: &ClassFacts) -> String {
        if !is_exhausted {
            format!(
                "no plan was run: the budget of {} ms was used up before the first; --budget allows more",
                self.options.budget.as_millis()
            )
        } else if facts.counts.union == 0 {
            "no plan was run: the analysis finds no two methods that could hurt each other, and the strategy makes \
             plans for no others"
                .to_owned()
        } else {
            "no plan could be made for the methods that could hurt each other".to_owned()
        }
    }

    /// What tests that are known to fail did instead, under the same configuration. They need be run only once.
    fn missed_probes(&mut self) -> Result<Vec<String>, HuntError> {
        if self.probes.is_none() {
            let missed = self
                .pool
                .run(vec![|session: &mut dyn Executor| session.missed_probes()])?
                .into_iter()
                .flatten()
                .map(|missed| format!("a test that is known to fail did not: {missed}"));
            self.probes = Some(missed.collect());
        }
        Ok(self.probes.clone().unwrap_or_default())
    }

    pub(super) fn not_hunted(&self, class: String, why: String, begun: Instant) -> ClassReport {
        ClassReport {
            class,
            jdk_version: self.ready.jdk_version.clone(),
            strategy: (self.options.strategy.to_string(), self.options.seed),
            findings: Vec::new(),
            unpromised: Vec::new(),
            sightings: Vec::new(),
            weaker: Vec::new(),
            also: BTreeMap::new(),
            gaps: vec![why],
            notes: Vec::new(),
            numbers: Numbers {
                time: self.clock.since(begun),
                ..Numbers::default()
            },
            coverage: ClassCoverage::default(),
            predicted: Vec::new(),
            spending: TimeSpent::default(),
            silenced: Vec::new(),
            promise: None,
            is_interrupted: false,
        }
    }
}
