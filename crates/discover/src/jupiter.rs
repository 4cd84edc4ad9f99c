//! Tests of JUnit 5 and 6, and those of Fray and of Raddle's own library, which are written the same way.

use raddle_program::{ClassId, Program};

use crate::annotated::{Declared, class_has, class_values, field_with, methods};
use crate::lifecycle::{Around, Lifecycle};
use crate::parameters::{self, MOST_ROWS, ROW, Rows};
use crate::style::Style;
use crate::{About, Expectation, Tests, lincheck};

const TESTS: [&str; 5] = [
    "Lorg/junit/jupiter/api/Test;",
    "Lorg/junit/jupiter/api/RepeatedTest;",
    "Lorg/pastalab/fray/junit/junit5/annotations/ConcurrencyTest;",
    "Lorg/pastalab/fray/junit/junit5/annotations/FrayTest;",
    "Lraddle/junit/RaddleTest;",
];
/// A test that is run once for every row of arguments.
const PARAMETERIZED: &str = "Lorg/junit/jupiter/params/ParameterizedTest;";
/// Tests that are made while others run.
const MADE: [(&str, &str); 3] = [
    (
        "Lorg/junit/jupiter/api/TestFactory;",
        "its tests are made while it runs",
    ),
    (
        "Lorg/junit/jupiter/api/TestTemplate;",
        "it is a template that an extension fills in",
    ),
    (
        "Lorg/junit/jupiter/params/ParameterizedClass;",
        "its class is parameterized",
    ),
];
const BEFORE_ALL: &str = "Lorg/junit/jupiter/api/BeforeAll;";
const BEFORE: &str = "Lorg/junit/jupiter/api/BeforeEach;";
const AFTER: &str = "Lorg/junit/jupiter/api/AfterEach;";
const AFTER_ALL: &str = "Lorg/junit/jupiter/api/AfterAll;";
const DISABLED: &str = "Lorg/junit/jupiter/api/Disabled;";
const NESTED: &str = "Lorg/junit/jupiter/api/Nested;";
const EXTENDED: &str = "Lorg/junit/jupiter/api/extension/ExtendWith;";
/// These run a test under a scheduler, which is what is done here.
const HARMLESS: [&str; 2] = [
    "org.pastalab.fray.junit.junit5.FrayTestExtension",
    "raddle.junit.RaddleExtension",
];
const FILLED_IN: [&str; 2] = [
    "Lorg/junit/jupiter/api/extension/RegisterExtension;",
    "Lorg/junit/jupiter/api/io/TempDir;",
];

/// JUnit 5 and 6.
pub(crate) struct Jupiter;

impl Style for Jupiter {
    fn takes(&self, program: &Program, class: ClassId) -> bool {
        let is_test = |annotation: &str| {
            TESTS.contains(&annotation)
                || annotation == PARAMETERIZED
                || MADE.iter().any(|(made, _)| *made == annotation)
        };
        let of_methods = methods(program, class).into_iter().any(|declared| {
            let annotations = declared.method.annotations();
            annotations.iter().any(|annotation| is_test(annotation))
        });
        of_methods || !nested(program, class).is_empty()
    }

    fn collect(&self, program: &Program, class: ClassId, all: &mut Tests) {
        collect(program, class, &outer(program, class), all);
    }
}

/// The classes around a nested one, the outermost first: what goes before its tests is in them too.
fn outer(program: &Program, class: ClassId) -> Vec<ClassId> {
    let mut around = Vec::new();
    let mut inner = class;
    while class_has(program, inner, NESTED) {
        let Some(loaded) = program.class(inner) else {
            break;
        };
        let name = loaded.file().name().into_owned();
        let mut listed = loaded.file().inner_classes().into_iter();
        let outer = listed.find(|listed| listed.inner == name);
        let Some(outer) = outer.and_then(|listed| listed.outer) else {
            break;
        };
        inner = program.class_id(&outer);
        around.push(inner);
    }
    around.reverse();
    around
}

fn around(program: &Program, class: ClassId) -> Around<'_> {
    Around::annotated(program, class, [BEFORE_ALL, BEFORE, AFTER, AFTER_ALL])
}

