//! Fixed point over the call graph, one request at a time.
//!
//! A method is interpreted with empty summaries for callees not seen yet; those are queued, newest first, and callers are
//! interpreted again when a callee's summary changes. Recursion needs no special care that way and the stack stays
//! shallow. Methods that keep changing sit in a large recursive knot; they are taken round by round, so that each sees
//! the others' news at once instead of one by one.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::engine::Engine;
use super::interp::{Interp, Lookup};
use super::summary::{Key, Summary};

/// After so many interpretations a method waits for the next round.
const EAGER_RUNS: u16 = 2;
/// After so many, effects found earlier are kept even if they are no longer found: only growth comes to rest.
const SETTLING_RUNS: u16 = 12;

struct Node {
    key: Key,
    summary: Arc<Summary>,
    callers: BTreeSet<usize>,
    runs: u16,
}

pub(crate) struct Solver<'e, 'p> {
    engine: &'e Engine<'p>,
    index: FxHashMap<Key, usize>,
    nodes: Vec<Node>,
    eager: BTreeSet<usize>,
    round: BTreeSet<usize>,
    next_round: BTreeSet<usize>,
    current: usize,
}

impl<'e, 'p> Solver<'e, 'p> {
    pub(crate) fn new(engine: &'e Engine<'p>) -> Self {
        Solver {
            engine,
            index: FxHashMap::default(),
            nodes: Vec::new(),
            eager: BTreeSet::new(),
            round: BTreeSet::new(),
            next_round: BTreeSet::new(),
            current: 0,
        }
    }

    /// The summary of `root`; everything it needed is settled with it.
    pub(crate) fn solve(mut self, root: Key) -> Arc<Summary> {
        self.node(root);
        while let Some(next) = self.take() {
            self.current = next;
            let engine = self.engine;
            let key = self.nodes[next].key;
            let mut summary = Interp::summarize(engine, &mut self, key);
            let node = &mut self.nodes[next];
            node.runs = node.runs.saturating_add(1);
            summary.keep_returns(&node.summary, engine.program.object());
            if node.runs > SETTLING_RUNS {
                summary.keep_effects(engine, &node.summary);
            }
            let changed = !node.summary.same_effect(&summary);
            node.summary = Arc::new(summary);
            if changed {
                for caller in node.callers.clone() {
                    self.queue(caller);
                }
            }
        }
        self.engine.settle(self.nodes.iter().map(|node| (node.key, Arc::clone(&node.summary))));
        Arc::clone(&self.nodes[0].summary)
    }

    fn take(&mut self) -> Option<usize> {
        if let Some(next) = self.eager.pop_last() {
            return Some(next);
        }
        if self.round.is_empty() {
            std::mem::swap(&mut self.round, &mut self.next_round);
        }
        self.round.pop_last()
    }

    fn queue(&mut self, number: usize) {
        if self.nodes[number].runs < EAGER_RUNS {
            self.eager.insert(number);
        } else if !self.round.contains(&number) {
            self.next_round.insert(number);
        }
    }

    fn node(&mut self, key: Key) -> usize {
        if let Some(&known) = self.index.get(&key) {
            return known;
        }
        let number = self.nodes.len();
        self.nodes.push(Node { key, summary: Arc::default(), callers: BTreeSet::new(), runs: 0 });
        self.index.insert(key, number);
        self.eager.insert(number);
        number
    }
}

impl Lookup for Solver<'_, '_> {
    fn summary(&mut self, key: Key) -> Arc<Summary> {
        if let Some(known) = self.engine.cached(&key) {
            return known;
        }
        let number = self.node(key);
        let current = self.current;
        self.nodes[number].callers.insert(current);
        Arc::clone(&self.nodes[number].summary)
    }
}
