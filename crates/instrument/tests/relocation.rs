//! Jumps, switches, exception ranges and lines still mean the same when hooks are put between instructions.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test is a panic"
)]

mod support;

use std::collections::HashMap;

use raddle_classfile::{ClassFile, Code, Cond, Insn, MethodView};
use raddle_instrument::{Options, Reason, Rewriter};
use support::forge::{Body, Forge};

const NOP: u8 = 0x00;
const ICONST_0: u8 = 0x03;
const IFEQ: u8 = 0x99;
const GOTO: u8 = 0xa7;
const RETURN: u8 = 0xb1;
/// Bytes of a getstatic and its pop, and of the hook before it.
const READ: usize = 4;
const HOOK: usize = 6;

/// A class with one method `void m()` and a static field, and the field's index.
fn forge(code: impl FnOnce(u16) -> Vec<u8>) -> Vec<u8> {
    forge_with(code, &[], &[])
}

fn forge_with(code: impl FnOnce(u16) -> Vec<u8>, handlers: &[[u16; 4]], lines: &[[u16; 2]]) -> Vec<u8> {
    let mut forge = Forge::new("A", (49, 0));
    let field = forge.field("f", "I");
    // Site numbers then need `ldc_w`, whichever they are.
    forge.fill_pool(300);
    let code = code(field);
    let body = Body {
        code: &code,
        max_stack: 2,
        max_locals: 3,
        handlers,
        lines,
    };
    forge.method(0x9, "m", "()V", &body);
    forge.finish()
}

fn read(field: u16) -> [u8; READ] {
    let [high, low] = field.to_be_bytes();
    [0xb2, high, low, 0x57]
}

/// Rewrites a class; it must have been possible.
fn rewrite(bytes: &[u8]) -> ClassFile {
    let rewritten = Rewriter::new(Options::default()).rewrite("A", bytes);
    assert_eq!(rewritten.left_alone, []);
    ClassFile::parse_owned(rewritten.bytes.unwrap().into()).unwrap()
}

fn only_method(class: &ClassFile) -> MethodView<'_> {
    class.methods().next().unwrap()
}

fn inverse(cond: Cond) -> Cond {
    match cond {
        Cond::Eq => Cond::Ne,
        Cond::Ne => Cond::Eq,
        Cond::Lt => Cond::Ge,
        Cond::Ge => Cond::Lt,
        Cond::Gt => Cond::Le,
        Cond::Le => Cond::Gt,
    }
}

/// Whether a conditional jump over eight bytes is the inverse of another.
fn is_inverse(insn: &Insn<'_>, of: &Insn<'_>, over: u32) -> bool {
    match (insn, of) {
        (Insn::If(new, to), Insn::If(old, _)) | (Insn::IfIcmp(new, to), Insn::IfIcmp(old, _)) => {
            *new == inverse(*old) && *to == over
        }
        (Insn::IfAcmp(new, to), Insn::IfAcmp(old, _)) => new != old && *to == over,
        (Insn::IfNull(to), Insn::IfNonNull(_)) | (Insn::IfNonNull(to), Insn::IfNull(_)) => *to == over,
        _ => false,
    }
}

