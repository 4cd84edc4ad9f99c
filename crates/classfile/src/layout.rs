//! Where the parts of a class file are. Reading it is the validation that `ClassFile`'s accessors rely on.

use crate::access::AccessFlags;
use crate::attribute::{self, Attribute, Attributes, read_exactly};
use crate::error::{ClassFileError, Result};
use crate::pool::{Pool, PoolIndex};
use crate::reader::Cursor;
use crate::{NEWEST_MAJOR, OLDEST_MAJOR, tag};

/// Offsets into one class file.
pub(crate) struct Layout {
    pub(crate) minor: u16,
    pub(crate) major: u16,
    pub(crate) pool: PoolIndex,
    pub(crate) access: AccessFlags,
    pub(crate) this_class: u16,
    pub(crate) super_class: u16,
    /// At the count field.
    pub(crate) interfaces: u32,
    /// At each field's access flags.
    pub(crate) fields: Box<[u32]>,
    /// At each method's access flags.
    pub(crate) methods: Box<[u32]>,
    /// At the count field.
    pub(crate) attributes: u32,
}

/// Reads magic and version: minor, then major.
pub(crate) fn read_version(cursor: &mut Cursor<'_>) -> Result<(u16, u16)> {
    let size = cursor.remaining();
    if u32::try_from(size).is_err() {
        return Err(ClassFileError::TooLarge { size });
    }
    match cursor.u4()? {
        0xcafe_babe => {}
        found => return Err(ClassFileError::BadMagic { found }),
    }
    let minor = cursor.u2()?;
    match cursor.u2()? {
        major @ ..OLDEST_MAJOR => Err(ClassFileError::TooOld { major }),
        major @ OLDEST_MAJOR..=NEWEST_MAJOR => Ok((minor, major)),
        major => Err(ClassFileError::TooNew { major }),
    }
}

impl Layout {
    pub(crate) fn read(bytes: &[u8]) -> Result<Layout> {
        let mut cursor = Cursor::new(bytes);
        let (minor, major) = read_version(&mut cursor)?;
        let index = PoolIndex::read(&mut cursor, major)?;
        let pool = Pool::new(bytes, &index);
        pool.check_references(major)?;

        let access = AccessFlags(cursor.u2()?);
        let this_class = cursor.u2()?;
        pool.expect(this_class, tag::CLASS)?;
        let super_class = cursor.u2()?;
        if super_class != 0 {
            pool.expect(super_class, tag::CLASS)?;
        }
        let interfaces = cursor.position() as u32;
        for _ in 0..cursor.u2()? {
            pool.expect(cursor.u2()?, tag::CLASS)?;
        }
        let fields = read_members(pool, &mut cursor)?;
        let methods = read_members(pool, &mut cursor)?;
        let attributes = cursor.position() as u32;
        check_class_attributes(pool, &mut cursor)?;
        if !cursor.is_empty() {
            return Err(ClassFileError::TrailingBytes {
                offset: cursor.position(),
            });
        }
        Ok(Layout {
            minor,
            major,
            access,
            this_class,
            super_class,
            interfaces,
            fields,
            methods,
            attributes,
            pool: index,
        })
    }
}

fn read_members<'a>(pool: Pool<'a>, cursor: &mut Cursor<'a>) -> Result<Box<[u32]>> {
    let count = usize::from(cursor.u2()?);
    cursor.expect_room(count, 8)?;
    let mut members = Vec::with_capacity(count);
    for _ in 0..count {
        members.push(cursor.position() as u32);
        cursor.skip(2)?;
        pool.expect(cursor.u2()?, tag::UTF8)?;
        pool.expect(cursor.u2()?, tag::UTF8)?;
        attribute::skip(pool, cursor)?;
    }
    Ok(members.into_boxed_slice())
}

fn check_class_attributes<'a>(pool: Pool<'a>, cursor: &mut Cursor<'a>) -> Result<()> {
    let mut attributes = Attributes::read(pool, *cursor)?;
    let mut seen = 0_u8;
    for attribute in &mut attributes {
        let Attribute { name, body, .. } = attribute?;
        let offset = body.position();
        let (bit, name) = match name {
            b"SourceFile" => (1, "SourceFile"),
            b"NestHost" => (2, "NestHost"),
            b"NestMembers" => (4, "NestMembers"),
            b"PermittedSubclasses" => (8, "PermittedSubclasses"),
            b"InnerClasses" => (16, "InnerClasses"),
            b"Record" => (32, "Record"),
            b"BootstrapMethods" => (64, "BootstrapMethods"),
            _ => continue,
        };
        if seen & bit != 0 {
            return Err(ClassFileError::DuplicateAttribute { name, offset });
        }
        seen |= bit;
        read_exactly(name, body, |body| check_class_attribute(pool, name, body))?;
    }
    *cursor = attributes.end();
    Ok(())
}

/// Checks the attributes whose accessors promise an answer, and moves `body` to their end.
fn check_class_attribute<'a>(pool: Pool<'a>, name: &str, body: &mut Cursor<'a>) -> Result<()> {
    let optional = |index: u16, tag: u8| {
        if index == 0 {
            Ok(())
        } else {
            pool.expect(index, tag)
        }
    };
    match name {
        "SourceFile" => pool.expect(body.u2()?, tag::UTF8),
        "NestHost" => pool.expect(body.u2()?, tag::CLASS),
        "NestMembers" | "PermittedSubclasses" => {
            for _ in 0..body.u2()? {
                pool.expect(body.u2()?, tag::CLASS)?;
            }
            Ok(())
        }
        "InnerClasses" => {
            for _ in 0..body.u2()? {
                pool.expect(body.u2()?, tag::CLASS)?;
                optional(body.u2()?, tag::CLASS)?;
                optional(body.u2()?, tag::UTF8)?;
                body.skip(2)?;
            }
            Ok(())
        }
        "Record" => {
            for _ in 0..body.u2()? {
                pool.expect(body.u2()?, tag::UTF8)?;
                pool.expect(body.u2()?, tag::UTF8)?;
                attribute::skip(pool, body)?;
            }
            Ok(())
        }
        // `ClassFile::bootstrap_methods` reports what is wrong with these when they are asked for.
        _ => body.skip(body.remaining()),
    }
}
