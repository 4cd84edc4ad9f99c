//! `cargo xtask bench engine`: how many schedules a second the engine runs, beside another tool's.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use raddle_classpath::Jdk;

use super::ours::{self, Raddle};
use super::peer::{self, Jars};
use super::program::{self, PROGRAMS, Program};
use super::{machine, report};
use crate::{date, file, javac, jdks, product, workspace};

/// Arguments of `bench engine`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Also write the report to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Leave the other tool out.
    #[arg(long)]
    skip_peers: bool,
    /// Seconds that each run counts schedules.
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    budget: u64,
    /// Runs of each plan; the best counts.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Only the programs whose name contains this.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Date for the head of the report [default: today, UTC].
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<String>,
}

/// One program under one JDK.
pub(super) struct Row {
    pub(super) program: &'static Program,
    pub(super) jdk_version: String,
    pub(super) ours: ours::Measured,
    pub(super) theirs: Option<peer::Measured>,
}

/// All of the report.
pub(super) struct Outcome {
    pub(super) date: String,
    pub(super) commit: String,
    pub(super) processor: String,
    /// Before and after.
    pub(super) load: (String, String),
    pub(super) budget: u64,
    pub(super) rounds: u32,
    pub(super) with_peer: bool,
    pub(super) rows: Vec<Row>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let homes = jdks::installed()?;
    let jars = if args.skip_peers {
        None
    } else {
        Some(peer::LINCHECK.jars()?)
    };
    let executable = product::build()?;
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    let classes = directory.path().join("classes");
    let saved = directory.path().join("saved");
    compile(&oldest(&homes)?, &classes, jars.as_ref())?;

    let raddle = Raddle {
        executable: &executable,
        classes: &classes,
        saved: &saved,
        scheduler: "random",
    };
    let budget = Duration::from_secs(args.budget);
    let load_before = machine::load();
    let mut rows = Vec::new();
    for home in &homes {
        let jdk_version = Jdk::open(home)?.version().to_owned();
        for program in &PROGRAMS {
            let is_wanted = args.only.as_ref().is_none_or(|only| program.name.contains(only));
            if !is_wanted {
                continue;
            }
            eprintln!("JDK {jdk_version}: {}", program.name);
            let theirs = match (&jars, &program.peer) {
                (Some(jars), Some(calls)) => Some(jars.measure(calls, home, &classes, budget)?),
                _ => None,
            };
            rows.push(Row {
                program,
                jdk_version: jdk_version.clone(),
                ours: raddle.measure(program, home, budget, args.rounds)?,
                theirs,
            });
        }
    }

    let text = report::render(&Outcome {
        date: args.date.clone().unwrap_or_else(date::today),
        commit: machine::commit(),
        processor: machine::processor(),
        load: (load_before, machine::load()),
        budget: args.budget,
        rounds: args.rounds,
        with_peer: jars.is_some(),
        rows,
    })?;
    print!("{text}");
    if let Some(path) = &args.out {
        file::write(path, &text)?;
    }
    Ok(())
}

/// The JDK whose classes all the others can run.
fn oldest(homes: &[PathBuf]) -> anyhow::Result<PathBuf> {
    let mut found: Option<(u32, &PathBuf)> = None;
    for home in homes {
        let feature = Jdk::open(home)?.feature();
        if found.is_none_or(|(oldest, _)| feature < oldest) {
            found = Some((feature, home));
        }
    }
    let (_, home) = found.context("there is no JDK; set JAVA_HOME to one, 17 or later")?;
    Ok(home.clone())
}

pub(super) fn compile(jdk: &Path, classes: &Path, jars: Option<&Jars>) -> anyhow::Result<()> {
    let mut sources: Vec<&str> = program::SOURCES.to_vec();
    let mut class_path = OsString::from(".");
    if let Some(jars) = jars {
        sources.extend(peer::SOURCES);
        class_path = jars.class_path(classes)?;
    }
    let sources: Vec<PathBuf> = sources
        .iter()
        .map(|source| workspace::root().join(source))
        .collect();
    javac::compile(jdk, &sources, &class_path, classes)
}
