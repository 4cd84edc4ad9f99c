//! What is tested, by which strategy, or why it cannot be.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use raddle_program::{ClassId, LoadError, Program};
use raddle_summary::ClassFacts;

use crate::callable::{self, Skipped};
use crate::constructions::Unmakeable;
use crate::directed::{TracedTest, Types};
use crate::plan_builder::PlanBuilder;
use crate::strategies::{
    Autocontest, Contege, Covcon, CoverageOptions, DefaultStrategy, Depcon, Portfolio, Predicted,
    initialiser_plans, predict_atomicity, predict_deadlocks, predict_races,
};
use crate::strategy::Strategy;

/// A class under test.
#[derive(Copy, Clone)]
pub struct Target<'p> {
    /// Where it lives.
    pub program: &'p Program,
    /// The class.
    pub class: ClassId,
    /// Its facts, of precision `precise`.
    pub facts: &'p ClassFacts,
    /// Whether there are tests that make objects of the class; it need not be known how, then.
    pub has_seeds: bool,
    /// Threads of a test, at least two. Those beyond the second do what the first and the second do.
    pub threads: usize,
}

impl Target<'_> {
    /// Public methods that no plan calls, and why.
    pub fn skipped_methods(&self) -> Vec<Skipped> {
        callable::sort_out(self.program, self.class, self.facts).1
    }
}

/// Which strategy makes the plans.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum StrategyKind {
    /// Cheapest evidence first, then variations of the tests that reached something new.
    #[default]
    Portfolio,
    /// The same without tests that grow: a fixed list of steps, then random tests.
    Listed,
    /// Random.
    Contege,
    /// Guided by which pairs of methods ran at the same time.
    Covcon,
    /// Guided by the dependencies between methods.
    Depcon,
    /// Lock cycles foreseen from calls that ran alone.
    Omen,
    /// Atomicity violations foreseen from calls that ran alone.
    Intruder,
    /// Races foreseen from calls that ran alone.
    Narada,
    /// Interleavings that match a problematic access pattern, covered with few tests.
    Autocontest,
}

impl StrategyKind {
    /// All of them, the default first.
    pub const ALL: [StrategyKind; 9] = [
        StrategyKind::Portfolio,
        StrategyKind::Listed,
        StrategyKind::Contege,
        StrategyKind::Covcon,
        StrategyKind::Depcon,
        StrategyKind::Omen,
        StrategyKind::Intruder,
        StrategyKind::Narada,
        StrategyKind::Autocontest,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            StrategyKind::Portfolio => "portfolio",
            StrategyKind::Listed => "listed",
            StrategyKind::Contege => "contege",
            StrategyKind::Covcon => "covcon",
            StrategyKind::Depcon => "depcon",
            StrategyKind::Omen => "omen",
            StrategyKind::Intruder => "intruder",
            StrategyKind::Narada => "narada",
            StrategyKind::Autocontest => "autocontest",
        }
    }

    /// How many sequential tests it looks at before it makes a plan.
    pub const fn sequential_tests(self) -> usize {
        match self {
            StrategyKind::Contege
            | StrategyKind::Covcon
            | StrategyKind::Depcon
            | StrategyKind::Autocontest => 0,
            // More would keep the first plan waiting.
            StrategyKind::Portfolio | StrategyKind::Listed => 120,
            StrategyKind::Omen | StrategyKind::Intruder | StrategyKind::Narada => 1000,
        }
    }
}

impl fmt::Display for StrategyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no strategy's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no strategy `{name}`; choose portfolio, listed, contege, covcon, depcon, omen, intruder, narada or autocontest"
)]
pub struct UnknownStrategy {
    /// As typed.
    pub name: String,
}

impl FromStr for StrategyKind {
    type Err = UnknownStrategy;

    fn from_str(name: &str) -> Result<StrategyKind, UnknownStrategy> {
        StrategyKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| UnknownStrategy {
                name: name.to_owned(),
            })
    }
}

/// Why a class cannot be tested.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CannotTest {
    /// It cannot be loaded.
    #[error("{0}")]
    Load(Arc<LoadError>),
    /// It is an interface.
    #[error("{class} is an interface; name a class that implements it")]
    Interface {
        /// The class.
        class: String,
    },
    /// It has no public methods.
    #[error("{class} has no public methods that a test could call")]
    NoPublicMethods {
        /// The class.
        class: String,
    },
    /// It has public methods, and none that code of another package can call.
    #[error("no public method of {class} can be called from outside its package{}", first_reason(.first.as_ref()))]
    NothingCallable {
        /// The class.
        class: String,
        /// A method and why.
        first: Option<(String, String)>,
    },
    /// No object of it can be made.
    #[error("no object can be made to test: {reason}")]
    NotConstructible {
        /// What is in the way.
        reason: Unmakeable,
    },
    /// The facts are those of another class.
    #[error("the facts given for {class} are those of {facts}; analyse {class} itself")]
    OtherFacts {
        /// The class.
        class: String,
        /// The class of the facts.
        facts: String,
    },
}

fn first_reason(first: Option<&(String, String)>) -> String {
    match first {
        Some((method, reason)) => format!(": {method} cannot because {reason}"),
        None => String::new(),
    }
}

/// A strategy for a class. The same seed, facts and sequential tests give the same plans.
pub fn strategy<'p>(
    kind: StrategyKind,
    target: Target<'p>,
    seed: u64,
    seeds: &[TracedTest],
) -> Result<Box<dyn Strategy + 'p>, CannotTest> {
    let builder = PlanBuilder::new(target, seed)?;
    let types = Types(target.program);
    let own = target.program.name(target.class);
    let foreseen = |builder, foresight| Box::new(Predicted::new(kind.name(), builder, foresight));
    Ok(match kind {
        StrategyKind::Portfolio | StrategyKind::Listed => {
            let portfolio = Portfolio::new(builder, seeds, kind == StrategyKind::Portfolio);
            let first = initialiser_plans(target, seed);
            Box::new(DefaultStrategy::new(first, portfolio, target, seed))
        }
        StrategyKind::Omen => foreseen(builder, predict_deadlocks(seeds, &types)),
        StrategyKind::Intruder => foreseen(builder, predict_atomicity(seeds, &types, &own)),
        StrategyKind::Narada => foreseen(builder, predict_races(seeds, &types, &own)),
        StrategyKind::Autocontest => Box::new(Autocontest::new(builder, CoverageOptions::default())),
        StrategyKind::Contege => Box::new(Contege::new(builder)),
        StrategyKind::Covcon => Box::new(Covcon::new(builder)),
        StrategyKind::Depcon => Box::new(Depcon::new(builder)),
    })
}

/// AutoConTest for a class, for those who want more of it than its plans.
pub fn autocontest(
    target: Target<'_>,
    seed: u64,
    options: CoverageOptions,
) -> Result<Autocontest<'_>, CannotTest> {
    Ok(Autocontest::new(PlanBuilder::new(target, seed)?, options))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_are_known_by_their_names() {
        for kind in StrategyKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        let error = "Random".parse::<StrategyKind>().unwrap_err();
        assert!(error.to_string().contains("`Random`"), "{error}");
    }
}
