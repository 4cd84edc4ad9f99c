//! How many stack slots the plain instructions take and leave.

use raddle_classfile::{ArithOp, ConvertTo, Insn, Kind};

/// Slots popped and pushed by instructions that neither touch references nor shuffle the stack.
pub(crate) fn stack_effect(insn: &Insn<'_>) -> (usize, usize) {
    let slots = |kind: &Kind| usize::from(kind.slots());
    match insn {
        Insn::Pop
        | Insn::MonitorEnter
        | Insn::MonitorExit
        | Insn::If(..)
        | Insn::IfNull(_)
        | Insn::IfNonNull(_)
        | Insn::TableSwitch(_)
        | Insn::LookupSwitch(_) => (1, 0),
        Insn::Pop2 | Insn::IfIcmp(..) | Insn::IfAcmp(..) => (2, 0),
        Insn::Arith(kind, op) => {
            let shift = matches!(op, ArithOp::Shl | ArithOp::Shr | ArithOp::Ushr);
            let right = if shift { 1 } else { slots(kind) };
            (slots(kind) + right, slots(kind))
        }
        Insn::Neg(kind) => (slots(kind), slots(kind)),
        Insn::Convert(kind, to) => (
            slots(kind),
            if matches!(to, ConvertTo::Long | ConvertTo::Double) {
                2
            } else {
                1
            },
        ),
        Insn::Compare(kind) => (2 * slots(kind), 1),
        Insn::Jsr(_) => (0, 1),
        Insn::ArrayLength | Insn::InstanceOf(_) | Insn::CheckCast(_) => (1, 1),
        _ => (0, 0),
    }
}
