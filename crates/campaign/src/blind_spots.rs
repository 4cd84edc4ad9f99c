//! What could not be instrumented and matters: no switch can happen there, so nothing can be said of it.

use raddle_execute::LeftAlone;
use raddle_instrument::Tier;
use raddle_plan::TestPlan;

/// Named up to this many.
const NAMED: usize = 10;

/// Why a class is without hooks that somebody asked to leave alone; it is listed only if the JVM has loaded it.
const ON_PURPOSE: &str = "left alone on purpose";

/// Of what could not be instrumented, what matters to the plan, as the end of a sentence: its own classes, everything
/// that is not the JDK's, what was left alone on purpose, classes whose methods the threads call and that the runtime stands
/// on, and where threads called what may touch anything.
pub fn blind_spots(plan: &TestPlan, left_alone: &[LeftAlone], unseen: &[String]) -> Option<String> {
    let called = plan.threads.iter().flatten().filter_map(|call| {
        let reason = Tier::reason(&call.member.internal_class())?;
        Some(format!("{} ({reason})", call.member.class))
    });
    let mut names: Vec<String> = left_alone
        .iter()
        .filter(|left| left.reason == ON_PURPOSE || !is_platform(&left.class) || plan_uses(plan, &left.class))
        .map(|left| match &left.method {
            Some(method) => format!("{}.{method} ({})", left.class, left.reason),
            None => format!("{} ({})", left.class, left.reason),
        })
        .chain(called)
        .chain(unseen.iter().cloned())
        .collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return None;
    }
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    let mut list = names.join(", ");
    if more > 0 {
        list = format!("{list} and {more} more");
    }
    Some(format!("no switch could happen inside of {list}"))
}

fn is_platform(class: &str) -> bool {
    ["java.", "javax.", "jdk.", "sun.", "com.sun."]
        .iter()
        .any(|package| class.starts_with(package))
}

/// Whether the plan names the class, or one that it is nested in.
fn plan_uses(plan: &TestPlan, class: &str) -> bool {
    let outer = class.split('$').next().unwrap_or(class);
    plan.calls()
        .any(|(_, _, call)| call.member.class.split('$').next() == Some(outer))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(class: &str, method: Option<&str>) -> LeftAlone {
        LeftAlone {
            class: class.to_owned(),
            method: method.map(str::to_owned),
            reason: "too long".to_owned(),
        }
    }

    fn plan() -> TestPlan {
        let text = r#"{"raddle_plan": 1, "prefix": [{"let": "v", "invoke": "new", "member": "java.util.Vector.<init>()V"}], "threads": [[], []]}"#;
        TestPlan::from_json(text).unwrap()
    }

    #[test]
    fn only_what_the_plan_can_reach_is_a_blind_spot() {
        assert_eq!(
            blind_spots(&plan(), &[left("java.util.zip.Deflater", None)], &[]),
            None
        );
        let spots = [
            left("java.util.Vector$Itr", Some("next()V")),
            left("com.acme.Cache", None),
            left("java.util.HashMap", None),
        ];
        assert_eq!(
            blind_spots(&plan(), &spots, &[]).unwrap(),
            "no switch could happen inside of com.acme.Cache (too long), java.util.Vector$Itr.next()V (too long)"
        );
    }

    #[test]
    fn a_long_list_of_blind_spots_is_cut() {
        let spots: Vec<LeftAlone> = (0..25)
            .map(|number| left(&format!("a.B{number:02}"), None))
            .collect();
        assert!(
            blind_spots(&plan(), &spots, &[])
                .unwrap()
                .ends_with(" and 15 more")
        );
    }
}
