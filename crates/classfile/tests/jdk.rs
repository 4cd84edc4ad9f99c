//! Reads what javac writes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test is a panic"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

use raddle_classfile::descriptor::MethodType;
use raddle_classfile::{ClassFile, Code, Constant, Header, Insn, Kind, MethodView};

const SOURCE: &str = r#"package p;

import java.util.function.IntSupplier;

public class Fixture {
    static final long BIG = 1L << 40;
    static final String TEXT = "nul \0, pair \uD83D\uDE00, lone \uD83D";
    private volatile int count;

    record Point(int x, long y) {}

    sealed interface Shape permits Round, Flat {}
    static final class Round implements Shape {}
    static final class Flat implements Shape {}

    class Inner {
        int peek() { return count; }
    }

    IntSupplier supplier(int base) {
        return () -> base + count;
    }

    void locked(Object lock) {
        synchronized (lock) {
            count++;
        }
    }

    static int dense(int key) {
        switch (key) {
            case -1: return 10;
            case 0: return 20;
            case 1: return 30;
            default: return 0;
        }
    }

    static int sparse(int key) {
        switch (key) {
            case Integer.MIN_VALUE: return 1;
            case 1000000: return 2;
            default: return 0;
        }
    }

    @Deprecated
    static double mixed(long a, double b, float[] c, String... rest) {
        double sum = a + b;
        for (int i = 0; i < c.length; i++) {
            sum += c[i] * 3.5;
        }
        return rest == null ? -0.0 : sum % 7;
    }

    native void outside();
}
"#;

/// javac of the JDK at `JAVA_HOME`, else the one on the path.
fn javac() -> PathBuf {
    std::env::var_os("JAVA_HOME")
        .map(|home| Path::new(&home).join("bin/javac"))
        .filter(|javac| javac.exists())
        .unwrap_or_else(|| PathBuf::from("javac"))
}

/// Compiles the fixture into a directory of its own.
fn compile(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("classfile-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let source = dir.join("Fixture.java");
    std::fs::write(&source, SOURCE).unwrap();
    let output = Command::new(javac())
        .args(["-g", "-parameters", "-encoding", "UTF-8", "-d"])
        .args([&dir, &source])
        .output()
        .expect("javac must be at JAVA_HOME or on the PATH");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    dir
}

fn read(dir: &Path, class: &str) -> Vec<u8> {
    std::fs::read(dir.join("p").join(format!("{class}.class"))).unwrap()
}

fn method<'a>(class: &'a ClassFile, name: &str) -> MethodView<'a> {
    class.methods().find(|method| method.name() == name).unwrap()
}

