//! Classes with tests that people have written -> plans that run them.
//!
//! A test becomes a plan with one thread: what prepares it goes before, what cleans up goes after. The threads that the
//! test starts itself are what the scheduler interleaves. Frameworks are not run: they would bring threads, clocks and static
//! state of their own. What a framework does for a test, and that a plan cannot do, is named, and the test is left out.

mod annotated;
mod constants;
mod invariants;
mod jcstress;
mod junit3;
mod junit4;
mod jupiter;
mod lifecycle;
mod lincheck;
mod other_engine;
mod parameters;
mod program_entry;
mod scenarios;
mod static_state;
mod style;
mod testng;

use raddle_plan::{MemberRef, Part, TestPlan};
use raddle_program::{ClassId, Program};

pub use invariants::{check_invariants, invariants, invariants_of};
pub use static_state::{has_state, static_state};
use style::Style;

/// A test that can be run.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// The class, by its Java name.
    pub class: String,
    /// The method.
    pub method: String,
    /// What it was written for, such as `JUnit 4`.
    pub style: &'static str,
    /// How it is run; several plans if it is several small tests, each of which must be right.
    pub plans: Vec<TestPlan>,
    /// What must be true of a run.
    pub expects: Expectation,
    /// If every plan is about one row of arguments, and nobody knows how many there are: the number of the call that throws
    /// because its index is out of bounds when there is no such row.
    pub row: Option<usize>,
    /// Methods that are called after the threads, and must be true or throw nothing.
    pub invariants: Vec<MemberRef>,
}

/// What must be true of a run of a test.
#[derive(Clone, Debug, PartialEq)]
pub enum Expectation {
    /// Nothing is thrown.
    NoException,
    /// The test throws this, or something below it, by Java names.
    Throws(Vec<String>),
    /// The last call says what came of the run, and these are known.
    Outcomes(Vec<DeclaredOutcome>),
    /// That the run comes to an end is what came of it, or that it does not; these are known.
    Terminates(Vec<DeclaredOutcome>),
    /// Calls come to what they come to one after the other, in some order.
    Sequential,
}

/// What a test says of one thing, or more, that can come of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredOutcome {
    /// Texts, or regular expressions; an empty one is about whatever the others are not.
    pub ids: Vec<String>,
    /// Whether that may happen.
    pub is_acceptable: bool,
    /// In the words of whoever wrote it.
    pub description: String,
}

impl Test {
    /// `com.acme.CacheTest#evictsOnce`.
    pub fn name(&self) -> String {
        format!("{}#{}", self.class, self.method)
    }
}

impl Expectation {
    /// That one of these is thrown; nothing if there are none.
    fn of(thrown: Vec<String>) -> Expectation {
        if thrown.is_empty() {
            Expectation::NoException
        } else {
            Expectation::Throws(thrown)
        }
    }
}

/// Which method is a test, and of what kind.
#[derive(Copy, Clone)]
struct About<'a> {
    class: &'a str,
    method: &'a str,
    style: &'static str,
}

/// A test that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// `com.acme.CacheTest#evictsOnce`.
    pub test: String,
    /// Why, as a part of a sentence.
    pub reason: String,
    /// Whether whoever wrote it wants it left out.
    pub on_purpose: bool,
}

/// What a class has of tests.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tests {
    /// Those that can be run.
    pub tests: Vec<Test>,
    /// Those that cannot.
    pub left_out: Vec<LeftOut>,
}

impl Tests {
    /// Adds a test, or says why there is none.
    fn add(&mut self, about: About<'_>, plan: Result<TestPlan, String>, expects: Expectation) {
        self.add_all(about, plan.map(|plan| vec![plan]), expects);
    }

    /// The same for a test that is several plans.
    fn add_all(&mut self, about: About<'_>, plans: Result<Vec<TestPlan>, String>, expects: Expectation) {
        let About { class, method, style } = about;
        match plans {
            Ok(plans) => self.tests.push(Test {
                class: class.to_owned(),
                method: method.to_owned(),
                style,
                plans,
                expects,
                row: None,
                invariants: Vec::new(),
            }),
            Err(reason) => self.leave_out(about, reason, false),
        }
    }

    fn leave_out(&mut self, about: About<'_>, reason: String, on_purpose: bool) {
        self.left_out.push(LeftOut {
            test: format!("{}#{}", about.class, about.method),
            reason,
            on_purpose,
        });
    }

