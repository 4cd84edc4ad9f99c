//! Which kinds of violations of a plan can be put down to the class under test.
//!
//! A strategy may share any object between threads. What goes wrong then is not always the fault of the class under
//! test, and a finding that blames the wrong class is a false alarm:
//!
//! - A list that both threads are given as an argument is not meant to be shared. When it breaks, calls throw and return
//!   anything. Only hangs count then: such a list has no locks. What no call changes may be shared.
//! - The same goes for a list that one thread has filled, as by `drainTo`, and that is an element of the object, where the
//!   other thread comes across it.
//! - No class promises that a call on one object which reads another one does so in one step: `a.addAll(b)` against
//!   `b.addAll(a)` may leave what no order explains. So where the receiver of one thread is an argument of another,
//!   results do not count.
//! - The same goes for objects of the class that hold each other, or themselves, before the threads begin: a call that
//!   looks through all of them does so one by one.
//! - An initialiser that runs in every run, and not once for all, does to others again what it has done before. Where calls
//!   are there to initialise classes, only that they wait for each other counts.
//!
//! What single classes are documented not to promise is another matter, see [`crate::contracts`].

use std::collections::{BTreeMap, BTreeSet};

use raddle_oracle::Kind;
use raddle_plan::{Argument, Call, Part, TestPlan};

use crate::contracts::Terms;

/// How the threads use a variable of the prefix.
#[derive(Default)]
struct Use {
    receiver_in: BTreeSet<u32>,
    argument_in: BTreeSet<u32>,
}

/// Of these kinds, those that can be put down to the class under test.
pub(crate) fn judged_kinds(
    class: &str,
    plan: &TestPlan,
    kinds: &BTreeSet<Kind>,
    terms: &Terms,
) -> BTreeSet<Kind> {
    let uses = uses(plan);
    let variables = plan.variables();
    let own = format!("L{};", class.replace('.', "/"));
    let shares_foreign = uses.iter().any(|(name, used)| {
        let descriptor = variables
            .find(Part::Prefix, name)
            .map(|variable| &*variable.descriptor);
        used.argument_in.len() > 1
            && used.receiver_in.is_empty()
            && !plan.implements(name)
            && descriptor.is_none_or(|descriptor| descriptor != own && !terms.is_shareable(descriptor))
            && is_changed(name, plan, terms)
    });
    let shares_foreign = shares_foreign || fills_content(plan, terms);
    let crosses_objects = uses.values().any(|used| {
        used.receiver_in
            .iter()
            .any(|t| used.argument_in.iter().any(|other| other != t))
    });
    kinds
        .iter()
        .copied()
        .filter(|kind| match kind {
            Kind::Deadlock => true,
            _ if !plan.uninitialised.is_empty() => false,
            Kind::Exception => !shares_foreign,
            Kind::Result => !shares_foreign && !crosses_objects && !holds_own_kind(plan, &own),
            Kind::LostWakeup | Kind::Livelock => true,
        })
        .collect()
}

/// Whether a call of a thread may change what a variable holds that it is given.
fn is_changed(name: &str, plan: &TestPlan, terms: &Terms) -> bool {
    let mut calls = plan.threads.iter().flatten();
    calls.any(|call| {
        let mut given =
            (0..call.args.len()).filter(|position| names(&call.args[*position..=*position]).contains(&name));
        given.any(|position| !terms.leaves(call, position))
    })
}

/// Whether a thread has something filled that was put into an object before.
fn fills_content(plan: &TestPlan, terms: &Terms) -> bool {
    let put = |name: &str| {
        let mut into = plan.prefix.iter().filter(|call| call.on.is_some());
        into.any(|call| arguments(call).contains(&name))
    };
    let mut calls = plan.threads.iter().flatten();
    calls.any(|call| {
        let mut filled = (0..call.args.len()).filter(|position| terms.fills(call, *position));
        filled.any(|position| names(&call.args[position..=position]).into_iter().any(put))
    })
}

