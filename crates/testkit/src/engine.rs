//! The classes in `fixtures/engine`: what to run, and what is expected. `fixtures/README.md` describes the notation.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use raddle_classfile::ClassFile;
use raddle_plan::{Call, Invoke, MemberRef, PLAN_VERSION, TestPlan};

use crate::error::KitError;
use crate::javac::{Compiled, compile};

/// The folders of `fixtures/engine` with classes, which are the verdicts.
pub const VERDICTS: [&str; 7] = [
    "clean",
    "deadlock",
    "exception",
    "inconclusive",
    "livelock",
    "lost-wake-up",
    "wrong-result",
];

/// The folder of `fixtures/engine` with classes whose interleavings are counted.
pub const INTERLEAVINGS: &str = "interleavings";

/// One class.
pub struct EngineFixture {
    /// Its name.
    pub name: String,
    /// Its folder.
    pub verdict: &'static str,
    source: String,
}

/// The folder `fixtures/engine` of the workspace.
pub fn engine_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/engine")
}

/// Classes of all folders, compiled once per process.
pub fn engine_classes() -> Result<&'static Compiled, String> {
    static COMPILED: OnceLock<Result<Compiled, String>> = OnceLock::new();
    let compiled = COMPILED.get_or_init(|| {
        let mut sources = Vec::new();
        for verdict in VERDICTS.into_iter().chain([INTERLEAVINGS]) {
            for fixture in engine_fixtures(verdict).map_err(|error| error.to_string())? {
                sources.push((format!("{}.java", fixture.name), fixture.source));
            }
        }
        let sources: Vec<(&str, &str)> = sources
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .collect();
        compile(&sources).map_err(|error| error.to_string())
    });
    compiled.as_ref().map_err(Clone::clone)
}

/// The classes of one folder, by name.
pub fn engine_fixtures(verdict: &'static str) -> Result<Vec<EngineFixture>, KitError> {
    let folder = engine_root().join(verdict);
    let mut fixtures = Vec::new();
    for entry in fs::read_dir(&folder).map_err(KitError::at(&folder))? {
        let path = entry.map_err(KitError::at(&folder))?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        if let Some(name) = name.strip_suffix(".java") {
            fixtures.push(EngineFixture {
                name: name.to_owned(),
                verdict,
                source: fs::read_to_string(&path).map_err(KitError::at(&path))?,
            });
        }
    }
    fixtures.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(fixtures)
}

impl EngineFixture {
    /// What the lines `//@ key: value` say about a key.
    pub fn directives<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.source
            .lines()
            .filter_map(|line| line.strip_prefix("//@ "))
            .filter_map(move |line| {
                let rest = line.strip_prefix(key)?;
                if rest.is_empty() {
                    return Some("");
                }
                rest.strip_prefix(':').map(str::trim)
            })
    }

    /// One instance, made in the prefix; each thread calls methods of it.
    pub fn plan(&self) -> Result<TestPlan, String> {
        let threads = self
            .directives("threads")
            .next()
            .ok_or_else(|| format!("{} has no line `//@ threads:`", self.name))?;
        let (threads, times) = match threads.split_once('*') {
            Some((methods, times)) => (methods, times.trim().parse().map_err(|_| format!("{times}?"))?),
            None => (threads, 1),
        };
        let one_round = threads
            .split('|')
            .map(|methods| self.calls(methods))
            .collect::<Result<Vec<_>, String>>()?;
        let threads: Vec<Vec<Call>> = std::iter::repeat_n(one_round, times).flatten().collect();
        let constructor = Call {
            bind: Some("x".to_owned()),
            invoke: Invoke::New,
            member: self.member("<init>", "()V"),
            on: None,
            args: Vec::new(),
            methods: Vec::new(),
        };
        Ok(TestPlan {
            raddle_plan: PLAN_VERSION,
            package: None,
            name: self.name.clone(),
            prefix: vec![constructor],
            threads,
            after: self.calls(self.directives("after").next().unwrap_or(""))?,
            uninitialised: Vec::new(),
        })
    }

    fn member(&self, name: &str, descriptor: &str) -> MemberRef {
        MemberRef {
            class: self.name.clone(),
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
        }
    }

    fn calls(&self, methods: &str) -> Result<Vec<Call>, String> {
        methods
            .split_whitespace()
            .map(|method| self.call(method))
            .collect()
    }

    fn call(&self, method: &str) -> Result<Call, String> {
        let file = engine_classes()?.classes().join(format!("{}.class", self.name));
        let bytes = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let class = ClassFile::parse(&bytes).map_err(|error| error.to_string())?;
        let descriptor = class
            .methods()
            .find(|candidate| candidate.name() == method)
            .map(|found| found.descriptor().into_owned())
            .ok_or_else(|| format!("{} has no method {method}", self.name))?;
        Ok(Call {
            bind: None,
            invoke: Invoke::Virtual,
            member: self.member(method, &descriptor),
            on: Some("x".to_owned()),
            args: Vec::new(),
            methods: Vec::new(),
        })
    }
}
