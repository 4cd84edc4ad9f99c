//! Arrays: a few elements, written down in place.

use raddle_classfile::descriptor::FieldType;
use raddle_plan::Argument;

use super::{Spot, Taste, Values};
use crate::plan_draft::PlanDraft;

/// More elements are not written down.
const LONGEST: usize = 64;
/// As many elements as a plain array has, so that a second index and a length fit.
const PLAIN_LENGTH: usize = 4;

impl Values<'_> {
    pub(super) fn array(
        &mut self,
        draft: &mut PlanDraft,
        element: &str,
        spot: Spot<'_>,
        taste: Taste,
        depth: usize,
    ) -> Argument {
        let is_literal = match FieldType::parse(element) {
            Ok(FieldType::Object(name)) => {
                super::simple::is_simple(self.program, self.program.class_id(name))
            }
            Ok(FieldType::Array(_)) => false,
            _ => true,
        };
        let length = match taste {
            Taste::Plain(_) => PLAIN_LENGTH,
            Taste::Drawn if is_literal && self.rng.one_in(3) => self.length(),
            Taste::Drawn => self.rng.below(PLAIN_LENGTH + 1),
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

    /// A length that the class under test compares with, or one that keys and hashes have.
    fn length(&mut self) -> usize {
        const USUAL: [usize; 4] = [8, 16, 32, 64];
        let compared: Vec<usize> = self
            .numbers
            .iter()
            .filter_map(|number| usize::try_from(*number).ok())
            .filter(|number| *number <= LONGEST)
            .collect();
        let length = self.rng.pick(&compared).copied();
        length
            .or_else(|| self.rng.pick(&USUAL).copied())
            .unwrap_or(PLAIN_LENGTH)
    }
}