fn nested(program: &Program, class: ClassId) -> Vec<ClassId> {
    let Some(loaded) = program.class(class) else {
        return Vec::new();
    };
    let file = loaded.file();
    let name = file.name();
    let inner = file.inner_classes().into_iter();
    inner
        .filter(|inner| inner.outer.as_deref() == Some(&*name))
        .map(|inner| program.class_id(&inner.inner))
        .filter(|inner| class_has(program, *inner, NESTED))
        .collect()
}

fn collect(program: &Program, class: ClassId, outer: &[ClassId], all: &mut Tests) {
    let obstacle = obstacle(program, class);
    let lifecycle = Lifecycle {
        program,
        class,
        gives_name: false,
        around: around(program, class),
        outer: outer
            .iter()
            .map(|outer| (*outer, around(program, *outer)))
            .collect(),
    };
    let is_disabled = class_has(program, class, DISABLED);
    for declared in methods(program, class) {
        let made = MADE.iter().find(|(annotation, _)| declared.has(annotation));
        let is_parameterized = declared.has(PARAMETERIZED);
        if made.is_none() && !is_parameterized && !TESTS.iter().any(|test| declared.has(test)) {
            continue;
        }
        let about = About {
            class: &program.name(class),
            method: &declared.method.name(),
            style: "JUnit 5",
        };
        if is_disabled || declared.has(DISABLED) {
            all.leave_out(about, "it is disabled".to_owned(), true);
            continue;
        }
        if let Some(plans) = lincheck::checked(program, class, &declared) {
            all.add_all(about, plans, Expectation::Sequential);
            continue;
        }
        let extended = declared.classes_in(EXTENDED);
        let extended = extended.iter().find(|class| !HARMLESS.contains(&&***class));
        let reason = made
            .map(|(_, reason)| (*reason).to_owned())
            .or_else(|| obstacle.clone())
            .or_else(|| extended.map(|class| format!("it is extended by {class}")));
        match reason {
            None if is_parameterized => parameterized(&lifecycle, about, &declared, all),
            None => all.add(about, lifecycle.plan(&declared), Expectation::NoException),
            Some(reason) => all.leave_out(about, reason, false),
        }
    }
    for inner in nested(program, class) {
        let outer = [outer, &[class]].concat();
        collect(program, inner, &outer, all);
    }
}

/// One test for every row, as JUnit numbers them; or one with a plan for every row that there may be.
fn parameterized(lifecycle: &Lifecycle<'_>, about: About<'_>, declared: &Declared<'_>, all: &mut Tests) {
    let factory = match parameters::rows(lifecycle.program, lifecycle.class, declared) {
        Err(reason) => return all.leave_out(about, reason, false),
        Ok(Rows::Made(factory)) => factory,
        Ok(Rows::Known(rows)) => {
            for (number, row) in rows.into_iter().enumerate() {
                let name = format!("{}[{}]", about.method, number + 1);
                let about = About {
                    method: &name,
                    ..about
                };
                let plan = lifecycle.plan_with(declared, |_| Ok((Vec::new(), row)));
                all.add(about, plan, Expectation::NoException);
            }
            return;
        }
    };
    let plans: Result<Vec<_>, String> = (0..MOST_ROWS)
        .map(|number| lifecycle.plan_with(declared, |builder| factory.row(builder, number)))
        .collect();
    let get = plans.as_ref().ok().and_then(|plans| {
        let calls = &plans.first()?.prefix;
        calls.iter().position(|call| call.bind.as_deref() == Some(ROW))
    });
    all.add_all(about, plans, Expectation::NoException);
    if let Some(test) = all.tests.last_mut().filter(|_| get.is_some()) {
        test.row = get;
    }
}

/// Why no test of the class can be run.
fn obstacle(program: &Program, class: ClassId) -> Option<String> {
    let extended = class_values(program, class, EXTENDED);
    let extended = extended.iter().find(|class| !HARMLESS.contains(&&***class));
    extended
        .map(|extension| format!("its class is extended by {extension}"))
        .or_else(|| {
            let field = field_with(program, class, &FILLED_IN);
            field.map(|field| format!("the field {field} is filled in by JUnit"))
        })
}
