//! What the builder writes, the reader reads; what cannot be written is said.

use super::*;
use crate::descriptor::FieldType;
use crate::{ClassFile, Constant, Insn};

fn assembled(build: impl FnOnce(&mut ClassAssembler)) -> Result<Vec<u8>, AssembleError> {
    let mut class = ClassAssembler::new(52, 0x21, "p/Made", "java/lang/Object");
    build(&mut class);
    class.finish()
}

fn fault(build: impl FnOnce(&mut MethodAssembler<'_>)) -> AssembleError {
    assembled(|class| {
        let mut method = class.method(0x9, "f", "()V");
        build(&mut method);
        method.end();
    })
    .unwrap_err()
}

#[test]
fn a_made_class_can_be_read() {
    let bytes = assembled(|class| {
        let mut method = class.method(0x9, "f", "(IJ)V");
        let (first, other, handler) = (method.label(), method.label(), method.label());
        let from = method.position();
        method.load_int(0).switch(-1, &[first, other], other);
        method.place(first);
        method.push_long(7).push_long(7);
        method.invoke(Invocation::Static, "p/Made", "g", "(JJ)V");
        let to = method.position();
        method.handle(from, to, "java/lang/Throwable", handler);
        method.place(other).return_void();
        method.place_handler(handler, "java/lang/Throwable").throw();
        method.end();
    })
    .unwrap();
    let class = ClassFile::parse(&bytes).unwrap();
    let method = class.methods().next().unwrap();
    assert_eq!((&*method.name(), &*method.descriptor()), ("f", "(IJ)V"));
    let code = method.code().unwrap().unwrap();
    assert_eq!((code.max_stack(), code.max_locals()), (4, 3));
    let instructions: Vec<_> = code.instructions().collect::<Result<_, _>>().unwrap();
    assert!(
        matches!(instructions.last(), Some((_, Insn::AThrow))),
        "{instructions:?}"
    );
    assert_eq!(code.exception_table().len(), 1);
    let longs = (1..class.pool().len())
        .filter(|index| matches!(class.pool().constant(*index), Ok(Constant::Long(7))))
        .count();
    assert_eq!(longs, 1, "equal constants share an entry");
}

#[test]
fn values_of_every_kind_are_loaded_counted_and_returned() {
    let bytes = assembled(|class| {
        class.implement("java/lang/Runnable");
        for (number, letter) in "IJFD".chars().enumerate() {
            let descriptor = format!("(JJ{letter}){letter}");
            let field = FieldType::parse(&descriptor[3..4]).unwrap();
            let mut method = class.method(0x1, &format!("f{number}"), &descriptor);
            method.load_value(&field, 5).add_one(&field).return_value(&field);
            method.end();
        }
        let object = FieldType::Object("java/lang/Object");
        let mut method = class.method(0x1, "g", "(Ljava/lang/Object;)Ljava/lang/Object;");
        method.load_value(&object, 1).return_value(&object);
        method.end();
    })
    .unwrap();
    let class = ClassFile::parse(&bytes).unwrap();
    assert_eq!(class.interfaces().collect::<Vec<_>>(), ["java/lang/Runnable"]);
    let code: Vec<_> = class
        .methods()
        .map(|method| {
            let code = method.code().unwrap().unwrap();
            (code.bytes().to_vec(), code.max_stack(), code.max_locals())
        })
        .collect();
    assert_eq!(
        code,
        [
            (vec![0x15, 5, 0x04, 0x60, 0xac], 2, 6),
            (vec![0x16, 5, 0x0a, 0x61, 0xad], 4, 7),
            (vec![0x17, 5, 0x0c, 0x62, 0xae], 2, 6),
            (vec![0x18, 5, 0x0f, 0x63, 0xaf], 4, 7),
            (vec![0x2b, 0xb0], 1, 2),
        ]
    );
    let object = FieldType::Object("java/lang/Object");
    assert!(matches!(
        fault(|method| {
            method.push_null().add_one(&object).return_value(&object);
        }),
        AssembleError::BadStack { .. }
    ));
}

#[test]
fn texts_hold_every_utf_16_unit() {
    let units = [0x41, 0, 0x7f, 0x80, 0x7ff, 0x800, 0xd83d, 0xde00, 0xdfff, 0xffff];
    let bytes = modified_utf8(units.into_iter());
    let expected =
        b"A\xc0\x80\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\xa0\xbd\xed\xb8\x80\xed\xbf\xbf\xef\xbf\xbf";
    assert_eq!(bytes, expected);
}

#[test]
fn limits_are_errors() {
    let long = vec![0x41; 65_536];
    assert_eq!(
        fault(|method| {
            method.push_string(&long).throw();
        }),
        AssembleError::TextTooLong { len: 65_536 }
    );
    assert!(matches!(
        fault(|method| {
            for value in 0..70_000 {
                method.push_int(100_000 + value);
            }
            method.throw();
        }),
        AssembleError::PoolFull
    ));
    assert!(matches!(
        fault(|method| {
            for _ in 0..70_000 {
                method.push_int(0);
            }
            method.throw();
        }),
        AssembleError::CodeTooLong { len: 70_001, .. }
    ));
    assert!(matches!(
        fault(|method| {
            let end = method.label();
            let skipped = method.label();
            method.push_int(0).switch(0, &[end, skipped], end);
            method.place(skipped).go_to(end);
            let rest = method.label();
            method.place(rest);
            for _ in 0..20_000 {
                method.invoke(Invocation::Static, "p/Made", "f", "()V");
            }
            method.place(end).return_void();
        }),
        AssembleError::BranchTooFar { .. }
    ));
}

#[test]
fn wrong_code_is_an_error() {
    assert!(matches!(
        fault(|method| {
            method.dup().throw();
        }),
        AssembleError::BadStack { pc: 0, .. }
    ));
    assert!(matches!(
        fault(|method| {
            method.push_null();
        }),
        AssembleError::BadStack { pc: 1, .. }
    ));
    assert!(matches!(
        fault(|method| {
            method.return_void().push_null().throw();
        }),
        AssembleError::Unreachable { pc: 1, .. }
    ));
    assert!(matches!(
        fault(|method| {
            let label = method.label();
            method.go_to(label);
        }),
        AssembleError::UnplacedLabel { .. }
    ));
    assert!(matches!(
        fault(|method| {
            method
                .invoke(Invocation::Static, "p/Made", "f", "()")
                .return_void();
        }),
        AssembleError::Descriptor(_)
    ));
}
