//! What a call of a prefix depends on: the calls that made its objects, and those that were made on them before. Prefixes
//! run alone, so a call that threw throws again after the same calls.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use raddle_plan::{Argument, Call};

/// Of each call of a prefix, a number for it and all that it depends on. Names of variables do not count.
pub(crate) fn of(prefix: &[Call]) -> Vec<u64> {
    // What has become of the object that a variable holds.
    let mut states: BTreeMap<&str, u64> = BTreeMap::new();
    let mut numbers = Vec::new();
    for call in prefix {
        let mut hasher = DefaultHasher::new();
        call.member.hash(&mut hasher);
        format!("{:?} {:?}", call.invoke, call.methods).hash(&mut hasher);
        let used = |name: &str| states.get(name).copied().unwrap_or_default();
        call.on.as_deref().map(used).hash(&mut hasher);
        for argument in &call.args {
            match argument {
                Argument::Var(name) => used(name).hash(&mut hasher),
                other => format!("{other:?}").hash(&mut hasher),
            }
        }
        let number = hasher.finish();
        let touched = call
            .on
            .iter()
            .chain(call.args.iter().filter_map(|argument| match argument {
                Argument::Var(name) => Some(name),
                _ => None,
            }));
        for name in touched {
            let state = states.entry(name).or_default();
            *state = (*state, number).hashed();
        }
        if let Some(bound) = &call.bind {
            states.insert(bound, number);
        }
        numbers.push(number);
    }
    numbers
}

trait Hashed {
    fn hashed(&self) -> u64;
}

impl<T: Hash> Hashed for T {
    fn hashed(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_plan::TestPlan;

    fn numbers(prefix: &str) -> Vec<u64> {
        let text = format!("{{\"raddle_plan\": 1, \"prefix\": [{prefix}], \"threads\": [[], []]}}");
        of(&TestPlan::from_json(&text).unwrap().prefix)
    }

    fn made(name: &str) -> String {
        format!(r#"{{"let": "{name}", "invoke": "new", "member": "a.B.<init>()V"}}"#)
    }

    fn set(name: &str, value: i32) -> String {
        format!(
            r#"{{"invoke": "virtual", "on": "{name}", "member": "a.B.set(I)V", "args": [{{"int": {value}}}]}}"#
        )
    }

    #[test]
    fn the_same_call_after_the_same_calls_has_the_same_number() {
        let one = numbers(&[made("a"), set("a", 1)].join(","));
        let other = numbers(&[made("x"), made("y"), set("x", 3), set("y", 1)].join(","));
        assert_eq!(one[1], other[3]);
        assert_ne!(other[2], other[3]);
    }

    #[test]
    fn a_call_depends_on_what_was_done_to_its_object_before() {
        let one = numbers(&[made("a"), set("a", 1), set("a", 2)].join(","));
        let other = numbers(&[made("a"), set("a", 2)].join(","));
        assert_ne!(one[2], other[1]);
    }
}
