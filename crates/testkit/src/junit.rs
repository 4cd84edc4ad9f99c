//! JUnit tests that were generated: run by JUnit in the full tests, and by as much of JUnit as they use in the others, which
//! need nothing but a JDK.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::error::KitError;
use crate::jars::cached_jar;
use crate::javac::compile;

/// What `.ci/run` fetches.
const JAR: &str = "junit/junit-platform-console-standalone-1.11.4.jar";

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

/// Compiles a test with other sources and runs it with a JDK: the exit code, which is 0 if it passes and 1 if it fails, and
/// what was said.
pub fn run_junit(
    jdk: &Path,
    name: &str,
    sources: &[(&str, &str)],
) -> Result<(Option<i32>, String), KitError> {
    let jar = cfg!(feature = "full-tests")
        .then(|| cached_jar(JAR))
        .transpose()?;
    // The annotations are those of JUnit in its jar, which have the same names.
    let sources: Vec<(&str, &str)> = sources.iter().copied().chain(STUB).collect();
    let compiled = compile(&sources)?;
    let mut java = Command::new(jdk.join("bin/java"));
    match &jar {
        Some(jar) => {
            for stub in ["org", "RunTest.class"] {
                let path = compiled.classes().join(stub);
                let removed = if path.is_dir() {
                    std::fs::remove_dir_all(&path)
                } else {
                    std::fs::remove_file(&path)
                };
                removed.map_err(KitError::at(path))?;
            }
            java.arg("-jar")
                .arg(jar)
                .args(["execute", "--disable-banner", "--fail-if-no-tests"])
                .arg("-cp")
                .arg(compiled.classes())
                .args(["-c", name]);
        }
        None => {
            java.arg("-cp").arg(compiled.classes()).args(["RunTest", name]);
        }
    }
    let ground = tempfile::tempdir().map_err(KitError::at(env::temp_dir()))?;
    let output = java.current_dir(ground.path()).output();
    let output = output.map_err(KitError::at(jdk.join("bin/java")))?;
    let said = [output.stdout, output.stderr].concat();
    Ok((output.status.code(), String::from_utf8_lossy(&said).into_owned()))
}
