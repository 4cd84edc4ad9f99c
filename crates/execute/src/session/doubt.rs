//! Whether it is the worker that hangs, and not the plans.
//!
//! A run that is cut ends wherever it is. A lock of the platform that it held then stays held, and from then on whatever needs
//! that lock waits for ever, in plan after plan. Classes that do nothing but wait look the same, so that a fresh worker in
//! vain makes the next one come later.

/// Plans in a row without an order that ends, before a fresh worker is asked the first time.
const FEWEST: u32 = 3;

/// What the latest plans say about the worker.
#[derive(Debug)]
pub(super) struct Doubt {
    stuck: u32,
    limit: u32,
}

impl Doubt {
    pub(super) fn new() -> Doubt {
        Doubt {
            stuck: 0,
            limit: FEWEST,
        }
    }

    /// Hears whether no order of a plan ended. Says whether a fresh worker is to be asked.
    pub(super) fn hears(&mut self, is_stuck: bool) -> bool {
        if !is_stuck {
            self.stuck = 0;
            return false;
        }
        self.stuck += 1;
        self.stuck >= self.limit
    }

    /// Hears what a fresh worker made of the same plan.
    pub(super) fn is_settled(&mut self, is_stuck: bool) {
        self.stuck = 0;
        self.limit = if is_stuck {
            self.limit.saturating_mul(4)
        } else {
            FEWEST
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_workers_in_vain_come_later_and_later() {
        let mut doubt = Doubt::new();
        let asked: Vec<usize> = (0..70)
            .filter(|_| {
                let asks = doubt.hears(true);
                if asks {
                    doubt.is_settled(true);
                }
                asks
            })
            .collect();
        assert_eq!(asked, [2, 14, 62]);
        assert!(!doubt.hears(false));
        doubt.is_settled(false);
        assert_eq!([true; 3].map(|stuck| doubt.hears(stuck)), [false, false, true]);
    }
}