/// Compares two methods, instruction by instruction. Returns how many jumps became long.
fn assert_same_program(before: &ClassFile, after: &ClassFile) -> usize {
    let (old, new): (Code<'_>, Code<'_>) = (
        only_method(before).code().unwrap().unwrap(),
        only_method(after).code().unwrap().unwrap(),
    );
    let new_insns: Vec<_> = new.instructions().map(Result::unwrap).collect();
    let is_hook = |insn: &Insn<'_>| {
        matches!(*insn, Insn::InvokeStatic(index)
            if after.pool().member_ref(index).unwrap().class == "java/lang/Raddle")
    };
    let mut at = 0;
    let mut lengthened = 0;
    // New pcs of old instructions, with what was put before them.
    let mut moved = HashMap::new();
    let mut targets = Vec::new();
    for insn in old.instructions() {
        let (pc, insn) = insn.unwrap();
        moved.insert(pc, new_insns[at].0);
        let hooked = matches!(new_insns[at..], [(_, Insn::Ldc(_)), (_, ref call), ..] if is_hook(call));
        let is_backward = insn.branch_targets().iter().any(|&target| target <= pc);
        let expected = matches!(insn, Insn::GetStatic(_)) || (is_backward && !matches!(insn, Insn::Jsr(_)));
        assert_eq!(hooked, expected, "hook at {pc}");
        at += 2 * usize::from(hooked);
        let (new_pc, new_insn) = &new_insns[at];
        at += 1;
        if is_inverse(new_insn, &insn, new_pc + 8) && matches!(new_insns[at].1, Insn::Goto(_)) {
            targets.push((insn.branch_targets()[0], new_insns[at].1.branch_targets()[0]));
            at += 1;
            lengthened += 1;
            continue;
        }
        assert_eq!(insn.opcode_name(), new_insn.opcode_name(), "at {pc}");
        match (&insn, new_insn) {
            (Insn::TableSwitch(a), Insn::TableSwitch(b)) | (Insn::LookupSwitch(a), Insn::LookupSwitch(b)) => {
                assert!(
                    a.targets()
                        .map(|(key, _)| key)
                        .eq(b.targets().map(|(key, _)| key))
                );
            }
            _ if insn.branch_targets().is_empty() => assert_eq!(insn, *new_insn),
            _ => {}
        }
        targets.extend(insn.branch_targets().into_iter().zip(new_insn.branch_targets()));
    }
    assert_eq!(at, new_insns.len());
    moved.insert(old.bytes().len() as u32, new.bytes().len() as u32);
    for (old, new) in targets {
        assert_eq!(moved[&old], new, "target {old}");
    }
    for (old, new) in old.exception_table().iter().zip(new.exception_table()) {
        assert_eq!(moved[&old.start], new.start);
        assert_eq!(moved[&old.end], new.end);
        assert_eq!(moved[&old.handler], new.handler);
        assert_eq!(old.catch_type, new.catch_type);
    }
    assert_eq!(old.exception_table().len(), new.exception_table().len());
    let lines: Vec<_> = old
        .line_numbers()
        .iter()
        .map(|&(pc, line)| (moved[&pc], line))
        .collect();
    assert_eq!(lines, new.line_numbers());
    lengthened
}

/// A jump over `distance` bytes, of which one is a hooked instruction.
fn jump_over(opcode: u8, distance: usize) -> Vec<u8> {
    forge(|field| {
        let mut code = vec![ICONST_0, opcode, 0, 0];
        code.extend(read(field));
        code.resize(1 + distance, NOP);
        code.push(RETURN);
        let [high, low] = (distance as u16).to_be_bytes();
        code[2..4].copy_from_slice(&[high, low]);
        code
    })
}

#[test]
fn a_forward_jump_becomes_long_exactly_when_it_must() {
    for opcode in (IFEQ..=0xa7).chain([0xc6, 0xc7]) {
        for (distance, growth) in [
            (32767 - HOOK, 0),
            (32767 - HOOK + 1, if opcode == GOTO { 2 } else { 5 }),
            (32767, if opcode == GOTO { 2 } else { 5 }),
        ] {
            let before = ClassFile::parse_owned(jump_over(opcode, distance).into()).unwrap();
            let after = rewrite(before.bytes());
            let len = |class: &ClassFile| only_method(class).code().unwrap().unwrap().bytes().len();
            assert_eq!(
                len(&after),
                len(&before) + HOOK + growth,
                "{opcode:#x} over {distance}"
            );
            let lengthened = assert_same_program(&before, &after);
            assert_eq!(lengthened, usize::from(growth == 5));
        }
    }
}

#[test]
fn a_backward_jump_becomes_long_exactly_when_it_must() {
    // The hook of the loop is before the jump, and the one of the read between.
    for (distance, growth) in [(32768 - 2 * HOOK, 0), (32768 - 2 * HOOK + 1, 5), (32768, 5)] {
        let before = forge(|field| {
            let mut code = read(field).to_vec();
            code.resize(distance, NOP);
            code.push(IFEQ);
            code.extend((distance as u16).wrapping_neg().to_be_bytes());
            code.push(RETURN);
            code
        });
        let before = ClassFile::parse_owned(before.into()).unwrap();
        let after = rewrite(before.bytes());
        let len = |class: &ClassFile| only_method(class).code().unwrap().unwrap().bytes().len();
        assert_eq!(len(&after), len(&before) + 2 * HOOK + growth, "over {distance}");
        assert_same_program(&before, &after);
    }
}

#[test]
fn one_jump_that_becomes_long_can_make_the_next_one_long() {
    // Each of these jumps just reaches its target, until the one inside it grows.
    let jumps = 40;
    let before = forge(|field| {
        let mut code = Vec::new();
        for _ in 0..jumps {
            code.extend([ICONST_0, IFEQ, 0, 0]);
        }
        code.extend(read(field));
        code.resize(32767 - 5, NOP);
        for jump in 0..jumps {
            let at = (jumps - 1 - jump) * 4 + 1;
            let target = at + 32768 - HOOK - jump * 5;
            code.resize(code.len().max(target + 1), NOP);
            let [high, low] = ((target - at) as u16).to_be_bytes();
            code[at + 1..at + 3].copy_from_slice(&[high, low]);
        }
        code.push(RETURN);
        code
    });
    let before = ClassFile::parse_owned(before.into()).unwrap();
    assert_eq!(assert_same_program(&before, &rewrite(before.bytes())), jumps);
}

