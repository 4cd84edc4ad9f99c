//! The paper's own examples, and the rules that [`super`] lists.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use raddle_classpath::{ClassPath, Jdk};
use raddle_program::Program;

use super::PaperAnalyzer;
use crate::facts::{AccessKind, ClassFacts, MethodFacts, PairFacts};

/// A directory of compiled classes that goes away with the test.
struct Compiled(PathBuf);

impl Drop for Compiled {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Compiles one source file; all its classes are in the unnamed package.
fn compile(source: &str) -> Compiled {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let directory = std::env::temp_dir().join(format!("raddle-paper-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let compiled = Compiled(directory);
    let file = compiled.0.join("A.java");
    std::fs::write(&file, source).unwrap();
    let javac = std::env::var_os("JAVA_HOME")
        .map(|home| Path::new(&home).join("bin/javac"))
        .filter(|javac| javac.exists())
        .unwrap_or_else(|| PathBuf::from("javac"));
    let output = Command::new(javac)
        .args(["-g", "-nowarn", "-d"])
        .arg(&compiled.0)
        .arg(&file)
        .output()
        .expect("these tests need a JDK: set JAVA_HOME or put javac on the PATH");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    compiled
}

fn program(compiled: &Compiled) -> Program {
    let jdk = Jdk::locate(None).unwrap();
    let class_path = ClassPath::open(std::slice::from_ref(&compiled.0), jdk.feature()).unwrap();
    Program::new(jdk, class_path)
}

/// The facts about the class `A` of a source.
fn analyze(source: &str) -> ClassFacts {
    let compiled = compile(source);
    let program = program(&compiled);
    PaperAnalyzer::new(&program).analyze(program.find_class("A").unwrap())
}

fn position(facts: &ClassFacts, name: &str) -> usize {
    facts
        .methods
        .iter()
        .position(|method| method.signature.starts_with(&format!("{name}(")))
        .unwrap()
}

fn method<'f>(facts: &'f ClassFacts, name: &str) -> &'f MethodFacts {
    &facts.methods[position(facts, name)]
}

fn pair<'f>(facts: &'f ClassFacts, left: &str, right: &str) -> Option<&'f PairFacts> {
    let (left, right) = (position(facts, left), position(facts, right));
    facts
        .pairs
        .iter()
        .find(|pair| pair.first == left.min(right) && pair.second == left.max(right))
}

fn conflict(facts: &ClassFacts, left: &str, right: &str) -> bool {
    pair(facts, left, right).is_some_and(|pair| pair.conflict.is_some())
}

fn parallel(facts: &ClassFacts, left: &str, right: &str) -> bool {
    pair(facts, left, right).is_some_and(|pair| pair.parallel)
}

fn crossing(facts: &ClassFacts, left: &str, right: &str) -> bool {
    pair(facts, left, right).is_some_and(|pair| pair.double_lock.is_some())
}

/// AS(m) as `R(this.a) W(this.b)`, in order of location.
fn accesses(facts: &ClassFacts, name: &str) -> String {
    let letter = |kind| if kind == AccessKind::Read { "R" } else { "W" };
    let accesses = method(facts, name).accesses.iter();
    let texts: Vec<String> = accesses
        .map(|access| format!("{}({})", letter(access.kind), access.location))
        .collect();
    texts.join(" ")
}

fn locks(facts: &ClassFacts, name: &str) -> String {
    method(facts, name).locks.join(" ")
}

/// DS(m) as `<this, o>`.
fn double_locks(facts: &ClassFacts, name: &str) -> String {
    let pairs = method(facts, name).double_locks.iter();
    let texts: Vec<String> = pairs
        .map(|pair| format!("<{}, {}>", pair.first, pair.second))
        .collect();
    texts.join(" ")
}

const FIGURE_1: &str = r#"
import java.io.*;

public class A extends FilterInputStream {
    byte[] buf = new byte[8];
    int count, pos, markpos, marklimit;

    A(InputStream in) { super(in); }

    private void ensureOpen() throws IOException {
        if (in == null) throw new IOException("Stream closed");
    }

    private void fill() throws IOException { pos = 0; count = 0; }

    public synchronized void mark(int readlimit) { marklimit = readlimit; markpos = pos; }

    public synchronized int available() throws IOException {
        ensureOpen();
        return (count - pos) + in.available();
    }

