//! A hash of everything that was found out.

use std::fmt;

/// FNV-1a: the same on every machine and with every compiler, and good enough to tell two runs apart.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Digest(u64);

impl Digest {
    pub(super) const EMPTY: Digest = Digest(0xCBF2_9CE4_8422_2325);

    pub(super) fn with(self, bytes: &[u8]) -> Digest {
        Digest(bytes.iter().fold(self.0, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3)
        }))
    }

    pub(super) fn and(self, other: Digest) -> Digest {
        self.with(&other.0.to_le_bytes())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_fnv() {
        assert_eq!(Digest::EMPTY.to_string(), "cbf29ce484222325");
        assert_eq!(Digest::EMPTY.with(b"foobar").to_string(), "85944171f73967e8");
        assert_ne!(
            Digest::EMPTY.and(Digest::EMPTY.with(b"a")),
            Digest::EMPTY.and(Digest::EMPTY.with(b"b"))
        );
    }
}
