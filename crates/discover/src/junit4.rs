//! Tests of JUnit 4.

use raddle_program::{ClassId, Program};

use crate::annotated::{class_has, class_values, field_with, methods};
use crate::lifecycle::{Around, Lifecycle};
use crate::style::Style;
use crate::{About, Expectation, Tests, lincheck};

const TEST: &str = "Lorg/junit/Test;";
const BEFORE_CLASS: &str = "Lorg/junit/BeforeClass;";
const BEFORE: &str = "Lorg/junit/Before;";
const AFTER: &str = "Lorg/junit/After;";
const AFTER_CLASS: &str = "Lorg/junit/AfterClass;";
const IGNORE: &str = "Lorg/junit/Ignore;";
const RUN_WITH: &str = "Lorg/junit/runner/RunWith;";
const RULES: [&str; 2] = ["Lorg/junit/Rule;", "Lorg/junit/ClassRule;"];
/// Runners that do what is done without one, or run a test under a scheduler, which is what is done here.
const PLAIN: [&str; 4] = [
    "org.pastalab.fray.junit.junit4.FrayRunner",
    "org.junit.runners.JUnit4",
    "org.junit.runners.BlockJUnit4ClassRunner",
    "org.junit.internal.runners.JUnit4ClassRunner",
];

/// JUnit 4.
pub(crate) struct JUnit4;

impl Style for JUnit4 {
    fn takes(&self, program: &Program, class: ClassId) -> bool {
        methods(program, class).iter().any(|declared| declared.has(TEST))
    }

    fn collect(&self, program: &Program, class: ClassId, all: &mut Tests) {
        let lifecycle = Lifecycle {
            program,
            class,
            gives_name: false,
            around: Around::annotated(program, class, [BEFORE_CLASS, BEFORE, AFTER, AFTER_CLASS]),
            outer: Vec::new(),
        };
        let runner = class_values(program, class, RUN_WITH);
        let runner = runner.iter().find(|runner| !PLAIN.contains(&&***runner));
        let obstacle = runner
            .map(|runner| format!("its class is run with {runner}"))
            .or_else(|| {
                let field = field_with(program, class, &RULES);
                field.map(|field| format!("the field {field} is a rule, which JUnit applies"))
            });
        let is_ignored = class_has(program, class, IGNORE);
        for declared in methods(program, class) {
            if !declared.has(TEST) {
                continue;
            }
            let about = About {
                class: &program.name(class),
                method: &declared.method.name(),
                style: "JUnit 4",
            };
            if is_ignored || declared.has(IGNORE) {
                all.leave_out(about, "it is ignored".to_owned(), true);
                continue;
            }
            if let Some(plans) = lincheck::checked(program, class, &declared) {
                all.add_all(about, plans, Expectation::Sequential);
                continue;
            }
            let mut expected = declared.classes_in(TEST);
            // That of no exception at all is what the annotation has by default.
            expected.retain(|class| !class.ends_with("Test$None"));
            let plan = obstacle.clone().map_or_else(|| lifecycle.plan(&declared), Err);
            all.add(about, plan, Expectation::of(expected));
        }
    }
}
