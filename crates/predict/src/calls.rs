//! The calls of a trace: what lies between an `Enter` and its `Exit`.

use crate::trace::{Action, Method, Object, Step, Trace};

/// One call that a test made.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Call<'a> {
    /// The index of its trace.
    pub(crate) trace: usize,
    /// The index of its `Enter`.
    pub(crate) enter: usize,
    /// The steps after the `Enter`, without the `Exit`.
    pub(crate) body: &'a [Step],
    pub(crate) method: &'a Method,
    pub(crate) parameters: &'a [Option<Object>],
    /// The trace it is in.
    pub(crate) within: &'a Trace,
}

impl<'a> Call<'a> {
    /// The class of an object of this call.
    pub(crate) fn class_of(&self, object: Object) -> Option<&'a str> {
        self.within.types.get(&object).map(String::as_str)
    }

    /// Whether it makes its receiver.
    pub(crate) fn is_constructor(&self) -> bool {
        self.method.name == "<init>"
    }
}

/// All calls of the traces, in order.
///
/// A call without `Exit` (the test ended in it) goes on to the next `Enter` or the end of the trace.
pub(crate) fn calls(traces: &[Trace]) -> Vec<Call<'_>> {
    let mut found = Vec::new();
    for (number, trace) in traces.iter().enumerate() {
        for (enter, step) in trace.steps.iter().enumerate() {
            let Action::Enter { method, parameters } = &step.action else {
                continue;
            };
            let rest = &trace.steps[enter + 1..];
            let length = rest
                .iter()
                .position(|step| matches!(step.action, Action::Exit { .. } | Action::Enter { .. }))
                .unwrap_or(rest.len());
            let body = &rest[..length];
            found.push(Call {
                trace: number,
                enter,
                body,
                method,
                parameters,
                within: trace,
            });
        }
    }
    found
}