#[test]
fn what_is_done_on_entry_has_the_line_of_the_first_instruction() {
    let mut forge = Forge::new("A", (49, 0));
    let body = Body {
        code: &[NOP, RETURN],
        max_stack: 0,
        max_locals: 0,
        handlers: &[],
        lines: &[[0, 7], [1, 8]],
    };
    forge.method(0x29, "m", "()V", &body);
    let after = rewrite(&forge.finish());
    let method = only_method(&after);
    assert!(!method.access().is_synchronized());
    let code = method.code().unwrap().unwrap();
    // The return is behind the prologue and the nop, and begins with the release of the monitor.
    let enter = code
        .instructions()
        .position(|insn| insn.unwrap().1 == Insn::MonitorEnter)
        .unwrap();
    let (release, _) = code.instructions().nth(enter + 2).unwrap().unwrap();
    assert_eq!(code.line_numbers(), [(0, 7), (release, 8)]);
    // One handler for the monitor, which begins behind monitorenter and ends before the exit is announced.
    let (locked, _) = code.instructions().nth(enter + 1).unwrap().unwrap();
    let [handler] = code.exception_table()[..] else {
        panic!()
    };
    assert_eq!((handler.start, handler.catch_type), (locked, None));
    let (last, insn) = code.instructions().nth(enter + 3).unwrap().unwrap();
    assert_eq!((insn, handler.end), (Insn::MonitorExit, last + 1));
}

#[test]
fn a_method_that_becomes_too_long_is_named_and_left_alone() {
    let bytes = forge(|field| {
        let mut code = read(field).repeat(15000);
        code.push(RETURN);
        code
    });
    let rewritten = Rewriter::new(Options::default()).rewrite("A", &bytes);
    assert_eq!(rewritten.bytes, None);
    let [left] = &rewritten.left_alone[..] else {
        panic!()
    };
    assert_eq!(left.reason, Reason::TooLong);
    assert_eq!(
        left.to_string(),
        "A.m()V: the code would be longer than 65535 bytes"
    );
}

#[test]
fn the_locks_of_a_method_that_becomes_too_long_are_kept() {
    let bytes = forge(|field| {
        let mut code = read(field).repeat(15000);
        // aconst_null, dup, monitorenter, monitorexit
        code.extend([0x01, 0x59, 0xc2, 0xc3, RETURN]);
        code
    });
    let rewriter = Rewriter::new(Options::default());
    let rewritten = rewriter.rewrite("A", &bytes);
    assert_eq!(rewritten.left_alone[0].reason, Reason::DataLeftOut);
    assert_eq!(rewriter.site_count(), 2);
    support::check(&bytes, &rewritten.bytes.unwrap());
}

#[test]
fn a_pool_without_room_is_named_and_the_class_left_alone() {
    for (count, is_full) in [
        (65535 - 8, false),
        (65535 - 7, false),
        (65535 - 6, true),
        (65535, true),
    ] {
        let mut forge = Forge::new("A", (49, 0));
        let field = forge.field("f", "I");
        let mut code = read(field).to_vec();
        code.push(RETURN);
        let body = Body {
            code: &code,
            max_stack: 1,
            max_locals: 0,
            handlers: &[],
            lines: &[],
        };
        forge.method(0x9, "m", "()V", &body);
        forge.fill_pool(count);
        let bytes = forge.finish();
        let rewriter = Rewriter::new(Options::default());
        let rewritten = rewriter.rewrite("A", &bytes);
        let reasons: Vec<_> = rewritten.left_alone.into_iter().map(|left| left.reason).collect();
        // The number of the site, and six entries for the hook and its class.
        assert_eq!(reasons, vec![Reason::PoolFull; usize::from(is_full)], "{count}");
        assert_eq!(rewritten.bytes.is_none(), is_full);
        assert_eq!(rewriter.site_count(), usize::from(!is_full));
    }
}

#[test]
fn code_that_jumps_into_an_instruction_is_named_and_left_alone() {
    let bytes = forge(|field| {
        let mut code = vec![GOTO, 0, 4];
        code.extend(read(field));
        code.push(RETURN);
        code
    });
    let rewritten = Rewriter::new(Options::default()).rewrite("A", &bytes);
    assert_eq!(rewritten.bytes, None);
    assert_eq!(rewritten.left_alone[0].reason, Reason::SplitInstruction { pc: 4 });
}

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % limit
    }
}

