//! The report: one table, what its numbers mean, and the notes that people have written to it.

use std::path::Path;

use super::engine::{Outcome, Row};
use super::peer;
use crate::markdown::{Side, Table, add};
use crate::workspace;

/// Written by hand, and dated: what the last table says, and what could not be fetched.
const NOTES: [&str; 2] = ["bench/peers/reading.md", "bench/peers/fray.md"];

pub(super) fn render(outcome: &Outcome) -> anyhow::Result<String> {
    let mut text = String::from("# Engine\n\n");
    add(
        &mut text,
        format_args!(
            "{}, commit {}, {}, load before {}, after {}. Made by `cargo xtask bench engine`.\n\n",
            outcome.date, outcome.commit, outcome.processor, outcome.load.0, outcome.load.1
        ),
    );
    add(
        &mut text,
        format_args!(
            "Schedules/s are those of `raddle run --scheduler random --budget {}s`, best of {}. CPU is user and system \
             time of all processes per schedule, less what a run of one schedule takes; it says more than schedules/s on \
             a machine that has other work. Per switch is the same time by the number of switches, of which a \
             short schedule is made. An event is a point at which threads could be switched. The spike is the \
             feasibility study, whose numbers are of JDK 17 and of warm code.\n\n",
            outcome.budget, outcome.rounds
        ),
    );
    text.push_str(&table(outcome).render());
    for row in &outcome.rows {
        for gap in &row.ours.gaps {
            add(
                &mut text,
                format_args!("\n{}, JDK {}: {gap}\n", row.program.name, row.jdk_version),
            );
        }
    }
    if outcome.with_peer {
        add(
            &mut text,
            format_args!(
                "\n## How {} is run\n\nModel checking, the same class and calls, a verifier that accepts everything, \
                 {} s counted after a warm-up of its own that we do not get; the better of a run on all cores and one on \
                 one core. Only the time from one schedule to the next of the same check counts, not what it takes to \
                 set up a check. Its CPU is that of the same stretches. It switches at plain fields, too.\n\nIt ends at \
                 the first deadlock. So both tools also run a twin that locks in one order, and those rows are the ones \
                 to compare.\n\n",
                peer::NAME,
                outcome.budget
            ),
        );
        let notes = NOTES.map(|note| workspace::read(workspace::root(), Path::new(note)));
        let notes = notes.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
        text.push_str(&notes.join("\n"));
    }
    Ok(text)
}

fn table(outcome: &Outcome) -> Table {
    let mut head = vec![
        ("JDK", Side::Left),
        ("program", Side::Left),
        ("schedules/s", Side::Right),
        ("events", Side::Right),
        ("switches", Side::Right),
        ("CPU µs", Side::Right),
        ("per switch", Side::Right),
        ("spike/s", Side::Right),
        ("its events", Side::Right),
        ("its switches", Side::Right),
        ("of spike", Side::Right),
    ];
    if outcome.with_peer {
        head.extend([
            ("Lincheck/s", Side::Right),
            ("its CPU µs", Side::Right),
            ("times faster", Side::Right),
            ("times less CPU", Side::Right),
        ]);
    }
    let mut table = Table::new(&head);
    for row in &outcome.rows {
        table.row(cells(row));
    }
    table
}

fn cells(row: &Row) -> Vec<String> {
    let ours = &row.ours;
    let mut cells = vec![
        row.jdk_version.clone(),
        row.program.name.to_owned(),
        format!("{:.0}", ours.schedules_per_second),
        format!("{:.1}", ours.events),
        format!("{:.1}", ours.switches),
        format!("{:.1}", ours.cpu),
        format!("{:.1}", ours.cpu / ours.switches),
    ];
    match &row.program.spike {
        Some(spike) => cells.extend([
            format!("{:.0}", spike.schedules_per_second),
            format!("{:.0}", spike.events),
            format!("{:.1}", spike.switches),
            format!("{:.2}", ours.schedules_per_second / spike.schedules_per_second),
        ]),
        None => cells.extend(std::iter::repeat_n(String::new(), 4)),
    }
    if let Some(theirs) = row.theirs {
        cells.extend([
            format!("{:.0}", theirs.schedules_per_second),
            format!("{:.0}", theirs.cpu),
            format!("{:.0}", ours.schedules_per_second / theirs.schedules_per_second),
            format!("{:.0}", theirs.cpu / ours.cpu),
        ]);
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::super::ours;
    use super::super::program::PROGRAMS;
    use super::*;

    fn outcome(with_peer: bool) -> Outcome {
        let row = Row {
            program: &PROGRAMS[0],
            jdk_version: "17.0.15".to_owned(),
            ours: ours::Measured {
                schedules_per_second: 62_000.0,
                events: 9.0,
                switches: 4.0,
                cpu: 16.0,
                gaps: vec!["a gap".to_owned()],
            },
            theirs: with_peer.then_some(peer::Measured {
                schedules_per_second: 620.0,
                cpu: 3200.0,
            }),
        };
        Outcome {
            date: "2026-01-02".to_owned(),
            commit: "abc".to_owned(),
            processor: "2 × fast".to_owned(),
            load: ("1".to_owned(), "2".to_owned()),
            budget: 5,
            rounds: 3,
            with_peer,
            rows: vec![row],
        }
    }

    fn last_row(text: &str) -> Vec<&str> {
        let row = text.lines().rfind(|line| line.starts_with("| 17")).unwrap();
        row.trim_matches('|').split('|').map(str::trim).collect()
    }

    #[test]
    fn both_sides_are_compared() {
        let text = render(&outcome(true)).unwrap();
        assert_eq!(
            last_row(&text).join(" "),
            "17.0.15 counter 62000 9.0 4.0 16.0 4.0 124000 6 2.4 0.50 620 3200 100 200"
        );
        assert!(text.contains("\ncounter, JDK 17.0.15: a gap\n"));
        assert!(text.contains("\n## Why not Fray\n"));
    }

    #[test]
    fn without_the_peer_nothing_is_said_of_it() {
        let text = render(&outcome(false)).unwrap();
        assert_eq!(last_row(&text).len(), 11);
        assert!(!text.contains("Lincheck") && !text.contains("Fray"));
    }
}
