//! The head of a class file: what a hierarchy index needs, without parsing the rest.

use crate::access::AccessFlags;
use crate::error::{ClassFileError, Result};
use crate::layout::read_version;
use crate::reader::Cursor;
use crate::{tag, utf8};

/// Name, superclass, interfaces and flags of a class.
///
/// Reading one checks only what it touches: the pool is walked but not followed, members and attributes are
/// not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The internal name.
    pub name: String,
    /// Internal name of the superclass; `None` for `java/lang/Object` and module descriptors.
    pub super_name: Option<String>,
    /// Internal names of the direct superinterfaces, in order.
    pub interfaces: Vec<String>,
    /// The class's flags.
    pub access: AccessFlags,
    /// The major version.
    pub major: u16,
}

impl Header {
    /// Reads the head of a class file.
    pub fn read(bytes: &[u8]) -> Result<Header> {
        let mut cursor = Cursor::new(bytes);
        let (_, major) = read_version(&mut cursor)?;
        let pool = SparsePool::read(bytes, &mut cursor)?;
        let access = AccessFlags(cursor.u2()?);
        let name = pool.class_name(cursor.u2()?, major)?;
        let super_name = match cursor.u2()? {
            0 => None,
            index => Some(pool.class_name(index, major)?),
        };
        let count = usize::from(cursor.u2()?);
        cursor.expect_room(count, 2)?;
        let mut interfaces = Vec::with_capacity(count);
        let mut copied = 0;
        for _ in 0..count {
            let offset = cursor.position();
            let interface = pool.class_name(cursor.u2()?, major)?;
            // Different names are different bytes of the file. Without this, repeats of one long name would
            // copy it thousands of times.
            copied += interface.len();
            if copied > bytes.len() {
                return Err(ClassFileError::RepeatedInterface { offset });
            }
            interfaces.push(interface);
        }
        Ok(Header {
            name,
            super_name,
            interfaces,
            access,
            major,
        })
    }
}

const STRIDE: usize = 64;

/// The pool known by every 64th entry, so that a lookup walks a few entries and the table fits on the stack.
struct SparsePool<'a> {
    bytes: &'a [u8],
    count: usize,
    marks: [Mark; 65536 / STRIDE],
}

/// The first entry at or after an index; after it when the index is the second slot of a long or double.
#[derive(Copy, Clone, Default)]
struct Mark {
    index: u16,
    offset: u32,
}

impl<'a> SparsePool<'a> {
    /// Walks the pool and leaves the cursor after it.
    fn read(bytes: &'a [u8], cursor: &mut Cursor<'a>) -> Result<Self> {
        let count = usize::from(cursor.u2()?);
        let mut marks = [Mark::default(); 65536 / STRIDE];
        let mut next_mark = 0;
        let mut index = 1;
        while index < count {
            if index >= next_mark {
                if let Some(mark) = marks.get_mut(index / STRIDE) {
                    *mark = Mark {
                        index: index as u16,
                        offset: cursor.position() as u32,
                    };
                }
                next_mark = (index / STRIDE + 1) * STRIDE;
            }
            index += tag::slots(skip_entry(cursor, index)?);
        }
        if index != count {
            return Err(match count {
                0 => ClassFileError::EmptyPool,
                _ => ClassFileError::BadIndex {
                    index: count as u16,
                    len: count as u16,
                },
            });
        }
        Ok(SparsePool { bytes, count, marks })
    }

    /// A cursor after the tag of an entry that must have that tag.
    fn find(&self, wanted: u16, expected: u8) -> Result<Cursor<'a>> {
        let bad_index = ClassFileError::BadIndex {
            index: wanted,
            len: self.count as u16,
        };
        let target = usize::from(wanted);
        if target == 0 || target >= self.count {
            return Err(bad_index);
        }
        let mark = self.marks.get(target / STRIDE).copied().unwrap_or_default();
        let mut cursor = Cursor::at(self.bytes, mark.offset as usize);
        let mut index = usize::from(mark.index);
        // Unset when nothing begins in this stretch: the pool ends with the second slot of a long or double.
        if index == 0 {
            return Err(bad_index);
        }
        while index < target {
            index += tag::slots(skip_entry(&mut cursor, index)?);
        }
        if index > target {
            return Err(bad_index);
        }
        let offset = cursor.position();
        match cursor.u1()? {
            tag if tag == expected => Ok(cursor),
            found => Err(ClassFileError::WrongKind {
                index: wanted,
                expected: tag::name(expected),
                found: tag::name(found),
                offset,
            }),
        }
    }

    fn class_name(&self, index: u16, major: u16) -> Result<String> {
        let mut text = self.find(self.find(index, tag::CLASS)?.u2()?, tag::UTF8)?;
        let len = usize::from(text.u2()?);
        let offset = text.position();
        let bytes = text.take(len)?;
        utf8::check(bytes, major <= 47).map_err(|at| ClassFileError::BadUtf8 { offset: offset + at })?;
        Ok(utf8::decode(bytes).into_owned())
    }
}

/// Moves past one entry and returns its tag.
#[inline]
fn skip_entry(cursor: &mut Cursor<'_>, index: usize) -> Result<u8> {
    let offset = cursor.position();
    let tag = cursor.u1()?;
    if tag == tag::UTF8 {
        let len = cursor.u2()?;
        cursor.skip(usize::from(len))?;
    } else {
        let size = tag::size(tag).ok_or(ClassFileError::BadTag {
            index: index as u16,
            tag,
            offset,
        })?;
        cursor.skip(size)?;
    }
    Ok(tag)
}

#[cfg(test)]
mod tests;
