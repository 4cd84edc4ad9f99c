//! `cargo xtask bench backend`: the sample project of `fixtures/backend`, hunted by a pattern as its owners would.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use raddle_testkit::crew;
use serde::Deserialize;
use serde_json::Value;

use super::machine;
use crate::markdown::{Side, Table, add};
use crate::{product, workspace};

const PROJECT: &str = "fixtures/backend";
const PATTERN: &str = "com.acme.shop.**";
/// Where the compiler's jars are in the user's cache; without them, the Kotlin classes are left out.
const KOTLIN: &str = "raddle/kotlin";

/// Arguments of `bench backend`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Seconds for each class.
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    budget: u64,
    /// Seeds, from 1 on.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Hunts at the same time [default: one per core].
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Use this executable [default: the release binary, built now].
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
    /// Also write the report to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Expected {
    class: Vec<Class>,
}

#[derive(Deserialize)]
struct Class {
    name: String,
    verdict: Verdict,
    #[serde(default)]
    kinds: Vec<String>,
    why: String,
}

#[derive(Copy, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Faulty,
    /// What is seen may be by design, and is told apart.
    Weaker,
    Correct,
}

impl Verdict {
    const fn name(self) -> &'static str {
        match self {
            Verdict::Faulty => "faulty",
            Verdict::Weaker => "weaker",
            Verdict::Correct => "correct",
        }
    }
}

/// What one hunt says of one class.
#[derive(Clone, Default)]
struct Said {
    /// Kinds of the findings that count.
    kinds: Vec<String>,
    /// Milliseconds from the beginning of the class.
    time: f64,
    weaker: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let raddle = match &args.raddle {
        Some(given) => fs::canonicalize(given).with_context(|| format!("cannot use {}", given.display()))?,
        None => product::build()?,
    };
    let project = workspace::root().join(PROJECT);
    let text = fs::read_to_string(project.join("expected.toml")).context("cannot read what is expected")?;
    let expected: Expected = toml::from_str(&text).context("fixtures/backend/expected.toml")?;
    let classes = tempfile::tempdir().context("no directory for classes")?;
    let class_path = compile(&project, classes.path())?;
    let seeds: Vec<u64> = (1..=args.seeds).collect();
    let load = machine::load();
    let jobs = args.jobs.unwrap_or_else(crew::cores);
    let hunts = crew::run(&seeds, jobs, |_, seed| {
        let said = hunt(&raddle, &class_path, args.budget, *seed);
        eprintln!("seed {seed} done");
        said
    });
    let hunts = hunts.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    let mut report = format!(
        "# A backend project\n\nCommit {}, {}, load {load} to {}. Made by `cargo xtask bench backend`.\n\n\
         `raddle hunt '{PATTERN}'`, {} s a class, seeds 1 to {}, {jobs} hunts at a time. Classes that nobody who works on \
         the engine wrote, with the verdicts of their author (`{PROJECT}/expected.toml`). Found: seeds for which a finding \
         counts; of a correct class every one is a false alarm. Weaker: seeds for which something was told apart that may \
         be by design.\n\n",
        machine::commit(),
        machine::processor(),
        machine::load(),
        args.budget,
        args.seeds,
    );
    report.push_str(&table(&expected.class, &hunts));
    add(
        &mut report,
        format_args!("\n{}\n", totals(&expected.class, &hunts)),
    );
    print!("{report}");
    if let Some(out) = &args.out {
        fs::write(out, &report).with_context(|| format!("cannot write {}", out.display()))?;
    }
    Ok(())
}

/// Compiles the project; the class path.
fn compile(project: &Path, to: &Path) -> anyhow::Result<String> {
    let java = sources(&project.join("src/main/java"), "java")?;
    let mut command = Command::new("javac");
    command.args(["-g", "-d"]).arg(to).args(&java);
    succeed(command, "javac")?;
    let mut class_path = to.display().to_string();
    let jars = cache().join(KOTLIN);
    let library = fs::read_dir(&jars).into_iter().flatten().flatten().find(|entry| {
        let name = entry.file_name();
        name.to_string_lossy().starts_with("kotlin-stdlib-") && !name.to_string_lossy().contains("jdk")
    });
    let Some(library) = library else {
        eprintln!(
            "no Kotlin compiler in {}: its classes are left out",
            jars.display()
        );
        return Ok(class_path);
    };
    class_path = format!("{class_path}:{}", library.path().display());
    let mut command = Command::new("java");
    command
        .arg("-cp")
        .arg(jars.join("*"))
        .arg("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler")
        .args([
            "-no-reflect",
            "-no-stdlib",
            "-jvm-target",
            "17",
            "-cp",
            &class_path,
            "-d",
        ])
        .arg(to)
        .arg(project.join("src/main/kotlin"));
    succeed(command, "the Kotlin compiler")?;
    Ok(class_path)
}

