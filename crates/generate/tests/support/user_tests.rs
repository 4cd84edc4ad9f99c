//! Classes with tests that are read for their seeds, and the seeds as Java.

use raddle_generate::user_tests::{self, UserTest, UserTests};
use raddle_plan::TestPlan;
use raddle_testkit::{Compiled, compile};

/// Stands in for the libraries, of which only names matter.
pub(crate) const LIBRARIES: [(&str, &str); 8] = [
    (
        "org/junit/jupiter/api/Test.java",
        "package org.junit.jupiter.api;
         import java.lang.annotation.*;
         @Retention(RetentionPolicy.RUNTIME) public @interface Test {}",
    ),
    (
        "org/junit/jupiter/api/Disabled.java",
        "package org.junit.jupiter.api;
         import java.lang.annotation.*;
         @Retention(RetentionPolicy.RUNTIME) public @interface Disabled {}",
    ),
    (
        "org/junit/jupiter/api/BeforeEach.java",
        "package org.junit.jupiter.api;
         import java.lang.annotation.*;
         @Retention(RetentionPolicy.RUNTIME) public @interface BeforeEach {}",
    ),
    (
        "org/junit/jupiter/api/Assertions.java",
        "package org.junit.jupiter.api;
         public class Assertions {
             public static void assertEquals(Object a, Object b) {}
             public static void assertEquals(int a, int b) {}
             public static void assertThrows(Class<?> type, Runnable code) {}
             public static void fail(String message) {}
         }",
    ),
    (
        "org/junit/Test.java",
        "package org.junit;
         import java.lang.annotation.*;
         @Retention(RetentionPolicy.RUNTIME) public @interface Test { long timeout() default 0; }",
    ),
    (
        "org/testng/annotations/Test.java",
        "package org.testng.annotations;
         import java.lang.annotation.*;
         @Retention(RetentionPolicy.RUNTIME) public @interface Test {}",
    ),
    (
        "junit/framework/TestCase.java",
        "package junit.framework;
         public class TestCase {
             protected void setUp() throws Exception {}
             public static void assertEquals(String a, String b) {}
         }",
    ),
    (
        "org/assertj/core/api/Assert.java",
        "package org.assertj.core.api;
         public class Assert {
             public static Assert assertThat(Object value) { return new Assert(); }
             public Assert isEqualTo(Object value) { return this; }
         }",
    ),
];

/// What the tests are about.
pub(crate) const SUBJECTS: [(&str, &str); 4] = [
    (
        "acme/Cache.java",
        "package acme;
         public class Cache {
             public enum Mode { FAST, SAFE }
             Cache() {}
             public Cache(int size) {}
             public void put(String key, Object value) {}
             public Object get(String key) { return null; }
             public int size() { return 0; }
             public long stamp() { return 0; }
             public void touch(long stamp) {}
             public void limit(boolean hard, byte small, char letter, short medium, float ratio, double weight) {}
             public void mode(Mode mode) {}
             public void all(String... keys) {}
             public void fill(byte[] bytes) {}
             public void drain(byte[] bytes) {}
             public void each(java.util.function.Consumer<Object> user) {}
             public void type(Class<?> type) {}
             void hidden() {}
         }",
    ),
    (
        "acme/Registry.java",
        "package acme;
         public class Registry {
             private Registry(String name) {}
             public static Registry open(String name) { return new Registry(name); }
             public Cache cache() { return new Cache(1); }
             public static Object task() { return new Task(); }
             public static Task hiddenTask() { return new Task(); }
         }",
    ),
    (
        "acme/Task.java",
        "package acme;
         class Task implements Runnable, AutoCloseable { public void run() {} public void extra() {} public void close() {} }",
    ),
    (
        "acme/Base.java",
        "package acme;
         public abstract class Base {
             protected Cache shared = new Cache(9);
             @org.junit.jupiter.api.Test void inherited() { own(); }
             abstract void own();
             protected Cache made(int size) { Cache cache = new Cache(size); cache.size(); return cache; }
         }",
    ),
];

/// What was read of one class.
pub(crate) struct Read {
    pub(crate) compiled: Compiled,
    pub(crate) found: UserTests,
}

/// The seeds of a class `acme.Tests` with this text.
pub(crate) fn read(text: &str) -> Read {
    let file = ("acme/Tests.java", text);
    let sources: Vec<_> = LIBRARIES.into_iter().chain(SUBJECTS).chain([file]).collect();
    let compiled = compile(&sources).unwrap();
    let class = compiled.program().find_class("acme.Tests").unwrap();
    let found = user_tests::read(compiled.program(), class).unwrap();
    for seed in &found.tests {
        seed.plan.check().unwrap();
        assert_eq!((seed.plan.prefix.len(), seed.plan.threads.len()), (0, 1));
        assert_eq!(seed.plan.name, seed.name);
    }
    Read { compiled, found }
}

/// The seeds of a class with these members, JUnit 5 being imported.
pub(crate) fn members(text: &str) -> Read {
    read(&format!(
        "package acme;
         import org.junit.jupiter.api.*;
         import static org.junit.jupiter.api.Assertions.*;
         public class Tests {{ {text} }}"
    ))
}

impl Read {
    fn named(&self, method: &str) -> &UserTest {
        let name = format!("acme.Tests.{method}");
        let found = self.found.tests.iter().find(|seed| seed.name == name);
        found.unwrap_or_else(|| panic!("no {method}: {:?}", self.found))
    }

    /// The calls as Java, without what the printer has around them.
    fn java(&self, method: &str) -> Vec<String> {
        let plan = &self.named(method).plan;
        let printed = TestPlan {
            prefix: plan.threads[0].clone(),
            threads: vec![Vec::new()],
            ..plan.clone()
        };
        let file = printed.to_java("Printed");
        let from = file.find("UNFINISHED);").unwrap();
        let calls = &file[from..file
            .find("java.util.concurrent.atomic.AtomicInteger absent =")
            .unwrap()];
        let results =
            |line: &&str| !(line.starts_with("returned[") && (line.ends_with("VOID;") || is_name(line)));
        calls
            .lines()
            .skip(1)
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .filter(results)
            .map(|line| match line.split_once("] = ") {
                Some((_, expression)) if line.starts_with("returned[") => expression.to_owned(),
                _ => line.to_owned(),
            })
            .collect()
    }

    /// Whether a test became these calls, and was cut off for this reason.
    #[track_caller]
    pub(crate) fn assert(&self, method: &str, java: &[&str], cut: Option<&str>) {
        assert_eq!(self.java(method), java);
        assert_eq!(self.named(method).cut.as_deref(), cut);
    }

    /// Whether nothing was taken of a test, for this reason.
    #[track_caller]
    pub(crate) fn assert_skipped(&self, method: &str, reason: &str) {
        let found = self.found.skipped.iter().find(|(name, _)| name == method);
        assert_eq!(found.map(|(_, reason)| reason.as_str()), Some(reason));
        assert!(!self.found.tests.iter().any(|seed| seed.name.ends_with(method)));
    }
}

/// Whether a line keeps the value of a variable.
fn is_name(line: &str) -> bool {
    let value = line.split_once(" = v").map_or("", |(_, rest)| rest);
    value.trim_end_matches(';').parse::<usize>().is_ok()
}
