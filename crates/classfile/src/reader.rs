//! The cursor every structure is read with: big-endian, bounds-checked, offsets counted from the start of the
//! file.

use crate::error::{ClassFileError, Result};

/// A position in the file and the end up to which it may be read.
#[derive(Copy, Clone)]
pub(crate) struct Cursor<'a> {
    // From the start of the file, so that `at` is the offset an error should name.
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Cursor { bytes, at: 0 }
    }

    /// A cursor in the middle of the file. A position past the end is the same as the end.
    pub(crate) fn at(bytes: &'a [u8], at: usize) -> Self {
        Cursor {
            bytes,
            at: at.min(bytes.len()),
        }
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    fn truncated(&self) -> ClassFileError {
        ClassFileError::Truncated { offset: self.at }
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<N>()) {
            Some(chunk) => {
                self.at += N;
                Ok(*chunk)
            }
            None => Err(self.truncated()),
        }
    }

    #[inline]
    pub(crate) fn u1(&mut self) -> Result<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    #[inline]
    pub(crate) fn u2(&mut self) -> Result<u16> {
        self.array().map(u16::from_be_bytes)
    }

    #[inline]
    pub(crate) fn u4(&mut self) -> Result<u32> {
        self.array().map(u32::from_be_bytes)
    }

    #[inline]
    pub(crate) fn u8(&mut self) -> Result<u64> {
        self.array().map(u64::from_be_bytes)
    }

    #[inline]
    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let taken = self
            .bytes
            .get(self.at..)
            .and_then(|rest| rest.get(..len))
            .ok_or_else(|| self.truncated())?;
        self.at += len;
        Ok(taken)
    }

    #[inline]
    pub(crate) fn skip(&mut self, len: usize) -> Result<()> {
        self.take(len).map(|_| ())
    }

    /// Splits off the next `len` bytes as a cursor of their own; offsets stay those of the file.
    pub(crate) fn split(&mut self, len: usize) -> Result<Cursor<'a>> {
        let start = self.at;
        self.skip(len)?;
        Ok(Cursor {
            bytes: self.bytes.get(..self.at).unwrap_or(self.bytes),
            at: start,
        })
    }

    /// Fails unless `count` items of at least `size` bytes can follow, so that reserving for them is safe.
    pub(crate) fn expect_room(&self, count: usize, size: usize) -> Result<()> {
        match count.checked_mul(size) {
            Some(needed) if needed <= self.remaining() => Ok(()),
            _ => Err(ClassFileError::Truncated {
                offset: self.bytes.len(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_stop_at_the_end_and_stay_there() {
        let mut cursor = Cursor::new(&[1, 2, 3]);
        assert_eq!(cursor.u2(), Ok(0x0102));
        assert_eq!(cursor.u4(), Err(ClassFileError::Truncated { offset: 2 }));
        assert_eq!(cursor.u1(), Ok(3));
        assert_eq!(cursor.take(0), Ok(&[][..]));
        assert_eq!(
            cursor.take(usize::MAX),
            Err(ClassFileError::Truncated { offset: 3 })
        );
        assert!(Cursor::at(&[1], 9).is_empty());
    }

    #[test]
    fn a_split_keeps_file_offsets_and_ends_early() {
        let mut cursor = Cursor::new(&[0, 1, 2, 3]);
        cursor.skip(1).unwrap();
        let mut part = cursor.split(2).unwrap();
        assert_eq!(part.position(), 1);
        assert_eq!(part.u2(), Ok(0x0102));
        assert_eq!(part.u1(), Err(ClassFileError::Truncated { offset: 3 }));
        assert_eq!(cursor.u1(), Ok(3));
    }

    #[test]
    fn room_is_checked_without_overflow() {
        let cursor = Cursor::new(&[0; 6]);
        assert!(cursor.expect_room(2, 3).is_ok());
        assert!(cursor.expect_room(3, 3).is_err());
        assert!(cursor.expect_room(usize::MAX, 8).is_err());
    }
}
