//! DepCon+ Algorithm 1, lines 32 to 42 (ISPURE), and Algorithm 2, lines 61 to 71 (GETUNROLLEDINSTRUCTIONS), for methods
//! outside the class under test.
//!
//! Both are functions of a method and of the methods it can reach, so they are computed once per component of the call
//! graph (Tarjan's algorithm with an explicit stack) and kept for all classes: a method is impure exactly when it can
//! reach one that writes through a parameter, whatever the order of the calls.

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use raddle_program::{ClassId, MethodId, Program};
use rustc_hash::FxHashMap;

use super::body::{Body, Call, Op, Target};
use super::unroll::{Unrolled, unroll};

/// What is known of a method outside the class under test.
#[derive(Clone, Debug, Default)]
pub(super) struct Effect {
    /// Not ISPURE(m).
    pub(super) impure: bool,
    /// unrolled(m); `None` when it takes no lock that has a name.
    pub(super) unrolled: Option<Arc<Unrolled>>,
    /// Classes it needs, directly or not, that cannot be loaded.
    pub(super) missing: Option<Arc<Vec<ClassId>>>,
}

/// Calls are followed this deep inside a component; deeper ones are cut.
pub(super) const MAX_DEPTH: usize = 64;

/// In a component of more methods than this, a sequence once computed serves all that follow, as the paper has it, even
/// if it was cut by a recursion that a later one would not meet. In a smaller one every method starts afresh.
const AFRESH_UP_TO: usize = 64;

/// Results for all methods that were ever called.
pub(super) struct Library<'p> {
    program: &'p Program,
    known: RwLock<FxHashMap<MethodId, Effect>>,
    /// Held while new results are computed: what one thread needs is mostly what the others need too.
    solving: Mutex<()>,
}

impl<'p> Library<'p> {
    pub(super) fn new(program: &'p Program) -> Library<'p> {
        Library {
            program,
            known: RwLock::default(),
            solving: Mutex::new(()),
        }
    }

    /// Purity and locks of a method.
    pub(super) fn effect(&self, method: MethodId) -> Effect {
        if let Some(known) = self.get(method) {
            return known;
        }
        let _solving = self.solving.lock().unwrap_or_else(PoisonError::into_inner);
        if self.get(method).is_none() {
            Solver {
                library: self,
                nodes: Vec::new(),
                numbers: FxHashMap::default(),
            }
            .solve(method);
        }
        self.get(method).unwrap_or_default()
    }

    fn get(&self, method: MethodId) -> Option<Effect> {
        self.known
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&method)
            .cloned()
    }
}

/// A method on its way through Tarjan's algorithm.
struct Node {
    method: MethodId,
    body: Body,
    /// The calls not looked at yet start here.
    next_event: usize,
    low: usize,
    done: bool,
}

struct Solver<'a, 'p> {
    library: &'a Library<'p>,
    /// In order of discovery: the position is Tarjan's index.
    nodes: Vec<Node>,
    numbers: FxHashMap<MethodId, usize>,
}

impl Solver<'_, '_> {
    fn solve(&mut self, start: MethodId) {
        let mut open = Vec::new();
        let mut path = vec![self.discover(start, &mut open)];
        while let Some(&node) = path.last() {
            if let Some(callee) = self.next_callee(node) {
                match self.numbers.get(&callee).copied() {
                    Some(number) if self.nodes[number].done => {}
                    Some(number) => self.nodes[node].low = self.nodes[node].low.min(number),
                    None if self.library.get(callee).is_some() => {}
                    None => path.push(self.discover(callee, &mut open)),
                }
                continue;
            }
            path.pop();
            let low = self.nodes[node].low;
            if let Some(&caller) = path.last() {
                self.nodes[caller].low = self.nodes[caller].low.min(low);
            }
            if low == node {
                let first = open.iter().rposition(|&member| member == node).unwrap_or(0);
                self.close(open.split_off(first));
            }
        }
    }

    fn discover(&mut self, method: MethodId, open: &mut Vec<usize>) -> usize {
        let number = self.nodes.len();
        let body = Body::read(self.library.program, method);
        self.nodes.push(Node {
            method,
            body,
            next_event: 0,
            low: number,
            done: false,
        });
        self.numbers.insert(method, number);
        open.push(number);
        number
    }

    fn next_callee(&mut self, node: usize) -> Option<MethodId> {
        let node = &mut self.nodes[node];
        while let Some(event) = node.body.events.get(node.next_event) {
            node.next_event += 1;
            if let Op::Invoke(call) = &event.op
                && let Target::Method(callee) = call.target
            {
                return Some(callee);
            }
        }
        None
    }

