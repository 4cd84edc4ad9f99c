//! Names of parameters, as facts have them: facts speak of `this`, `sb.count` or `map.*`, and a plan has to know which
//! argument that is. The rules are those of `raddle-summary`.

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_program::{MethodId, Program};

/// Names of a method's parameters, receiver excluded.
pub(crate) fn names(program: &Program, id: MethodId) -> Vec<String> {
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
        .map(|(name, parameter)| name.unwrap_or_else(|| invented(parameter, &mut used)))
        .collect()
}

/// The name of a parameter that the class file does not name: `o` for an Object, `map` for a Map.
fn invented(parameter: &FieldType<'_>, used: &mut Vec<String>) -> String {
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