/// Whether a call of the prefix gives an object of the class to one of its kind.
fn holds_own_kind(plan: &TestPlan, own: &str) -> bool {
    let variables = plan.variables();
    let is_own = |name: &str| {
        let variable = variables.find(Part::Prefix, name);
        variable.is_some_and(|variable| &*variable.descriptor == own)
    };
    plan.prefix
        .iter()
        .any(|call| call.on.as_deref().is_some_and(is_own) && arguments(call).into_iter().any(is_own))
}

fn uses(plan: &TestPlan) -> BTreeMap<&str, Use> {
    let mut uses: BTreeMap<&str, Use> = BTreeMap::new();
    for (_, part, call) in plan.calls() {
        let Part::Thread(thread) = part else { continue };
        // A thread's own variables hide nothing: the plan's check refuses a name that the prefix has.
        if let Some(name) = &call.on {
            uses.entry(name).or_default().receiver_in.insert(thread);
        }
        for name in arguments(call) {
            uses.entry(name).or_default().argument_in.insert(thread);
        }
    }
    let of_prefix: BTreeSet<&str> = plan
        .prefix
        .iter()
        .filter_map(|call| call.bind.as_deref())
        .collect();
    uses.retain(|name, _| of_prefix.contains(name));
    uses
}

fn arguments(call: &Call) -> Vec<&str> {
    names(&call.args)
}

