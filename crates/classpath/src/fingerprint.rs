//! Whether two things hold the same: a number made from what is in them.

/// A number made from parts. FNV-1a: the same on every machine and in every version, which the standard library's hashes
/// are not.
pub struct Fingerprint(u64);

impl Fingerprint {
    /// That of nothing.
    #[expect(clippy::new_without_default, reason = "nobody asks for one by default")]
    pub fn new() -> Fingerprint {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }

    /// Adds a part; parts are kept apart.
    pub fn add(&mut self, part: &[u8]) {
        let length = (part.len() as u64).to_le_bytes();
        for byte in length.iter().chain(part) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// The number.
    pub fn finish(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_kept_apart() {
        let of = |parts: &[&str]| {
            let mut fingerprint = Fingerprint::new();
            for part in parts {
                fingerprint.add(part.as_bytes());
            }
            fingerprint.finish()
        };
        assert_eq!(of(&["a", "bc"]), of(&["a", "bc"]));
        assert_ne!(of(&["a", "bc"]), of(&["ab", "c"]));
    }
}
