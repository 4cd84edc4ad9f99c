//! JUnit XML: what build servers show as tests. A class is a suite, a finding a test that fails.

use std::io;
use std::path::Path;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use raddle_campaign::Conclusion;

use crate::closing::{by_weight, uncounted_because};
use crate::headline::headline;
use crate::hunt::{FoundHere, HuntClass, HuntReport, commands};
use raddle_plan::plan_text::with_names;

/// The whole of it.
pub(super) fn junit(report: &HuntReport) -> io::Result<String> {
    let mut document = Report::new("raddle hunt");
    document.set_time(report.time);
    let findings = by_weight(report);
    for class in &report.classes {
        let own = findings.iter().filter(|found| found.finding.class == class.class);
        document.add_test_suite(suite(class, own.copied(), report));
    }
    document.to_string().map_err(io::Error::other)
}

fn suite<'f>(
    class: &HuntClass,
    findings: impl Iterator<Item = &'f FoundHere>,
    report: &HuntReport,
) -> TestSuite {
    let mut suite = TestSuite::new(class.class.as_str());
    if let Some(report) = &class.report {
        suite.set_time(report.numbers.time);
    }
    let mut fails = false;
    for found in findings {
        let case = case(found, report);
        fails |= matches!(case.status, TestCaseStatus::NonSuccess { .. });
        suite.add_test_case(case);
    }
    // A class is there also if nothing was found, or nothing can be said.
    if !fails {
        let status = match class.conclusion(report.counting()) {
            Conclusion::Inconclusive => {
                let gaps = class.report.as_ref().map(|report| report.gaps.join("; "));
                let mut skipped = TestCaseStatus::skipped();
                skipped.set_message(format!("inconclusive: {}", gaps.unwrap_or_default()));
                skipped
            }
            Conclusion::NothingFound | Conclusion::Violations => TestCaseStatus::success(),
        };
        let mut case = TestCase::new("threads can share its objects", status);
        case.set_classname(class.class.as_str());
        suite.add_test_case(case);
    }
    suite
}

fn case(found: &FoundHere, report: &HuntReport) -> TestCase {
    let finding = &found.finding;
    let kind = finding.violation.kind;
    let summary = with_names(&finding.recording.plan, &finding.violation.summary);
    let folder = found.file.parent().unwrap_or(Path::new(""));
    let description = format!(
        "{summary}\n\nid {}\nin {}\n{}\n",
        finding.id,
        folder.display(),
        commands(finding, &found.file).join("\n")
    );
    let (mut status, message) = match uncounted_because(found, report) {
        Some(because) => (TestCaseStatus::skipped(), because),
        None if !report.fails(found) => (
            TestCaseStatus::skipped(),
            format!("a finding of kind {kind} does not fail the hunt"),
        ),
        None => (
            TestCaseStatus::non_success(NonSuccessKind::Failure),
            headline(finding),
        ),
    };
    status.set_message(message);
    status.set_type(kind.name());
    status.set_description(description);
    let mut case = TestCase::new(format!("{} {}", finding.id, headline(finding)), status);
    case.set_classname(finding.class.as_str());
    case.set_time(finding.after);
    case
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use raddle_oracle::Kind;

    use super::*;
    use crate::{hunt_sample, snapshot};

    #[test]
    fn findings_are_tests_that_fail() {
        snapshot::check("report-several.xml", &junit(&hunt_sample::several()).unwrap());
    }

    #[test]
    fn what_does_not_fail_the_hunt_was_skipped() {
        let mut report = hunt_sample::several();
        report.acceptance.fail_on = Some(BTreeSet::from([Kind::Exception]));
        report
            .acceptance
            .baseline
            .accept(&hunt_sample::deadlock(), "known");
        let text = junit(&report).unwrap();
        assert!(text.contains("skipped=\"3\" failures=\"1\""), "{text}");
        for part in [
            "accepted: known",
            "a finding of kind result does not fail the hunt",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn classes_without_findings_are_tests_that_succeed_or_were_skipped() {
        snapshot::check("report-mixed.xml", &junit(&hunt_sample::report()).unwrap());
    }

    #[test]
    fn texts_of_class_files_cannot_break_the_document() {
        let mut report = hunt_sample::several();
        let finding = &mut report.classes[0].findings[0].finding;
        finding.violation.summary = "]]></failure>\u{1b}[31m & \u{0}\u{ffff} <b a=\"1\">".to_owned();
        finding.is_promised = true;
        let text = junit(&report).unwrap();
        assert!(
            !text.contains("]]></failure>\u{1b}") && !text.contains('\u{0}'),
            "{text}"
        );
        assert!(text.contains("&lt;b a="), "{text}");
    }
}
