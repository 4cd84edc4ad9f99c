//! Lowered plans in a plain JVM, with hooks that only take notes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use raddle_classpath::Jdk;

use super::*;

const HOOKS_SOURCE: &str = r#"
package java.lang;
public final class Raddle {
    public static final StringBuilder notes = new StringBuilder();
    public static boolean prefix;
    public static void begin(int call) { note("begin " + call); }
    public static void returned(int call, Object value) { note("returned " + call + " " + text(value)); }
    public static void threw(int call, Throwable t) throws Throwable {
        note("threw " + call + " " + t.getClass().getName());
        if (prefix) throw t;
    }
    public static void note(String line) { notes.append(line).append('\n'); }
    public static String text(Object value) {
        if (value == null) return "null";
        String name = value.getClass().getName();
        if (value instanceof Float) return name + " " + Integer.toHexString(Float.floatToRawIntBits((Float) value));
        if (value instanceof Double) return name + " " + Long.toHexString(Double.doubleToRawLongBits((Double) value));
        if (value instanceof Object[]) return name + " " + java.util.Arrays.deepToString((Object[]) value);
        if (value instanceof int[]) return name + " " + java.util.Arrays.toString((int[]) value);
        return name + " " + value;
    }
}
"#;

const PLAN_SOURCE: &str = r"
package java.lang;
public abstract class RaddlePlan {
    public abstract void run(int part, Object[] v);
}
";

const DRIVER_SOURCE: &str = r#"
public class Driver {
    public static void main(String[] plan) throws Throwable {
        RaddlePlan made = (RaddlePlan) Class.forName(plan[0]).getConstructor().newInstance();
        Object[] v = new Object[Integer.parseInt(plan[2])];
        Raddle.prefix = true;
        try {
            made.run(0, v);
            Raddle.prefix = false;
            for (int thread = 1; thread <= Integer.parseInt(plan[1]); thread++) {
                made.run(thread, v);
            }
            made.run(-1, v);
        } catch (Throwable t) {
            Raddle.note("ended by " + t.getClass().getName());
        }
        try {
            made.run(-2, v);
        } catch (IllegalArgumentException expected) {
            Raddle.note("no part -2");
        }
        System.out.print(Raddle.notes);
    }
}
"#;

const PROBE_SOURCE: &str = r#"
package p;
public class Probe {
    public enum Colour { RED, GREEN { } }
    public interface Face { static String face(int i) { return "face " + i; } int twice(int i); }
    public static class Nested extends Probe implements Face {
        private final int by;
        public Nested(int by) { this.by = by; }
        public int twice(int i) { return by * i; }
    }
    public static String all(boolean z, byte b, short s, char c, int i, long j, float f, double d) {
        return z + " " + b + " " + s + " " + (int) c + " " + i + " " + j + " "
            + Integer.toHexString(Float.floatToRawIntBits(f)) + " " + Long.toHexString(Double.doubleToRawLongBits(d));
    }
    public static String boxed(Boolean z, Byte b, Number s, Comparable c, Object i, Long j, java.io.Serializable f, Double d) {
        return z + " " + b + " " + s.getClass() + " " + c.getClass() + " " + i.getClass() + " " + j + " "
            + f.getClass() + " " + d;
    }
    public static boolean z(Object o) { return o == null; }
    public static byte b() { return -1; }
    public static short s() { return -2; }
    public static char c() { return 'c'; }
    public static int i() { return -3; }
    public static long j() { return -4; }
    public static float f() { return -0f; }
    public static double d() { return Double.NaN; }
    public static int[] ints(int... of) { return of; }
    public static Object[] objects(Object[] of) { return of; }
    public static Object same(Object o) { return o; }
    public interface Many {
        void nothing(long j, Object o);
        Object boxed(long j, int i);
        int unboxed(double d, Object i);
        String cast(Object o);
        long j(int i, long j); float f(float f); double d(double d, double e);
        char c(); Class type(); byte[] bytes(byte[] given);
        default int two() { return 2; }
    }
    public static abstract class Half { protected final int made; protected Half() { made = 4; }
        protected abstract int half(int i); public int call() { return 10 * half(made); } }
    public static String many(Many many) {
        many.nothing(1, null);
        return many.boxed(5, 6) + " " + many.unboxed(0, 7) + " " + many.cast("s") + " " + many.j(1, 8) + " "
            + many.f(0.5f) + " " + many.d(1, 1.5) + " " + (int) many.c() + " " + many.type() + " "
            + many.bytes(new byte[3]).length + " " + many.two();
    }
    public static String units(CharSequence text) {
        StringBuilder units = new StringBuilder().append(text.length());
        for (int i = 0; i < Math.min(20, text.length()); i++) units.append(' ').append((int) text.charAt(i));
        return units.toString();
    }
    public static Object fail(String how) throws Exception { throw new java.io.IOException(how); }
    public void nothing() { }
}
"#;

