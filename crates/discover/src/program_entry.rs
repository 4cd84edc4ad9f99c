//! Programs and tasks that are run as they are: `main(String[])`, or `run()` of a `Runnable`.

use raddle_plan::Argument;
use raddle_program::{ClassId, Program};

use crate::annotated::{Declared, methods};
use crate::lifecycle::Builder;
use crate::{About, Expectation, Tests};

const MAIN: &str = "([Ljava/lang/String;)V";

/// Adds what can be run of a class.
pub(crate) fn collect(program: &Program, class: ClassId, all: &mut Tests) {
    let find = |name: &str, descriptor: &str, is_static: bool| {
        methods(program, class).into_iter().find(|declared| {
            declared.method.name() == name
                && declared.method.descriptor() == descriptor
                && declared.method.access().is_static() == is_static
        })
    };
    let is_runnable = program.is_subtype(class, program.class_id("java/lang/Runnable")) == Some(true);
    let (entry, style) = if let Some(main) = find("main", MAIN, true) {
        (main, "program")
    } else if let Some(run) = find("run", "()V", false).filter(|_| is_runnable) {
        (run, "Runnable")
    } else {
        return;
    };
    let about = About {
        class: &program.name(class),
        method: &entry.method.name(),
        style,
    };
    all.add(about, plan(program, class, &entry), Expectation::NoException);
}

fn plan(program: &Program, class: ClassId, entry: &Declared<'_>) -> Result<raddle_plan::TestPlan, String> {
    let mut builder = Builder::new(program, class);
    let mut prefix = Vec::new();
    let call = if entry.method.access().is_static() {
        let none = Argument::Array {
            element: "Ljava/lang/String;".to_owned(),
            of: Vec::new(),
        };
        builder.call_with(entry, None, vec![none])?
    } else {
        prefix.push(builder.constructor(class, None, "task")?);
        builder.call(entry, Some("task"))?
    };
    Ok(builder.finish(&entry.method.name(), prefix, vec![vec![call]], Vec::new()))
}
