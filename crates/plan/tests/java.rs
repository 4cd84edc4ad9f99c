//! Plans as Java: javac takes the files, and a program made of one does what the plan says.

#![allow(clippy::unwrap_used)] // a failed assumption should fail the test

use std::process::Command;

use raddle_classpath::Jdk;
use raddle_plan::TestPlan;
use raddle_testkit::compile;

const PROBE: &str = r#"
package p;
public class Probe<T extends Comparable<T>> {
    public enum Colour implements Face { RED, GREEN { public int twice(int i) { return 0; } };
        public int twice(int i) { return 2 * i; } }
    public interface Face { static String face(int i) { return "face " + i; } int twice(int i); }
    public static class Nested extends Probe<String> implements Face {
        private final int by;
        public Nested(int by) { this.by = by; }
        public Nested(Probe outer, int by) { this.by = by; }
        public int twice(int i) { return by * i; }
        public static class Deep { public Deep() { } public String toString() { return "deep"; } }
    }
    public class Inner { public Inner() { } public String toString() { return "inner"; } }
    public T first(T t) { return t; }
    public static <E extends Enum<E>> E same(E e) { return e; }
    public static <C extends Comparable<C>> C greater(C a, C b) { return a.compareTo(b) < 0 ? b : a; }
    public static String all(boolean z, byte b, short s, char c, int i, long j, float f, double d) {
        return z + " " + b + " " + s + " " + (int) c + " " + i + " " + j + " "
            + Integer.toHexString(Float.floatToRawIntBits(f)) + " " + Long.toHexString(Double.doubleToRawLongBits(d));
    }
    public static String which(int i) { return "int"; }
    public static String which(Integer i) { return "Integer"; }
    public static String which(long i) { return "long"; }
    public static String which(Number i) { return "Number"; }
    public static String which(Object i) { return "Object"; }
    public static String which(Object[] i) { return "Object[]"; }
    public static String which(String[] i) { return "String[]"; }
    public static String which(byte i) { return "byte"; }
    public static String units(CharSequence text) {
        StringBuilder units = new StringBuilder().append(text.length());
        for (int i = 0; i < Math.min(20, text.length()); i++) units.append(' ').append((int) text.charAt(i));
        return units.toString();
    }
    public static byte b() { return -1; }
    public static char c() { return 'c'; }
    public static Object boxed() { return 5; }
    public static Number number() { return 6L; }
    public static int fail() throws Exception { throw new java.io.IOException("no\u00e9"); }
    public static Object give(Object o) { return o; }
    public interface Many<K, V extends Number> {
        void nothing(K key, java.util.List<String> names);
        V number(K key, V value);
        <X> X generic(X x, Class<? extends X> type);
        long count(long by, int x1, int x2, int x3);
        char c();
        default int two() { return 2; }
    }
    public static abstract class Half implements Many<String, Integer> {
        protected final int made;
        protected Half() { made = 4; }
        protected abstract boolean isHalf();
        abstract static class Hidden { }
        public void nothing(String key, java.util.List<String> names) { }
        public Integer number(String key, Integer value) { return value; }
        public <X> X generic(X x, Class<? extends X> type) { return x; }
        public char c() { return 'h'; }
    }
    public interface Op<T extends Number> { T op(T value); }
    public interface Step { int step(int from); }
    public static String many(Many many, Half half) {
        many.nothing(null, null);
        return many.number("k", 3) + " " + many.generic("x", String.class) + " " + many.count(41, 1, 2, 3) + " "
            + (int) many.c() + " " + many.two() + " " + half.isHalf() + " " + half.made + " " + half.count(41, 1, 2, 3);
    }
    public static void wait(Object lock) throws InterruptedException { synchronized (lock) { lock.wait(); } }
}
"#;

