//! Sums over all classes of a run.

use raddle_summary::{ClassFacts, Counts};

/// Sums over all classes of a run.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Total {
    pub(crate) classes: usize,
    pub(crate) methods: usize,
    pub(crate) counts: Counts,
}

impl Total {
    pub(crate) const ZERO: Total = Total {
        classes: 0,
        methods: 0,
        counts: Counts {
            m: 0,
            mpc: 0,
            md: 0,
            union: 0,
        },
    };

    pub(crate) fn add(&mut self, facts: &ClassFacts) {
        self.classes += 1;
        self.methods += facts.methods.len();
        self.counts.m += facts.counts.m;
        self.counts.mpc += facts.counts.mpc;
        self.counts.md += facts.counts.md;
        self.counts.union += facts.counts.union;
    }
}