fn cache() -> PathBuf {
    let home = || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache");
    std::env::var_os("XDG_CACHE_HOME").map_or_else(home, PathBuf::from)
}

fn succeed(mut command: Command, what: &str) -> anyhow::Result<()> {
    let output = command.output().with_context(|| format!("cannot run {what}"))?;
    if !output.status.success() {
        bail!("{what} says: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

fn sources(folder: &Path, extension: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// What one hunt of the whole project says, by class.
fn hunt(raddle: &Path, class_path: &str, budget: u64, seed: u64) -> anyhow::Result<BTreeMap<String, Said>> {
    let folder = tempfile::tempdir().context("no directory for a hunt")?;
    let output = Command::new(raddle)
        .args(["hunt", PATTERN, "-cp", class_path, "--jobs", "1", "--json"])
        .args(["--budget", &format!("{budget}s"), "--seed", &seed.to_string()])
        .current_dir(folder.path())
        .output()
        .context("cannot run raddle")?;
    let document: Value = serde_json::from_slice(&output.stdout)
        .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut said = BTreeMap::new();
    for class in list(&document["classes"]) {
        let findings = list(&class["findings"]);
        let counting = findings.iter().filter(|finding| finding["counts"] == true);
        let kinds = counting.filter_map(|finding| finding["kind"].as_str().map(str::to_owned));
        said.insert(
            class["class"].as_str().unwrap_or_default().to_owned(),
            Said {
                kinds: kinds.collect(),
                time: class["numbers"]["time_ms"].as_f64().unwrap_or_default(),
                weaker: list(&class["weaker"]).len(),
            },
        );
    }
    Ok(said)
}

fn is_found(class: &Class, said: &Said) -> bool {
    match class.verdict {
        Verdict::Faulty => said.kinds.iter().any(|kind| class.kinds.contains(kind)),
        _ => !said.kinds.is_empty(),
    }
}

fn table(classes: &[Class], hunts: &[BTreeMap<String, Said>]) -> String {
    let mut table = Table::new(&[
        ("class", Side::Left),
        ("verdict", Side::Left),
        ("hunted", Side::Right),
        ("found", Side::Right),
        ("weaker", Side::Right),
        ("longest, s", Side::Right),
        ("why", Side::Left),
    ]);
    for class in classes {
        let said: Vec<&Said> = hunts.iter().filter_map(|hunt| hunt.get(&class.name)).collect();
        let longest = said.iter().map(|said| said.time).fold(0.0, f64::max) / 1000.0;
        table.row(vec![
            format!("`{}`", class.name),
            class.verdict.name().to_owned(),
            said.len().to_string(),
            said.iter()
                .filter(|said| is_found(class, said))
                .count()
                .to_string(),
            said.iter().filter(|said| said.weaker > 0).count().to_string(),
            format!("{longest:.1}"),
            class.why.clone(),
        ]);
    }
    table.render()
}

fn totals(classes: &[Class], hunts: &[BTreeMap<String, Said>]) -> String {
    let of = |verdict: Verdict| classes.iter().filter(move |class| class.verdict == verdict);
    let by_every = of(Verdict::Faulty).filter(|class| {
        let mut hunts = hunts.iter();
        hunts.all(|hunt| hunt.get(&class.name).is_some_and(|said| is_found(class, said)))
    });
    let tries = |verdict: Verdict| {
        let found = of(verdict).map(|class| {
            let said = hunts.iter().filter_map(|hunt| hunt.get(&class.name));
            said.filter(|said| is_found(class, said)).count()
        });
        format!(
            "{} of {}",
            found.sum::<usize>(),
            of(verdict).count() * hunts.len()
        )
    };
    format!(
        "Of {} faulty classes {} are found with every seed ({} tries); false alarms in {} tries of correct ones.",
        of(Verdict::Faulty).count(),
        by_every.count(),
        tries(Verdict::Faulty),
        tries(Verdict::Correct),
    )
}
