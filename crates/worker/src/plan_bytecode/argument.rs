//! Pushing receivers and arguments.

use raddle_classfile::assembler::{Invocation, MethodAssembler};
use raddle_classfile::descriptor::FieldType;
use raddle_plan::{Argument, Primitive, Variable, class_literal};

use super::{LowerError, Lowering, box_value};

/// The bytes of the longest text constant, three for each UTF-16 unit at worst.
const LONGEST_STRING: usize = 65_535 / 3;

/// A variable's index. Plans have fewer variables than an int can count, since each has bytes in a file.
pub(super) fn slot(variable: &Variable<'_>) -> i32 {
    i32::try_from(variable.slot).unwrap_or(i32::MAX)
}

impl Lowering<'_> {
    /// Pushes an argument as a value of the parameter's type.
    pub(super) fn argument(
        &self,
        method: &mut MethodAssembler<'_>,
        argument: &Argument,
        parameter: &FieldType<'_>,
    ) -> Result<(), LowerError> {
        let found = match argument {
            Argument::Var(name) => return self.variable(method, name, parameter),
            Argument::Null => {
                method.push_null();
                return Ok(());
            }
            Argument::Boolean(value) => {
                method.push_int(i32::from(*value));
                FieldType::Boolean
            }
            Argument::Byte(value) => {
                method.push_int(i32::from(*value));
                FieldType::Byte
            }
            Argument::Short(value) => {
                method.push_int(i32::from(*value));
                FieldType::Short
            }
            Argument::Char(value) => {
                method.push_int(i32::from(*value));
                FieldType::Char
            }
            Argument::Int(value) => {
                method.push_int(*value);
                FieldType::Int
            }
            Argument::Long(value) => {
                method.push_long(*value);
                FieldType::Long
            }
            Argument::Float(bits) => {
                method.push_float(*bits);
                FieldType::Float
            }
            Argument::Double(bits) => {
                method.push_double(*bits);
                FieldType::Double
            }
            Argument::String(text) => {
                push_string(method, &text.encode_utf16().collect::<Vec<_>>());
                FieldType::Object("java/lang/String")
            }
            Argument::Utf16(units) => {
                push_string(method, units);
                FieldType::Object("java/lang/String")
            }
            Argument::Class(name) => {
                push_class(method, name);
                FieldType::Object("java/lang/Class")
            }
            Argument::Enum { class, constant } => {
                let class = class.replace('.', "/");
                let descriptor = format!("L{class};");
                method.get_static(&class, constant, &descriptor);
                cast(method, &FieldType::Object(&class), parameter);
                return Ok(());
            }
            Argument::Array { element, of } => {
                self.array(method, &FieldType::parse(element)?, of)?;
                cast(method, &FieldType::Array(element), parameter);
                return Ok(());
            }
        };
        if Primitive::of(parameter).is_none() {
            box_value(method, &found);
        }
        Ok(())
    }

    /// Pushes what a variable holds as a value of the expected type.
    pub(super) fn variable(
        &self,
        method: &mut MethodAssembler<'_>,
        name: &str,
        expected: &FieldType<'_>,
    ) -> Result<(), LowerError> {
        let variable = self
            .variables
            .find(self.part, name)
            .ok_or_else(|| LowerError::Variable {
                name: name.to_owned(),
            })?;
        method.load_reference(0).push_int(slot(variable)).load_element();
        convert(method, &FieldType::Object("java/lang/Object"), expected);
        Ok(())
    }

    fn array(
        &self,
        method: &mut MethodAssembler<'_>,
        element: &FieldType<'_>,
        of: &[Argument],
    ) -> Result<(), LowerError> {
        // Longer ones do not come into a method.
        let len = i32::try_from(of.len()).unwrap_or(i32::MAX);
        method.push_int(len).new_array(element);
        for (index, item) in (0..len).zip(of) {
            if !is_default(item) || (Primitive::of(element).is_none() && !matches!(item, Argument::Null)) {
                method.dup().push_int(index);
                self.argument(method, item, element)?;
                method.store_element(element);
            }
        }
        Ok(())
    }
}

/// Whether a new array has this value already.
fn is_default(item: &Argument) -> bool {
    matches!(
        item,
        Argument::Null
            | Argument::Boolean(false)
            | Argument::Byte(0)
            | Argument::Short(0)
            | Argument::Char(0)
            | Argument::Int(0)
            | Argument::Long(0)
            | Argument::Float(0)
            | Argument::Double(0)
    )
}

/// Makes the value on top one of the expected type: boxes it, takes it out of its box, or has it checked.
pub(super) fn convert(method: &mut MethodAssembler<'_>, found: &FieldType<'_>, expected: &FieldType<'_>) {
    match (Primitive::of(found), Primitive::of(expected)) {
        (Some(_), Some(_)) => {}
        (Some(_), None) => box_value(method, found),
        (None, Some(primitive)) => {
            let wrapper = primitive.wrapper();
            let unboxing = format!("{}Value", primitive.keyword());
            let descriptor = format!("(){}", primitive.descriptor());
            method
                .check_cast(wrapper)
                .invoke(Invocation::Virtual, wrapper, &unboxing, &descriptor);
        }
        (None, None) => cast(method, found, expected),
    }
}

/// Makes the reference on top one of the expected type, unless it is known to be.
fn cast(method: &mut MethodAssembler<'_>, found: &FieldType<'_>, expected: &FieldType<'_>) {
    match expected {
        _ if found == expected => {}
        FieldType::Object("java/lang/Object") => {}
        FieldType::Object(name) => {
            method.check_cast(name);
        }
        FieldType::Array(element) => {
            method.check_cast(&format!("[{element}"));
        }
        _ => {}
    }
}

fn push_string(method: &mut MethodAssembler<'_>, units: &[u16]) {
    let mut pieces = units.chunks(LONGEST_STRING);
    method.push_string(pieces.next().unwrap_or_default());
    for piece in pieces {
        method.push_string(piece).invoke(
            Invocation::Virtual,
            "java/lang/String",
            "concat",
            "(Ljava/lang/String;)Ljava/lang/String;",
        );
    }
}

fn push_class(method: &mut MethodAssembler<'_>, name: &str) {
    let descriptor = class_literal(name).unwrap_or_default();
    match FieldType::parse(&descriptor) {
        Ok(FieldType::Object(class)) => {
            method.push_class(class);
        }
        Ok(FieldType::Array(_)) => {
            method.push_class(&descriptor);
        }
        // Primitive types have no class constants.
        Ok(primitive) => {
            let wrapper = Primitive::of(&primitive).map_or("java/lang/Void", Primitive::wrapper);
            method.get_static(wrapper, "TYPE", "Ljava/lang/Class;");
        }
        Err(_) => {
            method.get_static("java/lang/Void", "TYPE", "Ljava/lang/Class;");
        }
    }
}