/// An instruction of a random program. Targets are positions in the program.
enum Piece {
    Nops(usize),
    Reads(usize),
    Jump(u8, usize),
    Wide(u8, usize),
    Switch(bool, Vec<usize>),
}

/// Writes a random program; `None` when a jump does not reach.
fn assemble(pieces: &[Piece], field: u16) -> Option<(Vec<u8>, Vec<usize>)> {
    let mut pcs = Vec::new();
    let mut pc = 0;
    for piece in pieces {
        pcs.push(pc);
        pc += match piece {
            Piece::Nops(count) => *count,
            Piece::Reads(count) => count * READ,
            Piece::Jump(..) => 3,
            Piece::Wide(..) => 5,
            Piece::Switch(true, targets) => 4 - pc % 4 + 12 + (targets.len() - 1) * 4,
            Piece::Switch(false, targets) => 4 - pc % 4 + 8 + (targets.len() - 1) * 8,
        };
    }
    let mut code = Vec::new();
    for (piece, &pc) in pieces.iter().zip(&pcs) {
        let offset = |to: &usize| i32::try_from(pcs[*to]).unwrap() - i32::try_from(pc).unwrap();
        match piece {
            Piece::Nops(count) => code.resize(code.len() + count, NOP),
            Piece::Reads(count) => code.extend(read(field).repeat(*count)),
            Piece::Jump(opcode, to) => {
                code.push(*opcode);
                code.extend(i16::try_from(offset(to)).ok()?.to_be_bytes());
            }
            Piece::Wide(opcode, to) => {
                code.push(*opcode);
                code.extend(offset(to).to_be_bytes());
            }
            Piece::Switch(table, targets) => {
                code.push(if *table { 0xaa } else { 0xab });
                code.resize(code.len().next_multiple_of(4), 0);
                code.extend(offset(&targets[0]).to_be_bytes());
                let cases = i32::try_from(targets.len() - 1).unwrap();
                let head: &[i32] = if *table { &[-1, cases - 2] } else { &[cases] };
                code.extend(head.iter().flat_map(|word| word.to_be_bytes()));
                for (key, to) in targets[1..].iter().enumerate() {
                    if !table {
                        code.extend((key as u32 * 1000).to_be_bytes());
                    }
                    code.extend(offset(to).to_be_bytes());
                }
            }
        }
    }
    code.push(RETURN);
    Some((code, pcs))
}

#[test]
fn random_programs_stay_the_same() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let (mut programs, mut lengthened) = (0, 0);
    while programs < 400 {
        let count = 2 + dice.below(40);
        // Every other program has distances near the limit of short jumps.
        let longest = if programs % 2 == 0 { 12 } else { 3000 };
        let pieces: Vec<Piece> = (0..count)
            .map(|_| {
                let to = dice.below(count);
                match dice.below(8) {
                    0 | 1 => Piece::Nops(1 + dice.below(longest)),
                    2 | 3 => Piece::Reads(1 + dice.below(longest / 3)),
                    4 => Piece::Jump(IFEQ + dice.below(16) as u8, to),
                    5 => Piece::Jump(0xc6 + dice.below(2) as u8, to),
                    6 => Piece::Wide(0xc8 + dice.below(2) as u8, to),
                    _ => {
                        let cases = 1 + dice.below(5);
                        let targets = (0..=cases).map(|_| dice.below(count)).collect();
                        Piece::Switch(dice.below(2) == 0, targets)
                    }
                }
            })
            .collect();
        let reads: usize = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Reads(count) => *count,
                _ => 0,
            })
            .sum();
        if reads == 0 {
            continue;
        }
        let Some((code, pcs)) = assemble(&pieces, 0) else {
            continue;
        };
        if code.len() + HOOK * (reads + count) > 60_000 {
            continue;
        }
        let pc = |position: usize| pcs[position] as u16;
        let handlers: Vec<[u16; 4]> = (0..dice.below(4))
            .filter_map(|_| {
                let (start, end) = (dice.below(count), dice.below(count));
                (start < end).then(|| [pc(start), pc(end), pc(dice.below(count)), 0])
            })
            .collect();
        let lines: Vec<[u16; 2]> = (0..count).step_by(3).map(|k| [pc(k), k as u16 + 10]).collect();
        let before = forge_with(|field| assemble(&pieces, field).unwrap().0, &handlers, &lines);
        let before = ClassFile::parse_owned(before.into()).unwrap();
        lengthened += assert_same_program(&before, &rewrite(before.bytes()));
        programs += 1;
    }
    assert!(lengthened > 20, "{lengthened}");
}
