//! Code attributes.

use std::borrow::Cow;
use std::fmt;

use crate::attribute::{Attributes, read_exactly};
use crate::decode::decode;
use crate::error::{ClassFileError, Result};
use crate::insn::Insn;
use crate::pool::Pool;
use crate::raw::{self, RawAttribute};
use crate::reader::Cursor;
use crate::tag;

/// One Code attribute, borrowed from the class.
#[derive(Copy, Clone)]
pub struct Code<'a> {
    pool: Pool<'a>,
    max_stack: u16,
    max_locals: u16,
    bytes: &'a [u8],
    // At the first entry, and nothing after the last.
    handlers: Cursor<'a>,
    // At the count field.
    attributes: Cursor<'a>,
}

impl fmt::Debug for Code<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Code")
            .field("max_stack", &self.max_stack)
            .field("max_locals", &self.max_locals)
            .field("len", &self.bytes.len())
            .finish_non_exhaustive()
    }
}

/// One entry of the exception table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    /// The first pc that is protected.
    pub start: u32,
    /// The pc after the last that is protected.
    pub end: u32,
    /// Where the handler begins.
    pub handler: u32,
    /// Pool index of the class that is caught; `None` catches everything.
    pub catch_type: Option<u16>,
}

/// One entry of the local variable table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalVariable<'a> {
    /// The first pc at which the variable has a value.
    pub start: u32,
    /// The pc after the last.
    pub end: u32,
    /// Its name in the source.
    pub name: Cow<'a, str>,
    /// Its type as a descriptor.
    pub descriptor: Cow<'a, str>,
    /// Its slot.
    pub slot: u16,
}

impl<'a> Code<'a> {
    /// Reads the attribute's content. `narrow` is the layout before version 45.3.
    pub(crate) fn read(pool: Pool<'a>, body: Cursor<'a>, narrow: bool) -> Result<Self> {
        read_exactly("Code", body, |body| {
            let (max_stack, max_locals, length) = if narrow {
                (
                    u16::from(body.u1()?),
                    u16::from(body.u1()?),
                    u32::from(body.u2()?),
                )
            } else {
                (body.u2()?, body.u2()?, body.u4()?)
            };
            if length == 0 || length > 65535 {
                return Err(ClassFileError::BadCodeLength {
                    length,
                    offset: body.position(),
                });
            }
            let bytes = body.take(length as usize)?;
            let count = body.u2()?;
            let handlers = body.split(usize::from(count) * 8)?;
            let attributes = *body;
            let code = Code {
                pool,
                max_stack,
                max_locals,
                bytes,
                handlers,
                attributes,
            };
            code.check_handlers()?;
            code.check_attributes(body)?;
            Ok(code)
        })
    }

    fn check_handlers(&self) -> Result<()> {
        let length = self.bytes.len() as u32;
        let mut entries = self.handlers;
        while !entries.is_empty() {
            let offset = entries.position();
            let handler = read_handler(&mut entries)?;
            if handler.start >= handler.end || handler.end > length || handler.handler >= length {
                return Err(ClassFileError::BadHandler { offset });
            }
            if let Some(class) = handler.catch_type {
                self.pool.expect(class, tag::CLASS)?;
            }
        }
        Ok(())
    }

    fn check_attributes(&self, body: &mut Cursor<'a>) -> Result<()> {
        let mut attributes = Attributes::read(self.pool, *body)?;
        for attribute in &mut attributes {
            let attribute = attribute?;
            if attribute.name == b"LineNumberTable" {
                read_exactly("LineNumberTable", attribute.body, |body| {
                    let count = body.u2()?;
                    body.skip(usize::from(count) * 4)
                })?;
            }
        }
        *body = attributes.end();
        Ok(())
    }

    /// The depth of the operand stack in slots.
    pub fn max_stack(&self) -> u16 {
        self.max_stack
    }

    /// The number of local slots, parameters included.
    pub fn max_locals(&self) -> u16 {
        self.max_locals
    }