/// A static call of `p.Probe`.
fn probe(member: &str, arguments: &str) -> String {
    format!(r#"{{"invoke": "static", "member": "p.Probe.{member}", "args": [{arguments}]}}"#)
}

fn plan(prefix: &str, threads: &str, after: &str) -> TestPlan {
    TestPlan::from_json(&format!(
        r#"{{"raddle_plan": 1, "name": "a \"name\" \\u000a \n*/ é", "prefix": [{prefix}], "threads": [{threads}], "after": [{after}]}}"#
    ))
    .unwrap()
}

fn bound(name: &str, call: &str) -> String {
    call.replacen('{', &format!(r#"{{"let": "{name}", "#), 1)
}

const LIST: &str = r#"{"let": "list", "invoke": "new", "member": "java.util.Vector.<init>()V"}"#;

/// Plans, each with the lines that its program prints, if those are certain.
fn plans() -> Vec<(TestPlan, Vec<&'static str>)> {
    let which =
        |parameter: &str, argument: &str| probe(&format!("which({parameter})Ljava/lang/String;"), argument);
    vec![
        (
            plan(
                &format!(
                    "{LIST}, {}",
                    r#"{"invoke": "virtual", "on": "list", "member": "java.util.Vector.add(ILjava/lang/Object;)V",
                        "args": [{"int": 0}, {"string": "a"}]}"#
                ),
                r#"[{"let": "x", "invoke": "virtual", "on": "list",
                     "member": "java.util.Vector.remove(Ljava/lang/Object;)Z", "args": [{"int": 0}]}],
                   [{"let": "x", "invoke": "interface", "on": "list", "member": "java.util.List.size()I"},
                    {"invoke": "virtual", "on": "list", "member": "java.util.Vector.get(I)Ljava/lang/Object;",
                     "args": [{"var": "x"}]},
                    {"invoke": "virtual", "on": "x", "member": "java.lang.Integer.doubleValue()D"}]"#,
                r#"{"let": "x", "invoke": "virtual", "on": "list", "member": "java.lang.Object.hashCode()I"},
                   {"invoke": "static", "member": "java.util.Objects.hash([Ljava/lang/Object;)I",
                    "args": [{"array": {"element": "Ljava/lang/Object;", "of": [{"var": "x"}, {"var": "list"}]}}]}"#,
            ),
            vec![
                "prefix: java.util.Vector.<init> returned [a]",
                "prefix: java.util.Vector.add returned",
                "thread 1: java.util.Vector.remove returned false",
                "thread 2: java.util.List.size returned 1",
                "thread 2: java.util.Vector.get threw java.lang.ArrayIndexOutOfBoundsException: Array index out of range: 1",
                "thread 2: java.lang.Integer.doubleValue returned 1.0",
                "after: java.lang.Object.hashCode returned 128",
                "after: java.util.Objects.hash returned 5057",
            ],
        ),
        (
            plan(
                "",
                &format!(
                    "[{}, {}, {}]",
                    probe(
                        "all(ZBSCIJFD)Ljava/lang/String;",
                        r#"{"boolean": true}, {"byte": -128}, {"short": -32768}, {"char": 65535}, {"int": -2147483648},
                           {"long": -9223372036854775808}, {"float": 4290772993}, {"double": 9223372036854775808}"#
                    ),
                    probe(
                        "all(ZBSCIJFD)Ljava/lang/String;",
                        r#"{"boolean": false}, {"byte": 1}, {"short": 1}, {"char": 10}, {"int": 1},
                           {"long": 1}, {"float": 1}, {"double": 1}"#
                    ),
                    probe(
                        "all(ZBSCIJFD)Ljava/lang/String;",
                        r#"{"boolean": false}, {"byte": 1}, {"short": 1}, {"char": 39}, {"int": 1},
                           {"long": 1}, {"float": 4286578688}, {"double": 9221120237041090560}"#
                    )
                ),
                "",
            ),
            vec![
                "thread 1: p.Probe.all returned true -128 -32768 65535 -2147483648 -9223372036854775808 ffc00001 8000000000000000",
                "thread 1: p.Probe.all returned false 1 1 10 1 1 1 1",
                "thread 1: p.Probe.all returned false 1 1 39 1 1 ff800000 7ff8000000000000",
            ],
        ),
        (
            plan(
                &bound("boxed", &probe("boxed()Ljava/lang/Object;", "")),
                &format!(
                    "[{}]",
                    [
                        which("I", r#"{"int": -1}"#),
                        which("Ljava/lang/Integer;", r#"{"int": -1}"#),
                        which("J", r#"{"long": 1}"#),
                        which("Ljava/lang/Number;", r#"{"byte": -1}"#),
                        which("Ljava/lang/Object;", r#"{"float": 2143289344}"#),
                        which("Ljava/lang/Object;", r#"{"array": {"element": "Ljava/lang/String;", "of": []}}"#),
                        which("[Ljava/lang/Object;", r#"{"array": {"element": "Ljava/lang/String;", "of": []}}"#),
                        which("[Ljava/lang/String;", "\"null\""),
                        which("B", r#"{"byte": 1}"#),
                        which("I", r#"{"var": "boxed"}"#),
                        which("Ljava/lang/Integer;", r#"{"var": "boxed"}"#),
                    ]
                    .join(", ")
                ),
                "",
            ),
            vec![
                "prefix: p.Probe.boxed returned 5",
                "thread 1: p.Probe.which returned int",
                "thread 1: p.Probe.which returned Integer",
                "thread 1: p.Probe.which returned long",
                "thread 1: p.Probe.which returned Number",
                "thread 1: p.Probe.which returned Object",
                "thread 1: p.Probe.which returned Object",
                "thread 1: p.Probe.which returned Object[]",
                "thread 1: p.Probe.which returned String[]",
                "thread 1: p.Probe.which returned byte",
                "thread 1: p.Probe.which returned int",
                "thread 1: p.Probe.which returned Integer",
            ],
        ),
        (
            plan(
                "",
                &format!(
                    "[{}, {}, {}]",
                    probe(
                        "units(Ljava/lang/CharSequence;)Ljava/lang/String;",
                        r#"{"string": "\"\\u0041'\n\u0001\u007f\u00e9\ud83d\ude00"}"#
                    ),
                    probe(
                        "units(Ljava/lang/CharSequence;)Ljava/lang/String;",
                        r#"{"utf16": [55296, 49, 56320]}"#
                    ),
                    probe(
                        "units(Ljava/lang/CharSequence;)Ljava/lang/String;",
                        &format!(r#"{{"string": "{}"}}"#, "\u{20ac}".repeat(30_000))
                    )
                ),
                "",
            ),
            vec![
                "thread 1: p.Probe.units returned 14 34 92 117 48 48 52 49 39 10 1 127 233 55357 56832",
                "thread 1: p.Probe.units returned 3 55296 49 56320",
            ],
        ),
        (
            plan(
                r#"{"let": "probe", "invoke": "new", "member": "p.Probe.<init>()V"},
                   {"let": "Vector", "invoke": "new", "member": "p.Probe$Nested.<init>(Lp/Probe;I)V",
                    "args": [{"var": "probe"}, {"int": 3}]},
                   {"let": "class", "invoke": "new", "member": "p.Probe$Inner.<init>(Lp/Probe;)V",
                    "args": [{"var": "probe"}]},
                   {"let": "a b", "invoke": "new", "member": "p.Probe$Nested$Deep.<init>()V"},
                   {"let": "a_b", "invoke": "new", "member": "java.util.Vector.<init>()V"},
                   {"let": "p", "invoke": "new", "member": "p.Probe$Nested.<init>(I)V", "args": [{"int": -3}]}"#,
                r#"[{"invoke": "interface", "on": "Vector", "member": "p.Probe$Face.twice(I)I", "args": [{"int": 2}]},
                    {"invoke": "virtual", "on": "Vector",
                     "member": "p.Probe.first(Ljava/lang/Comparable;)Ljava/lang/Comparable;", "args": [{"char": 65}]},
                    {"invoke": "interface-static", "member": "p.Probe$Face.face(I)Ljava/lang/String;",
                     "args": [{"int": 2}]}]"#,
                r#"{"invoke": "static", "member": "java.lang.String.valueOf(Ljava/lang/Object;)Ljava/lang/String;",
                    "args": [{"var": "class"}]},
                   {"invoke": "static", "member": "java.lang.String.valueOf(Ljava/lang/Object;)Ljava/lang/String;",
                    "args": [{"var": "a b"}]}"#,
            ),
            vec![
                "thread 1: p.Probe$Face.twice returned 6",
                "thread 1: p.Probe$Face.face returned face 2",
                "after: java.lang.String.valueOf returned inner",
                "after: java.lang.String.valueOf returned deep",
            ],
        ),
        (
            plan(
                "",
                &format!(
                    "[{}]",
                    [
                        probe(
                            "same(Ljava/lang/Enum;)Ljava/lang/Enum;",
                            r#"{"enum": {"class": "p.Probe$Colour", "constant": "GREEN"}}"#
                        ),
                        probe(
                            "greater(Ljava/lang/Comparable;Ljava/lang/Comparable;)Ljava/lang/Comparable;",
                            r#"{"int": 1}, {"int": 2}"#
                        ),
                        probe(
                            "give(Ljava/lang/Object;)Ljava/lang/Object;",
                            r#"{"enum": {"class": "p.Probe$Colour", "constant": "RED"}}"#
                        ),
                        r#"{"invoke": "static", "member": "java.util.EnumSet.noneOf(Ljava/lang/Class;)Ljava/util/EnumSet;",
                            "args": [{"class": "p.Probe$Colour"}]}"#
                            .to_owned(),
                        r#"{"invoke": "interface-static",
                            "member": "java.util.List.of(Ljava/lang/Object;Ljava/lang/Object;)Ljava/util/List;",
                            "args": [{"class": "[[I"}, {"class": "void"}]}"#
                            .to_owned(),
                        r#"{"invoke": "interface-static",
                            "member": "java.util.Map.entry(Ljava/lang/Object;Ljava/lang/Object;)Ljava/util/Map$Entry;",
                            "args": [{"class": "java.util.Map$Entry"}, {"class": "[Ljava.util.Map$Entry;"}]}"#
                            .to_owned(),
                    ]
                    .join(", ")
                ),
                "",
            ),
            vec![
                "thread 1: p.Probe.same returned GREEN",
                "thread 1: p.Probe.greater returned 2",
                "thread 1: p.Probe.give returned RED",
                "thread 1: java.util.EnumSet.noneOf returned []",
                "thread 1: java.util.List.of returned [class [[I, void]",
                "thread 1: java.util.Map.entry returned interface java.util.Map$Entry=class [Ljava.util.Map$Entry;",
            ],
        ),
        (
            plan(
                "",
                &format!(
                    "[{}, {}]",
                    probe(
                        "give(Ljava/lang/Object;)Ljava/lang/Object;",
                        r#"{"array": {"element": "[J", "of": [
                            {"array": {"element": "J", "of": [{"long": -1}, {"long": 2}]}}, "null",
                            {"array": {"element": "J", "of": []}}]}}"#
                    ),
                    probe(
                        "give(Ljava/lang/Object;)Ljava/lang/Object;",
                        r#"{"array": {"element": "Ljava/lang/Object;", "of": [
                            {"int": -1}, {"byte": -1}, {"char": 0}, {"string": "s"}, {"double": 4607182418800017408},
                            {"array": {"element": "Z", "of": [{"boolean": true}]}}]}}"#
                    )
                ),
                "",
            ),
            vec!["thread 1: p.Probe.give returned [[-1, 2], null, []]"],
        ),
        (
            plan(
                "",
                &format!(
                    "[{}, {}], [{}, {}]",
                    bound("n", &probe("fail()I", "")),
                    probe("which(I)Ljava/lang/String;", r#"{"var": "n"}"#),
                    bound("n", &probe("number()Ljava/lang/Number;", "")),
                    probe("which(I)Ljava/lang/String;", r#"{"var": "n"}"#),
                ),
                "",
            ),
            vec!["thread 1: p.Probe.fail threw java.io.IOException: no?"],
        ),
        (
            plan(
                &format!(
                    "{}, {}",
                    bound("b", &probe("b()B", "")),
                    bound("c", &probe("c()C", ""))
                ),
                &format!(
                    "[{}], [{}, {}]",
                    probe("give(Ljava/lang/Object;)Ljava/lang/Object;", r#"{"var": "c"}"#),
                    bound("c2", &probe("c()C", "")),
                    probe(
                        "all(ZBSCIJFD)Ljava/lang/String;",
                        r#"{"boolean": true}, {"var": "b"}, {"short": 1}, {"var": "c2"}, {"int": 1}, {"long": 1},
                           {"float": 0}, {"double": 0}"#
                    )
                ),
                "",
            ),
            vec![
                "thread 1: p.Probe.give returned c",
                "thread 2: p.Probe.all returned true -1 1 99 1 1 0 0",
            ],
        ),
        (
            plan(
                r#"{"let": "Date", "invoke": "new", "member": "java.util.Date.<init>(J)V", "args": [{"long": 0}]},
                   {"let": "sql", "invoke": "new", "member": "java.text.SimpleDateFormat.<init>(Ljava/lang/String;)V",
                    "args": [{"string": "yyyy"}]},
                   {"let": "absent", "invoke": "new", "member": "java.lang.Thread.<init>()V"},
                   {"let": "thread", "invoke": "new", "member": "other.Vector.<init>()V"},
                   {"let": "threads", "invoke": "new", "member": "java.util.Vector.<init>()V"}"#,
                r#"[{"invoke": "virtual", "on": "sql",
                     "member": "java.text.DateFormat.format(Ljava/util/Date;)Ljava/lang/String;",
                     "args": [{"var": "Date"}]}]"#,
                "",
            ),
            vec!["thread 1: java.text.DateFormat.format returned 1970"],
        ),
        (
            plan(
                LIST,
                &format!(
                    "[{}], []",
                    probe("wait(Ljava/lang/Object;)V", r#"{"var": "list"}"#)
                ),
                "",
            ),
            vec![
                "thread 1 is stuck after 1 seconds:",
                "thread 1: p.Probe.wait did not end",
            ],
        ),
        (
            plan(
                r#"{"let": "x", "invoke": "new", "member": "java.util.HashMap.<init>()V"},
                   {"let": "second", "invoke": "implement", "member": "java.util.function.BiFunction.<init>()V",
                    "methods": [{"name": "apply",
                                 "descriptor": "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
                                 "returns": {"parameter": 1}}]},
                   {"let": "op", "invoke": "implement", "member": "p.Probe$Op.<init>()V",
                    "methods": [{"name": "op", "descriptor": "(Ljava/lang/Number;)Ljava/lang/Number;",
                                 "returns": {"value": {"double": 4611686018427387904}}}]},
                   {"let": "test", "invoke": "implement", "member": "java.util.function.Predicate.<init>()V",
                    "methods": [{"name": "test", "descriptor": "(Ljava/lang/Object;)Z",
                                 "returns": {"value": {"boolean": true}}}]},
                   {"let": "step", "invoke": "implement", "member": "p.Probe$Step.<init>()V",
                    "methods": [{"name": "step", "descriptor": "(I)I", "returns": {"increment": 0}}]},
                   {"let": "many", "invoke": "implement", "member": "p.Probe$Many.<init>()V", "methods": [
                        {"name": "nothing", "descriptor": "(Ljava/lang/Object;Ljava/util/List;)V"},
                        {"name": "number", "descriptor": "(Ljava/lang/Object;Ljava/lang/Number;)Ljava/lang/Number;",
                         "returns": {"parameter": 1}},
                        {"name": "generic", "descriptor": "(Ljava/lang/Object;Ljava/lang/Class;)Ljava/lang/Object;",
                         "returns": {"value": {"string": "g"}}},
                        {"name": "count", "descriptor": "(JIII)J", "returns": {"increment": 0}},
                        {"name": "c", "descriptor": "()C"}]},
                   {"let": "half", "invoke": "extend", "member": "p.Probe$Half.<init>()V", "methods": [
                        {"name": "isHalf", "descriptor": "()Z", "returns": {"value": {"boolean": true}}},
                        {"name": "count", "descriptor": "(JIII)J"}]},
                   {"invoke": "implement", "member": "java.lang.Runnable.<init>()V",
                    "methods": [{"name": "run", "descriptor": "()V"}]}"#,
                r#"[{"invoke": "interface", "on": "x",
                     "member": "java.util.Map.merge(Ljava/lang/Object;Ljava/lang/Object;Ljava/util/function/BiFunction;)Ljava/lang/Object;",
                     "args": [{"string": "k"}, {"string": "a"}, {"var": "second"}]},
                    {"invoke": "interface", "on": "x",
                     "member": "java.util.Map.merge(Ljava/lang/Object;Ljava/lang/Object;Ljava/util/function/BiFunction;)Ljava/lang/Object;",
                     "args": [{"string": "k"}, {"string": "b"}, {"var": "second"}]},
                    {"let": "y", "invoke": "implement", "member": "java.util.function.Supplier.<init>()V",
                     "methods": [{"name": "get", "descriptor": "()Ljava/lang/Object;"}]},
                    {"invoke": "interface", "on": "y", "member": "java.util.function.Supplier.get()Ljava/lang/Object;"},
                    {"invoke": "interface", "on": "op", "member": "p.Probe$Op.op(Ljava/lang/Number;)Ljava/lang/Number;",
                     "args": [{"int": 1}]},
                    {"invoke": "interface", "on": "test",
                     "member": "java.util.function.Predicate.test(Ljava/lang/Object;)Z", "args": ["null"]},
                    {"invoke": "interface", "on": "step", "member": "p.Probe$Step.step(I)I", "args": [{"int": 6}]}],
                   [{"let": "many2", "invoke": "implement", "member": "p.Probe$Many.<init>()V", "methods": [
                        {"name": "nothing", "descriptor": "(Ljava/lang/Object;Ljava/util/List;)V"},
                        {"name": "number", "descriptor": "(Ljava/lang/Object;Ljava/lang/Number;)Ljava/lang/Number;"},
                        {"name": "generic", "descriptor": "(Ljava/lang/Object;Ljava/lang/Class;)Ljava/lang/Object;"},
                        {"name": "count", "descriptor": "(JIII)J"},
                        {"name": "c", "descriptor": "()C"}]},
                    {"invoke": "static", "member": "p.Probe.many(Lp/Probe$Many;Lp/Probe$Half;)Ljava/lang/String;",
                     "args": [{"var": "many2"}, {"var": "half"}]}]"#,
                r#"{"invoke": "static", "member": "p.Probe.many(Lp/Probe$Many;Lp/Probe$Half;)Ljava/lang/String;",
                    "args": [{"var": "many"}, {"var": "half"}]}"#,
            ),
            vec![
                "thread 1: java.util.Map.merge returned a",
                "thread 1: java.util.Map.merge returned b",
                "thread 1: java.util.function.Supplier.get returned null",
                "thread 1: p.Probe$Op.op returned 2.0",
                "thread 1: java.util.function.Predicate.test returned true",
                "thread 1: p.Probe$Step.step returned 7",
                "thread 2: p.Probe.many returned null null 0 0 2 true 4 0",
                "after: p.Probe.many returned 3 g 42 0 2 true 4 0",
            ],
        ),
        (plan("", &vec!["[]"; 60].join(", "), ""), vec![]),
    ]
}