    /// Every method that the component's methods call and that lies outside it is known by now.
    fn close(&mut self, mut members: Vec<usize>) {
        let program = self.library.program;
        members.sort_by_key(|&member| {
            let method = self.nodes[member].method;
            (program.internal_name(method.class), method.index)
        });
        let (impure, missing) = self.purity(&members);
        let unrolled = Component::new(self, &members).unroll();
        let mut known = self.library.known.write().unwrap_or_else(PoisonError::into_inner);
        for (&member, unrolled) in members.iter().zip(unrolled) {
            let effect = Effect {
                impure,
                unrolled,
                missing: missing.clone(),
            };
            known.insert(self.nodes[member].method, effect);
        }
        drop(known);
        for &member in &members {
            let node = &mut self.nodes[member];
            node.done = true;
            node.body = Body::default();
        }
    }

    fn purity(&self, members: &[usize]) -> (bool, Option<Arc<Vec<ClassId>>>) {
        let mut impure = false;
        let mut missing: Vec<ClassId> = Vec::new();
        let mut inherited: Option<Arc<Vec<ClassId>>> = None;
        for &member in members {
            let body = &self.nodes[member].body;
            impure |= body.fault.is_some();
            impure |= body
                .events
                .iter()
                .any(|event| matches!(&event.op, Op::Write(x) if x.is_argument()));
            for call in body.calls() {
                match &call.target {
                    Target::Missing(callee) => {
                        impure = true;
                        missing.extend(callee.class);
                    }
                    Target::Method(callee) => {
                        let Some(effect) = self.library.get(*callee) else {
                            continue;
                        };
                        impure |= effect.impure;
                        match (&inherited, effect.missing) {
                            (None, found) => inherited = found,
                            (Some(same), Some(found)) if Arc::ptr_eq(same, &found) => {}
                            (Some(_), Some(found)) => missing.extend(found.iter().copied()),
                            (Some(_), None) => {}
                        }
                    }
                }
            }
        }
        if let Some(inherited) = &inherited {
            missing.retain(|class| !inherited.contains(class));
        }
        if missing.is_empty() {
            return (impure, inherited);
        }
        missing.extend(inherited.iter().flat_map(|inherited| inherited.iter().copied()));
        missing.sort_unstable();
        missing.dedup();
        (impure, Some(Arc::new(missing)))
    }
}

/// The unrolled sequences of methods that call each other.
struct Component<'s, 'a, 'p> {
    solver: &'s Solver<'a, 'p>,
    members: &'s [usize],
    /// Positions in `members`.
    positions: FxHashMap<MethodId, usize>,
    computed: Vec<Option<Arc<Unrolled>>>,
    stack: Vec<usize>,
}

impl<'s, 'a, 'p> Component<'s, 'a, 'p> {
    fn new(solver: &'s Solver<'a, 'p>, members: &'s [usize]) -> Self {
        let positions = members
            .iter()
            .enumerate()
            .map(|(at, &member)| (solver.nodes[member].method, at))
            .collect();
        Component {
            solver,
            members,
            positions,
            computed: vec![None; members.len()],
            stack: Vec::new(),
        }
    }

    fn unroll(mut self) -> Vec<Option<Arc<Unrolled>>> {
        if !self.takes_locks() {
            return self.computed;
        }
        let afresh = self.members.len() <= AFRESH_UP_TO;
        (0..self.members.len())
            .map(|root| {
                if afresh {
                    self.computed.fill(None);
                }
                Some(self.member(root)).filter(|unrolled| !unrolled.is_empty())
            })
            .collect()
    }

    fn takes_locks(&self) -> bool {
        self.members.iter().any(|&member| {
            self.solver.nodes[member]
                .body
                .events
                .iter()
                .any(|event| match &event.op {
                    Op::Acquire(lock) => lock.is_some(),
                    Op::Invoke(call) => self.outside(call).is_some(),
                    _ => false,
                })
        })
    }

    /// The sequence of a callee outside the component.
    fn outside(&self, call: &Call) -> Option<Arc<Unrolled>> {
        match call.target {
            Target::Method(callee) => self.solver.library.get(callee)?.unrolled,
            Target::Missing(_) => None,
        }
    }

    fn member(&mut self, at: usize) -> Arc<Unrolled> {
        if let Some(computed) = &self.computed[at] {
            return Arc::clone(computed);
        }
        let solver = self.solver;
        let node = &solver.nodes[self.members[at]];
        self.stack.push(at);
        let unrolled = Arc::new(unroll(node.method, &node.body, |call| {
            let Target::Method(callee) = call.target else {
                return None;
            };
            match self.positions.get(&callee).copied() {
                None => self.outside(call),
                Some(at) if self.stack.contains(&at) || self.stack.len() >= MAX_DEPTH => {
                    Unrolled::of_recursion(solver.library.program, callee)
                }
                Some(at) => Some(self.member(at)),
            }
        }));
        self.stack.pop();
        self.computed[at] = Some(Arc::clone(&unrolled));
        unrolled
    }
}
