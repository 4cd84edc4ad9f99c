//! The constant pool: where each entry is, whether its references hold, and what it says.

use std::borrow::Cow;
use std::fmt;

use crate::constant::{Constant, DynamicRef, MemberRef};
use crate::error::{ClassFileError, Result};
use crate::reader::Cursor;
use crate::{tag, utf8};

/// The constant pool of one class. Every lookup checks its index, since indices come out of code.
#[derive(Copy, Clone)]
pub struct Pool<'a> {
    bytes: &'a [u8],
    index: &'a PoolIndex,
}

impl fmt::Debug for Pool<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

/// Where the entries of a pool are, and the text of those that have to be decoded.
pub(crate) struct PoolIndex {
    // Of each entry's tag; 0 for index 0 and for the second slot of a long or double.
    offsets: Box<[u32]>,
    // Strings that are not UTF-8 as they stand are few, but many things may refer to one of them. Decoded
    // once, they cannot be multiplied by repeating a reference to them.
    decoded: Box<[Decoded]>,
    text: Box<str>,
}

/// One decoded string, as a range of `PoolIndex::text`. Sorted by index.
struct Decoded {
    index: u16,
    start: u32,
    end: u32,
}

impl PoolIndex {
    /// Reads the pool and checks every entry by itself; `Pool::check_references` looks at what they point to.
    pub(crate) fn read(cursor: &mut Cursor<'_>, major: u16) -> Result<PoolIndex> {
        let count = cursor.u2()?;
        if count == 0 {
            return Err(ClassFileError::EmptyPool);
        }
        // The smallest entry has three bytes, so a count that passes here cannot reserve much more than the
        // input.
        cursor.expect_room(usize::from(count) - 1, 3)?;
        let mut offsets = Vec::with_capacity(usize::from(count));
        let mut decoded = Vec::new();
        let mut text = String::new();
        offsets.push(0);
        while offsets.len() < usize::from(count) {
            let offset = cursor.position();
            let index = offsets.len() as u16;
            let tag = cursor.u1()?;
            if tag == tag::UTF8 {
                let len = usize::from(cursor.u2()?);
                let bytes = cursor.take(len)?;
                if !utf8::is_plain(bytes) {
                    let start = cursor.position() - len;
                    // HotSpot's rule: until JDK 1.3 longer forms than needed were let through.
                    utf8::check(bytes, major <= 47)
                        .map_err(|at| ClassFileError::BadUtf8 { offset: start + at })?;
                    if let Cow::Owned(owned) = utf8::decode(bytes) {
                        let start = text.len() as u32;
                        text.push_str(&owned);
                        decoded.push(Decoded {
                            index,
                            start,
                            end: text.len() as u32,
                        });
                    }
                }
            } else {
                match tag::size(tag) {
                    Some(size) if tag::since(tag) <= major => cursor.skip(size)?,
                    _ => return Err(ClassFileError::BadTag { index, tag, offset }),
                }
            }
            offsets.push(offset as u32);
            if tag::slots(tag) == 2 {
                if offsets.len() == usize::from(count) {
                    return Err(ClassFileError::BadIndex {
                        index: count,
                        len: count,
                    });
                }
                offsets.push(0);
            }
        }
        Ok(PoolIndex {
            offsets: offsets.into(),
            decoded: decoded.into(),
            text: text.into(),
        })
    }

    fn decoded(&self, index: u16) -> Option<&str> {
        let position = self
            .decoded
            .binary_search_by_key(&index, |decoded| decoded.index)
            .ok()?;
        let &Decoded { start, end, .. } = self.decoded.get(position)?;
        self.text.get(start as usize..end as usize)
    }
}

impl<'a> Pool<'a> {
    pub(crate) fn new(bytes: &'a [u8], index: &'a PoolIndex) -> Self {
        Pool { bytes, index }
    }

    /// The count field of the pool: one more than the highest index.
    pub fn len(&self) -> u16 {
        self.index.offsets.len() as u16
    }

