//! Rewrites every class of the installed JDKs and reads the results back.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test is a panic"
)]

mod support;

use std::time::{Duration, Instant};

use raddle_classfile::ClassFile;
use raddle_instrument::{Options, Reason, Rewriter, StaticState};

#[test]
fn every_class_of_the_jdk_is_rewritten_to_a_valid_one() {
    for jdk in support::jdks() {
        let rewriter = Rewriter::new(Options::default());
        let (mut classes, mut changed, mut took) = (0, 0, Duration::ZERO);
        let (mut before, mut after) = (0, 0);
        let mut left_alone = Vec::new();
        for module in jdk.modules() {
            for (name, bytes) in jdk.classes_of(module) {
                let start = Instant::now();
                let rewritten = rewriter.rewrite(&name, &bytes);
                took += start.elapsed();
                classes += 1;
                left_alone.extend(rewritten.left_alone);
                if let Some(new) = rewritten.bytes {
                    changed += 1;
                    before += bytes.len();
                    after += new.len();
                    support::check(&bytes, &new);
                }
            }
        }
        println!(
            "JDK {}: {classes} classes, {changed} rewritten, {} sites, {:.1} µs per class, {before} to {after} bytes",
            jdk.version(),
            rewriter.site_count(),
            took.as_secs_f64() * 1e6 / f64::from(classes),
        );
        for entry in &left_alone {
            println!("  {entry}");
        }
        assert!(classes > 5_000 && changed > classes / 3);
        assert!(left_alone.len() < 60);
        let expected = |reason: &Reason| {
            matches!(
                reason,
                Reason::TooLong | Reason::DataLeftOut | Reason::SynchronizedNative
            )
        };
        assert!(left_alone.iter().all(|entry| expected(&entry.reason)));
    }
}

#[test]
fn damaged_classes_are_rewritten_or_named() {
    let jdk = &support::jdks()[0];
    let rewriter = Rewriter::new(Options::default());
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % limit
    };
    let reset = StaticState {
        is_reset: true,
        uninitialised: &["java/lang/String".to_owned(), "java/util/Arrays".to_owned()],
    };
    let (mut damaged, mut named) = (0, 0);
    for (name, bytes) in jdk.classes_of("java.base").into_iter().step_by(40) {
        for _ in 0..40 {
            let mut bytes = bytes.to_vec();
            for _ in 0..=below(4) {
                let at = below(bytes.len());
                bytes[at] = below(256) as u8;
            }
            let rewritten = rewriter.rewrite(&name, &bytes);
            damaged += 1;
            named += usize::from(!rewritten.left_alone.is_empty());
            // What was let through can be read.
            let resettable = rewriter.rewrite_for(&name, &bytes, reset);
            for bytes in [rewritten.bytes, resettable.bytes].into_iter().flatten() {
                ClassFile::parse(&bytes).unwrap();
            }
        }
    }
    assert!(damaged > 5_000 && named > 500, "{damaged} {named}");
}
