//! Sequential tests of a class: every method at least once, on objects with some state (Omen section 3: Randoop's tests;
//! Intruder section 4: every method once, with random objects).
//!
//! Departures: values are those of all strategies of this crate, so that arguments of the class's own kind are objects
//! under test where the method takes them, and objects hold others of their kind where they can. A method is tried
//! with an empty object too, since that is another way through it.

use raddle_plan::{PLAN_VERSION, TestPlan};

use super::super::pair_plans::{Content, Origin, Pair, Sharing, Suffixes};
use crate::plan_builder::PlanBuilder;
use crate::plan_draft::PlanDraft;
use crate::target::{CannotTest, Target};
use crate::values::Taste;

/// Tests that call methods of a class one after the other, `most` at most. Methods that lock come first.
pub fn sequential_tests(target: Target<'_>, seed: u64, most: usize) -> Result<Vec<TestPlan>, CannotTest> {
    let mut builder = PlanBuilder::new(target, seed)?;
    let mut methods: Vec<usize> = builder.callables().iter().map(|method| method.index).collect();
    let locking: Vec<usize> = crate::pair_plans::deadlock_pairs(&builder)
        .iter()
        .flat_map(|pair| [pair.first, pair.second])
        .collect();
    methods.sort_by_key(|method| !locking.contains(method));
    let shapes = [
        Shape::Crosswise(Content::EachOther),
        Shape::Crosswise(Content::Elements(1)),
    ];
    let single = [
        Shape::Alone(Content::Elements(1)),
        Shape::Alone(Content::Elements(0)),
    ];
    let mut tests: Vec<TestPlan> = Vec::new();
    // All methods get one test before any gets the next.
    for shape in shapes.into_iter().chain(single) {
        for &method in &methods {
            if tests.len() == most {
                return Ok(tests);
            }
            if let Some(test) = shape.test(&mut builder, method)
                && test.check().is_ok()
                && !tests.contains(&test)
            {
                tests.push(test);
            }
        }
    }
    Ok(tests)
}

#[derive(Copy, Clone)]
enum Shape {
    /// One object calls with the other as an argument.
    Crosswise(Content),
    /// One object.
    Alone(Content),
}

impl Shape {
    fn test(self, builder: &mut PlanBuilder<'_>, method: usize) -> Option<TestPlan> {
        let pair = Pair::beyond(method, method, Origin::Analysis);
        let taste = Taste::Plain(0);
        let draft = match self {
            // Without a knot, one object is enough for a method that takes none.
            Shape::Crosswise(Content::Elements(_)) if builder.takers(pair) == 0 => None,
            Shape::Crosswise(content) => builder.crosswise(pair, content, taste),
            Shape::Alone(content) => {
                builder.meeting(pair, Sharing::Receiver, content, Suffixes::Single, taste)
            }
        };
        draft.map(in_a_row)
    }
}

/// The calls that prepare and those of the first thread, one after the other.
fn in_a_row(draft: PlanDraft) -> TestPlan {
    let mut calls = draft.prefix;
    calls.extend(draft.threads.into_iter().next().unwrap_or_default());
    TestPlan {
        raddle_plan: PLAN_VERSION,
        package: None,
        name: String::from("sequential test"),
        prefix: Vec::new(),
        threads: vec![calls],
        after: Vec::new(),
        uninitialised: Vec::new(),
    }
}
