//! Where measurements are made: classes, class paths, and what is run on them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use tempfile::TempDir;

use super::classes::{self, Fault, SUBJECT};
use super::raddle::{Options, Raddle, Until};
use super::record::{Analysis, Hunt, Key};
use crate::jdks;
use crate::subjects::{self, Cache};

/// Faulty, of the JDK; correct, of the JDK.
const OF_THE_JDK: [&str; 2] = ["java.util.Vector", "java.util.concurrent.LinkedBlockingQueue"];
/// `org.hsqldb.lib.DoubleIntIndex` in `bench/subjects.toml`: faulty, from a library.
const OF_A_LIBRARY: &str = "S04";
/// Most that is spent on a first finding, and on a number of plans.
const BUDGET: Duration = Duration::from_mins(1);
/// Plans of a hunt in a class path.
pub(super) const PLANS: u32 = 200;

/// All that measurements have in common.
pub(super) struct Workplace {
    executable: PathBuf,
    jdk: PathBuf,
    directory: TempDir,
    /// Classes that are hunted with several workers, and where they are.
    subjects: Vec<(String, Vec<PathBuf>)>,
    budget: Duration,
    rounds: u32,
}

impl Workplace {
    pub(super) fn new(
        executable: &Path,
        offline: bool,
        budget: Duration,
        rounds: u32,
    ) -> anyhow::Result<Workplace> {
        let mut subjects: Vec<(String, Vec<PathBuf>)> =
            OF_THE_JDK.map(|class| (class.to_owned(), Vec::new())).to_vec();
        let (class, jars) = subjects::classes()?
            .remove(OF_A_LIBRARY)
            .with_context(|| format!("{OF_A_LIBRARY} is not in bench/subjects.toml"))?;
        match Cache::open(offline)?.jars(&jars)? {
            Ok(jars) => subjects.push((class, jars)),
            Err(why) => eprintln!("{class} is left out: {why}"),
        }
        Ok(Workplace {
            // Hunts have directories of their own.
            executable: executable
                .canonicalize()
                .with_context(|| format!("cannot find {}", executable.display()))?,
            jdk: jdks::installed()?.into_iter().next().context("there is no JDK")?,
            directory: tempfile::tempdir().context("cannot make a temporary directory")?,
            subjects,
            budget,
            rounds,
        })
    }

    /// Those that are hunted with several workers.
    pub(super) fn classes(&self) -> impl Iterator<Item = &str> {
        self.subjects.iter().map(|(class, _)| class.as_str())
    }

    /// What came of it, and the version of the JDK.
    pub(super) fn measure(&self, key: &Key) -> anyhow::Result<(Option<Analysis>, Hunt, String)> {
        let (class, class_path, options, analyses) = match key {
            Key::Workers { class, jobs, seed } => {
                let known = self.subjects.iter().find(|(known, _)| known == class);
                let (_, class_path) = known.context("there is no such class")?;
                let options = Options {
                    jobs: *jobs,
                    seed: *seed,
                    budget: self.budget,
                    until: Until::Budget,
                };
                (class.as_str(), class_path.clone(), options, false)
            }
            Key::Methods { methods, seed } => {
                let directory = self.directory.path().join(format!("methods-{methods}"));
                let path = classes::with_methods(&directory, &self.jdk, *methods, Fault::Seeded)?;
                let options = Options {
                    jobs: 1,
                    seed: *seed,
                    budget: BUDGET,
                    until: Until::FirstFinding,
                };
                (SUBJECT, vec![path], options, *seed == 1)
            }
            Key::ClassPath { classes } => {
                let directory = self.directory.path().join(format!("classes-{classes}"));
                let path = classes::jar_with_classes(&directory, &self.jdk, *classes)?;
                let options = Options {
                    jobs: 1,
                    seed: 1,
                    budget: BUDGET,
                    until: Until::Plans(PLANS),
                };
                (SUBJECT, vec![path], options, true)
            }
        };
        let raddle = Raddle {
            executable: &self.executable,
            jdk: &self.jdk,
            class,
            class_path: &class_path,
        };
        let analysis = analyses.then(|| raddle.analyse(self.rounds)).transpose()?;
        let (hunt, jdk_version) = raddle.hunt(options)?;
        Ok((analysis, hunt, jdk_version))
    }
}
