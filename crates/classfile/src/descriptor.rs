//! Field and method descriptors.

use crate::error::{ClassFileError, Result};
use crate::insn::Kind;

/// A field type. The lifetime is that of the descriptor it was parsed from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FieldType<'a> {
    /// `byte`
    Byte,
    /// `char`
    Char,
    /// `double`
    Double,
    /// `float`
    Float,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `short`
    Short,
    /// `boolean`
    Boolean,
    /// A class or interface, by internal name.
    Object(&'a str),
    /// An array, by the descriptor of its elements.
    Array(&'a str),
}

/// The parameters and result of a method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MethodType<'a> {
    /// The parameters, without the receiver.
    pub parameters: Vec<FieldType<'a>>,
    /// The result; `None` for void.
    pub result: Option<FieldType<'a>>,
}

/// Limits of the format: array dimensions, and argument slots of a method.
const LIMIT: usize = 255;

impl<'a> FieldType<'a> {
    /// Parses a field descriptor such as `[Ljava/lang/String;`.
    pub fn parse(descriptor: &'a str) -> Result<FieldType<'a>> {
        match field(descriptor, 0) {
            Ok((parsed, end)) if end == descriptor.len() => Ok(parsed),
            Ok((_, position)) | Err(position) => Err(bad(descriptor, position)),
        }
    }

    /// The type of a value on the stack.
    pub fn kind(&self) -> Kind {
        match self {
            FieldType::Byte | FieldType::Char | FieldType::Int | FieldType::Short | FieldType::Boolean => {
                Kind::Int
            }
            FieldType::Long => Kind::Long,
            FieldType::Float => Kind::Float,
            FieldType::Double => Kind::Double,
            FieldType::Object(_) | FieldType::Array(_) => Kind::Ref,
        }
    }

    /// The stack or local slots of a value: 2 for long and double, else 1.
    pub fn slots(&self) -> u16 {
        self.kind().slots()
    }

    /// The descriptor that it was parsed from.
    pub fn descriptor(&self) -> String {
        match self {
            FieldType::Byte => "B".to_owned(),
            FieldType::Char => "C".to_owned(),
            FieldType::Double => "D".to_owned(),
            FieldType::Float => "F".to_owned(),
            FieldType::Int => "I".to_owned(),
            FieldType::Long => "J".to_owned(),
            FieldType::Short => "S".to_owned(),
            FieldType::Boolean => "Z".to_owned(),
            FieldType::Object(name) => format!("L{name};"),
            FieldType::Array(element) => format!("[{element}"),
        }
    }

    /// The type as Java source has it: `java.lang.Object`, `int[]`.
    pub fn java(&self) -> String {
        let mut dimensions = 0;
        let mut element = self.clone();
        while let FieldType::Array(inner) = element {
            dimensions += 1;
            // The element was parsed with the array; the fallback is for values put together by hand.
            element = field(inner, 0).map_or(FieldType::Object(inner), |(parsed, _)| parsed);
        }
        let mut text = match element {
            FieldType::Byte => "byte".to_owned(),
            FieldType::Char => "char".to_owned(),
            FieldType::Double => "double".to_owned(),
            FieldType::Float => "float".to_owned(),
            FieldType::Int => "int".to_owned(),
            FieldType::Long => "long".to_owned(),
            FieldType::Short => "short".to_owned(),
            FieldType::Boolean => "boolean".to_owned(),
            FieldType::Object(name) | FieldType::Array(name) => name.replace('/', "."),
        };
        text.push_str(&"[]".repeat(dimensions));
        text
    }
}

impl<'a> MethodType<'a> {
    /// Parses a method descriptor such as `(IJ)V`.
    pub fn parse(descriptor: &'a str) -> Result<MethodType<'a>> {
        method(descriptor).map_err(|position| bad(descriptor, position))
    }

    /// The slots the parameters take, without the receiver.
    pub fn parameter_slots(&self) -> u16 {
        self.parameters.iter().map(FieldType::slots).sum()
    }
}

#[cold]
fn bad(descriptor: &str, position: usize) -> ClassFileError {
    ClassFileError::BadDescriptor {
        descriptor: descriptor.into(),
        position,
    }
}

/// Parses one field type at `start`; returns it and where it ends, or the position that is wrong.
fn field(descriptor: &str, start: usize) -> std::result::Result<(FieldType<'_>, usize), usize> {
    let bytes = descriptor.as_bytes();
    let dimensions = bytes
        .get(start..)
        .unwrap_or_default()
        .iter()
        .take_while(|&&byte| byte == b'[')
        .count();
    if dimensions > LIMIT {
        return Err(start + LIMIT);
    }
    let at = start + dimensions;
    let (element, end) = match bytes.get(at).ok_or(at)? {
        b'B' => (FieldType::Byte, at + 1),
        b'C' => (FieldType::Char, at + 1),
        b'D' => (FieldType::Double, at + 1),
        b'F' => (FieldType::Float, at + 1),
        b'I' => (FieldType::Int, at + 1),
        b'J' => (FieldType::Long, at + 1),
        b'S' => (FieldType::Short, at + 1),
        b'Z' => (FieldType::Boolean, at + 1),
        b'L' => {
            let (name, end) = class_name(descriptor, at + 1)?;
            (FieldType::Object(name), end)
        }
        _ => return Err(at),
    };
    if dimensions == 0 {
        Ok((element, end))
    } else {
        Ok((
            FieldType::Array(descriptor.get(start + 1..end).ok_or(start)?),
            end,
        ))
    }
}

/// The name from `start` to the semicolon, and where the semicolon ends.
fn class_name(descriptor: &str, start: usize) -> std::result::Result<(&str, usize), usize> {
    let rest = descriptor.get(start..).ok_or(start)?;
    let len = rest.find(';').ok_or(descriptor.len())?;
    let name = rest.get(..len).ok_or(start)?;
    if let Some(position) = name.find(['.', '[']) {
        return Err(start + position);
    }
    if name.is_empty() || name.starts_with('/') {
        return Err(start);
    }
    if let Some(position) = name.find("//") {
        return Err(start + position);
    }
    if name.ends_with('/') {
        return Err(start + len);
    }
    Ok((name, start + len + 1))
}

fn method(descriptor: &str) -> std::result::Result<MethodType<'_>, usize> {
    let bytes = descriptor.as_bytes();
    if bytes.first() != Some(&b'(') {
        return Err(0);
    }
    let mut at = 1;
    let mut slots = 0;
    let mut parameters = Vec::new();
    while bytes.get(at) != Some(&b')') {
        let (parameter, end) = field(descriptor, at)?;
        slots += usize::from(parameter.slots());
        if slots > LIMIT {
            return Err(at);
        }
        parameters.push(parameter);
        at = end;
    }
    at += 1;
    let (result, end) = match bytes.get(at) {
        Some(b'V') => (None, at + 1),
        _ => field(descriptor, at).map(|(result, end)| (Some(result), end))?,
    };
    if end == bytes.len() {
        Ok(MethodType { parameters, result })
    } else {
        Err(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_every_type() {
        let types = [
            ("B", FieldType::Byte, Kind::Int, "byte"),
            ("C", FieldType::Char, Kind::Int, "char"),
            ("D", FieldType::Double, Kind::Double, "double"),
            ("F", FieldType::Float, Kind::Float, "float"),
            ("I", FieldType::Int, Kind::Int, "int"),
            ("J", FieldType::Long, Kind::Long, "long"),
            ("S", FieldType::Short, Kind::Int, "short"),
            ("Z", FieldType::Boolean, Kind::Int, "boolean"),
            (
                "Ljava/util/Map$Entry;",
                FieldType::Object("java/util/Map$Entry"),
                Kind::Ref,
                "java.util.Map$Entry",
            ),
            ("[I", FieldType::Array("I"), Kind::Ref, "int[]"),
            ("[[LTop;", FieldType::Array("[LTop;"), Kind::Ref, "Top[][]"),
        ];
        for (descriptor, expected, kind, java) in types {
            let parsed = FieldType::parse(descriptor).unwrap();
            assert_eq!(parsed, expected);
            assert_eq!(parsed.kind(), kind);
            assert_eq!(
                parsed.slots(),
                if matches!(descriptor, "J" | "D") { 2 } else { 1 }
            );
            assert_eq!(parsed.java(), java);
        }
    }

    #[test]
    fn methods() {
        let parsed = MethodType::parse("(I[JLjava/lang/String;D)[Ljava/lang/Object;").unwrap();
        assert_eq!(
            parsed.parameters,
            [
                FieldType::Int,
                FieldType::Array("J"),
                FieldType::Object("java/lang/String"),
                FieldType::Double
            ]
        );
        assert_eq!(parsed.result, Some(FieldType::Array("Ljava/lang/Object;")));
        assert_eq!(parsed.parameter_slots(), 5);
        let empty = MethodType::parse("()V").unwrap();
        assert_eq!((empty.parameters.len(), empty.result,), (0, None));
    }

    #[test]
    fn bad_fields_name_the_position() {
        let cases = [
            ("", 0),
            ("V", 0),
            ("II", 1),
            ("L", 1),
            ("L;", 1),
            ("Ljava", 5),
            ("[", 1),
            ("Q", 0),
            ("La.b;", 2),
            ("L[I;", 1),
            ("L/a;", 1),
            ("La/;", 3),
            ("La//b;", 2),
            ("é", 0),
            ("La;x", 3),
        ];
        for (descriptor, position) in cases {
            assert_eq!(
                FieldType::parse(descriptor),
                Err(bad(descriptor, position)),
                "{descriptor:?}"
            );
        }
    }

    #[test]
    fn bad_methods_name_the_position() {
        for (descriptor, position) in [
            ("", 0),
            ("I", 0),
            ("(", 1),
            ("()", 2),
            ("(V)V", 1),
            ("()VV", 3),
            ("(I", 2),
            ("(La", 3),
            ("()[V", 3),
        ] {
            assert_eq!(
                MethodType::parse(descriptor),
                Err(bad(descriptor, position)),
                "{descriptor:?}"
            );
        }
    }

    #[test]
    fn limits() {
        let nested = |dimensions| format!("{}I", "[".repeat(dimensions));
        assert!(FieldType::parse(&nested(255)).is_ok());
        assert!(FieldType::parse(&nested(256)).is_err());
        assert!(FieldType::parse(&nested(1_000_000)).is_err());
        let method = |ints| format!("({}J)V", "I".repeat(ints));
        assert_eq!(MethodType::parse(&method(253)).unwrap().parameter_slots(), 255);
        assert!(MethodType::parse(&method(254)).is_err());
    }

    #[test]
    fn a_hand_made_array_still_has_a_name() {
        assert_eq!(FieldType::Array("?").java(), "?[]");
    }
}
