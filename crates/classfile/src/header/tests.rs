//! Headers against full parses, and pools made to trip the sparse index.

use super::Header;
use crate::assembler::{Assembler, sample};
use crate::{AccessFlags, ClassFile, ClassFileError, tag};

#[test]
fn reads_the_sample() {
    let header = Header::read(&sample()).unwrap();
    assert_eq!(
        header,
        Header {
            name: "p/Sample".to_owned(),
            super_name: Some("java/lang/Object".to_owned()),
            interfaces: vec!["p/Face".to_owned()],
            access: AccessFlags(0x21),
            major: 61,
        }
    );
}

#[test]
fn finds_entries_among_longs() {
    // Runs of two-slot entries on odd indices step over every multiple of the stride.
    for longs in [0, 29, 30, 31, 32, 33, 200] {
        for shift in [0, 1] {
            let mut class = Assembler::new("p/Old");
            for _ in 0..shift {
                class.entry(tag::INTEGER, &[0; 4]);
            }
            for _ in 0..longs {
                class.entry(tag::LONG, &[0; 8]);
            }
            class.this_class = class.class("p/New");
            let bytes = class.finish();
            assert_eq!(
                Header::read(&bytes).unwrap().name,
                "p/New",
                "{longs} longs, shifted by {shift}"
            );
            assert_eq!(ClassFile::parse(&bytes).unwrap().name(), "p/New");
        }
    }
}

#[test]
fn a_second_slot_is_no_entry() {
    for longs in [1, 30, 31, 32] {
        let mut class = Assembler::new("A");
        for _ in 0..longs {
            class.this_class = class.entry(tag::LONG, &[0; 8]) + 1;
        }
        let expected = ClassFileError::BadIndex {
            index: class.this_class,
            len: class.next_index(),
        };
        assert_eq!(Header::read(&class.finish()), Err(expected.clone()));
        assert_eq!(ClassFile::parse(&class.finish()).err(), Some(expected));
    }
}

#[test]
fn a_missing_superclass_is_none() {
    let mut class = Assembler::new("module-info");
    class.super_class = 0;
    assert_eq!(Header::read(&class.finish()).unwrap().super_name, None);
}

#[test]
fn wrong_kinds_and_bad_names_are_refused() {
    let mut class = Assembler::new("A");
    class.this_class = class.utf8("A");
    assert!(matches!(
        Header::read(&class.finish()),
        Err(ClassFileError::WrongKind {
            expected: "Class",
            ..
        })
    ));
    class.this_class = class.class(b"\xff");
    assert!(matches!(
        Header::read(&class.finish()),
        Err(ClassFileError::BadUtf8 { .. })
    ));
    class.this_class = class.next_index();
    assert!(matches!(
        Header::read(&class.finish()),
        Err(ClassFileError::BadIndex { .. })
    ));
}

#[test]
fn one_long_name_is_not_multiplied() {
    let mut class = Assembler::new("A");
    let long = class.class(vec![b'x'; 65535]);
    class.interfaces = vec![long; 65535];
    assert!(matches!(
        Header::read(&class.finish()),
        Err(ClassFileError::RepeatedInterface { .. })
    ));
}

#[test]
fn a_truncated_header_is_an_error() {
    let bytes = sample();
    let whole = Header::read(&bytes).unwrap();
    let mut complete = false;
    for len in 0..bytes.len() {
        match Header::read(&bytes[..len]) {
            Ok(header) => {
                assert_eq!(header, whole);
                complete = true;
            }
            Err(_) => assert!(!complete, "a longer prefix must not be worse"),
        }
    }
}
