//! Vector clocks over the events of one run.

use std::collections::BTreeMap;

/// How far each thread was when something happened, as far as that is ordered before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    /// By thread: one more than the position of its last event that comes before.
    reached: BTreeMap<u32, usize>,
}

impl Clock {
    /// A thread does the event at this position.
    pub(super) fn tick(&mut self, thread: u32, at: usize) {
        self.reached.insert(thread, at + 1);
    }

    /// Everything that comes before the other comes before this one.
    pub(super) fn join(&mut self, other: &Clock) {
        for (&thread, &reached) in &other.reached {
            let own = self.reached.entry(thread).or_default();
            *own = reached.max(*own);
        }
    }

    /// Whether that event of that thread comes before.
    pub(super) fn is_after(&self, thread: u32, at: usize) -> bool {
        self.reached.get(&thread).is_some_and(|&reached| reached > at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_before_one_of_two_comes_before_both_joined() {
        let (mut one, mut other) = (Clock::default(), Clock::default());
        one.tick(1, 4);
        other.tick(2, 7);
        assert!(!one.is_after(2, 7));
        one.join(&other);
        assert!(one.is_after(1, 4) && one.is_after(2, 0) && one.is_after(2, 7));
        assert!(!one.is_after(1, 5) && !one.is_after(2, 8) && !one.is_after(3, 0));
    }

    #[test]
    fn joining_an_older_clock_forgets_nothing() {
        let mut old = Clock::default();
        old.tick(1, 2);
        let mut new = old.clone();
        new.tick(1, 5);
        new.join(&old);
        assert!(new.is_after(1, 5));
    }
}
