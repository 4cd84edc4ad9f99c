//! Objects whose class the plan writes: a lambda where one method is all there is to an interface, else an anonymous
//! class.

use std::fmt::Write;

use raddle_classfile::descriptor::{FieldType, MethodType};

use super::{Expression, Printer, names, reflection};
use crate::{Argument, Call, Deed, Invoke, MethodBody, Part, Returned};

impl Printer<'_> {
    /// `arguments` are those of the superclass's constructor.
    pub(super) fn implementation(&mut self, part: Part, call: &Call, class: &str, arguments: &str) -> String {
        let is_known = names::can_spell(&call.member.internal_class());
        if let (Invoke::Implement, [method], true) = (call.invoke, call.methods.as_slice(), is_known) {
            let lambda = self.lambda(part, method, call.held());
            return match call.bind {
                Some(_) => lambda,
                // Nothing else says what it is.
                None => format!("({class}) {lambda}"),
            };
        }
        let can_spell = |method: &MethodBody| {
            names::is_word(&method.name) && reflection::can_spell_types(method.java_descriptor())
        };
        let is_plain = is_known && call.methods.iter().all(can_spell);
        if call.invoke == Invoke::Implement && (call.methods.len() > crate::MOST_WRITTEN || !is_plain) {
            return self.proxy(part, call, class);
        }
        let mut text = format!("new {class}({arguments}) {{\n");
        for method in &call.methods {
            // Writing to a string does not fail.
            let _ = self.method(&mut text, part, method, call.held());
        }
        text.push('}');
        text
    }

    /// An object of an interface with more methods than anybody wants to read: those that give nothing but 0 or null are left
    /// out.
    fn proxy(&mut self, part: Part, call: &Call, class: &str) -> String {
        let mut cases: Vec<(String, String)> = Vec::new();
        for method in call.methods.iter().filter(|method| method.returns.is_some()) {
            let names = self.names.parameters(method);
            if let Some(value) = self.returned(part, method, &names, call.held())
                && !cases.iter().any(|(name, _)| *name == method.name)
            {
                cases.push((method.name.clone(), value));
            }
        }
        let internal = call.member.internal_class();
        let literal = if names::can_spell(&internal) {
            format!("{class}.class")
        } else {
            self.reflected_type(&format!("L{internal};"))
        };
        let mut text = format!(
            "({class}) java.lang.reflect.Proxy.newProxyInstance(\n        \
             Thread.currentThread().getContextClassLoader(), new Class[] {{{literal}}},\n        \
             (self, method, arguments) -> switch (method.getName()) {{\n"
        );
        for (name, value) in cases {
            let name = super::literal::string(name.encode_utf16());
            // Writing to a string does not fail.
            let _ = writeln!(text, "            case {name} -> {value};");
        }
        text.push_str(
            "            case \"equals\" -> self == arguments[0];
            case \"hashCode\" -> System.identityHashCode(self);
            default -> method.getReturnType() == void.class ? null : java.lang.reflect.Array.get(
                    java.lang.reflect.Array.newInstance(method.getReturnType(), 1), 0);
        })",
        );
        text
    }

    fn lambda(&mut self, part: Part, method: &MethodBody, held: &[Argument]) -> String {
        let names = self.names.parameters(method);
        let deed = method
            .does
            .as_ref()
            .map(|deed| self.deed(part, deed, &names, held));
        let returned = self.returned(part, method, &names, held);
        let body = match (deed, returned) {
            (None, None) => "{ }".to_owned(),
            (None, Some(value)) => value,
            (Some(deed), None) => format!("{{ {deed}; }}"),
            (Some(deed), Some(value)) => format!("{{ {deed}; return {value}; }}"),
        };
        match names.as_slice() {
            [name] => format!("{name} -> {body}"),
            names => format!("({}) -> {body}", names.join(", ")),
        }
    }

    /// A call on what the object holds, or on what the method is given. Exceptions that the compiler would ask for are the caller's to expect: a method that the
    /// plan writes declares none, so no deed is made of a method that does.
    fn deed(&mut self, part: Part, deed: &Deed, names: &[String], held: &[Argument]) -> String {
        let class = deed.member.internal_class();
        let on = FieldType::Object(&class);
        let receiver = if deed.given {
            names.get(deed.on).cloned()
        } else {
            held.get(deed.on).map(|held| self.argument(part, held, &on))
        };
        let receiver = receiver.unwrap_or_else(|| "null".to_owned());
        let receiver = if receiver.starts_with('(') {
            format!("({receiver})")
        } else {
            receiver
        };
        let types = MethodType::parse(&deed.member.descriptor);
        let parameters = types.map(|types| types.parameters).unwrap_or_default();
        let arguments: Vec<String> = deed
            .args
            .iter()
            .zip(&parameters)
            .map(|(argument, parameter)| self.argument(part, argument, parameter))
            .collect();
        if !reflection::can_spell(&deed.member) {
            return self.reflect(&deed.member, &receiver, &arguments);
        }
        format!("{receiver}.{}({})", deed.member.name, arguments.join(", "))
    }

    fn method(
        &mut self,
        text: &mut String,
        part: Part,
        method: &MethodBody,
        held: &[Argument],
    ) -> std::fmt::Result {
        let Ok(types) = MethodType::parse(method.java_descriptor()) else {
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
        if let Some(deed) = &method.does {
            let deed = self.deed(part, deed, &names, held);
            writeln!(text, "        {deed};")?;
        }
        if let Some(value) = self.returned(part, method, &names, held) {
            writeln!(text, "        return {value};")?;
        }
        writeln!(text, "    }}")
    }

    /// What a method gives back; none if it is void.
    fn returned(
        &mut self,
        part: Part,
        method: &MethodBody,
        names: &[String],
        held: &[Argument],
    ) -> Option<String> {
        let types = MethodType::parse(method.java_descriptor()).ok()?;
        let result = types.result.as_ref()?;
        let returned = method.returned()?;
        let name = |at: &usize| names.get(*at);
        Some(match &returned {
            Returned::Value(value) => self.constant(part, value, result),
            Returned::Parameter(at) => self.converted(
                Expression {
                    text: name(at)?.clone(),
                    descriptor: types.parameters.get(*at)?.descriptor(),
                },
                result,
            ),
            Returned::Increment(at) => format!("{} + 1", name(at)?),
            Returned::Sum(one, other) => format!("{} + {}", name(one)?, name(other)?),
            Returned::Larger(one, other) => format!("Math.max({}, {})", name(one)?, name(other)?),
            Returned::Held(at) => self.argument(part, held.get(*at)?, result),
            Returned::Made { member, .. } if !reflection::can_spell(member) => {
                let made = self.reflect(member, "null", &[]);
                format!("({}) {made}", self.names.field(result))
            }
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