#[test]
fn javac_takes_what_is_printed_and_it_does_what_the_plan_says() {
    let plans = plans();
    let files: Vec<_> = plans
        .iter()
        .enumerate()
        .map(|(number, (plan, lines))| {
            let text = plan.to_java(&format!("Plan{number}"));
            // What hangs on purpose need not hang for long.
            let is_stuck = lines.iter().any(|line| line.contains(" is stuck "));
            let text = if is_stuck {
                text.replace("SECONDS = 10;", "SECONDS = 1;")
            } else {
                text
            };
            (format!("Plan{number}.java"), text)
        })
        .collect();
    let mut sources = vec![
        ("p/Probe.java", PROBE),
        ("other/Vector.java", "package other; public class Vector { }"),
    ];
    sources.extend(files.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    let compiled = compile(&sources).unwrap();
    let java = Jdk::locate(None).unwrap().home().join("bin/java");
    for (number, (_, lines)) in plans
        .iter()
        .enumerate()
        .filter(|(_, (_, lines))| !lines.is_empty())
    {
        let output = Command::new(&java)
            .args([
                "-XX:TieredStopAtLevel=1",
                "-Dstdout.encoding=US-ASCII",
                "-Dfile.encoding=US-ASCII",
                "-cp",
            ])
            .arg(compiled.classes())
            .arg(format!("Plan{number}"))
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success(),
            "Plan{number}: {printed}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        for line in lines {
            assert!(
                printed.lines().any(|other| other == *line),
                "Plan{number} does not print `{line}`:\n{printed}"
            );
        }
    }
}

