//! `cargo xtask bench cage`: what the cage costs, when a worker starts and while it runs schedules.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, bail};
use serde_json::Value;

use super::machine;
use crate::markdown::{Side, Table, add};
use crate::{date, file, product, workspace};

/// Plans about classes of the JDK, so that nothing has to be compiled.
const START: &str = "fixtures/engine/plans/deadlock/hashtable-equals.json";
const PLANS: [&str; 2] = [START, "fixtures/engine/plans/clean/hashtable-merge.json"];

/// Arguments of `bench cage`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How often each is measured, with and without a cage in turns.
    #[arg(long, value_name = "N", default_value_t = 15)]
    times: usize,
    /// Schedules of a run whose speed is measured.
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    schedules: u64,
    /// Use this executable [default: the release binary, built now].
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
    /// Also write the report to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Medians with and without a cage.
struct Both {
    caged: f64,
    free: f64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let raddle = match &args.raddle {
        Some(given) => fs::canonicalize(given).with_context(|| format!("cannot use {}", given.display()))?,
        None => product::build()?,
    };
    let load = machine::load();
    let mut table = Table::new(&[
        ("what", Side::Left),
        ("caged", Side::Right),
        ("--no-cage", Side::Right),
        ("ratio", Side::Right),
    ]);
    let start = in_turns(args.times, |is_caged| Ok(time(&raddle, START, 1, is_caged)?.0))?;
    table.row(vec![
        "a run of one schedule, ms".to_owned(),
        format!("{:.0}", start.caged),
        format!("{:.0}", start.free),
        format!("{:.3}", start.caged / start.free),
    ]);
    for plan in PLANS {
        let speed = in_turns(args.times.div_ceil(3), |is_caged| {
            Ok(time(&raddle, plan, args.schedules, is_caged)?.1)
        })?;
        let name = Path::new(plan).file_stem().unwrap_or_default().to_string_lossy();
        table.row(vec![
            format!("{name}, schedules/s"),
            format!("{:.0}", speed.caged),
            format!("{:.0}", speed.free),
            format!("{:.3}", speed.caged / speed.free),
        ]);
    }
    let mut report = String::new();
    add(
        &mut report,
        format_args!(
            "# What the cage costs\n\n{}, commit {}, {}, load {load} to {}. Made by `cargo xtask bench cage`.\n\nMedians of {} \
             runs (start) and {} runs (schedules), with and without a cage in turns. A run of one schedule is mostly the start \
             of a worker and its end.\n\n{}",
            date::today(),
            machine::commit(),
            machine::processor(),
            machine::load(),
            args.times,
            args.times.div_ceil(3),
            table.render()
        ),
    );
    print!("{report}");
    args.out.iter().try_for_each(|out| file::write(out, &report))
}

/// Measures with and without a cage in turns, so that what else goes on concerns both.
fn in_turns(times: usize, measure: impl Fn(bool) -> anyhow::Result<f64>) -> anyhow::Result<Both> {
    let (mut caged, mut free) = (Vec::new(), Vec::new());
    for _ in 0..times {
        caged.push(measure(true)?);
        free.push(measure(false)?);
    }
    Ok(Both {
        caged: median(caged),
        free: median(free),
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// Milliseconds that a run takes, and its schedules per second.
fn time(raddle: &Path, plan: &str, schedules: u64, is_caged: bool) -> anyhow::Result<(f64, f64)> {
    let folder = tempfile::tempdir().context("no directory for a run")?;
    let begun = Instant::now();
    let output = Command::new(raddle)
        .arg("run")
        .arg(workspace::root().join(plan))
        .args(["--scheduler", "random", "--json", "--schedules"])
        .arg(schedules.to_string())
        .args((!is_caged).then_some("--no-cage"))
        .current_dir(folder.path())
        .output()
        .context("cannot run raddle")?;
    let took = begun.elapsed().as_secs_f64() * 1000.0;
    let Ok(document) = serde_json::from_slice::<Value>(&output.stdout) else {
        bail!("raddle says: {}", String::from_utf8_lossy(&output.stderr));
    };
    let per_second = document["rates"]["schedules_per_second"].as_f64();
    Ok((took, per_second.unwrap_or_default()))
}
