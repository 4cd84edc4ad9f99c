//! Whole numbers that a class compares with, or begins with: capacities, thresholds, sizes of batches. What happens there
//! happens neither before nor after.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use raddle_classfile::{ArithOp, Constant, Insn, Kind, Pool};
use raddle_plan::{Argument, Primitive};
use raddle_program::{ClassId, Program};

use super::{Spot, Taste, Values, primitive};

/// Numbers that are kept.
const MAX_NUMBERS: usize = 16;
/// Objects that are filled up to a number do not hold more than that.
const MOST_ELEMENTS: i32 = 130;
/// Those below are reached anyhow.
const FEWEST_ELEMENTS: i32 = 3;

/// Sizes with which collections of the platform begin, so that they grow soon after.
const FIRST_SIZES: RangeInclusive<i32> = 9..=32;

/// Numbers that the code of a class compares with or makes its objects with, then those that it counts with (blocks, rings,
/// strides), and of those that it inherits from outside of the platform; and the first sizes of the collections that it makes.
pub(super) fn numbers(program: &Program, class: ClassId) -> Vec<i32> {
    let mut found = Found::default();
    let mut counted = Found::default();
    let mut made: BTreeSet<String> = BTreeSet::new();
    for ancestor in program.ancestry(class).filter(|ancestor| !ancestor.is_platform()) {
        let pool = ancestor.file().pool();
        for method in ancestor.file().methods() {
            let Ok(Some(code)) = method.code() else {
                continue;
            };
            let is_initial = method.name().starts_with('<');
            // What hash codes are made of counts nothing.
            let is_hash = method.name() == "hashCode";
            let mut last = None;
            for (_, insn) in code.instructions().map_while(Result::ok) {
                // The number is still the last one behind a conversion.
                if matches!(insn, Insn::Convert(..)) {
                    continue;
                }
                if let Some(number) = last {
                    if is_initial || matches!(insn, Insn::IfIcmp(..) | Insn::Compare(Kind::Long)) {
                        found.add(number);
                    } else if is_counting(&insn) && !is_hash {
                        counted.add(number);
                    }
                }
                if let Insn::New(at) = insn
                    && let Ok(name) = pool.class_name(at)
                {
                    made.insert(name.into_owned());
                }
                last = constant(&pool, &insn);
            }
        }
    }
    for number in counted.0 {
        found.add(number);
    }
    for size in made.iter().flat_map(|name| first_sizes(program, name)) {
        found.add(size);
    }
    found.0
}

/// Numbers in the order in which they were met.
#[derive(Default)]
struct Found(Vec<i32>);

impl Found {
    fn add(&mut self, number: i32) {
        if !self.0.contains(&number) && self.0.len() < MAX_NUMBERS {
            self.0.push(number);
        }
    }
}

/// Whether an instruction counts in strides, if its right operand is a constant; masks are one less than a stride.
fn is_counting(insn: &Insn) -> bool {
    matches!(
        insn,
        Insn::Arith(
            Kind::Int | Kind::Long,
            ArithOp::Add | ArithOp::Sub | ArithOp::Mul | ArithOp::Div | ArithOp::Rem | ArithOp::And
        )
    )
}

/// The whole number that an instruction pushes.
fn constant(pool: &Pool, insn: &Insn) -> Option<i32> {
    match insn {
        Insn::ConstInt(value) => Some(*value),
        Insn::ConstLong(value) => i32::try_from(*value).ok(),
        Insn::Ldc(at) | Insn::Ldc2(at) => match pool.constant(*at) {
            Ok(Constant::Int(value)) => Some(value),
            Ok(Constant::Long(value)) => i32::try_from(value).ok(),
            _ => None,
        },
        _ => None,
    }
}

/// What a class of the platform has as constants that may be the size it begins with.
fn first_sizes(program: &Program, name: &str) -> Vec<i32> {
    let Some(class) = program
        .class(program.class_id(name))
        .filter(|class| class.is_platform())
    else {
        return Vec::new();
    };
    let pool = class.file().pool();
    let constants = class.file().fields().filter_map(|field| field.constant_value());
    let numbers = constants.filter_map(|at| match pool.constant(at) {
        Ok(Constant::Int(value)) => Some(value),
        _ => None,
    });
    numbers.filter(|size| FIRST_SIZES.contains(size)).collect()
}

/// A size that the first few indices fit into.
const ROOM: i32 = 4;
/// A size that whatever a test puts in fits into.
const MUCH_ROOM: i32 = 8;

impl Values<'_> {
    /// How many elements an object holds that is one short of such a number, or has reached it; numbered from the smallest.
    pub(crate) fn brink(&self, number: usize) -> Option<usize> {
        let is_possible = |number: &i32| (FEWEST_ELEMENTS..=MOST_ELEMENTS).contains(number);
        // Masks.
        let own = self.numbers.iter().map(|number| {
            let is_mask = *number > 2 && (*number & number.wrapping_add(1)) == 0;
            if is_mask { number.wrapping_add(1) } else { *number }
        });
        let own = own.filter(is_possible);
        // Hash tables grow when they are three quarters full.
        let tables = own
            .clone()
            .filter(|number| number.count_ones() == 1 && *number > 4);
        let all = own.chain(tables.map(|number| number / 4 * 3));
        let mut counts: Vec<i32> = all.flat_map(|number| [number - 1, number]).collect();
        counts.sort_unstable();
        counts.dedup();
        counts.get(number).and_then(|count| usize::try_from(*count).ok())
    }

    /// A number, character or truth value; by chance one that the class compares with, or one beside it.
    pub(super) fn primitive(&mut self, primitive: Primitive, spot: Spot<'_>, taste: Taste) -> Argument {
        if taste == Taste::Drawn
            && matches!(primitive, Primitive::Int | Primitive::Long)
            && !self.numbers.is_empty()
            && self.rng.one_in(6)
            && let Some(&number) = self.rng.pick(&self.numbers)
        {
            let beside = [-1, 0, 1][self.rng.below(3)];
            let beside = number.wrapping_add(beside);
            return match primitive {
                Primitive::Long => Argument::Long(i64::from(beside)),
                _ => Argument::Int(beside),
            };
        }
        if let (Primitive::Int, Taste::Plain(shift)) = (primitive, taste)
            && spot.makes_object
            && spot.kind.has_plain_numbers()
            && (self.learnt.wants_room() || self.circumstances.are_roomy)
        {
            if self.circumstances.are_roomy {
                return Argument::Int(MUCH_ROOM);
            }
            // Every other object stays small: the smallest are full soonest, and grow soonest.
            self.sized += 1;
            if self.sized.is_multiple_of(2) {
                let more = i32::try_from(shift + spot.rank).unwrap_or_default();
                return Argument::Int(ROOM.saturating_add(more));
            }
        }
        primitive::value(&mut self.rng, primitive, spot, taste)
    }
}
