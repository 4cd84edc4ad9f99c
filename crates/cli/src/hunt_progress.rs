//! How far a hunt is, for people who watch.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use crate::standard_output::complain;
use indicatif::{ProgressBar, ProgressStyle};
use raddle_campaign::Progress;
use raddle_plan::plain::one_line;

/// Where nobody watches, a line now and then shows in the log that the hunt is alive.
const BETWEEN_LINES: Duration = Duration::from_secs(10);
/// A sign of life while one plan takes long.
const BETWEEN_TICKS: Duration = Duration::from_millis(200);

/// What the spinner takes, and the width of a terminal that does not tell its own.
const SPINNER: usize = 3;
const NARROW: usize = 80;

/// How far a hunt of several classes is.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Overall {
    /// The class that is hunted now, from 1.
    pub(crate) number: usize,
    /// How many there are.
    pub(crate) of: usize,
    /// Until the budgets of all of them are used up.
    pub(crate) left: Duration,
}

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

    pub(crate) fn say(&self, what: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(one_line(what).into_owned());
        }
    }

    pub(crate) fn show(&mut self, progress: &Progress, overall: Overall) {
        if overall.of < 2 {
            self.show_text(&progress.class, &text(progress));
            return;
        }
        if let Some(bar) = &self.bar {
            let width = terminal_size::terminal_size_of(std::io::stderr())
                .map_or(NARROW, |(width, _)| usize::from(width.0));
            bar.set_message(overall_text(progress, overall, width.saturating_sub(SPINNER)));
        }
        self.log(|| overall_text(progress, overall, usize::MAX));
    }

    /// Something else than a hunt, for a class.
    pub(crate) fn show_text(&mut self, class: &str, text: &str) {
        let class = one_line(class);
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{text}: {class}"));
        }
        self.log(|| format!("{class}: {text}"));
    }

    fn log(&mut self, line: impl FnOnce() -> String) {
        if self.last_line.is_some_and(|last| last.elapsed() >= BETWEEN_LINES) {
            self.last_line = Some(Instant::now());
            complain!("{}", line());
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

/// `class 3 of 11, com.acme.Cache: …`, without the package if that does not fit.
fn overall_text(progress: &Progress, overall: Overall, width: usize) -> String {
    let Overall { number, of, left } = overall;
    let numbers = &progress.numbers;
    let start = format!("class {number} of {of}, ");
    let end = format!(
        ": {} of {} pairs, {} finding{}, {} left, {} in all",
        numbers.pairs_covered,
        numbers.pairs,
        progress.findings,
        if progress.findings == 1 { "" } else { "s" },
        time_text(progress.left),
        time_text(left),
    );
    let class = &progress.class;
    let room = width.saturating_sub(start.len() + end.len());
    let class = if class.chars().count() <= room {
        class
    } else {
        class.rsplit('.').next().unwrap_or(class)
    };
    format!("{start}{class}{end}")
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
        let overall = Overall {
            number: 3,
            of: 11,
            left: Duration::from_mins(88),
        };
        assert_eq!(
            overall_text(&progress, overall, 77),
            "class 3 of 11, Cache: 113 of 22242 pairs, 17 findings, 8 min left, 88 min in all"
        );
        assert!(overall_text(&progress, overall, usize::MAX).starts_with("class 3 of 11, com.acme.Cache: "));
        progress.findings = 1;
        progress.left = Duration::from_millis(61_900);
        assert!(text(&progress).ends_with(", 1 finding, 61 s left"));
    }
}
