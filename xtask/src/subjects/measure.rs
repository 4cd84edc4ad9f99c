//! One class, analysed from nothing.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::bail;
use raddle_classpath::{ClassPath, Jdk};
use raddle_program::Program;
use raddle_summary::{Analyzer, ClassFacts, Precision};

/// The facts and what it took to find them.
pub(super) struct Measured {
    pub(super) facts: ClassFacts,
    pub(super) time: Duration,
}

/// Paper precision, then precise, each given up after `limit`.
pub(super) fn both(
    class: &str,
    jdk: &Path,
    class_path: &[PathBuf],
    limit: Duration,
) -> anyhow::Result<(Measured, Measured)> {
    let within = |precision: Precision| {
        let (class, jdk, class_path) = (class.to_owned(), jdk.to_owned(), class_path.to_vec());
        let (sender, receiver) = mpsc::channel();
        // Not joined: a thread that takes too long goes on until the process ends.
        thread::spawn(move || {
            let _ = sender.send(measure(&class, &jdk, &class_path, precision));
        });
        match receiver.recv_timeout(limit) {
            Ok(measured) => measured,
            Err(RecvTimeoutError::Timeout) => {
                bail!("{} takes more than {} s", name(precision), limit.as_secs())
            }
            Err(RecvTimeoutError::Disconnected) => bail!("{} panicked", name(precision)),
        }
    };
    Ok((within(Precision::Paper)?, within(Precision::Precise)?))
}

fn name(precision: Precision) -> &'static str {
    match precision {
        Precision::Paper => "the paper analysis",
        Precision::Precise => "the precise analysis",
    }
}

/// Opens everything anew, so that the time is what a run for this class alone takes.
fn measure(
    class: &str,
    jdk: &Path,
    class_path: &[PathBuf],
    precision: Precision,
) -> anyhow::Result<Measured> {
    let start = Instant::now();
    let jdk = Jdk::open(jdk)?;
    let class_path = ClassPath::open(class_path, jdk.feature())?;
    let program = Program::new(jdk, class_path);
    let id = program.find_class(class)?;
    let facts = Analyzer::new(&program, precision).analyze(id)?;
    Ok(Measured {
        facts,
        time: start.elapsed(),
    })
}