/// A folder with the compiled stand-ins, removed in the end.
struct Lab {
    folder: PathBuf,
    jdk: Jdk,
}

impl Lab {
    fn new() -> Lab {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("raddle-lower-{}-{number}", std::process::id()));
        let lab = Lab {
            folder,
            jdk: Jdk::locate(None).unwrap(),
        };
        let patch = lab.folder.join("base");
        let sources = lab.folder.join("sources");
        let patch_sources = sources.join("base");
        let write = |path: PathBuf, text: &str| {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            path
        };
        let hooks = write(patch_sources.join("java/lang/Raddle.java"), HOOKS_SOURCE);
        let plan = write(patch_sources.join("java/lang/RaddlePlan.java"), PLAN_SOURCE);
        lab.javac(&patch_sources, &patch, &[hooks, plan]);
        let driver = write(sources.join("Driver.java"), DRIVER_SOURCE);
        let probe = write(sources.join("Probe.java"), PROBE_SOURCE);
        lab.javac(&patch, &lab.folder.join("classes"), &[driver, probe]);
        lab
    }

    fn javac(&self, patch: &Path, out: &Path, sources: &[PathBuf]) {
        let output = Command::new(self.jdk.home().join("bin/javac"))
            .arg(format!("--patch-module=java.base={}", patch.display()))
            .args(["-proc:none", "-Xlint:none", "-d"])
            .arg(out)
            .args(sources)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }

    /// The notes of a run of all parts, one after the other.
    fn run(&self, json: &str) -> Vec<String> {
        self.run_plan(&TestPlan::from_json(json).unwrap())
    }

    fn run_plan(&self, plan: &TestPlan) -> Vec<String> {
        let lowered = lower(plan, "RaddlePlan$1").unwrap();
        assert_eq!(lowered.calls, plan.call_count());
        let classes = self.folder.join("classes");
        fs::write(classes.join("RaddlePlan$1.class"), &lowered.bytes).unwrap();
        for helper in &lowered.helpers {
            fs::write(
                classes.join(format!("{}.class", helper.class_name)),
                &helper.bytes,
            )
            .unwrap();
        }
        let output = Command::new(self.jdk.home().join("bin/java"))
            .arg(format!(
                "--patch-module=java.base={}",
                self.folder.join("base").display()
            ))
            .args(["-Xshare:auto", "-XX:TieredStopAtLevel=1", "-Xverify:all", "-cp"])
            .arg(&classes)
            .args(["Driver", &lowered.class_name])
            .args([lowered.threads.to_string(), lowered.vars.to_string()])
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        let notes = String::from_utf8_lossy(&output.stdout);
        notes.lines().map(str::to_owned).collect()
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        // What is left over lies in the system's folder for such things.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The notes of one call that returns.
fn returned(call: usize, value: &str) -> [String; 2] {
    [format!("begin {call}"), format!("returned {call} {value}")]
}

#[test]
fn parts_run_in_order_and_see_the_variables_of_the_prefix() {
    let notes = Lab::new().run(
        r#"{"raddle_plan": 1,
            "prefix": [
                {"let": "list", "invoke": "new", "member": "java.util.ArrayList.<init>()V"},
                {"invoke": "virtual", "on": "list", "member": "java.util.ArrayList.add(Ljava/lang/Object;)Z",
                 "args": [{"string": "a"}]}
            ],
            "threads": [
                [{"invoke": "interface", "on": "list", "member": "java.util.List.add(Ljava/lang/Object;)Z",
                  "args": [{"int": 7}]},
                 {"let": "old", "invoke": "virtual", "on": "list",
                  "member": "java.util.ArrayList.get(I)Ljava/lang/Object;", "args": [{"int": 9}]},
                 {"invoke": "virtual", "on": "old", "member": "java.lang.String.length()I"}],
                [],
                [{"let": "old", "invoke": "virtual", "on": "list", "member": "java.util.ArrayList.size()I"},
                 {"invoke": "virtual", "on": "list", "member": "java.util.ArrayList.remove(I)Ljava/lang/Object;",
                  "args": [{"int": 0}]},
                 {"invoke": "virtual", "on": "list", "member": "java.util.ArrayList.ensureCapacity(I)V",
                  "args": [{"var": "old"}]}]
            ],
            "after": [{"invoke": "virtual", "on": "list", "member": "java.lang.Object.toString()Ljava/lang/String;"}]
        }"#,
    );
    let mut expected = Vec::new();
    expected.extend(returned(0, "java.util.ArrayList []"));
    expected.extend(returned(1, "java.lang.Boolean true"));
    expected.extend(returned(2, "java.lang.Boolean true"));
    expected.extend([
        "begin 3".to_owned(),
        "threw 3 java.lang.IndexOutOfBoundsException".to_owned(),
    ]);
    expected.extend([
        "begin 4".to_owned(),
        "threw 4 java.lang.NullPointerException".to_owned(),
    ]);
    expected.extend(returned(5, "java.lang.Integer 2"));
    expected.extend(returned(6, "java.lang.String a"));
    expected.extend(returned(7, "null"));
    expected.extend(returned(8, "java.lang.String [7]"));
    expected.push("no part -2".to_owned());
    assert_eq!(notes, expected);
}

