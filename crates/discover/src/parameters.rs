//! The arguments of parameterized tests of JUnit 5 and 6.
//!
//! What annotations hold is known here: one plan for every row. What a method of the test returns is known when it runs, so
//! there is a plan for every row that it may have.

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_classfile::{Annotation, AnnotationValue};
use raddle_plan::{Argument, Call, Invoke, MemberRef};
use raddle_program::{ClassId, Program};

use crate::annotated::{Declared, methods};
use crate::constants;
use crate::lifecycle::Builder;

const PACKAGE: &str = "Lorg/junit/jupiter/params/provider/";
/// The most rows of which nobody knows how many there are.
pub(crate) const MOST_ROWS: usize = 16;
/// The variable that is one of them.
pub(crate) const ROW: &str = "row";

/// Where arguments come from.
pub(crate) enum Rows<'p> {
    /// Annotations.
    Known(Vec<Vec<Argument>>),
    /// A static method.
    Made(Factory<'p>),
}

/// A static method that returns rows.
pub(crate) struct Factory<'p> {
    method: Declared<'p>,
    /// What a row is, if it is not a value: an array, or an object that has one.
    row: Row,
    count: usize,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Row {
    Value,
    Array,
    Arguments,
}

/// The rows of a parameterized test; or why they are not known.
pub(crate) fn rows<'p>(
    program: &'p Program,
    class: ClassId,
    test: &Declared<'p>,
) -> Result<Rows<'p>, String> {
    let descriptor = test.method.descriptor();
    let parsed = MethodType::parse(&descriptor).map_err(|error| error.to_string())?;
    let mut all = Vec::new();
    for annotation in test.method.annotation_values() {
        let Some(source) = annotation.descriptor.strip_prefix(PACKAGE) else {
            continue;
        };
        let first = parsed.parameters.first();
        let first = first.ok_or_else(|| "it has arguments and no parameters".to_owned())?;
        let rows = match source {
            "ValueSource;" => values(program, &annotation, first),
            "NullSource;" => Some(vec![vec![Argument::Null]]),
            "EmptySource;" => empty(first).map(|empty| vec![vec![empty]]),
            "NullAndEmptySource;" => empty(first).map(|empty| vec![vec![Argument::Null], vec![empty]]),
            "EnumSource;" => enums(program, &annotation, first),
            "CsvSource;" => table(program, &annotation, &parsed.parameters),
            "MethodSource;" => return factory(program, class, test, &annotation).map(Rows::Made),
            _ => {
                let name = source.trim_end_matches(';').rsplit('/').next().unwrap_or(source);
                return Err(format!("its arguments come from @{name}"));
            }
        };
        all.extend(rows.ok_or_else(|| "its arguments are of a kind that only JUnit can convert".to_owned())?);
    }
    if all.is_empty() {
        return Err("it is parameterized, and where its arguments come from is not known".to_owned());
    }
    if all.iter().any(|row| row.len() != parsed.parameters.len()) {
        return Err("it has parameters that a framework fills in".to_owned());
    }
    Ok(Rows::Known(all))
}

fn values(program: &Program, annotation: &Annotation, of: &FieldType<'_>) -> Option<Vec<Vec<Argument>>> {
    let values = annotation
        .elements
        .iter()
        .flat_map(|(name, _)| annotation.all(name));
    values
        .map(|value| argument(program, value, of).map(|argument| vec![argument]))
        .collect()
}

