//! The test methods of a class, and what runs before each of them.

use std::collections::BTreeSet;

use raddle_classfile::MethodView;
use raddle_program::{Class, MethodId, Program};

use super::callee::{Own, is_test_library};

/// On test methods.
const TESTS: [&str; 4] = [
    "Lorg/junit/jupiter/api/Test;",
    "Lorg/junit/jupiter/api/RepeatedTest;",
    "Lorg/junit/Test;",
    TESTNG,
];
/// On test methods, or on a class all of whose public methods are such.
const TESTNG: &str = "Lorg/testng/annotations/Test;";
/// On test methods that are given their arguments.
const WITH_PARAMETERS: [&str; 4] = [
    "Lorg/junit/jupiter/params/ParameterizedTest;",
    "Lorg/junit/jupiter/api/TestFactory;",
    "Lorg/junit/jupiter/api/TestTemplate;",
    "Lorg/junit/experimental/theories/Theory;",
];
/// On test methods and classes that do not run.
const DISABLED: [&str; 3] = [
    "Lorg/junit/jupiter/api/Disabled;",
    "Lorg/junit/Ignore;",
    "Lorg/testng/annotations/Ignore;",
];
/// On methods that run once, before all tests.
const BEFORE_ALL: [&str; 4] = [
    "Lorg/junit/jupiter/api/BeforeAll;",
    "Lorg/junit/BeforeClass;",
    "Lorg/testng/annotations/BeforeClass;",
    "Lorg/testng/annotations/BeforeSuite;",
];
/// On methods that run before each test.
const BEFORE_EACH: [&str; 3] = [
    "Lorg/junit/jupiter/api/BeforeEach;",
    "Lorg/junit/Before;",
    "Lorg/testng/annotations/BeforeMethod;",
];

/// A test method.
pub(super) struct Test {
    pub(super) name: String,
    pub(super) method: MethodId,
    /// It is a `main`.
    pub(super) is_program: bool,
}

/// The tests of a class.
#[derive(Default)]
pub(super) struct Suite {
    pub(super) tests: Vec<Test>,
    /// What runs before, in order: initialisers of the class, the constructor, set-up methods.
    pub(super) before: Vec<MethodId>,
    /// Methods that are no sequential tests, and why.
    pub(super) skipped: Vec<(String, String)>,
}

impl Suite {
    pub(super) fn of(own: &Own<'_>) -> Suite {
        let program = own.program;
        let is_junit3 = extends_test_case(own);
        let mut suite = Suite::default();
        let mut before_all: Vec<Vec<MethodId>> = Vec::new();
        let mut before_each: Vec<Vec<MethodId>> = Vec::new();
        let mut overridden = BTreeSet::new();
        let authored = program
            .ancestry(own.class)
            .filter(|class| own.inherits(class.id()));
        for class in authored {
            let mut all = Vec::new();
            let mut each = Vec::new();
            for (view, id) in methods(class) {
                let access = view.access();
                let is_first = overridden.insert((view.name().into_owned(), view.descriptor().into_owned()));
                let is_inherited = is_first || access.is_private();
                if !is_inherited || access.is_abstract() || view.name().starts_with('<') {
                    continue;
                }
                let annotations = view.annotations();
                let has = |names: &[&str]| annotations.iter().any(|one| names.contains(&&**one));
                if has(&BEFORE_ALL) {
                    all.push(id);
                } else if has(&BEFORE_EACH) || (is_junit3 && is_set_up(&view)) {
                    each.push(id);
                } else {
                    suite.sort_in(own, class, &view, id, is_junit3);
                }
            }
            before_all.push(all);
            before_each.push(each);
        }
        // Those of superclasses run first.
        suite.before.extend(before_all.into_iter().rev().flatten());
        suite.before.extend(constructor(program, own));
        suite.before.extend(before_each.into_iter().rev().flatten());
        suite
    }

    /// Adds a method, if it is a test.
    fn sort_in(
        &mut self,
        own: &Own<'_>,
        class: &Class,
        view: &MethodView<'_>,
        id: MethodId,
        is_junit3: bool,
    ) {
        let access = view.access();
        let name = view.name().into_owned();
        let annotations = view.annotations();
        let has = |names: &[&str]| annotations.iter().any(|one| names.contains(&&**one));
        let class_has = |names: &[&str]| {
            let annotations = class.file().annotations();
            annotations.iter().any(|one| names.contains(&&**one))
        };
        let is_void = view.descriptor().ends_with(")V");
        let is_public = access.is_public() && !access.is_static() && !access.is_synthetic();
        let is_program = name == "main"
            && view.descriptor() == "([Ljava/lang/String;)V"
            && access.is_public()
            && access.is_static();
        let is_test = has(&TESTS)
            || (is_public && is_void && class_has(&[TESTNG]))
            || (is_junit3 && is_public && name.starts_with("test") && view.descriptor() == "()V");
        if is_program {
            // A superclass's is a program of its own.
            if class.id() == own.class {
                self.tests.push(Test {
                    name,
                    method: id,
                    is_program,
                });
            }
        } else if has(&WITH_PARAMETERS) {
            self.skip(name, "its arguments, or the test itself, are made while it runs");
        } else if !is_test {
        } else if has(&DISABLED) || class_has(&DISABLED) {
            self.skip(name, "it is disabled");
        } else {
            self.tests.push(Test {
                name,
                method: id,
                is_program,
            });
        }
    }

    fn skip(&mut self, name: String, reason: &str) {
        self.skipped.push((name, reason.to_owned()));
    }
}

fn methods(class: &Class) -> impl Iterator<Item = (MethodView<'_>, MethodId)> {
    class.file().methods().zip(0..).map(|(view, index)| {
        let id = MethodId {
            class: class.id(),
            index,
        };
        (view, id)
    })
}

/// The set-up of JUnit 3.
fn is_set_up(view: &MethodView<'_>) -> bool {
    view.name() == "setUp" && view.descriptor() == "()V" && !view.access().is_static()
}

/// Whether the test is one of JUnit 3, which need not be on the class path.
fn extends_test_case(own: &Own<'_>) -> bool {
    own.program
        .ancestry(own.class)
        .filter_map(Class::super_class)
        .any(|above| own.program.internal_name(above) == "junit/framework/TestCase")
}

/// The constructor that whatever runs the tests calls: the one without parameters, or else the first.
fn constructor(program: &Program, own: &Own<'_>) -> Option<MethodId> {
    let class = program.class(own.class)?;
    if is_test_library(program.internal_name(own.class)) {
        return None;
    }
    let constructors = || methods(class).filter(|(view, _)| view.name() == "<init>");
    let plain = constructors().find(|(view, _)| view.descriptor() == "()V");
    plain.or_else(|| constructors().next()).map(|(_, id)| id)
}
