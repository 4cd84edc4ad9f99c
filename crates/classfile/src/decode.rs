//! Bytes to instructions.

use crate::error::{ClassFileError, Result};
use crate::insn::{ArithOp, ArrayKind, Cond, ConvertTo, Insn, Kind};
use crate::switch::{Switch, branch_target};

/// The operands of one instruction.
struct Operands<'a> {
    code: &'a [u8],
    pc: u32,
    next: u32,
}

impl<'a> Operands<'a> {
    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self
            .code
            .get(self.next as usize..)
            .and_then(|rest| rest.first_chunk::<N>())
        {
            Some(chunk) => {
                self.next += N as u32;
                Ok(*chunk)
            }
            None => Err(ClassFileError::TruncatedInsn { pc: self.pc }),
        }
    }

    #[inline]
    fn u1(&mut self) -> Result<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    #[inline]
    fn u2(&mut self) -> Result<u16> {
        self.array().map(u16::from_be_bytes)
    }

    #[inline]
    fn slot(&mut self) -> Result<u16> {
        self.u1().map(u16::from)
    }

    #[inline]
    fn i1(&mut self) -> Result<i8> {
        self.array().map(i8::from_be_bytes)
    }

    #[inline]
    fn i2(&mut self) -> Result<i16> {
        self.array().map(i16::from_be_bytes)
    }

    #[inline]
    fn target(&mut self) -> Result<u32> {
        let offset = self.i2()?;
        branch_target(self.code, self.pc, i32::from(offset))
    }

    fn wide_target(&mut self) -> Result<u32> {
        let offset = self.array().map(i32::from_be_bytes)?;
        branch_target(self.code, self.pc, offset)
    }

    fn switch(&mut self, table: bool) -> Result<Switch<'a>> {
        let (switch, next) = Switch::read(self.code, self.pc, table)?;
        self.next = next;
        Ok(switch)
    }
}

