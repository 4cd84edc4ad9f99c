//! Sequential tests in Java, and the calls that are read out of them.

#![allow(clippy::unwrap_used, clippy::panic)] // a failed assumption should fail the test

#[path = "support/user_tests.rs"]
mod support;

use raddle_generate::user_tests::{self, UserTestError};
use raddle_testkit::compile;

use support::{LIBRARIES, SUBJECTS, members, read};

#[test]
fn a_straight_test_becomes_its_calls() {
    let read = members(
        "@Test void stores() {
             Cache cache = new Cache(2);
             cache.put(\"a\", \"b\");
             Object found = cache.get(\"a\");
             cache.put(null, found);
             cache.touch(cache.stamp());
             cache.size();
         }
         @Test void withConstants() {
             Cache cache = new Cache(1 << 4);
             cache.limit(true, (byte) -1, 'x', (short) 300, 0.5f, 2.0);
             cache.mode(Cache.Mode.SAFE);
             cache.type(String[].class);
             cache.type(int.class);
             cache.put(\"t\", Boolean.TRUE);
             cache.put(\"n\", 7);
         }",
    );
    read.assert(
        "stores",
        &[
            "Cache v0 = new Cache(2);",
            "v0.put(\"a\", (Object) \"b\");",
            "Object v1 = v0.get(\"a\");",
            "v0.put((String) null, v1);",
            "long v2 = v0.stamp();",
            "v0.touch(v2);",
            "v0.size();",
        ],
        None,
    );
    read.assert(
        "withConstants",
        &[
            "Cache v0 = new Cache(16);",
            "v0.limit(true, (byte) -1, 'x', (short) 300, 0.5f, 2.0d);",
            "v0.mode(Cache.Mode.SAFE);",
            "v0.type((Class) String[].class);",
            "v0.type((Class) int.class);",
            "v0.put(\"t\", (Object) true);",
            "Integer v1 = Integer.valueOf(7);",
            "v0.put(\"n\", (Object) v1);",
        ],
        None,
    );
    assert!(read.found.skipped.is_empty());
}

#[test]
fn what_is_set_up_comes_first() {
    let read = read(
        "package acme;
         import org.junit.jupiter.api.*;
         public class Tests extends Base {
             void own() { shared.size(); }
             private final String key = \"k\";
             private static final Cache COMMON = new Cache(3);
             private Cache cache;
             private int unset;
             @BeforeEach void prepare() { cache = Registry.open(\"x\").cache(); }
             @Test void uses() { cache.put(key, null); shared.all(); new Cache(unset); }
             @Test void usesStatic() { COMMON.size(); }
         }",
    );
    read.assert(
        "uses",
        &[
            "Cache v0 = new Cache(9);",
            "Registry v1 = Registry.open(\"x\");",
            "Cache v2 = v1.cache();",
            "v2.put(\"k\", (Object) null);",
            "v0.all(new String[] {});",
            "new Cache(0);",
        ],
        None,
    );
    read.assert(
        "usesStatic",
        &[
            "new Cache(9);",
            "Registry v0 = Registry.open(\"x\");",
            "v0.cache();",
            "Cache v1 = new Cache(3);",
            "v1.size();",
        ],
        None,
    );
}

#[test]
fn inherited_tests_are_those_of_the_class() {
    let read = read(
        "package acme;
         public class Tests extends Base { void own() { shared.get(\"own\"); } }",
    );
    assert_eq!(read.found.tests.len(), 1);
    read.assert(
        "inherited",
        &["Cache v0 = new Cache(9);", "v0.get(\"own\");"],
        None,
    );
}

#[test]
fn hidden_classes_are_used_through_what_is_public_above_them() {
    let read = members(
        "@Test void casts() { Task task = (Task) Registry.task(); task.run(); task.extra(); }
         @Test void closes() throws Exception { AutoCloseable made = new java.io.StringReader(\"x\"); try (AutoCloseable closed = made) { closed.hashCode(); } }
         @Test void hides() { Registry.hiddenTask().run(); }",
    );
    read.assert(
        "casts",
        &["Object v0 = Registry.task();", "((Runnable) v0).run();"],
        Some("Tests.java:4: the class of `Task.extra` is not public"),
    );
    read.assert(
        "closes",
        &[
            "StringReader v0 = new StringReader(\"x\");",
            "((Object) v0).hashCode();",
            "((AutoCloseable) v0).close();",
        ],
        None,
    );
    read.assert(
        "hides",
        &["Registry.hiddenTask();"],
        Some("Tests.java:6: `Task.run` is called on what `Registry.hiddenTask` returned, whose class is not public"),
    );
}

#[test]
fn helpers_of_the_test_are_followed() {
    let read = read(
        "package acme;
         import org.junit.jupiter.api.*;
         public class Tests extends Base {
             void own() {}
             private Cache filled(String key, long stamp) { Cache cache = made(4); cache.put(key, this.key()); cache.touch(stamp); return cache; }
             private String key() { return \"own\"; }
             static void twice(Cache cache) { cache.size(); cache.size(); }
             public static Cache looped(int size) { Cache cache = null; while (size-- > 0) cache = new Cache(size); return cache; }
             private void down(Cache cache) { cache.size(); down(cache); }
             @Test void helped() { Cache cache = filled(\"k\", 5L); twice(cache); cache.get(\"k\"); }
             @Test void calls() { looped(3).size(); }
             @Test void deep() { down(shared); }
         }",
    );
    read.assert(
        "helped",
        &[
            "new Cache(9);",
            "Cache v0 = new Cache(4);",
            "v0.size();",
            "v0.put(\"k\", (Object) \"own\");",
            "v0.touch(5L);",
            "v0.size();",
            "v0.size();",
            "v0.get(\"k\");",
        ],
        None,
    );
    // It cannot be followed, but anybody can call it.
    read.assert(
        "calls",
        &["new Cache(9);", "Cache v0 = Tests.looped(3);", "v0.size();"],
        None,
    );
    read.assert(
        "deep",
        &[
            "Cache v0 = new Cache(9);",
            "v0.size();",
            "v0.size();",
            "v0.size();",
        ],
        Some("Tests.java:9: `down` is called by helpers that call each other too deeply"),
    );
}

#[test]
fn what_does_not_go_straight_on_is_cut_off() {
    let read = members(
        "Cache cache = new Cache(1);
         @Test void loops() {
             for (int i = 0; i < 3; i++) { cache.put(\"a\", null); }
             cache.size();
         }
         @Test void branches() {
             cache.put(\"a\", null);
             if (cache.size() > 0) cache.get(\"a\");
         }
         @Test void folds() {
             int limit = 3;
             if (limit > 2) cache.get(\"yes\"); else cache.get(\"no\");
             long wide = limit + 1;
             cache.touch(wide * 2);
         }
         @Test void catches() {
             try { cache.get(null); fail(\"no\"); } catch (NullPointerException expected) { cache.get(\"handler\"); }
             cache.size();
         }
         @Test void locks() { cache.size(); synchronized (cache) { cache.get(\"a\"); } }
         @Test void hides() { cache.size(); cache.hidden(); cache.size(); }
         @Test void constructs() { cache.size(); new Cache(); }
         @Test void lambda() { cache.size(); Object o = (Runnable) () -> {}; cache.get(\"a\"); cache.each(x -> {}); }
         @Test void joins() { cache.put(\"a\" + cache.size(), null); }
         @Test void itself() { cache.put(\"a\", this); }
         @Test void throwing() { cache.size(); throw new IllegalStateException(\"x\"); }",
    );
    let cut = |method: &str, calls: &[&str], cut: Option<&str>| {
        let all: Vec<&str> = std::iter::once("Cache v0 = new Cache(1);")
            .chain(calls.iter().copied())
            .collect();
        read.assert(method, &all, cut);
    };
    cut(
        "loops",
        &["v0.put(\"a\", (Object) null);"],
        Some("Tests.java:6: a loop is done once and not followed further"),
    );
    cut(
        "branches",
        &["v0.put(\"a\", (Object) null);", "v0.size();"],
        Some("Tests.java:11: a branch depends on what `Cache.size` returned"),
    );
    cut("folds", &["v0.get(\"yes\");", "v0.touch(8L);"], None);
    cut("catches", &["v0.get((String) null);", "v0.size();"], None);
    cut("locks", &["v0.size();"], Some("Tests.java:23: a lock is taken"));
    cut(
        "hides",
        &["v0.size();"],
        Some("Tests.java:24: `Cache.hidden` is not public"),
    );
    cut(
        "constructs",
        &["v0.size();"],
        Some("Tests.java:25: `new Cache` is not public"),
    );
    cut(
        "lambda",
        &["v0.size();", "v0.get(\"a\");"],
        Some("Tests.java:26: `Cache.each` is given a lambda"),
    );
    cut(
        "joins",
        &["v0.size();"],
        Some("Tests.java:27: `Cache.put` is given a string that is put together at run time"),
    );
    read.assert_skipped(
        "itself",
        "nothing of it can be followed: Tests.java:28: `Cache.put` is given the test itself",
    );
    cut(
        "throwing",
        &["v0.size();", "new IllegalStateException(\"x\");"],
        Some("Tests.java:29: an exception is thrown"),
    );
}

#[test]
fn assertions_are_left_out_and_what_they_look_at_stays() {
    let read = members(
        "Cache cache = new Cache(1);
         @Test void asserts() {
             assertEquals(0, cache.size());
             assertEquals(Integer.valueOf(1), cache.get(\"a\"));
             assertEquals(2, (int) (Integer) cache.get(\"b\"));
             assertThrows(RuntimeException.class, () -> cache.get(\"c\"));
             org.assertj.core.api.Assert.assertThat(cache.get(\"d\")).isEqualTo(\"d\");
             assert cache.size() == 0 : cache.get(\"e\");
             cache.get(\"f\");
         }
         @Test void nothing() { assertEquals(1, 1); }",
    );
    read.assert(
        "asserts",
        &[
            "Cache v0 = new Cache(1);",
            "v0.size();",
            "v0.get(\"a\");",
            "v0.get(\"b\");",
            "v0.get(\"d\");",
            "v0.get(\"f\");",
        ],
        None,
    );
    read.assert_skipped("nothing", "it calls nothing");
}

#[test]
fn arrays_that_the_test_fills_are_written_down() {
    let read = members(
        "Cache cache = new Cache(1);
         @Test void once() {
             cache.all(\"a\", cache.get(\"b\").toString());
             cache.put(\"nested\", new int[][] {{1}, {2, 3}});
             byte[] bytes = new byte[2];
             bytes[bytes.length - 1] = 5;
             cache.fill(bytes);
         }
         @Test void shared() { byte[] bytes = {1}; cache.fill(bytes); cache.drain(bytes); }
         @Test void changed() { byte[] bytes = {1}; cache.fill(bytes); bytes[0] = 2; }
         @Test void large() { cache.fill(new byte[1000]); }
         @Test void receivers() { cache.put(\"x\".trim(), Cache.Mode.FAST.name()); }",
    );
    read.assert(
        "once",
        &[
            "Cache v0 = new Cache(1);",
            "Object v1 = v0.get(\"b\");",
            "String v2 = v1.toString();",
            "v0.all(new String[] {\"a\", v2});",
            "v0.put(\"nested\", (Object) new int[][] {new int[] {1}, new int[] {2, 3}});",
            "v0.fill(new byte[] {(byte) 0, (byte) 5});",
        ],
        None,
    );
    // The same array, and not one that looks like it.
    read.assert(
        "shared",
        &[
            "Cache v0 = new Cache(1);",
            "Object v1 = Objects.requireNonNull((Object) new byte[] {(byte) 1});",
            "v0.fill((byte[]) v1);",
            "v0.drain((byte[]) v1);",
        ],
        None,
    );
    read.assert(
        "changed",
        &["Cache v0 = new Cache(1);", "v0.fill(new byte[] {(byte) 1});"],
        Some("Tests.java:13: an array is changed after it was passed on"),
    );
    read.assert_skipped(
        "large",
        "nothing of it can be followed: Tests.java:14: `Cache.fill` is given an array of 1000 elements",
    );
    read.assert(
        "receivers",
        &[
            "Cache v0 = new Cache(1);",
            "Object v1 = Objects.requireNonNull((Object) \"x\");",
            "String v2 = ((String) v1).trim();",
            "Object v3 = Objects.requireNonNull((Object) Cache.Mode.FAST);",
            "String v4 = ((Cache.Mode) v3).name();",
            "v0.put(v2, (Object) v4);",
        ],
        None,
    );
}

#[test]
fn tests_that_use_threads_are_skipped() {
    let read = members(
        "Cache cache = new Cache(1);
         @Test void starts() throws Exception { cache.size(); Thread t = new Thread(() -> cache.get(\"a\")); t.start(); t.join(); }
         @Test void pools() { if (cache.size() > 0) run(); }
         @Test void sleeps() throws Exception { Thread.sleep(1); cache.size(); }
         private void run() { java.util.concurrent.Executors.newCachedThreadPool(); }",
    );
    let reason = |what: &str| format!("it is no sequential test: it uses threads, see {what}");
    read.assert_skipped("starts", &reason("java.lang.Thread"));
    read.assert_skipped(
        "pools",
        &reason("java.util.concurrent.Executors.newCachedThreadPool"),
    );
    read.assert(
        "sleeps",
        &["Cache v0 = new Cache(1);", "Thread.sleep(1L);", "v0.size();"],
        None,
    );
}

#[test]
fn a_program_is_a_test() {
    let read = read(
        "package acme;
         public class Tests {
             private final Cache cache = new Cache(1);
             public static Tests create() { return new Tests(); }
             public void add(String key) { cache.put(key, null); }
             static void show(Cache cache) { System.out.println(cache.size()); }
             public static void main(String[] arguments) {
                 if (arguments.length > 0) return;
                 Tests tests = create();
                 tests.add(\"a\");
                 System.out.println(\"now \" + arguments.length);
                 Cache other = new Cache(2);
                 show(other);
                 System.out.printf(\"%s%n\", other.get(\"b\")).println();
                 System.exit(0);
             }
         }",
    );
    read.assert(
        "main",
        &[
            "Tests v0 = Tests.create();",
            "v0.add(\"a\");",
            "Cache v1 = new Cache(2);",
            "v1.size();",
            "v1.get(\"b\");",
        ],
        Some("Tests.java:15: the test ends the JVM"),
    );
}

#[test]
fn tests_of_all_kinds_are_found() {
    let found = |text: &str| {
        let read = read(text);
        let names = read
            .found
            .tests
            .iter()
            .map(|seed| seed.name.clone())
            .collect::<Vec<_>>();
        (names, read)
    };
    let (names, _) = found(
        "package acme;
         public class Tests {
             @org.junit.Test(timeout = 5) public void four() { new Cache(4); }
             @org.testng.annotations.Test public void next() { new Cache(6); }
             public void none() { new Cache(5); }
         }",
    );
    assert_eq!(names, ["acme.Tests.four", "acme.Tests.next"]);
    let (names, junit3) = found(
        "package acme;
         public class Tests extends junit.framework.TestCase {
             Cache cache;
             protected void setUp() throws Exception { super.setUp(); cache = new Cache(3); }
             public void testIt() { assertEquals(\"a\", \"b\"); cache.size(); }
             public void helper() { cache.size(); }
         }",
    );
    assert_eq!(names, ["acme.Tests.testIt"]);
    junit3.assert("testIt", &["Cache v0 = new Cache(3);", "v0.size();"], None);
    let (names, disabled) = found(
        "package acme;
         import org.junit.jupiter.api.*;
         public class Tests {
             @Disabled @Test void off() { new Cache(1); }
             @Test void on() { new Cache(1); }
         }",
    );
    assert_eq!(names, ["acme.Tests.on"]);
    disabled.assert_skipped("off", "it is disabled");
}

#[test]
fn a_set_up_that_cannot_be_followed_leaves_nothing() {
    let read = members(
        "Cache cache;
         @BeforeEach void prepare() { cache = new Cache(1); cache.hidden(); }
         @Test void uses() { cache.size(); }",
    );
    read.assert_skipped(
        "uses",
        "its set-up cannot be followed: Tests.java:5: `Cache.hidden` is not public",
    );
}

#[test]
fn a_class_without_tests_is_refused() {
    let compiled = compile(&[("A.java", "public class A { void test() {} }")]).unwrap();
    let program = compiled.program();
    let error = user_tests::read(program, program.find_class("A").unwrap()).unwrap_err();
    assert!(matches!(error, UserTestError::NoTests { .. }));
    let missing = user_tests::read(program, program.class_id("no/Such")).unwrap_err();
    assert!(matches!(missing, UserTestError::Load(_)));
}

#[test]
fn seeds_are_java_and_reading_twice_gives_the_same() {
    let read = members(
        "private final Cache cache = Registry.open(\"x\").cache();
         @Test void first() { byte[] bytes = {1}; cache.fill(bytes); cache.drain(bytes); cache.put(\"a\", 'c'); }
         @Test void second() { cache.mode(Cache.Mode.FAST); cache.put(\"\\u00e9\", cache.get(\"b\")); cache.all(\"x\"); }",
    );
    let program = read.compiled.program();
    let again = user_tests::read(program, program.find_class("acme.Tests").unwrap()).unwrap();
    assert_eq!(again, read.found);
    let printed: Vec<(String, String)> = read
        .found
        .tests
        .iter()
        .zip(["Seed0", "Seed1"])
        .map(|(seed, name)| (format!("{name}.java"), seed.plan.to_java(name)))
        .collect();
    assert_eq!(printed.len(), 2);
    let sources: Vec<(&str, &str)> = LIBRARIES
        .into_iter()
        .chain(SUBJECTS)
        .chain(printed.iter().map(|(name, text)| (name.as_str(), text.as_str())))
        .collect();
    if let Err(error) = compile(&sources) {
        panic!("{error}");
    }
}

#[test]
fn damaged_classes_are_read_without_a_panic() {
    let read = members(
        "Cache cache = new Cache(1);
         @Test void all() {
             long wide = 4; byte[] bytes = {1, 2}; cache.fill(bytes); cache.touch(wide + bytes.length);
             cache.put(\"a\", new Object[] {1L, new int[] {2}}); helper(wide, cache);
             if (bytes.length > 1) cache.mode(Cache.Mode.FAST);
             assertEquals(1, cache.size());
         }
         private static void helper(long number, Cache cache) { cache.touch(-number); }",
    );
    let file = read.compiled.classes().join("acme/Tests.class");
    let whole = std::fs::read(&file).unwrap();
    let mut readable = 0;
    for at in (10..whole.len()).step_by(3) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        std::fs::write(&file, &bytes).unwrap();
        let program = raddle_testkit::program(&[read.compiled.classes().to_owned()]).unwrap();
        if let Ok(seeds) = user_tests::read(&program, program.class_id("acme/Tests")) {
            readable += 1;
            for seed in seeds.tests {
                seed.plan.check().unwrap();
            }
        }
    }
    assert!(readable > 100, "{readable} of {}", whole.len());
}
