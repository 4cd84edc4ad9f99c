//! `cargo xtask soak`: hunts that are disturbed in every way come to what they come to when left alone.
//!
//! In every round some classes are hunted once undisturbed, and once with workers killed, the disk full and the program itself
//! killed and resumed. Both must end with the same findings, and leave nothing behind.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use raddle_classpath::Jdk;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::bench::machine;
use crate::markdown::{Side, Table, add};
use crate::{date, file, javac, product, workspace};

/// Where the classes are that are hunted.
const FOLDERS: [&str; 2] = ["fixtures/rules/violation", "fixtures/rules/weaker"];
/// Classes of a round, and plans of each: a number and no time, so that both hunts do the same.
const CLASSES: usize = 8;
const PLANS: &str = "6";
/// Disturbances of a round.
const KILLED: usize = 5;
const FILLED: usize = 2;
/// More workers are not killed: on a busy machine none would come to do anything.
const WORKERS: usize = 10;
/// Room in the folder of a disturbed hunt.
const DISK: &str = "size=24m";
/// Processor time, in hundredths of a second, that it takes a worker to start.
const STARTED: u64 = 60;
const LOOK: Duration = Duration::from_millis(50);

/// Arguments of `soak`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How long; the last round is finished.
    #[arg(long, value_name = "N", default_value_t = 30)]
    minutes: u64,
    /// What random choices follow from.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Use this executable [default: the release binary, built now].
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
    /// Also write the report to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Findings, by class and id.
type Findings = BTreeSet<(String, String)>;

/// What came of one round.
#[derive(Default)]
struct Round {
    classes: usize,
    calm: Findings,
    found: Findings,
    workers_killed: usize,
    program_killed: usize,
    disk_filled: usize,
    /// MiB of the program in its first and in its last second, and most of all.
    memory: (u64, u64, u64),
    /// What was there afterwards and should not have been.
    left: Vec<String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let raddle = match &args.raddle {
        Some(given) => fs::canonicalize(given).with_context(|| format!("cannot use {}", given.display()))?,
        None => product::build()?,
    };
    let classes = tempfile::tempdir().context("no directory for classes")?;
    let names = compile(classes.path())?;
    let load = machine::load();
    let begun = Instant::now();
    let mut random = Random(args.seed);
    let mut rounds = Vec::new();
    while begun.elapsed() < Duration::from_secs(args.minutes * 60) {
        let chosen: Vec<&String> = (0..CLASSES).map(|_| &names[random.below(names.len())]).collect();
        let chosen: BTreeSet<&String> = chosen.into_iter().collect();
        let hunt = Hunt {
            raddle: &raddle,
            classes: classes.path(),
            names: chosen.into_iter().cloned().collect(),
            seed: random.next() % 1000,
        };
        let round = hunt.round(&mut random)?;
        eprintln!(
            "round {}: {} findings, {} disturbed; {} workers killed; left: {:?}",
            rounds.len() + 1,
            round.calm.len(),
            round.found.len(),
            round.workers_killed,
            round.left
        );
        rounds.push(round);
    }
    let report = report(&rounds, begun.elapsed(), args.seed, &load);
    print!("{report}");
    args.out.iter().try_for_each(|out| file::write(out, &report))?;
    if rounds
        .iter()
        .any(|round| round.calm != round.found || !round.left.is_empty())
    {
        bail!("a disturbed hunt came to something else, or left something behind");
    }
    Ok(())
}

/// Compiles the classes; their names.
fn compile(to: &Path) -> anyhow::Result<Vec<String>> {
    let mut sources = Vec::new();
    for folder in FOLDERS {
        for entry in fs::read_dir(workspace::root().join(folder))? {
            sources.push(entry?.path());
        }
    }
    sources.sort();
    let jdk = Jdk::locate(None)?;
    javac::compile(jdk.home(), &sources, "".as_ref(), to)?;
    let name = |source: &PathBuf| {
        let text = fs::read_to_string(source).unwrap_or_default();
        let package = text.lines().find_map(|line| line.strip_prefix("package "));
        let simple = source
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        format!("{}.{simple}", package.unwrap_or_default().trim_end_matches(';'))
    };
    Ok(sources.iter().map(name).collect())
}

/// One set of classes, hunted the same way however often.
struct Hunt<'a> {
    raddle: &'a Path,
    classes: &'a Path,
    names: Vec<String>,
    seed: u64,
}

