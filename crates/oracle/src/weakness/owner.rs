//! Methods for a single owner, producer or consumer: two callers of one of them at a time break it, and the class was
//! never meant for that.
//!
//! The sign of such a class is two roles. One method stores a variable of the object, an index mostly, without a lock and
//! without compare-and-set, so it relies on being the only one that does. Another method, of the other role, reads that
//! variable and stores another one, which the first method reads; and the two meet on variables that are made for
//! threads: volatile or atomic ones. A counter that is read by others has no second role, so `count++` on a volatile
//! field is none of this.
//!
//! Another sign is in the stores themselves: whoever stores with release only, `lazySet` or `setRelease`, knows that nobody
//! else stores there. Two calls that both do so to one variable, without a lock or a compare-and-set, have one caller too many,
//! whatever methods they are of.

use std::collections::{BTreeMap, BTreeSet};

use raddle_plan::{Event, Part};

use super::calls::{Calls, Span, is_conditional, operation};
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

/// Two threads call the same method, of one role. What else is called beside that does not matter any more.
pub(super) struct SingleOwner;

impl Rule for SingleOwner {
    fn look(&self, case: &Case<'_>, calls: &Calls) -> Option<Weakness> {
        if !matches!(
            case.violation.kind,
            Kind::Result | Kind::Exception | Kind::Livelock
        ) {
            return None;
        }
        let mut by_method: BTreeMap<String, Vec<(u32, usize)>> = BTreeMap::new();
        for (id, part, call) in case.plan.calls() {
            if let Part::Thread(thread) = part {
                let method = key(&call.member.name, &call.member.descriptor);
                by_method.entry(method).or_default().push((thread, id.0 as usize));
            }
        }
        if let Some(both) = two_releasing(case, calls) {
            return Some(of_one(case, both.to_vec()));
        }
        let (_, callers) = by_method.into_iter().find(|(method, callers)| {
            let threads: BTreeSet<u32> = callers.iter().map(|(thread, _)| *thread).collect();
            let spans = || callers.iter().filter_map(|(_, call)| calls.find(*call));
            let stores = |span: &Span| span.accesses.iter().any(|access| access.is_write);
            threads.len() > 1
                && case.roles.iter().any(|role| role.method == *method)
                && spans().any(stores)
                && !spans().any(|span| is_guarded(case.run.events, span))
        })?;
        Some(of_one(case, callers.into_iter().map(|(_, call)| call).collect()))
    }
}

fn of_one(case: &Case<'_>, calls: Vec<usize>) -> Weakness {
    let names: BTreeSet<String> = calls.iter().map(|call| case.name(*call)).collect();
    let names: Vec<String> = names.into_iter().collect();
    Weakness {
        rule: WeakKind::SingleOwner,
        sentence: format!(
            "not safe for two callers of {} (single owner, producer or consumer?)",
            names.join(" and ")
        ),
        calls,
    }
}

/// Two calls of different threads that store one variable with release only; or one that does so, and another of the same
/// method that did not come that far.
fn two_releasing(case: &Case<'_>, calls: &Calls) -> Option<[usize; 2]> {
    let events = case.run.events;
    let free = || calls.spans.iter().filter(|span| !is_guarded(events, span));
    free().find_map(|one| {
        let stored = releases(events, one);
        let is_other = |other: &&Span| {
            let is_of_one_method = !stored.is_empty() && case.is_same_method(one.call, other.call);
            other.thread != one.thread && (is_of_one_method || !stored.is_disjoint(&releases(events, other)))
        };
        let other = free().find(is_other)?;
        Some([one.call, other.call])
    })
}

/// The variables that a call stores with release only, by object and offset.
fn releases(events: &[Event], span: &Span) -> BTreeSet<(u32, Option<i32>)> {
    let accesses = span.accesses.iter().filter(|access| access.is_atomic);
    accesses
        .filter_map(|access| events.get(access.at))
        .filter(|event| is_release(event))
        .map(|event| (event.object, event.index))
        .collect()
}

fn is_release(event: &Event) -> bool {
    let name = operation(event);
    let is_store = name.starts_with("put") || name.starts_with("set") || name == "lazyset";
    is_store && (name == "lazyset" || name.contains("release") || name.contains("ordered"))
}

/// Whether a call takes a lock, or does anything on the condition that nobody else did, or in one step with reading; an
/// ordered store is none of these.
fn is_guarded(events: &[Event], span: &Span) -> bool {
    span.accesses.iter().any(|access| {
        let is_exchange = |event: &Event| is_conditional(event) || operation(event).starts_with("getand");
        !access.locks.is_empty() || events.get(access.at).is_some_and(is_exchange)
    })
}

/// Results do not tell methods apart.
fn key(name: &str, descriptor: &str) -> String {
    let parameters = descriptor.split(')').next().unwrap_or(descriptor);
    format!("{name}{parameters}")
}
