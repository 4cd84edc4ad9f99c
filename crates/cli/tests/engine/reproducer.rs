//! What `raddle run` records happens again on a JVM without this program, and does not happen in corrected classes.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use raddle_classpath::Jdk;
use raddle_execute::{ExploreOptions, Session, SessionOptions, StockOptions, StockVerdict, run_reproducer};
use raddle_oracle::{Baseline, Judgement, Violation, judge};
use raddle_plan::{Recording, TestPlan};
use raddle_reproduce::{REPRODUCER_NAME, ReproducerInput, helper_file, junit_test, reproducer};
use raddle_schedule::Config;
use raddle_testkit::{compile, engine_classes, engine_fixtures, engine_root};

#[cfg(feature = "full-tests")]
use crate::junit::{fails_with, passes_with};

/// A violation that was found, with all that is known of it.
pub(crate) struct Found {
    recording: Recording,
    events: Vec<raddle_plan::Event>,
    violation: Violation,
    pub(crate) jdk: PathBuf,
}

impl Found {
    /// The first violation of a plan.
    pub(crate) fn new(plan: &TestPlan, class_path: &[PathBuf]) -> Found {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("plan.json");
        fs::write(&file, plan.to_json().unwrap()).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        command.arg("run").arg(&file).args(["--schedules", "500"]);
        for entry in class_path {
            command.arg("-cp").arg(entry);
        }
        let output = command.current_dir(folder.path()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let recorded = fs::read_dir(folder.path().join("raddle-out"))
            .unwrap_or_else(|_| panic!("{said}"))
            .map(|entry| entry.unwrap().path())
            .min()
            .unwrap_or_else(|| panic!("{said}"));
        let recording = Recording::read(&recorded).unwrap();
        let jdk = Jdk::locate(None).unwrap().home().to_owned();
        let mut options = SessionOptions::new(jdk.clone()).unwrap();
        options.program = env!("CARGO_BIN_EXE_raddle").into();
        options.class_path.clone_from(&recording.class_path);
        let mut session = Session::open(options).unwrap();
        let mut explore = ExploreOptions::new(Config::Random, 1);
        explore.schedules = Some(1);
        let exploration = session.explore(plan, &explore, &mut |_| {}).unwrap();
        let baseline = Baseline::new(exploration.baseline).of_plan(plan);
        let Judgement::Violation(violation) = judge(&baseline, &recording.outcome) else {
            panic!("{} shows nothing", recorded.display());
        };
        let replayed = session.replay(&recording).unwrap();
        assert_eq!(
            replayed.outcome.digest,
            recording.outcome.digest,
            "{}",
            recorded.display()
        );
        Found {
            recording,
            events: replayed.events,
            violation,
            jdk,
        }
    }

    /// Of a class in `fixtures/engine`.
    pub(crate) fn in_class(verdict: &'static str, name: &str) -> Found {
        let fixtures = engine_fixtures(verdict).unwrap();
        let fixture = fixtures.iter().find(|fixture| fixture.name == name).unwrap();
        let classes = engine_classes().unwrap().classes().to_owned();
        Found::new(&fixture.plan().unwrap(), &[classes])
    }

    /// Of a plan in `fixtures/engine/plans`.
    fn in_plan(name: &str) -> Found {
        Found::new(&plan("deadlock", name), &[])
    }

    pub(crate) fn input(&self) -> ReproducerInput<'_> {
        ReproducerInput {
            plan: &self.recording.plan,
            outcome: &self.recording.outcome,
            events: &self.events,
            violation: &self.violation,
            class_name: &self.recording.plan.prefix[0].member.class,
            id: "found-0badcafe",
            allowed: None,
            told: "",
        }
    }

    fn run(&self, input: &ReproducerInput<'_>, class_path: &[PathBuf]) -> StockVerdict {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(format!("{REPRODUCER_NAME}.java"));
        fs::write(&file, reproducer(input)).unwrap();
        let options = StockOptions {
            cage: Some(env!("CARGO_BIN_EXE_raddle").into()),
            jdk_home: self.jdk.clone(),
            class_path: class_path.to_owned(),
            readable: Vec::new(),
            opens: Vec::new(),
            limit: StockOptions::limit_for(Duration::from_mins(1)),
        };
        run_reproducer(&options, &file, &AtomicBool::new(false))
    }

