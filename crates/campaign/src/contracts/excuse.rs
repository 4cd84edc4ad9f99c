//! Which violations of a plan the documentation excuses.
//!
//! Hangs are excused by nothing that is said about results or exceptions: only by that the plan makes calls at the same
//! time which nobody may make at the same time, or takes a lock and does not give it back.

use std::collections::{BTreeMap, BTreeSet};

use raddle_oracle::{Evidence, Kind, Violation};
use raddle_plan::{Argument, Call, CallResult, Outcome, Part, TestPlan};

use super::{Rule, Term, Terms};

/// What a call says that gives up.
const GAVE_UP: [&str; 3] = ["false", "null", "-1"];

/// What is excused in a plan.
pub(crate) struct Excuses<'t> {
    calls: Vec<Judged<'t>>,
}

/// A call of the plan.
struct Judged<'t> {
    part: Part,
    call: &'t Call,
    rules: &'t [Rule],
    /// Calls of one group can have an effect on each other: their objects are, or may be, connected. None for calls
    /// without an object.
    group: Option<usize>,
}

impl<'t> Excuses<'t> {
    pub(crate) fn of(terms: &'t Terms, plan: &'t TestPlan) -> Excuses<'t> {
        let variables = plan.variables();
        let groups = Groups::of(plan);
        let calls = plan.calls().map(|(_, part, call)| Judged {
            part,
            call,
            rules: terms.rules(&variables, part, call),
            group: names(call).next().and_then(|name| groups.find(name)),
        });
        Excuses {
            calls: calls.collect(),
        }
    }

    /// Calls whose results need not fit any single moment, and why. Alone, before and after the threads, they do. What such a
    /// call hands out to its thread, and to no other, says the same when it is asked.
    pub(crate) fn snapshots(&self) -> BTreeMap<usize, &'t Rule> {
        let in_threads = self
            .with(Term::Snapshot)
            .filter(|(_, judged, _)| judged.is_in_thread());
        let mut found: BTreeMap<usize, &'t Rule> =
            in_threads.map(|(number, _, rule)| (number, rule)).collect();
        for (number, judged) in self.calls.iter().enumerate() {
            let source = self.source(judged).and_then(|source| found.get(&source).copied());
            if let Some(rule) = source {
                found.entry(number).or_insert(rule);
            }
        }
        found
    }

    /// The call that handed out the object of a call in a thread, if all that is done with that is done in the same thread.
    fn source(&self, judged: &Judged<'t>) -> Option<usize> {
        let on = judged.call.on.as_deref().filter(|_| judged.is_in_thread())?;
        let mut users = self
            .calls
            .iter()
            .filter(|other| names(other.call).any(|name| name == on));
        if users.any(|other| other.part != judged.part) {
            return None;
        }
        self.calls
            .iter()
            .position(|other| other.part == judged.part && other.call.bind.as_deref() == Some(on))
    }

    /// Why a violation that a run shows is none.
    pub(crate) fn find(&self, violation: &Violation, outcome: &Outcome) -> Option<&'t Rule> {
        let results = || {
            self.several_steps(violation)
                .or_else(|| self.gave_up(violation, outcome))
        };
        let undefined = || self.argument_modified().or_else(|| self.in_itself(violation));
        match violation.kind {
            Kind::Result => results().or_else(undefined).or_else(|| self.forgets()),
            Kind::Exception => self.failed_together(violation).or_else(undefined),
            Kind::LostWakeup => self.never_given_back(outcome),
            Kind::Deadlock | Kind::Livelock => None,
        }
        .or_else(|| self.shared_by_users())
    }

    /// What the documentation leaves undefined, hangs included, if threads of the plan do that.
    pub(crate) fn undefined_hang(&self) -> Option<&'t Rule> {
        self.argument_modified()
    }

    fn with(&self, term: Term) -> impl Iterator<Item = (usize, &Judged<'t>, &'t Rule)> {
        self.calls.iter().enumerate().flat_map(move |(number, judged)| {
            let rules = judged.rules.iter().filter(move |rule| rule.term() == term);
            rules.map(move |rule| (number, judged, rule))
        })
    }

    fn several_steps(&self, violation: &Violation) -> Option<&'t Rule> {
        self.with(Term::NotAtomic)
            .find(|(number, judged, _)| judged.is_in_thread() && self.can_cause(*number, violation))
            .map(|(_, _, rule)| rule)
    }

    fn gave_up(&self, violation: &Violation, outcome: &Outcome) -> Option<&'t Rule> {
        let has_failed = |number: usize| {
            let result = outcome.calls.get(number).map(|call| &call.result);
            matches!(result, Some(CallResult::Returned(value)) if GAVE_UP.contains(&value.as_str()))
        };
        self.with(Term::MayFail)
            .find(|(number, judged, _)| {
                judged.is_in_thread() && has_failed(*number) && self.can_cause(*number, violation)
            })
            .map(|(_, _, rule)| rule)
    }

    /// Whether what a call does can be seen in what is wrong.
    fn can_cause(&self, number: usize, violation: &Violation) -> bool {
        let Evidence::Result { differences, .. } = &violation.evidence else {
            return true;
        };
        let group = self.calls.get(number).and_then(|judged| judged.group);
        let is_met = |call: usize| {
            let other = self.calls.get(call).and_then(|judged| judged.group);
            group.is_none() || other.is_none() || other == group
        };
        differences.iter().any(|difference| is_met(difference.call))
    }

    fn argument_modified(&self) -> Option<&'t Rule> {
        self.with(Term::ArgumentUnmodified)
            .find(|(_, judged, _)| {
                judged.is_in_thread()
                    && self.calls.iter().any(|other| {
                        let receiver = other.call.on.as_deref();
                        other.is_in_thread()
                            && other.part != judged.part
                            && receiver.is_some_and(|receiver| is_given(judged.call, receiver))
                    })
            })
            .map(|(_, _, rule)| rule)
    }

    /// A call that shows what is wrong, on an object that was given to itself.
    fn in_itself(&self, violation: &Violation) -> Option<&'t Rule> {
        let shows = |number: &usize| match &violation.evidence {
            Evidence::Result { differences, .. } => differences.iter().any(|found| found.call == *number),
            _ => violation.decisive_calls().contains(number),
        };
        let gives_itself = |receiver: &str| {
            let mut calls = self.calls.iter().map(|judged| judged.call);
            calls.any(|call| call.on.as_deref() == Some(receiver) && is_given(call, receiver))
        };
        self.with(Term::NotInItself)
            .find(|(number, judged, _)| shows(number) && judged.call.on.as_deref().is_some_and(gives_itself))
            .map(|(_, _, rule)| rule)
    }

    fn forgets(&self) -> Option<&'t Rule> {
        self.with(Term::Forgets)
            .find(|(_, judged, _)| judged.part == Part::Prefix)
            .map(|(_, _, rule)| rule)
    }

    /// A call that took a lock in a thread which has never given it back: whoever waits for it waits for the test.
    fn never_given_back(&self, outcome: &Outcome) -> Option<&'t Rule> {
        let has_taken = |number: usize| {
            let result = outcome.calls.get(number).map(|call| &call.result);
            matches!(result, Some(CallResult::Returned(value)) if value != "false")
        };
        let mut held: BTreeMap<i32, Vec<&'t Rule>> = BTreeMap::new();
        for (number, judged) in self
            .calls
            .iter()
            .enumerate()
            .filter(|(_, judged)| judged.is_in_thread())
        {
            let rule = |term: Term| judged.rules.iter().find(|rule| rule.term() == term);
            if !has_taken(number) {
                continue;
            }
            let own = held.entry(judged.part.number()).or_default();
            own.extend(rule(Term::Takes));
            if rule(Term::GivesBack).is_some() {
                own.pop();
            }
        }
        held.into_values().flatten().next()
    }

    fn failed_together(&self, violation: &Violation) -> Option<&'t Rule> {
        let Evidence::Exception { call, .. } = &violation.evidence else {
            return None;
        };
        let (_, thrower, rule) = self
            .with(Term::SharedFailure)
            .find(|(number, _, _)| number == call)?;
        let is_beside = |other: &Judged<'_>| other.is_in_thread() && other.part != thrower.part;
        let others = self
            .with(Term::SharedFailure)
            .any(|(_, other, _)| is_beside(other));
        others.then_some(rule)
    }

    /// Whether two threads make calls on one object that only one may make.
    fn shared_by_users(&self) -> Option<&'t Rule> {
        let users: Vec<_> = self
            .with(Term::SingleUser)
            .filter(|(_, judged, _)| judged.is_in_thread())
            .collect();
        let is_second = |(_, first, rule): &(usize, &Judged<'t>, &'t Rule)| {
            users.iter().any(|(_, second, other)| {
                first.part != second.part
                    && first.call.on == second.call.on
                    && rule.contract == other.contract
            })
        };
        users
            .iter()
            .find(|user| is_second(user))
            .map(|(_, _, rule)| *rule)
    }
}