#[test]
fn the_file_reads_well() {
    let plan = plan(
        &format!(
            "{LIST}, {}",
            r#"{"let": "map", "invoke": "new", "member": "java.util.HashMap.<init>()V"}"#
        ),
        r#"[{"invoke": "interface", "on": "map",
             "member": "java.util.Map.put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
             "args": [{"int": -1}, {"var": "list"}]}]"#,
        "",
    );
    let text = plan.to_java("some.where.Reproducer");
    let begin = "package some.where;\n\nimport java.util.HashMap;\nimport java.util.Map;\nimport java.util.Vector;\n\n// a";
    assert!(text.starts_with(begin), "{text}");
    assert!(text.contains("        Vector list = new Vector();\n"), "{text}");
    assert!(
        text.contains("returned[2] = ((Map) map).put((Object) (-1), (Object) list);"),
        "{text}"
    );
}

#[test]
fn functions_are_lambdas_and_other_objects_anonymous_classes() {
    let plan = plan(
        r#"{"let": "x", "invoke": "new", "member": "java.util.Vector.<init>()V"},
           {"let": "f", "invoke": "implement", "member": "java.util.function.BiFunction.<init>()V",
            "methods": [{"name": "apply", "descriptor": "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
                         "returns": {"parameter": 1}}]},
           {"let": "g", "invoke": "implement", "member": "java.util.Iterator.<init>()V",
            "methods": [{"name": "hasNext", "descriptor": "()Z"},
                        {"name": "next", "descriptor": "()Ljava/lang/Object;",
                         "returns": {"value": {"string": "a"}}}]}"#,
        r#"[{"invoke": "implement", "member": "java.lang.Runnable.<init>()V",
             "methods": [{"name": "run", "descriptor": "()V"}]}]"#,
        "",
    );
    let text = plan.to_java("Reproducer");
    for part in [
        "        BiFunction f = (x_, y) -> y;\n",
        "        Iterator g = new Iterator() {
            public boolean hasNext() {
                return false;
            }
            public Object next() {
                return \"a\";
            }
        };
        returned[2] = g;
