//! Objects whose class the plan writes: a lambda where one method is all there is to an interface, else an anonymous
//! class.

use std::fmt::Write;

use raddle_classfile::descriptor::{FieldType, MethodType};

use super::{Expression, Printer};
use crate::{Argument, Call, Invoke, MethodBody, Part, Primitive, Returned};

impl Printer<'_> {
    pub(super) fn implementation(&mut self, part: Part, call: &Call, class: &str) -> String {
        if let (Invoke::Implement, [method]) = (call.invoke, call.methods.as_slice()) {
            let lambda = self.lambda(part, method);
            return match call.bind {
                Some(_) => lambda,
                // Nothing else says what it is.
                None => format!("({class}) {lambda}"),
            };
        }
        let mut text = format!("new {class}() {{\n");
        for method in &call.methods {
            // Writing to a string does not fail.
            let _ = self.method(&mut text, part, method);
        }
        text.push('}');
        text
    }

    fn lambda(&mut self, part: Part, method: &MethodBody) -> String {
        let names = self.names.parameters(method);
        let body = self
            .returned(part, method, &names)
            .unwrap_or_else(|| "{ }".to_owned());
        match names.as_slice() {
            [name] => format!("{name} -> {body}"),
            names => format!("({}) -> {body}", names.join(", ")),
        }
    }

    fn method(&mut self, text: &mut String, part: Part, method: &MethodBody) -> std::fmt::Result {
        let Ok(types) = MethodType::parse(&method.descriptor) else {
            return Ok(());
        };
        let names = self.names.parameters(method);
        let parameters: Vec<String> = types
            .parameters
            .iter()
            .zip(&names)
            .map(|(field, name)| format!("{} {name}", self.names.field(field)))
            .collect();
        let parameters = parameters.join(", ");
        let result = types
            .result
            .as_ref()
            .map_or_else(|| "void".to_owned(), |result| self.names.field(result));
        writeln!(text, "    public {result} {}({parameters}) {{", method.name)?;
        if let Some(value) = self.returned(part, method, &names) {
            writeln!(text, "        return {value};")?;
        }
        writeln!(text, "    }}")
    }

    /// What a method gives back; none if it is void.
    fn returned(&mut self, part: Part, method: &MethodBody, names: &[String]) -> Option<String> {
        let types = MethodType::parse(&method.descriptor).ok()?;
        let result = types.result.as_ref()?;
        let returned = method.returned()?;
        let name = |at: &usize| names.get(*at);
        Some(match &returned {
            Returned::Value(value) => self.constant(part, value, result),
            Returned::Parameter(at) => self.converted(
                Expression {
                    text: name(at)?.clone(),
                    descriptor: descriptor(types.parameters.get(*at)?),
                },
                result,
            ),
            Returned::Increment(at) => format!("{} + 1", name(at)?),
            Returned::Sum(one, other) => format!("{} + {}", name(one)?, name(other)?),
            Returned::Larger(one, other) => format!("Math.max({}, {})", name(one)?, name(other)?),
            Returned::Made { member, .. } => {
                format!("{}.{}()", self.names.class(&member.internal_class()), member.name)
            }
        })
    }

    /// A constant without a cast that nobody needs: the type of a method's result is no secret.
    fn constant(&mut self, part: Part, value: &Argument, result: &FieldType<'_>) -> String {
        let text = self.argument(part, value, result);
        let cast = format!("({}) ", self.names.field(result));
        match text.strip_prefix(&cast) {
            Some(bare @ ("null" | "true" | "false")) => bare.to_owned(),
            Some(bare) if bare.starts_with('"') => bare.to_owned(),
            _ => text,
        }
    }
}

fn descriptor(field: &FieldType<'_>) -> String {
    match field {
        FieldType::Object(name) => format!("L{name};"),
        FieldType::Array(element) => format!("[{element}"),
        primitive => Primitive::of(primitive)
            .map_or("", Primitive::descriptor)
            .to_owned(),
    }
}
