//! The programs that are run, as a plan for Raddle and as calls for the peer.

/// Both threads and the call afterwards, for a class whose instances are made anew for each schedule.
pub(super) struct PeerCalls {
    pub(super) class: &'static str,
    pub(super) threads: [&'static str; 2],
    pub(super) after: Option<&'static str>,
    /// The same as a class of `bench/peers/pairs`, for `bench peers`.
    pub(super) pair: &'static str,
}

/// What the feasibility study measured on JDK 17.
pub(super) struct Spike {
    pub(super) schedules_per_second: f64,
    pub(super) events: f64,
    pub(super) switches: f64,
}

/// One small test with two threads.
pub(super) struct Program {
    pub(super) name: &'static str,
    /// Relative to the root of the workspace.
    pub(super) plan: &'static str,
    /// None where the study did not run the program.
    pub(super) spike: Option<Spike>,
    /// None where the peer cannot go on.
    pub(super) peer: Option<PeerCalls>,
}

/// Those with a deadlock have a twin without one, because the peer ends at the first deadlock.
pub(super) const PROGRAMS: [Program; 6] = [
    Program {
        name: "counter",
        plan: "bench/plans/counter.json",
        spike: Some(Spike {
            schedules_per_second: 124_000.0,
            events: 6.0,
            switches: 2.4,
        }),
        peer: Some(PeerCalls {
            class: "Counter",
            threads: ["a", "b"],
            after: Some("check"),
            pair: "Counter",
        }),
    },
    Program {
        name: "Hashtable deadlock",
        plan: "fixtures/engine/plans/deadlock/hashtable-equals.json",
        spike: Some(Spike {
            schedules_per_second: 39_000.0,
            events: 30.0,
            switches: 6.9,
        }),
        peer: None,
    },
    Program {
        name: "Hashtable, one order",
        plan: "bench/plans/hashtable-in-order.json",
        spike: None,
        peer: Some(PeerCalls {
            class: "HashtableInOrder",
            threads: ["a", "a"],
            after: None,
            pair: "HashtableInOrder",
        }),
    },
    Program {
        name: "AB/BA ReentrantLock",
        plan: "bench/plans/locks-crosswise.json",
        spike: Some(Spike {
            schedules_per_second: 20_000.0,
            events: 60.0,
            switches: 27.0,
        }),
        peer: None,
    },
    Program {
        name: "ReentrantLock, one order",
        plan: "bench/plans/locks-in-order.json",
        spike: None,
        peer: Some(PeerCalls {
            class: "LocksInOrder",
            threads: ["a", "a"],
            after: Some("check"),
            pair: "LocksInOrder",
        }),
    },
    Program {
        name: "ArrayBlockingQueue",
        plan: "bench/plans/array-queue.json",
        spike: Some(Spike {
            schedules_per_second: 8_700.0,
            events: 244.0,
            switches: 65.0,
        }),
        peer: Some(PeerCalls {
            class: "ArrayQueue",
            threads: ["a", "b"],
            after: None,
            pair: "ArrayQueue",
        }),
    },
];

/// What the plans and the peer's calls name, relative to the root of the workspace.
pub(super) const SOURCES: [&str; 4] = [
    "fixtures/engine/wrong-result/Counter.java",
    "fixtures/engine/deadlock/LocksCrosswise.java",
    "fixtures/engine/clean/LocksInOrder.java",
    "fixtures/engine/clean/ArrayQueue.java",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    #[test]
    fn every_file_that_a_program_needs_exists() {
        let plans = PROGRAMS.iter().map(|program| program.plan);
        for file in plans.chain(SOURCES) {
            assert!(workspace::root().join(file).is_file(), "{file}");
        }
    }
}
