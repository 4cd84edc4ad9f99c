//! Short numbers for texts.

/// FNV-1a, folded: the same on every machine and in every version, which the standard library's hashes are not.
pub fn fingerprint(bytes: impl Iterator<Item = u8>) -> u32 {
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    (hash >> 32) as u32 ^ hash as u32
}
