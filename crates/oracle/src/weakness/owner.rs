//! Methods for a single owner, producer or consumer: two callers of one of them at a time break it, and the class was
//! never meant for that.
//!
//! The sign of such a class is two roles. One method stores a variable of the object, an index mostly, without a lock and
//! without compare-and-set, so it relies on being the only one that does. Another method, of the other role, reads that
//! variable and stores another one, which the first method reads; and the two meet on variables that are made for
//! threads: volatile or atomic ones. A counter that is read by others has no second role, so `count++` on a volatile
//! field is none of this.
//!
//! The other role may also be the only one that is for many: it exchanges a variable that the first method only reads, while that
//! method stores another one, which nobody of the other role goes to: `poll` of a queue with one consumer.
//!
//! A method that goes to plain variables of a role, which that role writes and nobody of the other role goes to, is of the same
//! role: `peek` that keeps what it has seen of the producer's index where `poll` keeps it is for the consumer.
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
    /// Those that it reads and writes atomically.
    pub atomic: BTreeSet<String>,
    /// Other methods of the same role, as far as their variables tell.
    pub fellows: BTreeSet<String>,
}

impl Role {
    fn touches(&self, variable: &String) -> bool {
        self.reads.contains(variable) || self.writes.contains(variable)
    }
}

/// Of all methods, those that have a counterpart of another role.
pub fn roles(all: &[Role]) -> Vec<Role> {
    let meets = |from: &Role, to: &Role| {
        let handed = from
            .writes
            .iter()
            .filter(|variable| !to.writes.contains(*variable));
        handed
            .filter(|variable| to.reads.contains(*variable))
            .any(|variable| from.shared.contains(variable) || to.shared.contains(variable))
    };
    // What many put in with an exchange, one takes out: where it is, only that one knows.
    let takes = |one: &Role, other: &Role| {
        let hands = |variable: &&String| one.reads.contains(*variable) && !one.writes.contains(*variable);
        let keeps = |variable: &&String| {
            let is_kept = one.reads.contains(*variable) && one.shared.contains(*variable);
            is_kept && !one.atomic.contains(*variable) && !other.touches(variable)
        };
        other.atomic.iter().any(|variable| hands(&variable))
            && one.writes.iter().any(|variable| keeps(&variable))
    };
    let is_counterpart = |one: &Role, other: &Role| {
        one.method != other.method && (meets(one, other) && meets(other, one) || takes(one, other))
    };
    let of = |role: &Role| {
        let counterparts: Vec<&Role> = all.iter().filter(|other| is_counterpart(role, other)).collect();
        if counterparts.is_empty() {
            return None;
        }
        let is_own = |variable: &&String| !counterparts.iter().any(|other| other.touches(variable));
        let own: Vec<&String> = role.writes.iter().filter(is_own).collect();
        let is_plain = |variable: &String| !all.iter().any(|other| other.shared.contains(variable));
        // Anybody may look at what is made to be looked at.
        let is_fellow = |other: &&Role| {
            let mut own = own.iter();
            other.method != role.method
                && own.any(|one| other.writes.contains(*one) || is_plain(one) && other.touches(one))
        };
        let fellows = all.iter().filter(is_fellow).map(|other| other.method.clone());
        Some(Role {
            fellows: fellows.collect(),
            ..role.clone()
        })
    };
    all.iter().filter_map(of).collect()
}

/// Two threads call the same method, or two methods of one role. What else is called beside that does not matter any more.
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
        let alone = case.roles.iter().map(|role| BTreeSet::from([&role.method]));
        let with_fellows = case
            .roles
            .iter()
            .filter(|role| !role.fellows.is_empty())
            .map(|role| role.fellows.iter().chain([&role.method]).collect());
        let callers = alone
            .chain(with_fellows)
            .map(|methods: BTreeSet<&String>| {
                let of_role = by_method.iter().filter(|(method, _)| methods.contains(method));
                of_role
                    .flat_map(|(_, callers)| callers.clone())
                    .collect::<Vec<_>>()
            })
            .find(|callers| {
                let threads: BTreeSet<u32> = callers.iter().map(|(thread, _)| *thread).collect();
                let spans = || callers.iter().filter_map(|(_, call)| calls.find(*call));
                let stores = |span: &Span| span.accesses.iter().any(|access| access.is_write);
                threads.len() > 1 && spans().any(stores) && !spans().any(|span| is_guarded(case, span))
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
    let free = || calls.spans.iter().filter(|span| !is_guarded(case, span));
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
fn is_guarded(case: &Case<'_>, span: &Span) -> bool {
    span.accesses.iter().any(|access| {
        let is_exchange = |event: &Event| {
            (is_conditional(event) || operation(event).starts_with("getand")) && !is_of_the_test(case, event)
        };
        let event = case.run.events.get(access.at);
        !access.locks.is_empty() || event.is_some_and(is_exchange)
    })
}

/// Whether an event is about an object of the plan that is not under test: what a listener counts its calls with.
fn is_of_the_test(case: &Case<'_>, event: &Event) -> bool {
    let slot = event
        .name
        .as_deref()
        .and_then(|name| name.strip_prefix('$')?.parse().ok());
    let variables = case.plan.variables();
    let variable = slot.and_then(|slot: u32| variables.iter().find(|variable| variable.slot == slot));
    variable.is_some_and(|variable| {
        let class = variable.descriptor.trim_start_matches('L').trim_end_matches(';');
        class.replace('/', ".") != case.class
    })
}

/// Results do not tell methods apart.
fn key(name: &str, descriptor: &str) -> String {
    let parameters = descriptor.split(')').next().unwrap_or(descriptor);
    format!("{name}{parameters}")
}
