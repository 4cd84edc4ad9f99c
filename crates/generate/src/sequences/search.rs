//! The sequence with most calls that do something new: depth-first search with pruning.
//!
//! A node is a sequence of calls; it is extended by each call of the pool in turn. What the slides leave open:
//! - "Stop extending a node if the latest K extensions have not increased the sequential coverage": the last K calls of the
//!   sequence added nothing.
//! - A sequence is redundant if another one led to the same state of the object with at least the same coverage: whatever
//!   follows adds no more to the one than to the other (Theorem 1).
//! - A call that throws is not a part of any sequence. One that throws again and again is left out of the iteration, sooner
//!   if it has never done anything else.
//! - What a call does in a state is the same whenever the state is the same, which is the slides' assumption; so with
//!   pruning it is run once, and looked up after that.
//! - The search ends after a number of runs, and after a number of runs that found nothing better.

use std::collections::{BTreeMap, BTreeSet};

use raddle_plan::TestPlan;

use super::pool::Pool;
use crate::directed::TracedTest;

/// A call that has thrown so often in a row is not tried again; the same for one that has done nothing else.
const GIVEN_UP: u32 = 12;
const HOPELESS: u32 = 3;

/// Sequences that are looked at, of which most need not be run.
const MOST_VISITS: usize = 100_000;

/// How far to search.
#[derive(Copy, Clone, Debug)]
pub(crate) struct SearchLimits {
    /// Calls without anything new after which a sequence is not extended: K.
    pub(crate) saturation: usize,
    /// Whether redundant sequences are left alone.
    pub(crate) prunes: bool,
    /// Sequential tests of one iteration.
    pub(crate) runs: usize,
    /// Of these, how many may follow the last that was better than all before; at least as many as there are calls.
    pub(crate) patience: usize,
}

impl Default for SearchLimits {
    fn default() -> SearchLimits {
        SearchLimits {
            saturation: 3,
            prunes: true,
            runs: usize::MAX,
            patience: usize::MAX,
        }
    }
}

/// The best sequence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    /// Its calls, by their numbers in the pool.
    pub(crate) path: Vec<usize>,
    /// The behaviour of each call, if it was new.
    pub(crate) new: Vec<Option<u64>>,
    /// The state of the object before and after each call.
    pub(crate) states: Vec<(u64, u64)>,
}

impl Found {
    pub(crate) fn gain(&self) -> usize {
        self.new.iter().flatten().count()
    }
}

#[derive(Debug)]
struct Node {
    found: Found,
    /// Calls at its end that added nothing.
    barren: usize,
    /// The call to extend it with first, and how many it was extended with.
    first: usize,
    tried: usize,
}

impl Node {
    /// The call to extend it with next. It begins with the one after its last, so that the first way down meets each call
    /// once before any twice.
    fn next(&self, calls: usize) -> Option<usize> {
        (self.tried < calls).then(|| (self.first + self.tried) % calls)
    }

    /// The state of the object at its end, if it has one.
    fn state(&self) -> Option<u64> {
        self.found.states.last().map(|(_, after)| *after)
    }
}

/// What a call does in a state: its behaviour and the state afterwards; none if it throws.
type Effect = Option<(u64, u64)>;

/// How a call fared.
#[derive(Clone, Debug, Default)]
struct Thrown {
    /// How often it has thrown since it last did not.
    times: u32,
    has_returned: bool,
}

impl Thrown {
    fn is_given_up(&self) -> bool {
        self.times >= if self.has_returned { GIVEN_UP } else { HOPELESS }
    }
}

/// A search under way.
#[derive(Debug)]
pub(crate) struct Search {
    limits: SearchLimits,
    pool: Pool,
    /// What earlier iterations have shown.
    covered: BTreeSet<u64>,
    nodes: Vec<Node>,
    /// The coverages with which each state was reached.
    reached: BTreeMap<u64, Vec<BTreeSet<u64>>>,
    thrown: Vec<Thrown>,
    best: Found,
    /// The state of an object on which nothing was called.
    start: Option<u64>,
    /// What is known of calls in states.
    effects: BTreeMap<(u64, usize), Effect>,
    /// Sequences that were looked at, run or not.
    visits: usize,
    runs: usize,
    /// How many runs there were when the best was found.
    best_at: usize,
}

