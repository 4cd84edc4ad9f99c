//! Methods for a single owner, producer or consumer: two callers of one of them at a time break it, and the class was
//! never meant for that.
//!
//! The sign of such a class is two roles. One method stores a variable of the object, an index mostly, without a lock and
//! without compare-and-set, so it relies on being the only one that does. Another method, of the other role, reads that
//! variable and stores another one, which the first method reads; and the two meet on variables that are made for
//! threads: volatile or atomic ones. A counter that is read by others has no second role, so `count++` on a volatile
//! field is none of this.

use std::collections::BTreeSet;

use raddle_plan::Part;

use super::calls::{Calls, Span};
use super::{Case, Rule, WeakKind, Weakness};
use crate::verdict::Kind;

/// What a public method does to the variables of its object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Role {
    /// Its name and descriptor's parameters, as plans call it: `offer(Ljava/lang/Object;`.
    pub method: String,
    /// The variables that it reads and writes.
    pub reads: BTreeSet<String>,
    /// Those that it writes.
    pub writes: BTreeSet<String>,
    /// Those that are volatile or used atomically.
    pub shared: BTreeSet<String>,
}

/// Of all methods, those that have a counterpart of another role.
pub fn roles(all: &[Role]) -> Vec<Role> {
    let is_counterpart = |one: &Role, other: &Role| {
        let meets = |from: &Role, to: &Role| {
            let handed = from
                .writes
                .iter()
                .filter(|variable| !to.writes.contains(*variable));
            handed
                .filter(|variable| to.reads.contains(*variable))
                .any(|variable| from.shared.contains(variable) || to.shared.contains(variable))
        };
        one.method != other.method && meets(one, other) && meets(other, one)
    };
    let has_one = |role: &&Role| all.iter().any(|other| is_counterpart(role, other));
    all.iter().filter(has_one).cloned().collect()
}

/// Two threads call the same method, of one role.
pub(super) struct SingleOwner;

impl Rule for SingleOwner {
    fn look(&self, case: &Case<'_>, calls: &Calls) -> Option<Weakness> {
        if !matches!(case.violation.kind, Kind::Result | Kind::Exception) {
            return None;
        }
        let in_threads: Vec<(usize, String)> = case
            .plan
            .calls()
            .filter(|(_, part, _)| matches!(part, Part::Thread(_)))
            .map(|(id, _, call)| (id.0 as usize, key(&call.member.name, &call.member.descriptor)))
            .collect();
        let methods: BTreeSet<&str> = in_threads.iter().map(|(_, method)| method.as_str()).collect();
        let [method] = methods.into_iter().collect::<Vec<_>>()[..] else {
            return None;
        };
        case.roles.iter().find(|role| role.method == method)?;
        let spans: Vec<&Span> = in_threads
            .iter()
            .filter_map(|(call, _)| calls.find(*call))
            .collect();
        let relies = |span: &&Span| {
            let mut writes = span.accesses.iter().filter(|access| access.is_write);
            writes.clone().next().is_some()
                && writes.all(|access| access.locks.is_empty() && !is_conditional(case, access.at))
        };
        if !spans.iter().any(relies) || spans.iter().any(|span| is_guarded(case, span)) {
            return None;
        }
        let name = case.name(in_threads.first()?.0);
        Some(Weakness {
            rule: WeakKind::SingleOwner,
            sentence: format!("not safe for two callers of {name} (single owner, producer or consumer?)"),
            calls: in_threads.into_iter().map(|(call, _)| call).collect(),
        })
    }
}

/// Whether a call takes a lock, or does anything on the condition that nobody else did.
fn is_guarded(case: &Case<'_>, span: &Span) -> bool {
    let accesses = span.accesses.iter();
    accesses.clone().any(|access| !access.locks.is_empty())
        || accesses.clone().any(|access| is_conditional(case, access.at))
}

/// Whether an event is an atomic operation that reads what it changes; an ordered store is none.
fn is_conditional(case: &Case<'_>, at: usize) -> bool {
    let Some(event) = case.run.events.get(at).filter(|event| event.kind == "atomic") else {
        return false;
    };
    let target = event.target.as_deref().unwrap_or_default();
    let name = target.split('(').next().unwrap_or(target);
    let name = name.rsplit('.').next().unwrap_or(name);
    let name = name.to_ascii_lowercase();
    name.starts_with("compareand") || name.starts_with("weakcompare") || name.starts_with("getand")
}

/// Results do not tell methods apart.
fn key(name: &str, descriptor: &str) -> String {
    let parameters = descriptor.split(')').next().unwrap_or(descriptor);
    format!("{name}{parameters}")
}
