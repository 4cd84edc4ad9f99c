//! The one source of randomness of the crate: xorshift64 (Marsaglia, 2003), seeded through `SplitMix64` (Steele, Lea and
//! Flood, 2014).

/// A sequence of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Rng {
    state: u64,
}

impl Rng {
    pub(crate) const fn new(seed: u64) -> Rng {
        let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        // Zero is the one state that xorshift never leaves.
        Rng {
            state: if z == 0 { 1 } else { z },
        }
    }

    const fn draw(&mut self) -> u64 {
        let mut x = self.state;
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.state = x;
        x
    }

    /// A number below `n`, and 0 if `n` is 0.
    pub(crate) const fn below(&mut self, n: usize) -> usize {
        // The upper bits are the better ones.
        let upper = (self.draw() >> 33) as usize;
        if n == 0 { 0 } else { upper % n }
    }

    /// True in one of `n` cases.
    pub(crate) const fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of these.
    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let index = self.below(from.len());
        from.get(index)
    }

    /// A small number, the smaller the likelier: each is half as likely as the one before.
    pub(crate) fn small(&mut self, n: usize) -> usize {
        let zeros = self.draw().leading_zeros() as usize;
        if n == 0 { 0 } else { zeros.min(n - 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_numbers_and_others_do_not() {
        let numbers = |seed| {
            let mut rng = Rng::new(seed);
            (0..20).map(|_| rng.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
        assert!(numbers(0).iter().all(|&n| n < 1000));
    }

    #[test]
    fn nothing_is_drawn_from_nothing() {
        let mut rng = Rng::new(1);
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.small(0), 0);
        assert!(rng.pick::<u8>(&[]).is_none());
    }
}