    #[track_caller]
    fn is_confirmed(&self) {
        let verdict = self.run(&self.input(), &self.recording.class_path);
        assert_eq!(verdict, StockVerdict::Confirmed, "{}", reproducer(&self.input()));
    }

    /// With a class of the same name in place of the one that is wrong.
    #[track_caller]
    fn is_not_confirmed_with(&self, source: &str) {
        let name = format!("{}.java", self.input().class_name);
        let compiled = compile(&[(&name, source)]).unwrap();
        let verdict = self.run(&self.input(), &[compiled.classes().to_owned()]);
        assert!(matches!(verdict, StockVerdict::NotConfirmed(_)), "{verdict:?}");
    }
}

fn plan(folder: &str, name: &str) -> TestPlan {
    let file = engine_root()
        .join("plans")
        .join(folder)
        .join(format!("{name}.json"));
    TestPlan::read(&file).unwrap()
}

/// The source of a class that is right, under the name of one that is wrong.
pub(crate) fn renamed(right: &str, wrong: &str) -> String {
    let source = fs::read_to_string(engine_root().join(format!("clean/{right}.java"))).unwrap();
    source.replace(right, wrong)
}

#[cfg(feature = "full-tests")]
#[test]
fn a_deadlock_of_hashtable_equals() {
    let found = Found::in_plan("hashtable-equals");
    found.is_confirmed();
    let twin = plan("clean", "hashtable-equals-one-way");
    let input = ReproducerInput {
        plan: &twin,
        ..found.input()
    };
    let verdict = found.run(&input, &[]);
    assert!(matches!(verdict, StockVerdict::NotConfirmed(_)), "{verdict:?}");
}

#[cfg(feature = "full-tests")]
#[test]
fn a_deadlock_of_hashtable_hash_code() {
    Found::in_plan("hashtable-hashcode").is_confirmed();
}

#[cfg(feature = "full-tests")]
#[test]
fn a_deadlock_of_string_buffer() {
    Found::in_plan("stringbuffer-append").is_confirmed();
}

#[cfg(feature = "full-tests")]
#[test]
fn a_deadlock_of_vector() {
    Found::in_plan("vector-equals").is_confirmed();
}

#[test]
fn a_deadlock_of_locks_that_are_objects() {
    let found = Found::in_class("deadlock", "LocksCrosswise");
    found.is_confirmed();
    let right = renamed("LocksInOrder", "LocksCrosswise").replace(
        "public int check",
        "public void b() {\n a();\n }\n\npublic int check",
    );
    found.is_not_confirmed_with(&right);
}

#[test]
fn an_exception() {
    let found = Found::in_class("exception", "IterateArrayList");
    found.is_confirmed();
    found.is_not_confirmed_with(&renamed("IterateLocked", "IterateArrayList"));
}

#[test]
fn wrong_results() {
    for (wrong, right) in [
        ("Counter", "SynchronizedCounter"),
        ("CheckThenAct", "CheckAndAct"),
        ("LazyInit", "LazyInitLocked"),
    ] {
        let found = Found::in_class("wrong-result", wrong);
        found.is_confirmed();
        found.is_not_confirmed_with(&renamed(right, wrong));
    }
}

/// The result is a collection, and the class has the name of one that a debugger uses.
#[cfg(feature = "full-tests")]
#[test]
fn a_wrong_collection() {
    let source = |keyword: &str| {
        format!(
            "public class Location {{
                 private final java.util.List<String> names = new java.util.Vector<>();

                 public {keyword} void add() {{
                     if (!names.contains(\"a\")) {{
                         names.add(\"a\");
                     }}
                 }}

                 public Object all() {{
                     return new java.util.ArrayList<>(names);
                 }}
             }}"
        )
    };
    let add = r#"[{"invoke": "virtual", "member": "Location.add()V", "on": "l"}]"#;
    let plan = TestPlan::from_json(&format!(
        r#"{{"raddle_plan": 1,
            "prefix": [{{"let": "l", "invoke": "new", "member": "Location.<init>()V"}}],
            "threads": [{add}, {add}],
            "after": [{{"invoke": "virtual", "member": "Location.all()Ljava/lang/Object;", "on": "l"}}]}}"#
    ))
    .unwrap();
    let compiled = compile(&[("Location.java", &source(""))]).unwrap();
    let found = Found::new(&plan, &[compiled.classes().to_owned()]);
    found.is_confirmed();
    found.is_not_confirmed_with(&source("synchronized"));
}

