//! `cargo xtask seeds`: the classes of `fixtures/engine` with many seeds. A verdict that depends on the seed is wrong for
//! some of them.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use raddle_testkit::{EngineFixture, SCHEDULES, VERDICTS, crew, engine_fixtures};

use crate::product;

/// Arguments of `seeds`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Seeds for each class, from 1 on; a scheduler that tries everything runs once.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Use this executable [default: the release binary, built now].
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
    /// Only classes whose names contain this.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Runs at the same time [default: one per core].
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

/// Seeds by what a run with them has wrong.
type Wrong = BTreeMap<String, Vec<u64>>;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let raddle = match &args.raddle {
        // Runs have directories of their own.
        Some(given) => fs::canonicalize(given).with_context(|| format!("cannot use {}", given.display()))?,
        None => product::build()?,
    };
    let fixtures = fixtures(args.only.as_deref())?;
    let runs: Vec<(&EngineFixture, u64)> = fixtures
        .iter()
        .flat_map(|fixture| {
            let seeds = if fixture.is_seeded() { args.seeds } else { 1 };
            (1..=seeds).map(move |seed| (fixture, seed))
        })
        .collect();
    let jobs = args.jobs.unwrap_or_else(crew::cores);
    let results = crew::run(&runs, jobs, |_, (fixture, seed)| {
        let mistakes = mistakes(fixture, *seed, &raddle)
            .with_context(|| format!("{}/{}", fixture.verdict, fixture.name))?;
        // A whole run takes long enough to be ended early.
        if !mistakes.is_empty() {
            eprintln!(
                "{}/{}, seed {seed}: {}",
                fixture.verdict,
                fixture.name,
                mistakes.join(", ")
            );
        }
        anyhow::Ok(mistakes)
    });
    let mut wrong: BTreeMap<(&str, &str), Wrong> = BTreeMap::new();
    let mut count = 0;
    for ((fixture, seed), mistakes) in runs.iter().zip(results) {
        let mistakes = mistakes?;
        if !mistakes.is_empty() {
            count += 1;
            let of_fixture = wrong.entry((fixture.verdict, &fixture.name)).or_default();
            of_fixture.entry(mistakes.join(", ")).or_default().push(*seed);
        }
    }
    for ((verdict, name), mistakes) in &wrong {
        for (mistake, seeds) in mistakes {
            println!("{verdict}/{name}: {mistake}; seeds {seeds:?}");
        }
    }
    println!(
        "{} classes, {} runs, {count} wrong verdicts",
        fixtures.len(),
        runs.len()
    );
    if count > 0 {
        bail!("verdicts differ from the folders of fixtures/engine");
    }
    Ok(())
}

/// Those with a plan of their own, of all verdicts.
fn fixtures(only: Option<&str>) -> anyhow::Result<Vec<EngineFixture>> {
    let mut all = Vec::new();
    for verdict in VERDICTS {
        let of_verdict = engine_fixtures(verdict)?.into_iter();
        all.extend(of_verdict.filter(|fixture| only.is_none_or(|part| fixture.name.contains(part))));
    }
    if all.is_empty() {
        bail!(
            "no class of fixtures/engine has {:?} in its name",
            only.unwrap_or("")
        );
    }
    Ok(all)
}

/// What one run has wrong.
fn mistakes(fixture: &EngineFixture, seed: u64, raddle: &Path) -> anyhow::Result<Vec<String>> {
    let directory = tempfile::tempdir().context("no directory for a run")?;
    let file = directory.path().join("plan.json");
    let plan = fixture.plan().map_err(|reason| anyhow!(reason))?;
    fs::write(&file, plan.to_json()?).context("cannot write a plan")?;
    let mut command = fixture
        .command(raddle, &file, SCHEDULES)
        .map_err(|reason| anyhow!(reason))?;
    let output = command
        .args(["--seed", &seed.to_string()])
        .current_dir(directory.path())
        .output()
        .with_context(|| format!("cannot run {}", raddle.display()))?;
    Ok(fixture.mistakes(&output))
}
