//! What a tape means between its entries.
//!
//! A tape names threads only at some points. Everywhere else one rule holds, and it is written down here once: the
//! reference machine follows it, the systematic policies rely on it, and what is recorded of a run is where the run
//! departs from it.

use raddle_plan::{Run, Step, Switch};

/// After so many points in a row, a thread that keeps others waiting gives way. Ends the wait of one thread that spins
/// for another.
pub const PATIENCE: u32 = 5000;

/// The thread that runs at a point of which the tape says nothing: the current one if it can and nothing asks it to
/// give way, else the next enabled one in cyclic order. `None` if no thread is enabled.
///
/// `in_a_row` is how many points in a row before this one the current thread was picked again while others could run.
pub fn stay_or_next(enabled: u64, current: u32, yields: bool, in_a_row: u32) -> Option<u32> {
    let current_bit = 1u64.checked_shl(current).unwrap_or(0);
    if enabled & current_bit != 0 && !yields && in_a_row < PATIENCE {
        return Some(current);
    }
    let above = if current >= 63 {
        0
    } else {
        enabled & (u64::MAX << (current + 1))
    };
    let candidates = if above == 0 { enabled } else { above };
    (candidates != 0).then(|| candidates.trailing_zeros())
}

/// The count that [`stay_or_next`] needs at the next point.
pub(crate) fn count_in_a_row(enabled: u64, stayed: bool, in_a_row: u32) -> u32 {
    if stayed && enabled.count_ones() > 1 {
        in_a_row.saturating_add(1)
    } else {
        0
    }
}

/// The tape that repeats a run: every change of thread, and every point where the thread went on though it would have
/// given way by itself.
pub fn switches(run: &Run) -> Vec<Switch> {
    switches_of(&run.steps)
}

/// The same for the first points of a run.
pub(crate) fn switches_of<'a>(steps: impl IntoIterator<Item = &'a Step>) -> Vec<Switch> {
    let mut found = Vec::new();
    let mut current = 0;
    let mut in_a_row = 0;
    for (step, point) in (0u32..).zip(steps) {
        let chosen = u32::from(point.chosen);
        if chosen != current || stay_or_next(point.enabled, current, point.yielded, in_a_row) != Some(chosen)
        {
            found.push(Switch { step, thread: chosen });
        }
        in_a_row = count_in_a_row(point.enabled, chosen == current, in_a_row);
        current = chosen;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_goes_on_while_it_can() {
        assert_eq!(stay_or_next(0b110, 1, false, 0), Some(1));
        assert_eq!(stay_or_next(0b110, 1, false, PATIENCE - 1), Some(1));
    }

    #[test]
    fn a_thread_that_cannot_go_on_or_gives_way_is_followed_in_cyclic_order() {
        assert_eq!(stay_or_next(0b1101, 1, false, 0), Some(2));
        assert_eq!(stay_or_next(0b0011, 1, true, 0), Some(0));
        assert_eq!(stay_or_next(0b0110, 1, false, PATIENCE), Some(2));
        assert_eq!(stay_or_next(0b0010, 1, true, 0), Some(1));
        assert_eq!(stay_or_next(1 << 63 | 1, 63, true, 0), Some(0));
        assert_eq!(stay_or_next(0, 0, false, 0), None);
    }
}
