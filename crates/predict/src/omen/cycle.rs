//! Cycles in the lock dependency relation (Omen section 3.2, Algorithm 1).
//!
//! Departures: types match when one is a sub-type of the other, as the paper's implementation does (section 4). The
//! number of cycles and of paths is limited beside their length, since both grow with its power.

use std::collections::{BTreeMap, BTreeSet};

use super::node::{NodeId, Relation};
use crate::trace::TypeOrder;

/// How many paths may be tried for each cycle that may be found.
const PATHS_PER_CYCLE: usize = 200;

/// Which locks could be one object, by their types.
#[derive(Debug)]
pub(super) struct Matches {
    /// The class of each node, by number.
    classes: Vec<usize>,
    /// For each class those that match it.
    matching: Vec<BTreeSet<usize>>,
}

impl Matches {
    pub(super) fn new(relation: &Relation<'_>, types: &dyn TypeOrder) -> Self {
        let names: BTreeSet<&str> = relation.nodes.iter().map(|node| node.class).collect();
        let numbers: BTreeMap<&str, usize> = names.iter().copied().zip(0..).collect();
        let matching = names
            .iter()
            .map(|one| {
                let matches = |other: &str| *one == other || types.is_a(one, other) || types.is_a(other, one);
                numbers
                    .iter()
                    .filter(|&(other, _)| matches(other))
                    .map(|(_, &number)| number)
                    .collect()
            })
            .collect();
        Self {
            classes: relation.nodes.iter().map(|node| numbers[node.class]).collect(),
            matching,
        }
    }

    /// `firstlock`: the locks under which `node` is taken and for which another thread, at `waiting`, could wait.
    pub(super) fn first_locks(&self, relation: &Relation<'_>, waiting: NodeId, node: NodeId) -> Vec<NodeId> {
        let matching = &self.matching[self.classes[waiting]];
        let held = relation.nodes[node].held.iter().copied();
        held.filter(|&first| matching.contains(&self.classes[first]))
            .collect()
    }

    /// For each node those that can follow it in a path.
    fn successors(&self, relation: &Relation<'_>) -> Vec<Vec<NodeId>> {
        let nested: Vec<(NodeId, BTreeSet<usize>)> = (relation.nodes.iter().enumerate())
            .filter(|(_, node)| !node.held.is_empty())
            .map(|(id, node)| (id, node.held.iter().map(|&held| self.classes[held]).collect()))
            .collect();
        let by_class: Vec<Vec<NodeId>> = (self.matching.iter())
            .map(|matching| {
                let follows = |held: &BTreeSet<usize>| !held.is_disjoint(matching);
                nested
                    .iter()
                    .filter(|(_, held)| follows(held))
                    .map(|&(id, _)| id)
                    .collect()
            })
            .collect();
        self.classes
            .iter()
            .map(|&class| by_class[class].clone())
            .collect()
    }
}

/// Algorithm 1 under way.
#[derive(Debug)]
pub(super) struct Search {
    successors: Vec<Vec<NodeId>>,
    limit: usize,
    /// How many more paths may be tried.
    budget: usize,
    seen: BTreeSet<Vec<NodeId>>,
    /// `D_i`: the paths of the current length that are no cycles, and those of length 1 that are.
    pub(super) paths: Vec<Vec<NodeId>>,
    /// Θ: the cycles so far, each of the second locks of its threads.
    pub(super) cycles: Vec<Vec<NodeId>>,
    /// Whether a limit kept something from being looked at.
    pub(super) cut_short: bool,
}

impl Search {
    /// Lines 1 to 7: `D_1` and the nodes that form a cycle with themselves.
    pub(super) fn new(relation: &Relation<'_>, matches: &Matches, limit: usize) -> Self {
        let mut search = Self {
            successors: matches.successors(relation),
            limit,
            budget: limit.saturating_mul(PATHS_PER_CYCLE),
            seen: BTreeSet::new(),
            paths: Vec::new(),
            cycles: Vec::new(),
            cut_short: false,
        };
        for (id, node) in relation.nodes.iter().enumerate() {
            if !node.held.is_empty() {
                search.paths.push(vec![id]);
                if search.follows(id, id) {
                    search.found(vec![id, id]);
                }
            }
        }
        search
    }

    /// Lines 9 to 18: from the paths of one length to those of the next.
    pub(super) fn extend(&mut self) {
        let mut longer = Vec::new();
        for path in std::mem::take(&mut self.paths) {
            let (Some(&first), Some(&last)) = (path.first(), path.last()) else {
                continue;
            };
            for position in 0..self.successors[last].len() {
                let next = self.successors[last][position];
                if path.contains(&next) {
                    continue;
                }
                if self.budget == 0 {
                    self.cut_short = true;
                    return;
                }
                self.budget -= 1;
                let mut path = path.clone();
                path.push(next);
                if self.follows(next, first) {
                    self.found(path);
                } else {
                    longer.push(path);
                }
            }
        }
        self.paths = longer;
    }

    fn follows(&self, node: NodeId, next: NodeId) -> bool {
        self.successors[node].binary_search(&next).is_ok()
    }

    /// Adds a cycle unless it is there, begun at whichever node.
    fn found(&mut self, cycle: Vec<NodeId>) {
        let mut rotated = cycle.clone();
        let least = (0..cycle.len()).min_by_key(|&at| cycle[at]).unwrap_or(0);
        rotated.rotate_left(least);
        if self.seen.contains(&rotated) {
            return;
        }
        if self.cycles.len() >= self.limit {
            self.cut_short = true;
            return;
        }
        self.seen.insert(rotated);
        self.cycles.push(cycle);
    }
}

/// All cycles of up to `length` nodes, and those of a node with itself.
pub(super) fn search(relation: &Relation<'_>, matches: &Matches, length: usize, limit: usize) -> Search {
    let mut search = Search::new(relation, matches, limit);
    for _ in 1..length {
        if search.paths.is_empty() || search.cut_short {
            break;
        }
        search.extend();
    }
    search
}
