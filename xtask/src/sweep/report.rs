//! The report, as Markdown.

use std::time::Duration;

use super::Manner;
use super::outcome::{Outcome, Skip};
use super::pass::{Pass, Work};
use crate::markdown::{Side, Table, add};

const SLOWEST: usize = 10;

const LEGEND: &str = "\
A class is read when its head, its structure and all its instructions are. Skipped are interfaces, annotation types and \
classes without public methods. Rates count all classes; median and 99th percentile are of those that were read or \
analysed. All passes over a JDK share one program, so that later ones find classes loaded and memory in use. The peak \
is resident memory including the mapped image of the JDK, and what the allocator has kept from a JDK before it.
";

pub(super) fn render(date: &str, manner: &Manner, passes: &[Pass]) -> String {
    let mut text = format!(
        "# Sweep\n\n{date}, raddle {}, {} threads. Made by `cargo xtask sweep`.\n\n{LEGEND}\n{}",
        env!("CARGO_PKG_VERSION"),
        manner.jobs,
        table(passes, manner.digest),
    );
    text.push_str("\n## Slowest classes\n");
    for pass in passes.iter().filter(|pass| pass.work != Work::Read) {
        add(
            &mut text,
            format_args!("\n{}, {}:\n\n", pass.title, pass.work.name()),
        );
        for record in pass.slowest(SLOWEST) {
            add(
                &mut text,
                format_args!("- {} ms {}\n", milliseconds(record.time), record.class),
            );
        }
    }
    text.push_str(&problems("Panics", passes, |outcome| match outcome {
        Outcome::Panicked(message) => Some(message),
        _ => None,
    }));
    text.push_str(&problems(
        "Classes that could not be read",
        passes,
        |outcome| match outcome {
            Outcome::Unreadable(reason) => Some(reason),
            _ => None,
        },
    ));
    text
}

/// One line for the hash of every class.
pub(super) fn digests(passes: &[Pass]) -> String {
    let mut text = String::new();
    for pass in passes {
        for record in &pass.records {
            if let Outcome::Done(Some(digest)) = &record.outcome {
                add(
                    &mut text,
                    format_args!(
                        "{digest} {}, {}: {}\n",
                        pass.title,
                        pass.work.name(),
                        record.class
                    ),
                );
            }
        }
    }
    text
}

fn table(passes: &[Pass], with_digest: bool) -> String {
    let mut head = vec![("what", Side::Left), ("work", Side::Left)];
    head.extend(
        [
            "classes",
            "done",
            "interfaces",
            "annotations",
            "no public methods",
            "unreadable",
            "panics",
            "wall s",
            "CPU s",
            "classes/s",
            "median ms",
            "99 % ms",
            "peak MiB",
        ]
        .map(|title| (title, Side::Right)),
    );
    if with_digest {
        head.push(("digest", Side::Left));
    }
    let mut table = Table::new(&head);
    for pass in passes {
        let times = pass.times();
        let mut row = vec![
            pass.title.clone(),
            pass.work.name().to_owned(),
            pass.records.len().to_string(),
            times.len().to_string(),
            pass.skipped(Skip::Interface).to_string(),
            pass.skipped(Skip::Annotation).to_string(),
            pass.skipped(Skip::NoPublicMethods).to_string(),
            pass.unreadable().to_string(),
            pass.panics().to_string(),
            format!("{:.1}", pass.wall.as_secs_f64()),
            format!("{:.1}", pass.cpu.as_secs_f64()),
            rate(pass.records.len(), pass.wall),
            milliseconds(percentile(&times, 50)),
            milliseconds(percentile(&times, 99)),
            (pass.peak_memory / 1024).to_string(),
        ];
        if with_digest {
            row.push(pass.digest().to_string());
        }
        table.row(row);
    }
    table.render()
}

fn problems(title: &str, passes: &[Pass], message: impl Fn(&Outcome) -> Option<&String>) -> String {
    let mut text = format!("\n## {title}\n\n");
    let mut is_empty = true;
    for pass in passes {
        for record in &pass.records {
            if let Some(message) = message(&record.outcome) {
                is_empty = false;
                add(
                    &mut text,
                    format_args!(
                        "- {}, {}: {}: {message}\n",
                        pass.title,
                        pass.work.name(),
                        record.class
                    ),
                );
            }
        }
    }
    if is_empty {
        text.push_str("None.\n");
    }
    text
}

fn rate(count: usize, wall: Duration) -> String {
    #[expect(clippy::cast_precision_loss, reason = "there are not 2^52 classes")]
    let rate = count as f64 / wall.as_secs_f64().max(1e-9);
    format!("{rate:.0}")
}

/// Of sorted times, the one that so many percent do not exceed.
fn percentile(times: &[Duration], percent: usize) -> Duration {
    let rank = (times.len() * percent).div_ceil(100);
    times.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occur() {
        let times: Vec<Duration> = (1..=200).map(Duration::from_millis).collect();
        assert_eq!(percentile(&times, 50), Duration::from_millis(100));
        assert_eq!(percentile(&times, 99), Duration::from_millis(198));
        assert_eq!(percentile(&times[..1], 50), Duration::from_millis(1));
        assert_eq!(percentile(&[], 99), Duration::ZERO);
    }
}
