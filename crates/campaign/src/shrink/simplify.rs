//! Smaller plans: each with one thing less, or one thing simpler. Whether they still show what they must is for
//! the search to find out.

use raddle_plan::{Argument, Call, Part, TestPlan};

/// One way to make a plan smaller. Positions are those in the plan it is applied to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cut {
    /// A thread less, of more than two.
    Thread(usize),
    /// All calls of the prefix less whose results nobody uses.
    UnusedPrefix,
    /// A call less.
    Call(Part, usize),
    /// An argument replaced.
    Argument(Part, usize, usize, Argument),
}

/// Ways to leave something out, the most promising first: later calls depend on earlier ones, so from the back.
pub(crate) fn removals(plan: &TestPlan) -> Vec<Cut> {
    let mut cuts = Vec::new();
    if plan.threads.len() > 2 {
        cuts.extend((0..plan.threads.len()).rev().map(Cut::Thread));
    }
    for (part, calls) in plan.parts() {
        if let Part::Thread(_) = part
            && calls.len() > 1
        {
            cuts.extend((0..calls.len()).rev().map(|index| Cut::Call(part, index)));
        }
    }
    cuts.extend(
        (0..plan.after.len())
            .rev()
            .map(|index| Cut::Call(Part::After, index)),
    );
    if plan.prefix.len() > 2 {
        cuts.push(Cut::UnusedPrefix);
    }
    cuts.extend(
        (0..plan.prefix.len())
            .rev()
            .map(|index| Cut::Call(Part::Prefix, index)),
    );
    cuts
}

/// Ways to make arguments simpler.
pub(crate) fn replacements(plan: &TestPlan) -> Vec<Cut> {
    let mut cuts = Vec::new();
    for (part, calls) in plan.parts() {
        for (index, call) in calls.iter().enumerate() {
            for (position, argument) in call.args.iter().enumerate() {
                if is_function(plan, argument) || is_called(call, position) {
                    continue;
                }
                let simpler = simpler(argument).into_iter();
                cuts.extend(simpler.map(|simpler| Cut::Argument(part, index, position, simpler)));
            }
        }
    }
    cuts
}

/// Numbers up to which an argument may be a time that is short on a JVM that takes its time.
const SHORT: i64 = 100_000;
/// An hour, and what is long in whatever unit it is said.
const LONG_INT: i32 = 3_600_000;
const LONG: [i64; 2] = [1_000_000_000_000, 1_000_000_000];

/// Ways to make times longer. A millisecond is over before a JVM without control has come to the next call, and what depends on
/// that differs from one run to the other. Times are what objects are made with, and long numbers elsewhere.
pub(crate) fn stretches(plan: &TestPlan) -> Vec<Cut> {
    let mut cuts = Vec::new();
    for (part, calls) in plan.parts() {
        for (index, call) in calls.iter().enumerate() {
            for (position, argument) in call.args.iter().enumerate() {
                let longer: Vec<Argument> = match argument {
                    Argument::Int(1..=10_000) if part == Part::Prefix => vec![Argument::Int(LONG_INT)],
                    Argument::Long(1..=SHORT) => LONG.map(Argument::Long).to_vec(),
                    _ => continue,
                };
                let stretched = longer.into_iter();
                cuts.extend(stretched.map(|longer| Cut::Argument(part, index, position, longer)));
            }
        }
    }
    cuts
}

/// Whether an argument is what an object of the plan calls, which it cannot without.
fn is_called(call: &Call, position: usize) -> bool {
    let above = call.args.len() - call.held().len();
    let mut deeds = call.methods.iter().filter_map(|method| method.does.as_ref());
    deeds.any(|deed| !deed.given && above + deed.on == position)
}

/// Whether an argument is an object that the plan implements. Without a listener there is one thing less, but whoever
/// calls it throws in every order, and the fault is not seen for it.
fn is_function(plan: &TestPlan, argument: &Argument) -> bool {
    matches!(argument, Argument::Var(name) if plan.implements(name))
}

/// The plan after a cut; none if nothing changes or nothing sensible is left.
pub(crate) fn apply(plan: &TestPlan, cut: &Cut) -> Option<TestPlan> {
    let mut smaller = plan.clone();
    match cut {
        Cut::Thread(thread) => {
            smaller.threads.remove(*thread);
        }
        Cut::UnusedPrefix => {
            smaller
                .prefix
                .retain(|call| call.bind.as_deref().is_some_and(|name| is_used(plan, name)));
        }
        Cut::Call(part, index) => {
            let calls = calls_of(&mut smaller, *part)?;
            if *index >= calls.len() {
                return None;
            }
            calls.remove(*index);
        }
        Cut::Argument(part, index, position, argument) => {
            let calls = calls_of(&mut smaller, *part)?;
            let place = calls.get_mut(*index)?.args.get_mut(*position)?;
            place.clone_from(argument);
        }
    }
    // A variable that is no longer set, an argument that no longer fits.
    (smaller != *plan && smaller.check().is_ok()).then_some(smaller)
}

