//! The page with all results.

use std::fs;
use std::path::Path;

use anyhow::Context;

use super::tables::{self, Data};
use super::{RESULTS, TABLES, paper};
use crate::bench::hunting::record::Record;
use crate::bench::hunting::{head, list, published, results};
use crate::bench::{machine, sample};
use crate::markdown::add;

/// The reports that are shown as they are: the step, and what is said before it.
const REPORTS: [(&str, &str); 8] = [
    (
        "sample",
        "Classes that nobody has chosen: how many of the findings are true.",
    ),
    ("peers", "The tools that are alive, on the same machine."),
    ("false-alarms", "Classes that are correct."),
    (
        "subjects",
        "DepCon+ Table IV: how many pairs of methods need no test, and how long it takes to know.",
    ),
    ("autocontest", "The tables of AutoConTest's slides."),
    (
        "directed",
        "Omen Tables 6 and 7, Intruder Tables 6 and 7: violations that are foreseen in sequential tests.",
    ),
    (
        "strategies",
        "All strategies, with and without control over the threads.",
    ),
    ("dpor", "Small tests that are explored completely."),
];

/// From the results and tables in a directory; what is missing there is left out, and said. `plots` is where the plots are,
/// seen from the page.
pub(super) fn render(directory: &Path, plots: &str) -> anyhow::Result<String> {
    let entries = paper::read()?;
    let subjects = list::read()?;
    let published = published::read()?;
    let hunts = records(directory, "hunt")?;
    let strategies = records(directory, "strategies")?;
    let alarms = records(directory, "false-alarms")?;
    let data = Data {
        entries: &entries,
        subjects: &subjects,
        hunts: &hunts,
        strategies: &strategies,
        published: &published,
    };
    let mut text = String::from("# Results\n\n");
    beginning(&mut text, &hunts);
    let sampled = sample::in_short(&directory.join("sample.jsonl"))?;
    scores(&mut text, &data, &alarms, &sampled);
    add(
        &mut text,
        format_args!(
            "\n## Every subject of every paper\n\n\
             \"Of the kind\" is the number of hunts, of all seeds and JDKs, with a finding of the kind that is known, in \
             whatever pair of the class's methods. \"The fault itself\" is the number of those with a finding in the pair, or \
             at the place, that is listed in `bench/hunts.toml`, whose head says what agrees. \"Pair\" says who names it: a \
             paper or tracker prints it; it can be the only one; none does, or it is gone from the version that is available, \
             and then the pairs are those that were seen to fail by hand. Seconds are the median, with the least and the most, from the beginning of the analysis (the 60 s of a hunt count from its end) until the finding was made as small as possible and \
             repeated in two fresh JVMs. Where both can be had, the row is the class itself and not its stand-in.\n\n{}\n\
             ### What was missed\n\n{}",
            tables::every_subject(&data),
            tables::misses(&data)
        ),
    );
    add(
        &mut text,
        format_args!(
            "\n## DepCon+, Tables II and III\n\n\
             Ours has 60 s where the paper has an hour; a miss counts as 60 s. Theirs are the paper's numbers, of its versions \
             and its machine.\n\n{}",
            tables::depcon(&data)
        ),
    );
    add(
        &mut text,
        format_args!(
            "\n## CovCon, Table II\n\n\
             \"Its strategy here\" and \"ConTeGe's here\" are the paper's strategies in this engine, with the budget of `bench \
             strategies`.\n\n{}",
            tables::covcon(&data)
        ),
    );
    figures(&mut text, directory, plots)?;
    for (step, sentence) in REPORTS {
        let path = directory.join(step).with_extension("md");
        if path.exists() {
            let report =
                fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            add(&mut text, format_args!("\n{}", included(&report, sentence)));
        }
    }
    Ok(text)
}

fn records(directory: &Path, step: &str) -> anyhow::Result<Vec<Record>> {
    let path = directory.join(step).with_extension("jsonl");
    if path.exists() {
        results::read(&path)
    } else {
        Ok(Vec::new())
    }
}

fn beginning(text: &mut String, hunts: &[Record]) {
    add(
        text,
        format_args!(
            "Made by `cargo xtask bench all` and `cargo xtask bench publish` from the results in [{RESULTS}](../{RESULTS}); \
             each table is also in [{TABLES}](../{TABLES}). Hunts: {}, commit {}, {}. The other sections say when and from what \
             they were made.\n",
            head::distinct(hunts, |record| record.date.clone()),
            head::distinct(hunts, |record| record.commit.clone()),
            machine::processor(),
        ),
    );
}

fn scores(text: &mut String, data: &Data<'_>, alarms: &[Record], sampled: &str) {
    let (rate, table) = tables::success(data);
    let (hunts, known, others) = tables::alarms(data.subjects, alarms);
    let (low, high) = rate.interval();
    add(
        text,
        format_args!(
            "\n## In short\n\n\
             - Published faults of original classes, found in hunts of 60 s in the pair or at the place that was published: {} \
             of {} tries, {:.1} % (95 % interval {low:.1} to {high:.1}, over the seeds of these classes and no others). \
             DepCon+ finds 68 % of its exceptions and all of its deadlocks within an hour.\n\
             - Classes that are correct: {hunts} hunts, {others} findings, not counting {known} that are known to be true.\n\
             - {sampled}\n\n{table}",
            rate.hits,
            rate.tries,
            rate.percent(),
        ),
    );
}

fn figures(text: &mut String, directory: &Path, plots: &str) -> anyhow::Result<()> {
    let sections = [
        (
            "coverage",
            "CovCon, Figures 3 and 4",
            ["coverage-", "time"].as_slice(),
        ),
        (
            "scale",
            "What grows with workers, with methods and with classes.",
            [
                "workers",
                "methods",
                "class-path",
                "memory",
                "class-size",
                "scale",
            ]
            .as_slice(),
        ),
    ];
    for (step, sentence, prefixes) in sections {
        let path = directory.join(step).with_extension("md");
        if !path.exists() {
            continue;
        }
        let report = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        add(text, format_args!("\n{}", included(&report, sentence)));
        for name in svg_names(&directory.join("plots"))? {
            if prefixes.iter().any(|prefix| name.starts_with(prefix)) {
                let alternative = name.trim_end_matches(".svg").replace('-', " ");
                add(text, format_args!("\n![{alternative}]({plots}/{name})\n"));
            }
        }
    }
    Ok(())
}

/// In order.
fn svg_names(directory: &Path) -> anyhow::Result<Vec<String>> {
    if !directory.exists() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(directory).with_context(|| format!("cannot list {}", directory.display()))?;
    let mut names: Vec<String> = entries
        .flatten()
        .filter(|entry| {
            entry
                .path()
                .extension()
                .is_some_and(|extension| extension == "svg")
        })
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort_unstable();
    Ok(names)
}

/// A report as a part of the page: its headings one level down, and a sentence after its title.
fn included(report: &str, sentence: &str) -> String {
    let mut text = String::new();
    let mut is_first = true;
    for line in report.lines() {
        if line.starts_with('#') {
            text.push('#');
        }
        text.push_str(line);
        text.push('\n');
        if is_first {
            add(&mut text, format_args!("\n{sentence}\n"));
            is_first = false;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_becomes_a_section() {
        let section = included("# Title\n\nText.\n\n## Part\n", "Why.");
        assert_eq!(section, "## Title\n\nWhy.\n\nText.\n\n### Part\n");
    }
}
