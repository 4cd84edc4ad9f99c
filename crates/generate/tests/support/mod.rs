//! Plans as a strategy makes them, without a JVM that runs them.

use raddle_generate::{Candidate, Feedback, StrategyKind, Target, strategy};
use raddle_plan::TestPlan;
use raddle_program::Program;
use raddle_summary::{Analyzer, ClassFacts, Precision};

/// What the analysis says about a class.
pub(crate) fn facts(program: &Program, class: &str) -> ClassFacts {
    let id = program.find_class(class).unwrap();
    Analyzer::new(program, Precision::Precise).analyze(id).unwrap()
}

/// The first plans, each answered as if it had run without a finding.
pub(crate) fn plans(
    program: &Program,
    facts: &ClassFacts,
    kind: StrategyKind,
    seed: u64,
    count: usize,
) -> Vec<Candidate> {
    heard(program, facts, kind, (seed, count), |_| Feedback::default())
}

/// The first plans, each answered as told; with the seed, and how many there are to be.
pub(crate) fn heard(
    program: &Program,
    facts: &ClassFacts,
    kind: StrategyKind,
    (seed, count): (u64, usize),
    answer: impl Fn(&TestPlan) -> Feedback,
) -> Vec<Candidate> {
    let target = Target {
        program,
        class: program.find_class(&facts.class).unwrap(),
        facts,
        threads: 2,
        has_seeds: false,
    };
    let mut strategy = match strategy(kind, target, seed, &[]) {
        Ok(strategy) => strategy,
        Err(error) => panic!("{}: {error}", facts.class),
    };
    assert_eq!(strategy.name(), kind.name());
    let mut found = Vec::new();
    while found.len() < count {
        let Some(candidate) = strategy.next() else { break };
        strategy.observe(candidate.number, &answer(&candidate.plan));
        found.push(candidate);
    }
    found
}

/// The first plans for a class of the JDK, by the default strategy.
pub(crate) fn jdk_plans(class: &str, count: usize) -> Vec<Candidate> {
    let program = raddle_testkit::program(&[]).unwrap();
    plans(
        &program,
        &facts(&program, class),
        StrategyKind::Portfolio,
        1,
        count,
    )
}
