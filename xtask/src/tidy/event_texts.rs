//! Kinds and targets of events have types, and product code compares them as such.
//!
//! A comparison with a text compiles whatever the text is, and one with a text that no event has is never true.

use std::path::Path;

use super::Problem;
use super::class_names::{is_product, product_part};
use crate::workspace;

/// What makes a text of a kind or a target.
const TEXTS: [&str; 5] = [
    ".as_deref()",
    ".as_ref()",
    ".as_str()",
    ".to_string()",
    ".unwrap_or_default()",
];
/// What looks into a text.
const SEARCHES: [&str; 7] = [
    ".contains(",
    ".ends_with(",
    ".find(",
    ".rsplit",
    ".split",
    ".starts_with(",
    ".strip_",
];

pub(super) fn check(root: &Path) -> anyhow::Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for file in workspace::files_with_extension(root, "rs")? {
        if !is_product(&file.to_string_lossy().replace('\\', "/")) {
            continue;
        }
        let text = workspace::read(root, &file)?;
        let lines = product_part(&text).lines().zip(1..);
        problems.extend(lines.filter_map(|(line, number)| {
            let name = compared_as_text(line)?;
            Some(Problem {
                file: file.clone(),
                line: Some(number),
                message: format!("`{name}` is looked at as a text; compare it as the type that it has"),
            })
        }));
    }
    Ok(problems)
}

/// The name that a line compares with a text, if it does that.
fn compared_as_text(line: &str) -> Option<&'static str> {
    let code = line.split("//").next()?;
    ["kind", "target"].into_iter().find(|name| {
        code.match_indices(name).any(|(at, _)| {
            let before = &code[..at];
            let is_whole = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            is_whole && is_looked_into(before, name, &code[at + name.len()..])
        })
    })
}

fn is_looked_into(before: &str, name: &str, mut rest: &str) -> bool {
    let mut is_text = false;
    // The name of a kind is all of it, that of a target a part.
    let named = (name == "kind").then_some(".name()");
    while let Some(after) = TEXTS
        .iter()
        .copied()
        .chain(named)
        .find_map(|text| rest.strip_prefix(text))
    {
        rest = after;
        is_text = true;
    }
    let next = rest.trim_start();
    let is_compared = next.starts_with("== \"") || next.starts_with("!= \"");
    let is_matched = next.starts_with(", \"") || (before.contains("match ") && next.starts_with(['{', ',']));
    is_compared || (is_text && is_matched) || SEARCHES.iter().any(|search| next.starts_with(search))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_kinds_and_targets_are_compared_with_are_found() {
        for line in [
            r#"if event.kind == "read" {"#,
            r#"let other = kind != "read";"#,
            r#"event.kind.name() == "read""#,
            "match event.kind.as_str() {",
            "match (event.kind.name(), before) {",
            r#"matches!(event.kind.name(), "read" | "write")"#,
            r#".is_some_and(|target| target.contains("arraycopy"))"#,
            "let (name, _) = target.to_string().split_once(':')?;",
            r#"Some(target) if target == "p.C.f:I" => {}"#,
        ] {
            assert!(compared_as_text(line).is_some(), "{line}");
        }
    }

    #[test]
    fn types_and_other_names_may_be_compared() {
        for line in [
            "if event.kind == EventKind::Read {",
            "match event.kind {",
            "match (event.kind, before) {",
            r#"target.name() == "isAlive""#,
            r#"field.name.starts_with("this$")"#,
            r#"// where kind == "read" was"#,
            r#"subkind == "read""#,
            r#"write!(f, "{}", event.kind.name())"#,
            r#"let text = named(kind, "of");"#,
            "let text = target.to_string();",
        ] {
            assert_eq!(compared_as_text(line), None, "{line}");
        }
    }
}
