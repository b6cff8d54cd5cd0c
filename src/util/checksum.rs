//! A checksum for files that are written and read back.

/// FNV-1a, 64 bits (Fowler, Noll and Vo): detects accidental damage, not tampering.
pub const fn fnv1a(bytes: &[u8]) -> u64 {
    fnv1a_continued(0xcbf2_9ce4_8422_2325, bytes)
}

/// Continues a checksum `hash` with further `bytes`.
pub const fn fnv1a_continued(mut hash: u64, bytes: &[u8]) -> u64 {
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        at += 1;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_the_published_test_vector() {
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8); // from the authors' table of test vectors
    }
}