impl Judged<'_> {
    fn is_in_thread(&self) -> bool {
        matches!(self.part, Part::Thread(_))
    }
}

fn is_given(call: &Call, name: &str) -> bool {
    let is_it = |argument: &Argument| matches!(argument, Argument::Var(variable) if variable == name);
    call.args.iter().any(is_it)
}

/// The variables that a call has to do with.
fn names(call: &Call) -> impl Iterator<Item = &str> {
    fn collect<'c>(argument: &'c Argument, found: &mut Vec<&'c str>) {
        match argument {
            Argument::Var(name) => found.push(name),
            Argument::Array { of, .. } => of.iter().for_each(|element| collect(element, found)),
            _ => {}
        }
    }
    let mut found: Vec<&str> = call.on.iter().chain(&call.bind).map(String::as_str).collect();
    call.args
        .iter()
        .for_each(|argument| collect(argument, &mut found));
    found.into_iter()
}

/// Variables that some call has brought together.
struct Groups<'p>(Vec<BTreeSet<&'p str>>);

impl<'p> Groups<'p> {
    fn of(plan: &'p TestPlan) -> Groups<'p> {
        let mut groups: Vec<BTreeSet<&str>> = Vec::new();
        for (_, _, call) in plan.calls() {
            let mut one: BTreeSet<&str> = names(call).collect();
            let (joined, apart) = groups.into_iter().partition(|group| !group.is_disjoint(&one));
            groups = apart;
            let joined: Vec<BTreeSet<&str>> = joined;
            one.extend(joined.into_iter().flatten());
            groups.push(one);
        }
        Groups(groups)
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|group| group.contains(name))
    }
}
