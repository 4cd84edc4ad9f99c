//! The JVM of this process as the machine that the worker's loop drives.

use std::sync::Arc;

use raddle_plan::{Order, Part};

use crate::engine::{Engine, LoadRequest};
use crate::error::EngineError;
use crate::natives;
use crate::options::JvmOptions;
use crate::plan_bytecode::lower;
use crate::protocol::{Failed, Fault, LeftAlone, Load, Start};
use crate::serve::{Batch, BatchOptions, Machine};

/// Where the JVM describes a crash, in the worker's own directory.
const ERROR_FILE: &str = "jvm-crash.log";
/// The class of every plan; each has a loader of its own. What a test can see, such as its own stack trace, must not depend
/// on how many plans the JVM has run before.
const PLAN_CLASS: &str = "RaddlePlan$Test";

/// A JVM that runs plans.
pub(crate) struct Jvm {
    engine: Engine,
}

impl Jvm {
    pub(crate) fn start(start: &Start) -> Result<Self, Failed> {
        let options = JvmOptions {
            heap_mib: start.heap_mib,
            error_file: Some(start.directory.join(ERROR_FILE)),
            cpu: start.cpu.or_else(natives::current_cpu),
            unplugged: start
                .unplugged
                .iter()
                .map(|name| name.replace('.', "/"))
                .collect(),
            // The only place where the tests can write.
            extra: [
                format!("-Djava.io.tmpdir={}", start.directory.display()),
                format!("-Duser.home={}", start.directory.display()),
            ]
            .into_iter()
            .chain(
                start
                    .opens
                    .iter()
                    .map(|package| format!("--add-opens={package}=ALL-UNNAMED")),
            )
            .collect(),
            ..JvmOptions::new(&start.jdk_home)
        };
        let engine = Engine::start(&options).map_err(|problem| failed(&problem, Fault::Environment))?;
        Ok(Self { engine })
    }
}

impl Machine for Jvm {
    fn jdk_version(&self) -> String {
        self.engine.jdk_version().to_owned()
    }

    fn load(&mut self, load: &Load) -> Result<(), Failed> {
        let plan = &load.plan;
        let lowered = lower(plan, PLAN_CLASS).map_err(|problem| Failed {
            sentence: problem.to_string(),
            fault: Fault::Input,
        })?;
        let calls = plan.calls().map(|(_, part, _)| match part {
            Part::Prefix | Part::After => 0,
            Part::Thread(thread) => thread + 1,
        });
        let request = LoadRequest {
            class_path: load.class_path.clone(),
            resets: load.resets.clone(),
            uninitialised: plan.uninitialised.clone(),
            keep_classes: load.keep_classes,
            package: plan.package.clone(),
            calls: calls.collect(),
            class_name: lowered.class_name,
            class_bytes: lowered.bytes,
            helpers: lowered.helpers,
            threads: lowered.threads,
            vars: lowered.vars,
        };
        // What is thrown here is about the classes under test: one is missing, or does not fit the plan.
        self.engine
            .load(request)
            .map_err(|problem| failed(&problem, Fault::Input))
    }

    fn batch(&mut self, orders: &[Order], options: BatchOptions) -> Result<Batch, Failed> {
        self.engine
            .batch(options, orders)
            .map_err(|problem| failed(&problem, Fault::Worker))
    }

    fn left_alone(&self) -> Vec<LeftAlone> {
        let all = self.engine.left_alone().into_iter();
        all.map(|one| LeftAlone {
            class: one.class,
            method: one.method,
            reason: one.reason.to_string(),
        })
        .collect()
    }

    fn stacks(&self) -> Arc<dyn Fn() -> String + Send + Sync> {
        let stacks = self.engine.stacks();
        Arc::new(move || match stacks.take() {
            Some(stacks) => {
                let texts: Vec<String> = stacks.iter().map(ToString::to_string).collect();
                texts.join("\n\n")
            }
            None => String::from("the JVM does not say what its threads are doing"),
        })
    }
}

/// A thrown exception is the fault that the request makes it; of everything else, the kind says whose fault it is.
fn failed(problem: &EngineError, thrown: Fault) -> Failed {
    let fault = match problem {
        EngineError::Thrown(_) => thrown,
        EngineError::Jdk(_)
        | EngineError::TooOld { .. }
        | EngineError::Library { .. }
        | EngineError::Create { .. }
        | EngineError::Thread(_)
        | EngineError::NotExported => Fault::Environment,
        EngineError::SecondJvm
        | EngineError::Runtime { .. }
        | EngineError::Answer { .. }
        | EngineError::Gone => Fault::Worker,
    };
    Failed {
        sentence: problem.to_string(),
        fault,
    }
}
