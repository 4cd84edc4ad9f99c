//! Names of instructions for people.

use crate::insn::{ArithOp, ArrayKind, Cond, ConvertTo, Insn, Kind};

impl Insn<'_> {
    /// The specification's mnemonic, without what decoding folds away: `iload` for `iload_0`, `ldc` for
    /// `ldc_w`, `fcmp` for `fcmpl` and `fcmpg`.
    pub fn opcode_name(&self) -> &'static str {
        match self {
            Insn::Nop => "nop",
            Insn::ConstNull => "aconst_null",
            Insn::ConstInt(value) => match value {
                -1..=5 => "iconst",
                -128..=127 => "bipush",
                _ => "sipush",
            },
            Insn::ConstLong(_) => "lconst",
            Insn::ConstFloat(_) => "fconst",
            Insn::ConstDouble(_) => "dconst",
            Insn::Ldc(_) => "ldc",
            Insn::Ldc2(_) => "ldc2_w",
            Insn::Load(kind, _) => by_kind(*kind, ["iload", "lload", "fload", "dload", "aload"]),
            Insn::Store(kind, _) => by_kind(*kind, ["istore", "lstore", "fstore", "dstore", "astore"]),
            Insn::ArrayLoad(kind) => array_load(*kind),
            Insn::ArrayStore(kind) => array_store(*kind),
            Insn::Pop => "pop",
            Insn::Pop2 => "pop2",
            Insn::Dup => "dup",
            Insn::DupX1 => "dup_x1",
            Insn::DupX2 => "dup_x2",
            Insn::Dup2 => "dup2",
            Insn::Dup2X1 => "dup2_x1",
            Insn::Dup2X2 => "dup2_x2",
            Insn::Swap => "swap",
            Insn::Arith(kind, op) => arith(*kind, *op),
            Insn::Neg(kind) => by_kind(*kind, ["ineg", "lneg", "fneg", "dneg", "?neg"]),
            Insn::Iinc(..) => "iinc",
            Insn::Convert(from, to) => convert(*from, *to),
            Insn::Compare(kind) => by_kind(*kind, ["?cmp", "lcmp", "fcmp", "dcmp", "?cmp"]),
            Insn::If(cond, _) => by_cond(*cond, ["ifeq", "ifne", "iflt", "ifge", "ifgt", "ifle"]),
            Insn::IfIcmp(cond, _) => by_cond(
                *cond,
                [
                    "if_icmpeq",
                    "if_icmpne",
                    "if_icmplt",
                    "if_icmpge",
                    "if_icmpgt",
                    "if_icmple",
                ],
            ),
            Insn::IfAcmp(true, _) => "if_acmpeq",
            Insn::IfAcmp(false, _) => "if_acmpne",
            Insn::IfNull(_) => "ifnull",
            Insn::IfNonNull(_) => "ifnonnull",
            Insn::Goto(_) => "goto",
            Insn::Jsr(_) => "jsr",
            Insn::Ret(_) => "ret",
            Insn::TableSwitch(_) => "tableswitch",
            Insn::LookupSwitch(_) => "lookupswitch",
            Insn::Return(None) => "return",
            Insn::Return(Some(kind)) => {
                by_kind(*kind, ["ireturn", "lreturn", "freturn", "dreturn", "areturn"])
            }
            Insn::GetStatic(_) => "getstatic",
            Insn::PutStatic(_) => "putstatic",
            Insn::GetField(_) => "getfield",
            Insn::PutField(_) => "putfield",
            Insn::InvokeVirtual(_) => "invokevirtual",
            Insn::InvokeSpecial(_) => "invokespecial",
            Insn::InvokeStatic(_) => "invokestatic",
            Insn::InvokeInterface(_) => "invokeinterface",
            Insn::InvokeDynamic(_) => "invokedynamic",
            Insn::New(_) => "new",
            Insn::NewArray(_) => "newarray",
            Insn::ANewArray(_) => "anewarray",
            Insn::MultiANewArray(..) => "multianewarray",
            Insn::ArrayLength => "arraylength",
            Insn::AThrow => "athrow",
            Insn::CheckCast(_) => "checkcast",
            Insn::InstanceOf(_) => "instanceof",
            Insn::MonitorEnter => "monitorenter",
            Insn::MonitorExit => "monitorexit",
        }
    }
}

