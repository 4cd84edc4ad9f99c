//! Sequential tests, run and turned into traces for predictions.

use std::collections::{BTreeMap, BTreeSet};

use raddle_execute::{Alone, Link, Replayed, SessionError};
use raddle_generate::TracedTest;
use raddle_plan::{
    Argument, Call, CallResult, End, Event, EventKind, Invoke, Outcome, Place, Schedule, Target, TestPlan,
};
use raddle_predict::{Action, Field, Method, Object, Step, Trace};

use crate::executor::Executor;

/// A test that takes longer is of no use: nobody could explore what it is part of.
pub(crate) const MAX_STEPS: u32 = 20_000;
/// The thread of a sequential test.
const THREAD: u32 = 1;
/// What an endless recursion throws.
pub(crate) const OVERFLOW: &str = "java.lang.StackOverflowError";

/// Runs a sequential test. None if it cannot be run.
pub(crate) fn traced(
    session: &mut dyn Executor,
    plan: TestPlan,
    resets: &[String],
) -> Result<Option<TracedTest>, SessionError> {
    let Some(run) = run_alone(session, &plan, resets)? else {
        return Ok(None);
    };
    let thrown = thrown(&run.outcome);
    let is_endless = run.outcome.end == End::StepBound || thrown.iter().any(|(_, class)| *class == OVERFLOW);
    if is_endless {
        // Nothing that such a call is part of comes to an end. Whether the steps or the stack are used up first depends on
        // what the JVM has compiled.
        return Ok(None);
    }
    let last = run.outcome.calls.len().saturating_sub(1);
    let failed: Vec<usize> = thrown
        .iter()
        .map(|(call, _)| *call)
        .filter(|call| *call != last)
        .collect();
    if failed.is_empty() {
        return Ok(Some(convert(plan, &run.events, &run.links, &run.alone)));
    }
    // A call that only prepares and throws would keep every test that it is part of from its threads.
    let Some(plan) = without(&plan, &failed) else {
        return Ok(None);
    };
    let run = run_alone(session, &plan, resets)?;
    Ok(run.map(|run| convert(plan, &run.events, &run.links, &run.alone)))
}

/// Runs a sequential test as it is. None if it cannot be run, or throws.
pub(crate) fn traced_whole(
    session: &mut dyn Executor,
    plan: TestPlan,
    resets: &[String],
) -> Result<Option<TracedTest>, SessionError> {
    let run = run_alone(session, &plan, resets)?;
    let fits = |run: &Replayed| run.outcome.end == End::Completed && thrown(&run.outcome).is_empty();
    let run = run.filter(fits);
    Ok(run.map(|run| convert(plan, &run.events, &run.links, &run.alone)))
}

