//! Who must give way after yielding: Musuvathi, Qadeer, "Fair stateless model checking", PLDI 2008, algorithm 1.
//!
//! A thread that spins until another one has done something makes infinitely many interleavings out of one. The
//! algorithm leaves out the unfair ones: when a thread yields, it falls behind the threads that could have run since its
//! last yield and were not let. A thread that yields for the first time falls behind nobody, so that code which yields
//! without need is explored with and without effect.

/// Sets of threads are bit masks.
const THREADS: usize = 64;

/// The state of the algorithm, from the beginning of a run to some point.
#[derive(Clone, Debug)]
pub(crate) struct Fair {
    /// P: thread t may run only when none of these is enabled.
    behind: [u64; THREADS],
    /// E: enabled at every point since t's last yield.
    always_enabled: [u64; THREADS],
    /// D: disabled by t since its last yield.
    disabled: [u64; THREADS],
    /// S: scheduled since t's last yield.
    scheduled: [u64; THREADS],
    enabled: u64,
    chosen: Option<usize>,
}

impl Fair {
    pub(crate) const fn new() -> Fair {
        Fair {
            behind: [0; THREADS],
            always_enabled: [0; THREADS],
            disabled: [u64::MAX; THREADS],
            scheduled: [u64::MAX; THREADS],
            enabled: 0,
            chosen: None,
        }
    }

    /// The next point, with these threads enabled. Returns those that may run.
    pub(crate) fn arrive(&mut self, enabled: u64, yields: bool) -> u64 {
        if let Some(t) = self.chosen {
            for u in 0..THREADS {
                self.scheduled[u] |= 1 << t;
                self.always_enabled[u] &= enabled;
            }
            self.disabled[t] |= self.enabled & !enabled;
            if yields {
                self.behind[t] |= (self.always_enabled[t] | self.disabled[t]) & !self.scheduled[t];
                self.always_enabled[t] = enabled;
                self.disabled[t] = 0;
                self.scheduled[t] = 0;
            }
        }
        self.enabled = enabled;
        (0..THREADS)
            .filter(|t| enabled >> t & 1 == 1 && self.behind[*t] & enabled == 0)
            .fold(0, |all, t| all | 1 << t)
    }

    /// This thread was picked at the point.
    pub(crate) fn pick(&mut self, thread: u8) {
        let t = usize::from(thread) % THREADS;
        for behind in &mut self.behind {
            *behind &= !(1 << t);
        }
        self.chosen = Some(t);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_yield_costs_nothing_and_the_second_one_the_turn() {
        let mut fair = Fair::new();
        assert_eq!(fair.arrive(0b110, false), 0b110);
        fair.pick(1);
        assert_eq!(fair.arrive(0b110, true), 0b110);
        fair.pick(1);
        // Thread 2 has been enabled since the first yield, and was not scheduled.
        assert_eq!(fair.arrive(0b110, true), 0b100);
        fair.pick(2);
        assert_eq!(fair.arrive(0b110, false), 0b110);
    }

    #[test]
    fn a_thread_gives_way_only_to_threads_that_can_run() {
        let mut fair = Fair::new();
        fair.arrive(0b110, false);
        fair.pick(1);
        fair.arrive(0b110, true);
        fair.pick(1);
        fair.arrive(0b010, false);
        fair.pick(1);
        assert_eq!(fair.arrive(0b010, true), 0b010);
    }
}
