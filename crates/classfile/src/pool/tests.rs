//! Entries, slots, references between entries.

use std::borrow::Cow;

use crate::assembler::Assembler;
use crate::{ClassFile, ClassFileError, Constant, DynamicRef, Header, MemberRef, Result, tag};

fn parse(class: &Assembler) -> Result<ClassFile> {
    ClassFile::parse(&class.finish())
}

fn refusal(class: &Assembler) -> ClassFileError {
    parse(class).unwrap_err()
}

#[test]
fn long_and_double_take_two_slots() {
    let mut class = Assembler::new("A");
    let long = class.entry(tag::LONG, &i64::MIN.to_be_bytes());
    let double = class.entry(tag::DOUBLE, &0.5_f64.to_be_bytes());
    let int = class.entry(tag::INTEGER, &(-2_i32).to_be_bytes());
    assert_eq!((double, int), (long + 2, long + 4));
    let class = parse(&class).unwrap();
    let pool = class.pool();
    assert_eq!(pool.len(), int + 1);
    assert_eq!(pool.constant(long), Ok(Constant::Long(i64::MIN)));
    assert_eq!(pool.constant(double), Ok(Constant::Double(0.5)));
    assert_eq!(pool.constant(int), Ok(Constant::Int(-2)));
    for unusable in [0, long + 1, double + 1, int + 1, u16::MAX] {
        assert_eq!(
            pool.constant(unusable),
            Err(ClassFileError::BadIndex {
                index: unusable,
                len: pool.len()
            })
        );
    }
}

#[test]
fn a_long_cannot_end_outside_the_pool() {
    let mut class = Assembler::new("A");
    class.entry(tag::LONG, &[0; 8]);
    let mut bytes = class.finish();
    let count = class.next_index() - 1;
    bytes[8..10].copy_from_slice(&count.to_be_bytes());
    let expected = ClassFileError::BadIndex {
        index: count,
        len: count,
    };
    assert_eq!(ClassFile::parse(&bytes).err(), Some(expected.clone()));
    assert_eq!(Header::read(&bytes), Err(expected));
}

#[test]
fn every_kind_of_constant() {
    let mut class = Assembler::new("A");
    let float = class.entry(tag::FLOAT, &(-0.0_f32).to_be_bytes());
    let text = class.utf8(b"\xed\xa0\xbd\xed\xb8\x80");
    let string = class.halves(tag::STRING, &[text]);
    let array = class.class("[Ljava/lang/String;");
    let descriptor = class.utf8("()V");
    let method_type = class.halves(tag::METHOD_TYPE, &[descriptor]);
    let method = class.member_ref(tag::INTERFACE_METHOD_REF, "p/I", "run", "()V");
    let [high, low] = method.to_be_bytes();
    let handle = class.entry(tag::METHOD_HANDLE, &[9, high, low]);
    let site = class.name_and_type("name", "I");
    let dynamic = class.halves(tag::DYNAMIC, &[3, site]);
    let indy = class.halves(tag::INVOKE_DYNAMIC, &[4, site]);
    let class = parse(&class).unwrap();
    let pool = class.pool();

    assert!(
        matches!(pool.constant(float), Ok(Constant::Float(value)) if value.to_bits() == (-0.0_f32).to_bits())
    );
    assert_eq!(pool.constant(string), Ok(Constant::String("😀".into())));
    assert_eq!(
        pool.constant(array),
        Ok(Constant::Class("[Ljava/lang/String;".into()))
    );
    assert_eq!(pool.class_name(array), Ok("[Ljava/lang/String;".into()));
    assert_eq!(pool.constant(method_type), Ok(Constant::MethodType("()V".into())));
    let member = MemberRef {
        class: "p/I".into(),
        name: "run".into(),
        descriptor: "()V".into(),
        is_interface: true,
    };
    assert_eq!(pool.member_ref(method), Ok(member.clone()));
    assert_eq!(pool.method_handle(handle), Ok((9, member.clone())));
    assert_eq!(
        pool.constant(handle),
        Ok(Constant::MethodHandle { kind: 9, member })
    );
    let (name, descriptor) = (Cow::Borrowed("name"), Cow::Borrowed("I"));
    let site = DynamicRef {
        bootstrap: 4,
        name: name.clone(),
        descriptor: descriptor.clone(),
    };
    assert_eq!(pool.invoke_dynamic(indy), Ok(site));
    assert_eq!(
        pool.constant(dynamic),
        Ok(Constant::Dynamic {
            bootstrap: 3,
            name,
            descriptor
        })
    );

    let message = pool.constant(text).unwrap_err().to_string();
    assert!(
        message.contains("is Utf8 instead of a loadable constant"),
        "{message}"
    );
    assert!(matches!(
        pool.utf8(float),
        Err(ClassFileError::WrongKind {
            expected: "Utf8",
            found: "Float",
            ..
        })
    ));
    assert!(pool.member_ref(array).is_err() && pool.invoke_dynamic(dynamic).is_err());
}

