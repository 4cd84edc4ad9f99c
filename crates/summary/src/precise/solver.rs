//! Fixed point over the call graph, one request at a time.
//!
//! Two phases. The first finds out what calls what: a method is interpreted with empty summaries for callees not seen
//! yet, those are queued, newest first, and callers are interpreted again when a callee's results change. The stack
//! stays shallow. The second computes the summaries that are kept: the strongly connected components of that call
//! graph, callees first, each from nothing, its members in the order of their names, until nothing changes. So a summary
//! depends on the methods below it and on nothing else: not on the class asked about, the order of questions, or the
//! number of threads.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::components::components;
use super::engine::Engine;
use super::interp::{Interp, Lookup};
use super::summary::{Key, Summary};

/// In the first phase: after so many interpretations a method waits for the next round.
const EAGER_RUNS: u16 = 2;
/// After so many, the call graph is taken as found.
const MAX_RUNS: u16 = 4;
/// In the second phase: after so many rounds, effects found earlier are kept even if they are no longer found. Only
/// growth comes to rest.
const SETTLING_ROUNDS: usize = 4;
/// Times the call graph is looked at again when settling reveals new calls.
const MAX_PASSES: usize = 4;
/// Rounds that a component gets. Small ones never need so many.
const MAX_ROUNDS: usize = 24;
const MIN_ROUNDS: usize = 3;
/// Interpretations that one component is worth.
const WORK_LIMIT: usize = 6_000;

struct Node {
    key: Key,
    summary: Arc<Summary>,
    callers: BTreeSet<usize>,
    callees: BTreeSet<usize>,
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
    pub(crate) fn solve(self, root: Key) -> Arc<Summary> {
        self.solve_within(root, usize::MAX).unwrap_or_default()
    }

    /// The same, unless it takes more methods than these.
    pub(crate) fn solve_within(mut self, root: Key, methods: usize) -> Option<Arc<Summary>> {
        self.node(root);
        for _ in 0..MAX_PASSES {
            self.explore(methods);
            if self.nodes.len() > methods {
                return None;
            }
            let edges: Vec<Vec<usize>> = self
                .nodes
                .iter()
                .map(|node| node.callees.iter().copied().collect())
                .collect();
            for component in components(&edges) {
                self.settle(component);
            }
            // Calls that only the settled types revealed.
            if self.eager.is_empty() {
                break;
            }
        }
        self.engine.settle(
            self.nodes
                .iter()
                .map(|node| (node.key, Arc::clone(&node.summary))),
        );
        Some(Arc::clone(&self.nodes[0].summary))
    }

    fn explore(&mut self, methods: usize) {
        while self.nodes.len() <= methods
            && let Some(next) = self.take()
        {
            self.nodes[next].runs += 1;
            if self.look_ahead(next) {
                for caller in self.nodes[next].callers.clone() {
                    self.queue(caller);
                }
            }
        }
    }

    fn settle(&mut self, mut component: Vec<usize>) {
        component.sort_by(|&a, &b| self.by_name(self.nodes[a].key, self.nodes[b].key));
        let recursive = component.len() > 1 || self.nodes[component[0]].callees.contains(&component[0]);
        for &member in &component {
            self.nodes[member].summary = Arc::default();
        }
        let rounds = (WORK_LIMIT / component.len()).clamp(MIN_ROUNDS, MAX_ROUNDS);
        for round in 0..rounds {
            let mut changed = false;
            for &member in &component {
                changed |= self.interpret(member, round >= SETTLING_ROUNDS);
            }
            if !changed || !recursive {
                return;
            }
        }
        for member in component {
            self.give_up(member);
        }
    }

    /// A knot too large to be untied within reason: its members may do anything to what they are handed.
    fn give_up(&mut self, number: usize) {
        let engine = self.engine;
        let key = self.nodes[number].key;
        let mut summary = Summary::clone(&self.nodes[number].summary);
        summary.give_up(
            engine,
            key.method,
            engine.parameter_count(key.method),
            engine.program.object(),
        );
        self.nodes[number].summary = Arc::new(summary);
    }

    /// Interprets one method to see what it calls; says whether its callers may now call something else. That depends on
    /// what it returns and stores and on nothing else that it does, so the rest is not worked out yet.
    fn look_ahead(&mut self, number: usize) -> bool {
        self.current = number;
        let engine = self.engine;
        let key = self.nodes[number].key;
        let mut summary = Interp::outline(engine, self, key);
        let node = &mut self.nodes[number];
        summary.keep_returns(&node.summary, engine.program.object());
        let changed = node.summary.returns != summary.returns || node.summary.stores != summary.stores;
        node.summary = Arc::new(summary);
        changed
    }

    /// Interprets one method anew; says whether its effect changed.
    fn interpret(&mut self, number: usize, keep: bool) -> bool {
        self.current = number;
        let engine = self.engine;
        let key = self.nodes[number].key;
        let mut summary = Interp::summarize(engine, self, key);
        let node = &mut self.nodes[number];
        summary.keep_returns(&node.summary, engine.program.object());
        if keep {
            summary.keep_effects(engine, &node.summary);
        }
        let changed = !node.summary.same_effect(&summary);
        node.summary = Arc::new(summary);
        changed
    }

    fn by_name(&self, left: Key, right: Key) -> Ordering {
        let program = self.engine.program;
        let name = |key: Key| {
            let receiver = key.receiver.map_or("", |class| program.internal_name(class));
            (
                program.internal_name(key.method.class),
                key.method.index,
                receiver,
            )
        };
        name(left).cmp(&name(right))
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
        let runs = self.nodes[number].runs;
        if runs < EAGER_RUNS {
            self.eager.insert(number);
        } else if runs < MAX_RUNS && !self.round.contains(&number) {
            self.next_round.insert(number);
        }
    }

    fn node(&mut self, key: Key) -> usize {
        if let Some(&known) = self.index.get(&key) {
            return known;
        }
        let number = self.nodes.len();
        self.nodes.push(Node {
            key,
            summary: Arc::default(),
            callers: BTreeSet::new(),
            callees: BTreeSet::new(),
            runs: 0,
        });
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
        self.nodes[current].callees.insert(number);
        Arc::clone(&self.nodes[number].summary)
    }
}
