//! When sequential orders are stopped.

/// After how many points sequential orders are stopped, see [`crate::ExploreOptions`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) max_steps: u32,
    pub(super) long_steps: Option<u32>,
}

impl Bound {
    pub(super) fn of(max_steps: u32) -> Bound {
        Bound {
            max_steps,
            long_steps: None,
        }
    }

    /// Within so many points no run is stopped that comes to an end.
    pub(super) fn longest(self) -> u32 {
        self.long_steps.unwrap_or(0).max(self.max_steps)
    }
}
