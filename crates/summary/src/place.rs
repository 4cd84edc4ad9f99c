//! Names of methods, parameters and places, as a person reads them.

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_program::{MethodId, Program};

use crate::facts::Place;

/// `equals(java.lang.Object)`.
pub(crate) fn signature(program: &Program, id: MethodId) -> String {
    let Some((_, method)) = program.method(id) else {
        return String::from("?");
    };
    let name = program.text(method.name);
    match MethodType::parse(program.text(method.descriptor)) {
        Ok(types) => {
            let parameters: Vec<String> = types.parameters.iter().map(FieldType::java).collect();
            format!("{name}({})", parameters.join(", "))
        }
        Err(_) => format!("{name}{}", program.text(method.descriptor)),
    }
}

/// A bytecode place with its source line.
pub(crate) fn place(program: &Program, id: MethodId, bci: u32) -> Place {
    let mut place = Place {
        class: program.name(id.class),
        method: signature(program, id),
        bci,
        source: None,
        line: None,
    };
    if let Some((class, _)) = program.method(id) {
        place.source = class.file().source_file().map(std::borrow::Cow::into_owned);
        let view = class.file().methods().nth(usize::from(id.index));
        if let Some(Ok(Some(code))) = view.map(|view| view.code()) {
            let lines = code.line_numbers();
            place.line = lines
                .iter()
                .rev()
                .find(|(start, _)| *start <= bci)
                .map(|&(_, line)| class.file().line_map().line(line));
        }
    }
    place
}

/// Names of the parameters, receiver excluded: from the debug information, else from the `MethodParameters`
/// attribute, else made from the parameter's type (`o` for an Object, `map` for a Map), since the JDK's own classes
/// carry neither.
pub fn parameter_names(program: &Program, id: MethodId) -> Vec<String> {
    let Some((class, method)) = program.method(id) else {
        return Vec::new();
    };
    let Ok(types) = MethodType::parse(program.text(method.descriptor)) else {
        return Vec::new();
    };
    let mut names: Vec<Option<String>> = vec![None; types.parameters.len()];
    if let Some(view) = class.file().methods().nth(usize::from(id.index)) {
        for (slot, name) in names.iter_mut().zip(view.parameter_names()) {
            *slot = name.map(std::borrow::Cow::into_owned);
        }
        if let Ok(Some(code)) = view.code() {
            let variables = code.local_variables();
            let mut local = u16::from(!method.access.is_static());
            for (slot, parameter) in names.iter_mut().zip(&types.parameters) {
                if let Some(variable) = variables.iter().find(|v| v.slot == local && v.start == 0) {
                    *slot = Some(variable.name.clone().into_owned());
                }
                local += parameter.slots();
            }
        }
    }
    let mut used: Vec<String> = names.iter().flatten().cloned().collect();
    names
        .into_iter()
        .zip(&types.parameters)
        .map(|(name, parameter)| name.unwrap_or_else(|| invent(parameter, &mut used)))
        .collect()
}

fn invent(parameter: &FieldType<'_>, used: &mut Vec<String>) -> String {
    let base = match parameter {
        FieldType::Object("java/lang/Object") => "o".to_owned(),
        FieldType::Object(name) => {
            let simple = name.rsplit(['/', '$']).next().unwrap_or(name);
            let mut letters = simple.chars();
            letters.next().map_or_else(
                || "o".to_owned(),
                |first| first.to_lowercase().chain(letters).collect(),
            )
        }
        FieldType::Array(_) => "array".to_owned(),
        other => other.java().chars().take(1).collect(),
    };
    let mut name = base.clone();
    let mut number = 2;
    while used.contains(&name) {
        name = format!("{base}{number}");
        number += 1;
    }
    used.push(name.clone());
    name
}