    public synchronized int read() throws IOException {
        ensureOpen();
        if (pos >= count) {
            fill();
            if (pos >= count) return -1;
        }
        return buf[pos++] & 0xff;
    }

    public void close() throws IOException {
        if (in == null) return;
        in.close();
        in = null;
        buf = null;
    }
}
"#;

#[test]
fn figure_1_has_the_summaries_of_section_4() {
    let facts = analyze(FIGURE_1);
    assert_eq!(
        accesses(&facts, "mark"),
        "W(this.marklimit) W(this.markpos) R(this.pos)"
    );
    assert_eq!(locks(&facts, "mark"), "this");
    assert_eq!(locks(&facts, "close"), "");
    let opened = method(&facts, "read")
        .accesses
        .iter()
        .find(|access| access.location == "this.in")
        .unwrap();
    assert!(opened.place.method.starts_with("ensureOpen"));
    assert!(opened.via.as_ref().unwrap().method.starts_with("read"));
}

#[test]
fn figure_5_keeps_only_the_fourth_test() {
    let facts = analyze(FIGURE_1);
    let verdict = |left, right| (parallel(&facts, left, right), conflict(&facts, left, right));
    assert_eq!(verdict("available", "available"), (false, false));
    assert_eq!(verdict("read", "mark"), (false, true));
    assert_eq!(verdict("close", "mark"), (true, false));
    assert_eq!(verdict("close", "read"), (true, true));
    assert!(pair(&facts, "close", "read").unwrap().mpc);
}

#[test]
fn figure_3_takes_the_lock_of_its_argument() {
    let facts = analyze(
        "import java.util.*;
         public class A<K, V> extends AbstractMap<K, V> implements Map<K, V> {
             int count;
             public Set<Map.Entry<K, V>> entrySet() { return null; }
             public synchronized int size() { return count; }
             public synchronized boolean equals(final Object o) {
                 if (o == this) { return true; }
                 if (!(o instanceof Map)) { return false; }
                 final Map<K, V> t = (Map<K, V>) o;
                 if (t.size() != size()) { return false; }
                 return true;
             }
         }",
    );
    assert_eq!(double_locks(&facts, "equals"), "<this, o>");
    assert_eq!(double_locks(&facts, "size"), "");
    assert!(crossing(&facts, "equals", "equals"));
    assert!(!crossing(&facts, "equals", "size"));
    let nested = &method(&facts, "equals").double_locks[0];
    assert!(nested.first_place.method.starts_with("equals"));
    assert!(nested.second_place.method.starts_with("size"));
}

#[test]
fn an_early_release_does_not_count() {
    let facts = analyze(
        "public class A {
             int x, y;
             public int whole(boolean b) { synchronized (this) { if (b) return x; y = 1; return y; } }
             public int part(boolean b) { synchronized (this) { if (b) return x; y = 1; } return x; }
             public int forever(boolean b) { synchronized (this) { while (true) { if (b) return x; y++; } } }
             public int branch(boolean b) { if (b) { synchronized (this) { return x; } } return y; }
             public void nested(boolean b, Object o) {
                 synchronized (this) { if (b) return; synchronized (o) { if (x == 0) return; y = 1; } }
             }
             public void inTurn(boolean b, Object o) {
                 synchronized (this) { if (b) return; x = 1; }
                 synchronized (o) { y = 1; }
             }
         }",
    );
    assert_eq!(locks(&facts, "whole"), "this");
    assert_eq!(locks(&facts, "part"), "");
    assert_eq!(locks(&facts, "forever"), "this");
    assert_eq!(locks(&facts, "branch"), "");
    assert_eq!(double_locks(&facts, "nested"), "<this, o>");
    assert_eq!(double_locks(&facts, "inTurn"), "");
}

#[test]
fn a_lock_taken_again_is_held_until_its_outermost_release() {
    let facts = analyze(
        "public class A {
             int x;
             public synchronized void inner() { x++; }
             public synchronized void outer(Object o) { inner(); synchronized (this) { x++; } synchronized (o) { x++; } }
         }",
    );
    assert_eq!(double_locks(&facts, "outer"), "<this, o>");
    assert_eq!(double_locks(&facts, "inner"), "");
    assert!(crossing(&facts, "outer", "outer"));
}

