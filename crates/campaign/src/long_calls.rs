//! Which plans are given the time that long calls take.

use std::collections::BTreeSet;

use raddle_generate::Feedback;
use raddle_plan::{Argument, Call, MemberRef, Part, TestPlan};

use crate::traces::OVERFLOW;

/// Plans that may run on to the larger bound in vain, and of how many others one more may.
const MOST: u64 = 4;
const SHARE: u64 = 16;

/// Which plans are given the time that long calls take: those whose calls are not known to run on for ever. Such a call
/// costs a run up to the larger bound once, and then never again. What is known follows from what was heard, so that a hunt
/// with the same seed does the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct LongCalls {
    /// What ran on for ever, and whether an object that holds itself was there.
    endless: BTreeSet<(MemberRef, bool)>,
    /// Plans that ran on for ever, and all plans.
    in_vain: u64,
    heard: u64,
}

impl LongCalls {
    /// Takes in what came of a plan, and whether it could be judged.
    pub(crate) fn hear(&mut self, plan: &TestPlan, feedback: &Feedback, is_judged: bool) {
        self.heard += 1;
        let is_knotted = is_knotted(plan);
        let is_endless = |number: usize| {
            let mut thrown = feedback.always_throws.iter();
            thrown.any(|(call, class)| *call == number && class == OVERFLOW)
        };
        let calls = plan.calls().filter(|(id, ..)| is_endless(id.0 as usize));
        let mut members: Vec<MemberRef> = calls.map(|(_, _, call)| call.member.clone()).collect();
        if feedback.is_slow && !is_judged {
            // It was stopped on the way, so that nobody knows which of them it was.
            members.extend(plan.threads.iter().flatten().map(|call| call.member.clone()));
        }
        // What was known before cost nothing.
        self.in_vain += u64::from(!members.is_empty() && self.may_take_long(plan));
        self.endless
            .extend(members.into_iter().map(|member| (member, is_knotted)));
    }

    /// Whether the calls of a plan may take long.
    pub(crate) fn may_take_long(&self, plan: &TestPlan) -> bool {
        let is_knotted = is_knotted(plan);
        let is_endless = |call: &Call| {
            self.endless.contains(&(call.member.clone(), false))
                || is_knotted && self.endless.contains(&(call.member.clone(), true))
        };
        let mut calls = plan
            .calls()
            .filter(|(_, part, _)| matches!(part, Part::Thread(_)));
        self.in_vain < MOST + self.heard / SHARE && !calls.any(|(_, _, call)| is_endless(call))
    }
}

/// Whether an object is handed to itself. What is asked of it may then never come to an end.
fn is_knotted(plan: &TestPlan) -> bool {
    plan.calls().any(|(_, _, call)| {
        call.on.is_some()
            && call
                .args
                .iter()
                .any(|argument| matches!(argument, Argument::Var(name) if call.on.as_ref() == Some(name)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(calls: &[(&str, &str)]) -> TestPlan {
        let threads: Vec<String> = calls
            .iter()
            .map(|(method, argument)| {
                format!(
                    r#"[{{"invoke": "virtual", "member": "a.B.{method}(Ljava/lang/Object;)V", "on": "a",
                          "args": [{argument}]}}]"#
                )
            })
            .collect();
        let text = format!(
            r#"{{"raddle_plan": 1, "name": "p",
                "prefix": [{{"let": "a", "invoke": "new", "member": "a.B.<init>()V"}}],
                "threads": [{}]}}"#,
            threads.join(", ")
        );
        TestPlan::from_json(&text).unwrap()
    }

    /// Both calls of a plan never end.
    fn endless() -> Feedback {
        Feedback {
            always_throws: vec![(1, OVERFLOW.to_owned()), (2, OVERFLOW.to_owned())],
            ..Feedback::default()
        }
    }

    const NULL: &str = r#""null""#;
    const ITSELF: &str = r#"{"var": "a"}"#;

    #[test]
    fn a_call_that_ran_on_for_ever_is_not_given_long_again() {
        let mut long = LongCalls::default();
        let (one, two) = (
            plan(&[("one", NULL), ("one", NULL)]),
            plan(&[("two", NULL), ("two", NULL)]),
        );
        assert!(long.may_take_long(&one));
        long.hear(&one, &endless(), false);
        assert!(!long.may_take_long(&one));
        assert!(!long.may_take_long(&plan(&[("two", NULL), ("one", NULL)])));
        assert!(long.may_take_long(&two));
        let slow = Feedback {
            is_slow: true,
            ..Feedback::default()
        };
        long.hear(&two, &slow, true);
        assert!(long.may_take_long(&two));
        long.hear(&two, &slow, false);
        assert!(!long.may_take_long(&two));
    }

    #[test]
    fn what_runs_on_for_ever_because_it_holds_itself_says_nothing_of_other_objects() {
        let mut long = LongCalls::default();
        let knotted = plan(&[("one", ITSELF), ("one", ITSELF)]);
        long.hear(&knotted, &endless(), false);
        assert!(!long.may_take_long(&knotted));
        assert!(long.may_take_long(&plan(&[("one", NULL), ("one", NULL)])));
    }

    #[test]
    fn few_plans_run_on_for_ever() {
        let mut long = LongCalls::default();
        for method in ["one", "two", "three", "four"] {
            let plan = plan(&[(method, NULL), (method, NULL)]);
            assert!(long.may_take_long(&plan));
            long.hear(&plan, &endless(), false);
        }
        let five = plan(&[("five", NULL), ("five", NULL)]);
        assert!(!long.may_take_long(&five));
        for _ in 4..SHARE {
            long.hear(&five, &Feedback::default(), true);
        }
        assert!(long.may_take_long(&five));
    }
}