#[test]
fn decoded_strings_are_shared() {
    let mut class = Assembler::new("A");
    let plain = class.utf8("größe");
    let first = class.utf8(b"a\xc0\x80");
    let second = class.utf8(b"\xed\xa0\x80b");
    let class = parse(&class).unwrap();
    let pool = class.pool();
    assert!(matches!(pool.utf8(plain), Ok(Cow::Borrowed("größe"))));
    assert!(matches!(pool.utf8(first), Ok(Cow::Borrowed("a\0"))));
    assert!(matches!(pool.utf8(second), Ok(Cow::Borrowed("\u{fffd}b"))));
    assert_eq!(pool.utf8_bytes(first), Ok(&b"a\xc0\x80"[..]));
}

#[test]
fn bad_text_is_refused_at_its_offset() {
    let mut class = Assembler::new("A");
    let before = class.finish();
    class.utf8(b"ok\xff");
    let bytes = class.finish();
    let offset = bytes.iter().position(|&byte| byte == 0xff).unwrap();
    assert!(ClassFile::parse(&before).is_ok());
    assert_eq!(
        ClassFile::parse(&bytes).err(),
        Some(ClassFileError::BadUtf8 { offset })
    );
}

#[test]
fn overlong_text_is_for_old_versions() {
    let mut class = Assembler::new("A");
    let text = class.utf8(b"\xc1\x81");
    assert!(matches!(refusal(&class), ClassFileError::BadUtf8 { .. }));
    class.major = 47;
    assert_eq!(parse(&class).unwrap().pool().utf8(text), Ok("A".into()));
}

#[test]
fn references_must_have_the_right_kind() {
    for tag in [
        tag::CLASS,
        tag::STRING,
        tag::METHOD_TYPE,
        tag::MODULE,
        tag::PACKAGE,
    ] {
        let mut class = Assembler::new("A");
        let not_text = class.this_class;
        class.halves(tag, &[not_text]);
        assert!(
            matches!(
                refusal(&class),
                ClassFileError::WrongKind {
                    expected: "Utf8",
                    found: "Class",
                    ..
                }
            ),
            "{tag}"
        );
    }
    for tag in [tag::FIELD_REF, tag::METHOD_REF, tag::INTERFACE_METHOD_REF] {
        let mut class = Assembler::new("A");
        let halves = [class.this_class, class.this_class];
        class.halves(tag, &halves);
        assert!(
            matches!(
                refusal(&class),
                ClassFileError::WrongKind {
                    expected: "NameAndType",
                    ..
                }
            ),
            "{tag}"
        );
    }
    for tag in [tag::NAME_AND_TYPE, tag::DYNAMIC, tag::INVOKE_DYNAMIC] {
        let mut class = Assembler::new("A");
        class.halves(tag, &[1, 999]);
        assert!(
            matches!(refusal(&class), ClassFileError::BadIndex { index: 999, .. }),
            "{tag}"
        );
    }
}

#[test]
fn method_handles_match_their_kind() {
    let refs = [tag::FIELD_REF, tag::METHOD_REF, tag::INTERFACE_METHOD_REF];
    for kind in 0..=10_u8 {
        for tag in refs {
            for major in [51, 52] {
                let mut class = Assembler::new("A");
                class.major = major;
                let [high, low] = class.member_ref(tag, "B", "m", "()V").to_be_bytes();
                class.entry(tag::METHOD_HANDLE, &[kind, high, low]);
                let legal = match kind {
                    1..=4 => tag == tag::FIELD_REF,
                    5 | 8 => tag == tag::METHOD_REF,
                    6 | 7 => tag == tag::METHOD_REF || major == 52 && tag == tag::INTERFACE_METHOD_REF,
                    9 => tag == tag::INTERFACE_METHOD_REF,
                    _ => false,
                };
                assert_eq!(
                    parse(&class).is_ok(),
                    legal,
                    "kind {kind}, tag {tag}, major {major}"
                );
            }
        }
    }
}

#[test]
fn tags_come_with_versions() {
    for (tag, body, since) in [
        (tag::MODULE, &[0, 1][..], 53),
        (tag::METHOD_TYPE, &[0, 1], 51),
        (2, &[0, 1], 70),
        (21, &[0, 1], 70),
    ] {
        for major in 45..=69 {
            let mut class = Assembler::new("A");
            class.major = major;
            let index = class.entry(tag, body);
            match parse(&class).err() {
                None => assert!(major >= since),
                Some(ClassFileError::BadTag { index: found, .. }) => assert!(major < since && found == index),
                Some(other) => panic!("{other}"),
            }
        }
    }
}
