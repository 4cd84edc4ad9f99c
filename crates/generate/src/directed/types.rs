//! Which classes are which, for predictions.

use raddle_predict::TypeOrder;
use raddle_program::Program;

/// The classes of a program.
pub(crate) struct Types<'p>(pub(crate) &'p Program);

impl TypeOrder for Types<'_> {
    fn is_a(&self, from: &str, to: &str) -> bool {
        let id = |name: &str| self.0.class_id(&name.replace('.', "/"));
        // Where nothing is known, only equal names are certain.
        from == to || (!from.starts_with('[') && self.0.is_subtype(id(from), id(to)) == Some(true))
    }
}
