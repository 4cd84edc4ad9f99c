//! Progress for people who watch.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};
use raddle_execute::Progress as RunProgress;

const TEMPLATE: &str = "{bar:30} {pos}/{len} {wide_msg}";

/// One line on standard error if that is a terminal, else nothing.
pub(crate) struct Line(Option<ProgressBar>);

impl Line {
    pub(crate) fn new() -> Line {
        let is_watched = std::io::stderr().is_terminal();
        Line(is_watched.then(|| {
            let style = ProgressStyle::with_template("{spinner} {wide_msg}")
                .unwrap_or_else(|_| ProgressStyle::default_spinner());
            ProgressBar::new_spinner().with_style(style)
        }))
    }

    /// How far a run is.
    pub(crate) fn show(&self, progress: &RunProgress) {
        if let Some(bar) = &self.0 {
            bar.set_message(text(progress));
            bar.tick();
        }
    }

    /// What is being done.
    pub(crate) fn say(&self, what: &'static str) {
        if let Some(bar) = &self.0 {
            bar.set_message(what);
            bar.tick();
        }
    }

    /// The same, with names in it.
    pub(crate) fn say_text(&self, what: String) {
        if let Some(bar) = &self.0 {
            bar.set_message(what);
            bar.tick();
        }
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

fn text(progress: &RunProgress) -> String {
    let rate = progress.schedules * 1000 / progress.milliseconds.max(1);
    let left = progress
        .left
        .map_or_else(String::new, |left| format!(", about {left} left"));
    format!(
        "{} schedules{left}, {rate} a second, {} different outcomes (^C ends the run and shows what was found)",
        progress.schedules, progress.outcomes
    )
}

/// A bar on standard error if that is a terminal and there is more than one thing to wait for, else nothing.
pub(crate) struct Progress(Option<ProgressBar>);

impl Progress {
    pub(crate) fn new(length: usize) -> Progress {
        let is_watched = length > 1 && std::io::stderr().is_terminal();
        Progress(is_watched.then(|| {
            let style =
                ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(length as u64).with_style(style)
        }))
    }

    /// One more done.
    pub(crate) fn advance(&self, name: &str) {
        if let Some(bar) = &self.0 {
            bar.set_message(name.to_owned());
            bar.inc(1);
        }
    }

    /// Runs something that prints, with the bar out of its way.
    pub(crate) fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        match &self.0 {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
