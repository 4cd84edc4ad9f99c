//! What one framework's tests look like.

use raddle_program::{ClassId, Program};

use crate::Tests;

/// What one framework's tests look like.
pub(crate) trait Style {
    /// Whether the class has tests of this kind, of its own or inherited.
    fn takes(&self, program: &Program, class: ClassId) -> bool;

    /// Adds them.
    fn collect(&self, program: &Program, class: ClassId, all: &mut Tests);
}
