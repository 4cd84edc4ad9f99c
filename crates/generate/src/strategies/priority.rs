//! Which pair of methods to try next: CovCon (Choudhary, Lu and Pradel, ICSE 2017), Definition 2 and section IV-E.

use std::collections::BTreeMap;

use crate::rng::Rng;

/// A pair's tried and covered counts.
#[derive(Copy, Clone, Debug, Default)]
struct Counts {
    tried: u64,
    covered: u64,
}

impl Counts {
    /// S(p) of Definition 2; low scores come first.
    fn score(self) -> u64 {
        if self.tried == 0 {
            return 0;
        }
        self.tried.abs_diff(self.covered).max(1) * self.tried
    }
}

/// Pairs with their counts.
pub(super) struct Priorities {
    counts: BTreeMap<(usize, usize), Counts>,
    /// `P_prio`: the pairs of the lowest score when scores were last computed.
    prioritized: Vec<(usize, usize)>,
}

impl Priorities {
    /// All pairs untried. A pair is written with its lower index first.
    pub(super) fn new(pairs: impl Iterator<Item = (usize, usize)>) -> Priorities {
        Priorities {
            counts: pairs.map(|pair| (pair, Counts::default())).collect(),
            prioritized: Vec::new(),
        }
    }

    /// `prioritizeCMP` and `updateTriedCounts` of Algorithm 2: a random pair of those with the lowest score.
    pub(super) fn next(&mut self, rng: &mut Rng) -> Option<(usize, usize)> {
        if self.prioritized.is_empty() {
            let lowest = self.counts.values().map(|counts| counts.score()).min()?;
            self.prioritized = self
                .counts
                .iter()
                .filter(|(_, counts)| counts.score() == lowest)
                .map(|(pair, _)| *pair)
                .collect();
        }
        let at = rng.below(self.prioritized.len());
        let pair = self.prioritized.swap_remove(at);
        if let Some(counts) = self.counts.get_mut(&pair) {
            counts.tried += 1;
        }
        Some(pair)
    }

    /// How often a pair was tried.
    pub(super) fn tried(&self, pair: (usize, usize)) -> u64 {
        self.counts.get(&pair).map_or(0, |counts| counts.tried)
    }

    /// `updateCoveredCounts` of Algorithm 2.
    pub(super) fn cover(&mut self, covered: &[(usize, usize)]) {
        for &(one, other) in covered {
            if let Some(counts) = self.counts.get_mut(&(one.min(other), one.max(other))) {
                counts.covered += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_of_table_one() {
        let score = |tried, covered| Counts { tried, covered }.score();
        assert_eq!((0..4).map(|c| score(0, c)).collect::<Vec<_>>(), [0, 0, 0, 0]);
        assert_eq!(
            (0..=10).map(|c| score(1, c)).collect::<Vec<_>>(),
            [1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        );
        assert_eq!(
            (0..=10).map(|c| score(4, c)).collect::<Vec<_>>(),
            [16, 12, 8, 4, 4, 4, 8, 12, 16, 20, 24]
        );
    }

    #[test]
    fn every_pair_is_tried_before_one_is_tried_again() {
        let mut priorities = Priorities::new([(0, 0), (0, 1), (1, 1)].into_iter());
        let mut rng = Rng::new(3);
        let mut first: Vec<_> = (0..3).filter_map(|_| priorities.next(&mut rng)).collect();
        first.sort_unstable();
        assert_eq!(first, [(0, 0), (0, 1), (1, 1)]);
        // (1, 1) ran in parallel more often than it was asked to.
        priorities.cover(&[(1, 1), (1, 1), (1, 1), (1, 0)]);
        let again: Vec<_> = (0..2).filter_map(|_| priorities.next(&mut rng)).collect();
        assert!(!again.contains(&(1, 1)), "{again:?}");
    }
}
