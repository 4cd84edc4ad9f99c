//! Intruder (Samak and Ramanathan, "Synthesizing Tests for Detecting Atomicity Violations", ESEC/FSE 2015), section 3.6,
//! Algorithm 5; and Narada's tests for races, which are made in the same way.
//!
//! Deviations: where the sequential test itself put the shared object into place, no setter is added, see
//! `directed::anchor`. An object of another class is shared only if that class looks as if it were made for it. Objects are made by the calls of the sequential tests, not collected from suspended ones.

use raddle_predict::{Access, AccessPath, Limits, Sharing, Trace, atomicity, races};

use super::predicted::{Assembled, PredictedTests, distinct, merged};
use crate::Mode;
use crate::directed::{
    Anchor, Expected, Hold, Piece, Point, Prediction, TracedTest, Types, Variable, anchor, fuse, share,
};

/// Two calls that should meet in an object.
struct Meeting<'a> {
    /// The call that is held before its access, or between two.
    local: &'a Access,
    /// The call that comes in between.
    remote: &'a Access,
    /// The lock that must be another one for each call.
    dominant: Option<&'a AccessPath>,
    sharing: Option<&'a Sharing>,
    text: &'static str,
}

/// Tests for the accesses of one call between which one of another call can come.
pub(crate) fn predict(seeds: &[TracedTest], types: &Types<'_>, own: &str) -> PredictedTests {
    let found = atomicity(&traces(seeds), types, &Limits::default());
    let meetings = found.feasible.iter().map(|triple| Meeting {
        local: &triple.local,
        remote: &triple.remote,
        dominant: triple.dominant.as_ref(),
        sharing: triple.sharing.as_ref(),
        text: "something changes between two accesses",
    });
    let tests = merged(meetings.filter_map(|meeting| meeting.assemble(seeds, types, own)));
    let numbers = vec![
        ("sequential tests", seeds.len() as u64),
        ("accesses", found.dependencies as u64),
        ("pairs", found.pairs as u64),
        ("unique pairs", found.unique as u64),
        ("feasible", found.feasible.len() as u64),
        ("tests", tests.len() as u64),
        ("distinct predictions", distinct(&tests)),
    ];
    PredictedTests { tests, numbers }
}

/// Tests for conflicting accesses of two calls without a common lock.
pub(crate) fn predict_races(seeds: &[TracedTest], types: &Types<'_>, own: &str) -> PredictedTests {
    let found = races(&traces(seeds), types, &Limits::default());
    let meetings = found.races.iter().map(|race| Meeting {
        local: &race.left,
        remote: &race.right,
        dominant: None,
        sharing: race.sharing.as_ref(),
        text: "an access without a common lock",
    });
    let tests = merged(meetings.filter_map(|meeting| meeting.assemble(seeds, types, own)));
    let numbers = vec![
        ("sequential tests", seeds.len() as u64),
        ("pairs", found.pairs as u64),
        ("races", found.races.len() as u64),
        ("tests", tests.len() as u64),
        ("distinct predictions", distinct(&tests)),
    ];
    PredictedTests { tests, numbers }
}

fn traces(seeds: &[TracedTest]) -> Vec<Trace> {
    seeds.iter().map(|seed| seed.trace.clone()).collect()
}

impl Meeting<'_> {
    fn assemble(&self, seeds: &[TracedTest], types: &Types<'_>, own: &str) -> Option<Assembled> {
        let piece = |access: &Access| Piece::of_thread(seeds, access.trace, access.enter);
        let (local, remote) = (piece(self.local)?, piece(self.remote)?);
        let (pieces, same) = match (&self.local.path, &self.remote.path) {
            (Some(one), Some(other)) => match self.anchored(local, one, remote, other) {
                Some(same) => (vec![local, remote], same),
                None => share(seeds, local, remote, self.sharing?)?,
            },
            // A static field is there for everybody.
            _ => (vec![local, remote], Vec::new()),
        };
        let may_be_shared = |(piece, name): &Variable| {
            let class = pieces.get(*piece).and_then(|piece| piece.seed.class_of(name));
            class.is_some_and(|class| class == own || types.is_made_to_be_shared(class))
        };
        if !same
            .iter()
            .all(|(one, other)| may_be_shared(one) || may_be_shared(other))
        {
            return None;
        }
        let fused = fuse(&pieces, &same)?;
        Some(Assembled {
            text: format!("{}: {}", fused.title(), self.text),
            mode: Mode::Exception,
            predictions: vec![self.prediction(local.seed, remote.seed)?],
            fused,
        })
    }

    fn prediction(&self, local: &TracedTest, remote: &TracedTest) -> Option<Prediction> {
        let Access {
            enter,
            previous,
            current,
            ..
        } = *self.local;
        // What is held at a single access was taken since the call began.
        let gap = local.gap(previous.unwrap_or(enter), current);
        let previous = previous.and_then(|previous| local.hold(enter, previous));
        let current = local.hold(enter, current)?;
        let between = remote.hold(self.remote.enter, self.remote.current)?;
        let of = |thread: u32| move |hold: Hold| (Point { thread, hold }, 0);
        let order: Vec<(Point, usize)> = previous
            .into_iter()
            .map(of(1))
            .chain([of(2)(between), of(1)(current)])
            .collect();
        // What is held comes first in the mark, and what comes in between last.
        let (own, others): (Vec<_>, Vec<_>) = order.iter().partition(|(point, _)| point.thread == 1);
        let places = own.into_iter().chain(others);
        let places: Vec<String> = places.map(|(point, _)| point.hold.place.spot()).collect();
        Some(Prediction::one_by_one(
            places.join(" > "),
            vec![local.hold(enter, gap)?],
            Expected::Order(order),
        ))
    }

    /// The variables to make one, if the tests have such variables and the dominant lock is not among them.
    fn anchored(
        &self,
        local: Piece<'_>,
        local_path: &AccessPath,
        remote: Piece<'_>,
        remote_path: &AccessPath,
    ) -> Option<Vec<(Variable, Variable)>> {
        let one = anchor(local.seed, self.local.enter, self.local.current, local_path)?;
        let other = anchor(remote.seed, self.remote.enter, self.remote.current, remote_path)?;
        let (Anchor::Variable(one, rest), Anchor::Variable(other, other_rest)) = (&one, &other) else {
            return (one == other).then(Vec::new);
        };
        let guard = self
            .dominant
            .map(|path| anchor(local.seed, self.local.enter, self.local.current, path));
        let is_guarded = match guard {
            Some(Some(Anchor::Variable(name, _))) => name == *one,
            Some(_) => true,
            None => false,
        };
        (rest == other_rest && !is_guarded).then(|| vec![((0, one.clone()), (1, other.clone()))])
    }
}
