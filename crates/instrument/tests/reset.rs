//! Static state can be made anew: on real JVMs, and in every class of a JDK.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test is a panic"
)]

mod support;

use std::fs;

use raddle_classfile::ClassFile;
use raddle_instrument::{Options, Rewriter, StaticState};
use support::java::{Checks, benches};

const RESET: StaticState<'_> = StaticState {
    is_reset: true,
    uninitialised: &[],
};

/// Rewrites the class `Anew` and those inside it.
fn rewrite(bench: &support::java::Bench, rewriter: &Rewriter, into: &str, change: impl Fn(&mut [u8])) {
    for file in fs::read_dir(bench.path("rows")).unwrap() {
        let file = file.unwrap().path();
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        if name.starts_with("Anew") {
            let bytes = fs::read(&file).unwrap();
            let rewritten = rewriter.rewrite_for(&name, &bytes, RESET);
            assert_eq!(rewritten.left_alone, []);
            let mut new = rewritten.bytes.unwrap_or_else(|| bytes.clone());
            support::check(&bytes, &new);
            change(&mut new);
            bench.write(into, &name, &new);
        }
    }
}

const STATE: &str = "{n1=100, n2=50, none=yes} 2.0 1.5 true 120 2 false true";
const OUT: [&str; 11] = [
    "1 1 {more=more, n1=100, n2=50, none=yes} 2.0 2.0 false 121 9 false true",
    "0 0 null 0.0 0.0 false 0 null true true",
    "0 5497558138880 ",
    "1 false 7",
    "0 null",
    "Anew [raddle$clear, raddle$initialise]",
    "Anew$Plain [raddle$clear]",
    // Neither constants that are compared by identity, nor fields that are final for good, nor switch tables.
    "Anew$Colour []",
    "Anew$Names []",
    "Anew$Constants []",
    "Anew$1 []",
];

#[test]
fn static_state_is_cleared_and_made_anew() {
    for bench in benches() {
        let rewriter = Rewriter::new(Options::default());
        rewrite(bench, &rewriter, "anew", |_| ());
        let printed = bench.run("anew", "Anew", &Checks::Off, &[], &[]);
        let mut expected = vec![format!("0 5497558138880 {STATE}")];
        expected.extend(OUT.map(str::to_owned));
        expected[3].push_str(STATE);
        expected.push("static final, private static".to_owned());
        assert_eq!(printed.out.lines().collect::<Vec<_>>(), expected);
        // At the end of the initialiser, and of its copy; then of a class that had none.
        assert_eq!(printed.initialised(), ["Anew", "Anew", "Anew$Plain"]);
        assert_eq!(printed.zones().1, 0);
    }
}

#[test]
fn a_class_that_is_initialised_in_the_run_tells_who_is_about_to_use_it() {
    let uninitialised = ["First", "Second", "Third"].map(|name| format!("Deferred${name}"));
    for bench in benches() {
        let rewriter = Rewriter::new(Options::default());
        for name in uninitialised.iter().map(String::as_str).chain(["Deferred"]) {
            let bytes = fs::read(bench.path("rows").join(format!("{name}.class"))).unwrap();
            let state = StaticState {
                is_reset: name != "Deferred",
                uninitialised: &uninitialised,
            };
            let rewritten = rewriter.rewrite_for(name, &bytes, state);
            assert_eq!(rewritten.left_alone, []);
            bench.write("deferred", name, &rewritten.bytes.unwrap());
        }
        let printed = bench.run("deferred", "Deferred", &Checks::Off, &[], &[]);
        // The initialiser does nothing by itself, and constants are as ever.
        assert_eq!(
            printed.out.lines().collect::<Vec<_>>(),
            ["0 first", "7", "7", "12"]
        );
        assert_eq!(
            printed.initialised(),
            [
                "by use Deferred$First.value",
                "Deferred$First",
                "by use Deferred$Second.make",
                "Deferred$Second",
                "in Deferred$Second",
                "in Deferred$Second",
                "by use Deferred$First.value",
                "in Deferred$First",
                "by use Deferred$Third.<init>",
                "Deferred$Third",
                "in Deferred$Third",
                "in Deferred$First",
                "by use Deferred$Third.value",
                "by use Deferred$Second.made",
                "in Deferred$First",
                "by use Deferred$Second.made",
            ]
        );
        assert_eq!(printed.zones().1, 0);
    }
}

#[test]
fn the_verifier_accepts_what_is_added() {
    for bench in benches() {
        let rewriter = Rewriter::new(Options::default());
        // The last version whose verifier infers types instead of reading stack maps.
        rewrite(bench, &rewriter, "anew-old", |bytes| {
            bytes[4..8].copy_from_slice(&[0, 0, 0, 49]);
        });
        let new = bench.run("anew-old", "Anew", &Checks::All, &[], &[]);
        assert_eq!(new.out.lines().count(), OUT.len() + 2);
    }
}

#[test]
fn every_class_of_java_base_can_be_given_what_it_takes() {
    for jdk in support::jdks() {
        let rewriter = Rewriter::new(Options::default());
        let (mut given, mut with_initialiser) = (0, 0);
        for (name, bytes) in jdk.classes_of("java.base") {
            let Some(new) = rewriter.rewrite_for(&name, &bytes, RESET).bytes else {
                continue;
            };
            support::check(&bytes, &new);
            let (before, after) = (ClassFile::parse(&bytes).unwrap(), ClassFile::parse(&new).unwrap());
            let added = after.methods().len() - before.methods().len();
            given += usize::from(added > 0);
            let is_copy = |name: &str| name == "raddle$initialise";
            with_initialiser += usize::from(after.methods().any(|method| is_copy(&method.name())));
            assert!(
                added == 0 || after.methods().any(|method| method.name() == "<clinit>"),
                "{name}"
            );
            for field in after.fields().filter(|field| field.access().is_static()) {
                let is_final = field.access().is_final();
                assert!(
                    added == 0 || !is_final || field.constant_value().is_some(),
                    "{name}"
                );
            }
        }
        assert!(
            given > 800 && with_initialiser > 600,
            "{given} {with_initialiser}"
        );
    }
}
