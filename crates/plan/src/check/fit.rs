//! Whether a value may be given where a type is expected.

use raddle_classfile::descriptor::FieldType;

use crate::{Argument, Primitive};

/// What every array is, besides an object.
const OF_ARRAYS: [&str; 3] = ["java/lang/Object", "java/lang/Cloneable", "java/io/Serializable"];
/// What every string is.
const OF_STRINGS: [&str; 7] = [
    "java/lang/String",
    "java/lang/Object",
    "java/lang/CharSequence",
    "java/lang/Comparable",
    "java/io/Serializable",
    "java/lang/constant/Constable",
    "java/lang/constant/ConstantDesc",
];
/// What every class object is.
const OF_CLASSES: [&str; 9] = [
    "java/lang/Class",
    "java/lang/Object",
    "java/io/Serializable",
    "java/lang/reflect/Type",
    "java/lang/reflect/GenericDeclaration",
    "java/lang/reflect/AnnotatedElement",
    "java/lang/constant/Constable",
    "java/lang/invoke/TypeDescriptor",
    "java/lang/invoke/TypeDescriptor$OfField",
];

/// Whether a variable of a static type may be given. References are cast, so only what cannot be is refused.
pub(super) fn value_fits(found: &FieldType<'_>, expected: &FieldType<'_>) -> bool {
    match (Primitive::of(found), Primitive::of(expected)) {
        (Some(found), Some(expected)) => found == expected,
        (Some(found), None) => boxed_fits(found, expected),
        (None, Some(expected)) => boxed_fits(expected, found),
        (None, None) => reference_fits(found, expected),
    }
}

/// Whether a new array with such elements may be given.
pub(super) fn array_fits(element: &FieldType<'_>, expected: &FieldType<'_>) -> bool {
    match expected {
        FieldType::Object(name) => OF_ARRAYS.contains(name),
        FieldType::Array(inner) => FieldType::parse(inner).is_ok_and(|inner| element_fits(element, &inner)),
        _ => false,
    }
}

/// Whether a constant other than an array may be given.
pub(super) fn constant_fits(constant: &Argument, expected: &FieldType<'_>) -> bool {
    if let Some(primitive) = primitive_of(constant) {
        return match Primitive::of(expected) {
            Some(expected) => primitive == expected,
            None => boxed_fits(primitive, expected),
        };
    }
    match (constant, expected) {
        (Argument::Null, FieldType::Object(_) | FieldType::Array(_)) => true,
        (Argument::String(_) | Argument::Utf16(_), FieldType::Object(name)) => OF_STRINGS.contains(name),
        (Argument::Class(_), FieldType::Object(name)) => OF_CLASSES.contains(name),
        // An enum may implement any interface.
        (Argument::Enum { .. }, FieldType::Object(name)) => {
            Primitive::from_wrapper(name).is_none() && *name != "java/lang/String"
        }
        _ => false,
    }
}

/// A constant in words, for messages.
pub(super) fn describe(constant: &Argument) -> String {
    if let Some(primitive) = primitive_of(constant) {
        return format!("of type {}", primitive.keyword());
    }
    match constant {
        Argument::Null => "null".to_owned(),
        Argument::String(_) | Argument::Utf16(_) => "a string".to_owned(),
        Argument::Class(_) => "a class".to_owned(),
        Argument::Enum { class, constant } => format!("the enum constant {class}.{constant}"),
        _ => "a value".to_owned(),
    }
}

fn primitive_of(constant: &Argument) -> Option<Primitive> {
    match constant {
        Argument::Boolean(_) => Some(Primitive::Boolean),
        Argument::Byte(_) => Some(Primitive::Byte),
        Argument::Short(_) => Some(Primitive::Short),
        Argument::Char(_) => Some(Primitive::Char),
        Argument::Int(_) => Some(Primitive::Int),
        Argument::Long(_) => Some(Primitive::Long),
        Argument::Float(_) => Some(Primitive::Float),
        Argument::Double(_) => Some(Primitive::Double),
        _ => None,
    }
}

fn boxed_fits(primitive: Primitive, reference: &FieldType<'_>) -> bool {
    matches!(reference, FieldType::Object(name) if primitive.boxes_to(name))
}

fn reference_fits(found: &FieldType<'_>, expected: &FieldType<'_>) -> bool {
    match (found, expected) {
        (FieldType::Array(found), FieldType::Array(expected)) => {
            match (FieldType::parse(found), FieldType::parse(expected)) {
                (Ok(found), Ok(expected)) => element_fits(&found, &expected),
                _ => false,
            }
        }
        (FieldType::Array(_), FieldType::Object(name)) | (FieldType::Object(name), FieldType::Array(_)) => {
            OF_ARRAYS.contains(name)
        }
        (FieldType::Object(found), FieldType::Object(expected)) => {
            found == expected || !(is_known_final(found) && is_known_final(expected))
        }
        _ => false,
    }
}

/// Elements are never boxed or unboxed.
fn element_fits(found: &FieldType<'_>, expected: &FieldType<'_>) -> bool {
    if Primitive::of(found).is_some() || Primitive::of(expected).is_some() {
        found == expected
    } else {
        reference_fits(found, expected)
    }
}

fn is_known_final(class: &str) -> bool {
    Primitive::from_wrapper(class).is_some() || matches!(class, "java/lang/String" | "java/lang/Class")
}
