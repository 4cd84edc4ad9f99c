//! Writing instructions.

use raddle_classfile::{Handler, Kind};

pub(crate) const ACONST_NULL: u8 = 0x01;
pub(crate) const ICONST_0: u8 = 0x03;
pub(crate) const LCONST_0: u8 = 0x09;
pub(crate) const FCONST_0: u8 = 0x0b;
pub(crate) const DCONST_0: u8 = 0x0e;
const LDC: u8 = 0x12;
const LDC_W: u8 = 0x13;
const LDC2_W: u8 = 0x14;
const LOAD: u8 = 0x15;
const LOAD_SHORT: u8 = 0x1a;
const STORE: u8 = 0x36;
const STORE_SHORT: u8 = 0x3b;
pub(crate) const POP: u8 = 0x57;
pub(crate) const POP2: u8 = 0x58;
pub(crate) const DUP: u8 = 0x59;
pub(crate) const DUP_X2: u8 = 0x5b;
pub(crate) const DUP2: u8 = 0x5c;
pub(crate) const DUP2_X1: u8 = 0x5d;
pub(crate) const DUP2_X2: u8 = 0x5e;
pub(crate) const I2L: u8 = 0x85;
pub(crate) const IFEQ: u8 = 0x99;
pub(crate) const IRETURN: u8 = 0xac;
pub(crate) const LRETURN: u8 = 0xad;
pub(crate) const RETURN: u8 = 0xb1;
const PUTSTATIC: u8 = 0xb3;
const INVOKESTATIC: u8 = 0xb8;
pub(crate) const ATHROW: u8 = 0xbf;
pub(crate) const MONITORENTER: u8 = 0xc2;
pub(crate) const MONITOREXIT: u8 = 0xc3;
const WIDE: u8 = 0xc4;

/// Pushes an int, float, string or class constant.
pub(crate) fn constant(out: &mut Vec<u8>, index: u16) {
    if let Ok(index) = u8::try_from(index) {
        out.extend([LDC, index]);
    } else {
        out.push(LDC_W);
        half(out, index);
    }
}

/// Pushes a long or double constant.
pub(crate) fn wide_constant(out: &mut Vec<u8>, index: u16) {
    out.push(LDC2_W);
    half(out, index);
}

/// Pops into a static field.
pub(crate) fn put_static(out: &mut Vec<u8>, index: u16) {
    out.push(PUTSTATIC);
    half(out, index);
}

/// Calls a static method.
pub(crate) fn call(out: &mut Vec<u8>, index: u16) {
    out.push(INVOKESTATIC);
    half(out, index);
}

/// Pushes a local variable.
pub(crate) fn load(out: &mut Vec<u8>, kind: Kind, slot: u16) {
    local(out, LOAD, LOAD_SHORT, kind, slot);
}

/// Pops into a local variable.
pub(crate) fn store(out: &mut Vec<u8>, kind: Kind, slot: u16) {
    local(out, STORE, STORE_SHORT, kind, slot);
}

fn local(out: &mut Vec<u8>, opcode: u8, short: u8, kind: Kind, slot: u16) {
    let kind = match kind {
        Kind::Int => 0,
        Kind::Long => 1,
        Kind::Float => 2,
        Kind::Double => 3,
        Kind::Ref => 4,
    };
    match u8::try_from(slot) {
        Ok(slot @ 0..=3) => out.push(short + kind * 4 + slot),
        Ok(slot) => out.extend([opcode + kind, slot]),
        Err(_) => {
            out.extend([WIDE, opcode + kind]);
            half(out, slot);
        }
    }
}

pub(crate) fn half(out: &mut Vec<u8>, value: u16) {
    out.extend(value.to_be_bytes());
}

pub(crate) fn word(out: &mut Vec<u8>, value: u32) {
    out.extend(value.to_be_bytes());
}

/// An exception-table entry. Positions are known to fit when the code is known to.
pub(crate) fn handler(out: &mut Vec<u8>, handler: &Handler) {
    for pc in [handler.start, handler.end, handler.handler] {
        half(out, pc as u16);
    }
    half(out, handler.catch_type.unwrap_or(0));
}
