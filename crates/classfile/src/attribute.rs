//! Attributes: a walk over one list of them, without looking into any.

use crate::error::{ClassFileError, Result};
use crate::pool::Pool;
use crate::reader::Cursor;

/// One attribute: its name as it is in the pool, and its content.
pub(crate) struct Attribute<'a> {
    pub(crate) name_index: u16,
    pub(crate) name: &'a [u8],
    pub(crate) body: Cursor<'a>,
}

/// The attributes of a class, a member or a Code attribute. Ends after the first error.
pub(crate) struct Attributes<'a> {
    pool: Pool<'a>,
    cursor: Cursor<'a>,
    left: u16,
}

impl<'a> Attributes<'a> {
    /// Starts at the count field.
    pub(crate) fn read(pool: Pool<'a>, mut cursor: Cursor<'a>) -> Result<Self> {
        let left = cursor.u2()?;
        Ok(Attributes { pool, cursor, left })
    }

    /// Like `read`, for a list that was walked once already; should it be broken after all, it is empty.
    pub(crate) fn checked(pool: Pool<'a>, cursor: Cursor<'a>) -> impl Iterator<Item = Attribute<'a>> {
        Attributes::read(pool, cursor)
            .into_iter()
            .flatten()
            .map_while(Result::ok)
    }

    /// Where the list ends, once it is used up.
    pub(crate) fn end(&self) -> Cursor<'a> {
        self.cursor
    }

    fn read_one(&mut self) -> Result<Attribute<'a>> {
        let name_index = self.cursor.u2()?;
        let name = self.pool.utf8_bytes(name_index)?;
        let len = self.cursor.u4()?;
        let body = self.cursor.split(len as usize)?;
        Ok(Attribute {
            name_index,
            name,
            body,
        })
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = Result<Attribute<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let attribute = self.read_one();
        if attribute.is_err() {
            self.left = 0;
        }
        Some(attribute)
    }
}

/// Checks a list of attributes and moves the cursor past it.
pub(crate) fn skip<'a>(pool: Pool<'a>, cursor: &mut Cursor<'a>) -> Result<()> {
    let mut attributes = Attributes::read(pool, *cursor)?;
    for attribute in &mut attributes {
        attribute?;
    }
    *cursor = attributes.end();
    Ok(())
}

/// The content of the first attribute with that name in a list that was walked once already.
pub(crate) fn find<'a>(pool: Pool<'a>, cursor: Cursor<'a>, name: &str) -> Option<Cursor<'a>> {
    Attributes::checked(pool, cursor)
        .find(|attribute| attribute.name == name.as_bytes())
        .map(|attribute| attribute.body)
}

/// Reads an attribute whose length must be what its content says.
pub(crate) fn read_exactly<'a, T>(
    name: &'static str,
    mut body: Cursor<'a>,
    read: impl FnOnce(&mut Cursor<'a>) -> Result<T>,
) -> Result<T> {
    let offset = body.position();
    match read(&mut body) {
        Ok(content) if body.is_empty() => Ok(content),
        Ok(_) | Err(ClassFileError::Truncated { .. }) => {
            Err(ClassFileError::BadAttributeLength { name, offset })
        }
        Err(other) => Err(other),
    }
}
