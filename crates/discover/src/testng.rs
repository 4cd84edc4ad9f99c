//! Tests of `TestNG`.

use raddle_program::{ClassId, Program};

use crate::annotated::{Declared, class_has, methods};
use crate::lifecycle::{Around, Lifecycle};
use crate::style::Style;
use crate::{About, Expectation, Tests};

const TEST: &str = "Lorg/testng/annotations/Test;";
const BEFORE_METHOD: &str = "Lorg/testng/annotations/BeforeMethod;";
const AFTER_METHOD: &str = "Lorg/testng/annotations/AfterMethod;";
const BEFORE_CLASS: &str = "Lorg/testng/annotations/BeforeClass;";
const AFTER_CLASS: &str = "Lorg/testng/annotations/AfterClass;";
/// Of an annotation that stands on a class, as on every public method of it.
const ROLES: [&str; 8] = [
    BEFORE_METHOD,
    AFTER_METHOD,
    BEFORE_CLASS,
    AFTER_CLASS,
    "Lorg/testng/annotations/BeforeSuite;",
    "Lorg/testng/annotations/AfterSuite;",
    "Lorg/testng/annotations/DataProvider;",
    "Lorg/testng/annotations/Factory;",
];

/// `TestNG`.
pub(crate) struct TestNg;

impl Style for TestNg {
    fn takes(&self, program: &Program, class: ClassId) -> bool {
        class_has(program, class, TEST) || methods(program, class).iter().any(|declared| declared.has(TEST))
    }

    fn collect(&self, program: &Program, class: ClassId, all: &mut Tests) {
        let with = |annotations: [&str; 2]| -> Vec<Declared<'_>> {
            let mut all = Vec::new();
            for annotation in annotations {
                let declared = methods(program, class).into_iter();
                all.extend(declared.filter(|declared| declared.has(annotation)));
            }
            all
        };
        let lifecycle = Lifecycle {
            program,
            class,
            gives_name: false,
            around: Around {
                // What is called once for the class is called on its object here, before anything else.
                before: with([BEFORE_CLASS, BEFORE_METHOD]),
                after: with([AFTER_METHOD, AFTER_CLASS]),
                ..Around::default()
            },
            outer: Vec::new(),
        };
        let all_are = class_has(program, class, TEST);
        for declared in methods(program, class) {
            let access = declared.method.access();
            let name = declared.method.name().into_owned();
            let by_class = all_are
                && access.is_public()
                && !access.is_static()
                && !name.starts_with('<')
                && !ROLES.iter().any(|role| declared.has(role));
            if !by_class && !declared.has(TEST) {
                continue;
            }
            let about = About {
                class: &program.name(class),
                method: &name,
                style: "TestNG",
            };
            let expects = Expectation::of(declared.classes_in(TEST));
            all.add(about, lifecycle.plan(&declared), expects);
        }
    }
}