#[test]
fn a_recursion_ends_but_its_call_takes_the_lock() {
    let facts = analyze(
        "public class A {
             int a, b; A next;
             public void walk(A n) { synchronized (n) { a++; walk(n.next); } }
             public synchronized void other(A n) { n.other(this); }
             public void even(int n) { a = n; odd(n - 1); }
             public void odd(int n) { b = n; even(n - 1); }
             public synchronized int hashCode() { return next.hashCode() + key.hashCode(); }
             Object key;
         }",
    );
    assert_eq!(double_locks(&facts, "walk"), "");
    assert_eq!(double_locks(&facts, "other"), "<this, n>");
    assert_eq!(
        double_locks(&facts, "hashCode"),
        "<this, this.key> <this, this.next>"
    );
    assert_eq!(accesses(&facts, "even"), "W(this.a) W(this.b)");
    assert_eq!(accesses(&facts, "odd"), "W(this.a) W(this.b)");
}

#[test]
fn a_deep_chain_of_calls_is_followed_without_deep_recursion() {
    let links: Vec<String> = (0..3000)
        .map(|n| format!("void m{n}() {{ x = {n}; m{}(); }}", n + 1))
        .collect();
    let chain = links.join("\n");
    let facts = analyze(&format!(
        "public class A {{
             int x, last;
             {chain} void m3000() {{ last = 1; }}
             public void start() {{ m0(); }}
             public int end() {{ return last; }}
         }}"
    ));
    assert_eq!(accesses(&facts, "start"), "W(this.last) W(this.x)");
    assert!(conflict(&facts, "start", "end"));
}

#[test]
fn an_impure_callee_writes_its_arguments() {
    let facts = analyze(
        "import java.util.*;
         public class A {
             HashMap<String, String> map = new HashMap<>(); List<String> list; int[] cells = new int[4];
             static final StringBuilder LOG = new StringBuilder();
             public void put() { map.put(null, null); }
             public int size() { return map.size(); }
             public void add() { list.add(null); }
             public void log() { LOG.append(1); }
             public void give() { Objects.requireNonNull(this); new Holder(this); }
             public void copy(int[] from) { System.arraycopy(from, 0, cells, 0, 1); }
             public int first() { return cells[0]; }
             static class Holder { final A a; Holder(A a) { this.a = a; } }
         }",
    );
    assert_eq!(accesses(&facts, "put"), "R(this.map) W(this.map.*)");
    assert_eq!(accesses(&facts, "size"), "R(this.map)");
    assert!(conflict(&facts, "put", "size"));
    assert!(!conflict(&facts, "size", "size"));
    assert_eq!(accesses(&facts, "add"), "R(this.list)");
    assert_eq!(accesses(&facts, "log"), "R(A.LOG) W(A.LOG.*)");
    assert_eq!(accesses(&facts, "give"), "W(this)");
    assert_eq!(accesses(&facts, "copy"), "R(this.cells) W(this.cells[])");
    assert!(conflict(&facts, "copy", "first"));
}

#[test]
fn a_conflict_needs_a_read() {
    let facts = analyze(
        "public class A {
             int x;
             public void set(int v) { x = v; }
             public int get() { return x; }
         }",
    );
    assert!(!conflict(&facts, "set", "set"));
    assert!(conflict(&facts, "set", "get"));
    assert_eq!(
        (
            facts.counts.m,
            facts.counts.mpc,
            facts.counts.md,
            facts.counts.union
        ),
        (3, 1, 0, 1)
    );
}

#[test]
fn local_variables_alias_fields_and_the_last_assignment_wins() {
    let facts = analyze(
        "public class A {
             Object field = new Object(); Node first; static class Node { Node next; int value; }
             public void m1(Object p) { Object o1 = this.field; synchronized (p) { synchronized (o1) { first = null; } } }
             public void m2(boolean b) { Node n = first; if (b) { n = new Node(); } n.value = 1; }
             public void m3(boolean b) { Node n = new Node(); if (b) { n = first; } n.value = 1; }
             public void m4(boolean b) { (b ? new Node() : first).next.value = 1; }
         }",
    );
    assert_eq!(double_locks(&facts, "m1"), "<p, this.field>");
    assert_eq!(accesses(&facts, "m2"), "R(this.first)");
    assert_eq!(accesses(&facts, "m3"), "R(this.first) W(this.first.value)");
    assert_eq!(
        accesses(&facts, "m4"),
        "R(this.first) R(this.first.next) W(this.first.next.value)"
    );
}

