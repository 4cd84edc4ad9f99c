//! Compiling, rewriting and running Java classes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use raddle_classpath::Jdk;
use raddle_instrument::{LeftAlone, Rewriter};

/// The Java classes of these tests, compiled by one JDK.
///
/// | folder | content |
/// |---|---|
/// | `hooks` | the counting hooks, for java.base |
/// | `plain` | `Run`, `Modern` and others, as they are |
/// | `rows` | `Rows`, `Anew` and `Deferred`, for an old version of Java |
pub(crate) struct Bench {
    pub(crate) jdk: Jdk,
    directory: PathBuf,
}

/// One for each installed JDK. They are compiled once, and stay where Cargo keeps what tests leave behind.
pub(crate) fn benches() -> &'static [Bench] {
    static BENCHES: OnceLock<Vec<Bench>> = OnceLock::new();
    BENCHES.get_or_init(|| super::jdks().into_iter().map(Bench::new).collect())
}

/// What a run printed.
#[derive(Debug)]
pub(crate) struct Printed {
    pub(crate) out: String,
    pub(crate) err: String,
}

/// How a run differs from the usual one.
pub(crate) enum Checks {
    /// As in a worker: not verified, so that code needs no stack maps.
    Off,
    /// All classes go through the verifier; without stack maps this is the one for versions before 50.
    All,
}

/// Calls of one hook at one site, as the counting hooks report them.
#[derive(Debug)]
pub(crate) struct Count {
    pub(crate) hook: String,
    pub(crate) site: i32,
    pub(crate) times: u64,
    /// The sum of indices, times or similar.
    pub(crate) sum: i64,
    /// The class of the object, `null` when there was none.
    pub(crate) class: String,
}

impl Bench {
    fn new(jdk: Jdk) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("instrument-{}", jdk.version()));
        if directory.exists() {
            fs::remove_dir_all(&directory).unwrap();
        }
        let bench = Bench { jdk, directory };
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
        let source = |name: &str| sources.join(format!("{name}.java"));
        let patch = format!("--patch-module=java.base={}", sources.display());
        bench.javac(&[&patch], &[source("java/lang/Raddle")], "hooks");
        let recent = ["Run", "Modern", "Load", "Special", "Verify", "Ancient"].map(source);
        bench.javac(&[], &recent, "plain");
        bench.javac(
            &["--release", "8"],
            &["Rows", "Anew", "Deferred"].map(source),
            "rows",
        );
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// Compiles into a folder of that name.
    fn javac(&self, options: &[&str], sources: &[PathBuf], into: &str) {
        let output = Command::new(self.jdk.home().join("bin/javac"))
            .args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"])
            .args(["-g", "-nowarn", "-Xlint:none", "-proc:none", "-encoding", "UTF-8"])
            .args(options)
            .arg("-d")
            .arg(self.path(into))
            .args(sources)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }

    /// Rewrites all classes of a folder into another one. `change` has the last word on each.
    pub(crate) fn rewrite(
        &self,
        rewriter: &Rewriter,
        from: &str,
        into: &str,
        change: impl Fn(&mut [u8]),
    ) -> Vec<LeftAlone> {
        let mut left_alone = Vec::new();
        for file in fs::read_dir(self.path(from)).unwrap() {
            let file = file.unwrap().path();
            let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
            let bytes = fs::read(&file).unwrap();
            let rewritten = rewriter.rewrite(&name, &bytes);
            left_alone.extend(rewritten.left_alone);
            let mut new = rewritten.bytes.unwrap_or_else(|| bytes.clone());
            super::check(&bytes, &new);
            change(&mut new);
            self.write(into, &name, &new);
        }
        left_alone
    }

    /// Writes one class file.
    pub(crate) fn write(&self, into: &str, name: &str, bytes: &[u8]) {
        let file = self.path(into).join(format!("{name}.class"));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }

    /// Runs a class as it was compiled.
    pub(crate) fn run_plain(&self, folder: &str, class: &str) -> Printed {
        self.java(&["-cp", self.path(folder).to_str().unwrap(), class])
    }

    /// Runs a rewritten class with counting hooks. `patches` are folders with classes of java.base.
    pub(crate) fn run(
        &self,
        folder: &str,
        class: &str,
        checks: &Checks,
        patches: &[&str],
        options: &[&str],
    ) -> Printed {
        let mut patch = format!("--patch-module=java.base={}", self.path("hooks").display());
        for folder in patches {
            patch.push(':');
            patch.push_str(self.path(folder).to_str().unwrap());
        }
        let class_path = format!("{}:{}", self.path(folder).display(), self.path("plain").display());
        let mut arguments = vec![&*patch, "-XX:+UnlockDiagnosticVMOptions"];
        match checks {
            Checks::Off => arguments.push("-XX:-BytecodeVerificationRemote"),
            Checks::All => arguments.extend([
                "-XX:+BytecodeVerificationRemote",
                "-XX:+BytecodeVerificationLocal",
            ]),
        }
        arguments.extend(options);
        arguments.extend(["-cp", &class_path, "Run", class]);
        self.java(&arguments)
    }

    fn java(&self, arguments: &[&str]) -> Printed {
        let output = Command::new(self.jdk.home().join("bin/java"))
            .args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"])
            .args(arguments)
            .output()
            .unwrap();
        let printed = Printed {
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(
            output.status.success(),
            "{arguments:?}: {}{}",
            printed.out,
            printed.err
        );
        printed
    }
}

impl Printed {
    /// What the hooks counted.
    pub(crate) fn counts(&self) -> Vec<Count> {
        // What is not asked for here is whether a monitor was held before or after.
        self.err
            .lines()
            .filter(|line| !line.starts_with("hook nested-"))
            .filter_map(|line| {
                let words: Vec<&str> = line.split(' ').collect();
                let ["hook", hook, site, times, sum, class] = words[..] else {
                    return None;
                };
                Some(Count {
                    hook: hook.to_owned(),
                    site: site.parse().unwrap(),
                    times: times.parse().unwrap(),
                    sum: sum.parse().unwrap(),
                    class: class.to_owned(),
                })
            })
            .collect()
    }

    /// The classes that told the hooks that they are initialised, in order.
    pub(crate) fn initialised(&self) -> Vec<&str> {
        let lines = self.err.lines();
        lines
            .filter_map(|line| line.strip_prefix("initialised "))
            .collect()
    }

    /// How often zones were entered, and how many were not left.
    pub(crate) fn zones(&self) -> (u64, i64) {
        let line = self
            .err
            .lines()
            .find_map(|line| line.strip_prefix("zones "))
            .unwrap();
        let (entered, open) = line.split_once(' ').unwrap();
        (entered.parse().unwrap(), open.parse().unwrap())
    }
}
