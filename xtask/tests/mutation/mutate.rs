//! Damage.

use std::ops::Range;

use crate::random::Random;

/// Values that lie at the edges of fields.
const EDGES: [u8; 8] = [0x00, 0x01, 0x02, 0x7F, 0x80, 0xC0, 0xFE, 0xFF];
/// Longest stretch that is moved, doubled or taken out.
const STRETCH: usize = 64;

/// Damages the bytes in one to four places; `other` is what spliced pieces are taken from.
pub(crate) fn anywhere(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    for _ in 0..=random.below(4) {
        once(bytes, other, random);
    }
}

/// Changes one to eight bytes within these ranges, and no length.
pub(crate) fn within(bytes: &mut [u8], ranges: &[Range<usize>], random: &mut Random) {
    for _ in 0..=random.below(8) {
        let range = random.pick(ranges).clone();
        let at = range.start + random.below(range.len());
        if let Some(byte) = bytes.get_mut(at) {
            *byte = new_byte(*byte, random);
        }
    }
}

fn once(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    if bytes.is_empty() {
        bytes.push(random.byte());
        return;
    }
    let at = random.below(bytes.len());
    let stretch = at..bytes.len().min(at + 1 + random.below(STRETCH));
    match random.below(12) {
        0..=4 => bytes[at] = new_byte(bytes[at], random),
        // Lengths, counts and indices have two bytes or four.
        5 | 6 => {
            let width = [2, 4][random.below(2)];
            let value = random.pick(&EDGES);
            bytes
                .iter_mut()
                .skip(at)
                .take(width)
                .for_each(|byte| *byte = *value);
        }
        7 => bytes.truncate(at),
        8 => drop(bytes.drain(stretch)),
        9 => {
            let copy = bytes[stretch].to_vec();
            bytes.splice(at..at, copy);
        }
        10 => {
            let start = random.below(other.len());
            let piece = &other[start..other.len().min(start + STRETCH)];
            let end = bytes.len().min(at + piece.len());
            bytes.splice(at..end, piece.iter().copied());
        }
        _ => {
            let from = random.below(bytes.len());
            let end = bytes.len().min(from + stretch.len());
            let to = at.min(bytes.len() - (end - from));
            bytes.copy_within(from..end, to);
        }
    }
}

fn new_byte(old: u8, random: &mut Random) -> u8 {
    match random.below(4) {
        0 => old ^ (1 << random.below(8)),
        1 => *random.pick(&EDGES),
        2 => old.wrapping_add(1),
        _ => random.byte(),
    }
}
