//! `cargo xtask bench dpor`: how many interleavings partial-order reduction leaves out, and that nothing is missed for
//! that.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, anyhow};
use raddle_plan::TestPlan;
use raddle_testkit::{INTERLEAVINGS, engine_classes, engine_fixtures, engine_root};
use serde::Deserialize;

use super::machine;
use crate::markdown::{Side, Table, add};
use crate::{date, file, product};

/// Plans about classes of the JDK, besides the classes of `fixtures/engine/interleavings`.
const PLANS: [&str; 5] = [
    "clean/hashtable-equals-one-way",
    "clean/hashtable-merge",
    "clean/stringbuffer-append-string",
    "deadlock/hashtable-equals",
    "deadlock/vector-equals",
];

/// No plan here has runs with more preemptions, and it is the most that can be asked for.
const UNBOUNDED: &str = "bounded:64";

/// Arguments of `bench dpor`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Also write the report to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// A search is cut off after this many interleavings.
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    most: u64,
    /// The executable to measure [default: the release binary, built now].
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Only the plans whose name contains this.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Date for the head of the report [default: today, UTC].
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<String>,
}

/// What a run says of itself, as far as it matters here; `docs/run-json.md` describes all of it.
#[derive(Deserialize)]
struct Document {
    jdk: Jdk,
    rates: Rates,
    claim: Option<String>,
}

#[derive(Deserialize)]
struct Jdk {
    version: String,
}

#[derive(Deserialize)]
struct Rates {
    schedules: u64,
    outcomes: u64,
    time_ms: f64,
}

/// A plan, and how many interleavings it has according to papers, or to reasoning, if that is known.
struct Subject {
    plan: TestPlan,
    name: String,
    known: Option<String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let executable = match &args.program {
        Some(program) => program.clone(),
        None => product::build()?,
    };
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    let mut table = Table::new(&[
        ("plan", Side::Left),
        ("threads", Side::Right),
        ("bounded", Side::Right),
        ("outcomes", Side::Right),
        ("ms", Side::Right),
        ("dpor", Side::Right),
        ("outcomes", Side::Right),
        ("ms", Side::Right),
        ("known", Side::Right),
    ]);
    let mut jdk = String::new();
    let load = machine::load();
    for subject in subjects()? {
        if args
            .only
            .as_ref()
            .is_some_and(|only| !subject.name.contains(only))
        {
            continue;
        }
        eprintln!("{}", subject.name);
        let plan = directory.path().join("plan.json");
        file::write(&plan, &subject.plan.to_json()?)?;
        let explore = |scheduler: &str| explore(&executable, &plan, scheduler, args.most);
        let every = explore(UNBOUNDED)?;
        let reduced = explore("dpor")?;
        table.row(vec![
            subject.name,
            subject.plan.threads.len().to_string(),
            count(&every, args.most),
            every.rates.outcomes.to_string(),
            format!("{:.0}", every.rates.time_ms),
            count(&reduced, args.most),
            reduced.rates.outcomes.to_string(),
            format!("{:.0}", reduced.rates.time_ms),
            subject.known.unwrap_or_default(),
        ]);
        jdk = reduced.jdk.version;
    }
    let mut text = String::from("# Partial-order reduction\n\n");
    add(
        &mut text,
        format_args!(
            "{}, commit {}, JDK {jdk}, {}, load before {load}, after {}. Made by `cargo xtask bench dpor`.\n\n",
            args.date.clone().unwrap_or_else(date::today),
            machine::commit(),
            machine::processor(),
            machine::load()
        ),
    );
    add(
        &mut text,
        format_args!(
            "How many interleavings are run by `raddle run --scheduler {UNBOUNDED}`, which leaves out none, and by \
             `--scheduler dpor`, which leaves out those that come to the same, with the different outcomes and the time of \
             each. \"> {most}\" was cut off there. \"of more\" is a search that left out ways by which threads only yield \
             again and again, and claims nothing. A test with steps that may touch anything (clocks, timeouts, interrupts, \
             reflection, threads that it starts) is hardly reduced, and can take more runs than it has interleavings, \
             because bounded does not switch between the start of a thread and its first call. Known is the number of interleavings up to equivalence that papers \
             print, or that follows from the few steps of the class; the classes in `fixtures/engine/interleavings` say \
             which.\n\n",
            most = args.most
        ),
    );
    text.push_str(&table.render());
    print!("{text}");
    if let Some(path) = &args.out {
        file::write(path, &text)?;
    }
    Ok(())
}

fn subjects() -> anyhow::Result<Vec<Subject>> {
    let mut subjects = Vec::new();
    for fixture in engine_fixtures(INTERLEAVINGS)? {
        subjects.push(Subject {
            plan: fixture.plan().map_err(|problem| anyhow!(problem))?,
            known: fixture.directives("traces").next().map(str::to_owned),
            name: fixture.name.clone(),
        });
    }
    for name in PLANS {
        let path = engine_root().join("plans").join(format!("{name}.json"));
        subjects.push(Subject {
            plan: TestPlan::read(&path)?,
            name: name.to_owned(),
            known: None,
        });
    }
    Ok(subjects)
}

fn explore(executable: &Path, plan: &Path, scheduler: &str, most: u64) -> anyhow::Result<Document> {
    let classes = engine_classes().map_err(|problem| anyhow!(problem))?.classes();
    let output = Command::new(executable)
        .arg("run")
        .arg(plan)
        .args([
            "--scheduler",
            scheduler,
            "--json",
            "--schedules",
            &most.to_string(),
        ])
        .arg("--class-path")
        .arg(classes)
        .arg("--save")
        .arg(plan.with_file_name("saved"))
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {}", executable.display()))?;
    // The exit code tells what was found, which is not asked here.
    serde_json::from_slice(&output.stdout).with_context(|| {
        format!(
            "raddle run {} gives no result: {}",
            plan.display(),
            String::from_utf8_lossy(&output.stderr).trim()
        )
    })
}

fn count(document: &Document, most: u64) -> String {
    let schedules = document.rates.schedules;
    let not_all = |claim: &String| claim.contains("not all there are");
    if schedules >= most {
        format!("> {most}")
    } else if document.claim.as_ref().is_some_and(not_all) {
        format!("{schedules} of more")
    } else {
        schedules.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(schedules: u64, claim: &str) -> Document {
        Document {
            jdk: Jdk {
                version: String::new(),
            },
            rates: Rates {
                schedules,
                outcomes: 1,
                time_ms: 1.0,
            },
            claim: Some(claim.to_owned()),
        }
    }

    #[test]
    fn a_search_that_is_not_complete_says_so() {
        assert_eq!(
            count(&document(100, "100 interleavings run, about 7 left."), 100),
            "> 100"
        );
        assert_eq!(
            count(&document(8, "8 interleavings run, not all there are."), 100),
            "8 of more"
        );
        let all = "All interleavings (up to equivalence) of this test were run: 8.";
        assert_eq!(count(&document(8, all), 100), "8");
    }
}
