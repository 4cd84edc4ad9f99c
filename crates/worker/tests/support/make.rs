//! Plans made by hand.

use raddle_plan::{Argument, Call, Invoke, MemberRef, PLAN_VERSION, TestPlan};

/// A call of `member`, on `receiver` unless it is a constructor.
pub(crate) fn call(bind: Option<&str>, receiver: Option<&str>, member: &str, args: Vec<Argument>) -> Call {
    Call {
        bind: bind.map(str::to_owned),
        invoke: if receiver.is_some() {
            Invoke::Virtual
        } else {
            Invoke::New
        },
        member: MemberRef::try_from(member.to_owned()).unwrap(),
        on: receiver.map(str::to_owned),
        args,
        methods: Vec::new(),
    }
}

/// A plan of these parts.
pub(crate) fn plan(prefix: Vec<Call>, threads: Vec<Vec<Call>>, after: Vec<Call>) -> TestPlan {
    TestPlan {
        raddle_plan: PLAN_VERSION,
        package: None,
        name: String::new(),
        prefix,
        threads,
        after,
        uninitialised: Vec::new(),
    }
}
