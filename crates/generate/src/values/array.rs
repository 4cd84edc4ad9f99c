//! Arrays: a few elements, written down in place.

use raddle_classfile::descriptor::FieldType;
use raddle_plan::Argument;

use super::{Spot, Taste, Values};
use crate::draft::Draft;

/// As many elements as a plain array has, so that a second index and a length fit.
const PLAIN_LENGTH: usize = 4;

impl Values<'_> {
    pub(super) fn array(
        &mut self,
        draft: &mut Draft,
        element: &str,
        spot: Spot<'_>,
        taste: Taste,
        depth: usize,
    ) -> Argument {
        let length = match taste {
            Taste::Plain(_) => PLAIN_LENGTH,
            Taste::Drawn => self.rng.below(PLAIN_LENGTH + 1),
        };
        let is_literal = match FieldType::parse(element) {
            Ok(FieldType::Object(name)) => {
                super::simple::is_simple(self.program, self.program.class_id(name))
            }
            Ok(FieldType::Array(_)) => false,
            _ => true,
        };
        let mut of = Vec::new();
        // One element is enough if each has to be made.
        for rank in 0..if is_literal { length } else { length.min(1) } {
            let inner = Spot {
                descriptor: element,
                rank,
                ..spot
            };
            match self.value_at(draft, inner, taste, depth + 1) {
                Some(value) => of.push(value),
                None => break,
            }
        }
        Argument::Array {
            element: element.to_owned(),
            of,
        }
    }
}
