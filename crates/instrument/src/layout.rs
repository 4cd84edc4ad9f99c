//! Where instructions go when others are put between them.

use raddle_classfile::{Handler, Switch};

use crate::emit;

/// A range of `Edits::bytes`.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    fn len(self) -> u32 {
        self.end - self.start
    }
}

/// One instruction that is not just copied. Jumps are among them even if nothing is added, since their
/// operands change with the distance.
#[derive(Debug)]
pub(crate) struct Step<'a> {
    /// Where the instruction is in the original code.
    pub(crate) pc: u32,
    /// Where the next one is.
    pub(crate) end: u32,
    /// What goes before it. Whoever jumps to the instruction runs this first.
    pub(crate) lead: Span,
    pub(crate) form: Form<'a>,
    /// What goes after it, when control falls through.
    pub(crate) tail: Span,
    /// Set for returns of methods that have something around them.
    pub(crate) leave: Option<Leave>,
    // Whether a conditional or 16-bit jump has to become a longer one.
    is_far: bool,
    // Where `lead` begins in the new code.
    at: u32,
}

/// What becomes of the instruction itself.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Form<'a> {
    Keep,
    Drop,
    /// A jump to that pc, conditional or not, or a subroutine call.
    Jump(u32),
    TableSwitch(Switch<'a>),
    LookupSwitch(Switch<'a>),
}

/// How a step leaves the monitor and the zone of the method, as positions in `lead`. From there to the end of
/// the step no exception range may be: nothing there throws, but a JVM that sees a way from code without the
/// monitor to a handler that has it finds the monitors unbalanced, and never compiles the method.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Leave {
    /// Where the monitor is released.
    pub(crate) unlocked: u32,
    /// Where the zone is left, which is later.
    pub(crate) unzoned: u32,
}

/// The same in the new code.
#[derive(Copy, Clone, Debug)]
struct Gap {
    unlocked: u32,
    unzoned: u32,
    end: u32,
}

/// The steps of one method, in the order of the code, and the bytes they add.
#[derive(Debug, Default)]
pub(crate) struct Edits<'a> {
    pub(crate) steps: Vec<Step<'a>>,
    bytes: Vec<u8>,
}

impl<'a> Edits<'a> {
    /// Adds what `write` writes to the bytes.
    pub(crate) fn span(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> Span {
        let start = self.bytes.len() as u32;
        write(&mut self.bytes);
        Span {
            start,
            end: self.bytes.len() as u32,
        }
    }

    /// Adds a step behind all others.
    pub(crate) fn push(&mut self, pc: u32, end: u32, form: Form<'a>, lead: Span) -> &mut Step<'a> {
        self.steps.push(Step {
            pc,
            end,
            lead,
            form,
            tail: Span::default(),
            leave: None,
            is_far: false,
            at: 0,
        });
        let last = self.steps.len() - 1;
        &mut self.steps[last]
    }

    /// Whether nothing is added or taken away.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    fn added(&self, span: Span) -> &[u8] {
        self.bytes
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    }
}

/// The new code: a prologue, then the original with its edits.
#[derive(Debug)]
pub(crate) struct Layout<'e, 'a> {
    code: &'a [u8],
    edits: &'e Edits<'a>,
    gaps: Vec<Gap>,
    end: u32,
}

const GOTO: u8 = 0xa7;
const JSR: u8 = 0xa8;
const TABLESWITCH: u8 = 0xaa;
const LOOKUPSWITCH: u8 = 0xab;
const IFNULL: u8 = 0xc6;
const GOTO_W: u8 = 0xc8;
const JSR_W: u8 = 0xc9;

/// How often distances are measured again after some jumps became longer. Real code needs two or three
/// rounds; after this many all jumps become long, so that no code can make it slow.
const ROUNDS: usize = 32;

impl<'e, 'a> Layout<'e, 'a> {
    /// Finds a place for everything, the prologue being `prologue` bytes long.
    pub(crate) fn new(code: &'a [u8], edits: &'e mut Edits<'a>, prologue: u32) -> Self {
        let mut round = 0;
        let end = loop {
            let end = place(code, &mut edits.steps, prologue);
            // No distance is longer than the code.
            if i16::try_from(end).is_ok() || !lengthen(code, &mut edits.steps, end, round >= ROUNDS) {
                break end;
            }
            round += 1;
        };
        let mut layout = Layout {
            code,
            edits,
            gaps: Vec::new(),
            end,
        };
        layout.gaps = layout
            .edits
            .steps
            .iter()
            .filter_map(|step| layout.gap(step))
            .collect();
        layout
    }

