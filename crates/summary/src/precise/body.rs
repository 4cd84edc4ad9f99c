//! A method body laid out for interpretation: instructions, leaders, handlers, loops.

use raddle_classfile::{Code, Handler, Insn};
use rustc_hash::FxHashMap;

use super::components::components;

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
        let index_of: FxHashMap<u32, usize> = insns
            .iter()
            .enumerate()
            .map(|(index, (pc, _))| (*pc, index))
            .collect();
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
        let mut next: Vec<usize> = insn
            .branch_targets()
            .iter()
            .filter_map(|pc| self.index(*pc))
            .collect();
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

    /// Instructions on a cycle of the control-flow graph.
    fn find_loops(&self) -> Vec<bool> {
        let count = self.insns.len();
        let successors: Vec<Vec<usize>> = (0..count).map(|index| self.all_successors(index)).collect();
        let mut in_loop = vec![false; count];
        if !successors
            .iter()
            .enumerate()
            .any(|(from, next)| next.iter().any(|&to| to <= from))
        {
            return in_loop;
        }
        for component in components(&successors) {
            let cyclic = component.len() > 1 || successors[component[0]].contains(&component[0]);
            for member in component {
                in_loop[member] = cyclic;
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
