//! Annotations with all their values, for those who read what an annotation says and not only that it is there.

use crate::attribute;
use crate::constant::Constant;
use crate::error::{ClassFileError, Result};
use crate::pool::Pool;
use crate::reader::Cursor;

const VISIBLE: &str = "RuntimeVisibleAnnotations";
const OF_PARAMETERS: &str = "RuntimeVisibleParameterAnnotations";
/// Values that nest deeper are not read. Annotations in use have an array of annotations with an array, which are four.
const DEEPEST: u32 = 16;

/// An annotation that is visible at run time.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// The type, as a descriptor.
    pub descriptor: String,
    /// What is written down, by name, in the order of the file. Defaults are in the class file of the annotation.
    pub elements: Vec<(String, AnnotationValue)>,
}

/// A value of an annotation.
#[derive(Clone, Debug, PartialEq)]
pub enum AnnotationValue {
    /// `true` or `false`.
    Boolean(bool),
    /// A byte.
    Byte(i8),
    /// A short.
    Short(i16),
    /// A UTF-16 unit.
    Char(u16),
    /// An int.
    Int(i32),
    /// A long.
    Long(i64),
    /// A float.
    Float(f32),
    /// A double.
    Double(f64),
    /// A string.
    Text(String),
    /// A constant of an enum.
    Enum {
        /// The enum, as a descriptor.
        descriptor: String,
        /// The constant.
        constant: String,
    },
    /// A class, as a descriptor.
    Class(String),
    /// Another annotation.
    Annotation(Annotation),
    /// Several values.
    Array(Vec<AnnotationValue>),
}

impl Annotation {
    /// The value of that name.
    pub fn get(&self, name: &str) -> Option<&AnnotationValue> {
        let mut elements = self.elements.iter();
        elements
            .find(|(element, _)| element == name)
            .map(|(_, value)| value)
    }

    /// The values of an element that is an array; a single one stands for an array of one.
    pub fn all(&self, name: &str) -> &[AnnotationValue] {
        match self.get(name) {
            None => &[],
            Some(AnnotationValue::Array(values)) => values,
            Some(value) => std::slice::from_ref(value),
        }
    }

    /// The strings of an element.
    pub fn texts(&self, name: &str) -> Vec<&str> {
        let values = self.all(name).iter();
        values.filter_map(AnnotationValue::text).collect()
    }
}

impl AnnotationValue {
    /// The string that it is.
    pub fn text(&self) -> Option<&str> {
        match self {
            AnnotationValue::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// The annotations of an element, up to the first that cannot be read.
pub(crate) fn visible<'a>(pool: Pool<'a>, attributes: Cursor<'a>) -> Vec<Annotation> {
    let Some(mut body) = attribute::find(pool, attributes, VISIBLE) else {
        return Vec::new();
    };
    list(pool, &mut body).0
}

/// The annotations of the parameters of a method, as far as they can be read. Compilers may leave parameters out that are not in
/// the source, at the beginning.
pub(crate) fn of_parameters<'a>(pool: Pool<'a>, attributes: Cursor<'a>) -> Vec<Vec<Annotation>> {
    let Some(mut body) = attribute::find(pool, attributes, OF_PARAMETERS) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for _ in 0..body.u1().unwrap_or(0) {
        let (annotations, is_whole) = list(pool, &mut body);
        all.push(annotations);
        if !is_whole {
            break;
        }
    }
    all
}

/// The annotations of a list, and whether all of it could be read.
fn list<'a>(pool: Pool<'a>, body: &mut Cursor<'a>) -> (Vec<Annotation>, bool) {
    let mut all = Vec::new();
    let Ok(count) = body.u2() else {
        return (all, false);
    };
    for _ in 0..count {
        match annotation(pool, body, 0) {
            Ok(annotation) => all.push(annotation),
            Err(_) => return (all, false),
        }
    }
    (all, true)
}

fn annotation<'a>(pool: Pool<'a>, body: &mut Cursor<'a>, depth: u32) -> Result<Annotation> {
    let descriptor = pool.utf8(body.u2()?)?.into_owned();
    let mut elements = Vec::new();
    for _ in 0..body.u2()? {
        let name = pool.utf8(body.u2()?)?.into_owned();
        elements.push((name, value(pool, body, depth + 1)?));
    }
    Ok(Annotation { descriptor, elements })
}

fn value<'a>(pool: Pool<'a>, body: &mut Cursor<'a>, depth: u32) -> Result<AnnotationValue> {
    let offset = body.position();
    let tag = body.u1()?;
    let unreadable = ClassFileError::BadAttributeLength {
        name: VISIBLE,
        offset,
    };
    if depth > DEEPEST {
        return Err(unreadable);
    }
    Ok(match tag {
        b's' => AnnotationValue::Text(pool.utf8(body.u2()?)?.into_owned()),
        b'c' => AnnotationValue::Class(pool.utf8(body.u2()?)?.into_owned()),
        b'e' => AnnotationValue::Enum {
            descriptor: pool.utf8(body.u2()?)?.into_owned(),
            constant: pool.utf8(body.u2()?)?.into_owned(),
        },
        b'@' => AnnotationValue::Annotation(annotation(pool, body, depth + 1)?),
        b'[' => {
            let mut values = Vec::new();
            for _ in 0..body.u2()? {
                values.push(value(pool, body, depth + 1)?);
            }
            AnnotationValue::Array(values)
        }
        _ => match (tag, pool.constant(body.u2()?)?) {
            (b'Z', Constant::Int(value)) => AnnotationValue::Boolean(value != 0),
            (b'B', Constant::Int(value)) => AnnotationValue::Byte(value as i8),
            (b'S', Constant::Int(value)) => AnnotationValue::Short(value as i16),
            (b'C', Constant::Int(value)) => {
                AnnotationValue::Char(u16::try_from(value).map_err(|_| unreadable)?)
            }
            (b'I', Constant::Int(value)) => AnnotationValue::Int(value),
            (b'J', Constant::Long(value)) => AnnotationValue::Long(value),
            (b'F', Constant::Float(value)) => AnnotationValue::Float(value),
            (b'D', Constant::Double(value)) => AnnotationValue::Double(value),
            _ => return Err(unreadable),
        },
    })
}
