//! `cargo xtask subjects`: analyses the classes of `bench/subjects.toml` and compares with the papers.

mod cache;
mod difference;
mod failing;
mod fixture;
mod kind;
mod list;
mod measure;
mod report;
mod summary;
mod table;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use raddle_classpath::Jdk;

pub(crate) use self::cache::Cache;
use self::failing::Verdicts;
use self::list::Subject;
use self::measure::Measured;
use crate::{date, file, process, workspace};

/// Arguments of `subjects`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Also write the report to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Fetch nothing; subjects whose jars are missing are left out.
    #[arg(long)]
    offline: bool,
    /// Home directory of the JDK [default: JAVA_HOME, else the JDK of java on PATH].
    #[arg(long, value_name = "HOME")]
    jdk: Option<PathBuf>,
    /// Only the subject with this number; may be given more than once.
    #[arg(long, value_name = "ID")]
    only: Vec<String>,
    /// Seconds after which the analysis of a class is given up.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    limit: u64,
    /// Date for the head of the report [default: today, UTC].
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<String>,
}

/// One subject with everything the report says about it.
struct Row {
    subject: Subject,
    precise: Measured,
    paper: Measured,
    verdicts: Verdicts,
}

/// All of the report.
struct Outcome {
    date: String,
    jdk_version: String,
    rows: Vec<Row>,
    /// Subjects that could not be had, and why.
    absent: Vec<(Subject, String)>,
    /// Subjects that could not be analysed, and why.
    unanalysed: Vec<(Subject, String)>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let jdk = Jdk::locate(args.jdk.as_deref())?;
    let cache = Cache::open(args.offline)?;
    let mut outcome = Outcome {
        date: args.date.clone().unwrap_or_else(date::today),
        jdk_version: jdk.version().to_owned(),
        rows: Vec::new(),
        absent: Vec::new(),
        unanalysed: Vec::new(),
    };
    for subject in list::read(&list_path())? {
        if !args.only.is_empty() && !args.only.contains(&subject.id) {
            continue;
        }
        // An analysis that was given up goes on, see `measure`.
        if !outcome.unanalysed.is_empty() && process::peak_memory() > process::MEMORY_LIMIT {
            bail!(
                "analyses that were given up have taken more than {} GiB",
                process::MEMORY_LIMIT >> 20
            );
        }
        eprintln!("{} {}", subject.id, subject.class);
        let fixture = fixture::compile(&subject, jdk.home())?;
        let class_path = match &fixture {
            Some(directory) => vec![directory.path().to_owned()],
            None => match cache.jars(&subject.jars)? {
                Ok(jars) => jars,
                Err(missing) => {
                    outcome.absent.push((subject, missing));
                    continue;
                }
            },
        };
        let limit = Duration::from_secs(args.limit);
        match measure::both(&subject.class, jdk.home(), &class_path, limit) {
            Ok((paper, precise)) => outcome.rows.push(Row {
                verdicts: Verdicts::of(&subject, &precise.facts, &paper.facts),
                subject,
                precise,
                paper,
            }),
            Err(error) => outcome.unanalysed.push((subject, format!("{error:#}"))),
        }
    }

    let text = report::render(&outcome);
    print!("{text}");
    if let Some(path) = &args.out {
        file::write(path, &text)?;
    }
    let pruned: usize = outcome
        .rows
        .iter()
        .map(|row| row.verdicts.pruned_in_precise.len())
        .sum();
    if pruned > 0 || !outcome.unanalysed.is_empty() {
        bail!(
            "pairs known to fail that were pruned: {pruned}, subjects that could not be analysed: {}",
            outcome.unanalysed.len()
        );
    }
    Ok(())
}

/// The class of each subject and its jars as Maven coordinates, by the subject's number.
pub(crate) fn classes() -> anyhow::Result<BTreeMap<String, (String, Vec<String>)>> {
    let subjects = list::read(&list_path())?.into_iter();
    Ok(subjects
        .map(|subject| (subject.id, (subject.class, subject.jars)))
        .collect())
}

/// The distinct class paths of the list, as Maven coordinates.
pub(crate) fn class_paths() -> anyhow::Result<Vec<Vec<String>>> {
    let mut found: Vec<Vec<String>> = Vec::new();
    for subject in list::read(&list_path())? {
        if !subject.jars.is_empty() && !found.contains(&subject.jars) {
            found.push(subject.jars);
        }
    }
    Ok(found)
}

fn list_path() -> PathBuf {
    workspace::root().join("bench/subjects.toml")
}