    /// Adds the invariants of the objects of all tests. `named` has the names of methods that are meant to be some.
    pub fn check_invariants(&mut self, program: &Program, named: &[String]) {
        for test in &mut self.tests {
            for plan in &mut test.plans {
                invariants::check_invariants(program, plan, named, |_, _| true);
                for (_, part, call) in plan.calls() {
                    let class = program.class_id(&call.member.internal_class());
                    let is_known = test.invariants.contains(&call.member);
                    if part == Part::After
                        && !is_known
                        && invariants::invariants(program, class, named).contains(&call.member)
                    {
                        test.invariants.push(call.member.clone());
                    }
                }
            }
        }
    }

    /// Whether there is nothing that looks like a test.
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty() && self.left_out.is_empty()
    }
}

/// The tests of a class and of the classes nested in it, in the order of the class file. Of a class that was named, and not
/// only matched by a pattern, `main` or `run` is a test if there is no other.
pub fn tests_of(program: &Program, class: ClassId, is_named: bool) -> Tests {
    let is_abstract = program
        .class(class)
        .is_some_and(|class| class.access().is_abstract());
    if is_abstract && !is_named {
        // Its tests are those of the classes below it.
        return Tests::default();
    }
    let styles: [&dyn Style; 7] = [
        &jupiter::Jupiter,
        &junit4::JUnit4,
        &testng::TestNg,
        &junit3::JUnit3,
        &lincheck::Lincheck,
        &jcstress::JcStress,
        &other_engine::OtherEngine,
    ];
    let mut all = Tests::default();
    let found = styles.iter().find(|style| style.takes(program, class));
    if let Some(style) = found {
        style.collect(program, class, &mut all);
    }
    if all.is_empty() && is_named {
        program_entry::collect(program, class, &mut all);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_testkit::compile;

    const ANNOTATIONS: [&str; 5] = ["Test", "BeforeEach", "AfterEach", "BeforeAll", "Nested"];

    #[test]
    fn what_is_above_and_around_comes_first_and_goes_last() {
        let annotations = ANNOTATIONS.map(|name| {
            (
                format!("org/junit/jupiter/api/{name}.java"),
                format!(
                    "package org.junit.jupiter.api; import java.lang.annotation.*;
                     @Retention(RetentionPolicy.RUNTIME) public @interface {name} {{}}"
                ),
            )
        });
        let mut sources: Vec<(&str, &str)> = annotations
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .collect();
        sources.push((
            "p/Base.java",
            "package p; import org.junit.jupiter.api.*;
             abstract class Base { @BeforeEach void base() {} @BeforeEach void again() {} @AfterEach void end() {} }",
        ));
        sources.push((
            "p/OwnTest.java",
            "package p; import org.junit.jupiter.api.*;
             class OwnTest extends Base {
                 @BeforeAll static void all() {}
                 @BeforeEach void own() {}
                 @Override @BeforeEach void again() {}
                 @AfterEach void first() {}
                 @Test void test() {}
                 @Test private void hidden() {}
                 @Test void filledIn(Object something) {}
                 @Nested class Inner { @BeforeEach void inner() {} @Test void test() {} }
             }",
        ));
        let compiled = compile(&sources).unwrap();
        let program = compiled.program();
        let found = tests_of(program, program.class_id("p/OwnTest"), true);
        let called = |test: &Test| -> Vec<String> {
            let calls = test.plans[0].calls();
            calls.map(|(_, _, call)| call.member.name.clone()).collect()
        };
        let names: Vec<String> = found.tests.iter().map(Test::name).collect();
        assert_eq!(names, ["p.OwnTest#test", "p.OwnTest$Inner#test"]);
        assert_eq!(
            called(&found.tests[0]),
            ["all", "<init>", "base", "own", "again", "test", "first", "end"]
        );
        assert_eq!(
            called(&found.tests[1]),
            [
                "all", "<init>", "<init>", "base", "own", "again", "inner", "test", "first", "end"
            ]
        );
        assert!(tests_of(program, program.class_id("p/Base"), false).is_empty());
        let inner = tests_of(program, program.class_id("p/OwnTest$Inner"), true);
        assert_eq!(inner.tests, found.tests[1..]);
        assert_eq!(found.tests[0].plans[0].package.as_deref(), Some("p"));
        assert!(found.tests.iter().all(|test| test.plans[0].check().is_ok()));
        let reasons: Vec<&str> = found.left_out.iter().map(|left| left.reason.as_str()).collect();
        assert_eq!(
            reasons,
            [
                "hidden is private",
                "filledIn has parameters that a framework fills in"
            ]
        );
    }
}
