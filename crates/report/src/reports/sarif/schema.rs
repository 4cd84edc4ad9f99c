//! Checks documents against a JSON schema, with the words that the schema of SARIF uses: a word that is not known here is an
//! error, so that nothing passes because it was not looked at.

use std::collections::BTreeSet;

use serde_json::Value;

/// What is wrong with a document, each with its place; nothing if it is valid.
pub(super) fn problems(schema: &Value, document: &Value) -> Vec<String> {
    let mut checker = Checker {
        root: schema,
        problems: Vec::new(),
    };
    checker.check(schema, document, "$");
    checker.problems
}

struct Checker<'s> {
    root: &'s Value,
    problems: Vec<String>,
}

impl<'s> Checker<'s> {
    fn check(&mut self, schema: &'s Value, value: &Value, at: &str) {
        let words = schema.as_object().expect("a schema is an object");
        for (word, wanted) in words {
            let is_right = match word.as_str() {
                "$schema" | "$id" | "id" | "title" | "description" | "default" | "definitions" => true,
                "$ref" => {
                    let pointer = wanted.as_str().unwrap().strip_prefix('#').unwrap();
                    let referred = self.root.pointer(pointer).expect("a reference leads somewhere");
                    self.check(referred, value, at);
                    true
                }
                "type" => match wanted {
                    Value::String(name) => is_of(name, value),
                    names => {
                        let mut names = names.as_array().unwrap().iter();
                        names.any(|name| is_of(name.as_str().unwrap(), value))
                    }
                },
                "enum" => wanted.as_array().unwrap().contains(value),
                "required" => match value.as_object() {
                    Some(members) => {
                        let mut names = wanted.as_array().unwrap().iter();
                        names.all(|name| members.contains_key(name.as_str().unwrap()))
                    }
                    None => true,
                },
                "properties" => {
                    self.properties(wanted, value, at);
                    true
                }
                "additionalProperties" => {
                    self.others(schema, wanted, value, at);
                    true
                }
                "items" => {
                    for (number, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(wanted, item, &format!("{at}[{number}]"));
                    }
                    true
                }
                "minItems" => length(value).is_none_or(|length| length >= wanted.as_u64().unwrap()),
                "uniqueItems" => match value.as_array() {
                    Some(items) => {
                        let texts: BTreeSet<String> = items.iter().map(ToString::to_string).collect();
                        texts.len() == items.len()
                    }
                    None => true,
                },
                "minimum" => value
                    .as_f64()
                    .is_none_or(|number| number >= wanted.as_f64().unwrap()),
                "maximum" => value
                    .as_f64()
                    .is_none_or(|number| number <= wanted.as_f64().unwrap()),
                "anyOf" | "oneOf" => {
                    let passes = wanted.as_array().unwrap().iter().filter(|choice| {
                        let mut trial = Checker {
                            root: self.root,
                            problems: Vec::new(),
                        };
                        trial.check(choice, value, at);
                        trial.problems.is_empty()
                    });
                    let passes = passes.count();
                    if word == "oneOf" { passes == 1 } else { passes > 0 }
                }
                // None of the members that we write has a pattern; such a one would have to be looked at.
                "pattern" => !value.is_string(),
                "format" => value
                    .as_str()
                    .is_none_or(|text| is_formatted(wanted.as_str().unwrap(), text)),
                word => panic!("{word} is not known"),
            };
            if !is_right {
                self.problems
                    .push(format!("{at}: {word} is to be {wanted}, and there is {value}"));
            }
        }
    }

    fn properties(&mut self, wanted: &'s Value, value: &Value, at: &str) {
        let Some(members) = value.as_object() else { return };
        for (name, member) in members {
            if let Some(schema) = wanted.get(name) {
                self.check(schema, member, &format!("{at}.{name}"));
            }
        }
    }

    fn others(&mut self, schema: &'s Value, wanted: &'s Value, value: &Value, at: &str) {
        let Some(members) = value.as_object() else { return };
        let known = |name: &str| {
            schema
                .get("properties")
                .is_some_and(|known| known.get(name).is_some())
        };
        for (name, member) in members.iter().filter(|(name, _)| !known(name)) {
            match wanted {
                Value::Bool(true) => {}
                Value::Bool(false) => self.problems.push(format!("{at} has no {name}")),
                schema => self.check(schema, member, &format!("{at}.{name}")),
            }
        }
    }
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        name => panic!("{name} is no type"),
    }
}

fn length(value: &Value) -> Option<u64> {
    value.as_array().map(|items| items.len() as u64)
}

fn is_formatted(format: &str, text: &str) -> bool {
    let is_uri_character = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c);
    match format {
        "uri" => text.contains(':') && text.chars().all(is_uri_character),
        "uri-reference" => text.chars().all(is_uri_character),
        format => panic!("{format} is not known"),
    }
}
