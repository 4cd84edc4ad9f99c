//! A method body laid out for interpretation: instructions, leaders, handlers, loops.

use raddle_classfile::{Code, Handler, Insn};
use rustc_hash::FxHashMap;

/// Decoded code with its control flow.
pub(crate) struct Body<'c> {
    pub(crate) insns: Vec<(u32, Insn<'c>)>,
    pub(crate) handlers: Vec<Handler>,
    pub(crate) max_locals: usize,
    index_of: FxHashMap<u32, usize>,
    leader: Vec<bool>,
    in_loop: Vec<bool>,
    /// Return points of `jsr`, by the instruction index after each.
    jsr_returns: Vec<usize>,
}

impl<'c> Body<'c> {
    /// Decodes a body, or says why that cannot be done.
    pub(crate) fn decode(code: &Code<'c>) -> Result<Body<'c>, raddle_classfile::ClassFileError> {
        let insns = code.instructions().collect::<Result<Vec<_>, _>>()?;
        let index_of: FxHashMap<u32, usize> =
            insns.iter().enumerate().map(|(index, (pc, _))| (*pc, index)).collect();
        let handlers = code.exception_table();
        let mut leader = vec![false; insns.len()];
        if let Some(first) = leader.first_mut() {
            *first = true;
        }
        let mut jsr_returns = Vec::new();
        for (index, (_, insn)) in insns.iter().enumerate() {
            for target in insn.branch_targets() {
                if let Some(&at) = index_of.get(&target) {
                    leader[at] = true;
                }
            }
            if !insn.falls_through() && index + 1 < insns.len() {
                leader[index + 1] = true;
            }
            if matches!(insn, Insn::Jsr(_)) && index + 1 < insns.len() {
                jsr_returns.push(index + 1);
            }
        }
        for handler in &handlers {
            for pc in [handler.start, handler.handler] {
                if let Some(&at) = index_of.get(&pc) {
                    leader[at] = true;
                }
            }
        }
        let mut body = Body {
            insns,
            handlers,
            max_locals: usize::from(code.max_locals()),
            index_of,
            leader,
            in_loop: Vec::new(),
            jsr_returns,
        };
        body.in_loop = body.find_loops();
        Ok(body)
    }

    pub(crate) fn index(&self, pc: u32) -> Option<usize> {
        self.index_of.get(&pc).copied()
    }

    pub(crate) fn is_leader(&self, index: usize) -> bool {
        self.leader.get(index).copied().unwrap_or(false)
    }

    pub(crate) fn in_loop(&self, index: usize) -> bool {
        self.in_loop.get(index).copied().unwrap_or(false)
    }

    /// Instruction indices that may run right after `index`, exceptions aside.
    pub(crate) fn successors(&self, index: usize) -> Vec<usize> {
        let insn = &self.insns[index].1;
        let mut next: Vec<usize> =
            insn.branch_targets().iter().filter_map(|pc| self.index(*pc)).collect();
        if insn.falls_through() && index + 1 < self.insns.len() {
            next.push(index + 1);
        }
        if matches!(insn, Insn::Ret(_)) {
            // Any subroutine may return to any of its callers: coarse, and safe for joins.
            next.extend_from_slice(&self.jsr_returns);
        }
        next
    }

    /// Handlers that cover an instruction.
    pub(crate) fn handlers_at(&self, index: usize) -> impl Iterator<Item = usize> {
        let pc = self.insns[index].0;
        self.handlers
            .iter()
            .filter(move |handler| handler.start <= pc && pc < handler.end)
            .filter_map(|handler| self.index(handler.handler))
    }

    /// Instructions on a cycle of the control-flow graph, by Tarjan's algorithm with an explicit stack.
    fn find_loops(&self) -> Vec<bool> {
        let count = self.insns.len();
        let backward = (0..count).any(|index| {
            self.successors(index).iter().chain(&self.handlers_at(index).collect::<Vec<_>>()).any(|&to| to <= index)
        });
        let mut in_loop = vec![false; count];
        if !backward {
            return in_loop;
        }
        const UNSEEN: usize = usize::MAX;
        let mut order = vec![UNSEEN; count];
        let mut low = vec![0; count];
        let mut on_stack = vec![false; count];
        let mut component = Vec::new();
        let mut clock = 0;
        let mut work: Vec<(usize, Vec<usize>)> = Vec::new();
        for start in 0..count {
            if order[start] != UNSEEN {
                continue;
            }
            let edges = self.all_successors(start);
            order[start] = clock;
            low[start] = clock;
            clock += 1;
            on_stack[start] = true;
            component.push(start);
            work.push((start, edges));
            while let Some((node, edges)) = work.last_mut() {
                let node = *node;
                if let Some(next) = edges.pop() {
                    if order[next] == UNSEEN {
                        order[next] = clock;
                        low[next] = clock;
                        clock += 1;
                        on_stack[next] = true;
                        component.push(next);
                        let edges = self.all_successors(next);
                        work.push((next, edges));
                    } else if on_stack[next] {
                        low[node] = low[node].min(order[next]);
                    }
                    continue;
                }
                work.pop();
                if let Some((parent, _)) = work.last() {
                    low[*parent] = low[*parent].min(low[node]);
                }
                if low[node] == order[node] {
                    let at = component.iter().rposition(|&member| member == node).unwrap_or(0);
                    let members = component.split_off(at);
                    let cyclic = members.len() > 1 || self.all_successors(node).contains(&node);
                    for member in members {
                        on_stack[member] = false;
                        in_loop[member] = cyclic;
                    }
                }
            }
        }
        in_loop
    }

    fn all_successors(&self, index: usize) -> Vec<usize> {
        let mut next = self.successors(index);
        next.extend(self.handlers_at(index));
        next
    }
}
