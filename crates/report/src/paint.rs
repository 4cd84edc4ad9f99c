//! Colour, for terminals only: files and pipes get the same text without it.

use raddle_oracle::Kind;
use raddle_plan::plain::lines;

/// Whether text has colour.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Paint {
    /// It has none.
    #[default]
    Plain,
    /// Escape sequences of ANSI terminals, in the sixteen colours that every theme defines.
    Colour,
}

const BOLD: &str = "1";
const FAINT: &str = "2";
const RED: &str = "1;31";
const GREEN: &str = "32";
const YELLOW: &str = "33";
const NONE: &str = "0";

impl Paint {
    /// What is to be seen first.
    pub(crate) fn strong(self, text: &str) -> String {
        self.with(BOLD, text)
    }

    /// What is there to be looked up.
    pub(crate) fn faint(self, text: &str) -> String {
        self.with(FAINT, text)
    }

    pub(crate) fn good(self, text: &str) -> String {
        self.with(GREEN, text)
    }

    pub(crate) fn doubtful(self, text: &str) -> String {
        self.with(YELLOW, text)
    }

    pub(crate) fn bad(self, text: &str) -> String {
        self.with(RED, text)
    }

    /// Red for what no class may do; yellow for wrong results, of which some classes promise less.
    pub(crate) fn kind(self, kind: Kind, text: &str) -> String {
        match kind {
            Kind::Result => self.doubtful(text),
            Kind::Exception | Kind::Deadlock | Kind::LostWakeup | Kind::Livelock => self.bad(text),
        }
    }

    /// Text that no terminal obeys, but for the colours that were put into it here.
    pub(crate) fn safe(self, text: &str) -> String {
        if self == Paint::Plain {
            return lines(text).into_owned();
        }
        let known = [BOLD, FAINT, RED, GREEN, YELLOW, NONE].map(|code| format!("\u{1b}[{code}m"));
        let mut safe = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('\u{1b}') {
            let (before, sequence) = rest.split_at(at);
            safe.push_str(&lines(before));
            let ours = known.iter().find(|ours| sequence.starts_with(ours.as_str()));
            let (sequence, after) = sequence.split_at(ours.map_or(1, String::len));
            match ours {
                Some(ours) => safe.push_str(ours),
                None => safe.push_str(&lines(sequence)),
            }
            rest = after;
        }
        safe.push_str(&lines(rest));
        safe
    }

    fn with(self, code: &str, text: &str) -> String {
        match self {
            Paint::Plain => text.to_owned(),
            Paint::Colour => format!("\u{1b}[{code}m{text}\u{1b}[{NONE}m"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_obeys_nothing_but_our_colours() {
        let text = format!(
            "{} \u{1b}[2J\u{1b}]0;title\u{7}",
            Paint::Colour.strong("Findings")
        );
        let safe = Paint::Colour.safe(&text);
        assert!(safe.starts_with("\u{1b}[1mFindings\u{1b}[0m "), "{safe:?}");
        assert_eq!(safe.matches('\u{1b}').count(), 2, "{safe:?}");
        assert!(!Paint::Plain.safe(&text).contains('\u{1b}'));
    }

    #[test]
    fn plain_text_has_no_escape_sequences() {
        assert_eq!(Paint::Plain.kind(Kind::Deadlock, "deadlock"), "deadlock");
        assert_eq!(
            Paint::Colour.kind(Kind::Deadlock, "deadlock"),
            "\u{1b}[1;31mdeadlock\u{1b}[0m"
        );
    }
}
