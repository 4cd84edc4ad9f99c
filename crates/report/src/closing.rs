//! The list at the end of a hunt: every finding with its id, its kind, its class, one line and its folder.

use std::cmp::Reverse;
use std::fmt::Write;
use std::path::Path;

use raddle_campaign::StockJvm;
use raddle_oracle::Kind;
use raddle_plan::plain::{one_line, unbroken};

use crate::headline::headline;
use crate::hunt::{FoundHere, HuntReport, quoted, wrap};
use crate::paint::Paint;
use crate::run::kind_text;
use raddle_plan::plan_text::with_names;

const INDENT: &str = "    ";

/// The findings of a hunt in the order in which they deserve to be read: those that count before the others; exceptions,
/// deadlocks and hangs before wrong results; what a stock JVM shows before what it was not asked for; and the strongest
/// promises first.
pub fn by_weight(report: &HuntReport) -> Vec<&FoundHere> {
    let mut findings: Vec<&FoundHere> = report.classes.iter().flat_map(|class| &class.findings).collect();
    findings.sort_by_cached_key(|found| {
        let finding = &found.finding;
        (
            uncounted_because(found, report).is_some(),
            finding.violation.kind == Kind::Result,
            finding.stock_jvm != StockJvm::Confirmed,
            Reverse(finding.promise.strength),
            finding.violation.kind,
            finding.class.clone(),
            finding.id.clone(),
        )
    });
    findings
}

/// The list, if there is more than one finding or more than one class; else nothing. `details` says that everything about the
/// findings is printed already.
pub fn closing_text(report: &HuntReport, details: bool, width: usize, paint: Paint) -> String {
    let (weaker, listed): (Vec<&FoundHere>, Vec<&FoundHere>) = by_weight(report)
        .into_iter()
        .partition(|found| found.is_weaker(report.is_strict));
    if listed.is_empty() || (listed.len() < 2 && report.classes.len() < 2) {
        return paint.safe(&gone_text(report, width));
    }
    let counting = report.counting();
    let (counted, uncounted): (Vec<&FoundHere>, Vec<&FoundHere>) =
        listed.iter().partition(|found| found.counts(counting));
    let (accepted, counted): (Vec<&FoundHere>, Vec<&FoundHere>) = counted
        .into_iter()
        .partition(|found| report.accepted_because(&found.finding).is_some());
    let columns = (
        listed.iter().map(|found| found.finding.id.len()).max(),
        listed
            .iter()
            .map(|found| kind_text(found.finding.violation.kind).len())
            .max(),
    );
    let columns = (columns.0.unwrap_or(0), columns.1.unwrap_or(0));
    let mut text = String::new();
    for (heading, findings) in [
        ("Findings", counted),
        ("Accepted findings", accepted),
        ("Findings that do not count", uncounted),
    ] {
        if findings.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n{}\n", paint.strong(heading));
        for found in findings {
            row(&mut text, found, report, columns, width, paint);
        }
    }
    if !weaker.is_empty() {
        let _ = writeln!(
            text,
            "  and {} that may be by design, which {}",
            weaker.len(),
            if details { "are listed above" } else { "-v lists" }
        );
    }
    text.push_str(&gone_text(report, width));
    if !details {
        let kind = listed
            .first()
            .map_or(Kind::Result, |found| found.finding.violation.kind);
        let hint = format!(
            "In each folder, interleaving.txt shows what the threads did, step by step. raddle explain {kind} says what such a \
             finding means. -v prints all of it here."
        );
        let _ = writeln!(text, "\n{}", wrap(&hint, width));
    }
    paint.safe(&text)
}

fn row(
    text: &mut String,
    found: &FoundHere,
    report: &HuntReport,
    (ids, kinds): (usize, usize),
    width: usize,
    paint: Paint,
) {
    let finding = &found.finding;
    let kind = finding.violation.kind;
    // Painted after it was padded, since escape sequences have no width.
    let kind_column = format!("{:<kinds$}", kind_text(kind));
    let _ = writeln!(
        text,
        "  {:<ids$}   {}   {}",
        finding.id,
        paint.kind(kind, &kind_column),
        paint.strong(&one_line(&finding.class))
    );
    let room = width.saturating_sub(INDENT.len());
    for line in wrap(&unbroken(&headline(finding)), room).lines() {
        let _ = writeln!(text, "{INDENT}{line}");
    }
    if let Some(reason) = uncounted_because(found, report) {
        for line in wrap(&unbroken(&reason), room).lines() {
            let _ = writeln!(text, "{INDENT}{}", paint.doubtful(line));
        }
    }
    let folder = found.file.parent().unwrap_or(Path::new("."));
    let _ = writeln!(text, "{INDENT}{}", paint.faint(&quoted(folder)));
}

