//! What came of the hunt of one class, as text.

use std::collections::BTreeMap;
use std::fmt::Write;

use raddle_campaign::{ClassReport, Conclusion, Numbers, Sighting, Silenced, Weaker};
use raddle_oracle::WeakKind;
use raddle_plan::plain::{one_line, unbroken};

use crate::coverage::coverage_text;
use crate::headline::short_calls;
use crate::hunt::{Counting, FoundHere, HuntClass, NAMED, plural, quoted, stock_jvm_text, violations};
use crate::hunt_json::whole_milliseconds;
use crate::paint::Paint;
use crate::run::kind_text;
use raddle_plan::plan_text::with_names;

/// Other calls that show a fault are named up to this many.
const ALSO: usize = 3;

/// What came of one class; nothing while it is being hunted.
pub fn class_text(hunted: &HuntClass, counting: Counting, paint: Paint) -> String {
    let Some(report) = &hunted.report else {
        return String::new();
    };
    let mut text = String::new();
    let class = &*one_line(&report.class);
    let done = done_text(&report.numbers, &report.jdk_version);
    let (promised, unpromised): (Vec<&FoundHere>, Vec<&FoundHere>) = hunted
        .findings
        .iter()
        .filter(|found| !found.is_weaker(counting.weaker))
        .partition(|found| found.finding.is_promised);
    let (counted, apart): (Vec<&FoundHere>, Vec<&FoundHere>) =
        promised.into_iter().partition(|found| found.counts(counting));
    match hunted.conclusion(counting) {
        Conclusion::Violations => {
            let _ = writeln!(text, "{class}: {}", paint.bad(&violations(counted.len())));
            let _ = writeln!(text, "  {done}");
            if !report.gaps.is_empty() {
                text.push_str("  there may be more, because:\n");
                gaps(&mut text, report);
            }
        }
        Conclusion::NothingFound => {
            let that_counts = if unpromised.is_empty() { "" } else { " that counts" };
            let _ = writeln!(
                text,
                "{class}: {}",
                paint.good(&format!("nothing found{that_counts}"))
            );
            let _ = writeln!(text, "  {done}");
            if report.coverage.shares_nothing {
                text.push_str("  its methods share nothing that changes\n");
            }
            text.push_str("  self-check passed: 2 planted bugs were caught\n");
        }
        Conclusion::Inconclusive => {
            let _ = writeln!(text, "{class}: {}, because:", paint.doubtful("inconclusive"));
            if !apart.is_empty() {
                text.push_str("  - nothing was found that a stock JVM shows as well\n");
            }
            gaps(&mut text, report);
            if report.numbers.plans + report.numbers.failed_plans > 0 {
                let _ = writeln!(text, "  {done}");
            }
        }
    }
    if report.numbers.plans + report.numbers.failed_plans > 0 {
        text.push_str(&coverage_text(class, &report.coverage));
    }
    let reason = |found: &FoundHere| stock_jvm_text(&found.finding.stock_jvm);
    apart_text(
        &mut text,
        "seen under Raddle's scheduler only, not on a stock JVM; --count-unconfirmed counts it:",
        &apart,
        reason,
    );
    apart_text(
        &mut text,
        "without a promise that it breaks; --promise all counts it:",
        &unpromised,
        |found| found.finding.promise.sentence.clone(),
    );
    if !report.predicted.is_empty() {
        let parts: Vec<String> = report
            .predicted
            .iter()
            .map(|(name, number)| format!("{name} {number}"))
            .collect();
        let _ = writeln!(text, "  foreseen: {}", parts.join(", "));
    }
    weaker(&mut text, report);
    for (id, calls) in &report.also {
        let shown: Vec<String> = calls.iter().take(ALSO).map(|calls| short_calls(calls)).collect();
        let rest = match calls.len().saturating_sub(ALSO) {
            0 => String::new(),
            rest => format!(" and {rest} more, which --json lists"),
        };
        let _ = writeln!(
            text,
            "  {id} was also seen with: {}{rest}",
            unbroken(&shown.join(", "))
        );
    }
    let repeats = report.numbers.repeats;
    if repeats > 0 {
        let _ = writeln!(
            text,
            "  {repeats} more violation{} of the same causes {} seen and not reported again",
            plural(repeats),
            if repeats == 1 { "was" } else { "were" }
        );
    }
    for Sighting { summary, why, .. } in &report.sightings {
        let _ = writeln!(
            text,
            "  seen but not confirmed ({}), so it is not reported: {}",
            unbroken(why),
            unbroken(summary)
        );
    }
    silenced(&mut text, &report.silenced);
    for note in &report.notes {
        let _ = writeln!(text, "  note: {}", note.replace('\n', "\n    "));
    }
    paint.safe(&text)
}

