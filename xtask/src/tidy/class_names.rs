//! Names of Java classes and packages in product code: each file that has some is in the table of ARCHITECTURE.md, with
//! the reason why no property of the code can take their place.
//!
//! A list of names silences or favours the classes that somebody thought of. What documentation says of classes is data,
//! in `crates/campaign/contracts`.

use std::collections::BTreeSet;
use std::path::Path;

use super::Problem;
use crate::workspace;

const TABLE: &str = "ARCHITECTURE.md";
const HEADING: &str = "## Names of classes in the code";
/// First parts of names that Java code is found under.
const ROOTS: [&str; 9] = [
    "com", "java", "javax", "jdk", "kotlin", "net", "org", "scala", "sun",
];
/// What the language itself is made of, the runtime's own classes, and the name that examples have.
const EXEMPT: [&str; 6] = [
    "java.lang.Object",
    "java.lang.String",
    "java.lang.Class",
    "java.lang.Throwable",
    "java.lang.Raddle",
    "com.acme",
];
/// Crates that are no product.
const TEST_CRATES: [&str; 1] = ["crates/testkit/"];

pub(super) fn check(root: &Path) -> anyhow::Result<Vec<Problem>> {
    let (listed, mut problems) = table(&workspace::read(root, Path::new(TABLE))?);
    let mut used = BTreeSet::new();
    let mut files = workspace::files_with_extension(root, "rs")?;
    files.extend(workspace::files_with_extension(root, "java")?);
    for file in files {
        let name = file.to_string_lossy().replace('\\', "/");
        if !is_product(&name) {
            continue;
        }
        let text = workspace::read(root, &file)?;
        let Some((line, found)) = class_names(product_part(&text)).into_iter().next() else {
            continue;
        };
        match listed.iter().find(|(_, path)| *path == name) {
            Some((at, _)) => {
                used.insert(*at);
            }
            None => problems.push(Problem {
                message: format!(
                    "names the class or package `{found}`; decide by a property of the code, or put the file into the \
                     table \"{}\" of {TABLE} with the reason",
                    HEADING.trim_start_matches("## ")
                ),
                file,
                line: Some(line),
            }),
        }
    }
    let stale = listed.iter().filter(|(at, _)| !used.contains(at));
    problems.extend(stale.map(|(at, path)| Problem {
        file: TABLE.into(),
        line: Some(*at),
        message: format!("`{path}` names no class any more; take it out of the table"),
    }));
    Ok(problems)
}

/// The files of the table with their lines, and what is wrong with the table.
fn table(text: &str) -> (Vec<(usize, String)>, Vec<Problem>) {
    let mut listed = Vec::new();
    let mut problems = Vec::new();
    let lines = text.lines().zip(1..);
    let section = lines
        .skip_while(|(line, _)| *line != HEADING)
        .skip(1)
        .take_while(|(line, _)| !line.starts_with("## "));
    for (line, number) in section {
        let mut cells = line.trim_matches('|').split('|').map(str::trim);
        let path = cells
            .next()
            .and_then(|cell| cell.strip_prefix('`')?.strip_suffix('`'));
        let Some(path) = path else { continue };
        if cells.next().is_none_or(str::is_empty) {
            problems.push(Problem {
                file: TABLE.into(),
                line: Some(number),
                message: format!("`{path}` has no reason; say why no property can replace the names"),
            });
        }
        listed.push((number, path.to_owned()));
    }
    (listed, problems)
}

pub(super) fn is_product(file: &str) -> bool {
    let in_tests = file.contains("/tests/") || file.ends_with("/tests.rs") || file.contains("/benches/");
    let is_source = file.starts_with("crates/") && (file.contains("/src/") || file.contains("/java/"));
    is_source && !in_tests && !TEST_CRATES.iter().any(|folder| file.starts_with(folder))
}

/// What comes before the tests of a file.
pub(super) fn product_part(text: &str) -> &str {
    text.find("#[cfg(test)]\nmod tests {")
        .map_or(text, |at| &text[..at])
}

/// Names of classes and packages in string literals, with their lines.
fn class_names(text: &str) -> Vec<(usize, String)> {
    literals(text)
        .into_iter()
        .filter_map(|(line, literal)| Some((line, class_name(literal)?)))
        .collect()
}