fn by_kind(kind: Kind, [int, long, float, double, reference]: [&'static str; 5]) -> &'static str {
    match kind {
        Kind::Int => int,
        Kind::Long => long,
        Kind::Float => float,
        Kind::Double => double,
        Kind::Ref => reference,
    }
}

fn by_cond(cond: Cond, [eq, ne, lt, ge, gt, le]: [&'static str; 6]) -> &'static str {
    match cond {
        Cond::Eq => eq,
        Cond::Ne => ne,
        Cond::Lt => lt,
        Cond::Ge => ge,
        Cond::Gt => gt,
        Cond::Le => le,
    }
}

fn array_load(kind: ArrayKind) -> &'static str {
    match kind {
        ArrayKind::Int => "iaload",
        ArrayKind::Long => "laload",
        ArrayKind::Float => "faload",
        ArrayKind::Double => "daload",
        ArrayKind::Ref => "aaload",
        ArrayKind::Byte => "baload",
        ArrayKind::Char => "caload",
        ArrayKind::Short => "saload",
    }
}

fn array_store(kind: ArrayKind) -> &'static str {
    match kind {
        ArrayKind::Int => "iastore",
        ArrayKind::Long => "lastore",
        ArrayKind::Float => "fastore",
        ArrayKind::Double => "dastore",
        ArrayKind::Ref => "aastore",
        ArrayKind::Byte => "bastore",
        ArrayKind::Char => "castore",
        ArrayKind::Short => "sastore",
    }
}

// Decoding never pairs a type with an operation it does not have; the `?` names are for values made
// elsewhere.
fn arith(kind: Kind, op: ArithOp) -> &'static str {
    let names = match op {
        ArithOp::Add => ["iadd", "ladd", "fadd", "dadd", "?add"],
        ArithOp::Sub => ["isub", "lsub", "fsub", "dsub", "?sub"],
        ArithOp::Mul => ["imul", "lmul", "fmul", "dmul", "?mul"],
        ArithOp::Div => ["idiv", "ldiv", "fdiv", "ddiv", "?div"],
        ArithOp::Rem => ["irem", "lrem", "frem", "drem", "?rem"],
        ArithOp::Shl => ["ishl", "lshl", "?shl", "?shl", "?shl"],
        ArithOp::Shr => ["ishr", "lshr", "?shr", "?shr", "?shr"],
        ArithOp::Ushr => ["iushr", "lushr", "?ushr", "?ushr", "?ushr"],
        ArithOp::And => ["iand", "land", "?and", "?and", "?and"],
        ArithOp::Or => ["ior", "lor", "?or", "?or", "?or"],
        ArithOp::Xor => ["ixor", "lxor", "?xor", "?xor", "?xor"],
    };
    by_kind(kind, names)
}

fn convert(from: Kind, to: ConvertTo) -> &'static str {
    let names = match to {
        ConvertTo::Int => ["?2i", "l2i", "f2i", "d2i", "?2i"],
        ConvertTo::Long => ["i2l", "?2l", "f2l", "d2l", "?2l"],
        ConvertTo::Float => ["i2f", "l2f", "?2f", "d2f", "?2f"],
        ConvertTo::Double => ["i2d", "l2d", "f2d", "?2d", "?2d"],
        ConvertTo::Byte => ["i2b", "?2b", "?2b", "?2b", "?2b"],
        ConvertTo::Char => ["i2c", "?2c", "?2c", "?2c", "?2c"],
        ConvertTo::Short => ["i2s", "?2s", "?2s", "?2s", "?2s"],
    };
    by_kind(from, names)
}
