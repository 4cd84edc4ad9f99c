//! Names in a Java file: what is imported, and variables that hide nothing.

use std::collections::{BTreeMap, BTreeSet};

use raddle_classfile::descriptor::{FieldType, MethodType};

use crate::{Argument, MethodBody, Part, Returned, TestPlan};

/// What the file itself uses of `java.lang`, besides what the plan brings.
const OWN_TYPES: [&str; 14] = [
    "Class",
    "Double",
    "Float",
    "InterruptedException",
    "Math",
    "Object",
    "Override",
    "Runnable",
    "StackTraceElement",
    "String",
    "SuppressWarnings",
    "System",
    "Thread",
    "Throwable",
];
/// Names that variables cannot have, since they are those of the file itself.
const TAKEN: &str =
    "absent arguments calls returned thrown threads problem CALLS SECONDS VOID UNFINISHED java";
/// Keywords and literals.
const RESERVED: &str = "abstract assert boolean break byte case catch char class const continue default do double else enum extends \
    final finally float for goto if implements import instanceof int interface long native new package private \
    protected public return short static strictfp super switch synchronized this throw throws transient try void \
    volatile while _ true false null";
/// What types cannot be called, nor variables.
const RESERVED_FOR_TYPES: &str = "var yield record sealed permits";

pub(super) struct Names {
    /// Top-level classes that go by their simple name, and their full name.
    simple: BTreeMap<String, String>,
    /// The full names that need an import.
    imports: BTreeSet<String>,
    /// By slot.
    variables: Vec<String>,
    /// Names that would hide something, besides those of variables.
    taken: BTreeSet<String>,
}

impl Names {
    pub(super) fn new(plan: &TestPlan, class_name: &str) -> Names {
        let mut mentioned = BTreeSet::new();
        for (_, _, call) in plan.calls() {
            mentioned.insert(call.member.internal_class());
            mention_types(&call.member.descriptor, &mut mentioned);
            for argument in &call.args {
                mention_in(argument, &mut mentioned);
            }
            for method in &call.methods {
                mention_method(method, &mut mentioned);
            }
        }
        let own = class_name.rsplit('.').next().unwrap_or(class_name);
        let mut simple = BTreeMap::from([(own.to_owned(), class_name.to_owned())]);
        for name in OWN_TYPES {
            simple.insert(name.to_owned(), format!("java.lang.{name}"));
        }
        // Classes without a package cannot be imported, so their names are not given away.
        for name in mentioned.iter().filter(|name| !name.contains('/')) {
            let top = nested(name).0.to_owned();
            simple.entry(top.clone()).or_insert(top);
        }
        let words = [TAKEN, RESERVED, RESERVED_FOR_TYPES].into_iter();
        let words = words.flat_map(str::split_whitespace);
        let mut taken: BTreeSet<String> = words.map(str::to_owned).collect();
        taken.extend(simple.keys().cloned());
        for name in &mentioned {
            // A variable would hide a class or package of the same name.
            let (package, class) = name.rsplit_once('/').unwrap_or(("", name));
            taken.insert(nested(class).0.to_owned());
            taken.extend(package.split('/').next().map(str::to_owned));
        }
        Names {
            simple,
            imports: BTreeSet::new(),
            variables: variables(plan, &taken),
            taken,
        }
    }

    /// The imports that are needed so far.
    pub(super) fn imports(&self) -> impl Iterator<Item = &String> {
        self.imports.iter()
    }

    /// The Java name of a variable.
    pub(super) fn variable(&self, slot: u32) -> String {
        self.variables.get(slot as usize).cloned().unwrap_or_default()
    }

    /// Names for the parameters of a method. Those of a lambda must not hide variables.
    pub(super) fn parameters(&self, method: &MethodBody) -> Vec<String> {
        let mut names = method.parameter_names();
        for name in &mut names {
            while self.taken.contains(name) || self.variables.contains(name) {
                name.push('_');
            }
        }
        names
    }

    /// A class, given by internal name; one that Java cannot spell is just an object.
    pub(super) fn class(&mut self, internal: &str) -> String {
        if !can_spell(internal) {
            return "Object".to_owned();
        }
        let (package, class) = internal.rsplit_once('/').unwrap_or(("", internal));
        let package = package.replace('/', ".");
        let (top, rest) = nested(class);
        let full = if package.is_empty() {
            top.to_owned()
        } else {
            format!("{package}.{top}")
        };
        let owner = self.simple.entry(top.to_owned()).or_insert_with(|| full.clone());
        let shown = if *owner == full {
            if !matches!(package.as_str(), "" | "java.lang") && !OWN_TYPES.contains(&top) {
                self.imports.insert(full);
            }
            top.to_owned()
        } else {
            full
        };
        format!("{shown}{}", rest.replace('$', "."))
    }

