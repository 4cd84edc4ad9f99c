//! Terminal text of `raddle analyze`.

mod crossing;
mod dependencies;
mod method;
mod numbers;
mod place;
mod summary;

use std::io::{self, Write};
use std::time::Duration;

use raddle_plan::plain::lines;
use raddle_summary::{ClassFacts, Precision};

use crate::skipped::Skipped;
use crate::total::Total;
use crate::{AnalyzeReport, Header};

/// Line width when the output is not a terminal.
pub const DEFAULT_WIDTH: usize = 120;

/// How much to write, and how wide.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TextOptions {
    /// Every access, lock pair and unknown call on a line of its own, and no list cut short.
    pub verbose: bool,
    /// Columns that the line of a method may take.
    pub width: usize,
}

/// Writes text for people.
pub struct TextReport<'w> {
    out: &'w mut dyn Write,
    options: TextOptions,
    jdk_version: String,
    total: Total,
}

impl<'w> TextReport<'w> {
    /// A report with no class yet.
    pub fn new(out: &'w mut dyn Write, header: &Header, options: TextOptions) -> Self {
        TextReport {
            out,
            options,
            jdk_version: header.jdk_version.clone(),
            total: Total::ZERO,
        }
    }
}

impl AnalyzeReport for TextReport<'_> {
    fn class(&mut self, facts: &ClassFacts, time: Duration) -> io::Result<()> {
        if self.total.classes > 0 {
            writeln!(self.out, "\n")?;
        }
        self.total.add(facts);
        self.out
            .write_all(lines(&class_text(facts, &self.jdk_version, self.options)).as_bytes())?;
        writeln!(self.out, "analysed in {}", summary::time_text(time))?;
        self.out.flush()
    }

    fn finish(&mut self, skipped: &[Skipped], time: Duration) -> io::Result<()> {
        if self.total.classes > 0 && self.total.classes + skipped.len() > 1 {
            write!(
                self.out,
                "\n\n{}",
                lines(&summary::total_text(&self.total, skipped, self.options.verbose))
            )?;
            writeln!(self.out, "analysed in {}", summary::time_text(time))?;
        }
        self.out.flush()
    }
}

/// Everything about one class but the time.
fn class_text(facts: &ClassFacts, jdk_version: &str, options: TextOptions) -> String {
    let sections = [
        heading(facts, jdk_version),
        method::section(facts, options),
        dependencies::section(facts),
        crossing::section(facts, options.verbose),
        if options.verbose {
            crossing::conflicts_section(facts)
        } else {
            String::new()
        },
        summary::missing_text(facts, options.verbose),
        summary::counts_text(facts),
    ];
    let present: Vec<&str> = sections
        .iter()
        .map(String::as_str)
        .filter(|section| !section.is_empty())
        .collect();
    present.join("\n")
}

fn heading(facts: &ClassFacts, jdk_version: &str) -> String {
    let precision = match facts.precision {
        Precision::Paper => "paper",
        Precision::Precise => "precise",
    };
    let origin = if facts.origin.starts_with("module ") {
        format!("{} of JDK {jdk_version}", facts.origin)
    } else {
        facts.origin.clone()
    };
    format!("{}   {origin}   {precision}\n", facts.class)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SkipKind, sample, snapshot};

    const BRIEF: TextOptions = TextOptions {
        verbose: false,
        width: DEFAULT_WIDTH,
    };
    const VERBOSE: TextOptions = TextOptions {
        verbose: true,
        width: DEFAULT_WIDTH,
    };

    fn skipped(class: &str) -> Skipped {
        Skipped {
            class: class.to_owned(),
            kind: SkipKind::Interface,
            reason: format!("{class} is an interface; name a class"),
        }
    }

    fn report(classes: &[ClassFacts], skipped: &[Skipped]) -> String {
        let mut bytes = Vec::new();
        let mut report = TextReport::new(&mut bytes, &sample::header(), BRIEF);
        for facts in classes {
            report.class(facts, Duration::ZERO).unwrap();
        }
        report.finish(skipped, Duration::ZERO).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_class_in_brief() {
        snapshot::check(
            "account-brief.txt",
            &class_text(&sample::account(), "17.0.15", BRIEF),
        );
    }

    #[test]
    fn a_class_in_full() {
        snapshot::check(
            "account-verbose.txt",
            &class_text(&sample::account(), "17.0.15", VERBOSE),
        );
    }

    #[test]
    fn classes_of_the_jdk_are_headed_by_its_version() {
        let facts = ClassFacts {
            origin: "module java.base".to_owned(),
            ..sample::account()
        };
        assert_eq!(
            heading(&facts, "17.0.15"),
            "a.Account   module java.base of JDK 17.0.15   precise\n"
        );
    }

    #[test]
    fn one_class_has_no_total() {
        assert!(!report(&[sample::account()], &[]).contains("Total"));
    }

    #[test]
    fn several_classes_end_with_a_total() {
        let text = report(&[sample::account(), sample::account()], &[skipped("a.Shape")]);
        assert!(
            text.contains("Total   classes 2   skipped 1 (1 interface)   public methods 6"),
            "{text}"
        );
        assert_eq!(text.matches("a.Account   bank.jar").count(), 2);
    }

    #[test]
    fn without_any_class_there_is_no_output() {
        assert_eq!(report(&[], &[skipped("a.Shape"), skipped("a.Form")]), "");
    }
}
