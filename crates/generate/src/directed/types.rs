//! Which classes are which, for predictions.

use raddle_predict::TypeOrder;
use raddle_program::Program;

/// Classes of this package are made to be shared, with or without locks.
const CONCURRENT: &str = "java.util.concurrent.";

/// The classes of a program.
pub(crate) struct Types<'p>(pub(crate) &'p Program);

impl Types<'_> {
    /// Whether a class looks as if its objects may be shared between threads: it locks, or has volatile fields. Who
    /// gives one plain `HashMap` to two synchronized maps has himself to blame.
    pub(crate) fn is_made_to_be_shared(&self, class: &str) -> bool {
        let mut next = Some(self.0.class_id(&class.replace('.', "/")));
        while let Some(class) = next
            .filter(|id| *id != self.0.object())
            .and_then(|id| self.0.class(id))
        {
            let locks = class
                .methods()
                .iter()
                .any(|method| method.access.is_synchronized());
            if locks || class.fields().iter().any(|field| field.access.is_volatile()) {
                return true;
            }
            next = class.super_class();
        }
        class.starts_with(CONCURRENT)
    }
}

impl TypeOrder for Types<'_> {
    fn is_a(&self, from: &str, to: &str) -> bool {
        let id = |name: &str| self.0.class_id(&name.replace('.', "/"));
        // Where nothing is known, only equal names are certain.
        from == to || (!from.starts_with('[') && self.0.is_subtype(id(from), id(to)) == Some(true))
    }
}
