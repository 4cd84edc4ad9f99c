//! The JUnit test of a finding fails with the class that is wrong, and passes with one that is right.
//!
//! It is run by JUnit if the jar is where `.ci/run` puts it, and else by as much of JUnit as the tests use.

use std::path::PathBuf;
use std::process::Command;

use raddle_report::{junit_name, junit_test};
use raddle_testkit::compile;

use crate::reproducer::{Found, renamed};

/// What `.ci/run` fetches.
const JAR: &str = "raddle/junit/junit-platform-console-standalone-1.11.4.jar";

/// As much of JUnit as the generated tests use, and a program that runs one with the same exit codes.
const STUB: [(&str, &str); 3] = [
    (
        "org/junit/jupiter/api/Test.java",
        "package org.junit.jupiter.api;
         @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
         public @interface Test {}",
    ),
    (
        "org/junit/jupiter/api/Assertions.java",
        "package org.junit.jupiter.api;
         public class Assertions {
             public static <V> V fail(String message) { throw new AssertionError(message); }
         }",
    ),
    (
        "RunTest.java",
        "public class RunTest {
             public static void main(String[] arguments) throws Throwable {
                 Class<?> type = Class.forName(arguments[0]);
                 java.lang.reflect.Constructor<?> constructor = type.getDeclaredConstructor();
                 constructor.setAccessible(true);
                 for (java.lang.reflect.Method method : type.getDeclaredMethods()) {
                     if (method.isAnnotationPresent(org.junit.jupiter.api.Test.class)) {
                         method.setAccessible(true);
                         try {
                             method.invoke(constructor.newInstance());
                             System.exit(0);
                         } catch (java.lang.reflect.InvocationTargetException problem) {
                             problem.getCause().printStackTrace();
                             System.exit(problem.getCause() instanceof AssertionError ? 1 : 2);
                         }
                     }
                 }
                 System.exit(3);
             }
         }",
    ),
];

fn jar() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let cache = variable("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| variable("HOME").map(|home| PathBuf::from(home).join(".cache")))?;
    Some(cache.join(JAR)).filter(|jar| jar.is_file())
}

/// The exit code of the generated test with that source of the class.
fn run(found: &Found, class_source: &str) -> (Option<i32>, String) {
    let input = found.input();
    let name = junit_name(input.class_name, input.id);
    let test = junit_test(&input);
    let (test_file, class_file) = (format!("{name}.java"), format!("{}.java", input.class_name));
    let mut sources = vec![(&*test_file, &*test), (&*class_file, class_source)];
    let jar = jar();
    // The annotations are those of JUnit in its jar, which have the same names.
    sources.extend(STUB);
    let compiled = compile(&sources).unwrap_or_else(|error| panic!("{error}\n{test}"));
    let mut java = Command::new(found.jdk.join("bin/java"));
    match &jar {
        Some(jar) => {
            for stub in ["org", "RunTest.class"] {
                let path = compiled.classes().join(stub);
                let removed = if path.is_dir() {
                    std::fs::remove_dir_all(&path)
                } else {
                    std::fs::remove_file(&path)
                };
                removed.unwrap();
            }
            java.arg("-jar")
                .arg(jar)
                .args(["execute", "--disable-banner", "--fail-if-no-tests"])
                .arg("-cp")
                .arg(compiled.classes())
                .args(["-c", &name]);
        }
        None => {
            java.arg("-cp").arg(compiled.classes()).args(["RunTest", &name]);
        }
    }
    let output = java
        .current_dir(tempfile::tempdir().unwrap().path())
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

/// Fails because of what it saw, and says that.
#[track_caller]
pub(crate) fn fails_with(found: &Found, class_source: &str) {
    let (code, said) = run(found, class_source);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("AssertionFailedError") || said.contains("AssertionError"),
        "{said}"
    );
}

#[track_caller]
pub(crate) fn passes_with(found: &Found, class_source: &str) {
    let (code, said) = run(found, class_source);
    assert_eq!(code, Some(0), "{said}");
}

/// The source of a class that is wrong.
fn wrong(verdict: &str, name: &str) -> String {
    let file = raddle_testkit::engine_root()
        .join(verdict)
        .join(format!("{name}.java"));
    std::fs::read_to_string(file).unwrap()
}

#[track_caller]
fn tells_apart(verdict: &'static str, name: &str, right: &str) {
    let found = Found::in_class(verdict, name);
    fails_with(&found, &wrong(verdict, name));
    passes_with(&found, right);
}

#[test]
fn of_a_wrong_result() {
    tells_apart(
        "wrong-result",
        "Counter",
        &renamed("SynchronizedCounter", "Counter"),
    );
}

#[test]
fn of_a_check_and_an_act() {
    tells_apart(
        "wrong-result",
        "CheckThenAct",
        &renamed("CheckAndAct", "CheckThenAct"),
    );
}

#[test]
fn of_an_exception() {
    tells_apart(
        "exception",
        "IterateArrayList",
        &renamed("IterateLocked", "IterateArrayList"),
    );
}

#[test]
fn of_a_deadlock() {
    let right = renamed("LocksInOrder", "LocksCrosswise").replace(
        "public int check",
        "public void b() {\n a();\n }\n\npublic int check",
    );
    tells_apart("deadlock", "LocksCrosswise", &right);
}

#[test]
fn of_a_lost_wake_up() {
    tells_apart("lost-wake-up", "MissedSignal", &renamed("Signal", "MissedSignal"));
}

#[test]
fn a_test_that_cannot_be_tried_does_not_pass() {
    let found = Found::in_class("wrong-result", "Counter");
    let source = "
        public class Counter {
            public Counter() {
                throw new IllegalStateException();
            }

            public void a() {}

            public void b() {}

            public int check() {
                return 0;
            }
        }";
    let (code, said) = run(&found, source);
    assert_ne!(code, Some(0), "{said}");
    assert!(
        said.contains("the JVM with the test ended with exit code"),
        "{said}"
    );
}
