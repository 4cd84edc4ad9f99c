//! Running javac and opening what it made.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use raddle_classpath::{ClassPath, Jdk};
use raddle_program::Program;
use tempfile::TempDir;

use crate::error::KitError;

/// Options of every call, besides the output directory. A javac that lives for a second spends a third of its time less
/// without the second compiler of the JVM.
pub(crate) const OPTIONS: [&str; 7] = [
    "-J-XX:TieredStopAtLevel=1",
    "-J-XX:+UseSerialGC",
    "-g",
    "-Xlint:none",
    "-proc:none",
    "-encoding",
    "UTF-8",
];

/// Classes compiled for one test. Their directory is removed when this is dropped.
pub struct Compiled {
    program: Program,
    classes: PathBuf,
    _directory: TempDir,
}

impl Compiled {
    /// The JDK and the compiled classes.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Where the class files are.
    pub fn classes(&self) -> &Path {
        &self.classes
    }
}

/// Compiles sources, each given as file name (with folders, if the test wants any) and text.
pub fn compile(sources: &[(&str, &str)]) -> Result<Compiled, KitError> {
    let jdk = Jdk::locate(None)?;
    let directory = tempfile::tempdir().map_err(KitError::at(env::temp_dir()))?;
    let mut files = Vec::new();
    for (name, text) in sources {
        let file = directory.path().join("sources").join(name);
        let folder = file.parent().unwrap_or(directory.path());
        fs::create_dir_all(folder).map_err(KitError::at(folder))?;
        fs::write(&file, text).map_err(KitError::at(&file))?;
        files.push(file);
    }
    let classes = directory.path().join("classes");
    javac(&jdk, &files, &classes)?;
    let program = open(jdk, std::slice::from_ref(&classes))?;
    Ok(Compiled {
        program,
        classes,
        _directory: directory,
    })
}

/// A program over the JDK and a class path.
pub fn program(class_path: &[PathBuf]) -> Result<Program, KitError> {
    open(Jdk::locate(None)?, class_path)
}

fn open(jdk: Jdk, class_path: &[PathBuf]) -> Result<Program, KitError> {
    let class_path = ClassPath::open(class_path, jdk.feature())?;
    Ok(Program::new(jdk, class_path))
}

/// One call of javac. `classes` is created.
pub(crate) fn javac(jdk: &Jdk, sources: &[PathBuf], classes: &Path) -> Result<(), KitError> {
    let javac = jdk
        .home()
        .join("bin")
        .join(format!("javac{}", env::consts::EXE_SUFFIX));
    if !javac.is_file() {
        return Err(KitError::NoJavac { javac });
    }
    fs::create_dir_all(classes).map_err(KitError::at(classes))?;
    let output = Command::new(&javac)
        .args(OPTIONS)
        .arg("-d")
        .arg(classes)
        .args(sources)
        .output()
        .map_err(KitError::at(&javac))?;
    if output.status.success() {
        return Ok(());
    }
    let output = [output.stdout, output.stderr].concat();
    Err(KitError::Rejected {
        output: String::from_utf8_lossy(&output).into_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snippets_are_compiled_with_the_names_of_their_variables() {
        let compiled = compile(&[
            (
                "A.java",
                "class A { int f(int wanted) { return new p.B().g() + wanted; } }",
            ),
            (
                "p/B.java",
                "package p; public class B { public int g() { return 1; } }",
            ),
        ])
        .unwrap();
        let program = compiled.program();
        for name in ["A", "p.B"] {
            assert!(program.find_class(name).is_ok(), "{name}");
        }
        let bytes = fs::read(compiled.classes().join("A.class")).unwrap();
        assert!(bytes.windows(6).any(|window| window == b"wanted"));
    }

    #[test]
    fn wrong_java_is_answered_with_the_words_of_javac() {
        let error = compile(&[("A.java", "class A { int f() { return x; } }")])
            .err()
            .unwrap();
        let message = error.to_string();
        assert!(
            message.contains("A.java:1: ") && message.contains("return x;"),
            "{message}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_jre_is_told_from_a_jdk() {
        let jdk = Jdk::locate(None).unwrap();
        let jre = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(jdk.home().join("lib"), jre.path().join("lib")).unwrap();
        fs::copy(jdk.home().join("release"), jre.path().join("release")).unwrap();
        let jre = Jdk::open(jre.path()).unwrap();
        let error = javac(&jre, &[], &jre.home().join("classes")).unwrap_err();
        assert!(matches!(error, KitError::NoJavac { .. }));
        let message = error.to_string();
        assert!(
            message.starts_with("the tests need a JDK (with javac), not only a JRE"),
            "{message}"
        );
    }
}
