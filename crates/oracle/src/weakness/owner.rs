//! Methods for a single owner, producer or consumer: two callers of one of them at a time break it, and the class was
//! never meant for that.
//!
//! The sign of such a class is two roles. One method stores a variable of the object, an index mostly, without a lock and
//! without compare-and-set, so it relies on being the only one that does. Another method, of the other role, reads that
//! variable and stores another one, which the first method reads; and the two meet on variables that are made for
//! threads: volatile or atomic ones. A counter that is read by others has no second role, so `count++` on a volatile
//! field is none of this.

use std::collections::{BTreeMap, BTreeSet};

use raddle_plan::{Event, Part};

use super::calls::{Calls, Span, is_conditional};
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
        let (_, callers) = by_method.into_iter().find(|(method, callers)| {
            let threads: BTreeSet<u32> = callers.iter().map(|(thread, _)| *thread).collect();
            let spans = || callers.iter().filter_map(|(_, call)| calls.find(*call));
            let stores = |span: &Span| span.accesses.iter().any(|access| access.is_write);
            threads.len() > 1
                && case.roles.iter().any(|role| role.method == *method)
                && spans().any(stores)
                && !spans().any(|span| is_guarded(case.run.events, span))
        })?;
        let name = case.name(callers.first()?.1);
        Some(Weakness {
            rule: WeakKind::SingleOwner,
            sentence: format!("not safe for two callers of {name} (single owner, producer or consumer?)"),
            calls: callers.into_iter().map(|(_, call)| call).collect(),
        })
    }
}

/// Whether a call takes a lock, or does anything on the condition that nobody else did, or in one step with reading; an
/// ordered store is none of these.
fn is_guarded(events: &[Event], span: &Span) -> bool {
    span.accesses.iter().any(|access| {
        let is_exchange = |event: &Event| {
            let target = event.target.as_deref().unwrap_or_default();
            is_conditional(event) || target.to_ascii_lowercase().contains(".getand")
        };
        !access.locks.is_empty() || events.get(access.at).is_some_and(is_exchange)
    })
}

/// Results do not tell methods apart.
fn key(name: &str, descriptor: &str) -> String {
    let parameters = descriptor.split(')').next().unwrap_or(descriptor);
    format!("{name}{parameters}")
}