/// What is said to be wrong is what the calls come to one after the other, or chance: no stock JVM confirms that, whatever
/// the recorded run looked like.
#[test]
fn what_a_sequential_order_does_too_is_not_confirmed() {
    let right = Found::in_class("wrong-result", "Counter");
    for source in [
        // Both orders lose one, always.
        "public class Counter { public void a() {} public void b() {} public int check() { return 1; } }",
        "public class Counter { public void a() {} public void b() {}
             public int check() { return (int) (System.nanoTime() % 100000); } }",
    ] {
        right.is_not_confirmed_with(source);
    }
}

/// Objects are told apart by what they are, as they were when the run was recorded.
#[cfg(feature = "full-tests")]
#[test]
fn wrong_objects() {
    for (wrong, right) in [
        ("LazyIterable", "LazyIterableLocked"),
        ("TwoSingletons", "OneSingleton"),
        ("TornPair", "WholePair"),
    ] {
        let found = Found::in_class("wrong-result", wrong);
        found.is_confirmed();
        found.is_not_confirmed_with(&renamed(right, wrong));
    }
}

/// The plan implements a function and a listener itself: one is a lambda in the file, the other an anonymous class.
#[cfg(feature = "full-tests")]
#[test]
fn a_wrong_result_with_a_function_and_a_listener() {
    let source = |keyword: &str| {
        format!(
            "public class Cell {{
                 public interface Listener {{
                     void before(java.util.List<String> names);
                     int priority();
                 }}

                 private int value;

                 public {keyword} int update(java.util.function.IntUnaryOperator f, Listener listener) {{
                     listener.before(null);
                     value = f.applyAsInt(value) + listener.priority();
                     return value;
                 }}
             }}"
        )
    };
    let update = r#"[{"invoke": "virtual", "on": "cell",
        "member": "Cell.update(Ljava/util/function/IntUnaryOperator;LCell$Listener;)I",
        "args": [{"var": "f"}, {"var": "l"}]}]"#;
    let plan = TestPlan::from_json(&format!(
        r#"{{"raddle_plan": 1,
            "prefix": [
                {{"let": "cell", "invoke": "new", "member": "Cell.<init>()V"}},
                {{"let": "f", "invoke": "implement", "member": "java.util.function.IntUnaryOperator.<init>()V",
                  "methods": [{{"name": "applyAsInt", "descriptor": "(I)I", "returns": {{"increment": 0}}}}]}},
                {{"let": "l", "invoke": "implement", "member": "Cell$Listener.<init>()V",
                  "methods": [{{"name": "before", "descriptor": "(Ljava/util/List;)V"}},
                              {{"name": "priority", "descriptor": "()I", "returns": {{"value": {{"int": 10}}}}}}]}}],
            "threads": [{update}, {update}]}}"#
    ))
    .unwrap();
    let compiled = compile(&[("Cell.java", &source(""))]).unwrap();
    let found = Found::new(&plan, &[compiled.classes().to_owned()]);
    let text = reproducer(&found.input());
    assert!(text.contains("IntUnaryOperator f = x -> x + 1;"), "{text}");
    assert!(text.contains("new Cell.Listener() {"), "{text}");
    found.is_confirmed();
    found.is_not_confirmed_with(&source("synchronized"));
    // The JUnit test compiles with them, too.
    passes_with(&found, &source("synchronized"));
}

#[test]
fn a_lost_wake_up() {
    let found = Found::in_class("lost-wake-up", "MissedSignal");
    found.is_confirmed();
    found.is_not_confirmed_with(&renamed("Signal", "MissedSignal"));
}

/// One after the other, a call that was woken goes on before a new one begins.
#[cfg(feature = "full-tests")]
#[test]
fn a_stolen_wake_up() {
    Found::in_class("exception", "StolenWakeUp").is_confirmed();
}

#[test]
fn a_livelock() {
    Found::in_class("livelock", "SpinsOnField").is_confirmed();
}

#[test]
fn a_class_that_is_not_there_says_nothing_about_it() {
    let found = Found::in_class("wrong-result", "Counter");
    let verdict = found.run(&found.input(), &[]);
    assert!(matches!(verdict, StockVerdict::Failed(_)), "{verdict:?}");
}

