//! Numbers, characters and truth values: small ones first, then boundaries.

use raddle_plan::{Argument, Primitive};

use super::{Spot, Taste};
use crate::rng::Rng;

/// Whole numbers by what methods take them for; methods that take any are given the first. No number comes first that
/// leaves things as they are: an update by 0 that is lost is missed by nobody.
const INTS: [&[i32]; FAMILIES] = [
    &[1, 2, 3, 5, 0, -1, 10, 17, 100, -100, i32::MAX, i32::MIN],
    &[0, 1, 2, 3],
    &[64, 100, 1000, 4096],
    &[2000, 2001, 1999],
];
const LONGS: [&[i64]; FAMILIES] = [
    &[1, 2, 3, 5, 0, -1, 10, 1000, -1000, i64::MAX, i64::MIN],
    &[0, 1, 2, 3],
    &[64, 100, 1000, 4096],
    &[2000, 2001, 1999],
];
/// How many families of whole numbers there are.
pub(super) const FAMILIES: usize = 4;
const DOUBLES: [f64; 9] = [1.0, 2.0, 0.5, 0.0, -1.0, 10.0, 1000.0, f64::MAX, f64::NAN];
const CHARS: [char; 8] = ['a', 'b', 'c', '1', ' ', 'é', '\0', '\u{ffff}'];

/// The boundaries at the ends of the tables break more prefixes than classes.
const MODEST_INTS: usize = 8;
const MODEST_LONGS: usize = 7;
/// Those that fit into 16 bits.
const SMALL_INTS: usize = 10;

/// From so many plain choices on, no two are the same.
const MANY: usize = 3;

pub(super) fn value(rng: &mut Rng, primitive: Primitive, spot: Spot<'_>, taste: Taste) -> Argument {
    if let (Taste::Plain(shift @ MANY..), 0) = (taste, spot.kind.number % FAMILIES) {
        // Nobody fills an object with more than there are ints.
        let number = i32::try_from(10 + shift + spot.rank).unwrap_or(i32::MAX);
        match primitive {
            Primitive::Int => return Argument::Int(number),
            Primitive::Long => return Argument::Long(i64::from(number)),
            _ => {}
        }
    }
    let at = |rng: &mut Rng, modest: usize, all: usize| match taste {
        Taste::Plain(shift) => (spot.rank + shift) % modest,
        Taste::Drawn if rng.one_in(12) => rng.below(all),
        Taste::Drawn => rng.below(modest),
    };
    let ints = INTS[spot.kind.number % FAMILIES];
    let longs = LONGS[spot.kind.number % FAMILIES];
    let small = ints.len().min(SMALL_INTS);
    match primitive {
        Primitive::Boolean => Argument::Boolean(match taste {
            Taste::Plain(shift) => (spot.rank + shift).is_multiple_of(2),
            Taste::Drawn => rng.one_in(2),
        }),
        Primitive::Byte => Argument::Byte(ints[at(rng, ints.len().min(MODEST_INTS), small)] as i8),
        Primitive::Short => Argument::Short(ints[at(rng, ints.len().min(MODEST_INTS), small)] as i16),
        Primitive::Char => {
            let index = at(rng, 5, CHARS.len());
            Argument::Char(CHARS[index] as u16)
        }
        Primitive::Int => {
            let index = at(rng, ints.len().min(MODEST_INTS), ints.len());
            Argument::Int(ints[index])
        }
        Primitive::Long => {
            let index = at(rng, longs.len().min(MODEST_LONGS), longs.len());
            Argument::Long(longs[index])
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
