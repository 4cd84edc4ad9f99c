//! A whole Java file: its comment, its imports, and a body in which every name means what it meant where it was
//! written.

use std::collections::BTreeSet;
use std::fmt::Write;

use raddle_plan::TestPlan;

use crate::calls::Calls;
use raddle_plan::plan_text::simple_name;

/// Stand for what names of the plan are in, a line each.
pub(super) const CALLS: &str = "@CALLS@";
pub(super) const FAULT: &str = "@FAULT@";
pub(super) const STEPS: &str = "@STEPS@";
/// The classes of `java.lang` that files use besides those that the printer of plans keeps free.
const JAVA_LANG: [&str; 26] = [
    "AssertionError",
    "Boolean",
    "Byte",
    "CharSequence",
    "Character",
    "ClassLoader",
    "ClassNotFoundException",
    "Enum",
    "Exception",
    "IllegalStateException",
    "Integer",
    "Iterable",
    "LinkageError",
    "Long",
    "Number",
    "Process",
    "ProcessBuilder",
    "Record",
    "ReflectiveOperationException",
    "Runtime",
    "RuntimeException",
    "Short",
    "StackOverflowError",
    "StringBuilder",
    "ThreadGroup",
    "Void",
];

/// A class without anything that has names of the plan, and what to put in place of the lines that stand for that.
pub(super) struct Body {
    pub(super) text: String,
    pub(super) parts: Vec<(&'static str, String)>,
}

/// A whole file: comment, imports, and a body whose names mean the same as where it was written.
pub(super) fn file(
    head: &str,
    plan: &TestPlan,
    calls: &Calls,
    imports: impl Iterator<Item = String>,
    body: &Body,
) -> String {
    let mut file = String::new();
    for line in head.lines() {
        let _ = writeln!(file, "{}", format!("// {}", ascii(line)).trim_end());
    }
    file.push('\n');
    if let Some(package) = plan.package.as_deref().filter(|package| !package.is_empty()) {
        let _ = writeln!(file, "package {package};\n");
    }
    let mut text = body.text.clone();
    let mut all = calls.imports.clone();
    let own = default_package(plan);
    let java_lang = JAVA_LANG.iter().map(|name| format!("java.lang.{name}"));
    for import in imports.chain(java_lang) {
        let simple = simple_name(&import);
        let is_other = |other: &String| *other != import && simple_name(other) == simple;
        if own.contains(simple) || calls.imports.iter().any(is_other) {
            text = qualified(&text, simple, &import);
        } else if !import.starts_with("java.lang.") {
            all.push(import);
        }
    }
    all.sort_unstable();
    all.dedup();
    for import in all {
        let _ = writeln!(file, "import {import};");
    }
    file.push('\n');
    for line in text.lines() {
        match body.parts.iter().find(|(mark, _)| line.trim() == *mark) {
            Some((_, part)) => file.push_str(part),
            None => {
                let _ = writeln!(file, "{line}");
            }
        }
    }
    file
}

/// The plan's classes that are in no package: such names cannot be imported.
fn default_package(plan: &TestPlan) -> BTreeSet<String> {
    let classes = plan.calls().map(|(_, _, call)| call.member.class.as_str());
    classes
        .filter(|class| !class.contains('.'))
        .map(|class| class.split('$').next().unwrap_or(class).to_owned())
        .collect()
}

/// A name for a class that hides none of the plan's classes.
pub(super) fn free_name(plan: &TestPlan, wanted: &str) -> String {
    let classes: BTreeSet<&str> = plan
        .calls()
        .map(|(_, _, call)| simple_name(&call.member.class))
        .map(|class| class.split('$').next().unwrap_or(class))
        .collect();
    let mut name = wanted.to_owned();
    while classes.contains(name.as_str()) {
        name.insert_str(0, "My");
    }
    name
}

/// With the full name, or another one, wherever the simple one stands for the class.
pub(super) fn qualified(text: &str, simple: &str, full: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    let mut before = ' ';
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '"');
    while let Some(at) = rest.find(simple) {
        let (skipped, found) = rest.split_at(at);
        let after = &found[simple.len()..];
        before = skipped.chars().next_back().unwrap_or(before);
        let ends = !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        result.push_str(skipped);
        result.push_str(if is_part(before) || !ends { simple } else { full });
        before = simple.chars().next_back().unwrap_or(' ');
        rest = after;
    }
    result.push_str(rest);
    result
}

/// A Java string in ASCII, so that the encoding of the file does not matter.
pub(super) fn quoted(text: &str) -> String {
    let mut result = String::from("\"");
    for unit in text.encode_utf16() {
        match u8::try_from(unit) {
            Ok(quote @ (b'"' | b'\\')) => {
                result.push('\\');
                result.push(char::from(quote));
            }
            Ok(plain @ b' '..=b'~') => result.push(char::from(plain)),
            // Unicode escapes are replaced before literals are read, so control characters cannot use them.
            Ok(control @ 0..=0x7f) => {
                let _ = write!(result, "\\{control:03o}");
            }
            _ => {
                let _ = write!(result, "\\u{unit:04x}");
            }
        }
    }
    result.push('"');
    result
}

/// Fit for a comment: in printable ASCII, without what Java would take for a Unicode escape, and without what would end the
/// comment, such as a carriage return, after which the rest would be code.
pub(super) fn ascii(text: &str) -> String {
    let text = text
        .replace('\u{2026}', "~")
        .replace('\u{203a}', ">")
        .replace('\u{2192}', "->")
        .replace("\\u", "\\ u")
        .replace("*/", "* /");
    let plain = |c: char| if matches!(c, ' '..='~') { c } else { '?' };
    text.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_a_comment() {
        assert_eq!(
            ascii("a\rSystem.exit(1); */ \\u000a \u{1b}[2J …"),
            "a?System.exit(1); * / \\ u000a ?[2J ~"
        );
    }

    #[test]
    fn nothing_gets_out_of_a_string() {
        assert_eq!(quoted("\"\\u0022\n\u{1b}é"), r#""\"\\u0022\012\033\u00e9""#);
    }
}