#[test]
fn constants_arrive_as_they_are_and_boxed() {
    let notes = Lab::new().run(
        r#"{"raddle_plan": 1, "threads": [[
            {"invoke": "static", "member": "p.Probe.all(ZBSCIJFD)Ljava/lang/String;", "args": [
                {"boolean": true}, {"byte": -128}, {"short": -32768}, {"char": 65535}, {"int": -2147483648},
                {"long": -9223372036854775808}, {"float": 2139095041}, {"double": 9223372036854775808}]},
            {"invoke": "static", "member": "p.Probe.boxed(Ljava/lang/Boolean;Ljava/lang/Byte;Ljava/lang/Number;Ljava/lang/Comparable;Ljava/lang/Object;Ljava/lang/Long;Ljava/io/Serializable;Ljava/lang/Double;)Ljava/lang/String;",
             "args": [
                {"boolean": false}, {"byte": 127}, {"short": 300}, {"char": 10}, {"int": 65536},
                {"long": 1}, {"float": 0}, {"double": 4607182418800017408}]},
            {"invoke": "static", "member": "p.Probe.units(Ljava/lang/CharSequence;)Ljava/lang/String;",
             "args": [{"string": "a\u0000\u00e9\u20ac\ud83d\ude00"}]},
            {"invoke": "static", "member": "p.Probe.units(Ljava/lang/CharSequence;)Ljava/lang/String;",
             "args": [{"utf16": [55296, 56320, 56320]}]},
            {"invoke": "static", "member": "p.Probe.z(Ljava/lang/Object;)Z", "args": ["null"]},
            {"invoke": "static", "member": "p.Probe.same(Ljava/lang/Object;)Ljava/lang/Object;",
             "args": [{"class": "p.Probe$Nested"}]},
            {"invoke": "static", "member": "p.Probe.same(Ljava/lang/Object;)Ljava/lang/Object;",
             "args": [{"class": "[Ljava.lang.String;"}]},
            {"invoke": "static", "member": "p.Probe.same(Ljava/lang/Object;)Ljava/lang/Object;",
             "args": [{"class": "void"}]},
            {"invoke": "static", "member": "p.Probe.same(Ljava/lang/Object;)Ljava/lang/Object;",
             "args": [{"class": "long"}]},
            {"invoke": "static", "member": "p.Probe.same(Ljava/lang/Object;)Ljava/lang/Object;",
             "args": [{"enum": {"class": "p.Probe$Colour", "constant": "GREEN"}}]},
            {"invoke": "static", "member": "p.Probe.ints([I)[I",
             "args": [{"array": {"element": "I", "of": [{"int": 1}, {"int": 0}, {"int": 70000}]}}]},
            {"invoke": "static", "member": "p.Probe.objects([Ljava/lang/Object;)[Ljava/lang/Object;",
             "args": [{"array": {"element": "[J", "of": [
                {"array": {"element": "J", "of": [{"long": 5}]}}, "null", {"array": {"element": "J", "of": []}}]}}]},
            {"invoke": "static", "member": "p.Probe.objects([Ljava/lang/Object;)[Ljava/lang/Object;",
             "args": [{"array": {"element": "Ljava/lang/Object;", "of": [
                {"int": 0}, {"string": "x"}, {"boolean": false}, {"array": {"element": "Z", "of": [{"boolean": true}]}}]}}]}
        ]]}"#,
    );
    let values = [
        "java.lang.String true -128 -32768 65535 -2147483648 -9223372036854775808 7f800001 8000000000000000",
        "java.lang.String false 127 class java.lang.Short class java.lang.Character class java.lang.Integer 1 \
         class java.lang.Float 1.0",
        "java.lang.String 6 97 0 233 8364 55357 56832",
        "java.lang.String 3 55296 56320 56320",
        "java.lang.Boolean true",
        "java.lang.Class class p.Probe$Nested",
        "java.lang.Class class [Ljava.lang.String;",
        "java.lang.Class void",
        "java.lang.Class long",
        "p.Probe$Colour$1 GREEN",
        "[I [1, 0, 70000]",
        "[[J [[5], null, []]",
        "[Ljava.lang.Object; [0, x, false, [true]]",
    ];
    let mut expected: Vec<_> = values
        .iter()
        .enumerate()
        .flat_map(|(call, value)| returned(call, value))
        .collect();
    expected.push("no part -2".to_owned());
    assert_eq!(notes, expected);
}

