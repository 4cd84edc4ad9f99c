//! Whole numbers that a class compares with, or begins with: capacities, thresholds, sizes of batches. What happens there
//! happens neither before nor after.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use raddle_classfile::{Constant, Insn};
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

/// Numbers that the code of a class compares ints with or makes its objects with, and of those that it inherits from outside
/// of the platform; and the first sizes of the collections that it makes.
pub(super) fn numbers(program: &Program, class: ClassId) -> Vec<i32> {
    let mut found: Vec<i32> = Vec::new();
    let mut made: BTreeSet<String> = BTreeSet::new();
    for ancestor in program.ancestry(class).filter(|ancestor| !ancestor.is_platform()) {
        let pool = ancestor.file().pool();
        for method in ancestor.file().methods() {
            let Ok(Some(code)) = method.code() else {
                continue;
            };
            let is_initial = method.name().starts_with('<');
            let mut last = None;
            for (_, insn) in code.instructions().map_while(Result::ok) {
                if (is_initial || matches!(insn, Insn::IfIcmp(..)))
                    && let Some(number) = last
                    && !found.contains(&number)
                    && found.len() < MAX_NUMBERS
                {
                    found.push(number);
                }
                if let Insn::New(at) = insn
                    && let Ok(name) = pool.class_name(at)
                {
                    made.insert(name.into_owned());
                }
                last = match insn {
                    Insn::ConstInt(value) => Some(value),
                    Insn::Ldc(at) => match pool.constant(at) {
                        Ok(Constant::Int(value)) => Some(value),
                        _ => None,
                    },
                    _ => None,
                };
            }
        }
    }
    for size in made.iter().flat_map(|name| first_sizes(program, name)) {
        if !found.contains(&size) && found.len() < MAX_NUMBERS {
            found.push(size);
        }
    }
    found
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

impl Values<'_> {
    /// How many elements an object holds that is one short of such a number, or has reached it; numbered from the smallest.
    pub(crate) fn brink(&self, number: usize) -> Option<usize> {
        let is_possible = |number: &i32| (FEWEST_ELEMENTS..=MOST_ELEMENTS).contains(number);
        let own = self.numbers.iter().copied().filter(is_possible);
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
        primitive::value(&mut self.rng, primitive, spot, taste)
    }
}
