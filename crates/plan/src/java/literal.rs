//! Java literals that mean exactly one value.

use std::fmt::Write;

/// The units of the longest piece of a string: class files hold 65,535 bytes, three for each unit at worst.
const LONGEST: usize = 65_535 / 3;

pub(super) fn string(units: impl Iterator<Item = u16>) -> String {
    let units: Vec<u16> = units.collect();
    let mut pieces = units.chunks(LONGEST);
    let quoted = |piece: &[u16]| format!("\"{}\"", escaped(piece.iter().copied()));
    let mut text = quoted(pieces.next().unwrap_or_default());
    for piece in pieces {
        // A sum of literals would be one constant again.
        let _ = write!(text, ".concat({})", quoted(piece));
    }
    text
}

pub(super) fn character(unit: u16) -> String {
    if unit == u16::from(b'\'') {
        return "'\\''".to_owned();
    }
    format!("'{}'", escaped(std::iter::once(unit)))
}

/// ASCII only, so that the file's encoding does not matter; fit for literals and comments.
pub(super) fn escaped(units: impl Iterator<Item = u16>) -> String {
    let mut text = String::new();
    for unit in units {
        match u8::try_from(unit) {
            Ok(quote @ (b'"' | b'\\')) => {
                text.push('\\');
                text.push(char::from(quote));
            }
            Ok(b'\n') => text.push_str("\\n"),
            Ok(b'\r') => text.push_str("\\r"),
            Ok(b'\t') => text.push_str("\\t"),
            Ok(plain @ b' '..=b'~') => text.push(char::from(plain)),
            // Unicode escapes are replaced before literals are read, so control characters cannot use them.
            Ok(control @ 0..=0x7f) => {
                let _ = write!(text, "\\{control:03o}");
            }
            _ => {
                let _ = write!(text, "\\u{unit:04x}");
            }
        }
    }
    text
}

pub(super) fn float(bits: u32) -> String {
    let value = f32::from_bits(bits);
    if bits == f32::NAN.to_bits() {
        "Float.NaN".to_owned()
    } else if value.is_nan() {
        format!("Float.intBitsToFloat(0x{bits:08x})")
    } else if value.is_infinite() {
        infinity("Float", value.is_sign_negative())
    } else {
        // The shortest decimal that is read as this value, by Java too.
        format!("{value:?}f")
    }
}

pub(super) fn double(bits: u64) -> String {
    let value = f64::from_bits(bits);
    if bits == f64::NAN.to_bits() {
        "Double.NaN".to_owned()
    } else if value.is_nan() {
        format!("Double.longBitsToDouble(0x{bits:016x}L)")
    } else if value.is_infinite() {
        infinity("Double", value.is_sign_negative())
    } else {
        format!("{value:?}d")
    }
}

fn infinity(class: &str, is_negative: bool) -> String {
    let sign = if is_negative { "NEGATIVE" } else { "POSITIVE" };
    format!("{class}.{sign}_INFINITY")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_exact_literals() {
        assert_eq!(float(1.5_f32.to_bits()), "1.5f");
        assert_eq!(float((-0.0_f32).to_bits()), "-0.0f");
        assert_eq!(float(1), "1e-45f");
        assert_eq!(float(0x7fc0_0000), "Float.NaN");
        assert_eq!(float(0xffc0_0000), "Float.intBitsToFloat(0xffc00000)");
        assert_eq!(float(f32::NEG_INFINITY.to_bits()), "Float.NEGATIVE_INFINITY");
        assert_eq!(double(0.1_f64.to_bits()), "0.1d");
        assert_eq!(double(f64::MAX.to_bits()), "1.7976931348623157e308d");
        assert_eq!(double(f64::INFINITY.to_bits()), "Double.POSITIVE_INFINITY");
        assert_eq!(
            double(0x7ff8_0000_0000_0001),
            "Double.longBitsToDouble(0x7ff8000000000001L)"
        );
    }

    #[test]
    fn texts_are_ascii() {
        assert_eq!(string("a\"\\u\n\0".encode_utf16()), "\"a\\\"\\\\u\\n\\000\"");
        assert_eq!(string([0xd800, 0x20ac].into_iter()), "\"\\ud800\\u20ac\"");
        assert_eq!(character(0x27), "'\\''");
        assert!(string(std::iter::repeat_n(0x41, 30_000)).contains("\".concat(\"A"));
    }
}