/// Accepted findings that were not found again.
fn gone_text(report: &HuntReport, width: usize) -> String {
    let mut text = String::new();
    for accepted in report.acceptance.baseline.gone(report) {
        let line = format!(
            "{} of {} is accepted and was not found again: {}",
            accepted.id, accepted.class, accepted.finding
        );
        let _ = writeln!(text, "\n{}", wrap(&unbroken(&line), width));
    }
    if !text.is_empty() {
        let hint = "If such a fault is corrected, raddle baseline --prune takes it out of the file.";
        let _ = writeln!(text, "\n{}", wrap(hint, width));
    }
    text
}

/// Why a finding does not count, or is accepted; none if it is a violation that somebody should look at.
pub(crate) fn uncounted_because(found: &FoundHere, report: &HuntReport) -> Option<String> {
    let finding = &found.finding;
    let counting = report.counting();
    if found.counts(counting) {
        return report.accepted_because(finding);
    }
    Some(match &finding.weakness {
        Some(weakness) if found.is_weaker(counting.weaker) => {
            let sentence = with_names(&finding.recording.plan, &weakness.sentence);
            format!("may be by design: {sentence}")
        }
        _ if !finding.is_promised => format!("breaks no promise that counts: {}", finding.promise.sentence),
        _ => "seen under Raddle's scheduler only, not on a stock JVM".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{hunt_sample, snapshot};

    #[test]
    fn a_list_of_all_findings_closes_a_hunt() {
        snapshot::check(
            "hunt-closing.txt",
            &closing_text(&hunt_sample::several(), false, 80, Paint::Plain),
        );
    }

    #[test]
    fn accepted_findings_are_listed_apart_and_missed_when_they_are_gone() {
        let mut report = hunt_sample::several();
        let baseline = &mut report.acceptance.baseline;
        baseline.accept(&hunt_sample::deadlock(), "never compared crosswise");
        let text = closing_text(&report, true, 80, Paint::Plain);
        let (counted, accepted) = text.split_once("Accepted findings\n").unwrap();
        assert!(!counted.contains("deadlock-"), "{text}");
        assert!(
            accepted.contains("\n    accepted: never compared crosswise\n"),
            "{text}"
        );
        report.classes[1].findings.clear();
        let text = closing_text(&report, true, 80, Paint::Plain);
        assert!(
            text.contains("deadlock-1f00c4a2 of java.util.Hashtable is accepted and was not found again:"),
            "{text}"
        );
    }

    #[test]
    fn colour_changes_nothing_but_colour() {
        let report = hunt_sample::several();
        let coloured = closing_text(&report, true, 100, Paint::Colour);
        assert!(coloured.contains("\u{1b}[1;31m"), "{coloured}");
        let mut plain = String::new();
        let mut rest = coloured.as_str();
        while let Some((before, sequence)) = rest.split_once('\u{1b}') {
            plain.push_str(before);
            rest = sequence.split_once('m').unwrap().1;
        }
        plain.push_str(rest);
        assert_eq!(plain, closing_text(&report, true, 100, Paint::Plain));
    }

    #[test]
    fn nothing_is_wider_than_the_terminal_but_words() {
        let text = closing_text(&hunt_sample::several(), false, 80, Paint::Plain);
        for line in text.lines() {
            assert!(line.chars().count() <= 80 || !line.trim().contains(' '), "{line}");
        }
    }

    #[test]
    fn one_finding_of_one_class_needs_no_list() {
        let mut report = hunt_sample::report();
        report.classes.truncate(1);
        assert_eq!(closing_text(&report, true, 80, Paint::Plain), "");
    }
}