#[test]
fn results_are_boxed_and_unboxed_again() {
    let letters = ["b", "s", "c", "i", "j", "f", "d"];
    let calls = letters.map(|letter| {
        let descriptor = letter.to_uppercase();
        format!(r#"{{"let": "{letter}", "invoke": "static", "member": "p.Probe.{letter}(){descriptor}"}}"#)
    });
    let notes = Lab::new().run(&format!(
        r#"{{"raddle_plan": 1, "prefix": [
            {{"let": "z", "invoke": "static", "member": "p.Probe.z(Ljava/lang/Object;)Z", "args": ["null"]}}, {},
            {{"let": "o", "invoke": "static", "member": "p.Probe.same(Ljava/lang/Object;)Ljava/lang/Object;",
              "args": [{{"var": "i"}}]}}],
        "threads": [[
            {{"invoke": "static", "member": "p.Probe.all(ZBSCIJFD)Ljava/lang/String;", "args": [
                {{"var": "z"}}, {{"var": "b"}}, {{"var": "s"}}, {{"var": "c"}}, {{"var": "o"}}, {{"var": "j"}},
                {{"var": "f"}}, {{"var": "d"}}]}},
            {{"let": "n", "invoke": "new", "member": "p.Probe$Nested.<init>(I)V", "args": [{{"var": "i"}}]}},
            {{"invoke": "interface", "on": "n", "member": "p.Probe$Face.twice(I)I", "args": [{{"int": 2}}]}},
            {{"invoke": "virtual", "on": "n", "member": "p.Probe.nothing()V"}},
            {{"invoke": "interface-static", "member": "p.Probe$Face.face(I)Ljava/lang/String;", "args": [{{"int": 4}}]}},
            {{"invoke": "virtual", "on": "o", "member": "java.lang.String.length()I"}},
            {{"invoke": "static", "member": "p.Probe.fail(Ljava/lang/String;)Ljava/lang/Object;",
              "args": [{{"string": "no"}}]}},
            {{"invoke": "static", "member": "p.Missing.gone()V"}}
        ]]}}"#,
        calls.join(", ")
    ));
    let notes: Vec<_> = notes
        .iter()
        .filter(|note| !note.starts_with("begin") && !note.contains("Nested"))
        .collect();
    let expected = [
        "returned 0 java.lang.Boolean true",
        "returned 1 java.lang.Byte -1",
        "returned 2 java.lang.Short -2",
        "returned 3 java.lang.Character c",
        "returned 4 java.lang.Integer -3",
        "returned 5 java.lang.Long -4",
        "returned 6 java.lang.Float 80000000",
        "returned 7 java.lang.Double 7ff8000000000000",
        "returned 8 java.lang.Integer -3",
        "returned 9 java.lang.String true -1 -2 99 -3 -4 80000000 7ff8000000000000",
        "returned 11 java.lang.Integer -6",
        "returned 12 null",
        "returned 13 java.lang.String face 4",
        "threw 14 java.lang.ClassCastException",
        "threw 15 java.io.IOException",
        "threw 16 java.lang.NoClassDefFoundError",
        "no part -2",
    ];
    assert_eq!(notes, expected);
}

