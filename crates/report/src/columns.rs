//! Lines in columns, one for each thread.

use std::fmt::Write;

use raddle_plan::Outcome;
use raddle_plan::plain::one_line;

use raddle_plan::plan_text::{shorten, shorten_source};

/// Narrower columns cannot hold an event: then all threads share one, with their numbers in front.
const NARROWEST: usize = 34;
const GAP: usize = 2;
/// How far in is what goes on from the line before.
const HANGING: usize = 4;

/// A column for each thread, or one for all.
pub(crate) struct Columns {
    first: u32,
    last: u32,
    /// None if all threads share one column.
    width: Option<usize>,
    total: usize,
}

impl Columns {
    pub(crate) fn new(first: u32, last: u32, total: usize) -> Columns {
        let count = (last.max(first) - first) as usize + 1;
        let width = ((total + GAP) / count).saturating_sub(GAP);
        Columns {
            first,
            last: last.max(first),
            width: (width >= NARROWEST && count > 1).then_some(width),
            total,
        }
    }

    pub(crate) fn heading(&self, outcome: &Outcome) -> String {
        let Some(width) = self.width else {
            return String::new();
        };
        let mut text = String::new();
        for thread in self.first..=self.last {
            let name = match outcome.threads.get(thread as usize) {
                _ if thread == 0 => "prefix and after".to_owned(),
                Some(end) if !end.name.is_empty() => one_line(&end.name).into_owned(),
                _ => format!("thread {thread}"),
            };
            let name = shorten(&name, width);
            if thread == self.last {
                text.push_str(&name);
            } else {
                let _ = write!(text, "{name:<0$}", width + GAP);
            }
        }
        text.push('\n');
        for thread in self.first..=self.last {
            text.push_str(&"-".repeat(width));
            text.push_str(if thread == self.last { "\n" } else { "  " });
        }
        text
    }

    /// The event to the left of its column, `inset` further in, its place to the right. What is too long goes on in the next
    /// line.
    pub(crate) fn write(&self, text: &mut String, thread: u32, inset: usize, event: &str, place: &str) {
        let (indent, width) = match self.width {
            Some(width) => {
                let column = thread.saturating_sub(self.first) as usize;
                (" ".repeat(column * (width + GAP)), width)
            }
            None => (
                format!("{thread:>3}  "),
                self.total.saturating_sub(5).max(NARROWEST),
            ),
        };
        let place = shorten_source(place, width);
        let taken = place.chars().count();
        let mut lines = broken(
            event,
            width.saturating_sub(inset),
            width.saturating_sub(inset + HANGING),
        );
        let last = lines.last().map_or(0, |line| line.chars().count());
        let hanging = if lines.len() > 1 { HANGING } else { 0 };
        if taken > 0 && inset + hanging + last + 1 + taken > width {
            lines.push(String::new());
        }
        let count = lines.len();
        for (at, line) in lines.into_iter().enumerate() {
            let hanging = if at > 0 { HANGING } else { 0 };
            let line = format!("{}{line}", " ".repeat(inset + hanging));
            let line = if at + 1 == count && taken > 0 {
                format!("{indent}{line:<0$}{place}", width - taken)
            } else {
                format!("{indent}{line}")
            };
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
}

/// A text in lines of at most that many characters, the first `first`; broken at blanks, or before dots where a word is longer
/// than a line.
fn broken(text: &str, first: usize, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut length = 0;
    for word in text.split_inclusive([' ', '.']) {
        let mut word = word;
        loop {
            let room = if lines.len() == 1 { first } else { width }.max(1);
            let wanted = word.trim_end().chars().count();
            if length + wanted <= room {
                break;
            }
            if length > 0 {
                lines.push(String::new());
                length = 0;
                continue;
            }
            let end = word.char_indices().nth(room).map_or(word.len(), |(at, _)| at);
            let (part, rest) = word.split_at(end);
            if let Some(line) = lines.last_mut() {
                line.push_str(part);
            }
            lines.push(String::new());
            word = rest;
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(word);
        }
        length += word.chars().count();
    }
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_threads_shares_one_column() {
        for last in [60, 250, u32::MAX] {
            assert_eq!(Columns::new(0, last, 120).width, None, "{last}");
        }
    }

    #[test]
    fn long_texts_are_broken_and_not_cut() {
        assert_eq!(broken("read a.b = 1", 20, 10), ["read a.b = 1"]);
        assert_eq!(
            broken("read some.long.name = 1", 10, 8),
            ["read some.", "long.", "name = 1"]
        );
        assert_eq!(broken("unbreakable", 4, 3), ["unbr", "eak", "abl", "e"]);
        assert_eq!(broken("", 4, 3), [""]);
    }
}
