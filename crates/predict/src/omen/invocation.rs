//! Which call of the test a step belongs to (Omen section 3.3.2, Algorithm 2).
//!
//! Departure: a step after the call's end belongs to no call. The paper's walk back would give it to the call before.

use crate::trace::{Action, Method, Object, Trace};

/// Where the calls of some traces begin and end.
#[derive(Debug)]
pub(super) struct Invocations<'a> {
    traces: &'a [Trace],
    /// For each trace the steps that are an enter or an exit, in order.
    bounds: Vec<Vec<usize>>,
}

impl<'a> Invocations<'a> {
    pub(super) fn new(traces: &'a [Trace]) -> Self {
        let bound = |action: &Action| matches!(action, Action::Enter { .. } | Action::Exit { .. });
        let bounds = traces
            .iter()
            .map(|trace| {
                (0..trace.steps.len())
                    .filter(|&at| bound(&trace.steps[at].action))
                    .collect()
            })
            .collect();
        Self { traces, bounds }
    }

    /// The step that begins the call of a step.
    pub(super) fn enter(&self, trace: usize, step: usize) -> Option<usize> {
        let bounds = &self.bounds[trace];
        let before = bounds.partition_point(|&bound| bound < step).checked_sub(1)?;
        let enter = bounds[before];
        matches!(self.traces[trace].steps[enter].action, Action::Enter { .. }).then_some(enter)
    }

    /// What an enter calls, and with what.
    pub(super) fn called(&self, trace: usize, enter: usize) -> Option<(&'a Method, &'a [Option<Object>])> {
        match &self.traces[trace].steps[enter].action {
            Action::Enter { method, parameters } => Some((method, parameters)),
            _ => None,
        }
    }

    /// The steps of the call that begins at `enter`, without its enter and exit.
    pub(super) fn steps(&self, trace: usize, enter: usize) -> std::ops::Range<usize> {
        let bounds = &self.bounds[trace];
        let next = bounds.partition_point(|&bound| bound <= enter);
        enter + 1
            ..bounds
                .get(next)
                .copied()
                .unwrap_or(self.traces[trace].steps.len())
    }
}
