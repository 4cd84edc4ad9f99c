//! Omen (Samak and Ramanathan, "Multithreaded Test Synthesis for Deadlock Detection", OOPSLA 2014), sections 3.3.1 and
//! 3.4: from predicted lock cycles to tests.
//!
//! Deviations: objects are shared by making variables of the sequential tests one, see `directed::fuse`, and never by
//! reflection; Algorithm 3's choice between a field and its owners is that of `directed::anchor`. Every predicted cycle
//! comes with all its first locks and witnesses, and each makes a test of its own. A cycle whose calls would all end up
//! with one lock is dropped.

use raddle_predict::{CycleLimits, Deadlock, Trace, deadlocks};

use super::predicted::{Assembled, PredictedTests, distinct, merged};
use crate::Mode;
use crate::directed::{Anchor, Expected, Piece, Prediction, TracedTest, Types, Variable, anchor, fuse};

/// Tests for the lock cycles that sequential tests show.
pub(crate) fn predict(seeds: &[TracedTest], types: &Types<'_>) -> PredictedTests {
    let traces: Vec<Trace> = seeds.iter().map(|seed| seed.trace.clone()).collect();
    let found = deadlocks(&traces, types, &CycleLimits::default());
    // The first thread is held with its lock while the others go on, so it matters which one that is. Most deadlocks
    // happen in whatever order.
    let longest = found
        .predicted
        .iter()
        .map(|deadlock| deadlock.acquisitions.len())
        .max();
    let turns = (0..longest.unwrap_or(0)).flat_map(|turn| {
        let all = found.predicted.iter().map(move |deadlock| (deadlock, turn));
        all.filter(|(deadlock, turn)| *turn < deadlock.acquisitions.len())
    });
    let tests = merged(turns.filter_map(|(deadlock, turn)| assemble(seeds, &turned(deadlock, turn))));
    let numbers = vec![
        ("sequential tests", seeds.len() as u64),
        ("lock nodes", found.nodes as u64),
        ("cycles", found.cycles as u64),
        ("predicted deadlocks", found.predicted.len() as u64),
        ("tests", tests.len() as u64),
        ("distinct predictions", distinct(&tests)),
    ];
    PredictedTests { tests, numbers }
}

/// The same deadlock, with other threads first.
fn turned(deadlock: &Deadlock, turn: usize) -> Deadlock {
    let count = deadlock.acquisitions.len().max(1);
    let number = |old: usize| (old + count - turn) % count;
    let mut turned = deadlock.clone();
    turned.acquisitions.rotate_left(turn);
    for constraint in &mut turned.constraints {
        constraint.left.0 = number(constraint.left.0);
        constraint.right.0 = number(constraint.right.0);
    }
    turned
}

fn assemble(seeds: &[TracedTest], deadlock: &Deadlock) -> Option<Assembled> {
    let acquisitions = deadlock.acquisitions.iter();
    let pieces: Vec<Piece<'_>> = acquisitions
        .map(|acquisition| Piece::of_thread(seeds, acquisition.trace, acquisition.enter))
        .collect::<Option<_>>()?;
    let mut same: Vec<(Variable, Variable)> = Vec::new();
    for constraint in &deadlock.constraints {
        let (waiting, wanted) = &constraint.left;
        let (holding, held) = &constraint.right;
        let (left, right) = (
            deadlock.acquisitions.get(*waiting)?,
            deadlock.acquisitions.get(*holding)?,
        );
        let wanted = anchor(pieces.get(*waiting)?.seed, left.enter, left.second_lock, wanted)?;
        let held = anchor(pieces.get(*holding)?.seed, right.enter, right.first_lock, held)?;
        match (wanted, held) {
            (Anchor::Variable(one, rest), Anchor::Variable(other, other_rest)) if rest == other_rest => {
                same.push(((*waiting, one), (*holding, other)));
            }
            (Anchor::Static(one), Anchor::Static(other)) if one == other => {}
            _ => return None,
        }
    }
    let holds: Option<Vec<_>> = deadlock
        .acquisitions
        .iter()
        .zip(&pieces)
        .take(pieces.len() - 1)
        .map(|(acquisition, piece)| piece.seed.hold(acquisition.enter, acquisition.second_lock))
        .collect();
    let mut waits = Vec::new();
    let mut edges = Vec::new();
    for (acquisition, piece) in deadlock.acquisitions.iter().zip(&pieces) {
        let place = |step: usize| piece.seed.trace.steps.get(step)?.place.clone();
        let (first, second) = (place(acquisition.first_lock)?, place(acquisition.second_lock)?);
        edges.push(format!("{} > {}", first.spot(), second.spot()));
        waits.push(second);
    }
    edges.sort_unstable();
    let fused = fuse(&pieces, &same)?;
    Some(Assembled {
        text: format!("{}: locks in a circle", fused.title()),
        mode: Mode::Deadlock,
        predictions: vec![Prediction::one_by_one(
            edges.join(" | "),
            holds?,
            Expected::Stuck(waits),
        )],
        fused,
    })
}
