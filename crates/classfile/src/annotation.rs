//! Annotations: the types of those on one element, their values skipped.

use std::borrow::Cow;

use crate::attribute;
use crate::error::{ClassFileError, Result};
use crate::pool::Pool;
use crate::reader::Cursor;

/// The descriptors in a `RuntimeVisibleAnnotations` attribute, up to the first that cannot be read.
pub(crate) fn visible<'a>(pool: Pool<'a>, attributes: Cursor<'a>) -> Vec<Cow<'a, str>> {
    descriptors(pool, attributes, "RuntimeVisibleAnnotations")
}

/// The same, and those that only class files show.
pub(crate) fn all<'a>(pool: Pool<'a>, attributes: Cursor<'a>) -> Vec<Cow<'a, str>> {
    let mut types = visible(pool, attributes);
    types.extend(descriptors(pool, attributes, "RuntimeInvisibleAnnotations"));
    types
}

fn descriptors<'a>(pool: Pool<'a>, attributes: Cursor<'a>, name: &str) -> Vec<Cow<'a, str>> {
    let mut types = Vec::new();
    if let Some(mut body) = attribute::find(pool, attributes, name) {
        let count = body.u2().unwrap_or(0);
        for _ in 0..count {
            let Ok(descriptor) = body.u2().and_then(|index| pool.utf8(index)) else {
                break;
            };
            types.push(descriptor);
            if skip_elements(&mut body).is_err() {
                break;
            }
        }
    }
    types
}

/// Element values that are still to be skipped on one level of nesting.
struct Level {
    left: u16,
    // Values of an annotation are preceded by a name, those of an array are not.
    named: bool,
}

/// Skips the elements of an annotation, from their count on. Values nest as deeply as the input likes, so the
/// levels are kept in a vector and not on the call stack.
pub(crate) fn skip_elements(body: &mut Cursor<'_>) -> Result<()> {
    let mut levels = vec![Level {
        left: body.u2()?,
        named: true,
    }];
    while let Some(level) = levels.last_mut() {
        if level.left == 0 {
            levels.pop();
            continue;
        }
        level.left -= 1;
        if level.named {
            body.skip(2)?;
        }
        let offset = body.position();
        match body.u1()? {
            b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's' | b'c' => body.skip(2)?,
            b'e' => body.skip(4)?,
            b'@' => {
                body.skip(2)?;
                levels.push(Level {
                    left: body.u2()?,
                    named: true,
                });
            }
            b'[' => levels.push(Level {
                left: body.u2()?,
                named: false,
            }),
            _ => {
                return Err(ClassFileError::BadAttributeLength {
                    name: "RuntimeVisibleAnnotations",
                    offset,
                });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_values_are_skipped_exactly() {
        // a = 1, b = {"x", @T(c = E.X)}
        let bytes = [
            0, 2, 0, 1, b'I', 0, 9, 0, 2, b'[', 0, 2, b's', 0, 3, b'@', 0, 4, 0, 1, 0, 5, b'e', 0, 6, 0, 7,
            0xff,
        ];
        let mut body = Cursor::new(&bytes);
        skip_elements(&mut body).unwrap();
        assert_eq!(body.u1(), Ok(0xff));
    }

    #[test]
    fn deep_nesting_ends_with_an_error() {
        let mut bytes = vec![0, 1, 0, 1];
        for _ in 0..1_000_000 {
            bytes.extend([b'[', 0, 1]);
        }
        assert!(skip_elements(&mut Cursor::new(&bytes)).is_err());
    }
}
