//! Checks the operand stack of a method: its depth is the same on all ways to an instruction, never below zero
//! and never above the limit that the method declares. And tells whether monitors are balanced, by the rules of
//! the JVM's own analysis (`GenerateOopMap`): it does not compile methods in which they are not.

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_classfile::{ArithOp, ClassFile, Code, Constant, ConvertTo, Insn, Kind};

/// What is on the stack and locked before an instruction.
#[derive(Copy, Clone, PartialEq)]
struct Depth {
    slots: i32,
    monitors: i32,
}

/// Follows all ways through the code; returns whether its monitors are balanced.
pub(crate) fn check(class: &ClassFile, code: &Code<'_>, insns: &[(u32, Insn<'_>)]) -> Result<bool, String> {
    let mut index = vec![usize::MAX; code.bytes().len() + 1];
    for (position, (pc, _)) in insns.iter().enumerate() {
        index[*pc as usize] = position;
    }
    let handlers = code.exception_table();
    let limit = i32::from(code.max_stack());
    let mut balanced = true;
    let mut depths: Vec<Option<Depth>> = vec![None; insns.len()];
    let mut open = vec![(
        0_u32,
        Depth {
            slots: 0,
            monitors: 0,
        },
    )];
    while let Some((pc, depth)) = open.pop() {
        let position = index.get(pc as usize).copied().unwrap_or(usize::MAX);
        let Some((_, insn)) = insns.get(position) else {
            return Err(format!("falls out of the code at {pc}"));
        };
        match depths[position] {
            Some(known) if known.slots == depth.slots => {
                balanced &= known.monitors == depth.monitors;
                continue;
            }
            Some(known) => return Err(format!("depth {} and {} at {pc}", known.slots, depth.slots)),
            None => depths[position] = Some(depth),
        }
        let (pops, pushes) = effect(class, insn);
        let slots = depth.slots - pops + pushes;
        if depth.slots < pops || depth.slots > limit || slots > limit {
            return Err(format!(
                "depth {} -{pops} +{pushes} at {pc}, limit {limit}",
                depth.slots
            ));
        }
        let mut monitors = depth.monitors;
        match insn {
            Insn::MonitorEnter => monitors += 1,
            Insn::MonitorExit => monitors -= 1,
            Insn::Return(_) => balanced &= monitors == 0,
            _ => {}
        }
        balanced &= monitors >= 0;
        if can_throw(insn) {
            let mut caught = false;
            for handler in &handlers {
                if !caught && (handler.start..handler.end).contains(&pc) {
                    open.push((handler.handler, Depth { slots: 1, ..depth }));
                    caught = handler.catch_type.is_none();
                }
            }
            balanced &= caught || depth.monitors == 0;
        }
        let next = insns.get(position + 1).map_or(u32::MAX, |&(pc, _)| pc);
        if let Insn::Jsr(target) = insn {
            // The subroutine takes the return address and comes back without it.
            let slots = depth.slots + 1;
            open.push((*target, Depth { slots, ..depth }));
            open.push((next, depth));
            continue;
        }
        let after = Depth { slots, monitors };
        open.extend(insn.branch_targets().into_iter().map(|target| (target, after)));
        if insn.falls_through() {
            open.push((next, after));
        }
    }
    Ok(balanced)
}

/// Whether an instruction can throw, for one that takes monitors to be balanced.
fn can_throw(insn: &Insn<'_>) -> bool {
    match insn {
        Insn::Arith(kind, op) => {
            matches!(kind, Kind::Int | Kind::Long) && matches!(op, ArithOp::Div | ArithOp::Rem)
        }
        Insn::Ldc(_)
        | Insn::ArrayLoad(_)
        | Insn::ArrayStore(_)
        | Insn::GetStatic(_)
        | Insn::PutStatic(_)
        | Insn::GetField(_)
        | Insn::PutField(_)
        | Insn::InvokeVirtual(_)
        | Insn::InvokeSpecial(_)
        | Insn::InvokeStatic(_)
        | Insn::InvokeInterface(_)
        | Insn::InvokeDynamic(_)
        | Insn::New(_)
        | Insn::NewArray(_)
        | Insn::ANewArray(_)
        | Insn::MultiANewArray(..)
        | Insn::ArrayLength
        | Insn::AThrow
        | Insn::CheckCast(_)
        | Insn::InstanceOf(_)
        | Insn::MonitorEnter => true,
        _ => false,
    }
}