#[test]
fn objects_of_written_classes_fold_and_make() {
    let notes = Lab::new().run(
        r#"{"raddle_plan": 1,
        "prefix": [
            {"let": "sum", "invoke": "implement", "member": "java.util.function.LongBinaryOperator.<init>()V",
             "methods": [{"name": "applyAsLong", "descriptor": "(JJ)J", "returns": {"sum": [0, 1]}}]},
            {"let": "larger", "invoke": "implement", "member": "java.util.function.DoubleBinaryOperator.<init>()V",
             "methods": [{"name": "applyAsDouble", "descriptor": "(DD)D", "returns": {"larger": [0, 1]}}]},
            {"let": "made", "invoke": "implement", "member": "java.util.function.Supplier.<init>()V",
             "methods": [{"name": "get", "descriptor": "()Ljava/lang/Object;",
                          "returns": {"made": {"invoke": "interface-static",
                                               "member": "java.util.List.of()Ljava/util/List;"}}}]}
        ],
        "threads": [[
            {"invoke": "interface", "on": "sum", "member": "java.util.function.LongBinaryOperator.applyAsLong(JJ)J",
             "args": [{"long": 3}, {"long": 4}]},
            {"invoke": "interface", "on": "larger",
             "member": "java.util.function.DoubleBinaryOperator.applyAsDouble(DD)D",
             "args": [{"double": 4607182418800017408}, {"double": 0}]},
            {"let": "list", "invoke": "interface", "on": "made",
             "member": "java.util.function.Supplier.get()Ljava/lang/Object;"},
            {"invoke": "interface", "on": "list", "member": "java.util.List.size()I"}
        ]]}"#,
    );
    let notes: Vec<_> = notes.iter().filter(|note| note.starts_with("returned")).collect();
    assert_eq!(notes[3], "returned 3 java.lang.Long 7");
    assert_eq!(notes[4], "returned 4 java.lang.Double 3ff0000000000000");
    assert_eq!(notes[6], "returned 6 java.lang.Integer 0");
}

