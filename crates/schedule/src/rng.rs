//! The one source of randomness. The runtime in the JVM has the same generator, bit for bit.
//!
//! `SplitMix64` (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014) turns seeds into
//! well mixed numbers; xorshift64 with the shifts 13, 7, 17 (Marsaglia: "Xorshift RNGs", 2003) makes sequences of them.

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// One step of `SplitMix64` from this state.
pub const fn splitmix64(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(GOLDEN);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The seed of the run with this number: number `index` of the sequence that `SplitMix64` makes from `base`. A run
/// depends on nothing that came before it, so a search can go on at any index.
pub const fn run_seed(base: u64, index: u64) -> u64 {
    splitmix64(base.wrapping_add(index.wrapping_mul(GOLDEN)))
}

/// A sequence of random numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The sequence of this seed.
    pub const fn new(seed: u64) -> Rng {
        let state = splitmix64(seed);
        // Zero is the one state that xorshift never leaves.
        Rng {
            state: if state == 0 { 1 } else { state },
        }
    }

    /// The next number.
    pub const fn draw(&mut self) -> u64 {
        let mut x = self.state;
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.state = x;
        x
    }

    /// A number below `n`, and 0 if `n` is 0. The upper bits are used since they are the better ones; the bias of the
    /// remainder is below n / 2³¹.
    pub const fn below(&mut self, n: u32) -> u32 {
        let upper = (self.draw() >> 33) as u32;
        if n == 0 { 0 } else { upper % n }
    }

    /// The numbers from 1 to `n` in random order (Fisher and Yates).
    pub fn permutation(&mut self, n: u32) -> Vec<u32> {
        let mut all: Vec<u32> = (1..=n).collect();
        for i in (1..all.len()).rev() {
            let other = self.below(i as u32 + 1) as usize;
            all.swap(i, other);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix_gives_the_published_numbers() {
        // The first outputs of the reference implementation for the seed 1234567.
        let outputs: Vec<u64> = (0..3).map(|index| run_seed(1_234_567, index)).collect();
        assert_eq!(
            outputs,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn a_seed_that_mixes_to_zero_still_gives_numbers() {
        // splitmix64 is a bijection with splitmix64(-GOLDEN) = 0.
        let seed = 0u64.wrapping_sub(GOLDEN);
        assert_eq!(splitmix64(seed), 0);
        assert_ne!(Rng::new(seed).draw(), 0);
    }

    #[test]
    fn numbers_below_n_are_even_enough() {
        let mut rng = Rng::new(7);
        let mut seen = [0u32; 7];
        for _ in 0..70_000 {
            seen[rng.below(7) as usize] += 1;
        }
        // Six standard deviations are 550.
        assert!(
            seen.iter().all(|count| (9_450..10_550).contains(count)),
            "{seen:?}"
        );
    }

    #[test]
    fn permutations_of_three_are_even_enough() {
        let mut seen = std::collections::BTreeMap::new();
        for index in 0..60_000 {
            *seen
                .entry(Rng::new(run_seed(1, index)).permutation(3))
                .or_insert(0u32) += 1;
        }
        assert_eq!(seen.len(), 6);
        assert!(
            seen.values().all(|count| (9_450..10_550).contains(count)),
            "{seen:?}"
        );
    }
}