/// Decodes the instruction at `pc`; returns it and the pc after it.
#[inline]
pub(crate) fn decode(code: &[u8], pc: u32) -> Result<(Insn<'_>, u32)> {
    let Some(&opcode) = code.get(pc as usize) else {
        return Err(ClassFileError::BadPc { pc });
    };
    let mut operands = Operands {
        code,
        pc,
        next: pc + 1,
    };
    let insn = match opcode {
        0x00 => Insn::Nop,
        0x01 => Insn::ConstNull,
        0x02..=0x08 => Insn::ConstInt(i32::from(opcode) - 3),
        0x09..=0x0a => Insn::ConstLong(i64::from(opcode - 0x09)),
        0x0b..=0x0d => Insn::ConstFloat(f32::from(opcode - 0x0b)),
        0x0e..=0x0f => Insn::ConstDouble(f64::from(opcode - 0x0e)),
        0x10 => Insn::ConstInt(i32::from(operands.i1()?)),
        0x11 => Insn::ConstInt(i32::from(operands.i2()?)),
        0x12 => Insn::Ldc(operands.slot()?),
        0x13 => Insn::Ldc(operands.u2()?),
        0x14 => Insn::Ldc2(operands.u2()?),
        0x15..=0x19 => Insn::Load(kind(opcode - 0x15), operands.slot()?),
        // Four opcodes per type, for the slots 0 to 3.
        0x1a..=0x2d => Insn::Load(kind((opcode - 0x1a) / 4), u16::from((opcode - 0x1a) % 4)),
        0x2e..=0x35 => Insn::ArrayLoad(array_kind(opcode - 0x2e)),
        0x36..=0x3a => Insn::Store(kind(opcode - 0x36), operands.slot()?),
        0x3b..=0x4e => Insn::Store(kind((opcode - 0x3b) / 4), u16::from((opcode - 0x3b) % 4)),
        0x4f..=0x56 => Insn::ArrayStore(array_kind(opcode - 0x4f)),
        0x57 => Insn::Pop,
        0x58 => Insn::Pop2,
        0x59 => Insn::Dup,
        0x5a => Insn::DupX1,
        0x5b => Insn::DupX2,
        0x5c => Insn::Dup2,
        0x5d => Insn::Dup2X1,
        0x5e => Insn::Dup2X2,
        0x5f => Insn::Swap,
        0x60..=0x63 => Insn::Arith(kind(opcode - 0x60), ArithOp::Add),
        0x64..=0x67 => Insn::Arith(kind(opcode - 0x64), ArithOp::Sub),
        0x68..=0x6b => Insn::Arith(kind(opcode - 0x68), ArithOp::Mul),
        0x6c..=0x6f => Insn::Arith(kind(opcode - 0x6c), ArithOp::Div),
        0x70..=0x73 => Insn::Arith(kind(opcode - 0x70), ArithOp::Rem),
        0x74..=0x77 => Insn::Neg(kind(opcode - 0x74)),
        0x78..=0x79 => Insn::Arith(kind(opcode - 0x78), ArithOp::Shl),
        0x7a..=0x7b => Insn::Arith(kind(opcode - 0x7a), ArithOp::Shr),
        0x7c..=0x7d => Insn::Arith(kind(opcode - 0x7c), ArithOp::Ushr),
        0x7e..=0x7f => Insn::Arith(kind(opcode - 0x7e), ArithOp::And),
        0x80..=0x81 => Insn::Arith(kind(opcode - 0x80), ArithOp::Or),
        0x82..=0x83 => Insn::Arith(kind(opcode - 0x82), ArithOp::Xor),
        0x84 => Insn::Iinc(operands.slot()?, i16::from(operands.i1()?)),
        0x85 => Insn::Convert(Kind::Int, ConvertTo::Long),
        0x86 => Insn::Convert(Kind::Int, ConvertTo::Float),
        0x87 => Insn::Convert(Kind::Int, ConvertTo::Double),
        0x88 => Insn::Convert(Kind::Long, ConvertTo::Int),
        0x89 => Insn::Convert(Kind::Long, ConvertTo::Float),
        0x8a => Insn::Convert(Kind::Long, ConvertTo::Double),
        0x8b => Insn::Convert(Kind::Float, ConvertTo::Int),
        0x8c => Insn::Convert(Kind::Float, ConvertTo::Long),
        0x8d => Insn::Convert(Kind::Float, ConvertTo::Double),
        0x8e => Insn::Convert(Kind::Double, ConvertTo::Int),
        0x8f => Insn::Convert(Kind::Double, ConvertTo::Long),
        0x90 => Insn::Convert(Kind::Double, ConvertTo::Float),
        0x91 => Insn::Convert(Kind::Int, ConvertTo::Byte),
        0x92 => Insn::Convert(Kind::Int, ConvertTo::Char),
        0x93 => Insn::Convert(Kind::Int, ConvertTo::Short),
        0x94 => Insn::Compare(Kind::Long),
        0x95..=0x96 => Insn::Compare(Kind::Float),
        0x97..=0x98 => Insn::Compare(Kind::Double),
        0x99..=0x9e => Insn::If(cond(opcode - 0x99), operands.target()?),
        0x9f..=0xa4 => Insn::IfIcmp(cond(opcode - 0x9f), operands.target()?),
        0xa5..=0xa6 => Insn::IfAcmp(opcode == 0xa5, operands.target()?),
        0xa7 => Insn::Goto(operands.target()?),
        0xa8 => Insn::Jsr(operands.target()?),
        0xa9 => Insn::Ret(operands.slot()?),
        0xaa => Insn::TableSwitch(operands.switch(true)?),
        0xab => Insn::LookupSwitch(operands.switch(false)?),
        0xac..=0xb0 => Insn::Return(Some(kind(opcode - 0xac))),
        0xb1 => Insn::Return(None),
        0xb2 => Insn::GetStatic(operands.u2()?),
        0xb3 => Insn::PutStatic(operands.u2()?),
        0xb4 => Insn::GetField(operands.u2()?),
        0xb5 => Insn::PutField(operands.u2()?),
        0xb6 => Insn::InvokeVirtual(operands.u2()?),
        0xb7 => Insn::InvokeSpecial(operands.u2()?),
        0xb8 => Insn::InvokeStatic(operands.u2()?),
        // Two bytes follow these two that say nothing the descriptor does not.
        0xb9 => {
            let index = operands.u2()?;
            operands.u2()?;
            Insn::InvokeInterface(index)
        }
        0xba => {
            let index = operands.u2()?;
            operands.u2()?;
            Insn::InvokeDynamic(index)
        }
        0xbb => Insn::New(operands.u2()?),
        0xbc => match operands.u1()? {
            element @ 4..=11 => Insn::NewArray(element),
            _ => return Err(ClassFileError::BadOperand { pc }),
        },
        0xbd => Insn::ANewArray(operands.u2()?),
        0xbe => Insn::ArrayLength,
        0xbf => Insn::AThrow,
        0xc0 => Insn::CheckCast(operands.u2()?),
        0xc1 => Insn::InstanceOf(operands.u2()?),
        0xc2 => Insn::MonitorEnter,
        0xc3 => Insn::MonitorExit,
        0xc4 => wide(&mut operands)?,
        0xc5 => match (operands.u2()?, operands.u1()?) {
            (_, 0) => return Err(ClassFileError::BadOperand { pc }),
            (class, dimensions) => Insn::MultiANewArray(class, dimensions),
        },
        0xc6 => Insn::IfNull(operands.target()?),
        0xc7 => Insn::IfNonNull(operands.target()?),
        0xc8 => Insn::Goto(operands.wide_target()?),
        0xc9 => Insn::Jsr(operands.wide_target()?),
        0xca.. => return Err(ClassFileError::BadOpcode { opcode, pc }),
    };
    Ok((insn, operands.next))
}

fn wide<'a>(operands: &mut Operands<'a>) -> Result<Insn<'a>> {
    Ok(match operands.u1()? {
        opcode @ 0x15..=0x19 => Insn::Load(kind(opcode - 0x15), operands.u2()?),
        opcode @ 0x36..=0x3a => Insn::Store(kind(opcode - 0x36), operands.u2()?),
        0x84 => Insn::Iinc(operands.u2()?, operands.i2()?),
        0xa9 => Insn::Ret(operands.u2()?),
        opcode => {
            return Err(ClassFileError::BadOpcode {
                opcode,
                pc: operands.pc,
            });
        }
    })
}

/// The types in the order all opcode groups have them.
#[inline]
fn kind(position: u8) -> Kind {
    match position {
        0 => Kind::Int,
        1 => Kind::Long,
        2 => Kind::Float,
        3 => Kind::Double,
        _ => Kind::Ref,
    }
}

#[inline]
fn array_kind(position: u8) -> ArrayKind {
    match position {
        0 => ArrayKind::Int,
        1 => ArrayKind::Long,
        2 => ArrayKind::Float,
        3 => ArrayKind::Double,
        4 => ArrayKind::Ref,
        5 => ArrayKind::Byte,
        6 => ArrayKind::Char,
        _ => ArrayKind::Short,
    }
}

#[inline]
fn cond(position: u8) -> Cond {
    match position {
        0 => Cond::Eq,
        1 => Cond::Ne,
        2 => Cond::Lt,
        3 => Cond::Ge,
        4 => Cond::Gt,
        _ => Cond::Le,
    }
}

#[cfg(test)]
mod tests;
