//! The jump tables of `tableswitch` and `lookupswitch`.

use crate::error::{ClassFileError, Result};

/// The cases of a switch, read from the code as they are asked for. All targets lie inside the code.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Switch<'a> {
    pc: u32,
    default: u32,
    cases: Cases<'a>,
}

#[derive(Copy, Clone, Debug, PartialEq)]
enum Cases<'a> {
    /// Jump offsets of consecutive keys.
    Table { low: i32, offsets: &'a [[u8; 4]] },
    /// Pairs of a key and a jump offset.
    Lookup(&'a [[[u8; 4]; 2]]),
}

impl<'a> Switch<'a> {
    /// Reads a `tableswitch` or `lookupswitch` at `pc`; returns it and the pc after it.
    pub(crate) fn read(code: &'a [u8], pc: u32, table: bool) -> Result<(Self, u32)> {
        // Operands begin at the next multiple of four, counted from the start of the code.
        let start = (pc as usize + 4) & !3;
        let truncated = ClassFileError::TruncatedInsn { pc };
        let Some((words, _)) = code.get(start..).map(<[u8]>::as_chunks::<4>) else {
            return Err(truncated);
        };
        let bad = ClassFileError::BadSwitch { pc };
        let (default, cases, size) = match *words {
            [default, low, high, ref offsets @ ..] if table => {
                let low = i32::from_be_bytes(low);
                // In 64 bits: the range may have 2^32 keys, and is refused unless that many offsets are
                // there.
                let count = i64::from(i32::from_be_bytes(high)) - i64::from(low) + 1;
                let count = usize::try_from(count)
                    .ok()
                    .filter(|&count| count > 0)
                    .ok_or_else(|| bad.clone())?;
                let offsets = offsets.get(..count).ok_or(bad)?;
                (default, Cases::Table { low, offsets }, 12 + count * 4)
            }
            [default, count, ref pairs @ ..] if !table => {
                let (pairs, _) = pairs.as_chunks::<2>();
                let count = usize::try_from(i32::from_be_bytes(count)).map_err(|_| bad.clone())?;
                let pairs = pairs.get(..count).ok_or(bad)?;
                (default, Cases::Lookup(pairs), 8 + count * 8)
            }
            _ => return Err(truncated),
        };
        let mut switch = Switch {
            pc,
            default: pc,
            cases,
        };
        let target = |offset| branch_target(code, pc, i32::from_be_bytes(offset));
        switch.default = target(default)?;
        match cases {
            Cases::Table { offsets, .. } => offsets
                .iter()
                .try_for_each(|&offset| target(offset).map(|_| ()))?,
            Cases::Lookup(pairs) => pairs
                .iter()
                .try_for_each(|&[_, offset]| target(offset).map(|_| ()))?,
        }
        Ok((switch, (start + size) as u32))
    }

    /// Where the switch goes when no key matches.
    pub fn default(&self) -> u32 {
        self.default
    }

    /// The number of cases without the default.
    pub fn len(&self) -> usize {
        match self.cases {
            Cases::Table { offsets, .. } => offsets.len(),
            Cases::Lookup(pairs) => pairs.len(),
        }
    }

    /// Whether there is only the default.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Keys and targets in the order of the code, without the default.
    pub fn targets(&self) -> impl ExactSizeIterator<Item = (i32, u32)> + use<'a> {
        let Switch { pc, default, cases } = *self;
        (0..self.len()).map(move |position| {
            let (key, offset) = match cases {
                Cases::Table { low, offsets } => (
                    low.wrapping_add_unsigned(position as u32),
                    offsets.get(position).copied(),
                ),
                Cases::Lookup(pairs) => pairs.get(position).map_or((0, None), |&[key, offset]| {
                    (i32::from_be_bytes(key), Some(offset))
                }),
            };
            let target = offset.map_or(default, |offset| {
                pc.wrapping_add_signed(i32::from_be_bytes(offset))
            });
            (key, target)
        })
    }
}

/// The absolute target of a jump, which must be inside the code.
#[inline]
pub(crate) fn branch_target(code: &[u8], pc: u32, offset: i32) -> Result<u32> {
    match pc.checked_add_signed(offset) {
        Some(target) if (target as usize) < code.len() => Ok(target),
        _ => Err(ClassFileError::BadBranch {
            pc,
            target: i64::from(pc) + i64::from(offset),
        }),
    }
}

#[cfg(test)]
mod tests;