fn run_alone(
    session: &mut dyn Executor,
    plan: &TestPlan,
    resets: &[String],
) -> Result<Option<Replayed>, SessionError> {
    match session.trace(plan, resets, MAX_STEPS, &[Schedule::default()]) {
        Ok(runs) => Ok(runs.into_iter().next()),
        Err(SessionError::Refused(_) | SessionError::Died(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The calls that threw, by number, and what.
fn thrown(outcome: &Outcome) -> Vec<(usize, &str)> {
    let calls = outcome.calls.iter().enumerate();
    calls
        .filter_map(|(number, call)| match &call.result {
            CallResult::Threw { class, .. } => Some((number, class.as_str())),
            _ => None,
        })
        .collect()
}

/// A sequential test without some of its calls; none if the others need what they made.
fn without(plan: &TestPlan, failed: &[usize]) -> Option<TestPlan> {
    let mut smaller = plan.clone();
    let calls = smaller.threads.first_mut()?;
    let mut number = 0;
    calls.retain(|_| {
        number += 1;
        !failed.contains(&(number - 1))
    });
    smaller.check().is_ok().then_some(smaller)
}

fn convert(plan: TestPlan, events: &[Event], links: &[Link], alone: &Alone) -> TracedTest {
    let (trace, contexts, variables) = {
        let mut conversion = Conversion::new(&plan, events, links);
        for (number, event) in events
            .iter()
            .enumerate()
            .filter(|(_, event)| event.thread == THREAD)
        {
            conversion.context = alone.contexts.get(number).copied().unwrap_or(0);
            conversion.take(event);
        }
        conversion.end();
        let named = conversion.objects.iter();
        let variables = named
            .map(|(name, object)| (*object, (*name).to_owned()))
            .collect();
        (conversion.trace, conversion.contexts, variables)
    };
    let slots: Vec<(String, usize)> = plan
        .variables()
        .iter()
        .map(|variable| (variable.name.to_owned(), variable.slot as usize))
        .collect();
    let by_name = |states: &Vec<u64>| {
        let named = slots
            .iter()
            .filter_map(|(name, slot)| Some((name.clone(), *states.get(*slot)?)));
        named.collect()
    };
    TracedTest {
        states: alone.states.iter().map(by_name).collect(),
        plan,
        trace,
        contexts,
        variables,
    }
}

struct Conversion<'a> {
    /// By number.
    calls: Vec<&'a Call>,
    /// The object of each variable.
    objects: BTreeMap<&'a str, Object>,
    trace: Trace,
    is_in_call: bool,
    /// The step of the last atomic access to an object, which is where one of `java.util.concurrent.locks` is taken.
    atomic: BTreeMap<Object, usize>,
    /// The final fields that hold an object.
    owners: BTreeMap<Object, Vec<(Object, Field)>>,
    /// Objects whose owners have been looked up in this call.
    linked: BTreeSet<Object>,
    /// Of every step of the trace, and of the event that is taken.
    contexts: Vec<u64>,
    context: u64,
}

impl<'a> Conversion<'a> {
    fn new(plan: &'a TestPlan, events: &[Event], links: &[Link]) -> Conversion<'a> {
        let mut objects = BTreeMap::new();
        let mut trace = Trace::default();
        let mut next = events.iter().map(|event| event.object).max().unwrap_or(0);
        for event in events {
            next = next.max(event.referred().map_or(0, |referred| referred.object));
        }
        for link in links {
            next = next.max(link.owner).max(link.value);
        }
        for variable in &plan.variables() {
            let text = format!("${}", variable.slot);
            let known = named(events, links, &text);
            let object = Object(known.unwrap_or_else(|| {
                next += 1;
                next
            }));
            objects.insert(variable.name, object);
            trace.types.insert(object, class_of(&variable.descriptor));
        }
        for event in events {
            if let Some(name) = event.name.as_deref().filter(|name| !name.starts_with('$')) {
                trace
                    .types
                    .entry(Object(event.object))
                    .or_insert_with(|| name.to_owned());
            }
        }
        let mut owners: BTreeMap<Object, Vec<(Object, Field)>> = BTreeMap::new();
        for link in links {
            let held = owners.entry(Object(link.value)).or_default();
            let field = Field {
                class: link.class.clone(),
                name: link.field.clone(),
            };
            held.push((Object(link.owner), field));
            if !link.name.starts_with('$') {
                let class = || link.name.clone();
                trace.types.entry(Object(link.value)).or_insert_with(class);
            }
        }
        Conversion {
            owners,
            linked: BTreeSet::new(),
            contexts: Vec::new(),
            context: 0,
            calls: plan.calls().map(|(_, _, call)| call).collect(),
            objects,
            trace,
            is_in_call: false,
            atomic: BTreeMap::new(),
        }
    }

    fn take(&mut self, event: &'a Event) {
        let base = (event.object > 0).then_some(Object(event.object));
        if let Some(object) = base {
            self.link(object);
        }
        let value = event.referred().map(|referred| Object(referred.object));
        let action = match event.kind {
            EventKind::Call => return self.begin(event.index),
            EventKind::Read => Action::Read {
                base,
                field: self.field(event),
                index: event.index,
                value,
            },
            EventKind::Write if let Some(is_taken) = event.is_lock_taken() => {
                let Some(object) = base else { return };
                let taken = self.atomic.remove(&object).filter(|_| is_taken);
                if let Some(step) = taken.and_then(|step| self.trace.steps.get_mut(step)) {
                    step.action = Action::Lock(object);
                    return;
                }
                if is_taken {
                    Action::Lock(object)
                } else {
                    Action::Unlock(object)
                }
            }
            EventKind::Write | EventKind::Atomic => {
                if let Some(object) = base.filter(|_| event.kind == EventKind::Atomic) {
                    self.atomic.insert(object, self.trace.steps.len());
                }
                Action::Write {
                    base,
                    field: self.field(event),
                    index: event.index,
                    value,
                }
            }
            EventKind::Enter | EventKind::Woken => {
                let Some(object) = base else { return };
                self.find_class_lock(event, object);
                Action::Lock(object)
            }
            EventKind::Exit | EventKind::Wait => match base {
                Some(object) => Action::Unlock(object),
                None => return,
            },
            _ => return,
        };
        self.push(event.place.clone(), action);
    }

    fn push(&mut self, place: Option<Place>, action: Action) {
        self.trace.steps.push(Step { place, action });
        self.contexts.push(self.context);
    }

    /// Final fields through which the call may have come by an object, as if it had read them just now.
    fn link(&mut self, object: Object) {
        if !self.linked.insert(object) {
            return;
        }
        for (owner, field) in self.owners.get(&object).cloned().unwrap_or_default() {
            self.link(owner);
            let action = Action::Read {
                base: Some(owner),
                field,
                index: None,
                value: Some(object),
            };
            self.push(None, action);
        }
    }

    /// The lock of a static method comes from nowhere; it is as if it were read from a static field of the class.
    fn find_class_lock(&mut self, event: &Event, object: Object) {
        if event.name.as_deref() == Some("java.lang.Class")
            && let Some(place) = &event.place
        {
            let field = Field {
                class: place.class.clone(),
                name: String::from("class"),
            };
            let action = Action::Read {
                base: None,
                field,
                index: None,
                value: Some(object),
            };
            self.push(None, action);
        }
    }

    fn field(&self, event: &Event) -> Field {
        if event.index.is_some() {
            let class = self.trace.types.get(&Object(event.object));
            return Field {
                class: class.cloned().unwrap_or_default(),
                name: Field::ELEMENT.to_owned(),
            };
        }
        let (class, name) = match &event.target {
            Some(Target::Field(field)) => (&*field.owner, field.name.to_string()),
            // Each method stands for a state of its own.
            Some(Target::Method(method)) => (&*method.owner, format!("{}{}", method.name, method.descriptor)),
            None => ("", String::new()),
        };
        Field {
            class: class.to_owned(),
            name,
        }
    }

    fn begin(&mut self, number: Option<i32>) {
        self.end();
        self.linked.clear();
        self.atomic.clear();
        let call = number.and_then(|number| self.calls.get(usize::try_from(number).ok()?).copied());
        let Some(call) = call else { return };
        let receiver = match (&call.on, call.invoke) {
            (Some(on), _) => Some(self.objects.get(on.as_str()).copied()),
            (None, Invoke::New) => {
                let name = call.bind.as_deref();
                Some(name.and_then(|name| self.objects.get(name).copied()))
            }
            (None, _) => None,
        };
        let arguments = call.args.iter().map(|argument| match argument {
            Argument::Var(name) => self.objects.get(name.as_str()).copied(),
            _ => None,
        });
        let parameters = receiver.into_iter().chain(arguments).collect();
        let method = Method {
            class: call.member.class.clone(),
            name: call.member.name.clone(),
            descriptor: call.member.descriptor.clone(),
        };
        self.push(None, Action::Enter { method, parameters });
        self.is_in_call = true;
    }

    fn end(&mut self) {
        if std::mem::take(&mut self.is_in_call) {
            self.push(None, Action::Exit { result: None });
        }
    }
}

/// The number of the object that a text such as `$0` stands for, if it turned up.
fn named(events: &[Event], links: &[Link], text: &str) -> Option<u32> {
    let as_base = |event: &Event| {
        let is_it = event.name.as_deref() == Some(text) && event.object > 0;
        is_it.then_some(event.object)
    };
    let as_value = |event: &Event| {
        let referred = event.referred().filter(|referred| referred.name == text)?;
        Some(referred.object)
    };
    let in_link = |link: &Link| {
        if link.owner_name == text {
            Some(link.owner)
        } else {
            (link.name == text).then_some(link.value)
        }
    };
    events
        .iter()
        .find_map(as_base)
        .or_else(|| events.iter().find_map(as_value))
        .or_else(|| links.iter().find_map(in_link))
}

/// `Ljava/util/Vector;` → `java.util.Vector`.
fn class_of(descriptor: &str) -> String {
    let name = descriptor
        .strip_prefix('L')
        .and_then(|rest| rest.strip_suffix(';'));
    name.unwrap_or(descriptor).replace('/', ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(kind: &str, object: u32, target: Option<&str>, value: Option<&str>) -> Event {
        Event {
            callers: Vec::new(),
            thread: THREAD,
            place: None,
            kind: kind.parse().unwrap(),
            target: target.map(|target| target.parse().unwrap()),
            object,
            name: Some(if object == 1 { "$0" } else { "p.Inner" }.to_owned()),
            index: None,
            value: value.map(str::to_owned),
        }
    }

    #[test]
    fn events_become_steps_with_the_objects_of_the_test() {
        let plan = TestPlan::from_json(
            r#"{"raddle_plan": 1, "threads": [[
                {"let": "a", "invoke": "new", "member": "p.Outer.<init>()V"},
                {"invoke": "virtual", "member": "p.Outer.look()V", "on": "a"}]]}"#,
        )
        .unwrap();
        let call = |number| Event {
            index: Some(number),
            name: None,
            ..event("call", 0, None, None)
        };
        let events = [
            call(0),
            event("write", 1, Some("p.Outer.inner:Lp/Inner;"), Some("p.Inner#2")),
            call(1),
            event("enter", 1, None, None),
            event("read", 1, Some("p.Outer.inner:Lp/Inner;"), Some("p.Inner#2")),
            event(
                "write",
                2,
                Some("j.AbstractOwnableSynchronizer.exclusiveOwnerThread:Ljava/lang/Thread;"),
                Some("thread 1#5"),
            ),
            event(
                "write",
                2,
                Some("j.AbstractOwnableSynchronizer.exclusiveOwnerThread:Ljava/lang/Thread;"),
                Some("null"),
            ),
            event("exit", 1, None, None),
        ];
        let seed = convert(plan, &events, &[], &Alone::default());
        assert_eq!(seed.variables.get(&Object(1)).map(String::as_str), Some("a"));
        assert_eq!(
            seed.trace.types.get(&Object(1)).map(String::as_str),
            Some("p.Outer")
        );
        let actions: Vec<&Action> = seed.trace.steps.iter().map(|step| &step.action).collect();
        assert!(matches!(actions[0], Action::Enter { method, parameters }
            if method.name == "<init>" && *parameters == [Some(Object(1))]));
        assert!(matches!(
            actions[1],
            Action::Write {
                value: Some(Object(2)),
                ..
            }
        ));
        assert_eq!(actions[2], &Action::Exit { result: None });
        assert!(matches!(actions[4], Action::Lock(Object(1))));
        assert!(
            matches!(actions[5], Action::Read { field, value: Some(Object(2)), .. } if field.name == "inner")
        );
        assert_eq!(
            actions[6..9],
            [
                &Action::Lock(Object(2)),
                &Action::Unlock(Object(2)),
                &Action::Unlock(Object(1))
            ]
        );
    }
}
