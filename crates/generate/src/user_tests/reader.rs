//! From the tests of a class to plans.

use std::sync::Arc;

use raddle_classfile::descriptor::MethodType;
use raddle_plan::{Call, PLAN_VERSION, PlanError, TestPlan};
use raddle_program::{ClassId, MethodId, Program};

use super::callee::Own;
use super::lower::{Lowered, lower};
use super::machine::{Cut, Machine};
use super::suite::{Suite, Test};
use super::threads;
use super::value::Value;
use super::world::Array;
use super::{UserTest, UserTestError, UserTests};

/// Reads the tests of a class: of JUnit 3 to 5 and `TestNG`, and a `main`. Nothing is run.
///
/// A test is followed as long as it goes straight on and does what a plan can say; the rest is cut off. What it
/// expects of the results is left out.
pub fn read(program: &Program, class: ClassId) -> Result<UserTests, UserTestError> {
    program
        .load(class)
        .map_err(|error| UserTestError::Load(Arc::clone(error)))?;
    let own = Own { program, class };
    let suite = Suite::of(&own);
    if suite.tests.is_empty() && suite.skipped.is_empty() {
        return Err(UserTestError::NoTests {
            class: program.name(class),
        });
    }
    let mut found = UserTests::default();
    for test in &suite.tests {
        match seed(own, &suite, test) {
            Ok(seed) => found.tests.push(seed),
            Err(reason) => found.skipped.push((test.name.clone(), reason)),
        }
    }
    found.skipped.extend(suite.skipped);
    Ok(found)
}

/// One test, or why it is of no use.
fn seed(own: Own<'_>, suite: &Suite, test: &Test) -> Result<UserTest, String> {
    // Nobody makes an object of the class of a program.
    let before: &[MethodId] = if test.is_program { &[] } else { &suite.before };
    let methods = before.iter().chain([&test.method]).copied();
    if let Some(what) = threads::started(&own, methods) {
        return Err(format!("it is no sequential test: it uses threads, see {what}"));
    }
    let mut machine = Machine::new(own, test.is_program);
    for &method in before {
        start(&mut machine, method).map_err(|cut| format!("its set-up cannot be followed: {cut}"))?;
    }
    let set_up = machine.world.steps.len();
    let cut = start(&mut machine, test.method).err().map(|cut| cut.to_string());
    let Lowered { calls, of_set_up } = lower(&machine.world, set_up);
    if calls.len() <= of_set_up {
        return Err(match cut {
            Some(cut) => format!("nothing of it can be followed: {cut}"),
            None => "it calls nothing".to_owned(),
        });
    }
    let name = format!("{}.{}", own.program.name(own.class), test.name);
    let (plan, problem) = checked(&name, calls)?;
    if let Some(problem) = &problem
        && plan.call_count() <= of_set_up
    {
        return Err(format!("nothing of it can be followed: {problem}"));
    }
    Ok(UserTest {
        name,
        plan,
        cut: problem.or(cut),
    })
}

/// Follows a method from outside.
fn start(machine: &mut Machine<'_>, method: MethodId) -> Result<(), Cut> {
    let program = machine.program();
    let (_, declared) = program.method(method).ok_or_else(Cut::broken)?;
    let types = MethodType::parse(program.text(declared.descriptor)).map_err(|_| Cut::broken())?;
    let mut arguments = Vec::new();
    if !declared.access.is_static() {
        arguments.push(Value::This);
    }
    if machine.is_program {
        // A program without arguments.
        machine.world.arrays.push(Array {
            element: "Ljava/lang/String;".to_owned(),
            items: Vec::new(),
            given: false,
            height: 1,
        });
        arguments.push(Value::Array(machine.world.arrays.len() - 1));
    } else {
        let given = |parameter| Value::unknown_of(parameter, "an argument of the test");
        arguments.extend(types.parameters.iter().map(given));
    }
    machine.run(method, arguments, 0).map(drop)
}

/// The longest part of the calls that makes a plan, and what is wrong with the first that is not in it.
fn checked(name: &str, calls: Vec<Call>) -> Result<(TestPlan, Option<String>), String> {
    let mut plan = TestPlan {
        raddle_plan: PLAN_VERSION,
        package: None,
        name: name.to_owned(),
        prefix: Vec::new(),
        threads: vec![calls],
        after: Vec::new(),
        uninitialised: Vec::new(),
    };
    let mut found = None;
    while let Err(error) = plan.check() {
        let calls = &mut plan.threads[0];
        match &error {
            PlanError::Call { place, .. } if 0 < place.index && place.index < calls.len() => {
                calls.truncate(place.index);
            }
            _ => return Err(error.to_string()),
        }
        found = Some(error.to_string());
    }
    Ok((plan, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any method will do: what is noted must be what a plan takes, whatever the code.
    #[test]
    fn whatever_can_be_followed_is_a_plan() {
        let program = raddle_testkit::program(&[]).unwrap();
        let mut steps = 0;
        for name in [
            "java/util/Collections",
            "java/util/Arrays",
            "java/util/Hashtable",
            "java/util/Properties",
            "java/util/logging/LogManager",
            "java/util/logging/Logger",
            "java/math/BigDecimal",
            "java/text/SimpleDateFormat",
            "java/time/ZonedDateTime",
            "java/lang/String",
            "java/lang/StringBuffer",
            "java/net/URI",
        ] {
            let class = program.class_id(name);
            let own = Own {
                program: &program,
                class,
            };
            let count = program.load(class).unwrap().methods().len();
            for index in (0..).take(count) {
                let mut machine = Machine::new(own, false);
                // Nearly all end early.
                let _ = start(&mut machine, MethodId { class, index });
                let Lowered { calls, .. } = lower(&machine.world, 0);
                steps += calls.len();
                let (_, problem) = checked(name, calls).unwrap();
                assert_eq!(problem, None, "{name} {index}");
            }
        }
        assert!(steps > 100, "{steps}");
    }
}
