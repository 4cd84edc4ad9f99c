//! Success rates.

use crate::bench::hunting::statistics::count;

/// Of a normal distribution, for 95 %.
const Z: f64 = 1.959_964;

/// So many of so many.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rate {
    pub(super) hits: usize,
    pub(super) tries: usize,
}

impl Rate {
    pub(super) fn percent(self) -> f64 {
        100.0 * count(self.hits as u64) / count(self.tries.max(1) as u64)
    }

    /// Wilson's interval at 95 %, in percent: it holds for few tries, and for rates of 0 and 1.
    pub(super) fn interval(self) -> (f64, f64) {
        let n = count(self.tries.max(1) as u64);
        let p = count(self.hits as u64) / n;
        let middle = (p + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half = Z / (1.0 + Z * Z / n) * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        (100.0 * (middle - half).max(0.0), 100.0 * (middle + half).min(1.0))
    }

    /// Such as `5 of 5, 100 % (57 to 100)`.
    pub(super) fn cell(self) -> String {
        let (low, high) = self.interval();
        format!(
            "{} of {}, {:.0} % ({low:.0} to {high:.0})",
            self.hits,
            self.tries,
            self.percent()
        )
    }
}

impl std::iter::Sum for Rate {
    fn sum<I: Iterator<Item = Rate>>(rates: I) -> Rate {
        rates.fold(Rate::default(), |sum, rate| Rate {
            hits: sum.hits + rate.hits,
            tries: sum.tries + rate.tries,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_wilsons() {
        // 4 of 5 and 5 of 5, as printed in textbooks.
        assert_eq!(Rate { hits: 4, tries: 5 }.cell(), "4 of 5, 80 % (38 to 96)");
        assert_eq!(Rate { hits: 5, tries: 5 }.cell(), "5 of 5, 100 % (57 to 100)");
        assert_eq!(Rate { hits: 0, tries: 5 }.cell(), "0 of 5, 0 % (0 to 43)");
    }
}
