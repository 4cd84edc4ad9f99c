//! The whole opcode table, written out as in the specification, and the forms it cannot show.

use super::decode;
use crate::ArithOp::{Add, And, Div, Mul, Or, Rem, Shl, Shr, Sub, Ushr, Xor};
use crate::Cond::{Eq, Ge, Gt, Le, Lt, Ne};
use crate::Insn::*;
use crate::Kind::{Double, Float, Int, Long, Ref};
use crate::{ArrayKind, ClassFileError, ConvertTo, Insn};

/// Opcode, mnemonic, what it is decoded to before the bytes 4, 2, 1, 0, and its length.
#[rustfmt::skip]
const TABLE: [(u8, &str, Insn<'static>, u32); 197] = [
    (0x00, "nop", Nop, 1),
    (0x01, "aconst_null", ConstNull, 1),
    (0x02, "iconst_m1", ConstInt(-1), 1),
    (0x03, "iconst_0", ConstInt(0), 1),
    (0x04, "iconst_1", ConstInt(1), 1),
    (0x05, "iconst_2", ConstInt(2), 1),
    (0x06, "iconst_3", ConstInt(3), 1),
    (0x07, "iconst_4", ConstInt(4), 1),
    (0x08, "iconst_5", ConstInt(5), 1),
    (0x09, "lconst_0", ConstLong(0), 1),
    (0x0a, "lconst_1", ConstLong(1), 1),
    (0x0b, "fconst_0", ConstFloat(0.0), 1),
    (0x0c, "fconst_1", ConstFloat(1.0), 1),
    (0x0d, "fconst_2", ConstFloat(2.0), 1),
    (0x0e, "dconst_0", ConstDouble(0.0), 1),
    (0x0f, "dconst_1", ConstDouble(1.0), 1),
    (0x10, "bipush", ConstInt(4), 2),
    (0x11, "sipush", ConstInt(1026), 3),
    (0x12, "ldc", Ldc(4), 2),
    (0x13, "ldc_w", Ldc(1026), 3),
    (0x14, "ldc2_w", Ldc2(1026), 3),
    (0x15, "iload", Load(Int, 4), 2),
    (0x16, "lload", Load(Long, 4), 2),
    (0x17, "fload", Load(Float, 4), 2),
    (0x18, "dload", Load(Double, 4), 2),
    (0x19, "aload", Load(Ref, 4), 2),
    (0x1a, "iload_0", Load(Int, 0), 1),
    (0x1b, "iload_1", Load(Int, 1), 1),
    (0x1c, "iload_2", Load(Int, 2), 1),
    (0x1d, "iload_3", Load(Int, 3), 1),
    (0x1e, "lload_0", Load(Long, 0), 1),
    (0x1f, "lload_1", Load(Long, 1), 1),
    (0x20, "lload_2", Load(Long, 2), 1),
    (0x21, "lload_3", Load(Long, 3), 1),
    (0x22, "fload_0", Load(Float, 0), 1),
    (0x23, "fload_1", Load(Float, 1), 1),
    (0x24, "fload_2", Load(Float, 2), 1),
    (0x25, "fload_3", Load(Float, 3), 1),
    (0x26, "dload_0", Load(Double, 0), 1),
    (0x27, "dload_1", Load(Double, 1), 1),
    (0x28, "dload_2", Load(Double, 2), 1),
    (0x29, "dload_3", Load(Double, 3), 1),
    (0x2a, "aload_0", Load(Ref, 0), 1),
    (0x2b, "aload_1", Load(Ref, 1), 1),
    (0x2c, "aload_2", Load(Ref, 2), 1),
    (0x2d, "aload_3", Load(Ref, 3), 1),
    (0x2e, "iaload", ArrayLoad(ArrayKind::Int), 1),
    (0x2f, "laload", ArrayLoad(ArrayKind::Long), 1),
    (0x30, "faload", ArrayLoad(ArrayKind::Float), 1),
    (0x31, "daload", ArrayLoad(ArrayKind::Double), 1),
    (0x32, "aaload", ArrayLoad(ArrayKind::Ref), 1),
    (0x33, "baload", ArrayLoad(ArrayKind::Byte), 1),
    (0x34, "caload", ArrayLoad(ArrayKind::Char), 1),
    (0x35, "saload", ArrayLoad(ArrayKind::Short), 1),
    (0x36, "istore", Store(Int, 4), 2),
    (0x37, "lstore", Store(Long, 4), 2),
    (0x38, "fstore", Store(Float, 4), 2),
    (0x39, "dstore", Store(Double, 4), 2),
    (0x3a, "astore", Store(Ref, 4), 2),
    (0x3b, "istore_0", Store(Int, 0), 1),
    (0x3c, "istore_1", Store(Int, 1), 1),
    (0x3d, "istore_2", Store(Int, 2), 1),
    (0x3e, "istore_3", Store(Int, 3), 1),
    (0x3f, "lstore_0", Store(Long, 0), 1),
    (0x40, "lstore_1", Store(Long, 1), 1),
    (0x41, "lstore_2", Store(Long, 2), 1),
    (0x42, "lstore_3", Store(Long, 3), 1),
    (0x43, "fstore_0", Store(Float, 0), 1),
    (0x44, "fstore_1", Store(Float, 1), 1),
    (0x45, "fstore_2", Store(Float, 2), 1),
    (0x46, "fstore_3", Store(Float, 3), 1),
    (0x47, "dstore_0", Store(Double, 0), 1),
    (0x48, "dstore_1", Store(Double, 1), 1),
    (0x49, "dstore_2", Store(Double, 2), 1),
    (0x4a, "dstore_3", Store(Double, 3), 1),
    (0x4b, "astore_0", Store(Ref, 0), 1),
    (0x4c, "astore_1", Store(Ref, 1), 1),
    (0x4d, "astore_2", Store(Ref, 2), 1),
    (0x4e, "astore_3", Store(Ref, 3), 1),
    (0x4f, "iastore", ArrayStore(ArrayKind::Int), 1),
    (0x50, "lastore", ArrayStore(ArrayKind::Long), 1),
    (0x51, "fastore", ArrayStore(ArrayKind::Float), 1),
    (0x52, "dastore", ArrayStore(ArrayKind::Double), 1),
    (0x53, "aastore", ArrayStore(ArrayKind::Ref), 1),
    (0x54, "bastore", ArrayStore(ArrayKind::Byte), 1),
    (0x55, "castore", ArrayStore(ArrayKind::Char), 1),
    (0x56, "sastore", ArrayStore(ArrayKind::Short), 1),
    (0x57, "pop", Pop, 1),
    (0x58, "pop2", Pop2, 1),
    (0x59, "dup", Dup, 1),
    (0x5a, "dup_x1", DupX1, 1),
    (0x5b, "dup_x2", DupX2, 1),
    (0x5c, "dup2", Dup2, 1),
    (0x5d, "dup2_x1", Dup2X1, 1),
    (0x5e, "dup2_x2", Dup2X2, 1),
    (0x5f, "swap", Swap, 1),
    (0x60, "iadd", Arith(Int, Add), 1),
    (0x61, "ladd", Arith(Long, Add), 1),
    (0x62, "fadd", Arith(Float, Add), 1),
    (0x63, "dadd", Arith(Double, Add), 1),
    (0x64, "isub", Arith(Int, Sub), 1),
    (0x65, "lsub", Arith(Long, Sub), 1),
    (0x66, "fsub", Arith(Float, Sub), 1),
    (0x67, "dsub", Arith(Double, Sub), 1),
    (0x68, "imul", Arith(Int, Mul), 1),
    (0x69, "lmul", Arith(Long, Mul), 1),
    (0x6a, "fmul", Arith(Float, Mul), 1),
    (0x6b, "dmul", Arith(Double, Mul), 1),
    (0x6c, "idiv", Arith(Int, Div), 1),
    (0x6d, "ldiv", Arith(Long, Div), 1),
    (0x6e, "fdiv", Arith(Float, Div), 1),
    (0x6f, "ddiv", Arith(Double, Div), 1),
    (0x70, "irem", Arith(Int, Rem), 1),
    (0x71, "lrem", Arith(Long, Rem), 1),
    (0x72, "frem", Arith(Float, Rem), 1),
    (0x73, "drem", Arith(Double, Rem), 1),
    (0x74, "ineg", Neg(Int), 1),
    (0x75, "lneg", Neg(Long), 1),
    (0x76, "fneg", Neg(Float), 1),
    (0x77, "dneg", Neg(Double), 1),
    (0x78, "ishl", Arith(Int, Shl), 1),
    (0x79, "lshl", Arith(Long, Shl), 1),
    (0x7a, "ishr", Arith(Int, Shr), 1),
    (0x7b, "lshr", Arith(Long, Shr), 1),
    (0x7c, "iushr", Arith(Int, Ushr), 1),
    (0x7d, "lushr", Arith(Long, Ushr), 1),
    (0x7e, "iand", Arith(Int, And), 1),
    (0x7f, "land", Arith(Long, And), 1),
    (0x80, "ior", Arith(Int, Or), 1),
    (0x81, "lor", Arith(Long, Or), 1),
    (0x82, "ixor", Arith(Int, Xor), 1),
    (0x83, "lxor", Arith(Long, Xor), 1),
    (0x84, "iinc", Iinc(4, 2), 3),
    (0x85, "i2l", Convert(Int, ConvertTo::Long), 1),
    (0x86, "i2f", Convert(Int, ConvertTo::Float), 1),
    (0x87, "i2d", Convert(Int, ConvertTo::Double), 1),
    (0x88, "l2i", Convert(Long, ConvertTo::Int), 1),
    (0x89, "l2f", Convert(Long, ConvertTo::Float), 1),
    (0x8a, "l2d", Convert(Long, ConvertTo::Double), 1),
    (0x8b, "f2i", Convert(Float, ConvertTo::Int), 1),
    (0x8c, "f2l", Convert(Float, ConvertTo::Long), 1),
    (0x8d, "f2d", Convert(Float, ConvertTo::Double), 1),
    (0x8e, "d2i", Convert(Double, ConvertTo::Int), 1),
    (0x8f, "d2l", Convert(Double, ConvertTo::Long), 1),
    (0x90, "d2f", Convert(Double, ConvertTo::Float), 1),
    (0x91, "i2b", Convert(Int, ConvertTo::Byte), 1),
    (0x92, "i2c", Convert(Int, ConvertTo::Char), 1),
    (0x93, "i2s", Convert(Int, ConvertTo::Short), 1),
    (0x94, "lcmp", Compare(Long), 1),
    (0x95, "fcmpl", Compare(Float), 1),
    (0x96, "fcmpg", Compare(Float), 1),
    (0x97, "dcmpl", Compare(Double), 1),
    (0x98, "dcmpg", Compare(Double), 1),
    (0x99, "ifeq", If(Eq, 1026), 3),
    (0x9a, "ifne", If(Ne, 1026), 3),
    (0x9b, "iflt", If(Lt, 1026), 3),
    (0x9c, "ifge", If(Ge, 1026), 3),
    (0x9d, "ifgt", If(Gt, 1026), 3),
    (0x9e, "ifle", If(Le, 1026), 3),
    (0x9f, "if_icmpeq", IfIcmp(Eq, 1026), 3),
    (0xa0, "if_icmpne", IfIcmp(Ne, 1026), 3),
    (0xa1, "if_icmplt", IfIcmp(Lt, 1026), 3),
    (0xa2, "if_icmpge", IfIcmp(Ge, 1026), 3),
    (0xa3, "if_icmpgt", IfIcmp(Gt, 1026), 3),
    (0xa4, "if_icmple", IfIcmp(Le, 1026), 3),
    (0xa5, "if_acmpeq", IfAcmp(true, 1026), 3),
    (0xa6, "if_acmpne", IfAcmp(false, 1026), 3),
    (0xa7, "goto", Goto(1026), 3),
    (0xa8, "jsr", Jsr(1026), 3),
    (0xa9, "ret", Ret(4), 2),
    (0xac, "ireturn", Return(Some(Int)), 1),
    (0xad, "lreturn", Return(Some(Long)), 1),
    (0xae, "freturn", Return(Some(Float)), 1),
    (0xaf, "dreturn", Return(Some(Double)), 1),
    (0xb0, "areturn", Return(Some(Ref)), 1),
    (0xb1, "return", Return(None), 1),
    (0xb2, "getstatic", GetStatic(1026), 3),
    (0xb3, "putstatic", PutStatic(1026), 3),
    (0xb4, "getfield", GetField(1026), 3),
    (0xb5, "putfield", PutField(1026), 3),
    (0xb6, "invokevirtual", InvokeVirtual(1026), 3),
    (0xb7, "invokespecial", InvokeSpecial(1026), 3),
    (0xb8, "invokestatic", InvokeStatic(1026), 3),
    (0xb9, "invokeinterface", InvokeInterface(1026), 5),
    (0xba, "invokedynamic", InvokeDynamic(1026), 5),
    (0xbb, "new", New(1026), 3),
    (0xbc, "newarray", NewArray(4), 2),
    (0xbd, "anewarray", ANewArray(1026), 3),
    (0xbe, "arraylength", ArrayLength, 1),
    (0xbf, "athrow", AThrow, 1),
    (0xc0, "checkcast", CheckCast(1026), 3),
    (0xc1, "instanceof", InstanceOf(1026), 3),
    (0xc2, "monitorenter", MonitorEnter, 1),
    (0xc3, "monitorexit", MonitorExit, 1),
    (0xc5, "multianewarray", MultiANewArray(1026, 1), 4),
    (0xc6, "ifnull", IfNull(1026), 3),
    (0xc7, "ifnonnull", IfNonNull(1026), 3),
];

/// An instruction at pc 0 in code that is long enough for all of its targets.
fn code(start: &[u8]) -> Vec<u8> {
    let mut code = start.to_vec();
    code.resize(2000, 0);
    code
}

#[test]
fn every_opcode() {
    let mut rows = TABLE.iter();
    for opcode in 0..=255_u8 {
        let code = code(&[opcode, 4, 2, 1, 0]);
        match opcode {
            // The bytes after the padding are zero: key 0 for a table switch, no key for a lookup switch.
            0xaa => assert!(matches!(decode(&code, 0), Ok((TableSwitch(switch), 20)) if switch.len() == 1)),
            0xab => assert!(matches!(decode(&code, 0), Ok((LookupSwitch(switch), 12)) if switch.is_empty())),
            0xc4 => assert_eq!(
                decode(&code, 0),
                Err(ClassFileError::BadOpcode { opcode: 4, pc: 0 })
            ),
            0xc8 | 0xc9 => {
                assert_eq!(
                    decode(&code, 0),
                    Err(ClassFileError::BadBranch {
                        pc: 0,
                        target: 0x0402_0100
                    })
                );
            }
            0xca.. => assert_eq!(decode(&code, 0), Err(ClassFileError::BadOpcode { opcode, pc: 0 })),
            _ => {
                let (row, name, insn, length) = rows.next().unwrap();
                assert_eq!(*row, opcode);
                assert_eq!(decode(&code, 0), Ok((insn.clone(), *length)), "{name}");
                // bipush 4 is what iconst_4 is.
                let expected = if *name == "bipush" { "iconst" } else { name };
                assert!(
                    expected.starts_with(insn.opcode_name()),
                    "{name}: {}",
                    insn.opcode_name()
                );
            }
        }
    }
    assert_eq!(rows.next(), None);
}

#[test]
fn every_truncation_is_an_error() {
    for (opcode, name, _, length) in &TABLE {
        let code = [*opcode, 4, 2, 1, 0];
        for len in 1..*length as usize {
            assert_eq!(
                decode(&code[..len], 0),
                Err(ClassFileError::TruncatedInsn { pc: 0 }),
                "{name} in {len} bytes"
            );
        }
    }
    for code in [
        &[0xc4][..],
        &[0xc4, 0x15],
        &[0xc4, 0x15, 1],
        &[0xc4, 0x84, 1, 2, 3],
        &[0xc8, 0, 0, 0],
        &[0xaa],
    ] {
        assert_eq!(
            decode(code, 0),
            Err(ClassFileError::TruncatedInsn { pc: 0 }),
            "{code:02x?}"
        );
    }
    assert_eq!(decode(&[], 0), Err(ClassFileError::BadPc { pc: 0 }));
}

#[test]
fn wide_forms_are_folded() {
    for (opcode, insn) in [
        (0x15, Load(Int, 0x1234)),
        (0x16, Load(Long, 0x1234)),
        (0x17, Load(Float, 0x1234)),
        (0x18, Load(Double, 0x1234)),
        (0x19, Load(Ref, 0x1234)),
        (0x36, Store(Int, 0x1234)),
        (0x37, Store(Long, 0x1234)),
        (0x38, Store(Float, 0x1234)),
        (0x39, Store(Double, 0x1234)),
        (0x3a, Store(Ref, 0x1234)),
        (0xa9, Ret(0x1234)),
    ] {
        assert_eq!(decode(&[0xc4, opcode, 0x12, 0x34], 0), Ok((insn, 4)));
    }
    assert_eq!(
        decode(&[0xc4, 0x84, 0x12, 0x34, 0xff, 0x00], 0),
        Ok((Iinc(0x1234, -256), 6))
    );
    for opcode in (0..=255).filter(|opcode| !matches!(opcode, 0x15..=0x19 | 0x36..=0x3a | 0x84 | 0xa9)) {
        let code = [0xc4, opcode, 0, 1, 0, 1];
        assert_eq!(decode(&code, 0), Err(ClassFileError::BadOpcode { opcode, pc: 0 }));
    }
}

#[test]
fn operands_are_signed_where_they_should_be() {
    assert_eq!(decode(&[0x10, 0x80], 0), Ok((ConstInt(-128), 2)));
    assert_eq!(decode(&[0x11, 0x80, 0x00], 0), Ok((ConstInt(-32768), 3)));
    assert_eq!(decode(&[0x84, 0xff, 0xff], 0), Ok((Iinc(255, -1), 3)));
    assert_eq!(decode(&[0x12, 0xff], 0), Ok((Ldc(255), 2)));
    assert_eq!(decode(&[0xb4, 0xff, 0xff], 0), Ok((GetField(65535), 3)));
}

#[test]
fn branches_are_absolute_and_inside_the_code() {
    let mut code = vec![0; 20];
    code[10..13].copy_from_slice(&[0xa7, 0xff, 0xf6]);
    assert_eq!(decode(&code, 10), Ok((Goto(0), 13)));
    code[10..13].copy_from_slice(&[0xa7, 0xff, 0xf5]);
    assert_eq!(
        decode(&code, 10),
        Err(ClassFileError::BadBranch { pc: 10, target: -1 })
    );
    code[10..13].copy_from_slice(&[0xc7, 0x00, 0x09]);
    assert_eq!(decode(&code, 10), Ok((IfNonNull(19), 13)));
    code[10..13].copy_from_slice(&[0xc7, 0x00, 0x0a]);
    assert_eq!(
        decode(&code, 10),
        Err(ClassFileError::BadBranch { pc: 10, target: 20 })
    );
    for (opcode, insn) in [(0xc8, Goto(4)), (0xc9, Jsr(4))] {
        code[10..15].copy_from_slice(&[opcode, 0xff, 0xff, 0xff, 0xfa]);
        assert_eq!(decode(&code, 10), Ok((insn, 15)));
        code[10..15].copy_from_slice(&[opcode, 0x80, 0, 0, 0]);
        assert_eq!(
            decode(&code, 10),
            Err(ClassFileError::BadBranch {
                pc: 10,
                target: 10 - (1 << 31)
            })
        );
    }
}

#[test]
fn array_operands_are_checked() {
    for element in 0..=255 {
        let expected = match element {
            4..=11 => Ok((NewArray(element), 2)),
            _ => Err(ClassFileError::BadOperand { pc: 0 }),
        };
        assert_eq!(decode(&[0xbc, element], 0), expected);
    }
    assert_eq!(
        decode(&[0xc5, 0, 1, 0], 0),
        Err(ClassFileError::BadOperand { pc: 0 })
    );
    assert_eq!(decode(&[0xc5, 0, 1, 255], 0), Ok((MultiANewArray(1, 255), 4)));
}

#[test]
fn control_flow() {
    for (opcode, name, insn, _) in &TABLE {
        let leaves = matches!(opcode, 0xa7..=0xa9 | 0xac..=0xb1 | 0xbf);
        assert_eq!(insn.falls_through(), !leaves, "{name}");
        let jumps = matches!(opcode, 0x99..=0xa8 | 0xc6 | 0xc7);
        assert_eq!(
            insn.branch_targets().to_vec(),
            if jumps { vec![1026] } else { vec![] },
            "{name}"
        );
    }
}

#[test]
fn slots_of_types() {
    assert_eq!(
        [Int, Long, Float, Double, Ref].map(crate::Kind::slots),
        [1, 2, 1, 2, 1]
    );
    let elements = [
        ArrayKind::Byte,
        ArrayKind::Char,
        ArrayKind::Short,
        ArrayKind::Long,
        ArrayKind::Ref,
    ];
    assert_eq!(elements.map(ArrayKind::element), [Int, Int, Int, Long, Ref]);
    assert_eq!(
        [ConvertTo::Byte, ConvertTo::Double].map(ConvertTo::kind),
        [Int, Double]
    );
}