impl Search {
    pub(crate) fn new(pool: Pool, covered: BTreeSet<u64>, limits: SearchLimits) -> Search {
        Search {
            limits,
            thrown: vec![Thrown::default(); pool.calls.len()],
            pool,
            covered,
            nodes: vec![Node {
                found: Found::default(),
                barren: 0,
                first: 0,
                tried: 0,
            }],
            start: None,
            effects: BTreeMap::new(),
            visits: 0,
            reached: BTreeMap::new(),
            best: Found::default(),
            runs: 0,
            best_at: 0,
        }
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.pool
    }

    /// The best sequence so far.
    pub(crate) fn best(&self) -> &Found {
        &self.best
    }

    /// The next sequence to be run; none when the search is over.
    pub(crate) fn next(&mut self) -> Option<TestPlan> {
        let is_over = self.runs >= self.limits.runs
            || self.runs - self.best_at >= self.limits.patience.max(self.pool.calls.len());
        if is_over {
            return None;
        }
        while let Some(node) = self.nodes.last_mut() {
            let Some(call) = node.next(self.pool.calls.len()) else {
                self.nodes.pop();
                continue;
            };
            if self.thrown.get(call).is_some_and(Thrown::is_given_up) {
                node.tried += 1;
                continue;
            }
            let state = node.state().or(self.start);
            let known = state.and_then(|state| Some((state, *self.effects.get(&(state, call))?)));
            if let Some((state, effect)) = known.filter(|_| self.limits.prunes) {
                self.visits += 1;
                if self.visits > MOST_VISITS {
                    return None;
                }
                self.extend(state, effect);
                continue;
            }
            self.runs += 1;
            return Some(self.pool.in_a_row(&node.found.path, call));
        }
        None
    }

    /// What the sequence did that was asked for last; none if it could not be run or threw.
    pub(crate) fn observe(&mut self, seed: Option<&TracedTest>) {
        let Some(node) = self.nodes.last() else { return };
        let Some(call) = node.next(self.pool.calls.len()) else {
            return;
        };
        let seen = seed.and_then(|seed| self.pool.last_of(seed));
        if let Some(thrown) = self.thrown.get_mut(call) {
            *thrown = match seen {
                Some(_) => Thrown {
                    times: 0,
                    has_returned: true,
                },
                None => Thrown {
                    times: thrown.times + 1,
                    ..*thrown
                },
            };
        }
        let state = node.state().or(self.start);
        if node.found.path.is_empty() {
            self.start = self.start.or(seen.map(|(_, [before, _])| before));
        }
        let before = seen.map(|(_, [before, _])| before).or(state).unwrap_or(0);
        let effect = seen.map(|(behaviour, [_, after])| (behaviour, after));
        if let Some(state) = state.or(self.start) {
            self.effects.insert((state, call), effect);
        }
        self.extend(before, effect);
    }

    /// Extends the last node by its next call, which does that in the state.
    fn extend(&mut self, before: u64, effect: Effect) {
        let Some(node) = self.nodes.last_mut() else { return };
        let Some(call) = node.next(self.pool.calls.len()) else {
            return;
        };
        node.tried += 1;
        let Some((behaviour, after)) = effect else { return };
        let mut found = node.found.clone();
        let is_new = !self.covered.contains(&behaviour) && !found.new.contains(&Some(behaviour));
        found.path.push(call);
        found.new.push(is_new.then_some(behaviour));
        found.states.push((before, after));
        let barren = if is_new { 0 } else { node.barren + 1 };
        if found.gain() > self.best.gain() {
            self.best = found.clone();
            self.best_at = self.runs;
        }
        if barren >= self.limits.saturation || (self.limits.prunes && self.is_redundant(after, &found)) {
            return;
        }
        self.nodes.push(Node {
            found,
            barren,
            first: call + 1,
            tried: 0,
        });
    }

    /// Whether a sequence that led to the same state covered as much; if not, this one is remembered.
    fn is_redundant(&mut self, state: u64, found: &Found) -> bool {
        let coverage: BTreeSet<u64> = found.new.iter().flatten().copied().collect();
        let known = self.reached.entry(state).or_default();
        if known.iter().any(|other| coverage.is_subset(other)) {
            return true;
        }
        known.retain(|other| !other.is_subset(&coverage));
        known.push(coverage);
        false
    }
}