    pub(super) fn field(&mut self, field: &FieldType<'_>) -> String {
        match field {
            FieldType::Object(name) => self.class(name),
            FieldType::Array(element) => format!("{}[]", self.descriptor(element)),
            primitive => primitive.java(),
        }
    }

    pub(super) fn descriptor(&mut self, descriptor: &str) -> String {
        match FieldType::parse(descriptor) {
            Ok(field) => self.field(&field),
            Err(_) => "Object".to_owned(),
        }
    }
}

/// Whether Java can spell a name of a method or field.
pub(crate) fn is_word(name: &str) -> bool {
    let is_inner = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    name.chars().all(is_inner)
        && name.starts_with(|first: char| !first.is_numeric())
        && !RESERVED.split_whitespace().any(|word| word == name)
}

/// Whether Java can spell a class, given by internal name.
pub(super) fn can_spell(internal: &str) -> bool {
    let (package, class) = internal.rsplit_once('/').unwrap_or(("", internal));
    let (top, rest) = nested(class);
    let is_type =
        |name: &str| is_word(name) && !RESERVED_FOR_TYPES.split_whitespace().any(|word| word == name);
    (package.is_empty() || package.split('/').all(is_word))
        && is_type(top)
        && rest.split('$').skip(1).all(is_type)
}

/// Splits a class name without package into the top-level class and the rest, from `$` on. A `$` that cannot be in
/// front of a nested class's name belongs to the class.
fn nested(class: &str) -> (&str, &str) {
    let segments = class.split('$').skip(1);
    let is_nested = segments
        .into_iter()
        .all(|segment| segment.starts_with(|first: char| first.is_alphabetic() || first == '_'));
    match class.find('$') {
        Some(at @ 1..) if is_nested => class.split_at(at),
        _ => (class, ""),
    }
}

fn mention(field: &FieldType<'_>, mentioned: &mut BTreeSet<String>) {
    match field {
        FieldType::Object(name) => {
            mentioned.insert((*name).to_owned());
        }
        FieldType::Array(element) => {
            if let Ok(element) = FieldType::parse(element) {
                mention(&element, mentioned);
            }
        }
        _ => {}
    }
}

fn mention_types(descriptor: &str, mentioned: &mut BTreeSet<String>) {
    if let Ok(method) = MethodType::parse(descriptor) {
        for field in method.parameters.iter().chain(&method.result) {
            mention(field, mentioned);
        }
    }
}

fn mention_method(method: &MethodBody, mentioned: &mut BTreeSet<String>) {
    mention_types(&method.descriptor, mentioned);
    if let Some(deed) = &method.does {
        mention_types(&deed.member.descriptor, mentioned);
        mentioned.insert(deed.member.internal_class());
        deed.args
            .iter()
            .for_each(|argument| mention_in(argument, mentioned));
    }
    match &method.returns {
        Some(Returned::Value(value)) => mention_in(value, mentioned),
        Some(Returned::Made { member, .. }) => {
            mentioned.insert(member.internal_class());
        }
        _ => {}
    }
}

fn mention_in(argument: &Argument, mentioned: &mut BTreeSet<String>) {
    match argument {
        Argument::Enum { class, .. } => {
            mentioned.insert(class.replace('.', "/"));
        }
        Argument::Class(name) => {
            let descriptor = crate::class_literal(name).unwrap_or_default();
            if let Ok(field) = FieldType::parse(&descriptor) {
                mention(&field, mentioned);
            }
        }
        Argument::Array { element, of } => {
            if let Ok(element) = FieldType::parse(element) {
                mention(&element, mentioned);
            }
            for item in of {
                mention_in(item, mentioned);
            }
        }
        _ => {}
    }
}

/// A Java name for every variable, by slot.
fn variables(plan: &TestPlan, taken: &BTreeSet<String>) -> Vec<String> {
    let mut given: Vec<(Part, String)> = Vec::new();
    for variable in &plan.variables() {
        let mut name: String = variable
            .name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            name.insert(0, 'v');
        }
        let in_sight = |part: Part| part == variable.part || part == Part::Prefix;
        while taken.contains(&name)
            || given
                .iter()
                .any(|(part, other)| in_sight(*part) && *other == name)
        {
            name.push('_');
        }
        given.push((variable.part, name));
    }
    given.into_iter().map(|(_, name)| name).collect()
}
