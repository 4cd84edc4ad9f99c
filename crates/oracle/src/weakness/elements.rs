//! Deadlocks of two objects of a kind of which one is an element of the other, or each a part of the other.
//!
//! A collection asks its elements for their hash code, their text, or whether they are equal, and holds its lock meanwhile.
//! That is right as long as an element is not the collection that another thread is in; nobody puts collections into each
//! other like that. And two objects that were made parts of each other have no order in which their locks could be taken.
//!
//! The same goes for a function that is handed to one and calls the other: who calls out with a lock held answers for what
//! comes back to the same object, not for what its caller does with others.
//!
//! To be given another one as what it is, as in `a.addAll(b)`, is another matter: such a call knows that there are two locks.

use raddle_plan::{Call, Invoke, Part, TestPlan};

use super::calls::Calls;
use super::nested::given;
use super::{Case, Rule, WeakKind, Weakness};
use crate::verdict::{Evidence, Link};

/// What any object is asked for by those who know nothing of it.
const OF_ANY_OBJECT: [&str; 4] = ["hashCode", "equals", "toString", "compareTo"];

/// A deadlock of objects that are in each other.
pub(super) struct Elements;

impl Rule for Elements {
    fn look(&self, case: &Case<'_>, _: &Calls) -> Option<Weakness> {
        let Evidence::Deadlock { cycle, calls } = &case.violation.evidence else {
            return None;
        };
        let [one, other] = cycle.as_slice() else {
            return None;
        };
        let (one, other) = (Side::of(case, calls, one)?, Side::of(case, calls, other)?);
        if one.receiver == other.receiver || kind(case.plan, one.receiver) != kind(case.plan, other.receiver)
        {
            return None;
        }
        let sides = [(&one, &other), (&other, &one)];
        let asked = sides
            .iter()
            .find(|(side, of)| side.asks_element(of, case.overflows));
        let sentence = if let Some((side, _)) = asked {
            format!(
                "an object of the class is an element of another one: {} asks it for {}",
                side.call.member.name,
                side.asked().map_or_else(
                    || "what any object has".to_owned(),
                    |asked| format!("its {asked}")
                )
            )
        } else if let Some((side, _)) = sides.iter().find(|(side, of)| side.calls_through(case.plan, of)) {
            format!(
                "what {} is given calls another object of the class",
                side.call.member.name
            )
        } else if sides
            .iter()
            .all(|(side, of)| side.holds_since_prefix(case.plan, of))
        {
            format!(
                "two objects of the class are parts of each other: {} goes on to the other one",
                one.call.member.name
            )
        } else {
            return None;
        };
        Some(Weakness {
            rule: WeakKind::Nested,
            sentence,
            calls: calls.clone(),
        })
    }
}

/// A thread of the cycle.
struct Side<'c> {
    link: &'c Link,
    /// The call that it is stuck in.
    call: &'c Call,
    receiver: &'c str,
}

impl<'c> Side<'c> {
    fn of(case: &'c Case<'_>, calls: &[usize], link: &'c Link) -> Option<Side<'c>> {
        let is_its = |number: &usize| {
            let found = case.call(*number);
            found.is_some_and(|(part, _)| part.thread() == link.thread)
        };
        let (_, call) = case.call(*calls.iter().find(|number| is_its(number))?)?;
        let receiver = call.on.as_deref()?;
        Some(Side { link, call, receiver })
    }

    /// What the object that it waits for is asked for, if that is something that any object can be asked for.
    fn asked(&self) -> Option<&'static str> {
        let place = self.link.at.as_ref()?;
        OF_ANY_OBJECT.into_iter().find(|name| *name == place.method)
    }

    fn is_given(&self, other: &Side<'_>) -> bool {
        given(self.call).contains(&other.receiver)
    }

    /// Whether the other object is nothing but an object to this call: it was given it as one; or it comes by it, without an
    /// end in one thread either. A class that gets to an end there is made for objects that are in each other.
    fn asks_element(&self, other: &Side<'_>, overflows: bool) -> bool {
        let member = &self.call.member;
        // Whoever compares two objects is told of both, and whoever makes a text of what it is given uses it.
        let takes_any = member.descriptor.contains("Ljava/lang/Object;")
            && !OF_ANY_OBJECT.contains(&&*member.name)
            && self.asked() != Some("toString");
        if self.is_parked() {
            // Where it asked for the lock is not known; but of what it takes for any object it can ask nothing else, and with one
            // thread there would be no end to it.
            let is_given = self.is_given(other);
            return is_given && takes_any || !is_given && overflows;
        }
        // What the other object does to answer may be what takes its lock.
        let asks_nothing_else =
            takes_any && self.is_given(other) && member.descriptor.contains("(Ljava/lang/Object;");
        asks_nothing_else || self.asked().is_some() && (takes_any || overflows && !self.is_given(other))
    }

    /// Whether it waits for a lock that is no monitor.
    fn is_parked(&self) -> bool {
        self.link
            .at
            .as_ref()
            .is_some_and(|place| &*place.method == "park")
    }

    /// Whether it is given something of the test's that knows the other object and calls it.
    fn calls_through(&self, plan: &TestPlan, other: &Side<'_>) -> bool {
        let knows = |name: &str| {
            let mut makers = plan.prefix.iter();
            makers.any(|call| {
                call.bind.as_deref() == Some(name)
                    && call.invoke == Invoke::Implement
                    && given(call).contains(&other.receiver)
            })
        };
        given(self.call).into_iter().any(knows)
    }

    /// Whether its object was given the other one before the threads began, by the same method that gave it to the other,
    /// and this call was not.
    fn holds_since_prefix(&self, plan: &TestPlan, other: &Side<'_>) -> bool {
        let gives = |on: &str, what: &str, name: Option<&str>| {
            plan.prefix.iter().find(|call| {
                call.on.as_deref() == Some(on)
                    && given(call).contains(&what)
                    && name.is_none_or(|name| name == call.member.name)
            })
        };
        !self.is_given(other)
            && !OF_ANY_OBJECT.contains(&&*self.call.member.name)
            && gives(self.receiver, other.receiver, None)
                .is_some_and(|call| gives(other.receiver, self.receiver, Some(&call.member.name)).is_some())
    }
}

/// The type of a variable that all threads see.
fn kind(plan: &TestPlan, name: &str) -> Option<String> {
    let variables = plan.variables();
    let variable = variables.find(Part::Prefix, name)?;
    Some(variable.descriptor.clone())
}
