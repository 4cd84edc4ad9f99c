//! The classes in `fixtures/engine/cage` try to do harm: each is stopped, the output says so, and nothing is harmed.
//!
//! A class names what it is after by placeholders, for which every run gets its own victims. What the output must say
//! stands in the class; that nothing happened is looked for here. Where a call is refused, a race beside it makes the
//! run a violation, because the results of calls are shown for those.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, SystemTime};

use raddle_classfile::ClassFile;
use raddle_plan::{Call, Invoke, MemberRef, PLAN_VERSION, TestPlan};
use raddle_testkit::{EngineFixture, compile, engine_fixtures, engine_root};
use serde_json::Value;
use tempfile::TempDir;

/// What a class may write before it is stopped, which is far less than what it tries: a disk can be fast and the
/// supervisor late.
const MOST_BYTES: u64 = 2 << 30;
/// The same for files.
const MOST_FILES: u64 = 100_000;
/// How often the worker's directory is measured.
const TICK: Duration = Duration::from_millis(20);

const FILES: [&str; 4] = ["ChangesMode", "DeletesFile", "HidesFiles", "OverwritesFile"];
const READING: [&str; 4] = [
    "ReadsSecrets",
    "ReadsEnvironment",
    "SeesDescriptors",
    "WatchesDirectory",
];
const HOME: [&str; 1] = ["WritesHome"];
const NETWORK: [&str; 1] = ["OpensSocket"];
const PROCESSES: [&str; 3] = ["ForksWithoutEnd", "KillsProcess", "StartsProcess"];
const DISK: [&str; 5] = [
    "FillsDisk",
    "FillsDiskWithFiles",
    "FillsDiskWithMappedFiles",
    "FillsDiskWithSmallFiles",
    "FillsDiskWithoutNames",
];
const THREADS: [&str; 2] = ["InitialiserStartsThreads", "StartsThreadsWithoutEnd"];

/// Everything that a class could harm, and where it runs.
struct Scene {
    directory: TempDir,
    /// Waits for a connection that must not come.
    listener: TcpListener,
    /// Sleeps, and must go on to.
    sleeper: Child,
    before: Tree,
}

/// What is in a directory: content, mode and time of last change by path.
type Tree = BTreeMap<PathBuf, (Vec<u8>, u32, SystemTime)>;

/// How a run went.
struct Run {
    code: Option<i32>,
    /// What the calls did and why more cannot be said, a line each.
    says: String,
    most: Size,
}

#[derive(Copy, Clone, Default)]
struct Size {
    bytes: u64,
    files: u64,
}

impl Scene {
    fn new() -> Scene {
        let directory = tempfile::tempdir().unwrap();
        for name in ["victim", "home", "temporary", "work"] {
            fs::create_dir(directory.path().join(name)).unwrap();
        }
        fs::write(directory.path().join("victim/file"), "keep").unwrap();
        fs::write(directory.path().join("home/.profile"), "keep").unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let sleeper = Command::new("sleep").arg("3600").spawn().unwrap();
        let mut scene = Scene {
            directory,
            listener,
            sleeper,
            before: Tree::new(),
        };
        scene.before = scene.tree();
        scene
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// What no class may change.
    fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        for name in ["victim", "home"] {
            add(&mut tree, &self.path(name));
        }
        tree
    }

    /// A name that nothing else in the user's real home directory has.
    fn mark(&self) -> String {
        format!(
            "raddle-cage-{}",
            self.directory.path().file_name().unwrap().to_str().unwrap()
        )
    }

    fn fill_in(&self, text: &str) -> String {
        let port = self.listener.local_addr().unwrap().port();
        text.replace("@VICTIM@", self.path("victim").to_str().unwrap())
            .replace("@HOME@", self.path("home").to_str().unwrap())
            .replace("@MARK@", &self.mark())
            .replace("@PORT@", &port.to_string())
            .replace("@PID@", &self.sleeper.id().to_string())
    }

