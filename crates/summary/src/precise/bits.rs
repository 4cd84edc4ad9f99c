//! A set of small numbers.

/// A growing bit set.
#[derive(Clone, Default)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    pub(crate) fn set(&mut self, at: usize) {
        if self.words.len() <= at / 64 {
            self.words.resize(at / 64 + 1, 0);
        }
        self.words[at / 64] |= 1 << (at % 64);
    }

    pub(crate) fn has(&self, at: usize) -> bool {
        self.words
            .get(at / 64)
            .is_some_and(|word| word & (1 << (at % 64)) != 0)
    }

    pub(crate) fn add(&mut self, other: &Bits) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine |= theirs;
        }
    }

    pub(crate) fn meets(&self, other: &Bits) -> bool {
        self.words
            .iter()
            .zip(&other.words)
            .any(|(mine, theirs)| mine & theirs != 0)
    }

    /// Whether everything in both is also in `limit`.
    pub(crate) fn meets_only_in(&self, other: &Bits, limit: &Bits) -> bool {
        let both = self.words.iter().zip(&other.words);
        both.enumerate()
            .all(|(at, (mine, theirs))| mine & theirs & !limit.words.get(at).copied().unwrap_or(0) == 0)
    }

    /// The first number in both.
    pub(crate) fn first_met(&self, other: &Bits) -> Option<usize> {
        let both = self.words.iter().zip(&other.words);
        both.enumerate().find_map(|(at, (mine, theirs))| {
            let common = mine & theirs;
            (common != 0).then(|| at * 64 + common.trailing_zeros() as usize)
        })
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            (0..64)
                .filter(move |bit| word & (1 << bit) != 0)
                .map(move |bit| at * 64 + bit)
        })
    }
}
