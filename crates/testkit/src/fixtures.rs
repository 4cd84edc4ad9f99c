//! The folder `fixtures` of the workspace.

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use raddle_classpath::{ClassPath, Jdk};
use raddle_program::Program;

use crate::error::KitError;
use crate::javac::{OPTIONS, javac};

/// Expectations that hold.
const ANALYZE: &str = "fixtures/analyze";
/// Expectations that are right although the analysis does not meet them yet.
const KNOWN_MISSES: &str = "fixtures/fixme";

/// One Java file.
pub struct Fixture {
    /// Path within the workspace, with slashes: `fixtures/analyze/locks/Nested.java`.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// All fixtures, compiled into one program.
pub struct Fixtures {
    program: Program,
    classes: PathBuf,
    analyze: Vec<Fixture>,
    known_misses: Vec<Fixture>,
}

impl Fixtures {
    /// The JDK and the compiled fixtures.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Where the class files are.
    pub fn classes(&self) -> &Path {
        &self.classes
    }

    /// Names of the folders of `fixtures/analyze`, sorted.
    pub fn topics(&self) -> Vec<&str> {
        let mut topics: Vec<&str> = self
            .analyze
            .iter()
            .map(|fixture| topic_of(&fixture.file))
            .collect();
        topics.dedup();
        topics
    }

    /// The files of one folder of `fixtures/analyze`, sorted.
    pub fn of_topic<'f>(&'f self, topic: &'f str) -> impl Iterator<Item = &'f Fixture> {
        self.analyze
            .iter()
            .filter(move |fixture| topic_of(&fixture.file) == topic)
    }

    /// The files of `fixtures/fixme`, sorted.
    pub fn known_misses(&self) -> &[Fixture] {
        &self.known_misses
    }

    fn compile() -> Result<Fixtures, KitError> {
        let workspace = workspace();
        let analyze = read(&workspace, ANALYZE)?;
        let known_misses = read(&workspace, KNOWN_MISSES)?;
        let jdk = Jdk::locate(None)?;
        let all = || analyze.iter().chain(&known_misses);
        let mut hasher = DefaultHasher::new();
        (jdk.home(), jdk.version(), OPTIONS).hash(&mut hasher);
        all().for_each(|fixture| (&fixture.file, &fixture.text).hash(&mut hasher));
        let sources: Vec<PathBuf> = all().map(|fixture| workspace.join(&fixture.file)).collect();
        let classes = kept_classes(&jdk, &sources, hasher.finish())?;
        let class_path = ClassPath::open(std::slice::from_ref(&classes), jdk.feature())?;
        Ok(Fixtures {
            program: Program::new(jdk, class_path),
            classes,
            analyze,
            known_misses,
        })
    }
}

/// All fixtures. The first caller of the process compiles them.
pub fn fixtures() -> Result<&'static Fixtures, &'static KitError> {
    static FIXTURES: OnceLock<Result<Fixtures, KitError>> = OnceLock::new();
    FIXTURES.get_or_init(Fixtures::compile).as_ref()
}

fn workspace() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).unwrap_or(own).to_owned()
}

/// The folder of a file: `locks` of `fixtures/analyze/locks/Nested.java`.
fn topic_of(file: &str) -> &str {
    file.rsplit('/').nth(1).unwrap_or_default()
}

/// All Java files under a folder, which need not exist.
fn read(workspace: &Path, folder: &str) -> Result<Vec<Fixture>, KitError> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let path = workspace.join(&folder);
        if !path.exists() {
            continue;
        }
        for entry in fs::read_dir(&path).map_err(KitError::at(&path))? {
            let entry = entry.map_err(KitError::at(&path))?;
            let file = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                folders.push(file);
            } else if entry
                .path()
                .extension()
                .is_some_and(|extension| extension == "java")
            {
                let text = fs::read_to_string(entry.path()).map_err(KitError::at(entry.path()))?;
                found.push(Fixture { file, text });
            }
        }
    }
    found.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(found)
}

/// The compiled classes of sources with this hash, in the build directory: a static is never dropped, so that a
/// temporary directory would outlive every run. Another process that compiles the same at the same time does no harm.
fn kept_classes(jdk: &Jdk, sources: &[PathBuf], hash: u64) -> Result<PathBuf, KitError> {
    let executable = env::current_exe().map_err(KitError::at("the test executable"))?;
    let kept = executable.with_file_name("raddle-testkit");
    let classes = kept.join(format!("{hash:016x}"));
    if classes.is_dir() {
        return Ok(classes);
    }
    fs::create_dir_all(&kept).map_err(KitError::at(&kept))?;
    let fresh = tempfile::tempdir_in(&kept).map_err(KitError::at(&kept))?;
    let made = fresh.path().join("classes");
    javac(jdk, sources, &made)?;
    match fs::rename(&made, &classes) {
        Err(reason) if !classes.is_dir() => Err(KitError::Io {
            path: classes,
            reason,
        }),
        _ => Ok(classes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_fixtures_compile_and_are_sorted_by_topic() {
        let fixtures = fixtures().unwrap();
        let topics = fixtures.topics();
        assert!(
            topics.is_sorted_by(|a, b| a < b) && topics.contains(&"figures"),
            "{topics:?}"
        );
        assert!(
            fixtures
                .of_topic("figures")
                .any(|fixture| fixture.file.ends_with("/Table.java"))
        );
        assert!(fixtures.program().find_class("fixtures.figures.Table").is_ok());
        assert!(fixtures.classes().join("fixtures/figures/Table.class").is_file());
    }

    #[test]
    fn a_folder_that_does_not_exist_has_no_fixtures() {
        assert!(read(&workspace(), "fixtures/nothing").unwrap().is_empty());
    }
}
