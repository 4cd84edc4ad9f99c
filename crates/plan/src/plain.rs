//! Text of strangers, made fit to be shown.
//!
//! Messages of exceptions, names of threads, classes and methods, and what tests print may contain anything: sequences
//! that move a terminal's cursor or change its title, commands to a build server that reads what it logs, lines that look like
//! ours, megabytes. Whatever is shown to people goes
//! through here. JSON is written as it is, since it has escapes of its own.

use std::borrow::Cow;
use std::fmt::Write;

/// Characters of a text on one line.
const LONGEST: usize = 400;

/// How build servers are told to set variables, hide text or call the build a success, wherever it stands in a line:
/// those of GitHub, Azure and `TeamCity`.
const COMMANDS: [&str; 3] = ["##[", "##vso[", "##teamcity["];
/// How GitHub is told in its newer way, at the beginning of a line.
const COMMAND_LINE: &str = "::";

/// Fit for a line: no longer than a few hundred characters, and without anything that would end the line.
pub fn one_line(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST && !text.chars().any(is_harmful_or_new_line) {
        return disarmed(Cow::Borrowed(text));
    }
    let mut line = String::new();
    let mut characters = text.chars();
    for character in characters.by_ref().take(LONGEST) {
        push(&mut line, character, is_harmful_or_new_line(character));
    }
    if characters.next().is_some() {
        line.push('…');
    }
    disarmed(Cow::Owned(line))
}

/// A sentence of ours with names of strangers in it: however long, it stays one line.
pub fn unbroken(text: &str) -> Cow<'_, str> {
    escaped(text, is_harmful_or_new_line)
}

/// Fit for a terminal: all its lines, without anything that a terminal would obey.
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, is_harmful)
}

fn escaped(text: &str, is_shown_by_number: fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(is_shown_by_number) {
        return disarmed(Cow::Borrowed(text));
    }
    let mut result = String::new();
    for character in text.chars() {
        push(&mut result, character, is_shown_by_number(character));
    }
    disarmed(Cow::Owned(result))
}

/// Without commands: the first character of each is shown by its number.
fn disarmed(mut text: Cow<'_, str>) -> Cow<'_, str> {
    for command in COMMANDS {
        if text.contains(command) {
            text = Cow::Owned(text.replace(command, &format!("\\u{{23}}{}", &command[1..])));
        }
    }
    let is_command = |line: &str| line.trim_start().starts_with(COMMAND_LINE);
    if !text.split('\n').any(is_command) {
        return text;
    }
    let line = |line: &str| {
        if is_command(line) {
            line.replacen(COMMAND_LINE, "\\u{3a}:", 1)
        } else {
            line.to_owned()
        }
    };
    Cow::Owned(text.split('\n').map(line).collect::<Vec<_>>().join("\n"))
}

fn push(text: &mut String, character: char, is_shown_by_number: bool) {
    if is_shown_by_number {
        let _ = match character {
            '\n' => text.write_str("\\n"),
            '\r' => text.write_str("\\r"),
            '\t' => text.write_str("\\t"),
            other => write!(text, "\\u{{{:x}}}", u32::from(other)),
        };
    } else {
        text.push(character);
    }
}

fn is_harmful_or_new_line(character: char) -> bool {
    matches!(character, '\n' | '\t') || is_harmful(character)
}

/// Controls, and what changes the direction of the text around it.
fn is_harmful(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}' => true,
        other => other.is_control(),
    }
}

/// A value without the class in front of it: `20` of `java.math.BigDecimal 20`.
pub fn plain_value(value: &str) -> &str {
    match value.split_once(' ') {
        Some((class, rest)) if !rest.is_empty() && is_class_name(class) => rest,
        _ => value,
    }
}

fn is_class_name(word: &str) -> bool {
    let is_part = |part: &str| {
        part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
            && part.starts_with(|c: char| c.is_alphabetic() || c == '_')
    };
    word.contains('.') && word.split('.').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_text_stays_as_it_is() {
        for text in ["", "list.add(\"a\")", "größer → 1 … 漢字"] {
            assert!(matches!(one_line(text), Cow::Borrowed(same) if same == text));
            assert!(matches!(lines(text), Cow::Borrowed(same) if same == text));
        }
        assert!(matches!(lines("a\n\tb\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_terminal_is_not_told_what_to_do() {
        assert_eq!(
            lines("\u{1b}[2J\u{1b}]0;title\u{7}x\r\n"),
            "\\u{1b}[2J\\u{1b}]0;title\\u{7}x\\r\n"
        );
        assert_eq!(lines("\u{9b}31m\u{7f}\u{0}"), "\\u{9b}31m\\u{7f}\\u{0}");
        assert_eq!(lines("a\u{202e}b\u{2066}c"), "a\\u{202e}b\\u{2066}c");
    }

    #[test]
    fn a_build_server_is_not_told_what_to_do() {
        assert_eq!(
            lines("threw X: ##vso[task.complete result=Succeeded]\n  ::add-mask::a\nA::b\n"),
            "threw X: \\u{23}#vso[task.complete result=Succeeded]\n  \\u{3a}:add-mask::a\nA::b\n"
        );
        assert_eq!(
            one_line("###[error]x ##teamcity[y"),
            "#\\u{23}#[error]x \\u{23}#teamcity[y"
        );
        assert_eq!(unbroken("::error::x\n::y"), "\\u{3a}:error::x\\n::y");
        assert!(matches!(lines("# A\n## B [c]\nList::add\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_line_stays_one_line() {
        assert_eq!(
            one_line("no\nno violation in 10 schedules\u{2028}\t\r"),
            "no\\nno violation in 10 schedules\\u{2028}\\t\\r"
        );
        let long = format!("{}\nx", "x".repeat(1000));
        assert_eq!(unbroken(&long).len(), long.len() + 1);
    }

    #[test]
    fn a_long_text_is_cut() {
        let long = one_line(&"x".repeat(3 << 20)).into_owned();
        assert_eq!(long.chars().count(), LONGEST + 1);
        assert!(long.ends_with("x…"));
    }

    #[test]
    fn a_value_is_shown_without_its_class() {
        assert_eq!(plain_value("java.lang.StringBuilder \"a b\""), "\"a b\"");
        assert_eq!(
            plain_value("a java.util.concurrent.Future"),
            "a java.util.concurrent.Future"
        );
        assert_eq!(plain_value("1.5 or so"), "1.5 or so");
        assert_eq!(plain_value("\"a.b c\""), "\"a.b c\"");
    }
}
