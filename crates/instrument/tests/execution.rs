//! Runs rewritten classes on the installed JDKs: they do what they did before, and call the hooks they should.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test is a panic"
)]

mod support;

use std::collections::BTreeMap;
use std::fs;

use raddle_classfile::{ClassFile, Insn};
use raddle_instrument::{Options, Rewriter, SiteKind};
use support::forge::{Body, Forge};
use support::java::{Checks, Printed, benches};

/// Makes it a class of the last version whose verifier infers types instead of reading stack maps.
fn make_old(bytes: &mut [u8]) {
    bytes[4..8].copy_from_slice(&[0, 0, 0, 49]);
}

/// How often events happened, by class and method, then by kind of site.
fn events(rewriter: &Rewriter, printed: &Printed) -> BTreeMap<String, BTreeMap<&'static str, u64>> {
    let mut events: BTreeMap<String, BTreeMap<_, _>> = BTreeMap::new();
    for count in printed.counts() {
        let site = rewriter.site(count.site).unwrap();
        let method = events
            .entry(format!("{}.{}", site.class, site.method))
            .or_default();
        *method.entry(site.kind.name()).or_default() += count.times;
    }
    events
}

/// What happens in `tests/java/Rows.java`, counted by hand.
const ROWS: [(&str, &[(&str, u64)]); 28] = [
    ("Rows$1.run", &[("read", 6), ("write", 6)]),
    (
        "Rows$2.run",
        &[
            ("alive", 1),
            ("enter", 1),
            ("exit", 1),
            ("notify", 1),
            ("notify all", 1),
            ("write", 1),
            ("yield", 1),
        ],
    ),
    ("Rows$Derived.<init>", &[("read", 1), ("write", 2)]),
    ("Rows$Derived.hook", &[("read", 1), ("write", 1)]),
    // Neither `this$0`, which is written before the superclass's constructor is called, nor final fields.
    ("Rows$Inner.<init>", &[("read", 1), ("write", 1)]),
    ("Rows.<clinit>", &[("write element", 3)]),
    ("Rows.<init>", &[("read", 2), ("write", 10)]),
    (
        "Rows.arrays",
        &[
            ("arraycopy", 1),
            ("clone", 1),
            ("loop", 4),
            ("read element", 21),
            ("write element", 47),
        ],
    ),
    // One monitor is null: announced, but not entered.
    ("Rows.blocks", &[("enter", 11), ("exit", 10)]),
    ("Rows.clocks", &[("random", 1), ("time", 4)]),
    ("Rows.constructors", &[("read", 8)]),
    ("Rows.fields", &[("read", 13), ("write", 12), ("write static", 1)]),
    ("Rows.finallys", &[("write static", 3)]),
    ("Rows.locked", &[("enter", 5), ("exit", 5), ("read", 3)]),
    ("Rows.lockedDouble", &[("enter", 1), ("exit", 1), ("read", 1)]),
    ("Rows.lockedEmpty", &[("enter", 1), ("exit", 1)]),
    ("Rows.lockedFloat", &[("enter", 1), ("exit", 1), ("read", 1)]),
    ("Rows.lockedObject", &[("enter", 1), ("exit", 1)]),
    (
        "Rows.lockedStatic",
        &[("enter", 5), ("exit", 5), ("read static", 5), ("write static", 5)],
    ),
    ("Rows.lockedTwice", &[("enter", 1), ("exit", 1)]),
    (
        "Rows.lockedWide",
        &[("enter", 2), ("exit", 2), ("read", 2), ("write", 1)],
    ),
    ("Rows.loops", &[("loop", 7)]),
    ("Rows.main", &[("read static", 11)]),
    // Calls of classes that the runtime stands on, of whose code nothing is known here.
    ("Rows.methods", &[("loop", 4), ("read static", 1), ("write", 3)]),
    ("Rows.monitors", &[("loop", 5), ("write", 1)]),
    ("Rows.statics", &[("read static", 8), ("write static", 7)]),
    ("Rows.switches", &[("loop", 9)]),
    (
        "Rows.waiting",
        &[
            ("alive", 1),
            ("enter", 1),
            ("exit", 1),
            ("loop", 1),
            ("notify", 1),
            ("read", 3),
            ("sleep", 2),
            ("wait", 4),
            ("write", 2),
            ("yield", 1),
        ],
    ),
];

