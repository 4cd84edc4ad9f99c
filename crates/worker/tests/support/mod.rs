//! The JVM that tests use, and what it loads for a plan.

use raddle_plan::{Part, TestPlan};
use raddle_worker::plan_bytecode::lower;
use raddle_worker::{Engine, JvmOptions, LoadRequest};

/// The JVM of the JDK at hand.
pub(crate) fn engine() -> Engine {
    let jdk = raddle_classpath::Jdk::locate(None).unwrap();
    Engine::start(&JvmOptions::new(jdk.home())).unwrap()
}

/// What an engine loads for a plan about classes of the JDK.
pub(crate) fn request(plan: &TestPlan) -> LoadRequest {
    let lowered = lower(plan, "RaddlePlan$Test").unwrap();
    let thread_of = |part| match part {
        Part::Prefix | Part::After => 0,
        Part::Thread(thread) => thread + 1,
    };
    LoadRequest {
        class_path: Vec::new(),
        class_name: lowered.class_name,
        class_bytes: lowered.bytes,
        helpers: lowered.helpers,
        threads: lowered.threads,
        calls: plan.calls().map(|(_, part, _)| thread_of(part)).collect(),
        vars: lowered.vars,
        resets: Vec::new(),
        uninitialised: Vec::new(),
        keep_classes: false,
        package: None,
    }
}
