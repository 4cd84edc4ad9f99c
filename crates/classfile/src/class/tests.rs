//! Whole classes: a sample with a bit of everything, and what is refused.

use std::borrow::Cow;

use crate::assembler::{Assembler, be, sample};
use crate::{
    AccessFlags, BootstrapMethod, ClassFile, ClassFileError, Constant, Header, InnerClass, Insn, Result,
};

fn refusal(bytes: &[u8]) -> ClassFileError {
    ClassFile::parse(bytes).unwrap_err()
}

#[test]
fn the_sample_is_read() {
    let class = ClassFile::parse(&sample()).unwrap();
    assert_eq!(
        (class.major(), class.minor(), class.access()),
        (61, 0, AccessFlags(0x21))
    );
    assert_eq!(class.name(), "p/Sample");
    assert_eq!(format!("{class:?}"), "ClassFile(\"p/Sample\")");
    assert_eq!(class.super_name(), Some("java/lang/Object".into()));
    assert_eq!(class.interfaces().collect::<Vec<_>>(), ["p/Face"]);
    assert_eq!(class.source_file(), Some("Sample.java".into()));
    assert_eq!(class.nest_host(), None);
    assert_eq!(class.nest_members(), ["p/Sample$In"]);
    assert_eq!(class.permitted_subclasses(), ["p/Sample$In"]);
    assert!(!class.is_record());
    assert_eq!(class.annotations(), ["Ljava/lang/Deprecated;"]);
    let inner = InnerClass {
        inner: "p/Sample$In".into(),
        outer: Some("p/Sample".into()),
        simple_name: Some("In".into()),
        access: AccessFlags(8),
    };
    assert_eq!(class.inner_classes(), [inner]);
    let [
        BootstrapMethod {
            method_handle,
            arguments,
        },
    ] = &class.bootstrap_methods().unwrap()[..]
    else {
        panic!("one bootstrap method")
    };
    assert_eq!(class.pool().method_handle(*method_handle).unwrap().1.name, "make");
    assert_eq!(class.pool().constant(arguments[0]), Ok(Constant::Int(7)));
    assert_eq!(ClassFile::parse_owned(sample().into()).unwrap().bytes(), sample());
}