",
        "                    returned[3] = (Runnable) () -> { };\n",
    ] {
        assert!(text.contains(part), "{part}{text}");
    }
}

#[test]
fn objects_give_and_call_what_they_hold() {
    let plan = plan(
        r#"{"let": "list", "invoke": "new", "member": "java.util.Vector.<init>()V"},
           {"let": "order", "invoke": "constant",
            "member": "java.lang.String.CASE_INSENSITIVE_ORDER()Ljava/util/Comparator;"},
           {"let": "f", "invoke": "implement", "member": "java.util.function.Supplier.<init>()V",
            "args": [{"var": "order"}, {"var": "list"}],
            "methods": [{"name": "get", "descriptor": "()Ljava/lang/Object;", "returns": {"held": 0},
                         "does": {"on": 1, "invoke": "virtual", "member": "java.util.Vector.clear()V"}}]}"#,
        r#"[{"invoke": "interface", "on": "f", "member": "java.util.function.Supplier.get()Ljava/lang/Object;"}]"#,
        "",
    );
    let text = plan.to_java("Reproducer");
    for part in [
        "        Comparator order = String.CASE_INSENSITIVE_ORDER;\n",
        "        Supplier f = () -> { list.clear(); return (Object) order; };\n",
    ] {
        assert!(text.contains(part), "{part}{text}");
    }
}

#[test]
fn what_java_cannot_spell_is_called_through_reflection() {
    let plan = plan(
        r#"{"let": "a", "invoke": "new", "member": "p.Odd Name.<init>()V"},
           {"let": "b", "invoke": "static", "member": "p.Plain.class(I)Lp/Odd Name;", "args": [{"int": 1}]}"#,
        r#"[{"invoke": "virtual", "on": "a", "member": "p.Odd Name.add(Lp/Odd Name;)I", "args": [{"var": "b"}]}]"#,
        "",
    );
    let text = plan.to_java("Reproducer");
    for part in [
        r#"        Object a = (Object) reflect("p.Odd Name", "<init>", "()V", null, new Object[] {});"#,
        r#"        Object b = (Object) reflect("p.Plain", "class", "(I)Lp/Odd Name;", null, new Object[] {1});"#,
        r#"returned[2] = (Integer) reflect("p.Odd Name", "add", "(Lp/Odd Name;)I", a, new Object[] {b});"#,
        "    private static <E extends Throwable> Object reflect(",
    ] {
        assert!(text.contains(part), "{part}{text}");
    }
}
