//! How far a hunt is, for people who watch.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use raddle_campaign::Progress;

/// Where nobody watches, a line now and then shows in the log that the hunt is alive.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

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
                ProgressBar::new_spinner().with_style(style)
            }),
            last_line: (!is_watched && !is_quiet).then(Instant::now),
        }
    }

    pub(crate) fn say(&self, what: String) {
        if let Some(bar) = &self.bar {
            bar.set_message(what);
            bar.tick();
        }
    }

    pub(crate) fn show(&mut self, progress: &Progress) {
        if let Some(bar) = &self.bar {
            bar.set_message(text(progress));
            bar.tick();
        }
        if self.last_line.is_some_and(|last| last.elapsed() >= BETWEEN_LINES) {
            self.last_line = Some(Instant::now());
            eprintln!("{}", text(progress));
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
        "{}: {} of {} pairs, {} plans, {} schedules, {rate} a second, {} finding{}, {} s left",
        progress.class,
        numbers.pairs_tried,
        numbers.pairs,
        numbers.plans,
        numbers.schedules,
        progress.findings,
        if progress.findings == 1 { "" } else { "s" },
        progress.left.as_secs(),
    )
}