impl Hunt<'_> {
    fn round(&self, random: &mut Random) -> anyhow::Result<Round> {
        let calm = tempfile::tempdir().context("no directory for a hunt")?;
        let mut child = self.start(calm.path(), calm.path(), false)?;
        child.wait()?;
        let mut round = Round {
            classes: self.names.len(),
            calm: findings(&calm.path().join("out"))?,
            ..Round::default()
        };
        self.disturbed(&mut round, random)?;
        Ok(round)
    }

    /// Starts the program: its files go to one directory, those of its workers to another.
    fn start(&self, folder: &Path, temporary: &Path, is_resumed: bool) -> anyhow::Result<Child> {
        let mut command = Command::new(self.raddle);
        command.arg("hunt");
        if is_resumed {
            command.arg("--resume");
        } else {
            command
                .args(&self.names)
                .arg("-cp")
                .arg(self.classes)
                .args([
                    "--max-plans",
                    PLANS,
                    "--budget",
                    "10m",
                    "--jobs",
                    "1",
                    "--no-confirm",
                    "--seed",
                ])
                .arg(self.seed.to_string());
        }
        command
            .arg("--out")
            .arg(folder.join("out"))
            .env("TMPDIR", temporary)
            .current_dir(temporary)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.spawn().context("cannot run raddle")
    }

    fn disturbed(&self, round: &mut Round, random: &mut Random) -> anyhow::Result<()> {
        let place = tempfile::tempdir().context("no directory for a hunt")?;
        let temporary = tempfile::tempdir().context("no directory for workers")?;
        let disk = Disk::mount(place.path());
        let mut child = self.start(place.path(), temporary.path(), false)?;
        let mut is_begun = false;
        let mut next = Instant::now() + pause(random);
        loop {
            if let Some(status) = child.try_wait()? {
                // Not even its request may have been written before the program was killed, or to a full disk.
                if status.code().is_some_and(|code| code != 2) {
                    break;
                }
                is_begun = place.path().join("out/hunt.json").is_file();
                child = self.start(place.path(), temporary.path(), is_begun)?;
            }
            let used = memory(child.id());
            round.memory.0 = if round.memory.0 == 0 { used } else { round.memory.0 };
            if used > 0 {
                round.memory.1 = used;
            }
            round.memory.2 = round.memory.2.max(used);
            if Instant::now() >= next {
                next = Instant::now() + pause(random);
                match random.below(4) {
                    0 if round.program_killed < KILLED => {
                        round.program_killed += 1;
                        child.kill()?;
                        child.wait()?;
                        is_begun |= place.path().join("out/hunt.json").is_file();
                        child = self.start(place.path(), temporary.path(), is_begun)?;
                    }
                    1 if round.disk_filled < FILLED => {
                        round.disk_filled += 1;
                        disk.fill_for(Duration::from_millis(500))?;
                    }
                    _ if round.workers_killed < WORKERS => {
                        round.workers_killed += kill_worker(child.id(), random);
                    }
                    _ => {}
                }
            }
            thread::sleep(LOOK);
        }
        round.found = findings(&place.path().join("out"))?;
        round.left = left(temporary.path(), child.id());
        drop(disk);
        Ok(())
    }
}

fn pause(random: &mut Random) -> Duration {
    Duration::from_millis(500 + random.next() % 3500)
}

/// The findings in the folder of a hunt. The same one twice would be two folders, or two lines.
fn findings(out: &Path) -> anyhow::Result<Findings> {
    let mut found = Findings::new();
    for class in fs::read_dir(out).with_context(|| format!("no hunt in {}", out.display()))? {
        let class = class?;
        let Ok(text) = fs::read_to_string(class.path().join("run.json")) else {
            continue;
        };
        let run: Value = serde_json::from_str(&text)?;
        let list = |name: &str| run["classes"][0][name].as_array().cloned().unwrap_or_default();
        for finding in list("findings").iter().chain(&list("weaker")) {
            let id = finding["id"].as_str().unwrap_or_default().to_owned();
            let name = class.file_name().to_string_lossy().into_owned();
            if !found.insert((name, id.clone())) {
                bail!("{id} is there twice");
            }
        }
        let events = fs::read_to_string(class.path().join("events.jsonl"))?;
        let told = events
            .lines()
            .filter(|line| line.starts_with(r#"{"event":"finding""#));
        let told: Vec<&str> = told.filter_map(|line| line.split('"').nth(7)).collect();
        if told.iter().collect::<BTreeSet<_>>().len() != told.len() {
            bail!("a finding was told twice: {told:?}");
        }
    }
    Ok(found)
}

/// Resident memory of a process, in MiB.
fn memory(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or_default() >> 10
}

/// Kills one of the processes that a process has started, and that has worked for a while; how many that were. On a busy machine
/// no worker would ever be ready otherwise.
fn kill_worker(parent: u32, random: &mut Random) -> usize {
    let mut workers = children(parent);
    workers.retain(|pid| ticks(*pid) >= STARTED);
    if workers.is_empty() {
        return 0;
    }
    let pid = workers[random.below(workers.len())];
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    usize::from(pid.is_some_and(|pid| kill_process(pid, Signal::KILL).is_ok()))
}

/// Processor time of a process, in hundredths of a second.
fn ticks(pid: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields = after_name.split_whitespace().skip(11).take(2);
    fields.filter_map(|field| field.parse::<u64>().ok()).sum()
}

fn children(parent: u32) -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_child = |pid: &u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let after_name = stat.rsplit(')').next().unwrap_or_default();
        after_name.split_whitespace().nth(1) == Some(&*parent.to_string())
    };
    pids.filter(is_child).collect()
}