    /// Whether the pool has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    /// A `Utf8` entry.
    pub fn utf8(&self, index: u16) -> Result<Cow<'a, str>> {
        let bytes = self.utf8_bytes(index)?;
        if let Ok(text) = std::str::from_utf8(bytes) {
            return Ok(Cow::Borrowed(text));
        }
        Ok(self
            .index
            .decoded(index)
            .map_or_else(|| utf8::decode(bytes), Cow::Borrowed))
    }

    /// A `Utf8` entry as it is in the file, for comparisons that need no decoding.
    pub fn utf8_bytes(&self, index: u16) -> Result<&'a [u8]> {
        let mut body = self.body(index, tag::UTF8)?;
        let len = body.u2()?;
        body.take(usize::from(len))
    }

    /// A `Class` entry: an internal name, or an array descriptor such as `[Ljava/lang/String;`.
    pub fn class_name(&self, index: u16) -> Result<Cow<'a, str>> {
        self.utf8(self.body(index, tag::CLASS)?.u2()?)
    }

    /// A `Fieldref`, `Methodref` or `InterfaceMethodref` entry.
    pub fn member_ref(&self, index: u16) -> Result<MemberRef<'a>> {
        let (tag, mut body) = self.entry(index)?;
        if !matches!(tag, tag::FIELD_REF | tag::METHOD_REF | tag::INTERFACE_METHOD_REF) {
            return Err(self.wrong_kind(index, "a field or method reference"));
        }
        let class = self.class_name(body.u2()?)?;
        let (name, descriptor) = self.name_and_type(body.u2()?)?;
        Ok(MemberRef {
            class,
            name,
            descriptor,
            is_interface: tag == tag::INTERFACE_METHOD_REF,
        })
    }

    /// What `ldc`, `ldc_w` or `ldc2_w` pushes for the entry.
    pub fn constant(&self, index: u16) -> Result<Constant<'a>> {
        let (tag, mut body) = self.entry(index)?;
        Ok(match tag {
            tag::INTEGER => Constant::Int(body.u4()?.cast_signed()),
            tag::FLOAT => Constant::Float(f32::from_bits(body.u4()?)),
            tag::LONG => Constant::Long(body.u8()?.cast_signed()),
            tag::DOUBLE => Constant::Double(f64::from_bits(body.u8()?)),
            tag::STRING => Constant::String(self.utf8(body.u2()?)?),
            tag::CLASS => Constant::Class(self.utf8(body.u2()?)?),
            tag::METHOD_TYPE => Constant::MethodType(self.utf8(body.u2()?)?),
            tag::METHOD_HANDLE => {
                let (kind, member) = self.method_handle(index)?;
                Constant::MethodHandle { kind, member }
            }
            tag::DYNAMIC => {
                let DynamicRef {
                    bootstrap,
                    name,
                    descriptor,
                } = self.dynamic(body)?;
                Constant::Dynamic {
                    bootstrap,
                    name,
                    descriptor,
                }
            }
            _ => return Err(self.wrong_kind(index, "a loadable constant")),
        })
    }

    /// An `InvokeDynamic` entry.
    pub fn invoke_dynamic(&self, index: u16) -> Result<DynamicRef<'a>> {
        self.dynamic(self.body(index, tag::INVOKE_DYNAMIC)?)
    }

    /// A `MethodHandle` entry: its reference kind, 1 to 9, and the member.
    pub fn method_handle(&self, index: u16) -> Result<(u8, MemberRef<'a>)> {
        let mut body = self.body(index, tag::METHOD_HANDLE)?;
        let kind = body.u1()?;
        Ok((kind, self.member_ref(body.u2()?)?))
    }

    /// All `MethodHandle` entries: the reference kind, the member, and where in the file the index of the member is.
    pub fn method_handles(&self) -> impl Iterator<Item = (u8, MemberRef<'a>, usize)> {
        (1..self.len()).filter_map(|index| {
            let (kind, member) = self.method_handle(index).ok()?;
            // Behind the tag and the kind.
            let offset = *self.index.offsets.get(usize::from(index))? as usize + 2;
            Some((kind, member, offset))
        })
    }

    fn dynamic(&self, mut body: Cursor<'a>) -> Result<DynamicRef<'a>> {
        let bootstrap = body.u2()?;
        let (name, descriptor) = self.name_and_type(body.u2()?)?;
        Ok(DynamicRef {
            bootstrap,
            name,
            descriptor,
        })
    }

    fn name_and_type(&self, index: u16) -> Result<(Cow<'a, str>, Cow<'a, str>)> {
        let mut body = self.body(index, tag::NAME_AND_TYPE)?;
        Ok((self.utf8(body.u2()?)?, self.utf8(body.u2()?)?))
    }

    /// The tag of an entry and a cursor at what follows it.
    #[inline]
    fn entry(&self, index: u16) -> Result<(u8, Cursor<'a>)> {
        match self.index.offsets.get(usize::from(index)) {
            Some(&offset) if offset != 0 => {
                let mut body = Cursor::at(self.bytes, offset as usize);
                Ok((body.u1()?, body))
            }
            _ => Err(ClassFileError::BadIndex {
                index,
                len: self.len(),
            }),
        }
    }

    #[inline]
    fn body(&self, index: u16, expected: u8) -> Result<Cursor<'a>> {
        match self.entry(index)? {
            (tag, body) if tag == expected => Ok(body),
            _ => Err(self.wrong_kind(index, tag::name(expected))),
        }
    }

    /// Fails unless the entry has the given tag.
    #[inline]
    pub(crate) fn expect(&self, index: u16, expected: u8) -> Result<()> {
        self.body(index, expected).map(|_| ())
    }

    /// Fails unless the entry exists and can be pushed by `ldc` or handed to a bootstrap method.
    pub(crate) fn expect_loadable(&self, index: u16) -> Result<()> {
        match self.entry(index)?.0 {
            tag::INTEGER..=tag::STRING | tag::METHOD_HANDLE | tag::METHOD_TYPE | tag::DYNAMIC => Ok(()),
            _ => Err(self.wrong_kind(index, "a loadable constant")),
        }
    }

    #[cold]
    fn wrong_kind(&self, index: u16, expected: &'static str) -> ClassFileError {
        let offset = self
            .index
            .offsets
            .get(usize::from(index))
            .map_or(0, |&offset| offset as usize);
        let found = tag::name(self.bytes.get(offset).copied().unwrap_or(0));
        ClassFileError::WrongKind {
            index,
            expected,
            found,
            offset,
        }
    }

    /// Checks that every reference between entries leads to an entry of the right kind.
    pub(crate) fn check_references(&self, major: u16) -> Result<()> {
        for (index, &offset) in self
            .index
            .offsets
            .iter()
            .enumerate()
            .filter(|&(_, &offset)| offset != 0)
        {
            let mut body = Cursor::at(self.bytes, offset as usize);
            match body.u1()? {
                tag::CLASS | tag::STRING | tag::METHOD_TYPE | tag::MODULE | tag::PACKAGE => {
                    self.expect(body.u2()?, tag::UTF8)?;
                }
                tag::FIELD_REF | tag::METHOD_REF | tag::INTERFACE_METHOD_REF => {
                    self.expect(body.u2()?, tag::CLASS)?;
                    self.expect(body.u2()?, tag::NAME_AND_TYPE)?;
                }
                tag::NAME_AND_TYPE => {
                    self.expect(body.u2()?, tag::UTF8)?;
                    self.expect(body.u2()?, tag::UTF8)?;
                }
                tag::DYNAMIC | tag::INVOKE_DYNAMIC => {
                    body.skip(2)?;
                    self.expect(body.u2()?, tag::NAME_AND_TYPE)?;
                }
                tag::METHOD_HANDLE => {
                    let kind = body.u1()?;
                    let offset = offset as usize;
                    let bad_kind = ClassFileError::BadHandleKind {
                        index: index as u16,
                        kind,
                        offset,
                    };
                    self.check_handle(kind, body.u2()?, major).ok_or(bad_kind)??;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether a method handle of this kind may refer to that entry; `None` when there is no such kind.
    fn check_handle(&self, kind: u8, member: u16, major: u16) -> Option<Result<()>> {
        Some(match kind {
            1..=4 => self.expect(member, tag::FIELD_REF),
            // Static and private methods of interfaces came with version 52.
            6 | 7 if major >= 52 => self
                .expect(member, tag::METHOD_REF)
                .or_else(|_| self.expect(member, tag::INTERFACE_METHOD_REF)),
            5..=8 => self.expect(member, tag::METHOD_REF),
            9 => self.expect(member, tag::INTERFACE_METHOD_REF),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests;
