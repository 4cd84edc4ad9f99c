//! Constants of a type: numbers, texts, constants of enums.

use raddle_classfile::descriptor::FieldType;
use raddle_plan::{Argument, Primitive};
use raddle_program::{ClassId, Program};

/// A whole number as a value of a type; none if the type has no numbers.
pub(crate) fn number(of: &FieldType<'_>, value: i64) -> Option<Argument> {
    Some(match primitive(of)? {
        Primitive::Byte => Argument::Byte(i8::try_from(value).ok()?),
        Primitive::Short => Argument::Short(i16::try_from(value).ok()?),
        Primitive::Int => Argument::Int(i32::try_from(value).ok()?),
        Primitive::Long => Argument::Long(value),
        // Numbers in tests are small; what is not exact is not the number that was written.
        Primitive::Float => Argument::Float(f32::from(i16::try_from(value).ok()?).to_bits()),
        Primitive::Double => Argument::Double(f64::from(i32::try_from(value).ok()?).to_bits()),
        Primitive::Char => Argument::Char(u16::try_from(value).ok()?.checked_add(u16::from(b'a'))?),
        Primitive::Boolean => return None,
    })
}

/// Two values of a type; none if no constant is one.
pub(crate) fn examples(program: &Program, of: &FieldType<'_>) -> Option<Vec<Argument>> {
    if primitive(of) == Some(Primitive::Boolean) {
        return Some(vec![Argument::Boolean(true), Argument::Boolean(false)]);
    }
    let FieldType::Object(class) = of else {
        return None;
    };
    match *class {
        "java/lang/String" | "java/lang/CharSequence" | "java/lang/Object" | "java/lang/Comparable" => {
            Some(["a", "b"].map(|text| Argument::String(text.to_owned())).to_vec())
        }
        class => {
            let mut constants = enum_constants(program, program.class_id(class));
            constants.truncate(2);
            (!constants.is_empty()).then_some(constants)
        }
    }
}

/// All constants of an enum, in the order of the source; none if the class is no enum.
pub(crate) fn enum_constants(program: &Program, class: ClassId) -> Vec<Argument> {
    let Some(loaded) = program.class(class) else {
        return Vec::new();
    };
    let name = program.name(class);
    let fields = loaded.file().fields().filter(|field| field.access().is_enum());
    fields
        .map(|field| Argument::Enum {
            class: name.clone(),
            constant: field.name().into_owned(),
        })
        .collect()
}

/// A text as a value of a type, as a framework would read it from a table; none if it cannot be one.
pub(crate) fn from_text(program: &Program, of: &FieldType<'_>, text: &str) -> Option<Argument> {
    if let Some(primitive) = primitive(of) {
        return Some(match primitive {
            Primitive::Boolean => Argument::Boolean(text.eq_ignore_ascii_case("true")),
            Primitive::Byte => Argument::Byte(text.parse().ok()?),
            Primitive::Short => Argument::Short(text.parse().ok()?),
            Primitive::Int => Argument::Int(text.parse().ok()?),
            Primitive::Long => Argument::Long(text.parse().ok()?),
            Primitive::Float => Argument::Float(text.parse::<f32>().ok()?.to_bits()),
            Primitive::Double => Argument::Double(text.parse::<f64>().ok()?.to_bits()),
            Primitive::Char => {
                let mut units = text.encode_utf16();
                let unit = units.next()?;
                units.next().is_none().then_some(Argument::Char(unit))?
            }
        });
    }
    let FieldType::Object(class) = of else {
        return None;
    };
    match *class {
        "java/lang/String" | "java/lang/CharSequence" | "java/lang/Object" => {
            Some(Argument::String(text.to_owned()))
        }
        class => {
            let constants = enum_constants(program, program.class_id(class));
            let mut constants = constants.into_iter();
            constants.find(|argument| matches!(argument, Argument::Enum { constant, .. } if constant == text))
        }
    }
}

/// The primitive type that a type is, or that it boxes.
fn primitive(of: &FieldType<'_>) -> Option<Primitive> {
    Primitive::of(of).or_else(|| match of {
        FieldType::Object(class) => Primitive::from_wrapper(class),
        _ => None,
    })
}
