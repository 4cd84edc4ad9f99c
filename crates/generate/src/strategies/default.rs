//! The default strategy with AutoConTest beside it, and the few tests of initialisers before it.
//!
//! What AutoConTest is good at takes states that nobody guesses, and a search to find them. The search is made in small
//! pieces between the tests of the portfolio, from the time on when what is easy to find has been found, and its tests
//! get a turn now and then: fewer if they do not pay.

use std::collections::{BTreeSet, VecDeque};

use raddle_plan::TestPlan;

use super::portfolio::Yield;
use super::{Autocontest, CoverageOptions, Portfolio};
use crate::directed::TracedTest;
use crate::target::{Target, autocontest};
use crate::{Candidate, Feedback, Strategy};

/// Tests of the portfolio before the search begins: from the start on, the search made classes slower to break whose
/// objects take long to make, and none faster (`bench/tables/portfolio.md`).
const AHEAD: usize = 600;
/// Every which test is followed by a sequential one from there on: those take longer, since they are traced whole.
const PIECE_EVERY: usize = 4;
/// Every which turn is one for a test of AutoConTest; the second if these have not paid.
const TURNS: (usize, usize) = (4, 10);
/// Candidates of AutoConTest are numbered from here on, so that those of the portfolio keep theirs.
const BESIDE: u64 = 1 << 40;
/// The same for tests of initialisers.
const BEFORE: u64 = 1 << 41;

/// All of them.
pub(crate) struct DefaultStrategy<'p> {
    first: VecDeque<Candidate>,
    portfolio: Portfolio<'p>,
    /// Made when its time has come: to look for values for all methods takes seconds.
    coverage: Option<Autocontest<'p>>,
    target: Target<'p>,
    seed: u64,
    /// Candidates so far, and sequential tests that may be run before the next.
    round: usize,
    pieces: usize,
    covering: Yield,
    /// Candidates of AutoConTest that wait for feedback.
    given: BTreeSet<u64>,
}

impl<'p> DefaultStrategy<'p> {
    pub(crate) fn new(
        first: Vec<Candidate>,
        portfolio: Portfolio<'p>,
        target: Target<'p>,
        seed: u64,
    ) -> DefaultStrategy<'p> {
        DefaultStrategy {
            first: first.into(),
            portfolio,
            coverage: None,
            target,
            seed,
            round: 0,
            pieces: 0,
            covering: Yield::default(),
            given: BTreeSet::new(),
        }
    }

    fn covering(&mut self) -> Option<Candidate> {
        let candidate = self.coverage.as_mut()?.next()?;
        let number = candidate.number + BESIDE;
        self.given.insert(number);
        Some(Candidate { number, ..candidate })
    }
}

impl Strategy for DefaultStrategy<'_> {
    fn name(&self) -> &'static str {
        self.portfolio.name()
    }

    fn next_alone(&mut self) -> Option<TestPlan> {
        self.pieces = self.pieces.checked_sub(1)?;
        self.coverage.as_mut()?.next_alone()
    }

    fn observe_alone(&mut self, seed: Option<TracedTest>) {
        if let Some(coverage) = &mut self.coverage {
            coverage.observe_alone(seed);
        }
    }

    fn next(&mut self) -> Option<Candidate> {
        if let Some(candidate) = self.first.pop_front() {
            let number = candidate.number + BEFORE;
            return Some(Candidate { number, ..candidate });
        }
        self.round += 1;
        if self.round > AHEAD && self.round.is_multiple_of(PIECE_EVERY) {
            self.pieces = 1;
        }
        if self.round == AHEAD {
            // That the class can be tested is known by now.
            self.coverage = autocontest(self.target, self.seed, CoverageOptions::default()).ok();
        }
        let is_covering = self.round.is_multiple_of(self.covering.pace(TURNS.0, TURNS.1));
        if is_covering && let Some(candidate) = self.covering() {
            return Some(candidate);
        }
        self.portfolio.next().or_else(|| self.covering())
    }

    fn left_out(&self) -> u64 {
        self.portfolio.left_out()
    }

    fn observe(&mut self, number: u64, feedback: &Feedback) {
        if self.given.remove(&number) {
            self.covering.count(feedback);
            if let Some(coverage) = &mut self.coverage {
                coverage.observe(number - BESIDE, feedback);
            }
        } else if number < BEFORE {
            self.portfolio.observe(number, feedback);
        }
    }
}