/// Values that differ from JVM to JVM, such as the time, are not what shows it.
#[test]
fn a_result_beside_one_that_is_never_the_same() {
    let source = |keyword: &str| {
        format!(
            "public class Clock {{
                 private int ticks;

                 public {keyword} long tick() {{
                     ticks++;
                     return System.nanoTime();
                 }}

                 public int ticks() {{
                     return ticks;
                 }}

                 public int identity() {{
                     return new Object().hashCode();
                 }}
             }}"
        )
    };
    let tick = r#"[{"invoke": "virtual", "member": "Clock.tick()J", "on": "c"}]"#;
    let plan = TestPlan::from_json(&format!(
        r#"{{"raddle_plan": 1,
            "prefix": [{{"let": "c", "invoke": "new", "member": "Clock.<init>()V"}}],
            "threads": [{tick}, {tick}],
            "after": [{{"invoke": "virtual", "member": "Clock.ticks()I", "on": "c"}},
                      {{"invoke": "virtual", "member": "Clock.identity()I", "on": "c"}}]}}"#
    ))
    .unwrap();
    let compiled = compile(&[("Clock.java", &source(""))]).unwrap();
    let found = Found::new(&plan, &[compiled.classes().to_owned()]);
    assert_eq!(found.violation.decisive_calls(), [3]);
    found.is_confirmed();
    found.is_not_confirmed_with(&source("synchronized"));
}

/// The threads end, and leave the lock that the calls after them need.
#[cfg(feature = "full-tests")]
#[test]
fn a_thread_that_is_stuck_after_the_others() {
    let source = |keyword: &str| {
        format!(
            "public class Latch {{
                 private int open = 2;

                 public {keyword} void open() {{
                     open--;
                 }}

                 public synchronized void await() throws InterruptedException {{
                     while (open > 0) {{
                         wait();
                     }}
                 }}
             }}"
        )
    };
    let open = r#"[{"invoke": "virtual", "member": "Latch.open()V", "on": "l"}]"#;
    let plan = TestPlan::from_json(&format!(
        r#"{{"raddle_plan": 1,
            "prefix": [{{"let": "l", "invoke": "new", "member": "Latch.<init>()V"}}],
            "threads": [{open}, {open}],
            "after": [{{"invoke": "virtual", "member": "Latch.await()V", "on": "l"}}]}}"#
    ))
    .unwrap();
    let compiled = compile(&[("Latch.java", &source(""))]).unwrap();
    let found = Found::new(&plan, &[compiled.classes().to_owned()]);
    assert!(reproducer(&found.input()).contains(".stuck(0)"));
    found.is_confirmed();
    found.is_not_confirmed_with(&source("synchronized"));
}

/// The recorded places are not there any more, but the fault is.
#[cfg(feature = "full-tests")]
#[test]
fn a_class_that_was_changed_and_is_still_wrong() {
    let found = Found::in_class("wrong-result", "Counter");
    let source = "
        public class Counter {
            private int count;
            private int calls;

            public void a() {
                calls = 7;
                int before = count;
                count = before + 1;
            }

            public void b() {
                a();
            }

            public int check() {
                return count;
            }
        }";
    let compiled = compile(&[("Counter.java", source)]).unwrap();
    let verdict = found.run(&found.input(), &[compiled.classes().to_owned()]);
    assert_eq!(verdict, StockVerdict::Confirmed);
    fails_with(&found, source);
}

#[test]
fn a_reproducer_is_ended_from_outside() {
    let found = Found::in_class("wrong-result", "Counter");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Reproducer.java");
    fs::write(&file, reproducer(&found.input())).unwrap();
    let options = StockOptions {
        cage: Some(env!("CARGO_BIN_EXE_raddle").into()),
        jdk_home: found.jdk.clone(),
        class_path: found.recording.class_path.clone(),
        readable: Vec::new(),
        opens: Vec::new(),
        limit: StockOptions::limit_for(Duration::from_mins(1)),
    };
    let verdict = run_reproducer(&options, &file, &AtomicBool::new(true));
    assert_eq!(verdict, StockVerdict::Stopped);
}

#[test]
fn files_are_plain_and_free_of_other_names() {
    let found = Found::in_plan("hashtable-equals");
    for text in [
        reproducer(&found.input()),
        junit_test(&found.input()),
        helper_file(),
    ] {
        assert!(text.is_ascii());
        assert!(!text.to_lowercase().contains("raddle"));
        for mark in ["@CALLS@", "@FAULT@", "@STEPS@"] {
            assert!(!text.contains(mark), "{mark}: {text}");
        }
    }
}
