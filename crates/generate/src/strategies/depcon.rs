//! DepCon+ (Terragni and Pezzè, "Statically driven generation of concurrent tests for thread-safe classes"), section 6:
//! Algorithm 3 over M_pc and Algorithm 4 over M_d.
//!
//! Deviations: the two modes, which the paper runs one at a time, take turns; the facts are those of the `precise`
//! analysis, so that M_pc has write-write pairs too; in Algorithm 4 the symmetric calls of the prefix are mutual
//! containment half of the time and equal elements otherwise (the paper's bias is not printed as a number), and a pair's
//! first tests have the easiest constructor instead of a random one; `Max-len` is 5; the search does not end with the
//! first violation.

use std::collections::{BTreeMap, VecDeque};

use crate::pair_plans::{Content, Pair, Sharing, Suffixes, conflict_pairs, deadlock_pairs};
use crate::plan_builder::PlanBuilder;
use crate::plan_draft::PlanDraft;
use crate::values::Taste;
use crate::{Candidate, Feedback, Mode, Strategy};

use super::priority::Priorities;

/// `Max-len`: calls of a prefix besides the constructor.
const MAX_LEN: usize = 5;
/// Turns of a pair with plain constructors and arguments, before random ones.
const FIRST_ROUNDS: u64 = 2;
/// Pairs in a row that give no new test before the supply counts as exhausted.
const TRIES: usize = 1000;

/// One mode: its pairs and how often they were tried.
struct Targets {
    mode: Mode,
    pairs: BTreeMap<(usize, usize), Pair>,
    priorities: Priorities,
}

impl Targets {
    fn new(mode: Mode, pairs: Vec<Pair>) -> Targets {
        Targets {
            mode,
            priorities: Priorities::new(pairs.iter().map(|pair| pair.indices())),
            pairs: pairs.into_iter().map(|pair| (pair.indices(), pair)).collect(),
        }
    }
}

/// Tests of dependent pairs.
pub(crate) struct Depcon<'p> {
    builder: PlanBuilder<'p>,
    modes: [Targets; 2],
    turn: usize,
    ready: VecDeque<Candidate>,
}

impl<'p> Depcon<'p> {
    pub(crate) fn new(builder: PlanBuilder<'p>) -> Depcon<'p> {
        let modes = [
            Targets::new(Mode::Deadlock, deadlock_pairs(&builder)),
            Targets::new(Mode::Exception, conflict_pairs(&builder)),
        ];
        Depcon {
            builder,
            modes,
            turn: 0,
            ready: VecDeque::new(),
        }
    }

    /// Both tests of the next pair of the mode whose turn it is.
    fn tests(&mut self) {
        let of = self.turn % self.modes.len();
        self.turn += 1;
        let mode = &mut self.modes[of];
        let Some(indices) = mode.priorities.next(&mut self.builder.values.rng) else {
            return;
        };
        let Some(&pair) = mode.pairs.get(&indices) else {
            return;
        };
        let is_new = mode.priorities.tried(indices) <= FIRST_ROUNDS;
        let mode = mode.mode;
        for has_state in [false, true] {
            let draft = match mode {
                Mode::Deadlock => self.deadlock(pair, has_state, is_new),
                Mode::Exception => self.exception(pair, has_state),
            };
            let relation = match mode {
                Mode::Deadlock => "⇌D",
                Mode::Exception => "⇌PC",
            };
            let text = self.builder.pair_text(pair.first, relation, pair.second);
            let candidate = draft.and_then(|draft| self.builder.finish(draft, mode, Some(indices), text));
            self.ready.extend(candidate);
        }
    }

    /// Algorithm 3, lines 79 to 84. `APPENDSTATECHANGER` takes one to `Max-len` calls, at least one of which conflicts
    /// with the pair; here all do, if any method does.
    fn exception(&mut self, pair: Pair, has_state: bool) -> Option<PlanDraft> {
        let count = if has_state {
            1 + self.builder.values.rng.below(MAX_LEN)
        } else {
            0
        };
        self.builder.meeting(
            pair,
            Sharing::Receiver,
            Content::Elements(count),
            Suffixes::Single,
            Taste::Drawn,
        )
    }

    /// Algorithm 4, lines 97 to 104.
    fn deadlock(&mut self, pair: Pair, has_state: bool, is_new: bool) -> Option<PlanDraft> {
        // Equal elements on both sides at first, or else comparisons end at the size.
        let taste = if is_new { Taste::Plain(0) } else { Taste::Drawn };
        let elements = 1 + self.builder.values.rng.below(MAX_LEN / 2);
        let content = if !has_state {
            Content::Elements(0)
        } else if self.builder.values.rng.one_in(2) {
            Content::EachOther
        } else {
            Content::Elements(elements)
        };
        let draft = self.builder.crosswise(pair, content, taste);
        draft.or_else(|| {
            // Not every class can hold its own kind.
            let content = Content::Elements(elements);
            self.builder.crosswise(pair, content, taste)
        })
    }
}

impl Strategy for Depcon<'_> {
    fn name(&self) -> &'static str {
        "depcon"
    }

    fn next(&mut self) -> Option<Candidate> {
        for _ in 0..TRIES {
            if let Some(candidate) = self.ready.pop_front() {
                return Some(candidate);
            }
            self.tests();
        }
        None
    }

    fn observe(&mut self, number: u64, feedback: &Feedback) {
        self.builder.learn(number, feedback);
        for mode in &mut self.modes {
            mode.priorities.cover(&feedback.covered);
        }
    }
}