/// A value of an annotation as one of the type of a parameter.
fn argument(program: &Program, value: &AnnotationValue, of: &FieldType<'_>) -> Option<Argument> {
    let plain = match value {
        AnnotationValue::Text(text) => return constants::from_text(program, of, text),
        AnnotationValue::Boolean(value) => Argument::Boolean(*value),
        AnnotationValue::Byte(value) => {
            constants::number(of, (*value).into()).unwrap_or(Argument::Byte(*value))
        }
        AnnotationValue::Short(value) => {
            constants::number(of, (*value).into()).unwrap_or(Argument::Short(*value))
        }
        AnnotationValue::Char(value) => Argument::Char(*value),
        AnnotationValue::Int(value) => {
            constants::number(of, (*value).into()).unwrap_or(Argument::Int(*value))
        }
        AnnotationValue::Long(value) => constants::number(of, *value).unwrap_or(Argument::Long(*value)),
        AnnotationValue::Float(value) if *of == FieldType::Double => {
            Argument::Double(f64::from(*value).to_bits())
        }
        AnnotationValue::Float(value) => Argument::Float(value.to_bits()),
        AnnotationValue::Double(value) => Argument::Double(value.to_bits()),
        AnnotationValue::Class(class) => Argument::Class(crate::annotated::java_name(class)),
        AnnotationValue::Enum { .. } | AnnotationValue::Annotation(_) | AnnotationValue::Array(_) => {
            return None;
        }
    };
    Some(plain)
}

fn empty(of: &FieldType<'_>) -> Option<Argument> {
    match of {
        FieldType::Object("java/lang/String") => Some(Argument::String(String::new())),
        FieldType::Array(element) => Some(Argument::Array {
            element: (*element).to_owned(),
            of: Vec::new(),
        }),
        _ => None,
    }
}

fn enums(program: &Program, annotation: &Annotation, of: &FieldType<'_>) -> Option<Vec<Vec<Argument>>> {
    let of = match (annotation.get("value"), of) {
        (Some(AnnotationValue::Class(class)), _) => class.trim_start_matches('L').trim_end_matches(';'),
        (_, FieldType::Object(class)) => *class,
        _ => return None,
    };
    let names = annotation.texts("names");
    let is_listed = |argument: &Argument| match argument {
        Argument::Enum { constant, .. } => names.contains(&constant.as_str()),
        _ => false,
    };
    let mut all = constants::enum_constants(program, program.class_id(of));
    match annotation.get("mode") {
        None if names.is_empty() => {}
        None => all.retain(is_listed),
        Some(AnnotationValue::Enum { constant, .. }) if constant == "INCLUDE" => all.retain(is_listed),
        Some(AnnotationValue::Enum { constant, .. }) if constant == "EXCLUDE" => {
            all.retain(|argument| !is_listed(argument));
        }
        Some(_) => return None,
    }
    let known = ["value", "names", "mode"];
    let is_known = annotation
        .elements
        .iter()
        .all(|(name, _)| known.contains(&name.as_str()));
    (is_known && !all.is_empty()).then(|| all.into_iter().map(|argument| vec![argument]).collect())
}

