//! What the harnesses of `bench/peers` say of a run; `Journal.java` there writes it.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// What came of a run, in its own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
    Found(String),
    /// All that it knows has been tried.
    Done,
    Cannot(String),
}

/// All that one JVM has said.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Journal {
    /// Runs of the pair until a time.
    counts: Vec<(u64, Duration)>,
    said: Option<Said>,
}

/// Those of all JVMs that write into a directory. One that is being written ends with half a line, which is left out.
pub(super) fn read(directory: &Path) -> Vec<Journal> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some(OsStr::new("journal")))
        .filter_map(|path| fs::read_to_string(path).ok())
        .map(|text| parse(&text))
        .collect()
}

/// What matters most of what they have said: one that finds something makes up for others that do not.
pub(super) fn verdict(journals: &[Journal]) -> Option<Said> {
    let said = || journals.iter().filter_map(|journal| journal.said.as_ref());
    let found = said().find(|said| matches!(said, Said::Found(_)));
    let cannot = || said().find(|said| matches!(said, Said::Cannot(_)));
    found.or_else(cannot).or_else(|| said().next()).cloned()
}

pub(super) fn executions(journals: &[Journal]) -> u64 {
    let last = journals.iter().filter_map(|journal| journal.counts.last());
    last.map(|(count, _)| count).sum()
}

/// Runs a second of the JVM that was fastest, from so long after its first run on.
pub(super) fn rate(journals: &[Journal], warm_up: Duration) -> Option<f64> {
    let rates = journals.iter().filter_map(|journal| journal.rate(warm_up));
    rates.reduce(f64::max)
}

fn parse(text: &str) -> Journal {
    let mut journal = Journal::default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    for line in whole.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "run" => journal.counts.extend(parse_count(rest)),
            "found" => journal.said = Some(Said::Found(rest.to_owned())),
            "cannot" => journal.said = Some(Said::Cannot(rest.to_owned())),
            "done" => journal.said = Some(Said::Done),
            _ => {}
        }
    }
    journal
}

fn parse_count(text: &str) -> Option<(u64, Duration)> {
    let (count, nanoseconds) = text.split_once(' ')?;
    Some((
        count.parse().ok()?,
        Duration::from_nanos(nanoseconds.parse().ok()?),
    ))
}

impl Journal {
    fn rate(&self, warm_up: Duration) -> Option<f64> {
        let (_, begun) = self.counts.iter().find(|(count, _)| *count > 0)?;
        let (before, since) = self.counts.iter().find(|(_, time)| *time >= *begun + warm_up)?;
        let (after, until) = self.counts.last()?;
        let seconds = until.checked_sub(*since)?.as_secs_f64();
        #[expect(
            clippy::cast_precision_loss,
            reason = "runs of seconds are far fewer than 2^52"
        )]
        let runs = after.checked_sub(*before)? as f64;
        (seconds > 0.0).then(|| runs / seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_is_kept_whatever_follows() {
        let journal = parse("run 5 100\nfound java.lang.A | null\nrun 6 200\nfound ha");
        assert_eq!(journal.said, Some(Said::Found("java.lang.A | null".to_owned())));
        assert_eq!(executions(&[journal]), 6);
        assert_eq!(
            parse("cannot do it\n").said,
            Some(Said::Cannot("do it".to_owned()))
        );
        assert_eq!(parse("run x\nrun 1\nother\n"), Journal::default());
    }

    #[test]
    fn one_that_finds_outweighs_the_others() {
        let found = parse("found x\n");
        let journals = [parse("done\n"), parse("cannot y\n"), found];
        assert_eq!(verdict(&journals), Some(Said::Found("x".to_owned())));
        assert_eq!(verdict(&journals[..2]), Some(Said::Cannot("y".to_owned())));
        assert_eq!(verdict(&journals[..1]), Some(Said::Done));
        assert_eq!(verdict(&[]), None);
    }

    #[test]
    fn the_rate_is_that_of_warm_code() {
        let slow = parse("run 0 0\nrun 1 1000000000\nrun 101 2000000000\nrun 301 4000000000\n");
        let second = Duration::from_secs(1);
        assert_eq!(rate(&[slow], second), Some(100.0));
        assert_eq!(rate(&[parse("run 0 0\nrun 0 5000000000\n")], second), None);
    }
}
