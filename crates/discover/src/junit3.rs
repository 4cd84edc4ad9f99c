//! Tests of JUnit 3: classes below `TestCase`, methods by their names.

use raddle_program::{ClassId, Program};

use crate::annotated::{Declared, methods};
use crate::lifecycle::{Around, Lifecycle};
use crate::style::Style;
use crate::{About, Expectation, Tests};

const TEST_CASE: &str = "junit/framework/TestCase";

/// JUnit 3.
pub(crate) struct JUnit3;

impl Style for JUnit3 {
    fn takes(&self, program: &Program, class: ClassId) -> bool {
        program.is_subtype(class, program.class_id(TEST_CASE)) == Some(true)
    }

    fn collect(&self, program: &Program, class: ClassId, all: &mut Tests) {
        let declared_in_test =
            |declared: &Declared<'_>| program.internal_name(declared.class.id()) != TEST_CASE;
        let named = |name: &str| {
            let declared = methods(program, class).into_iter();
            declared
                .filter(|declared| {
                    declared_in_test(declared)
                        && declared.method.name() == name
                        && declared.method.descriptor() == "()V"
                })
                .collect()
        };
        let lifecycle = Lifecycle {
            program,
            class,
            gives_name: true,
            around: Around {
                before: named("setUp"),
                after: named("tearDown"),
                ..Around::default()
            },
            outer: Vec::new(),
        };
        for declared in methods(program, class) {
            let method = declared.method;
            let is_test = method.name().starts_with("test")
                && method.descriptor() == "()V"
                && method.access().is_public()
                && declared_in_test(&declared);
            if !is_test {
                continue;
            }
            let about = About {
                class: &program.name(class),
                method: &method.name(),
                style: "JUnit 3",
            };
            all.add(about, lifecycle.plan(&declared), Expectation::NoException);
        }
    }
}
