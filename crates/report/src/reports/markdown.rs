//! Markdown for pull requests: a table, and below it each finding to be opened.

use std::fmt::Write;
use std::io;

use raddle_campaign::Conclusion;

use crate::bounded;
use crate::closing::{by_weight, uncounted_because};
use crate::headline::{calls, headline};
use crate::hunt::{FoundHere, HuntReport, commands, plural, violations};
use crate::reports::ReportError;
use crate::run::kind_text;
use raddle_plan::plan_text::with_names;

/// Code hosts refuse comments of 65,536 characters; this leaves room for what others put around it.
const LONGEST: usize = 60_000;
/// Rows of the table.
const ROWS: usize = 100;

/// The whole of it.
pub(super) fn markdown(report: &HuntReport) -> Result<String, ReportError> {
    let counting = report.counting();
    let findings = by_weight(report);
    let is_counted = |found: &FoundHere| uncounted_because(found, report).is_none();
    let counted = findings.iter().filter(|found| is_counted(found)).count();
    let mut text = String::from("## Raddle: can threads share these classes?\n\n");
    let of = |wanted: Conclusion| {
        let classes = report.classes.iter();
        classes
            .filter(|class| class.conclusion(counting) == wanted)
            .count()
    };
    let classes = report.classes.len();
    let _ = writeln!(
        text,
        "**{}** in {} of {classes} class{}; nothing found in {}, inconclusive {}. JDK {}, {:.0} s.\n",
        violations(counted),
        of(Conclusion::Violations),
        if classes == 1 { "" } else { "es" },
        of(Conclusion::NothingFound),
        of(Conclusion::Inconclusive),
        plain(&report.jdk_version),
        report.time.as_secs_f64(),
    );
    if findings.is_empty() {
        return Ok(text);
    }
    text.push_str("| kind | class | calls | finding |\n|---|---|---|---|\n");
    for found in findings.iter().take(ROWS) {
        let finding = &found.finding;
        let doubt = if is_counted(found) {
            ""
        } else {
            " (does not count)"
        };
        let _ = writeln!(
            text,
            "| {}{doubt} | {} | {} | {} |",
            kind_text(finding.violation.kind),
            plain(&finding.class),
            plain(&calls(finding)),
            plain(&finding.id),
        );
    }
    let beyond = findings.len().saturating_sub(ROWS);
    if beyond > 0 {
        let _ = writeln!(
            text,
            "\n{beyond} more finding{} in the folder.",
            plural(beyond as u64)
        );
    }
    text.push('\n');
    for (at, found) in findings.iter().enumerate() {
        let details = details(found, report)?;
        if text.len() + details.len() > LONGEST {
            let left = findings.len() - at;
            let _ = writeln!(
                text,
                "Details of {left} finding{} are too long to be shown here; they are in the folder.",
                plural(left as u64)
            );
            break;
        }
        text.push_str(&details);
    }
    Ok(text)
}

fn details(found: &FoundHere, report: &HuntReport) -> Result<String, ReportError> {
    let finding = &found.finding;
    let mut text = format!(
        "<details><summary><b>{}</b> {}</summary>\n\n",
        plain(&finding.class),
        plain(&headline(finding))
    );
    let summary = with_names(&finding.recording.plan, &finding.violation.summary);
    let _ = writeln!(text, "{}\n", plain(&summary));
    if let Some(because) = uncounted_because(found, report) {
        let _ = writeln!(text, "Does not count: {}.\n", plain(&because));
    }
    let path = found.file.with_file_name("interleaving.txt");
    match bounded::read_text(&path) {
        Ok(interleaving) => text.push_str(&fenced(&interleaving)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            text.push_str(&fenced(&commands(finding, &found.file).join("\n")));
        }
        Err(reason) => return Err(ReportError::Unreadable { path, reason }),
    }
    text.push_str("\n</details>\n\n");
    Ok(text)
}

/// Text that means nothing but itself. Names and values come from class files, and could be links, mentions or HTML.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for c in text.chars() {
        match c {
            '\n' | '\r' => plain.push(' '),
            c if c.is_control() => plain.push('\u{fffd}'),
            c if c.is_ascii_punctuation() && !"().,:;/-'?=".contains(c) => {
                let _ = write!(plain, "&#{};", u32::from(c));
            }
            c => plain.push(c),
        }
    }
    plain
}

/// Text as it is, whatever backquotes are in it.
fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}\n", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{hunt_sample, snapshot};

    #[test]
    fn a_table_and_details_for_each_finding() {
        snapshot::check("report.md", &markdown(&hunt_sample::several()).unwrap());
    }

    #[test]
    fn texts_of_class_files_mean_nothing_but_themselves() {
        assert_eq!(
            plain("<script>@you|a\nb [x](y)"),
            "&#60;script&#62;&#64;you&#124;a b &#91;x&#93;(y)"
        );
        let fenced = fenced("a\n````\nb");
        assert!(
            fenced.starts_with("`````text\n") && fenced.ends_with("\n`````\n"),
            "{fenced}"
        );
    }

    #[test]
    fn a_comment_is_not_longer_than_code_hosts_take() {
        let mut report = hunt_sample::several();
        let found = report.classes[0].findings[1].clone();
        report.classes[0].findings.extend(vec![found; 1000]);
        let text = markdown(&report).unwrap();
        assert!(text.len() < 65_000, "{}", text.len());
        assert!(text.contains("904 more findings in the folder."), "{text}");
        assert!(text.contains("are too long to be shown here"), "{text}");
    }
}
