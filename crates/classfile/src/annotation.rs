//! Annotations: the types of those on one element, and the constants of enums among their values.

use std::borrow::Cow;

use crate::attribute;
use crate::error::{ClassFileError, Result};
use crate::pool::Pool;
use crate::reader::Cursor;

const VISIBLE: &str = "RuntimeVisibleAnnotations";
const INVISIBLE: &str = "RuntimeInvisibleAnnotations";

/// A constant of an enum: the descriptor of the enum and the name of the constant.
pub(crate) type Constant<'a> = (Cow<'a, str>, Cow<'a, str>);

/// The descriptors in a `RuntimeVisibleAnnotations` attribute, up to the first that cannot be read.
pub(crate) fn visible<'a>(pool: Pool<'a>, attributes: Cursor<'a>) -> Vec<Cow<'a, str>> {
    read(pool, attributes, VISIBLE).0
}

/// The same, and those that only class files show.
pub(crate) fn all<'a>(pool: Pool<'a>, attributes: Cursor<'a>) -> Vec<Cow<'a, str>> {
    let mut types = visible(pool, attributes);
    types.extend(read(pool, attributes, INVISIBLE).0);
    types
}

/// The constants of enums that are values of any of these annotations.
pub(crate) fn constants<'a>(pool: Pool<'a>, attributes: Cursor<'a>) -> Vec<Constant<'a>> {
    let mut constants = read(pool, attributes, VISIBLE).1;
    constants.extend(read(pool, attributes, INVISIBLE).1);
    constants
}

fn read<'a>(pool: Pool<'a>, attributes: Cursor<'a>, name: &str) -> (Vec<Cow<'a, str>>, Vec<Constant<'a>>) {
    let mut types = Vec::new();
    let mut constants = Vec::new();
    if let Some(mut body) = attribute::find(pool, attributes, name) {
        let count = body.u2().unwrap_or(0);
        for _ in 0..count {
            let Ok(descriptor) = body.u2().and_then(|index| pool.utf8(index)) else {
                break;
            };
            types.push(descriptor);
            let constant = |of: u16, name: u16| {
                if let (Ok(of), Ok(name)) = (pool.utf8(of), pool.utf8(name)) {
                    constants.push((of, name));
                }
            };
            if elements(&mut body, constant).is_err() {
                break;
            }
        }
    }
    (types, constants)
}

/// Element values that are still to be skipped on one level of nesting.
struct Level {
    left: u16,
    // Values of an annotation are preceded by a name, those of an array are not.
    named: bool,
}

/// Skips the elements of an annotation, from their count on.
pub(crate) fn skip_elements(body: &mut Cursor<'_>) -> Result<()> {
    elements(body, |_, _| ())
}

/// Goes through the elements of an annotation, from their count on, and tells of constants of enums. Values nest as deeply
/// as the input likes, so the levels are kept in a vector and not on the call stack.
fn elements(body: &mut Cursor<'_>, mut constant: impl FnMut(u16, u16)) -> Result<()> {
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
            b'e' => constant(body.u2()?, body.u2()?),
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
        let mut constants = Vec::new();
        elements(&mut body, |of, name| constants.push((of, name))).unwrap();
        assert_eq!(body.u1(), Ok(0xff));
        assert_eq!(constants, [(6, 7)]);
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