#[test]
fn every_kind_of_event_calls_its_hook_and_nothing_else_changes() {
    for bench in benches() {
        let rewriter = Rewriter::new(Options::default());
        assert_eq!(bench.rewrite(&rewriter, "rows", "rows-new", |_| ()), []);
        let plain = bench.run_plain("rows", "Rows");
        let new = bench.run("rows-new", "Rows", &Checks::Off, &[], &[]);
        assert_eq!(plain.out, new.out);

        let expected = ROWS.map(|(method, kinds)| (method.to_owned(), kinds.iter().copied().collect()));
        assert_eq!(events(&rewriter, &new), BTreeMap::from(expected));
        // The initializer of the class.
        assert_eq!(new.zones(), (1, 0));

        for count in new.counts() {
            let site = rewriter.site(count.site).unwrap();
            assert_eq!(site.source.as_deref(), Some("Rows.java"));
            assert!(site.line.is_some());
            match site.kind {
                SiteKind::Read | SiteKind::Write => {
                    let target = site.target.unwrap();
                    // A method that is called instead.
                    let Some(field) = target.as_field() else {
                        continue;
                    };
                    assert_eq!(
                        *count.class, *field.owner,
                        "the hook is given the object that has {target}"
                    );
                    assert_eq!(
                        site.volatile,
                        Some(&*field.name == "v").filter(|_| field.owner == site.class)
                    );
                }
                // In the loop each element of nine arrays is written once.
                SiteKind::WriteElement if count.times == 4 => assert_eq!(count.sum, 6, "{count:?}"),
                SiteKind::ArrayCopy => assert_eq!((count.sum, &*count.class), (10_002, "[J")),
                _ => {}
            }
        }
    }
}

#[test]
fn the_stack_is_as_the_verifier_wants_it() {
    for bench in benches() {
        let rewriter = Rewriter::new(Options::default());
        assert_eq!(bench.rewrite(&rewriter, "rows", "rows-old", make_old), []);
        let plain = bench.run_plain("rows", "Rows");
        let old = bench.run("rows-old", "Rows", &Checks::All, &[], &[]);
        assert_eq!(plain.out, old.out);
    }
}

#[test]
fn compilers_of_the_jvm_accept_the_monitors_of_rewritten_methods() {
    for bench in benches() {
        let rewriter = Rewriter::new(Options::default());
        bench.rewrite(&rewriter, "rows", "rows-compiled", |_| ());
        let plain = bench.run_plain("rows", "Rows");
        for level in ["-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"] {
            // What the JVM prints goes to a file: between lines of the test's own it would tear them apart.
            let log = bench.path("compilation.log");
            let log_option = format!("-XX:LogFile={}", log.display());
            let options = [
                level,
                "-Xcomp",
                "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=compileonly,Rows*::*",
                "-XX:+PrintCompilation",
                "-XX:-DisplayVMOutput",
                "-XX:+LogVMOutput",
                &log_option,
            ];
            let new = bench.run("rows-compiled", "Rows", &Checks::Off, &[], &options);
            assert_eq!(plain.out, new.out);
            let log = fs::read_to_string(log).unwrap();
            assert!(log.contains("Rows::lockedTwice") && log.contains("Rows::blocks"));
            let refused: Vec<&str> = log.lines().filter(|line| line.contains("SKIPPED")).collect();
            assert_eq!(refused, [""; 0]);
        }
    }
}

