//! Numbers, characters and truth values: small ones first, then boundaries.

use raddle_plan::{Argument, Primitive};

use super::{Spot, Taste};
use crate::rng::Rng;

const INTS: [i32; 12] = [0, 1, 2, 3, -1, 5, 10, 17, 100, -100, i32::MAX, i32::MIN];
const LONGS: [i64; 10] = [0, 1, 2, 3, -1, 10, 1000, -1000, i64::MAX, i64::MIN];
const DOUBLES: [f64; 9] = [1.0, 2.0, 0.5, 0.0, -1.0, 10.0, 1000.0, f64::MAX, f64::NAN];
const CHARS: [char; 8] = ['a', 'b', 'c', '1', ' ', 'é', '\0', '\u{ffff}'];

/// The boundaries at the ends of the tables break more prefixes than classes.
const MODEST_INTS: usize = 8;

pub(super) fn value(rng: &mut Rng, primitive: Primitive, spot: Spot<'_>, taste: Taste) -> Argument {
    let at = |rng: &mut Rng, modest: usize, all: usize| match taste {
        Taste::Plain(shift) => (spot.rank + shift) % modest,
        Taste::Drawn if rng.one_in(12) => rng.below(all),
        Taste::Drawn => rng.below(modest),
    };
    // A capacity or a limit of 0 is often refused, an index of 0 rarely.
    let one_more = usize::from(spot.makes_object && taste == Taste::Plain(0));
    match primitive {
        Primitive::Boolean => Argument::Boolean(match taste {
            Taste::Plain(shift) => (spot.rank + shift).is_multiple_of(2),
            Taste::Drawn => rng.one_in(2),
        }),
        Primitive::Byte => Argument::Byte(INTS[at(rng, MODEST_INTS, 10) % 10] as i8),
        Primitive::Short => Argument::Short(INTS[at(rng, MODEST_INTS, 10) % 10] as i16),
        Primitive::Char => {
            let index = at(rng, 5, CHARS.len());
            Argument::Char(CHARS[index] as u16)
        }
        Primitive::Int => {
            let index = at(rng, MODEST_INTS, INTS.len());
            Argument::Int(INTS[(index + one_more) % INTS.len()])
        }
        Primitive::Long => {
            let index = at(rng, 6, LONGS.len());
            Argument::Long(LONGS[(index + one_more) % LONGS.len()])
        }
        Primitive::Float => {
            let index = at(rng, 6, DOUBLES.len());
            Argument::Float((DOUBLES[index] as f32).to_bits())
        }
        Primitive::Double => {
            let index = at(rng, 6, DOUBLES.len());
            Argument::Double(DOUBLES[index].to_bits())
        }
    }
}