/// The slots an instruction takes and those it leaves.
#[allow(clippy::match_same_arms, reason = "arms are groups of related instructions")]
fn effect(class: &ClassFile, insn: &Insn<'_>) -> (i32, i32) {
    let slots = |kind: Kind| i32::from(kind.slots());
    match *insn {
        Insn::Nop | Insn::Iinc(..) | Insn::Goto(_) | Insn::Jsr(_) | Insn::Ret(_) | Insn::Return(None) => {
            (0, 0)
        }
        Insn::ConstNull | Insn::ConstInt(_) | Insn::ConstFloat(_) | Insn::New(_) => (0, 1),
        Insn::ConstLong(_) | Insn::ConstDouble(_) | Insn::Ldc2(_) => (0, 2),
        Insn::Ldc(index) => match class.pool().constant(index) {
            Ok(Constant::Long(_) | Constant::Double(_)) | Err(_) => (1000, 0),
            Ok(_) => (0, 1),
        },
        Insn::Load(kind, _) => (0, slots(kind)),
        Insn::Store(kind, _) => (slots(kind), 0),
        Insn::ArrayLoad(kind) => (2, slots(kind.element())),
        Insn::ArrayStore(kind) => (2 + slots(kind.element()), 0),
        Insn::Pop => (1, 0),
        Insn::Pop2 => (2, 0),
        Insn::Dup => (1, 2),
        Insn::DupX1 => (2, 3),
        Insn::DupX2 => (3, 4),
        Insn::Dup2 => (2, 4),
        Insn::Dup2X1 => (3, 5),
        Insn::Dup2X2 => (4, 6),
        Insn::Swap => (2, 2),
        Insn::Arith(kind, op) => {
            let right = if matches!(op, ArithOp::Shl | ArithOp::Shr | ArithOp::Ushr) {
                1
            } else {
                slots(kind)
            };
            (slots(kind) + right, slots(kind))
        }
        Insn::Neg(kind) => (slots(kind), slots(kind)),
        Insn::Convert(kind, to) => {
            let wide = matches!(to, ConvertTo::Long | ConvertTo::Double);
            (slots(kind), if wide { 2 } else { 1 })
        }
        Insn::Compare(kind) => (2 * slots(kind), 1),
        Insn::If(..) | Insn::IfNull(_) | Insn::IfNonNull(_) => (1, 0),
        Insn::TableSwitch(_) | Insn::LookupSwitch(_) => (1, 0),
        Insn::IfIcmp(..) | Insn::IfAcmp(..) => (2, 0),
        Insn::Return(Some(kind)) => (slots(kind), 0),
        Insn::GetStatic(index) => (0, field(class, index)),
        Insn::PutStatic(index) => (field(class, index), 0),
        Insn::GetField(index) => (1, field(class, index)),
        Insn::PutField(index) => (1 + field(class, index), 0),
        Insn::InvokeStatic(index) => call(&class.pool().member_ref(index).unwrap().descriptor, 0),
        Insn::InvokeVirtual(index) | Insn::InvokeSpecial(index) | Insn::InvokeInterface(index) => {
            call(&class.pool().member_ref(index).unwrap().descriptor, 1)
        }
        Insn::InvokeDynamic(index) => call(&class.pool().invoke_dynamic(index).unwrap().descriptor, 0),
        Insn::NewArray(_)
        | Insn::ANewArray(_)
        | Insn::ArrayLength
        | Insn::CheckCast(_)
        | Insn::InstanceOf(_) => (1, 1),
        Insn::MultiANewArray(_, dimensions) => (i32::from(dimensions), 1),
        Insn::AThrow | Insn::MonitorEnter | Insn::MonitorExit => (1, 0),
    }
}

fn field(class: &ClassFile, index: u16) -> i32 {
    let member = class.pool().member_ref(index).unwrap();
    i32::from(FieldType::parse(&member.descriptor).unwrap().slots())
}

fn call(descriptor: &str, receiver: i32) -> (i32, i32) {
    let method = MethodType::parse(descriptor).unwrap();
    let result = method
        .result
        .as_ref()
        .map_or(0, |result| i32::from(result.slots()));
    (i32::from(method.parameter_slots()) + receiver, result)
}