/// The first name in a string, with dots. Descriptors of methods only say how something is called.
fn class_name(literal: &str) -> Option<String> {
    if literal.starts_with('(') {
        return None;
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_$./".contains(c);
    let words = literal.split(|c: char| !is_part(c));
    words
        .map(|word| word.replace('/', "."))
        .map(|word| word.strip_prefix('L').map_or(word.clone(), str::to_owned))
        .find(|word| {
            let mut parts = word.split('.');
            let is_root = parts.next().is_some_and(|part| ROOTS.contains(&part));
            let is_named = parts
                .next()
                .is_some_and(|part| part.starts_with(|c: char| c.is_ascii_lowercase()));
            let is_file = matches!(word.rsplit('.').next(), Some("toml" | "json"));
            is_root && is_named && !is_file && !is_exempt(word)
        })
}

fn is_exempt(word: &str) -> bool {
    let word = word.trim_end_matches('.');
    EXEMPT.iter().any(|exempt| match word.strip_prefix(exempt) {
        Some(rest) => {
            rest.is_empty()
                || *exempt == "java.lang.Raddle"
                || (*exempt == "com.acme" && rest.starts_with('.'))
        }
        None => false,
    })
}

/// String literals of Rust or Java with the lines on which they begin; comments are passed over.
fn literals(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    let mut line = 1;
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        let length = match rest {
            [b'/', b'/', ..] => end_of(rest, b"\n"),
            [b'/', b'*', ..] => end_of(rest, b"*/"),
            [b'\'', b'"' | b'\\', ..] => 2 + end_of(&rest[2..], b"'"),
            [b'r', b'#', b'"', ..] => {
                let length = 3 + end_of(&rest[3..], b"\"#");
                found.push((line, text.get(at + 3..at + length - 2).unwrap_or_default()));
                length
            }
            [b'"', ..] => {
                let length = 1 + end_of_string(&rest[1..]);
                found.push((line, text.get(at + 1..at + length - 1).unwrap_or_default()));
                length
            }
            _ => 1,
        };
        let end = (at + length).min(bytes.len());
        // A part of a character is no line.
        line += text.get(at..end).map_or(0, |passed| passed.matches('\n').count());
        at = end;
    }
    found
}

/// How many bytes there are up to the end of a mark.
fn end_of(bytes: &[u8], mark: &[u8]) -> usize {
    bytes
        .windows(mark.len())
        .position(|window| window == mark)
        .map_or(bytes.len(), |position| position + mark.len())
}

/// The same up to a quote that is not escaped.
fn end_of_string(bytes: &[u8]) -> usize {
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(usize, String)> {
        class_names(text)
    }

    #[test]
    fn names_in_literals_are_found_in_both_spellings() {
        assert_eq!(
            found(r#"x("java/util/Vector")"#),
            [(1, "java.util.Vector".to_owned())]
        );
        assert_eq!(
            found("\n\"Lorg/junit/Test;\""),
            [(2, "org.junit.Test".to_owned())]
        );
        assert_eq!(
            found(r##"r#"in com.google.common"#"##),
            [(1, "com.google.common".to_owned())]
        );
        assert_eq!(found(r#"starts_with("java.util.concurrent.")"#).len(), 1);
    }

    #[test]
    fn what_cannot_favour_a_class_is_not_found() {
        for text in [
            r#"// "java/util/Vector""#,
            r#"/* "java/util/Vector" */"#,
            r#"("(Ljava/util/List;)V")"#,
            r#""java/lang/Object""#,
            r#""java.lang.RaddleStatics""#,
            r#""com.acme.Cache""#,
            r#""jdk.toml""#,
            r#"'"' x("no name")"#,
            r#""a \" b""#,
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn the_table_has_a_reason_for_each_row() {
        let text = format!(
            "# A\n{HEADING}\n\n| file | why |\n|---|---|\n| `a/b.rs` | it must |\n| `c.rs` | |\n## B\n| `d` | x |"
        );
        let (listed, problems) = table(&text);
        assert_eq!(listed, [(6, "a/b.rs".to_owned()), (7, "c.rs".to_owned())]);
        assert_eq!(problems.len(), 1);
    }

    #[test]
    fn tests_are_no_product() {
        assert!(
            is_product("crates/campaign/src/hunt.rs")
                && is_product("crates/worker/java/java/lang/Raddle.java")
        );
        assert!(
            !is_product("crates/cli/tests/cli/hunt.rs")
                && !is_product("crates/generate/src/user_tests/tests.rs")
        );
        assert!(!is_product("crates/testkit/src/javac.rs") && !is_product("xtask/src/main.rs"));
        assert_eq!(
            product_part("a\n#[cfg(test)]\nmod tests {\n \"java/util/Vector\" }"),
            "a\n"
        );
    }
}