#[test]
fn objects_of_written_classes_give_and_call_what_they_hold() {
    let json = r#"{"raddle_plan": 1,
        "prefix": [
            {"let": "list", "invoke": "new", "member": "java.util.ArrayList.<init>()V"},
            {"let": "order", "invoke": "constant",
             "member": "java.lang.String.CASE_INSENSITIVE_ORDER()Ljava/util/Comparator;"},
            {"let": "f", "invoke": "implement", "member": "java.util.function.Supplier.<init>()V",
             "args": [{"var": "order"}, {"var": "list"}],
             "methods": [{"name": "get", "descriptor": "()Ljava/lang/Object;", "returns": {"held": 0},
                          "does": {"on": 1, "invoke": "virtual",
                                   "member": "java.util.ArrayList.add(Ljava/lang/Object;)Z",
                                   "args": [{"string": "x"}]}}]}
        ],
        "threads": [
            [{"let": "got", "invoke": "interface", "on": "f", "member": "java.util.function.Supplier.get()Ljava/lang/Object;"},
             {"invoke": "static", "member": "java.util.Objects.equals(Ljava/lang/Object;Ljava/lang/Object;)Z",
              "args": [{"var": "got"}, {"var": "order"}]},
             {"invoke": "virtual", "on": "list", "member": "java.util.ArrayList.size()I"}]
        ]}"#;
    let notes = Lab::new().run(json);
    let notes: Vec<_> = notes.iter().filter(|note| !note.starts_with("begin")).collect();
    assert_eq!(
        notes[4..],
        [
            "returned 4 java.lang.Boolean true",
            "returned 5 java.lang.Integer 1",
            "no part -2"
        ]
    );
}

#[test]
fn objects_of_written_classes_do_what_the_plan_says() {
    let json = r#"{"raddle_plan": 1,
        "prefix": [
            {"let": "map", "invoke": "new", "member": "java.util.HashMap.<init>()V"},
            {"let": "f", "invoke": "implement", "member": "java.util.function.BiFunction.<init>()V",
             "methods": [{"name": "apply", "descriptor": "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
                          "returns": {"parameter": 1}}]},
            {"let": "many", "invoke": "implement", "member": "p.Probe$Many.<init>()V", "methods": [
                {"name": "nothing", "descriptor": "(JLjava/lang/Object;)V"},
                {"name": "boxed", "descriptor": "(JI)Ljava/lang/Object;", "returns": {"parameter": 1}},
                {"name": "unboxed", "descriptor": "(DLjava/lang/Object;)I", "returns": {"parameter": 1}},
                {"name": "cast", "descriptor": "(Ljava/lang/Object;)Ljava/lang/String;", "returns": {"parameter": 0}},
                {"name": "j", "descriptor": "(IJ)J", "returns": {"increment": 1}},
                {"name": "f", "descriptor": "(F)F", "returns": {"increment": 0}},
                {"name": "d", "descriptor": "(DD)D", "returns": {"increment": 1}},
                {"name": "c", "descriptor": "()C"},
                {"name": "type", "descriptor": "()Ljava/lang/Class;", "returns": {"value": {"class": "int"}}},
                {"name": "bytes", "descriptor": "([B)[B", "returns": {"parameter": 0}}]},
            {"let": "half", "invoke": "extend", "member": "p.Probe$Half.<init>()V", "methods": [
                {"name": "half", "descriptor": "(I)I", "returns": {"increment": 0}}]}
        ],
        "threads": [
            [{"invoke": "interface", "on": "map",
              "member": "java.util.Map.merge(Ljava/lang/Object;Ljava/lang/Object;Ljava/util/function/BiFunction;)Ljava/lang/Object;",
              "args": [{"string": "k"}, {"int": 1}, {"var": "f"}]},
             {"invoke": "interface", "on": "map",
              "member": "java.util.Map.merge(Ljava/lang/Object;Ljava/lang/Object;Ljava/util/function/BiFunction;)Ljava/lang/Object;",
              "args": [{"string": "k"}, {"int": 2}, {"var": "f"}]},
             {"invoke": "static", "member": "p.Probe.many(Lp/Probe$Many;)Ljava/lang/String;", "args": [{"var": "many"}]},
             {"invoke": "virtual", "on": "half", "member": "p.Probe$Half.call()I"}]
        ]}"#;
    let notes = Lab::new().run(json);
    let notes: Vec<_> = notes.iter().filter(|note| !note.starts_with("begin")).collect();
    assert!(
        notes[1].starts_with("returned 1 RaddlePlan$Made1 RaddlePlan$Made1@"),
        "{notes:?}"
    );
    assert_eq!(
        notes[4..],
        [
            "returned 4 java.lang.Integer 1",
            "returned 5 java.lang.Integer 2",
            "returned 6 java.lang.String 6 7 s 9 1.5 2.5 0 int 3 2",
            "returned 7 java.lang.Integer 50",
            "no part -2",
        ]
    );
    let plan = TestPlan::from_json(json).unwrap();
    let names = |class: &str| {
        let helpers = lower(&plan, class).unwrap().helpers;
        helpers
            .into_iter()
            .map(|helper| helper.class_name)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names("RaddlePlan$1"),
        names("RaddlePlan$2"),
        "the same plan makes objects of the same classes"
    );
}

