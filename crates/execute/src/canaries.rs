//! Plans that are known to fail: a configuration that does not catch them may not say that nothing was found.
//!
//! They use classes of every JDK only, so that nothing has to be compiled or installed.

use raddle_plan::{Argument, Call, End, Invoke, MemberRef, PLAN_VERSION, TestPlan};
use raddle_schedule::Config;

use crate::error::SessionError;
use crate::exploration::{Exploration, sequential};
use crate::options::ExploreOptions;
use crate::session::Session;

/// Far more than it takes: three of ten random schedules lose an update.
const SCHEDULES: u64 = 256;

/// A plan that is known to fail.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Canary {
    /// Two threads add to one `ArrayList`, and one of the elements is lost.
    Race,
    /// Two `Hashtable`s compare themselves with each other, and wait for each other.
    Deadlock,
}

/// Which probes were caught.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanaryReport {
    /// Those that were not, and what happened instead, as sentences.
    pub missed: Vec<String>,
}

impl Session {
    /// Runs the probes. Whatever was not caught there would not be caught in a real plan either.
    pub fn probe(&mut self) -> Result<CanaryReport, SessionError> {
        let mut missed = Vec::new();
        for probe in [Canary::Race, Canary::Deadlock] {
            let options = ExploreOptions {
                schedules: Some(SCHEDULES),
                ..ExploreOptions::new(Config::Random, 1)
            };
            let exploration = self.explore(&probe.plan(), &options, &mut |_| {})?;
            if !probe.is_caught(&exploration) {
                missed.push(probe.complaint(&exploration));
            }
        }
        Ok(CanaryReport { missed })
    }
}

impl Canary {
    /// The plan.
    pub fn plan(self) -> TestPlan {
        match self {
            Canary::Race => race(),
            Canary::Deadlock => deadlock(),
        }
    }

    /// Whether the exploration of the plan shows what it must.
    fn is_caught(self, exploration: &Exploration) -> bool {
        exploration.outcomes.iter().any(|distinct| {
            let outcome = &distinct.outcome;
            match self {
                Canary::Race => {
                    outcome.end == End::Completed
                        && sequential(&exploration.baseline, outcome.digest).is_none()
                }
                Canary::Deadlock => outcome.end == End::Stuck,
            }
        })
    }

    fn complaint(self, exploration: &Exploration) -> String {
        let what = match self {
            Canary::Race => "the lost update of two threads that add to one ArrayList",
            Canary::Deadlock => "the deadlock of two Hashtables that compare themselves with each other",
        };
        let why = exploration.deaths.last().map_or_else(
            || format!("was not seen in {} schedules", exploration.progress.schedules),
            |death| format!("was not seen, because {death}"),
        );
        format!("{what} {why}")
    }
}

fn race() -> TestPlan {
    let add = |text: &str| {
        call(
            Invoke::Virtual,
            "add",
            "(Ljava/lang/Object;)Z",
            Some("list"),
            &[text],
        )
    };
    let call_on = |call: Call| on_class(call, "java.util.ArrayList");
    TestPlan {
        raddle_plan: PLAN_VERSION,
        package: None,
        name: "probe: race".to_owned(),
        prefix: vec![call_on(bind(
            call(Invoke::New, "<init>", "()V", None, &[]),
            "list",
        ))],
        threads: vec![vec![call_on(add("a"))], vec![call_on(add("b"))]],
        after: vec![call_on(call(Invoke::Virtual, "size", "()I", Some("list"), &[]))],
        uninitialised: Vec::new(),
    }
}

fn deadlock() -> TestPlan {
    let on_table = |call: Call| on_class(call, "java.util.Hashtable");
    let new = |name: &str| on_table(bind(call(Invoke::New, "<init>", "()V", None, &[]), name));
    let put = |name: &str| {
        let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
        on_table(call(
            Invoke::Virtual,
            "put",
            descriptor,
            Some(name),
            &["key", "value"],
        ))
    };
    let equals = |name: &str, other: &str| {
        let mut call = call(
            Invoke::Virtual,
            "equals",
            "(Ljava/lang/Object;)Z",
            Some(name),
            &[],
        );
        call.args = vec![Argument::Var(other.to_owned())];
        on_table(call)
    };
    TestPlan {
        raddle_plan: PLAN_VERSION,
        package: None,
        name: "probe: deadlock".to_owned(),
        prefix: vec![new("one"), new("two"), put("one"), put("two")],
        threads: vec![vec![equals("one", "two")], vec![equals("two", "one")]],
        after: Vec::new(),
        uninitialised: Vec::new(),
    }
}

fn call(invoke: Invoke, name: &str, descriptor: &str, on: Option<&str>, strings: &[&str]) -> Call {
    Call {
        bind: None,
        invoke,
        member: MemberRef {
            class: String::new(),
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
        },
        on: on.map(str::to_owned),
        args: strings
            .iter()
            .map(|text| Argument::String((*text).to_owned()))
            .collect(),
        methods: Vec::new(),
    }
}

fn on_class(mut call: Call, class: &str) -> Call {
    class.clone_into(&mut call.member.class);
    call
}

fn bind(mut call: Call, name: &str) -> Call {
    call.bind = Some(name.to_owned());
    call
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_probes_are_plans_of_two_threads() {
        for probe in [Canary::Race, Canary::Deadlock] {
            let plan = probe.plan();
            assert_eq!(plan.threads.len(), 2);
            let text = serde_json::to_string(&plan).unwrap();
            assert_eq!(serde_json::from_str::<TestPlan>(&text).unwrap(), plan, "{text}");
        }
    }
}