#[test]
fn recent_language_features_keep_working() {
    for bench in benches() {
        let rewriter = Rewriter::new(Options::default());
        assert_eq!(bench.rewrite(&rewriter, "plain", "modern", |_| ()), []);
        let plain = bench.run_plain("plain", "Modern");
        let new = bench.run("modern", "Modern", &Checks::Off, &[], &[]);
        assert_eq!(plain.out, new.out);

        let events = events(&rewriter, &new);
        let expect = |method: &str, kinds: &[(&str, u64)]| {
            for &(kind, times) in kinds {
                assert_eq!(events[method].get(kind), Some(&times), "{kind} in {method}");
            }
        };
        expect("Modern.handles", &[("atomic", 13), ("read", 1)]);
        expect("Modern$Shape.helper", &[("enter", 1), ("exit", 1)]);
        expect("Modern$Point.<init>", &[("read static", 3), ("write static", 3)]);
        expect(
            "Modern$Counter.go",
            &[("enter", 2), ("exit", 2), ("read", 2), ("write", 2)],
        );
        expect(
            "Modern.lambda$supplier$0",
            &[("enter", 2), ("exit", 2), ("read", 2), ("write", 2)],
        );
        // One initializer fails, and leaves its zone nevertheless.
        assert_eq!(new.zones().1, 0);

        let atomics: Vec<(String, i64)> = new
            .counts()
            .into_iter()
            .filter(|count| count.hook == "atomic")
            .map(|count| (count.class, count.sum))
            .collect();
        let with = |class: &str, sum: i64| atomics.iter().filter(|(c, s)| c == class && *s == sum).count();
        assert_eq!(with("Modern", 0), 7);
        assert_eq!(with("null", 0), 3);
        assert_eq!(with("[Ljava.lang.String;", 1), 1);
        assert_eq!(with("[J", 2), 2);
    }
}

#[test]
fn a_jvm_runs_with_all_of_java_base_rewritten() {
    for bench in benches() {
        let rewriter = Rewriter::new(Options::default());
        assert_eq!(bench.rewrite(&rewriter, "plain", "load", |_| ()), []);
        for (name, bytes) in bench.jdk.classes_of("java.base") {
            if let Some(bytes) = rewriter.rewrite(&name, &bytes).bytes {
                bench.write("base", &name, &bytes);
            }
        }
        let plain = bench.run_plain("plain", "Load");
        let new = bench.run("load", "Load", &Checks::Off, &["base"], &[]);
        assert_eq!(plain.out, new.out);
        let hooks: BTreeMap<String, u64> = new
            .counts()
            .into_iter()
            .map(|count| (count.hook, count.times))
            .collect();
        for hook in [
            "atomic",
            "park",
            "unpark",
            "enter",
            "exit",
            "waitOn",
            "starting",
            "interrupting",
        ] {
            assert!(hooks.contains_key(hook), "{hook}");
        }

        let special = bench.run("load", "Special", &Checks::Off, &["base"], &[]);
        let lines: Vec<&str> = special.out.lines().collect();
        assert_eq!(
            lines,
            [
                "alive false",
                "alive true",
                "interrupted false",
                "alive false",
                "exit 3",
                "exit 4",
                "java.util.Random",
                "none.X"
            ]
        );
        let total = |hook: &str| {
            let counts = special.counts().into_iter().filter(|count| count.hook == hook);
            counts.fold((0, 0), |(times, sum), count| {
                (times + count.times, sum + count.sum)
            })
        };
        assert_eq!(total("starting"), (3, 0));
        assert_eq!(total("join"), (3, 50_000));
        assert_eq!(total("interrupting"), (1, 0));
        assert_eq!(total("exiting"), (2, 7));
        assert_eq!(total("seed"), (1, 0));
        assert_eq!(total("sleep"), (1, 60_000));
        assert_eq!(special.zones().1, 0);
    }
}

/// Whether a class can pretend to be of version 49.
fn can_be_old(class: &ClassFile) -> bool {
    !class.access().is_interface()
        && class.methods().all(|method| {
            method.code().unwrap().is_none_or(|code| {
                code.instructions().all(|insn| {
                    let (_, insn) = insn.unwrap();
                    !matches!(insn, Insn::InvokeDynamic(_))
                        // Methods of interfaces that are not called on an object came later.
                        && !matches!(insn, Insn::InvokeStatic(index) | Insn::InvokeSpecial(index)
                            if class.pool().member_ref(index).unwrap().is_interface)
                })
            })
        })
}