/// Files of workers that are still there. Those of a program that was killed are removed by another one a minute later, and
/// are not counted.
fn left(temporary: &Path, last: u32) -> Vec<String> {
    let mut left: Vec<String> = children(last)
        .iter()
        .map(|pid| format!("process {pid}"))
        .collect();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    for entry in entries {
        let directory = fs::read_link(entry.path().join("cwd"));
        if directory.is_ok_and(|directory| directory.starts_with(temporary)) {
            left.push(format!("process {}", entry.file_name().to_string_lossy()));
        }
    }
    let files = fs::read_dir(temporary).into_iter().flatten().flatten();
    let is_old = |entry: &fs::DirEntry| {
        let age = entry.metadata().and_then(|metadata| metadata.modified());
        age.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > Duration::from_secs(90)))
    };
    left.extend(
        files
            .filter(is_old)
            .map(|entry| entry.file_name().to_string_lossy().into_owned()),
    );
    left
}

/// A small file system of its own, if this user may make one.
struct Disk {
    place: PathBuf,
    is_own: bool,
}

impl Disk {
    fn mount(place: &Path) -> Disk {
        let status = Command::new("mount")
            .args(["-t", "tmpfs", "-o", DISK, "tmpfs"])
            .arg(place)
            .stderr(Stdio::null())
            .status();
        Disk {
            place: place.to_owned(),
            is_own: status.is_ok_and(|status| status.success()),
        }
    }

    /// Leaves no room for that long. Whoever cannot have a disk of their own does not fill everybody's.
    fn fill_for(&self, time: Duration) -> anyhow::Result<()> {
        if !self.is_own {
            bail!("a disk can be filled only where a small one can be mounted; run this as root");
        }
        let filler = self.place.join("filler");
        let full = fs::write(&filler, vec![0; 32 << 20]);
        thread::sleep(time);
        fs::remove_file(&filler)?;
        if full.is_ok() {
            bail!("the disk was not filled");
        }
        Ok(())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if self.is_own {
            let _ = Command::new("umount").arg(&self.place).status();
        }
    }
}

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).unwrap_or_default()
    }
}

fn report(rounds: &[Round], took: Duration, seed: u64, load: &str) -> String {
    let mut table = Table::new(&[
        ("round", Side::Right),
        ("classes", Side::Right),
        ("findings", Side::Right),
        ("disturbed", Side::Right),
        ("lost", Side::Right),
        ("more", Side::Right),
        ("workers killed", Side::Right),
        ("program killed", Side::Right),
        ("disk full", Side::Right),
        ("MiB at first, at last, most", Side::Left),
        ("left behind", Side::Left),
    ]);
    for (number, round) in (1..).zip(rounds) {
        let names = |list: Vec<&(String, String)>| list.len().to_string();
        let (first, last, most) = round.memory;
        table.row(vec![
            number.to_string(),
            round.classes.to_string(),
            round.calm.len().to_string(),
            round.found.len().to_string(),
            names(round.calm.difference(&round.found).collect()),
            names(round.found.difference(&round.calm).collect()),
            round.workers_killed.to_string(),
            round.program_killed.to_string(),
            round.disk_filled.to_string(),
            format!("{first}, {last}, {most}"),
            round.left.join(", "),
        ]);
    }
    let mut report = String::new();
    add(
        &mut report,
        format_args!(
            "# Disturbed hunts\n\n{}, commit {}, {}, load {load} to {}. Made by `cargo xtask soak --seed {seed}` in {} minutes.\n\n\
             Each round hunts some classes of {} with {PLANS} plans each, once left alone and once with workers killed at random, \
             the disk full for half a second and the program killed with SIGKILL and resumed. Lost and more: findings that only \
             one of the two has.\n\n{}",
            date::today(),
            machine::commit(),
            machine::processor(),
            machine::load(),
            took.as_secs() / 60,
            FOLDERS.map(|folder| format!("`{folder}`")).join(" and "),
            table.render()
        ),
    );
    report
}