    /// The length of prologue and code.
    pub(crate) fn end(&self) -> u32 {
        self.end
    }

    /// Where the instruction at a pc begins, with what was put before it.
    pub(crate) fn position(&self, pc: u32) -> u32 {
        position(self.code, &self.edits.steps, self.end, pc)
    }

    /// Where a range ends that covered the instructions before a pc. What was put behind the last of them is
    /// not in it: it runs when the instruction is done, and so belongs to a range only if the next one does.
    fn range_end(&self, pc: u32) -> u32 {
        let steps = &self.edits.steps;
        let next = steps.partition_point(|step| step.pc < pc);
        match next.checked_sub(1).and_then(|last| steps.get(last)) {
            Some(last) if last.end == pc && last.tail.len() > 0 => self.form_end(last),
            _ => self.position(pc),
        }
    }

    /// Adds the entries for a range of the original code.
    pub(crate) fn move_handler(&self, handler: &Handler, table: &mut Vec<Handler>) {
        let moved = Handler {
            start: self.position(handler.start),
            end: self.range_end(handler.end),
            handler: self.position(handler.handler),
            ..*handler
        };
        self.protect(moved, false, table);
    }

    /// Writes the code behind the prologue, which `out` ends with.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let mut copied = 0;
        for step in &self.edits.steps {
            out.extend(self.original(copied, step.pc));
            out.extend(self.edits.added(step.lead));
            self.write_form(step, out);
            out.extend(self.edits.added(step.tail));
            copied = step.end;
        }
        out.extend(self.original(copied, self.code.len() as u32));
    }

    fn original(&self, start: u32, end: u32) -> &'a [u8] {
        self.code.get(start as usize..end as usize).unwrap_or_default()
    }

    fn write_form(&self, step: &Step<'_>, out: &mut Vec<u8>) {
        let at = step.at + step.lead.len();
        let offset = |from: u32, pc: u32| self.position(pc).wrapping_sub(from);
        match step.form {
            Form::Keep => out.extend(self.original(step.pc, step.end)),
            Form::Drop => {}
            Form::Jump(target) => {
                let opcode = opcode(self.code, step.pc);
                match (opcode, step.is_far) {
                    (GOTO_W | JSR_W, _) => {
                        out.push(opcode);
                        emit::word(out, offset(at, target));
                    }
                    (GOTO | JSR, true) => {
                        out.push(opcode - GOTO + GOTO_W);
                        emit::word(out, offset(at, target));
                    }
                    (_, true) => {
                        // Over the long jump when the condition does not hold.
                        out.extend([inverse(opcode), 0, 8, GOTO_W]);
                        emit::word(out, offset(at + 3, target));
                    }
                    (_, false) => {
                        out.push(opcode);
                        emit::half(out, offset(at, target) as u16);
                    }
                }
            }
            Form::TableSwitch(switch) => {
                write_switch_head(TABLESWITCH, at, offset(at, switch.default()), out);
                let low = switch.targets().next().map_or(0, |(key, _)| key);
                let high = low.wrapping_add_unsigned(switch.len() as u32 - 1);
                emit::word(out, low.cast_unsigned());
                emit::word(out, high.cast_unsigned());
                for (_, target) in switch.targets() {
                    emit::word(out, offset(at, target));
                }
            }
            Form::LookupSwitch(switch) => {
                write_switch_head(LOOKUPSWITCH, at, offset(at, switch.default()), out);
                emit::word(out, switch.len() as u32);
                for (key, target) in switch.targets() {
                    emit::word(out, key.cast_unsigned());
                    emit::word(out, offset(at, target));
                }
            }
        }
    }

    fn gap(&self, step: &Step<'_>) -> Option<Gap> {
        let leave = step.leave?;
        Some(Gap {
            unlocked: step.at + leave.unlocked,
            unzoned: step.at + leave.unzoned,
            end: self.form_end(step),
        })
    }

    /// Where the instruction of a step ends and its tail begins.
    fn form_end(&self, step: &Step<'_>) -> u32 {
        let body = step.at + step.lead.len();
        body + form_len(self.code, step, body)
    }

    /// Adds the entries for one range of the new code, leaving out where the method is being left.
    pub(crate) fn protect(&self, range: Handler, is_zone: bool, table: &mut Vec<Handler>) {
        let mut start = range.start;
        let first = self.gaps.partition_point(|gap| gap.end <= range.start);
        for gap in self.gaps.get(first..).unwrap_or_default() {
            if gap.unlocked >= range.end {
                break;
            }
            let end = range.end.min(if is_zone { gap.unzoned } else { gap.unlocked });
            if start < end {
                table.push(Handler { start, end, ..range });
            }
            start = start.max(gap.end);
        }
        if start < range.end {
            table.push(Handler { start, ..range });
        }
    }
}