fn calls_of(plan: &mut TestPlan, part: Part) -> Option<&mut Vec<Call>> {
    match part {
        Part::Prefix => Some(&mut plan.prefix),
        Part::Thread(thread) => plan.threads.get_mut(thread as usize),
        Part::After => Some(&mut plan.after),
    }
}

fn is_used(plan: &TestPlan, name: &str) -> bool {
    plan.calls().any(|(_, _, call)| {
        call.on.as_deref() == Some(name) || call.args.iter().any(|argument| mentions(argument, name))
    })
}

fn mentions(argument: &Argument, name: &str) -> bool {
    match argument {
        Argument::Var(variable) => variable == name,
        Argument::Array { of, .. } => of.iter().any(|element| mentions(element, name)),
        _ => false,
    }
}

/// What says less than an argument, the least first.
fn simpler(argument: &Argument) -> Vec<Argument> {
    let candidates = match argument {
        Argument::Var(_) => vec![Argument::Null],
        Argument::Boolean(_) => vec![Argument::Boolean(false)],
        Argument::Byte(_) => vec![Argument::Byte(0), Argument::Byte(1)],
        Argument::Short(_) => vec![Argument::Short(0), Argument::Short(1)],
        Argument::Char(_) => vec![Argument::Char(u16::from(b'a'))],
        Argument::Int(_) => vec![Argument::Int(0), Argument::Int(1)],
        Argument::Long(_) => vec![Argument::Long(0), Argument::Long(1)],
        Argument::Float(_) => vec![Argument::Float(0)],
        Argument::Double(_) => vec![Argument::Double(0)],
        Argument::String(_) | Argument::Utf16(_) => {
            vec![Argument::String(String::new()), Argument::String("a".to_owned())]
        }
        Argument::Array { element, of } if !of.is_empty() => {
            let cut_to = |length: usize| Argument::Array {
                element: element.clone(),
                of: of.iter().take(length).cloned().collect(),
            };
            vec![cut_to(0), cut_to(1)]
        }
        Argument::Array { .. } | Argument::Null | Argument::Class(_) | Argument::Enum { .. } => Vec::new(),
    };
    // Nothing that comes after the argument itself is simpler.
    candidates
        .into_iter()
        .take_while(|simpler| simpler != argument)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> TestPlan {
        TestPlan::from_json(
            r#"{"raddle_plan": 1,
            "prefix": [{"let": "v", "invoke": "new", "member": "java.util.Vector.<init>()V"},
                       {"invoke": "virtual", "member": "java.util.Vector.size()I", "on": "v"},
                       {"let": "w", "invoke": "new", "member": "java.util.Vector.<init>(I)V", "args": [{"int": 7}]}],
            "threads": [[{"invoke": "virtual", "member": "java.util.Vector.size()I", "on": "v"}],
                        [{"invoke": "virtual", "member": "java.util.Vector.addAll(Ljava/util/Collection;)Z",
                          "on": "v", "args": [{"var": "w"}]}]]}"#,
        )
        .unwrap()
    }

    #[test]
    fn what_is_needed_is_not_cut() {
        let plan = plan();
        assert_eq!(apply(&plan, &Cut::Call(Part::Prefix, 0)), None, "v is used");
        let smaller = apply(&plan, &Cut::UnusedPrefix).unwrap();
        assert_eq!(smaller.prefix.len(), 2);
        assert_eq!(apply(&smaller, &Cut::UnusedPrefix), None);
    }

    #[test]
    fn a_thread_keeps_its_last_call() {
        let cuts = removals(&plan());
        let cuts_threads = |cut: &Cut| matches!(cut, Cut::Thread(_) | Cut::Call(Part::Thread(_), _));
        assert!(!cuts.iter().any(cuts_threads), "{cuts:?}");
    }

    #[test]
    fn times_that_objects_are_made_with_become_longer() {
        let cuts = stretches(&plan());
        let wanted = Cut::Argument(Part::Prefix, 2, 0, Argument::Int(LONG_INT));
        assert_eq!(cuts, std::slice::from_ref(&wanted));
        assert_eq!(stretches(&apply(&plan(), &wanted).unwrap()), []);
    }

    #[test]
    fn arguments_only_become_simpler() {
        assert_eq!(simpler(&Argument::Int(5)), [Argument::Int(0), Argument::Int(1)]);
        assert_eq!(simpler(&Argument::Int(1)), [Argument::Int(0)]);
        assert_eq!(simpler(&Argument::Int(0)), []);
        let array = Argument::Array {
            element: "I".to_owned(),
            of: vec![Argument::Int(1)],
        };
        assert_eq!(simpler(&array).len(), 1);
        let cuts = replacements(&plan());
        assert_eq!(cuts.len(), 3, "{cuts:?}");
        let mut with_function = plan();
        with_function.prefix[2].invoke = raddle_plan::Invoke::Implement;
        with_function.prefix[2].args.clear();
        assert_eq!(replacements(&with_function), []);
    }
}
