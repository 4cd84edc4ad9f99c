//! Modified UTF-8: NUL as `C0 80`, supplementary characters as two encoded surrogates, no four-byte forms.

use std::borrow::Cow;

/// Whether all characters are ASCII and none is NUL.
pub(crate) fn is_plain(bytes: &[u8]) -> bool {
    // Without an early exit the loop is vectorised, and nearly all strings are plain.
    bytes
        .iter()
        .fold(true, |plain, &byte| plain & (byte.wrapping_sub(1) < 0x7f))
}

/// Checks a whole string; the error is the position of the first byte that does not fit.
///
/// Versions up to 47 may hold characters in longer forms than needed, as a JVM allows them too.
pub(crate) fn check(bytes: &[u8], allow_overlong: bool) -> Result<(), usize> {
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let (unit, len) = match *rest {
            [byte @ 0x01..=0x7f, ..] => (u16::from(byte), 1),
            [a @ 0xc0..=0xdf, b @ 0x80..=0xbf, ..] => (two(a, b), 2),
            [a @ 0xe0..=0xef, b @ 0x80..=0xbf, c @ 0x80..=0xbf, ..] => (three(a, b, c), 3),
            _ => return Err(at),
        };
        let shortest = match unit {
            0x01..=0x7f => 1,
            0 | 0x80..=0x7ff => 2,
            _ => 3,
        };
        if len != shortest && !allow_overlong {
            return Err(at);
        }
        at += len;
    }
    Ok(())
}

/// Decodes; lone surrogates and anything `check` would refuse become U+FFFD.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    // Two- and three-byte forms are those of UTF-8 except for the special ones, which UTF-8 forbids.
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(
            char::decode_utf16(Units(bytes))
                .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect(),
        ),
    }
}

/// The UTF-16 code units of a modified UTF-8 string.
struct Units<'a>(&'a [u8]);

impl Iterator for Units<'_> {
    type Item = u16;

    fn next(&mut self) -> Option<u16> {
        let (unit, rest) = match *self.0 {
            [] => return None,
            [a @ 0xc0..=0xdf, b @ 0x80..=0xbf, ref rest @ ..] => (two(a, b), rest),
            [a @ 0xe0..=0xef, b @ 0x80..=0xbf, c @ 0x80..=0xbf, ref rest @ ..] => (three(a, b, c), rest),
            [a @ 0x00..=0x7f, ref rest @ ..] => (u16::from(a), rest),
            [_, ref rest @ ..] => (0xfffd, rest),
        };
        self.0 = rest;
        Some(unit)
    }
}

fn two(a: u8, b: u8) -> u16 {
    u16::from(a & 0x1f) << 6 | u16::from(b & 0x3f)
}

fn three(a: u8, b: u8, c: u8) -> u16 {
    u16::from(a & 0x0f) << 12 | u16::from(b & 0x3f) << 6 | u16::from(c & 0x3f)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Cow<'_, str>, usize> {
        check(bytes, false).map(|()| decode(bytes))
    }

    #[test]
    fn plain_text_is_borrowed() {
        assert!(matches!(
            read(b"java/lang/Object"),
            Ok(Cow::Borrowed("java/lang/Object"))
        ));
        assert!(matches!(read("größe€".as_bytes()), Ok(Cow::Borrowed("größe€"))));
        assert_eq!(read(b""), Ok(Cow::Borrowed("")));
    }

    #[test]
    fn nul_has_two_bytes() {
        assert_eq!(read(b"a\xc0\x80b"), Ok(Cow::Borrowed("a\0b")));
        assert_eq!(read(b"a\0b"), Err(1));
    }

    #[test]
    fn supplementary_characters_are_surrogate_pairs() {
        assert_eq!(read(b"\xed\xa0\xbd\xed\xb8\x80!"), Ok(Cow::Borrowed("😀!")));
        assert_eq!(
            read("😀".as_bytes()),
            Err(0),
            "the four-byte form is not modified UTF-8"
        );
    }

    #[test]
    fn lone_surrogates_are_replaced() {
        assert_eq!(read(b"x\xed\xa0\xbdy"), Ok(Cow::Borrowed("x\u{fffd}y")));
        assert_eq!(
            read(b"\xed\xb8\x80\xed\xa0\xbd"),
            Ok(Cow::Borrowed("\u{fffd}\u{fffd}"))
        );
    }

    #[test]
    fn malformed_bytes_are_refused_where_they_are() {
        assert_eq!(check(b"ab\x80", false), Err(2));
        assert_eq!(check(b"ab\xc3", false), Err(2));
        assert_eq!(check(b"\xe2\x82", false), Err(0));
        assert_eq!(check(b"a\xe2\x82A", false), Err(1));
        assert_eq!(check(b"a\xff", true), Err(1));
    }

    #[test]
    fn overlong_forms_depend_on_the_version() {
        for overlong in [&b"\xc1\x81"[..], b"\xe0\x81\x81", b"\xe0\x80\x80"] {
            assert_eq!(check(overlong, false), Err(0));
            assert_eq!(check(overlong, true), Ok(()));
        }
        assert_eq!(decode(b"\xc1\x81"), "A");
    }
}
