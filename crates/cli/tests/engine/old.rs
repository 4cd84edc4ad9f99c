//! Classes of old and new class-file versions, from real jars and from the JDK itself, run instrumented.
//!
//! The jars are those of `fixtures/jars.txt`. `.ci/run` fetches them, so this is among the full tests only.
//!
//! None of these runs is under `-Xverify:all`, for a reason: rewritten methods have no stack maps, which the verifier
//! wants of class files from version 50 on, so the worker's JVM does not verify (`crates/worker/src/options.rs`). Since
//! JDK 25 it verifies whatever a tool changes in a `ClassFileLoadHook` in spite of that, so bytes are changed before the
//! JVM has them (`crates/worker/src/intercept.rs`). That rewritten code is valid all the same is shown in
//! `crates/instrument/tests/execution.rs`, by the older verifier, which infers types and needs no stack maps.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use raddle_classfile::ClassFile;
use raddle_classpath::{ClassPath, Jdk};
use raddle_plan::TestPlan;
use raddle_testkit::{cached_jar, engine_root};

/// The oldest JDK that Raddle supports.
const OLDEST_JDK: u32 = 17;
/// The class-file version of a JDK's own classes is its number and this.
const VERSION_OF_JDK: u32 = 44;

/// A plan in `fixtures/engine/plans/old`.
struct Old {
    version: u16,
    jar: &'static str,
    plan: &'static str,
    /// What the class is known to do: 0 for nothing wrong, 1 for a violation.
    code: i32,
}

const fn old(version: u16, jar: &'static str, plan: &'static str, code: i32) -> Old {
    Old {
        version,
        jar,
        plan,
        code,
    }
}

const JARS: [Old; 9] = [
    old(45, "concurrent-1.3.4.jar", "bounded-buffer", 0),
    old(45, "log4j-1.1.3.jar", "cyclic-buffer-45", 1),
    old(46, "colt-1.2.0.jar", "int-array-list", 1),
    old(48, "log4j-1.2.17.jar", "cyclic-buffer-48", 1),
    old(48, "log4j-1.2.17.jar", "logger", 0),
    old(50, "hsqldb-2.3.2.jar", "count-up-down-latch", 0),
    old(50, "hsqldb-2.3.2.jar", "hsql-array-list", 1),
    old(52, "openjdk-orb-8.1.4.Final.jar", "identity-hashtable", 1),
    old(52, "openjdk-orb-8.1.4.Final.jar", "mutex", 0),
];

/// Classes that every JDK has in its own version: 61 in JDK 17, 69 in JDK 25.
const OF_THE_JDK: [(&str, i32); 2] = [("vector", 0), ("array-deque", 1)];

/// The default JDK and those beside it.
fn jdks() -> Vec<Jdk> {
    let default = Jdk::locate(None).unwrap();
    let home = default.home().canonicalize().unwrap();
    let mut homes = BTreeSet::from([home.clone()]);
    for entry in fs::read_dir(home.parent().unwrap()).unwrap().flatten() {
        homes.extend(entry.path().canonicalize());
    }
    homes
        .iter()
        .filter_map(|home| Jdk::open(home).ok())
        .filter(|jdk| jdk.feature() >= OLDEST_JDK)
        .collect()
}

fn plan_file(plan: &str) -> PathBuf {
    let file = engine_root().join(format!("plans/old/{plan}.json"));
    file.canonicalize().unwrap()
}

/// The class that a plan is about, by internal name.
fn class_of(plan: &str) -> String {
    let plan = TestPlan::read(&plan_file(plan)).unwrap();
    let (_, _, call) = plan.calls().next().unwrap();
    call.member.class.replace('.', "/")
}

/// What is wrong with a run of the plan; nothing if it came to the known conclusion.
fn run(plan: &str, jdk: &Jdk, jar: Option<&Path>, code: i32) -> Option<String> {
    let directory = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command
        .arg("run")
        .arg(plan_file(plan))
        .arg("--jdk")
        .arg(jdk.home())
        .args(["--scheduler", "random", "--schedules", "200"])
        .current_dir(directory.path());
    if let Some(jar) = jar {
        command.arg("-cp").arg(jar);
    }
    let output = command.output().unwrap();
    (output.status.code() != Some(code)).then(|| {
        format!(
            "== {plan} on JDK {}: exit code {:?} instead of {code}\n{}{}",
            jdk.version(),
            output.status.code(),
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    })
}

#[test]
fn classes_of_old_jars_are_run_to_a_conclusion() {
    let jdk = Jdk::locate(None).unwrap();
    let mut wrong = Vec::new();
    for old in &JARS {
        let jar = cached_jar(&format!("subjects/{}", old.jar)).unwrap_or_else(|error| panic!("{error}"));
        let path = ClassPath::open(std::slice::from_ref(&jar), jdk.feature()).unwrap();
        let (bytes, _) = path.find(&class_of(old.plan)).unwrap().unwrap();
        assert_eq!(
            ClassFile::parse(&bytes).unwrap().major(),
            old.version,
            "{}",
            old.plan
        );
        wrong.extend(run(old.plan, &jdk, Some(&jar), old.code));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn classes_of_every_installed_jdk_are_run_to_a_conclusion() {
    let mut wrong = Vec::new();
    for jdk in jdks() {
        let version = VERSION_OF_JDK + jdk.feature();
        println!("class file {version}, of JDK {}", jdk.version());
        for (plan, code) in OF_THE_JDK {
            let (bytes, _) = jdk.find(&class_of(plan)).unwrap().unwrap();
            assert_eq!(u32::from(ClassFile::parse(&bytes).unwrap().major()), version);
            wrong.extend(run(plan, &jdk, None, code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