/// The variables in some arguments.
fn names(arguments: &[Argument]) -> Vec<&str> {
    fn collect<'a>(argument: &'a Argument, names: &mut Vec<&'a str>) {
        match argument {
            Argument::Var(name) => names.push(name),
            Argument::Array { of, .. } => of.iter().for_each(|element| collect(element, names)),
            _ => {}
        }
    }
    let mut names = Vec::new();
    for argument in arguments {
        collect(argument, &mut names);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contracts::{Contracts, Lookup};
    use raddle_summary::{Analyzer, Precision};
    use std::sync::Arc;

    const LIST: &str = "java.util.Vector";

    /// Two queues `a` and `b`, an `ArrayList` `v`, a collection `f` that the plan implements; one call of `addAll` in
    /// each thread.
    fn judged(first: (&str, &str), second: (&str, &str)) -> Vec<Kind> {
        let new = |name: &str, class: &str| {
            format!(r#"{{"let": "{name}", "invoke": "new", "member": "{class}.<init>()V"}}"#)
        };
        let call = |(on, argument): (&str, &str)| {
            format!(
                r#"[{{"invoke": "virtual", "member": "{LIST}.addAll(Ljava/util/Collection;)Z", "on": "{on}",
                    "args": [{{"var": "{argument}"}}]}}]"#
            )
        };
        let text = format!(
            r#"{{"raddle_plan": 1, "prefix": [{}, {}, {}, {}], "threads": [{}, {}]}}"#,
            new("a", LIST),
            new("b", LIST),
            new("v", "java.util.ArrayList"),
            new("f", "java.util.Collection").replace("new", "implement"),
            call(first),
            call(second),
        );
        let plan = TestPlan::from_json(&text).unwrap();
        kinds(LIST, &plan)
    }

    /// With what the JDK's own classes say.
    fn kinds(class: &str, plan: &TestPlan) -> Vec<Kind> {
        let program = raddle_testkit::program(&[]).unwrap();
        let analyzer = Analyzer::new(&program, Precision::Precise);
        let contracts = Contracts::bundled().unwrap();
        let under_test = program.class_id(&class.replace('.', "/"));
        let terms = Lookup::new(&program, Arc::new(contracts)).terms(&analyzer, under_test, plan);
        let kinds = judged_kinds(class, plan, &Kind::ALL.into_iter().collect(), &terms);
        kinds.into_iter().collect()
    }

    #[test]
    fn one_object_and_arguments_of_ones_own_are_judged_by_all() {
        assert_eq!(judged(("a", "b"), ("a", "v")), Kind::ALL);
        assert_eq!(
            judged(("a", "b"), ("a", "b")),
            Kind::ALL,
            "the class itself may be shared"
        );
    }

    #[test]
    fn objects_that_are_called_crosswise_are_not_judged_by_results() {
        for plan in [(("a", "b"), ("b", "a")), (("a", "b"), ("b", "v"))] {
            let kinds = judged(plan.0, plan.1);
            assert!(
                !kinds.contains(&Kind::Result) && kinds.contains(&Kind::Exception),
                "{plan:?}"
            );
        }
    }

    #[test]
    fn a_list_that_both_threads_are_given_leaves_hangs_only_if_a_call_changes_it() {
        let queue = "java.util.concurrent.LinkedBlockingQueue";
        let drain = format!(
            r#"{{"invoke": "virtual", "member": "{queue}.drainTo(Ljava/util/Collection;)I", "on": "a",
                "args": [{{"var": "v"}}]}}"#
        );
        let text = format!(
            r#"{{"raddle_plan": 1, "prefix": [
                {{"let": "a", "invoke": "new", "member": "{queue}.<init>()V"}},
                {{"let": "v", "invoke": "new", "member": "java.util.ArrayList.<init>()V"}}],
                "threads": [[{drain}], [{drain}]]}}"#
        );
        let plan = TestPlan::from_json(&text).unwrap();
        assert_eq!(
            kinds(queue, &plan),
            [Kind::Deadlock, Kind::LostWakeup, Kind::Livelock]
        );
        assert_eq!(judged(("a", "v"), ("a", "v")), Kind::ALL);
    }

    #[test]
    fn objects_that_hold_each_other_are_not_judged_by_results() {
        let text = r#"{"raddle_plan": 1, "prefix": [
            {"let": "a", "invoke": "new", "member": "java.util.Vector.<init>()V"},
            {"invoke": "virtual", "member": "java.util.Vector.add(Ljava/lang/Object;)Z", "on": "a", "args": [{"var": "a"}]}],
            "threads": [[{"invoke": "virtual", "member": "java.util.Vector.clear()V", "on": "a"}],
                        [{"invoke": "virtual", "member": "java.util.Vector.toString()Ljava/lang/String;", "on": "a"}]]}"#;
        let plan = TestPlan::from_json(text).unwrap();
        let kinds = kinds(LIST, &plan);
        assert!(!kinds.contains(&Kind::Result) && kinds.contains(&Kind::Exception));
    }

    #[test]
    fn of_calls_that_initialise_classes_only_deadlocks_count() {
        let text = r#"{"raddle_plan": 1, "uninitialised": ["p.A"], "threads": [
            [{"invoke": "static", "member": "p.A.get()I"}], [{"invoke": "static", "member": "p.A.get()I"}]]}"#;
        let plan = TestPlan::from_json(text).unwrap();
        assert_eq!(kinds(LIST, &plan), [Kind::Deadlock]);
    }

    #[test]
    fn what_cannot_change_may_be_shared() {
        assert!(judged(("a", "f"), ("a", "f")).contains(&Kind::Exception));
    }

    #[test]
    fn a_list_in_the_queue_that_is_filled_meanwhile_is_to_blame_itself() {
        let queue = "java.util.concurrent.LinkedBlockingQueue";
        let judged = |filled: &str| {
            let call = |name: &str, on: &str, argument: &str| {
                format!(
                    r#"{{"invoke": "virtual", "member": "{queue}.{name}", "on": "{on}",
                        "args": [{{"var": "{argument}"}}]}}"#
                )
            };
            let text = format!(
                r#"{{"raddle_plan": 1, "prefix": [
                    {{"let": "a", "invoke": "new", "member": "{queue}.<init>()V"}},
                    {{"let": "v", "invoke": "new", "member": "java.util.ArrayList.<init>()V"}},
                    {{"let": "w", "invoke": "new", "member": "java.util.ArrayList.<init>()V"}}, {}],
                    "threads": [[{}], [{}]]}}"#,
                call("add(Ljava/lang/Object;)Z", "a", "v"),
                call("drainTo(Ljava/util/Collection;)I", "a", filled),
                call("offer(Ljava/lang/Object;)Z", "a", "a"),
            );
            let plan = TestPlan::from_json(&text).unwrap();
            kinds(queue, &plan).contains(&Kind::Exception)
        };
        assert!(!judged("v"), "it is in the queue");
        assert!(judged("w"));
    }
}
