//! Annotations: the types of those on one element, and the constants of enums and the classes among their values.

use std::borrow::Cow;

use crate::attribute;
use crate::error::{ClassFileError, Result};
use crate::pool::Pool;
use crate::reader::Cursor;

const VISIBLE: &str = "RuntimeVisibleAnnotations";
const INVISIBLE: &str = "RuntimeInvisibleAnnotations";

/// A constant of an enum: the descriptor of the enum and the name of the constant.
pub(crate) type Constant<'a> = (Cow<'a, str>, Cow<'a, str>);

/// A class that is a value: the descriptor of the annotation and that of the class.
pub(crate) type ClassValue<'a> = (Cow<'a, str>, Cow<'a, str>);

/// What is among the values of annotations, by pool index.
enum Value {
    /// The enum's descriptor, and the constant's name.
    Constant(u16, u16),
    /// The descriptor.
    Class(u16),
}

/// What is read of an attribute.
#[derive(Default)]
struct Read<'a> {
    types: Vec<Cow<'a, str>>,
    constants: Vec<Constant<'a>>,
    classes: Vec<ClassValue<'a>>,
}

/// The descriptors in a `RuntimeVisibleAnnotations` attribute, up to the first that cannot be read.
pub(crate) fn visible<'a>(pool: Pool<'a>, attributes: Cursor<'a>) -> Vec<Cow<'a, str>> {
    read(pool, attributes, VISIBLE).types
}

/// The classes that are values of annotations which are visible at run time.
pub(crate) fn classes<'a>(pool: Pool<'a>, attributes: Cursor<'a>) -> Vec<ClassValue<'a>> {
    read(pool, attributes, VISIBLE).classes
}

/// The same, and those that only class files show.
pub(crate) fn all<'a>(pool: Pool<'a>, attributes: Cursor<'a>) -> Vec<Cow<'a, str>> {
    let mut types = visible(pool, attributes);
    types.extend(read(pool, attributes, INVISIBLE).types);
    types
}

/// The constants of enums that are values of any of these annotations.
pub(crate) fn constants<'a>(pool: Pool<'a>, attributes: Cursor<'a>) -> Vec<Constant<'a>> {
    let mut constants = read(pool, attributes, VISIBLE).constants;
    constants.extend(read(pool, attributes, INVISIBLE).constants);
    constants
}

fn read<'a>(pool: Pool<'a>, attributes: Cursor<'a>, name: &str) -> Read<'a> {
    let mut all = Read::default();
    let Some(mut body) = attribute::find(pool, attributes, name) else {
        return all;
    };
    let count = body.u2().unwrap_or(0);
    for _ in 0..count {
        let Ok(descriptor) = body.u2().and_then(|index| pool.utf8(index)) else {
            break;
        };
        all.types.push(descriptor.clone());
        let value = |value: Value| match value {
            Value::Constant(of, name) => {
                if let (Ok(of), Ok(name)) = (pool.utf8(of), pool.utf8(name)) {
                    all.constants.push((of, name));
                }
            }
            Value::Class(class) => {
                if let Ok(class) = pool.utf8(class) {
                    all.classes.push((descriptor.clone(), class));
                }
            }
        };
        if elements(&mut body, value).is_err() {
            break;
        }
    }
    all
}

/// Element values that are still to be skipped on one level of nesting.
struct Level {
    left: u16,
    // Values of an annotation are preceded by a name, those of an array are not.
    named: bool,
}

/// Skips the elements of an annotation, from their count on.
pub(crate) fn skip_elements(body: &mut Cursor<'_>) -> Result<()> {
    elements(body, |_| ())
}

/// Goes through the elements of an annotation, from their count on, and tells of constants of enums and of classes. Values
/// nest as deeply as the input likes, so the levels are kept in a vector and not on the call stack.
fn elements(body: &mut Cursor<'_>, mut tell: impl FnMut(Value)) -> Result<()> {
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
            b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's' => body.skip(2)?,
            b'c' => tell(Value::Class(body.u2()?)),
            b'e' => tell(Value::Constant(body.u2()?, body.u2()?)),
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
        let tell = |value: Value| {
            if let Value::Constant(of, name) = value {
                constants.push((of, name));
            }
        };
        elements(&mut body, tell).unwrap();
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
