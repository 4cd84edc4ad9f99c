//! The random walk is uniform at every point.

use std::collections::BTreeMap;

use raddle_schedule::Random;
use raddle_schedule::reference_machine::Program;

use crate::programs::{explore, picks, private};

#[test]
fn every_enabled_thread_is_equally_likely_at_every_point() {
    let program = Program::of(vec![private(3, 1), private(3, 2), private(3, 3)]);
    let mut seen: BTreeMap<Vec<u8>, [u32; 4]> = BTreeMap::new();
    explore(&mut Random::new(1, 0), &program, 512, 90_000, |_, trial| {
        let picks = picks(&trial.run);
        // The first points suffice: behind them are too many pasts to see each often.
        for at in 0..4 {
            seen.entry(picks[..at].to_vec()).or_default()[usize::from(picks[at])] += 1;
        }
    });
    for (past, counts) in seen {
        let all: u32 = counts.iter().sum();
        let expected = f64::from(all) / 3.0;
        let deviation = (f64::from(all) * 2.0 / 9.0).sqrt();
        for count in &counts[1..] {
            assert!(
                (f64::from(*count) - expected).abs() < 5.0 * deviation,
                "{past:?}: {counts:?}"
            );
        }
    }
}
