//! Counts, totals and times.

use std::fmt::Write;
use std::time::Duration;

use raddle_summary::{ClassFacts, Counts};

use crate::skipped::{Skipped, skip_counts};
use crate::total::Total;

/// Missing classes named unless everything is asked for.
const SHOWN_MISSING: usize = 5;

/// Sizes of the pair sets of one class.
pub(super) fn counts_text(facts: &ClassFacts) -> String {
    format!(
        "Counts   public methods {}   {}\n",
        facts.methods.len(),
        pair_counts(facts.counts)
    )
}

/// Sums over all classes, and what was skipped.
pub(super) fn total_text(total: &Total, skipped: &[Skipped], verbose: bool) -> String {
    let mut text = format!("Total   classes {}", total.classes);
    if !skipped.is_empty() {
        let _ = write!(text, "   skipped {} ({})", skipped.len(), skip_counts(skipped));
    }
    let _ = writeln!(
        text,
        "   public methods {}   {}",
        total.methods,
        pair_counts(total.counts)
    );
    if verbose {
        for skipped in skipped {
            let _ = writeln!(text, "  skipped {}: {}", skipped.class, skipped.reason);
        }
    }
    text
}

fn pair_counts(counts: Counts) -> String {
    format!(
        "|M| {}   M_pc {}   M_d {}   union {}   reduction {:.1} %",
        counts.m,
        counts.mpc,
        counts.md,
        counts.union,
        counts.reduction_percent()
    )
}

/// Classes that could not be loaded.
pub(super) fn missing_text(facts: &ClassFacts, verbose: bool) -> String {
    if facts.missing.is_empty() {
        return String::new();
    }
    let shown = if verbose {
        facts.missing.len()
    } else {
        SHOWN_MISSING
    };
    let names: Vec<&str> = facts.missing.iter().take(shown).map(String::as_str).collect();
    let more = match facts.missing.len().saturating_sub(shown) {
        0 => String::new(),
        rest => format!(", … +{rest}"),
    };
    format!(
        "Missing classes, taken to do anything: {}{more}\n",
        names.join(", ")
    )
}

/// `0.4 ms`, `12 ms`, `3.4 s`.
pub(super) fn time_text(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1000.0;
    if milliseconds < 9.95 {
        format!("{milliseconds:.1} ms")
    } else if milliseconds < 999.5 {
        format!("{milliseconds:.0} ms")
    } else {
        format!("{:.1} s", milliseconds / 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn times_have_two_or_three_digits() {
        assert_eq!(time_text(Duration::from_micros(431)), "0.4 ms");
        assert_eq!(time_text(Duration::from_micros(12_300)), "12 ms");
        assert_eq!(time_text(Duration::from_micros(999_700)), "1.0 s");
        assert_eq!(time_text(Duration::from_millis(83_400)), "83.4 s");
    }

    #[test]
    fn few_missing_classes_are_named() {
        let missing = (1..=7).map(|number| format!("a.C{number}")).collect();
        let facts = ClassFacts {
            missing,
            ..sample::account()
        };
        let brief = "Missing classes, taken to do anything: a.C1, a.C2, a.C3, a.C4, a.C5, … +2\n";
        assert_eq!(missing_text(&facts, false), brief);
        assert!(missing_text(&facts, true).ends_with("a.C6, a.C7\n"));
    }
}
