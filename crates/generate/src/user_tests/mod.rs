//! Sequential tests that somebody wrote, as plans: the test methods of a class are read, and nothing is run.
//!
//! Data path: `suite` finds the test methods and what runs before them, `threads` tells those that are not sequential,
//! `machine` follows the code of the others (`invoke` its calls, `field` its fields, `fold` its constants) and notes
//! `world` steps, and `lower` makes calls of a plan of these. Whatever cannot be followed ends the sequence.

mod callee;
mod field;
mod fold;
mod invoke;
mod lower;
mod machine;
mod reader;
mod suite;
mod threads;
mod value;
mod world;

use std::sync::Arc;

use raddle_plan::TestPlan;
use raddle_program::LoadError;

pub use reader::read;

/// A sequential test: the calls of one test method, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct UserTest {
    /// Class and method: `com.acme.CacheTest.evicts`.
    pub name: String,
    /// One thread with all calls, those of the set-up first. The prefix is empty.
    pub plan: TestPlan,
    /// Why the rest of the method was left out, if it was.
    pub cut: Option<String>,
}

/// What was read of a class.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UserTests {
    /// The tests, in the order of the class file, inherited ones last.
    pub tests: Vec<UserTest>,
    /// Test methods of which nothing was taken, and why.
    pub skipped: Vec<(String, String)>,
}

/// Why a class has no tests to read.
#[derive(Debug, thiserror::Error)]
pub enum UserTestError {
    /// The class cannot be loaded.
    #[error("{0}")]
    Load(Arc<LoadError>),
    /// There is nothing to read.
    #[error(
        "{class} has neither test methods (JUnit 3 to 5, TestNG) nor a `public static void main(String[])`; name a class that has"
    )]
    NoTests {
        /// The class.
        class: String,
    },
}