#[test]
fn the_verifier_accepts_the_classes_of_a_whole_module() {
    for bench in benches() {
        let rewriter = Rewriter::new(Options::default());
        let mut names = String::new();
        let mut old = 0;
        for (name, bytes) in bench.jdk.classes_of("java.xml") {
            // The others stay as they are, with their stack maps, for those that need them.
            let mut bytes = bytes.into_owned();
            if can_be_old(&ClassFile::parse(&bytes).unwrap()) {
                bytes = rewriter.rewrite(&name, &bytes).bytes.unwrap_or(bytes);
                make_old(&mut bytes);
                names.push_str(&name.replace('/', "."));
                names.push('\n');
                old += 1;
            }
            bench.write("xml", &name, &bytes);
        }
        let file = bench.path("xml/names");
        fs::write(&file, names).unwrap();
        let file = format!("-Dnames={}", file.display());
        // Without the module its packages are free for the class path.
        let options = ["--limit-modules=java.base", &file];
        let verified = bench.run("xml", "Verify", &Checks::All, &[], &options);
        assert_eq!(verified.out.trim_end(), format!("verified {old}"));
        assert!(old > 1000);
    }
}

/// A class with a subroutine, which compilers once made of `finally`: `f` returns twice its argument and counts the
/// rounds in `count`; a negative argument makes it throw.
fn with_subroutine(version: (u16, u16)) -> Vec<u8> {
    let mut forge = Forge::new("Old", version);
    let [high, low] = forge.field("count", "I").to_be_bytes();
    let code = [
        0x1a, 0x9c, 0, 5, // 0: iload_0, ifge 6
        0x01, 0xbf, // 4: aconst_null, athrow
        0x03, 0x3c, // 6: iconst_0, istore_1
        0xa8, 0, 12, // 8: jsr 20
        0x84, 0, 0xff, // 11: iinc 0 by -1
        0x1a, 0x9d, 0xff, 0xf9, // 14: iload_0, ifgt 8
        0x1b, 0xac, // 18: iload_1, ireturn
        0x4d, // 20: astore_2
        0x84, 1, 2, // 21: iinc 1 by 2
        0xb2, high, low, // 24: getstatic count
        0x04, 0x60, // 27: iconst_1, iadd
        0xb3, high, low, // 29: putstatic count
        0xa9, 2, // 32: ret 2
    ];
    let body = Body {
        code: &code,
        max_stack: 2,
        max_locals: 3,
        handlers: &[],
        lines: &[[0, 7], [20, 9]],
    };
    // public static synchronized
    forge.method(0x29, "f", "(I)I", &body);
    let rest = Body {
        code: &[0xb1],
        max_stack: 0,
        max_locals: 0,
        handlers: &[],
        lines: &[],
    };
    forge.method(0x9, "untouched", "()V", &rest);
    forge.finish()
}

#[test]
fn the_oldest_class_files_keep_working() {
    for bench in benches() {
        // The layout of the first JDKs, that of later ones, and the last version before class constants.
        for version in [(45, 0), (45, 3), (48, 0)] {
            let rewriter = Rewriter::new(Options::default());
            let before = with_subroutine(version);
            let rewritten = rewriter.rewrite("Old", &before);
            assert_eq!(rewritten.left_alone, []);
            let after = rewritten.bytes.unwrap();
            support::check(&before, &after);
            assert_eq!(ClassFile::parse(&after).unwrap().major(), 49);
            bench.write("ancient", "Old", &after);
            let printed = bench.run("ancient", "Ancient", &Checks::All, &[], &[]);
            assert_eq!(
                printed.out,
                "6 3false\nclass java.lang.NullPointerException false\n"
            );
            let kinds = [
                ("enter", 2),
                ("exit", 2),
                ("loop", 3),
                ("read static", 3),
                ("write static", 3),
            ];
            assert_eq!(events(&rewriter, &printed)["Old.f"], BTreeMap::from(kinds));
        }
    }
}
