//! Code attributes: both layouts, tables, limits.

use crate::assembler::{Assembler, be};
use crate::{ClassFile, ClassFileError, Handler, Insn, Kind, LocalVariable, Result};

/// Reads the code of a class's first method and hands it to `look`.
fn with_code<T>(class: &Assembler, look: impl FnOnce(crate::Code<'_>) -> T) -> Result<T> {
    let class = ClassFile::parse(&class.finish())?;
    let code = class.methods().next().unwrap().code()?.unwrap();
    Ok(look(code))
}

fn refusal(class: &Assembler) -> ClassFileError {
    with_code(class, |_| ()).unwrap_err()
}

#[test]
fn instructions_come_with_their_pcs() {
    let mut class = Assembler::new("A");
    // sipush 300, istore_1, iinc 1 by -1, return
    let code = class.code(&[0x11, 0x01, 0x2c, 0x3c, 0x84, 1, 0xff, 0xb1], &[], &[]);
    class.method(8, "m", "()V", &[code]);
    let (all, sizes, at) = with_code(&class, |code| {
        let all: Vec<_> = code
            .instructions()
            .map(|insn| insn.map(|(pc, insn)| (pc, format!("{insn:?}"))))
            .collect();
        (
            all,
            (code.max_stack(), code.max_locals(), code.bytes().len()),
            format!("{:?}", code.instruction_at(3)),
        )
    })
    .unwrap();
    let expected = [
        (0, "ConstInt(300)"),
        (3, "Store(Int, 1)"),
        (4, "Iinc(1, -1)"),
        (7, "Return(None)"),
    ];
    assert_eq!(all, expected.map(|(pc, insn)| Ok((pc, insn.to_owned()))));
    assert_eq!(sizes, (2, 3, 8));
    assert_eq!(at, "Ok((Store(Int, 1), 4))");
}

#[test]
fn iteration_ends_after_the_first_error() {
    let mut class = Assembler::new("A");
    let code = class.code(&[0x00, 0xfe, 0x00, 0xb1], &[], &[]);
    class.method(8, "m", "()V", &[code]);
    with_code(&class, |code| {
        let mut all = code.instructions();
        assert_eq!(all.next(), Some(Ok((0, Insn::Nop))));
        assert_eq!(
            all.next(),
            Some(Err(ClassFileError::BadOpcode { opcode: 0xfe, pc: 1 }))
        );
        assert_eq!(all.next(), None);
        assert_eq!(all.next(), None);
        assert_eq!(code.instruction_at(4), Err(ClassFileError::BadPc { pc: 4 }));
        assert_eq!(
            code.instruction_at(u32::MAX),
            Err(ClassFileError::BadPc { pc: u32::MAX })
        );
    })
    .unwrap();
}

#[test]
fn before_45_3_the_sizes_are_narrow() {
    let mut class = Assembler::new("A");
    class.major = 45;
    // max_stack 1, max_locals 2, three bytes of code (iload_1, ireturn, nop), no handlers, no attributes
    let narrow = class.attribute("Code", &[1, 2, 0, 3, 0x1b, 0xac, 0x00, 0, 0, 0, 0]);
    class.method(8, "m", "(II)I", &[narrow]);
    for minor in [0, 2] {
        class.minor = minor;
        let read = with_code(&class, |code| {
            assert_eq!(code.instruction_at(0), Ok((Insn::Load(Kind::Int, 1), 1)));
            assert_eq!(code.instruction_at(1), Ok((Insn::Return(Some(Kind::Int)), 2)));
            (code.max_stack(), code.max_locals(), code.bytes().len())
        });
        assert_eq!(read, Ok((1, 2, 3)));
    }
    class.minor = 3;
    assert!(with_code(&class, |_| ()).is_err());
    class.major = 46;
    class.minor = 0;
    assert!(with_code(&class, |_| ()).is_err());
}

#[test]
fn the_exception_table_is_checked() {
    let body = [0x00, 0x00, 0x00, 0xb1];
    let mut class = Assembler::new("A");
    let thrown = class.class("java/lang/Exception");
    let code = class.code(&body, &[[0, 3, 3, thrown], [0, 4, 0, 0]], &[]);
    class.method(8, "m", "()V", &[code]);
    let table = with_code(&class, |code| code.exception_table()).unwrap();
    assert_eq!(
        table,
        [
            Handler {
                start: 0,
                end: 3,
                handler: 3,
                catch_type: Some(thrown)
            },
            Handler {
                start: 0,
                end: 4,
                handler: 0,
                catch_type: None
            },
        ]
    );
    for bad in [
        [0, 0, 0, 0],
        [2, 1, 0, 0],
        [0, 5, 0, 0],
        [0, 4, 4, 0],
        [4, 65535, 0, 0],
    ] {
        let mut class = Assembler::new("A");
        let code = class.code(&body, &[bad], &[]);
        class.method(8, "m", "()V", &[code]);
        assert!(
            matches!(refusal(&class), ClassFileError::BadHandler { .. }),
            "{bad:?}"
        );
    }
    let mut class = Assembler::new("A");
    let code = class.code(&body, &[[0, 4, 0, 1]], &[]);
    class.method(8, "m", "()V", &[code]);
    assert!(matches!(
        refusal(&class),
        ClassFileError::WrongKind {
            expected: "Class",
            ..
        }
    ));
}

#[test]
fn line_tables_are_joined_and_sorted() {
    let mut class = Assembler::new("A");
    let first = class.attribute("LineNumberTable", &be(&[3, 2, 20, 0, 10, 9, 99]));
    let second = class.attribute("LineNumberTable", &be(&[2, 1, 15, 2, 21]));
    let code = class.code(&[0, 0, 0, 0xb1], &[], &[first, second]);
    class.method(8, "m", "()V", &[code]);
    let lines = with_code(&class, |code| code.line_numbers()).unwrap();
    assert_eq!(
        lines,
        [(0, 10), (1, 15), (2, 20), (2, 21)],
        "pc 9 is outside the code"
    );
}

#[test]
fn a_line_table_has_the_length_it_says() {
    for body in [&[2, 0, 1][..], &[0, 0], &[]] {
        let mut class = Assembler::new("A");
        let table = class.attribute("LineNumberTable", &be(body));
        let code = class.code(&[0xb1], &[], &[table]);
        class.method(8, "m", "()V", &[code]);
        assert!(
            matches!(
                refusal(&class),
                ClassFileError::BadAttributeLength {
                    name: "LineNumberTable",
                    ..
                }
            ),
            "{body:?}"
        );
    }
}

#[test]
fn local_variables_that_make_no_sense_are_left_out() {
    let mut class = Assembler::new("A");
    let (name, descriptor) = (class.utf8("count"), class.utf8("J"));
    let table = [
        4, // the last one is cut off
        1, 2, name, descriptor, 3, // good
        1, 4, name, descriptor, 3, // beyond the code
        0, 1, name, 9999, 0, // no such entry
        0,
    ];
    let table = class.attribute("LocalVariableTable", &be(&table));
    let code = class.code(&[0, 0, 0, 0xb1], &[], &[table]);
    class.method(8, "m", "()V", &[code]);
    with_code(&class, |code| {
        let good = LocalVariable {
            start: 1,
            end: 3,
            name: "count".into(),
            descriptor: "J".into(),
            slot: 3,
        };
        assert_eq!(code.local_variables(), [good]);
        assert_eq!(code.line_numbers(), []);
    })
    .unwrap();
}

#[test]
fn code_has_1_to_65535_bytes() {
    for (length, good) in [(0, false), (1, true), (65535, true), (65536, false)] {
        let mut class = Assembler::new("A");
        let code = class.code(&vec![0; length], &[], &[]);
        class.method(8, "m", "()V", &[code]);
        match with_code(&class, |code| code.instructions().count()) {
            Ok(count) => assert!(good && count == length),
            Err(error) => assert!(!good && matches!(error, ClassFileError::BadCodeLength { .. })),
        }
    }
}

#[test]
fn the_attribute_is_exactly_as_long_as_its_content() {
    let mut class = Assembler::new("A");
    let whole = class.code(&[0, 0xb1], &[[0, 1, 1, 0]], &[]);
    for len in 6..whole.len() + 2 {
        let mut attribute = whole.clone();
        attribute.resize(len, 0);
        attribute[2..6].copy_from_slice(&(len as u32 - 6).to_be_bytes());
        class.methods.clear();
        class.method(8, "m", "()V", &[attribute]);
        assert_eq!(with_code(&class, |_| ()).is_ok(), len == whole.len(), "{len}");
    }
}

#[test]
fn a_method_has_one_code_attribute() {
    let mut class = Assembler::new("A");
    let code = class.code(&[0xb1], &[], &[]);
    class.method(8, "m", "()V", &[code.clone(), code]);
    assert!(matches!(
        refusal(&class),
        ClassFileError::DuplicateAttribute { name: "Code", .. }
    ));
}