fn table(
    program: &Program,
    annotation: &Annotation,
    parameters: &[FieldType<'_>],
) -> Option<Vec<Vec<Argument>>> {
    let mut delimiter = ',';
    let mut quote = '\'';
    let mut nulls: Vec<&str> = Vec::new();
    let mut rows: Vec<&str> = Vec::new();
    for (name, value) in &annotation.elements {
        match (name.as_str(), value) {
            ("delimiter", AnnotationValue::Char(unit)) => delimiter = char::from_u32((*unit).into())?,
            ("quoteCharacter", AnnotationValue::Char(unit)) => quote = char::from_u32((*unit).into())?,
            ("nullValues", _) => nulls = annotation.texts("nullValues"),
            ("value", _) => rows = annotation.texts("value"),
            ("textBlock", AnnotationValue::Text(text)) => {
                let lines = text.lines().map(str::trim);
                rows = lines
                    .filter(|line| !line.is_empty() && !line.starts_with('#'))
                    .collect();
            }
            _ => return None,
        }
    }
    let row = |text: &&str| -> Option<Vec<Argument>> {
        let cells = cells(text, delimiter, quote);
        let cells = cells.iter().zip(parameters);
        cells
            .map(|((text, is_quoted), of)| {
                let is_null = !is_quoted && (text.is_empty() || nulls.contains(&text.as_str()));
                if is_null {
                    return matches!(of, FieldType::Object(_) | FieldType::Array(_))
                        .then_some(Argument::Null);
                }
                constants::from_text(program, of, text)
            })
            .collect()
    };
    rows.iter().map(row).collect()
}

/// The cells of a row, and whether they are quoted; spaces around them do not belong to them.
fn cells(row: &str, delimiter: char, quote: char) -> Vec<(String, bool)> {
    let mut all = Vec::new();
    let mut cell = String::new();
    let (mut is_quoted, mut is_open) = (false, false);
    let mut chars = row.chars().peekable();
    while let Some(c) = chars.next() {
        if is_open && c == quote && chars.peek() == Some(&quote) {
            chars.next();
            cell.push(quote);
        } else if c == quote && (is_open || cell.trim().is_empty() && !is_quoted) {
            if !is_open {
                cell.clear();
            }
            is_open = !is_open;
            is_quoted = true;
        } else if c == delimiter && !is_open {
            all.push((cell, is_quoted));
            (cell, is_quoted) = (String::new(), false);
        } else if is_open || !is_quoted {
            cell.push(c);
        }
    }
    all.push((cell, is_quoted));
    let trimmed = all.into_iter();
    trimmed
        .map(|(cell, is_quoted)| {
            let cell = if is_quoted { cell } else { cell.trim().to_owned() };
            (cell, is_quoted)
        })
        .collect()
}

fn factory<'p>(
    program: &'p Program,
    class: ClassId,
    test: &Declared<'p>,
    annotation: &Annotation,
) -> Result<Factory<'p>, String> {
    let named = annotation.texts("value");
    let own = test.method.name();
    let name = match named.as_slice() {
        [] | [""] => own.as_ref(),
        [name] => name,
        _ => return Err("its arguments come from several methods".to_owned()),
    };
    let (class, name) = match name.split_once('#') {
        Some((class, name)) => (program.class_id(&class.replace('.', "/")), name),
        None => (class, name),
    };
    let name = name.trim_end_matches("()");
    let count = MethodType::parse(&test.method.descriptor()).map_or(0, |parsed| parsed.parameters.len());
    let found = methods(program, class)
        .into_iter()
        .find(|declared| declared.method.name() == name && declared.method.descriptor().starts_with("()"));
    let Some(method) = found else {
        return Err(format!("the method {name} that has its arguments is not there"));
    };
    if !method.method.access().is_static() {
        return Err(format!("the method {name} that has its arguments is not static"));
    }
    let signature = method.method.signature().unwrap_or_default().into_owned();
    let descriptor = method.method.descriptor().into_owned();
    let row = if signature.contains("provider/Arguments;") || descriptor.ends_with("provider/Arguments;") {
        Row::Arguments
    } else if signature.contains("[Ljava/lang/Object;") || descriptor.ends_with(")[[Ljava/lang/Object;") {
        Row::Array
    } else if count == 1 {
        Row::Value
    } else {
        return Err(format!(
            "what the method {name} has of arguments cannot be taken apart"
        ));
    };
    Ok(Factory { method, row, count })
}