/// A line of a class that was not hunted again, since it is as it was on a day.
pub fn unchanged_line(hunted: &HuntClass, since: &str, counting: Counting, paint: Paint) -> String {
    let class = one_line(&hunted.class);
    let standing = match hunted.conclusion(counting) {
        Conclusion::Violations => {
            let counted = hunted.findings.iter().filter(|found| found.counts(counting));
            match counted.count() {
                1 => paint.bad("1 finding still stands"),
                count => paint.bad(&format!("{count} findings still stand")),
            }
        }
        Conclusion::NothingFound => paint.good("nothing was found then"),
        Conclusion::Inconclusive => paint.doubtful("it was inconclusive then"),
    };
    format!("{class}: unchanged since {since}, {standing}\n")
}

/// What came of one class of many, in a line; nothing while it is being hunted.
pub fn class_line(hunted: &HuntClass, counting: Counting, paint: Paint) -> String {
    let Some(report) = &hunted.report else {
        return String::new();
    };
    let Numbers {
        pairs,
        pairs_covered,
        time,
        ..
    } = &report.numbers;
    let done = format!(
        "{pairs_covered} of {pairs} pairs covered in {:.1} s",
        time.as_secs_f64()
    );
    let class = &*one_line(&report.class);
    match hunted.conclusion(counting) {
        Conclusion::Violations => {
            let counted = hunted.findings.iter().filter(|found| found.counts(counting));
            format!("{class}: {}, {done}\n", paint.bad(&violations(counted.count())))
        }
        Conclusion::NothingFound => format!("{class}: {}, {done}\n", paint.good("nothing found")),
        Conclusion::Inconclusive => {
            let gap = report.gaps.first().and_then(|gap| gap.lines().next());
            let reason = gap.unwrap_or("nothing was found that a stock JVM shows as well");
            let more = match report.gaps.len() {
                0 | 1 => String::new(),
                several => format!(" (and {} more)", several - 1),
            };
            format!(
                "{class}: {}, because {reason}{more}\n",
                paint.doubtful("inconclusive")
            )
        }
    }
}

/// Findings that do not count, a few lines each, with the reason.
fn apart_text(text: &mut String, heading: &str, apart: &[&FoundHere], reason: impl Fn(&FoundHere) -> String) {
    if apart.is_empty() {
        return;
    }
    let _ = writeln!(text, "  {heading}");
    for found in apart {
        let FoundHere { finding, file, .. } = found;
        let plan = &finding.recording.plan;
        let _ = writeln!(
            text,
            "  - {} {}: {}\n    {}\n    see {}",
            kind_text(finding.violation.kind),
            finding.id,
            unbroken(&with_names(plan, &finding.violation.summary)),
            reason(found),
            quoted(&file.with_file_name("interleaving.txt"))
        );
    }
}

/// What may be by design, a line each.
fn weaker(text: &mut String, report: &ClassReport) {
    let mut counts: BTreeMap<WeakKind, usize> = BTreeMap::new();
    for weaker in &report.weaker {
        *counts.entry(weaker.weakness.rule).or_default() += 1;
    }
    if counts.is_empty() {
        return;
    }
    let counts: Vec<String> = counts
        .into_iter()
        .map(|(rule, count)| format!("{count} {rule}"))
        .collect();
    let _ = writeln!(
        text,
        "  by design? {}; --strict counts them as violations:",
        counts.join(", ")
    );
    for Weaker { id, calls, weakness } in &report.weaker {
        let _ = writeln!(
            text,
            "  - {id}   {}: {}",
            one_line(calls),
            unbroken(&weakness.sentence)
        );
    }
}

/// What was seen and is not reported, with the documentation that excuses it.
fn silenced(text: &mut String, all: &[Silenced]) {
    let mut by_number: Vec<&Silenced> = all.iter().collect();
    by_number.sort_by_key(|silenced| std::cmp::Reverse(silenced.count));
    for Silenced {
        kind,
        methods,
        because,
        count,
    } in by_number.iter().take(NAMED)
    {
        let were = if *count == 1 { "was" } else { "were" };
        let _ = writeln!(
            text,
            "  {count} {}{} of {} {were} not reported: {because}",
            kind_text(*kind),
            plural(*count),
            unbroken(&methods.join(" and ")),
        );
    }
    if all.len() > NAMED {
        let more: u64 = by_number.iter().skip(NAMED).map(|silenced| silenced.count).sum();
        let _ = writeln!(
            text,
            "  {more} more of that kind were not reported, which --json lists"
        );
    }
    if !all.is_empty() {
        text.push_str("  --strict reports these, too\n");
    }
}

fn gaps(text: &mut String, report: &ClassReport) {
    for gap in &report.gaps {
        let _ = writeln!(text, "  - {}", gap.replace('\n', "\n    "));
    }
}

fn done_text(numbers: &Numbers, jdk: &str) -> String {
    let Numbers {
        pairs,
        pairs_covered,
        plans,
        schedules,
        time,
        ..
    } = numbers;
    format!(
        "{plans} plan{}, {pairs_covered} of {pairs} pairs of methods that could hurt each other covered, \
         {schedules} schedules in {:.1} s ({} a second) on JDK {jdk}",
        plural(*plans),
        time.as_secs_f64(),
        rate(numbers),
    )
}

/// Schedules in a second.
pub(crate) fn rate(numbers: &Numbers) -> u64 {
    numbers.schedules.saturating_mul(1000) / whole_milliseconds(numbers.time).max(1)
}
