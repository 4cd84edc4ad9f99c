//! Java classes of any size, and class paths of any length.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use crate::javac;
use crate::markdown::add;

/// Package of all that is made here.
const PACKAGE: &str = "scale";
/// The class that is looked at.
pub(super) const SUBJECT: &str = "scale.Subject";
/// Methods that share the same state.
const GROUP: u32 = 5;
/// Classes that call each other in a chain; more are known to each other only by name.
const CHAIN: u32 = 10;

/// Whether one of the methods is wrong.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    None,
    /// A queue is asked whether it is empty before its lock is taken.
    Seeded,
}

/// A class with so many public methods, rounded up to whole groups; the directory it is in.
pub(super) fn with_methods(
    directory: &Path,
    jdk: &Path,
    methods: u32,
    fault: Fault,
) -> anyhow::Result<PathBuf> {
    let source = subject(methods, fault, None);
    compile(directory, jdk, &[("Subject".to_owned(), source)])
}

/// A jar with a correct class of ten methods and so many others, the first of which it uses.
pub(super) fn jar_with_classes(directory: &Path, jdk: &Path, classes: u32) -> anyhow::Result<PathBuf> {
    let mut sources = vec![("Subject".to_owned(), subject(10, Fault::None, Some("Other0")))];
    sources.extend((0..classes).map(|number| (format!("Other{number}"), other(number, classes))));
    let compiled = compile(directory, jdk, &sources)?;
    let jar = directory.join("classes.jar");
    let output = Command::new(jdk.join("bin/jar"))
        .arg("--create")
        .arg("--file")
        .arg(&jar)
        .arg("-C")
        .arg(&compiled)
        .arg(".")
        .output()
        .context("cannot run the JDK's jar")?;
    if !output.status.success() {
        bail!(
            "the jar cannot be made: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(jar)
}

fn compile(directory: &Path, jdk: &Path, sources: &[(String, String)]) -> anyhow::Result<PathBuf> {
    let source_directory = directory.join("src");
    let classes = directory.join("classes");
    for made in [&source_directory, &classes] {
        fs::create_dir_all(made).with_context(|| format!("cannot make {}", made.display()))?;
    }
    let mut files = Vec::with_capacity(sources.len());
    for (name, text) in sources {
        let file = source_directory.join(name).with_extension("java");
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
        files.push(file);
    }
    javac::compile(jdk, &files, classes.as_os_str(), &classes)?;
    Ok(classes)
}

/// Groups of methods about a value, a map and a queue. All is locked or atomic, except for what is seeded.
fn subject(methods: u32, fault: Fault, other: Option<&str>) -> String {
    let groups = methods.div_ceil(GROUP);
    let mut fields = String::new();
    let mut bodies = String::new();
    for group in 0..groups {
        add(
            &mut fields,
            format_args!(
                "    private int value{group};\n    \
                 private final ConcurrentHashMap<String, Integer> names{group} = new ConcurrentHashMap<>();\n    \
                 private final Deque<Integer> items{group} = new ArrayDeque<>();\n"
            ),
        );
        let is_wrong = fault == Fault::Seeded && group == groups / 2;
        let (early, late) = if is_wrong { (CHECK, "") } else { ("", CHECK) };
        let pop = POP.replace("EARLY", early).replace("LATE", late);
        let text = format!("{ACCESSORS}{pop}").replace('#', &group.to_string());
        bodies.push_str(&text);
    }
    if let Some(other) = other {
        add(
            &mut fields,
            format_args!("    private final {other} other = new {other}();\n"),
        );
        // One of the methods calls it, so that the number of methods stays the same.
        bodies = bodies.replacen("return value0;", "return value0 + other.step(1);", 1);
    }
    format!(
        "package {PACKAGE};\n\nimport java.util.ArrayDeque;\nimport java.util.Deque;\n\
         import java.util.concurrent.ConcurrentHashMap;\n\npublic class Subject {{\n    private int changes;\n{fields}{bodies}}}\n"
    )
}

const ACCESSORS: &str = "
    public synchronized int value#() {
        return value#;
    }

    public synchronized void setValue#(int value) {
        value# = value;
        changes++;
    }

    public void name#(String name) {
        if (!names#.containsKey(name)) {
            names#.putIfAbsent(name, 1);
        }
    }

    public int push#(int item) {
        synchronized (items#) {
            items#.addLast(item);
            return items#.size();
        }
    }
";

const POP: &str = "
    public int pop#() {
EARLY        synchronized (items#) {
LATE            return items#.removeLast();
        }
    }
";

const CHECK: &str = "        if (items#.isEmpty()) {
            return -1;
        }
";

/// A small class that knows two others and calls at most one.
fn other(number: u32, classes: u32) -> String {
    let next = (number + 1) % classes;
    let far = (number * 7 + CHAIN) % classes;
    let is_last = (number + 1).is_multiple_of(CHAIN) || next == 0;
    let step = if is_last {
        "count + by".to_owned()
    } else {
        format!("new Other{next}().step(count + by)")
    };
    format!(
        "package {PACKAGE};\n\npublic class Other{number} {{\n    private Other{far} far;\n    private int count;\n\n    \
         public int step(int by) {{\n        return {step};\n    }}\n\n    \
         public synchronized void join(Other{far} other) {{\n        far = other;\n        count++;\n    }}\n\n    \
         public synchronized boolean isJoined() {{\n        return far != null;\n    }}\n}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jdks;

    #[test]
    fn a_class_has_as_many_methods_as_asked_for() {
        for methods in [10, 25, 250] {
            let text = subject(methods, Fault::None, None);
            let count = text.matches("    public ").count();
            assert_eq!(count, methods as usize);
        }
    }

    #[test]
    fn one_method_of_a_faulty_class_is_wrong() {
        let right = subject(25, Fault::None, None);
        let wrong = subject(25, Fault::Seeded, None);
        let early = "() {\n        if (items";
        assert_eq!(
            (right.matches(early).count(), wrong.matches(early).count()),
            (0, 1)
        );
        assert!(
            wrong.contains("public int pop2() {\n        if (items2.isEmpty())"),
            "{wrong}"
        );
    }

    #[test]
    fn all_of_it_compiles() {
        let jdk = jdks::installed().unwrap().remove(0);
        let directory = tempfile::tempdir().unwrap();
        let classes = with_methods(&directory.path().join("methods"), &jdk, 10, Fault::Seeded).unwrap();
        assert!(classes.join("scale/Subject.class").is_file());
        let jar = jar_with_classes(&directory.path().join("jar"), &jdk, 12).unwrap();
        assert!(jar.is_file());
        assert!(directory.path().join("jar/classes/scale/Other11.class").is_file());
    }
}
