//! How far a hunt is, for people who watch.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use raddle_campaign::Progress;

/// Where nobody watches, a line now and then shows in the log that the hunt is alive.
const BETWEEN_LINES: Duration = Duration::from_secs(10);
/// A sign of life while one plan takes long.
const BETWEEN_TICKS: Duration = Duration::from_millis(200);

/// One line on standard error that changes, if that is a terminal; else a line now and then.
pub(crate) struct HuntProgress {
    bar: Option<ProgressBar>,
    /// None if nothing is to be said on a pipe.
    last_line: Option<Instant>,
}

impl HuntProgress {
    /// `is_quiet` keeps pipes free of everything but results.
    pub(crate) fn new(is_quiet: bool) -> HuntProgress {
        let is_watched = std::io::stderr().is_terminal();
        HuntProgress {
            bar: is_watched.then(|| {
                let style = ProgressStyle::with_template("{spinner} {wide_msg}")
                    .unwrap_or_else(|_| ProgressStyle::default_spinner());
                let bar = ProgressBar::new_spinner().with_style(style);
                bar.enable_steady_tick(BETWEEN_TICKS);
                bar
            }),
            last_line: (!is_watched && !is_quiet).then(Instant::now),
        }
    }

    pub(crate) fn say(&self, what: String) {
        if let Some(bar) = &self.bar {
            bar.set_message(what);
        }
    }

    pub(crate) fn show(&mut self, progress: &Progress) {
        // What does not fit is cut off at the end.
        self.show_text(&progress.class, &text(progress));
    }

    /// Something else than a hunt, for a class.
    pub(crate) fn show_text(&mut self, class: &str, text: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{text}: {class}"));
        }
        if self.last_line.is_some_and(|last| last.elapsed() >= BETWEEN_LINES) {
            self.last_line = Some(Instant::now());
            eprintln!("{class}: {text}");
        }
    }

    /// Runs something that prints, with the line out of its way.
    pub(crate) fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    pub(crate) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn text(progress: &Progress) -> String {
    let numbers = &progress.numbers;
    let milliseconds = u64::try_from(numbers.time.as_millis()).unwrap_or(u64::MAX);
    let rate = numbers.schedules.saturating_mul(1000) / milliseconds.max(1);
    format!(
        "{} of {} pairs, {} schedules, {rate} a second, {} finding{}, {} left",
        numbers.pairs_covered,
        numbers.pairs,
        numbers.schedules,
        progress.findings,
        if progress.findings == 1 { "" } else { "s" },
        time_text(progress.left),
    )
}

fn time_text(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 120 {
        format!("{seconds} s")
    } else {
        format!("{} min", seconds / 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_campaign::Numbers;

    #[test]
    fn the_numbers_of_a_large_class_fit_a_small_terminal() {
        let mut progress = Progress {
            class: "com.acme.Cache".to_owned(),
            numbers: Numbers {
                pairs: 22_242,
                pairs_covered: 113,
                schedules: 1_000_000,
                time: Duration::from_secs(80),
                ..Numbers::default()
            },
            findings: 17,
            left: Duration::from_mins(8),
        };
        let line = text(&progress);
        assert_eq!(
            line,
            "113 of 22242 pairs, 1000000 schedules, 12500 a second, 17 findings, 8 min left"
        );
        assert!(line.len() < 79, "beside the spinner on 80 columns");
        progress.findings = 1;
        progress.left = Duration::from_millis(61_900);
        assert!(text(&progress).ends_with(", 1 finding, 61 s left"));
    }
}