#[test]
fn locks_cross_when_their_classes_are_related() {
    let facts = analyze(
        "public class A {
             static final Object S = new Object(); int x;
             public synchronized void string(String s) { synchronized (s) { } }
             public synchronized void object(Object o) { synchronized (o) { } }
             public synchronized void type() { synchronized (A.class) { x++; } }
             public void reversed() { synchronized (A.class) { synchronized (this) { x++; } } }
             public static synchronized void statics() { synchronized (S) { } }
         }",
    );
    assert!(!crossing(&facts, "string", "string"));
    assert!(crossing(&facts, "object", "object"));
    assert!(crossing(&facts, "type", "reversed"));
    assert!(!crossing(&facts, "type", "type"));
    assert_eq!(locks(&facts, "type"), "A.class this");
    assert_eq!(double_locks(&facts, "statics"), "<A.class, A.S>");
    assert!(!parallel(&facts, "statics", "reversed"));
}

#[test]
fn a_parameter_is_the_same_lock_in_its_own_method_only() {
    let facts = analyze(
        "public class A {
             int x;
             public void left(Object o) { synchronized (o) { x++; } }
             public void right(Object o) { synchronized (o) { x++; } }
         }",
    );
    assert_eq!(locks(&facts, "left"), "o");
    assert!(!parallel(&facts, "left", "left"));
    assert!(parallel(&facts, "left", "right"));
}

#[test]
fn a_missing_class_is_named_and_its_methods_are_impure() {
    let compiled = compile(
        "public class A { Gone gone; public void run() { gone.touch(1); } }
         class Gone { void touch(int n) { } }",
    );
    std::fs::remove_file(compiled.0.join("Gone.class")).unwrap();
    let program = program(&compiled);
    let facts = PaperAnalyzer::new(&program).analyze(program.class_id("A"));
    assert_eq!(facts.missing, ["Gone"]);
    assert_eq!(accesses(&facts, "run"), "R(this.gone) W(this.gone.*)");
    let unknown = &method(&facts, "run").unknown_calls[0];
    assert_eq!(
        (unknown.callee.as_str(), unknown.reason.as_str()),
        ("Gone.touch(int)", "class Gone could not be loaded")
    );
}

#[test]
fn code_that_cannot_be_read_gives_an_empty_summary_and_a_reason() {
    let compiled =
        compile("public class A { int x; public synchronized int bad() { x = 1; return 12345; } }");
    let file = compiled.0.join("A.class");
    let mut bytes = std::fs::read(&file).unwrap();
    let sipush_and_return = [0x11, 0x30, 0x39, 0xac];
    let at = bytes
        .windows(4)
        .position(|window| window == sipush_and_return)
        .unwrap();
    bytes[at] = 0xfe;
    std::fs::write(&file, bytes).unwrap();
    let program = program(&compiled);
    let facts = PaperAnalyzer::new(&program).analyze(program.class_id("A"));
    let bad = method(&facts, "bad");
    assert!(bad.accesses.is_empty() && bad.locks.is_empty() && bad.double_locks.is_empty());
    assert_eq!(bad.unknown_calls.len(), 1);
    assert_eq!(bad.unknown_calls[0].callee, "A.bad()");
}

#[test]
fn a_class_that_does_not_exist_has_no_methods() {
    let compiled = compile("class B { }");
    let program = program(&compiled);
    let facts = PaperAnalyzer::new(&program).analyze(program.class_id("A"));
    assert!(facts.methods.is_empty() && facts.pairs.is_empty());
    assert_eq!(facts.missing, ["A"]);
}

#[test]
fn threads_share_one_analysis_and_agree() {
    fn shared<T: Send + Sync>(_: &T) {}
    let compiled = compile("class B { }");
    let program = program(&compiled);
    let names = [
        "java.util.Vector",
        "java.util.Hashtable",
        "java.lang.StringBuffer",
        "java.util.Properties",
    ];
    let print = |facts: &ClassFacts| format!("{facts:?}");
    let alone: Vec<String> = names
        .iter()
        .map(|name| print(&PaperAnalyzer::new(&program).analyze(program.find_class(name).unwrap())))
        .collect();
    let analysis = PaperAnalyzer::new(&program);
    shared(&analysis);
    let together: BTreeSet<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = names
            .iter()
            .map(|name| scope.spawn(|| print(&analysis.analyze(program.find_class(name).unwrap()))))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(together, alone.into_iter().collect());
}
