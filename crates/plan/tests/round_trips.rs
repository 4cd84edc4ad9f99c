//! What is written is what is read, for any plan and any recording.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use raddle_plan::{
    Argument, Call, CallOutcome, CallResult, End, Frame, Invoke, MemberRef, Outcome, PLAN_VERSION,
    RECORDING_VERSION, Recording, Schedule, Switch, TestPlan,
};

/// Any text, with what JSON has to escape, and more than JSON's own characters.
fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{1,8}", "[\"\\\\\u{0}-\u{1f}\u{7f}-\u{ffff}\u{1f600}]{0,6}"]
}

fn argument() -> impl Strategy<Value = Argument> {
    let plain = prop_oneof![
        text().prop_map(Argument::Var),
        Just(Argument::Null),
        any::<bool>().prop_map(Argument::Boolean),
        any::<i8>().prop_map(Argument::Byte),
        any::<i16>().prop_map(Argument::Short),
        any::<u16>().prop_map(Argument::Char),
        any::<i32>().prop_map(Argument::Int),
        any::<i64>().prop_map(Argument::Long),
        any::<u32>().prop_map(Argument::Float),
        any::<u64>().prop_map(Argument::Double),
        text().prop_map(Argument::String),
        vec(any::<u16>(), 0..5).prop_map(Argument::Utf16),
        text().prop_map(Argument::Class),
        (text(), text()).prop_map(|(class, constant)| Argument::Enum { class, constant }),
    ];
    plain.prop_recursive(2, 8, 3, |inner| {
        (text(), vec(inner, 0..3)).prop_map(|(element, of)| Argument::Array { element, of })
    })
}

fn call() -> impl Strategy<Value = Call> {
    let invoke = prop_oneof![
        Just(Invoke::New),
        Just(Invoke::Static),
        Just(Invoke::InterfaceStatic),
        Just(Invoke::Virtual),
        Just(Invoke::Interface),
        Just(Invoke::Constant),
    ];
    let member = (
        "[a-z]{1,5}(\\.[A-Z][a-z$]{0,4}){1,2}",
        "[a-z]{1,6}",
        "\\(I?J?\\)[VIZ]",
    )
        .prop_map(|(class, name, descriptor)| MemberRef {
            class,
            name,
            descriptor,
        });
    let named = || option::of(text());
    (named(), invoke, member, named(), vec(argument(), 0..3)).prop_map(|(bind, invoke, member, on, args)| {
        Call {
            bind,
            invoke,
            member,
            on,
            args,
            methods: Vec::new(),
        }
    })
}

fn plan() -> impl Strategy<Value = TestPlan> {
    let calls = || vec(call(), 0..3);
    let parts = (calls(), vec(calls(), 0..3), calls());
    (option::of(text()), text(), parts, vec(text(), 0..2)).prop_map(
        |(package, name, (prefix, threads, after), uninitialised)| TestPlan {
            raddle_plan: PLAN_VERSION,
            package,
            name,
            prefix,
            threads,
            after,
            uninitialised,
        },
    )
}

fn schedule() -> impl Strategy<Value = Schedule> {
    let switch = (any::<u32>(), any::<u32>()).prop_map(|(step, thread)| Switch { step, thread });
    vec(switch, 0..4).prop_map(|switches| Schedule { switches })
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let result = prop_oneof![
        Just(CallResult::NotBegun),
        Just(CallResult::Unfinished),
        text().prop_map(CallResult::Returned),
        (text(), text(), vec(text().prop_map(Frame), 0..2)).prop_map(|(class, message, frames)| {
            CallResult::Threw {
                class,
                message,
                frames,
            }
        }),
    ];
    let call = (any::<u32>(), result).prop_map(|(thread, result)| CallOutcome { thread, result });
    let end = prop_oneof![
        Just(End::Completed),
        Just(End::Stuck),
        text().prop_map(End::Exit),
        text().prop_map(End::Diverged)
    ];
    (any::<[u64; 2]>(), any::<u32>(), schedule(), end, vec(call, 0..4)).prop_map(
        |([digest, trace_hash], steps, schedule, end, calls)| Outcome {
            digest,
            trace_hash,
            steps,
            schedule,
            end,
            calls,
            uncaught: Vec::new(),
            threads: Vec::new(),
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn a_plan_is_read_as_it_was_written(plan in plan()) {
        let json = plan.to_json().unwrap();
        prop_assert_eq!(&serde_json::from_str::<TestPlan>(&json).unwrap(), &plan);
        // Most of these plans make no sense, which is found out when they are read.
        match TestPlan::from_json(&json) {
            Ok(read) => prop_assert_eq!(read, plan),
            Err(_) => prop_assert!(plan.check().is_err()),
        }
    }

    #[test]
    fn a_recording_is_read_as_it_was_written(
        plan in plan(), schedule in schedule(), outcome in outcome(), max_steps in option::of(any::<u32>()),
        resets in vec(text(), 0..2),
    ) {
        let recording = Recording {
            raddle_recording: RECORDING_VERSION,
            raddle: "0".to_owned(),
            jdk: "17".to_owned(),
            class_path: vec!["/a/b.jar".into()],
            max_steps,
            unplugged: Vec::new(),
            opens: Vec::new(),
            resets,
            test: None,
            plan,
            schedule,
            outcome,
        };
        let json = recording.to_json().unwrap();
        prop_assert_eq!(serde_json::from_str::<Recording>(&json).unwrap(), recording);
    }

    /// Whatever a plan says, looking at it is no reason to panic.
    #[test]
    fn any_plan_can_be_checked(plan in plan()) {
        let _ = plan.check();
    }
}