impl Pool {
    /// The behaviour of the last call of a test, and the states of the object before and after it.
    pub(crate) fn last_of(&self, seed: &TracedTest) -> Option<(u64, [u64; 2])> {
        let (_, behaviour) = raddle_predict::behaviours(&seed.trace, &seed.contexts).pop()?;
        let Some(subject) = &self.subject else {
            // What static methods change is made anew before each test, and not looked at.
            return Some((behaviour, [0, 0]));
        };
        let [.., before, after] = seed.states.as_slice() else {
            return None;
        };
        Some((behaviour, [*before.get(subject)?, *after.get(subject)?]))
    }
}

#[cfg(test)]
mod tests {
    use raddle_plan::Call;
    use raddle_predict::{Action, Field, Method, Object, Step, Trace};

    use super::*;

    /// The slides' class as a machine: m1 sets x, m2 sets z, m3 goes another way when z is set.
    const METHODS: [&str; 3] = ["m1", "m2", "m3"];

    fn pool() -> Pool {
        let call = |name: &str| -> Call {
            let text = format!(
                r#"{{"raddle_plan": 1, "prefix": [{{"let": "a", "invoke": "new", "member": "CUT.<init>()V"}}],
                    "threads": [[{{"invoke": "virtual", "member": "CUT.{name}()V", "on": "a"}}]]}}"#
            );
            let plan = TestPlan::from_json(&text).unwrap();
            plan.threads[0][0].clone()
        };
        let calls = METHODS
            .iter()
            .enumerate()
            .map(|(index, name)| (index, call(name)));
        Pool::of("a", calls.collect())
    }

    /// What a test of the machine shows; the state is whether z is set.
    fn run(plan: &TestPlan) -> TracedTest {
        let before = plan.prefix.iter().any(|call| call.member.name == "m2");
        let last = plan.threads[0][0].member.clone();
        let field = |name: &str| Field {
            class: String::from("CUT"),
            name: name.to_owned(),
        };
        let read = |name: &str| Action::Read {
            base: Some(Object(1)),
            field: field(name),
            index: None,
            value: None,
        };
        let mut actions = vec![Action::Enter {
            method: Method {
                class: last.class,
                name: last.name.clone(),
                descriptor: last.descriptor,
            },
            parameters: vec![Some(Object(1))],
        }];
        match (&*last.name, before) {
            ("m3", false) => actions.extend([Action::Lock(Object(1)), read("x"), Action::Unlock(Object(1))]),
            ("m3", true) => actions.push(read("x")),
            _ => {}
        }
        let after = before || last.name == "m2";
        let state = |is_set: bool| [(String::from("a"), u64::from(is_set))].into();
        TracedTest {
            plan: plan.clone(),
            contexts: vec![0; actions.len()],
            trace: Trace {
                steps: actions
                    .into_iter()
                    .map(|action| Step { place: None, action })
                    .collect(),
                ..Trace::default()
            },
            variables: BTreeMap::new(),
            states: vec![state(before), state(after)],
        }
    }

    fn search(limits: SearchLimits) -> Search {
        let mut search = Search::new(pool(), BTreeSet::new(), limits);
        while let Some(plan) = search.next() {
            search.observe(Some(&run(&plan)));
        }
        search
    }

    #[test]
    fn the_best_sequence_shows_both_ways_through_m3() {
        let search = search(SearchLimits::default());
        assert_eq!(search.best().gain(), 4, "{:?}", search.best());
        let path: Vec<&str> = search.best().path.iter().map(|&call| METHODS[call]).collect();
        let m2 = path.iter().position(|name| *name == "m2").unwrap();
        assert!(
            path[..m2].contains(&"m3") && path[m2..].contains(&"m3"),
            "{path:?}"
        );
    }

    #[test]
    fn pruning_runs_each_call_once_in_a_state_and_loses_nothing() {
        let pruned = search(SearchLimits::default());
        assert_eq!(pruned.runs, 6, "three calls in two states");
        let all = search(SearchLimits {
            prunes: false,
            runs: 5000,
            ..SearchLimits::default()
        });
        assert!(all.runs > 50 * pruned.runs, "{}", all.runs);
        assert_eq!(all.best().gain(), pruned.best().gain());
    }

    #[test]
    fn a_call_that_always_throws_is_given_up() {
        let mut search = Search::new(pool(), BTreeSet::new(), SearchLimits::default());
        let mut thrown = 0;
        while let Some(plan) = search.next() {
            let throws = plan.threads[0][0].member.name == "m1";
            thrown += u32::from(throws);
            search.observe((!throws).then(|| run(&plan)).as_ref());
        }
        assert!(thrown <= HOPELESS, "{thrown}");
        assert_eq!(search.best().gain(), 3);
    }
}
