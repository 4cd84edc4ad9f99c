//! What is measured, and what came of it.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::bench::hunting::results::Row;
use crate::bench::hunting::statistics::median;

/// What tells measurements apart.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(tag = "part", rename_all = "snake_case")]
pub(super) enum Key {
    Workers { class: String, jobs: u32, seed: u64 },
    Methods { methods: u32, seed: u64 },
    ClassPath { classes: u32 },
}

/// A line of the results.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) key: Key,
    pub(super) date: String,
    pub(super) commit: String,
    pub(super) jdk_version: String,
    /// Before it began.
    pub(super) load: String,
    /// Of hunts with several workers.
    pub(super) budget_s: u64,
    /// With the first seed, where it is asked for.
    pub(super) analysis: Option<Analysis>,
    pub(super) hunt: Hunt,
}

/// Runs of `raddle analyze`.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Analysis {
    /// Of public methods, and those of them that are worth a test.
    pub(super) pairs: u64,
    pub(super) dependent: u64,
    /// Of each run.
    pub(super) wall_ms: Vec<f64>,
    /// Of a run, as the mean of each round.
    pub(super) cpu_ms: Vec<f64>,
    pub(super) peak_kib: u64,
}

/// A run of `raddle hunt`.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Hunt {
    pub(super) wall_ms: f64,
    pub(super) cpu_ms: f64,
    /// As the hunt counts, from the start of the class to its end.
    pub(super) time_ms: f64,
    pub(super) plans: u64,
    pub(super) schedules: u64,
    pub(super) findings: u64,
    pub(super) first_finding_ms: Option<f64>,
    pub(super) memory: Memory,
}

/// What processes held, in KiB. Pages that several processes share count for each.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Memory {
    /// The most that the coordinator held at any time.
    pub(super) coordinator: u64,
    /// The same of each worker, also of those that were replaced.
    pub(super) workers: Vec<u64>,
    /// When all held most together: the coordinator, and all workers.
    pub(super) together: (u64, u64),
}

impl Row for Record {
    type Key = Key;

    fn key(&self) -> Key {
        self.key.clone()
    }
}

impl Key {
    /// A guess on a slow machine.
    pub(super) fn expected(&self, budget: u64) -> Duration {
        Duration::from_secs(match self {
            Key::Workers { .. } => budget + 4,
            Key::Methods { methods, .. } => 4 + u64::from(*methods) / 50,
            Key::ClassPath { classes } => 4 + u64::from(*classes) / 250,
        })
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Workers { class, jobs, seed } => write!(f, "{class} with --jobs {jobs}, seed {seed}"),
            Key::Methods { methods, seed } => write!(f, "a class with {methods} methods, seed {seed}"),
            Key::ClassPath { classes } => write!(f, "a class path with {classes} others"),
        }
    }
}

impl Analysis {
    /// What else the machine does can only slow a run down.
    pub(super) fn best_wall_ms(&self) -> f64 {
        self.wall_ms.iter().copied().fold(f64::INFINITY, f64::min)
    }

    pub(super) fn median_wall_ms(&self) -> f64 {
        median(self.wall_ms.clone()).unwrap_or(0.0)
    }

    pub(super) fn best_cpu_ms(&self) -> f64 {
        self.cpu_ms.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

impl Memory {
    /// Of the worker that held most.
    pub(super) fn largest_worker(&self) -> u64 {
        self.workers.iter().copied().max().unwrap_or(0)
    }
}

#[cfg(test)]
impl Record {
    /// Of a hunt that took a second and found one thing half-way.
    pub(super) fn sample(key: Key) -> Record {
        let analysis = !matches!(key, Key::Workers { .. });
        Record {
            key,
            date: "2026-01-02".to_owned(),
            commit: "abc".to_owned(),
            jdk_version: "17.0.15".to_owned(),
            load: "1.50 1.0 1.0".to_owned(),
            budget_s: 10,
            analysis: analysis.then(|| Analysis {
                pairs: 55,
                dependent: 20,
                wall_ms: vec![90.0, 80.0, 100.0],
                cpu_ms: vec![60.0, 70.0, 70.0],
                peak_kib: 40 << 10,
            }),
            hunt: Hunt {
                wall_ms: 1_200.0,
                cpu_ms: 900.0,
                time_ms: 1_000.0,
                plans: 10,
                schedules: 500,
                findings: 1,
                first_finding_ms: Some(500.0),
                memory: Memory {
                    coordinator: 80 << 10,
                    workers: vec![90 << 10, 120 << 10],
                    together: (70 << 10, 200 << 10),
                },
            },
        }
    }
}