impl Factory<'_> {
    /// The calls that make the arguments of one row, and the arguments. The call that throws if there is no such row is one of
    /// those.
    pub(crate) fn row(
        &self,
        builder: &mut Builder<'_>,
        number: usize,
    ) -> Result<(Vec<Call>, Vec<Argument>), String> {
        let mut calls = vec![builder.call(&self.method, None)?];
        let descriptor = self.method.method.descriptor();
        let (_, made) = descriptor.split_once(')').unwrap_or_default();
        name(&mut calls, "rows");
        let list = match made {
            "Ljava/util/List;" | "Ljava/util/ArrayList;" => "rows",
            "Ljava/util/stream/Stream;" | "Ljava/util/Collection;" | "Ljava/util/Set;" => {
                let class = made
                    .trim_start_matches('L')
                    .trim_end_matches(';')
                    .replace('/', ".");
                calls.push(call(
                    Invoke::Interface,
                    (&class, "toArray", "()[Ljava/lang/Object;"),
                    "rows",
                    None,
                ));
                name(&mut calls, "array");
                calls.push(as_list("array"));
                name(&mut calls, "list");
                "list"
            }
            "Ljava/util/stream/IntStream;"
            | "Ljava/util/stream/LongStream;"
            | "Ljava/util/stream/DoubleStream;" => {
                let class = made
                    .trim_start_matches('L')
                    .trim_end_matches(';')
                    .replace('/', ".");
                calls.push(call(
                    Invoke::Interface,
                    (&class, "boxed", "()Ljava/util/stream/Stream;"),
                    "rows",
                    None,
                ));
                name(&mut calls, "boxed");
                let stream = "java.util.stream.Stream";
                calls.push(call(
                    Invoke::Interface,
                    (stream, "toArray", "()[Ljava/lang/Object;"),
                    "boxed",
                    None,
                ));
                name(&mut calls, "array");
                calls.push(as_list("array"));
                name(&mut calls, "list");
                "list"
            }
            made if made.starts_with("[L") || made.starts_with("[[") => {
                calls.push(as_list("rows"));
                name(&mut calls, "list");
                "list"
            }
            _ => {
                return Err(
                    "what has its arguments is neither a stream, nor a collection, nor an array".to_owned(),
                );
            }
        };
        let get = |of: &str, number: usize| {
            let number = Argument::Int(i32::try_from(number).unwrap_or(i32::MAX));
            let get = ("java.util.List", "get", "(I)Ljava/lang/Object;");
            call(Invoke::Interface, get, of, Some(number))
        };
        calls.push(get(list, number));
        name(&mut calls, ROW);
        let values = match self.row {
            Row::Value => return Ok((calls, vec![Argument::Var("row".to_owned())])),
            Row::Array => "row",
            Row::Arguments => {
                let arguments = "org.junit.jupiter.params.provider.Arguments";
                calls.push(call(
                    Invoke::Interface,
                    (arguments, "get", "()[Ljava/lang/Object;"),
                    "row",
                    None,
                ));
                name(&mut calls, "values");
                "values"
            }
        };
        calls.push(as_list(values));
        name(&mut calls, "arguments");
        let mut args = Vec::new();
        for place in 0..self.count {
            calls.push(get("arguments", place));
            let variable = format!("argument{}", place + 1);
            name(&mut calls, &variable);
            args.push(Argument::Var(variable));
        }
        Ok((calls, args))
    }
}

fn name(calls: &mut [Call], variable: &str) {
    if let Some(last) = calls.last_mut() {
        last.bind = Some(variable.to_owned());
    }
}

fn as_list(array: &str) -> Call {
    let member = (
        "java.util.Arrays",
        "asList",
        "([Ljava/lang/Object;)Ljava/util/List;",
    );
    Call {
        on: None,
        args: vec![Argument::Var(array.to_owned())],
        ..call(Invoke::Static, member, array, None)
    }
}

fn call(
    invoke: Invoke,
    (class, name, descriptor): (&str, &str, &str),
    on: &str,
    arg: Option<Argument>,
) -> Call {
    Call {
        bind: None,
        invoke,
        member: MemberRef {
            class: class.to_owned(),
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
        },
        on: Some(on.to_owned()),
        args: arg.into_iter().collect(),
        methods: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_trimmed_and_may_be_quoted() {
        let cell = |text: &str, is_quoted| (text.to_owned(), is_quoted);
        assert_eq!(
            cells("a b ,, '1, ''2' ,''", ',', '\''),
            [
                cell("a b", false),
                cell("", false),
                cell("1, '2", true),
                cell("", true)
            ]
        );
    }
}