#[test]
fn a_throwing_prefix_ends_there() {
    let notes = Lab::new().run(
        r#"{"raddle_plan": 1, "prefix": [
            {"invoke": "static", "member": "p.Probe.fail(Ljava/lang/String;)Ljava/lang/Object;", "args": ["null"]},
            {"invoke": "static", "member": "p.Probe.i()I"}], "threads": [[]]}"#,
    );
    assert_eq!(
        notes,
        [
            "begin 0",
            "threw 0 java.io.IOException",
            "ended by java.io.IOException",
            "no part -2"
        ]
    );
}

#[test]
fn huge_plans_are_split_into_methods() {
    let call: Call = serde_json::from_str(
        r#"{"invoke": "static", "member": "p.Probe.z(Ljava/lang/Object;)Z", "args": [{"string": "x"}]}"#,
    )
    .unwrap();
    let mut long = call.clone();
    long.member = "p.Probe.units(Ljava/lang/CharSequence;)Ljava/lang/String;"
        .to_owned()
        .try_into()
        .unwrap();
    long.args = vec![raddle_plan::Argument::String("\u{20ac}".repeat(100_000))];
    let mut plan = TestPlan {
        raddle_plan: raddle_plan::PLAN_VERSION,
        package: None,
        name: String::new(),
        prefix: vec![call; 20_000],
        threads: vec![Vec::new(); 250],
        after: vec![long],
        uninitialised: Vec::new(),
    };
    plan.threads[249] = vec![plan.prefix[0].clone()];
    let notes = Lab::new().run_plan(&plan);
    assert_eq!(notes.len(), 2 * 20_002 + 1);
    assert_eq!(notes[39_999], "returned 19999 java.lang.Boolean false");
    assert_eq!(notes[40_001], "returned 20000 java.lang.Boolean false");
    assert!(
        notes[40_003].starts_with("returned 20001 java.lang.String 100000 8364"),
        "{}",
        notes[40_003]
    );
}

#[test]
fn what_no_class_file_can_hold_is_an_error() {
    let plan = |element: &str, item: &str, count: usize| {
        let items = vec![item; count].join(", ");
        TestPlan::from_json(&format!(
            r#"{{"raddle_plan": 1, "threads": [[{{"invoke": "static", "member": "p.Probe.same(Ljava/lang/Object;)Ljava/lang/Object;",
                "args": [{{"array": {{"element": "{element}", "of": [{items}]}}}}]}}]]}}"#
        ))
        .unwrap()
    };
    let error = lower(&plan("I", r#"{"int": 1}"#, 20_000), "Plan").unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the plan cannot be made into a class: the code of method thread1 has "),
        "{error}"
    );
    assert!(lower(&plan("I", r#"{"int": 0}"#, 20_000), "Plan").is_ok());
    let mut wrong = plan("I", r#"{"int": 0}"#, 1);
    wrong.threads[0][0].args.clear();
    assert!(matches!(lower(&wrong, "Plan"), Err(LowerError::Plan(_))));
}
