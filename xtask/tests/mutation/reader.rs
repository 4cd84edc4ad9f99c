//! Damaged class files, read in every way there is.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::{cases, corpus, mutate, whole_class};

const CASES: u64 = 100_000;
const SAMPLES: usize = 300;
const MAX_SIZE: usize = 20_000;

#[test]
fn damaged_classes_are_read_or_refused() {
    let samples = corpus::samples(SAMPLES, MAX_SIZE, |_| true);
    assert!(samples.len() >= SAMPLES / 2, "{} samples", samples.len());
    let readable = AtomicU64::new(0);
    let run = cases::run("reader", CASES, |_, mut random| {
        let sample = random.pick(&samples);
        let mut bytes = sample.bytes.clone();
        // Most damage is noticed early; what is within the code lets the reader go on.
        if random.below(4) == 0 && !sample.code.is_empty() {
            mutate::within(&mut bytes, &sample.code, &mut random);
        } else {
            let other = random.pick(&samples);
            mutate::anywhere(&mut bytes, &other.bytes, &mut random);
        }
        if whole_class::read(&bytes) {
            readable.fetch_add(1, Ordering::Relaxed);
        }
    });
    let readable = readable.into_inner();
    assert!(readable >= run / 10, "only {readable} of {run} can be read");
}