    fn run(&self, fixture: &EngineFixture) -> Run {
        let file = format!("{}.java", fixture.name);
        let source = fs::read_to_string(engine_root().join("cage").join(&file)).unwrap();
        let compiled = compile(&[(&file, &self.fill_in(&source))]).unwrap();
        let plan = self.path("work/plan.json");
        fs::write(&plan, plan_of(fixture, compiled.classes()).to_json().unwrap()).unwrap();
        let (scheduler, schedules) = directive(fixture, "run").split_once(' ').unwrap();
        let (out, err) = (self.path("work/out"), self.path("work/err"));
        // With a file open that is nobody's business, as shells and build servers have them.
        let mut command = Command::new("bash");
        command
            .args(["-c", "exec 873>>\"$0\"; exec \"$@\""])
            .arg(self.path("victim/file"))
            .arg(env!("CARGO_BIN_EXE_raddle"))
            .arg("run")
            .arg(&plan)
            .arg("-cp")
            .arg(compiled.classes())
            .args(["--json", "--scheduler", scheduler, "--schedules", schedules])
            .env("HOME", self.path("home"))
            .env("RADDLE_TEST_SECRET", "hunter2")
            .env("TMPDIR", self.path("temporary"))
            .current_dir(self.path("work"))
            // Files instead of pipes, which nobody reads while the directory is measured.
            .stdout(File::create(&out).unwrap())
            .stderr(File::create(&err).unwrap());
        if let Some(steps) = fixture.directives("max-steps").next() {
            command.args(["--max-steps", steps]);
        }
        let mut child = command.spawn().unwrap();
        let mut most = Size::default();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            let size = size(&self.path("temporary"));
            most.bytes = most.bytes.max(size.bytes);
            most.files = most.files.max(size.files);
            thread::sleep(TICK);
        };
        Run {
            code: status.code(),
            says: said(&fs::read_to_string(&out).unwrap()) + &fs::read_to_string(&err).unwrap(),
            most,
        }
    }

    /// What was harmed, as sentences.
    fn harm(&mut self) -> Vec<String> {
        let mut harm = Vec::new();
        let after = self.tree();
        if after != self.before {
            harm.push(format!("the victims' files changed: {:?}", after.keys()));
        }
        if let Some(home) = std::env::var_os("HOME")
            && Path::new(&home).join(self.mark()).exists()
        {
            harm.push(format!("there is a new file in {}", home.display()));
        }
        match self.listener.accept() {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            other => harm.push(format!("there was a connection: {other:?}")),
        }
        if let Some(status) = self.sleeper.try_wait().unwrap() {
            harm.push(format!("another process was ended: {status}"));
        }
        for process in processes(self.directory.path()) {
            harm.push(format!("a process is left: {process}"));
        }
        let left: Vec<_> = fs::read_dir(self.path("temporary"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        if !left.is_empty() {
            harm.push(format!("files are left: {left:?}"));
        }
        harm
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = self.sleeper.kill();
        let _ = self.sleeper.wait();
    }
}

fn directive<'a>(fixture: &'a EngineFixture, key: &'a str) -> &'a str {
    let value = fixture.directives(key).next();
    value.unwrap_or_else(|| panic!("{} has no line `//@ {key}:`", fixture.name))
}

/// One instance, made in the prefix; each thread calls methods of it.
fn plan_of(fixture: &EngineFixture, classes: &Path) -> TestPlan {
    let bytes = fs::read(classes.join(format!("{}.class", fixture.name))).unwrap();
    let class = ClassFile::parse(&bytes).unwrap();
    let call = |name: &str| {
        let method = class.methods().find(|method| method.name() == name).unwrap();
        let is_new = name == "<init>";
        Call {
            bind: is_new.then(|| "x".to_owned()),
            invoke: if is_new { Invoke::New } else { Invoke::Virtual },
            member: MemberRef {
                class: fixture.name.clone(),
                name: name.to_owned(),
                descriptor: method.descriptor().into_owned(),
            },
            on: (!is_new).then(|| "x".to_owned()),
            args: Vec::new(),
            methods: Vec::new(),
        }
    };
    TestPlan {
        raddle_plan: PLAN_VERSION,
        package: None,
        name: fixture.name.clone(),
        prefix: vec![call("<init>")],
        threads: directive(fixture, "threads")
            .split('|')
            .map(|methods| methods.split_whitespace().map(call).collect())
            .collect(),
        after: Vec::new(),
        uninitialised: Vec::new(),
    }
}

/// What a JSON document says of the calls, and why more cannot be said.
fn said(document: &str) -> String {
    let Ok(document) = serde_json::from_str::<Value>(document) else {
        return document.to_owned();
    };
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut lines: Vec<String> = list(&document["gaps"]).iter().map(text).collect();
    for finding in list(&document["findings"]) {
        for call in list(&finding["outcome"]["calls"]) {
            let threw = &call["result"]["threw"];
            lines.push(if threw.is_null() {
                format!("returned {}", text(&call["result"]["returned"]))
            } else {
                format!("threw {}: {}", text(&threw["class"]), text(&threw["message"]))
            });
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn add(tree: &mut Tree, path: &Path) {
    let metadata = fs::symlink_metadata(path).unwrap();
    let content = if metadata.is_file() {
        fs::read(path).unwrap()
    } else {
        Vec::new()
    };
    tree.insert(
        path.to_owned(),
        (content, metadata.mode(), metadata.modified().unwrap()),
    );
    if metadata.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            add(tree, &entry.unwrap().path());
        }
    }
}

/// Of everything below a directory. What vanishes meanwhile counts as nothing.
fn size(directory: &Path) -> Size {
    let mut all = Size::default();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let Ok(metadata) = entry.metadata() else { continue };
        all.files += 1;
        if metadata.is_dir() {
            let inner = size(&entry.path());
            all.bytes += inner.bytes;
            all.files += inner.files;
        } else {
            all.bytes += metadata.len();
        }
    }
    all
}

/// Processes that live in a directory or have its name in their arguments.
fn processes(directory: &Path) -> Vec<String> {
    let directory = directory.to_str().unwrap();
    let mut found = Vec::new();
    for process in fs::read_dir("/proc").unwrap().flatten() {
        let arguments = fs::read(process.path().join("cmdline")).unwrap_or_default();
        let arguments = String::from_utf8_lossy(&arguments).replace('\0', " ");
        let home = fs::read_link(process.path().join("cwd")).unwrap_or_default();
        if arguments.contains(directory) || home.to_string_lossy().starts_with(directory) {
            found.push(format!("{} {arguments}", process.path().display()));
        }
    }
    found
}

fn mistakes(fixture: &EngineFixture) -> Vec<String> {
    let mut scene = Scene::new();
    let run = scene.run(fixture);
    let mut mistakes = scene.harm();
    let code = match directive(fixture, "verdict") {
        "wrong-result" => 1,
        "inconclusive" => 3,
        other => panic!("no such verdict: {other}"),
    };
    if run.code != Some(code) {
        mistakes.push(format!("exit code {:?} instead of {code}", run.code));
    }
    for part in fixture.directives("says").map(|part| scene.fill_in(part)) {
        if !run.says.contains(&part) {
            mistakes.push(format!("does not say {part:?}"));
        }
    }
    if run.most.bytes > MOST_BYTES || run.most.files > MOST_FILES {
        mistakes.push(format!(
            "wrote {} bytes in {} files",
            run.most.bytes, run.most.files
        ));
    }
    if !mistakes.is_empty() {
        mistakes.push(run.says);
    }
    mistakes
}

/// Runs these classes; of each kind of harm the fast tests have only the first.
#[track_caller]
fn check(names: &[&str]) {
    let names = if cfg!(feature = "full-tests") {
        names
    } else {
        &names[..1]
    };
    let mut wrong = Vec::new();
    for fixture in engine_fixtures("cage").unwrap() {
        if names.contains(&fixture.name.as_str()) {
            let mistakes = mistakes(&fixture);
            if !mistakes.is_empty() {
                wrong.push(format!("== {}: {}", fixture.name, mistakes.join("\n")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_of_others_stay_as_they_are() {
    check(&FILES);
}

#[test]
fn what_is_none_of_the_tests_business_is_not_read() {
    check(&READING);
}

#[test]
fn nothing_is_written_to_the_home_directory() {
    check(&HOME);
}

#[test]
fn the_network_is_out_of_reach() {
    check(&NETWORK);
}

#[test]
fn no_process_is_started_or_ended() {
    check(&PROCESSES);
}

#[test]
fn the_disk_does_not_fill() {
    check(&DISK);
}

#[test]
fn threads_without_end_come_to_an_end() {
    check(&THREADS);
}

#[test]
fn every_class_that_does_harm_is_run() {
    let mut named: Vec<&str> = [&FILES[..], &READING, &HOME, &NETWORK, &PROCESSES, &DISK, &THREADS].concat();
    named.sort_unstable();
    let there: Vec<String> = engine_fixtures("cage")
        .unwrap()
        .into_iter()
        .map(|fixture| fixture.name)
        .collect();
    assert_eq!(named, there);
}