/// Gives every step its position, and returns the end of the code.
fn place(code: &[u8], steps: &mut [Step<'_>], prologue: u32) -> u32 {
    // How far the bytes between steps are moved, modulo 2^32 where that is backward.
    let mut shift = prologue;
    for step in steps {
        step.at = step.pc.wrapping_add(shift);
        let body = step.at + step.lead.len();
        let end = body + form_len(code, step, body) + step.tail.len();
        shift = end.wrapping_sub(step.end);
    }
    (code.len() as u32).wrapping_add(shift)
}

/// Makes those jumps long that do not reach their targets, or all; returns whether there were any.
fn lengthen(code: &[u8], steps: &mut [Step<'_>], end: u32, all: bool) -> bool {
    let mut far = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let Form::Jump(target) = step.form else { continue };
        if step.is_far || step.end - step.pc != 3 {
            continue;
        }
        let from = i64::from(step.at + step.lead.len());
        let distance = i64::from(position(code, steps, end, target)) - from;
        if all || i16::try_from(distance).is_err() {
            far.push(index);
        }
    }
    for &index in &far {
        if let Some(step) = steps.get_mut(index) {
            step.is_far = true;
        }
    }
    !far.is_empty()
}

fn position(code: &[u8], steps: &[Step<'_>], end: u32, pc: u32) -> u32 {
    let next = steps.partition_point(|step| step.pc < pc);
    match steps.get(next) {
        Some(step) => step.at.saturating_sub(step.pc - pc),
        None => end.saturating_sub((code.len() as u32).saturating_sub(pc)),
    }
}

/// The length of the instruction itself when it begins at `at`.
fn form_len(code: &[u8], step: &Step<'_>, at: u32) -> u32 {
    match step.form {
        Form::Keep => step.end - step.pc,
        Form::Drop => 0,
        Form::Jump(_) if !step.is_far => step.end - step.pc,
        Form::Jump(_) if matches!(opcode(code, step.pc), GOTO | JSR) => 5,
        Form::Jump(_) => 8,
        Form::TableSwitch(switch) => 1 + padding(at) + 12 + switch.len() as u32 * 4,
        Form::LookupSwitch(switch) => 1 + padding(at) + 8 + switch.len() as u32 * 8,
    }
}

/// The zeros between the opcode of a switch at `at` and the next multiple of four.
fn padding(at: u32) -> u32 {
    3 - at % 4
}

fn write_switch_head(opcode: u8, at: u32, default: u32, out: &mut Vec<u8>) {
    out.push(opcode);
    out.extend(std::iter::repeat_n(0, padding(at) as usize));
    emit::word(out, default);
}

fn opcode(code: &[u8], pc: u32) -> u8 {
    code.get(pc as usize).copied().unwrap_or(0)
}

/// The conditional jump on the opposite condition.
fn inverse(opcode: u8) -> u8 {
    // Conditions come in pairs: those of two ints or references and zero from an odd opcode on, those of null
    // from an even one.
    if opcode >= IFNULL {
        opcode ^ 1
    } else {
        ((opcode + 1) ^ 1) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_condition_has_its_inverse() {
        // ifeq ifne iflt ifge ifgt ifle, the same for two ints, if_acmpeq if_acmpne, ifnull ifnonnull.
        for (first, second) in [
            (0x99, 0x9a),
            (0x9b, 0x9c),
            (0x9d, 0x9e),
            (0x9f, 0xa0),
            (0xa1, 0xa2),
            (0xa3, 0xa4),
            (0xa5, 0xa6),
            (0xc6, 0xc7),
        ] {
            assert_eq!(inverse(first), second);
            assert_eq!(inverse(second), first);
        }
    }

    #[test]
    fn what_follows_an_instruction_is_in_a_range_only_with_the_next_one() {
        // nop, monitorexit, nop, return
        let code = [0x00, 0xc3, 0x00, 0xb1];
        let mut edits = Edits::default();
        let lead = edits.span(|out| out.push(emit::DUP));
        let tail = edits.span(|out| out.extend([0; 6]));
        edits.push(1, 2, Form::Keep, lead).tail = tail;
        let layout = Layout::new(&code, &mut edits, 0);
        let moved = |start, end| {
            let mut table = Vec::new();
            let handler = Handler {
                start,
                end,
                handler: 3,
                catch_type: None,
            };
            layout.move_handler(&handler, &mut table);
            table
                .iter()
                .map(|entry| (entry.start, entry.end, entry.handler))
                .collect::<Vec<_>>()
        };
        assert_eq!(moved(0, 1), [(0, 1, 10)]);
        assert_eq!(moved(0, 2), [(0, 3, 10)]);
        assert_eq!(moved(0, 3), [(0, 10, 10)]);
        assert_eq!(moved(2, 3), [(9, 10, 10)]);
        assert_eq!(moved(1, 4), [(1, 11, 10)]);
    }

    #[test]
    fn ranges_leave_out_where_the_method_is_left() {
        // nop, return, nop, return
        let code = [0x00, 0xb1, 0x00, 0xb1];
        let mut edits = Edits::default();
        for pc in [1, 3] {
            let lead = edits.span(|out| out.extend([0; 9]));
            edits.push(pc, pc + 1, Form::Keep, lead).leave = Some(Leave {
                unlocked: 3,
                unzoned: 6,
            });
        }
        let layout = Layout::new(&code, &mut edits, 10);
        assert_eq!(layout.end(), 32);
        let protected = |start, end, is_zone| {
            let mut table = Vec::new();
            let range = Handler {
                start,
                end,
                handler: 40,
                catch_type: None,
            };
            layout.protect(range, is_zone, &mut table);
            table
                .iter()
                .map(|entry| (entry.start, entry.end))
                .collect::<Vec<_>>()
        };
        assert_eq!(protected(10, 32, false), [(10, 14), (21, 25)]);
        assert_eq!(protected(5, 40, true), [(5, 17), (21, 28), (32, 40)]);
        assert_eq!(protected(10, 11, false), [(10, 11)]);
        assert_eq!(protected(14, 21, false), []);
        assert_eq!(protected(11, 21, false), [(11, 14)]);
    }
}