#[test]
fn the_samples_members_are_read() {
    let class = ClassFile::parse(&sample()).unwrap();
    assert_eq!((class.fields().len(), class.methods().len()), (1, 2));
    let field = class.fields().next().unwrap();
    assert_eq!(
        (field.name(), field.descriptor(), field.index()),
        ("K".into(), "I".into(), 0)
    );
    assert!(field.access().is_static() && field.access().is_final());
    assert_eq!(
        class.pool().constant(field.constant_value().unwrap()),
        Ok(Constant::Int(7))
    );
    assert_eq!(field.annotations(), Vec::<Cow<'_, str>>::new());

    let run = class.methods().next().unwrap();
    assert!(run.access().is_synchronized());
    assert_eq!(run.annotations(), ["Ljava/lang/Deprecated;"]);
    assert!(run.code().unwrap().is_some());
    let idle = class.methods().nth(1).unwrap();
    assert_eq!(
        (idle.name(), idle.descriptor(), idle.index()),
        ("idle".into(), "(IJ)V".into(), 1)
    );
    assert!(idle.code().unwrap().is_none());
    assert!(idle.parameter_names().is_empty());
}

#[test]
fn parameter_names_may_be_missing() {
    let mut class = Assembler::new("A");
    let name = class.utf8("first");
    let [high, low] = name.to_be_bytes();
    let parameters = class.attribute("MethodParameters", &[2, high, low, 0, 0, 0, 0, 0x80, 0]);
    class.method(0x401, "m", "(II)V", &[parameters]);
    let class = ClassFile::parse(&class.finish()).unwrap();
    assert_eq!(
        class.methods().next().unwrap().parameter_names(),
        [Some("first".into()), None]
    );
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = sample();
    for len in 0..bytes.len() {
        assert!(
            ClassFile::parse(&bytes[..len]).is_err(),
            "{len} of {} bytes",
            bytes.len()
        );
    }
}

#[test]
fn trailing_bytes_are_an_error() {
    let mut bytes = sample();
    let offset = bytes.len();
    bytes.push(0);
    assert_eq!(refusal(&bytes), ClassFileError::TrailingBytes { offset });
}

#[test]
fn versions_and_magic() {
    let mut bytes = sample();
    for major in [0, 44, 45, 69, 70, 65535_u16] {
        bytes[6..8].copy_from_slice(&major.to_be_bytes());
        let (parsed, header) = (ClassFile::parse(&bytes).err(), Header::read(&bytes).err());
        match major {
            ..45 => assert_eq!(parsed, Some(ClassFileError::TooOld { major })),
            70.. => assert_eq!(parsed, Some(ClassFileError::TooNew { major })),
            // The sample has a method handle, which 45 does not know.
            _ => assert_eq!(parsed.is_none(), major == 69),
        }
        assert_eq!(header.is_none(), (45..=69).contains(&major));
    }
    bytes[0] = 0;
    assert_eq!(refusal(&bytes), ClassFileError::BadMagic { found: 0x00fe_babe });
    assert_eq!(refusal(b""), ClassFileError::Truncated { offset: 0 });
}

#[test]
fn an_empty_pool_is_refused() {
    let bytes = [
        0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
    assert_eq!(refusal(&bytes), ClassFileError::EmptyPool);
    assert_eq!(Header::read(&bytes), Err(ClassFileError::EmptyPool));
}

#[test]
fn attributes_of_the_class_are_checked() {
    let cases: [(&str, &[u16]); 9] = [
        ("SourceFile", &[]),
        ("SourceFile", &[1, 1]),
        ("NestHost", &[1]),
        ("NestMembers", &[2, 2]),
        ("PermittedSubclasses", &[1, 2, 2]),
        ("InnerClasses", &[1, 2, 0, 2, 0]),
        ("InnerClasses", &[1, 0, 0, 0, 0]),
        ("Record", &[1, 2, 1, 0]),
        ("Record", &[1]),
    ];
    for (name, body) in cases {
        let mut class = Assembler::new("A");
        class.class_attribute(name, &be(body));
        let error = refusal(&class.finish());
        let expected = matches!(
            error,
            ClassFileError::BadAttributeLength { .. }
                | ClassFileError::WrongKind { .. }
                | ClassFileError::BadIndex { .. }
        );
        assert!(expected, "{name} {body:?}: {error}");
    }
    let mut class = Assembler::new("A");
    class.class_attribute("SourceFile", &be(&[1]));
    class.class_attribute("SourceFile", &be(&[1]));
    assert!(matches!(
        refusal(&class.finish()),
        ClassFileError::DuplicateAttribute {
            name: "SourceFile",
            ..
        }
    ));
}

#[test]
fn attributes_mean_nothing_before_their_version() {
    let mut class = Assembler::new("A");
    class.class_attribute("Record", &be(&[0]));
    class.class_attribute("NestHost", &be(&[2]));
    for (major, record, nest) in [
        (54, false, false),
        (55, false, true),
        (59, false, true),
        (60, true, true),
    ] {
        class.major = major;
        let class = ClassFile::parse(&class.finish()).unwrap();
        assert_eq!(
            (class.is_record(), class.nest_host().is_some()),
            (record, nest),
            "{major}"
        );
    }
}

#[test]
fn bootstrap_methods_are_checked_when_asked_for() {
    for body in [&[1][..], &[1, 2, 0], &[0, 0], &[65535]] {
        let mut class = Assembler::new("A");
        class.class_attribute("BootstrapMethods", &be(body));
        assert!(
            ClassFile::parse(&class.finish())
                .unwrap()
                .bootstrap_methods()
                .is_err(),
            "{body:?}"
        );
    }
    assert_eq!(
        ClassFile::parse(&Assembler::new("A").finish())
            .unwrap()
            .bootstrap_methods(),
        Ok(Vec::new())
    );
}

#[test]
fn an_attribute_cannot_reach_beyond_its_owner() {
    let mut class = Assembler::new("A");
    let mut attribute = class.attribute("Unknown", &[1, 2, 3]);
    attribute[2..6].copy_from_slice(&u32::MAX.to_be_bytes());
    class.attributes.push(attribute);
    assert!(matches!(
        refusal(&class.finish()),
        ClassFileError::Truncated { .. }
    ));
}

/// Calls everything there is to call.
fn read_all(bytes: &[u8]) -> Result<usize> {
    let _ = Header::read(bytes);
    let class = ClassFile::parse(bytes)?;
    let mut seen =
        class.name().len() + class.super_name().map_or(0, |name| name.len()) + class.interfaces().count();
    seen += class.inner_classes().len() + class.nest_members().len() + class.permitted_subclasses().len();
    seen += class.annotations().len() + class.bootstrap_methods().map_or(0, |methods| methods.len());
    seen += class.source_file().into_iter().chain(class.nest_host()).count() + usize::from(class.is_record());
    for index in 0..=class.pool().len() {
        let pool = class.pool();
        let _ = (
            pool.constant(index),
            pool.member_ref(index),
            pool.invoke_dynamic(index),
            pool.utf8(index),
        );
    }
    for field in class.fields() {
        seen += field.name().len() + field.descriptor().len() + field.annotations().len();
        let _ = field.constant_value();
    }
    for method in class.methods() {
        seen += method.parameter_names().len() + method.annotations().len();
        if let Ok(Some(code)) = method.code() {
            seen += code.exception_table().len() + code.line_numbers().len() + code.local_variables().len();
            for (_, insn) in code.instructions().map_while(Result::ok) {
                seen += insn.branch_targets().len() + usize::from(insn == Insn::Nop);
            }
        }
    }
    Ok(seen)
}

#[test]
fn mutants_are_read_or_refused() {
    let original = sample();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut refused = 0;
    for _ in 0..20_000 {
        let mut mutant = original.clone();
        for _ in 0..=random(3) {
            let at = random(mutant.len());
            mutant[at] = match random(4) {
                0 => 0xff,
                1 => 0,
                2 => mutant[at].wrapping_add(1),
                _ => random(256) as u8,
            };
        }
        refused += usize::from(read_all(&mutant).is_err());
    }
    assert!(
        (1000..20_000).contains(&refused),
        "{refused} refused: the mutants should exercise both ways"
    );
}

#[test]
fn lines_from_elsewhere_are_those_of_the_own_file() {
    let map = "SMAP\nA.kt\nKotlin\n*S Kotlin\n*F\n+ 1 A.kt\nA\n+ 2 B.kt\nB\n*L\n1#1,9:1\n70#2:10\n\
               *S KotlinDebug\n*F\n+ 1 A.kt\nA\n*L\n4#1:10\n*E\n";
    let mut class = Assembler::new("A");
    let source = class.utf8("A.kt");
    class.class_attribute("SourceFile", &be(&[source]));
    class.class_attribute("SourceDebugExtension", map.as_bytes());
    let lines = ClassFile::parse(&class.finish()).unwrap().line_map();
    assert_eq!([3, 10].map(|number| lines.line(number)), [3, 4]);
    let without = ClassFile::parse(&Assembler::new("A").finish()).unwrap();
    assert_eq!(without.line_map().line(10), 10);
}