    /// The instructions as they are in the file: 1 to 65535 bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The instructions with their pcs. Stops after the first error.
    pub fn instructions(&self) -> Instructions<'a> {
        Instructions {
            code: self.bytes,
            pc: 0,
        }
    }

    /// The instruction at a pc, and the pc after it.
    pub fn instruction_at(&self, pc: u32) -> Result<(Insn<'a>, u32)> {
        decode(self.bytes, pc)
    }

    /// The exception table, in the order in which it is searched. Every entry lies inside the code.
    pub fn exception_table(&self) -> Vec<Handler> {
        let mut entries = self.handlers;
        let mut table = Vec::with_capacity(entries.remaining() / 8);
        while let Ok(handler) = read_handler(&mut entries) {
            table.push(handler);
        }
        table
    }

    /// Start pcs and lines, sorted by pc. Entries that point outside the code are left out.
    pub fn line_numbers(&self) -> Vec<(u32, u16)> {
        let mut lines = Vec::new();
        // A method may have several of these tables.
        for attribute in Attributes::checked(self.pool, self.attributes) {
            if attribute.name != b"LineNumberTable" {
                continue;
            }
            let mut body = attribute.body;
            let count = body.u2().unwrap_or(0);
            lines.reserve(usize::from(count).min(body.remaining() / 4));
            for _ in 0..count {
                let (Ok(pc), Ok(line)) = (body.u2(), body.u2()) else {
                    break;
                };
                if usize::from(pc) < self.bytes.len() {
                    lines.push((u32::from(pc), line));
                }
            }
        }
        lines.sort_by_key(|&(pc, _)| pc);
        lines
    }

    /// The attributes of the code as they are in the file.
    pub fn raw_attributes(&self) -> impl Iterator<Item = RawAttribute<'a>> + use<'a> {
        raw::attributes(self.pool, self.attributes)
    }

    /// The local variable table. Debugging information is not worth refusing a class for, so entries that
    /// make no sense are left out.
    pub fn local_variables(&self) -> Vec<LocalVariable<'a>> {
        let mut variables = Vec::new();
        for attribute in Attributes::checked(self.pool, self.attributes) {
            if attribute.name != b"LocalVariableTable" {
                continue;
            }
            let mut body = attribute.body;
            let count = body.u2().unwrap_or(0);
            for _ in 0..count {
                let Ok(entry) = body.split(10) else { break };
                variables.extend(self.local_variable(entry));
            }
        }
        variables
    }

    fn local_variable(&self, mut entry: Cursor<'a>) -> Option<LocalVariable<'a>> {
        let start = u32::from(entry.u2().ok()?);
        let end = start + u32::from(entry.u2().ok()?);
        let name = self.pool.utf8(entry.u2().ok()?).ok()?;
        let descriptor = self.pool.utf8(entry.u2().ok()?).ok()?;
        let slot = entry.u2().ok()?;
        (end as usize <= self.bytes.len()).then_some(LocalVariable {
            start,
            end,
            name,
            descriptor,
            slot,
        })
    }
}

fn read_handler(entries: &mut Cursor<'_>) -> Result<Handler> {
    let start = u32::from(entries.u2()?);
    let end = u32::from(entries.u2()?);
    let handler = u32::from(entries.u2()?);
    let catch_type = entries.u2()?;
    Ok(Handler {
        start,
        end,
        handler,
        catch_type: (catch_type != 0).then_some(catch_type),
    })
}

/// Decodes the instructions of a method one after the other. Ends after the first error.
#[derive(Clone, Debug)]
pub struct Instructions<'a> {
    code: &'a [u8],
    pc: u32,
}

impl<'a> Iterator for Instructions<'a> {
    type Item = Result<(u32, Insn<'a>)>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let pc = self.pc;
        if pc as usize >= self.code.len() {
            return None;
        }
        match decode(self.code, pc) {
            Ok((insn, next)) => {
                self.pc = next;
                Some(Ok((pc, insn)))
            }
            Err(error) => {
                self.pc = u32::MAX;
                Some(Err(error))
            }
        }
    }
}

impl std::iter::FusedIterator for Instructions<'_> {}

#[cfg(test)]
mod tests;
