//! Names and patterns as typed, to classes.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use raddle_program::{ClassId, NameError, Program, is_glob};

/// A class to analyse.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) id: ClassId,
    /// Java name.
    pub(crate) name: String,
    /// Named by the user, not only matched by a pattern.
    pub(crate) is_named: bool,
}

/// Every class once: in the order typed, those that a pattern matches sorted by name.
pub(crate) fn resolve(program: &Program, typed: &[String]) -> Result<Vec<Target>, Vec<NameError>> {
    let mut targets: Vec<Target> = Vec::new();
    let mut positions: HashMap<ClassId, usize> = HashMap::new();
    let mut errors = Vec::new();
    for text in typed {
        let is_named = !is_glob(text);
        match classes(program, text) {
            Ok(ids) => {
                for id in ids {
                    match positions.entry(id) {
                        Entry::Occupied(position) => targets[*position.get()].is_named |= is_named,
                        Entry::Vacant(position) => {
                            position.insert(targets.len());
                            targets.push(Target {
                                id,
                                name: program.name(id),
                                is_named,
                            });
                        }
                    }
                }
            }
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() {
        Ok(targets)
    } else {
        Err(errors)
    }
}

fn classes(program: &Program, text: &str) -> Result<Vec<ClassId>, NameError> {
    if is_glob(text) {
        let names = program.find_matching(text)?;
        Ok(names
            .iter()
            .map(|name| program.class_id(&name.replace('.', "/")))
            .collect())
    } else {
        Ok(vec![program.find_class(text)?])
    }
}
