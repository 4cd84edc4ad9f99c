//! `cargo xtask bench awkward`: how long hunts of awkward classes take, with a short budget.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::Context;
use raddle_classpath::Jdk;
use serde_json::Value;

use super::machine;
use crate::markdown::{Side, Table, add};
use crate::{date, file, javac, product, workspace};

const FOLDER: &str = "fixtures/awkward";
/// Seconds that a hunt may take beyond its budget, confirmation aside.
const GRACE: f64 = 3.0;

/// Arguments of `bench awkward`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Seconds for each class.
    #[arg(long, value_name = "SECONDS", default_value_t = 3)]
    budget: u32,
    /// Use this executable [default: the release binary, built now].
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
    /// Only classes whose names contain this.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Also write the report to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// One hunt.
struct Hunted {
    name: String,
    about: String,
    /// The right exit code, and that of the hunt.
    codes: (String, String),
    /// Seconds until the hunt of the class was over, and until the program had ended.
    hunt: f64,
    whole: f64,
    confirmation: String,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let raddle = match &args.raddle {
        Some(given) => fs::canonicalize(given).with_context(|| format!("cannot use {}", given.display()))?,
        None => product::build()?,
    };
    let sources = sources(args.only.as_deref())?;
    let classes = tempfile::tempdir().context("no directory for classes")?;
    let jdk = Jdk::locate(None)?;
    javac::compile(jdk.home(), &sources, "".as_ref(), classes.path())?;
    let load = machine::load();
    let mut hunted = Vec::new();
    for source in &sources {
        let one = hunt(&raddle, classes.path(), source, args.budget)?;
        eprintln!("{} {:.1} s, {:.1} s in all", one.name, one.hunt, one.whole);
        hunted.push(one);
    }
    let report = report(&hunted, args.budget, &load);
    print!("{report}");
    args.out.iter().try_for_each(|out| file::write(out, &report))
}

fn sources(only: Option<&str>) -> anyhow::Result<Vec<PathBuf>> {
    let folder = workspace::root().join(FOLDER);
    let mut found = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_file() && only.is_none_or(|part| path.to_string_lossy().contains(part)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn hunt(raddle: &Path, classes: &Path, source: &Path, budget: u32) -> anyhow::Result<Hunted> {
    let name = source
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let text = fs::read_to_string(source)?;
    let line = |start: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(start));
        line.unwrap_or_default().to_owned()
    };
    let folder = tempfile::tempdir().context("no directory for a hunt")?;
    let begun = Instant::now();
    let output = Command::new(raddle)
        .args(["hunt", &format!("fixtures.awkward.{name}"), "--json", "-cp"])
        .arg(classes)
        .args(["--budget", &format!("{budget}s")])
        .current_dir(folder.path())
        .output()
        .context("cannot run raddle")?;
    let whole = begun.elapsed().as_secs_f64();
    let document: Value = serde_json::from_slice(&output.stdout)
        .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
    let class = &document["classes"][0];
    let findings = class["findings"].as_array().cloned().unwrap_or_default();
    let confirmation: Vec<&str> = findings
        .iter()
        .filter_map(|finding| finding["stock_jvm"].as_str())
        .collect();
    Ok(Hunted {
        about: line("// "),
        codes: (line("//@ code: "), output.status.code().unwrap_or(-1).to_string()),
        hunt: class["numbers"]["time_ms"].as_f64().unwrap_or_default() / 1000.0,
        whole,
        confirmation: confirmation.join(", "),
        name,
    })
}

fn report(hunted: &[Hunted], budget: u32, load: &str) -> String {
    let mut table = Table::new(&[
        ("class", Side::Left),
        ("exit code", Side::Right),
        ("right", Side::Right),
        ("hunt, s", Side::Right),
        ("in all, s", Side::Right),
        ("reproducers", Side::Left),
        ("what it does", Side::Left),
    ]);
    for one in hunted {
        table.row(vec![
            one.name.clone(),
            one.codes.1.clone(),
            one.codes.0.clone(),
            format!("{:.1}", one.hunt),
            format!("{:.1}", one.whole),
            one.confirmation.clone(),
            one.about.clone(),
        ]);
    }
    let right = hunted.iter().filter(|one| one.codes.0 == one.codes.1).count();
    let limit = f64::from(budget) + GRACE;
    let in_time = hunted.iter().filter(|one| one.hunt <= limit).count();
    let mut report = String::new();
    add(
        &mut report,
        format_args!(
            "# Awkward classes\n\n{}, commit {}, {}, load {load} to {}. Made by `cargo xtask bench awkward`.\n\n\
             `raddle hunt CLASS --budget {budget}s`, one after the other. \"Hunt\" is the time until the class was left, with \
             what was found made sure of in fresh JVMs; \"in all\" also has the start of the program and the reproducers on a \
             stock JVM.\n\n{}\n{right} of {} exit codes are right, and {in_time} of {} hunts are over within {limit:.0} s.\n",
            date::today(),
            machine::commit(),
            machine::processor(),
            machine::load(),
            table.render(),
            hunted.len(),
            hunted.len(),
        ),
    );
    report
}