fn insns(code: Code<'_>) -> Vec<Insn<'_>> {
    code.instructions().map(|insn| insn.unwrap().1).collect()
}

#[test]
fn reads_compiled_classes() {
    let dir = compile("read");
    let [fixture, point, shape, inner, round] = [
        "Fixture",
        "Fixture$Point",
        "Fixture$Shape",
        "Fixture$Inner",
        "Fixture$Round",
    ]
    .map(|name| ClassFile::parse(&read(&dir, name)).unwrap());

    assert_eq!(fixture.name(), "p/Fixture");
    assert_eq!(fixture.super_name(), Some("java/lang/Object".into()));
    assert_eq!(fixture.source_file(), Some("Fixture.java".into()));
    assert!(fixture.access().is_public() && !fixture.is_record());

    nests(&fixture, &inner);
    records_and_sealed_interfaces(&point, &shape, &round);
    constants(&fixture);
    lambdas(&fixture);
    synchronized_blocks(&fixture);
    switches(&fixture);
    tables(&fixture);
    assert!(method(&fixture, "outside").access().is_native());
    assert!(method(&fixture, "outside").code().unwrap().is_none());

    std::fs::remove_dir_all(dir).unwrap();
}

fn nests(fixture: &ClassFile, inner: &ClassFile) {
    let mut members = fixture.nest_members();
    members.sort();
    let expected = [
        "p/Fixture$Flat",
        "p/Fixture$Inner",
        "p/Fixture$Point",
        "p/Fixture$Round",
        "p/Fixture$Shape",
    ];
    assert_eq!(members, expected);
    assert_eq!(inner.nest_host(), Some("p/Fixture".into()));
    assert_eq!(fixture.nest_host(), None);
    let inner_classes = fixture.inner_classes();
    let point = inner_classes
        .iter()
        .find(|class| class.inner == "p/Fixture$Point")
        .unwrap();
    assert_eq!(point.outer.as_deref(), Some("p/Fixture"));
    assert_eq!(point.simple_name.as_deref(), Some("Point"));
    assert!(point.access.is_static() && point.access.is_final());
    let lookup = inner_classes
        .iter()
        .find(|class| class.inner.ends_with("$Lookup"))
        .unwrap();
    assert_eq!(lookup.outer.as_deref(), Some("java/lang/invoke/MethodHandles"));
}

fn records_and_sealed_interfaces(point: &ClassFile, shape: &ClassFile, round: &ClassFile) {
    assert!(point.is_record());
    assert_eq!(point.super_name(), Some("java/lang/Record".into()));
    let fields: Vec<_> = point
        .fields()
        .map(|field| (field.name(), field.descriptor()))
        .collect();
    assert_eq!(fields, [("x".into(), "I".into()), ("y".into(), "J".into())]);
    let names = method(point, "<init>").parameter_names();
    assert_eq!(names, [Some("x".into()), Some("y".into())]);

    assert!(shape.access().is_interface());
    assert_eq!(
        shape.permitted_subclasses(),
        ["p/Fixture$Round", "p/Fixture$Flat"]
    );
    assert_eq!(round.interfaces().collect::<Vec<_>>(), ["p/Fixture$Shape"]);
    assert!(round.permitted_subclasses().is_empty());
}

fn constants(fixture: &ClassFile) {
    let constant = |name: &str| {
        let field = fixture.fields().find(|field| field.name() == name).unwrap();
        field
            .constant_value()
            .map(|index| fixture.pool().constant(index).unwrap())
    };
    assert_eq!(constant("BIG"), Some(Constant::Long(1 << 40)));
    assert_eq!(
        constant("TEXT"),
        Some(Constant::String("nul \0, pair 😀, lone \u{fffd}".into()))
    );
    assert_eq!(constant("count"), None);
    let count = fixture.fields().find(|field| field.name() == "count").unwrap();
    assert!(count.access().is_volatile() && count.access().is_private());
}

fn lambdas(fixture: &ClassFile) {
    let pool = fixture.pool();
    let code = method(fixture, "supplier").code().unwrap().unwrap();
    let site = insns(code)
        .into_iter()
        .find_map(|insn| match insn {
            Insn::InvokeDynamic(index) => Some(pool.invoke_dynamic(index).unwrap()),
            _ => None,
        })
        .unwrap();
    assert_eq!(site.name, "getAsInt");
    assert_eq!(site.descriptor, "(Lp/Fixture;I)Ljava/util/function/IntSupplier;");
    let bootstrap = &fixture.bootstrap_methods().unwrap()[usize::from(site.bootstrap)];
    let (kind, factory) = pool.method_handle(bootstrap.method_handle).unwrap();
    assert_eq!(
        (kind, &*factory.class, &*factory.name),
        (6, "java/lang/invoke/LambdaMetafactory", "metafactory")
    );
    let arguments: Vec<_> = bootstrap
        .arguments
        .iter()
        .map(|&index| pool.constant(index).unwrap())
        .collect();
    let [
        Constant::MethodType(erased),
        Constant::MethodHandle { member, .. },
        Constant::MethodType(_),
    ] = &arguments[..]
    else {
        panic!("{arguments:?}")
    };
    assert_eq!(erased, "()I");
    assert_eq!((&*member.class, member.is_interface), ("p/Fixture", false));
    assert!(method(fixture, &member.name).access().is_synthetic());
}

fn synchronized_blocks(fixture: &ClassFile) {
    let code = method(fixture, "locked").code().unwrap().unwrap();
    let all = insns(code);
    assert_eq!(all.iter().filter(|insn| **insn == Insn::MonitorEnter).count(), 1);
    assert_eq!(all.iter().filter(|insn| **insn == Insn::MonitorExit).count(), 2);
    let handlers = code.exception_table();
    assert!(!handlers.is_empty() && handlers.iter().all(|handler| handler.catch_type.is_none()));
    let (entry, _) = code.instruction_at(handlers[0].handler).unwrap();
    assert!(matches!(entry, Insn::Store(Kind::Ref, _)));
    let written = all.iter().find_map(|insn| match insn {
        Insn::PutField(index) => Some(fixture.pool().member_ref(*index).unwrap().name),
        _ => None,
    });
    assert_eq!(written.as_deref(), Some("count"));
}

fn switches(fixture: &ClassFile) {
    let code = method(fixture, "dense").code().unwrap().unwrap();
    let all = insns(code);
    let Some(Insn::TableSwitch(dense)) = all.iter().find(|insn| matches!(insn, Insn::TableSwitch(_))) else {
        panic!("{all:?}")
    };
    let pushed: Vec<_> = dense
        .targets()
        .map(|(key, target)| (key, code.instruction_at(target).unwrap().0))
        .collect();
    assert_eq!(
        pushed,
        [
            (-1, Insn::ConstInt(10)),
            (0, Insn::ConstInt(20)),
            (1, Insn::ConstInt(30))
        ]
    );
    assert_eq!(code.instruction_at(dense.default()).unwrap().0, Insn::ConstInt(0));

    let code = method(fixture, "sparse").code().unwrap().unwrap();
    let all = insns(code);
    let Some(Insn::LookupSwitch(sparse)) = all.iter().find(|insn| matches!(insn, Insn::LookupSwitch(_)))
    else {
        panic!("{all:?}")
    };
    assert_eq!(
        sparse.targets().map(|(key, _)| key).collect::<Vec<_>>(),
        [i32::MIN, 1_000_000]
    );
}

fn tables(fixture: &ClassFile) {
    let mixed = method(fixture, "mixed");
    assert!(mixed.access().is_varargs() && mixed.access().is_static());
    assert_eq!(mixed.annotations(), ["Ljava/lang/Deprecated;"]);
    let names: Vec<_> = mixed.parameter_names().into_iter().flatten().collect();
    assert_eq!(names, ["a", "b", "c", "rest"]);
    let descriptor = mixed.descriptor();
    assert_eq!(MethodType::parse(&descriptor).unwrap().parameter_slots(), 6);

    let code = mixed.code().unwrap().unwrap();
    let locals: Vec<_> = code
        .local_variables()
        .iter()
        .map(|local| (local.name.to_string(), local.slot))
        .collect();
    for expected in [("a", 0), ("b", 2), ("c", 4), ("rest", 5), ("sum", 6), ("i", 8)] {
        assert!(
            locals.contains(&(expected.0.to_owned(), expected.1)),
            "{expected:?} in {locals:?}"
        );
    }
    let lines = code.line_numbers();
    let first = SOURCE
        .lines()
        .position(|line| line.contains("double sum"))
        .unwrap()
        + 1;
    assert_eq!(
        lines.first().map(|&(pc, line)| (pc, usize::from(line))),
        Some((0, first))
    );
    assert!(lines.is_sorted_by_key(|&(pc, _)| pc));
    let last = code.instructions().last().unwrap().unwrap().1;
    assert_eq!(last, Insn::Return(Some(Kind::Double)));
}

#[test]
fn headers_agree_and_truncations_are_refused() {
    let dir = compile("truncate");
    for name in ["Fixture", "Fixture$Point", "Fixture$Flat"] {
        let bytes = read(&dir, name);
        let (class, header) = (ClassFile::parse(&bytes).unwrap(), Header::read(&bytes).unwrap());
        assert_eq!(header.name, class.name());
        assert_eq!(header.super_name.as_deref(), class.super_name().as_deref());
        assert_eq!(header.interfaces, class.interfaces().collect::<Vec<_>>());
        assert_eq!((header.access, header.major), (class.access(), class.major()));
        for len in 0..bytes.len() {
            assert!(ClassFile::parse(&bytes[..len]).is_err(), "{name}, {len} bytes");
        }
    }
    std::fs::remove_dir_all(dir).unwrap();
}
