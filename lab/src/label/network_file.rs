//! The parts of a Stockfish network file: little-endian integers, and signed LEB128 blocks.
// CITE: the format is Stockfish's (`src/nnue/nnue_common.h`).

use std::io;

/// Why a network could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NetworkError {
    /// The file cannot be opened or read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file ends early.
    #[error("truncated: the file ends at byte {end}, within the {part}")]
    Truncated {
        /// The length of the file.
        end: usize,
        /// The part that was being read.
        part: &'static str,
    },
    /// The first four bytes are not those of a network.
    #[error("not a Stockfish network: the file begins with {0:#010x} instead of {VERSION:#010x}")]
    Version(u32),
    /// The network has another shape than those that are known.
    #[error("the architecture {hash:#010x} (\"{description}\") is none of those known: {known}")]
    Architecture {
        /// The hash in the file's header.
        hash: u32,
        /// The description in the header.
        description: String,
        /// The names of those that are known.
        known: String,
    },
    /// A part begins with another hash than the architecture's.
    #[error("the {part} begins with the hash {found:#010x} instead of {expected:#010x}")]
    Hash {
        /// The part that was being read.
        part: &'static str,
        /// The hash in the file.
        found: u32,
        /// The hash of the architecture.
        expected: u32,
    },
    /// A compressed block does not hold as many integers as it should.
    #[error("the compressed {0} are damaged")]
    Compressed(&'static str),
    /// There is something behind the last layer.
    #[error("{0} bytes follow the last layer")]
    Trailing(usize),
}

/// The first four bytes of every network since 2020.
pub(super) const VERSION: u32 = 0x7af3_2f20;
/// Marks a compressed block; 15.1 and before have none.
pub(super) const COMPRESSED: &[u8; 17] = b"COMPRESSED_LEB128";

/// The rest of a file.
pub(super) struct FileReader<'a> {
    rest: &'a [u8],
    len: usize,
}

/// An integer in a file.
pub(super) trait Int: Copy {
    const BYTES: usize;
    fn from_le(bytes: &[u8]) -> Self;
    /// The integer's lowest bits.
    fn from_bits(bits: i64) -> Self;
}

macro_rules! int {
    ($($int:ty),*) => {$(
        impl Int for $int {
            const BYTES: usize = size_of::<Self>();

            fn from_le(bytes: &[u8]) -> Self {
                bytes.first_chunk().map_or(0, |&bytes| Self::from_le_bytes(bytes))
            }

            fn from_bits(bits: i64) -> Self {
                bits as Self
            }
        }
    )*};
}

int!(i8, i16, i32, u32);

impl<'a> FileReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, len: bytes.len() }
    }

    pub(super) fn bytes(&mut self, count: usize, part: &'static str) -> Result<&'a [u8], NetworkError> {
        let (bytes, rest) = self.rest.split_at_checked(count).ok_or(NetworkError::Truncated { end: self.len, part })?;
        self.rest = rest;
        Ok(bytes)
    }

    pub(super) fn u32(&mut self, part: &'static str) -> Result<u32, NetworkError> {
        Ok(Int::from_le(self.bytes(u32::BYTES, part)?))
    }

    /// Reads the hash that a part begins with.
    pub(super) fn hash(&mut self, expected: u32, part: &'static str) -> Result<(), NetworkError> {
        match self.u32(part)? {
            found if found == expected => Ok(()),
            found => Err(NetworkError::Hash { part, found, expected }),
        }
    }

    /// Reads as many plain integers as `into` has.
    pub(super) fn plain<T: Int>(&mut self, into: &mut [T], part: &'static str) -> Result<(), NetworkError> {
        let bytes = self.bytes(into.len() * T::BYTES, part)?;
        into.iter_mut().zip(bytes.chunks_exact(T::BYTES)).for_each(|(into, bytes)| *into = T::from_le(bytes));
        Ok(())
    }

    /// Reads as many integers as the arrays have together, compressed as one block or plain.
    pub(super) fn integers<T: Int>(&mut self, arrays: &mut [&mut [T]], part: &'static str) -> Result<(), NetworkError> {
        if !self.rest.starts_with(COMPRESSED) {
            return arrays.iter_mut().try_for_each(|array| self.plain(array, part));
        }
        self.bytes(COMPRESSED.len(), part)?;
        let len = self.u32(part)? as usize;
        let mut block = self.bytes(len, part)?.iter();
        for into in arrays.iter_mut().flat_map(|array| array.iter_mut()) {
            *into = T::from_bits(signed_leb128(&mut block).ok_or(NetworkError::Compressed(part))?);
        }
        if block.len() == 0 { Ok(()) } else { Err(NetworkError::Compressed(part)) }
    }

    pub(super) fn end(self) -> Result<(), NetworkError> {
        if self.rest.is_empty() { Ok(()) } else { Err(NetworkError::Trailing(self.rest.len())) }
    }
}

/// The next integer of a block; none at its end, or if it has more than 35 bits.
fn signed_leb128<'a>(block: &mut impl Iterator<Item = &'a u8>) -> Option<i64> {
    let mut value = 0_i64;
    for shift in (0..35).step_by(7) {
        let byte = i64::from(*block.next()?);
        value |= (byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            let unused = 64 - 7 - shift;
            return Some(value << unused >> unused);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leb128_follows_its_definition() {
        // The examples of the DWARF standard for signed LEB128.
        let examples: [(i64, &[u8]); 6] = [
            (2, &[2]),
            (-2, &[0x7e]),
            (127, &[0xff, 0]),
            (-127, &[0x81, 0x7f]),
            (128, &[0x80, 1]),
            (-129, &[0xff, 0x7e]),
        ];
        for (value, bytes) in examples {
            assert_eq!(signed_leb128(&mut bytes.iter()), Some(value));
        }
        assert_eq!(signed_leb128(&mut [0x80, 0x80].iter()), None, "truncated");
        assert_eq!(signed_leb128(&mut [0x80; 9].iter()), None, "too long");
    }

    #[test]
    fn a_block_holds_exactly_the_integers() {
        let block = |len: u8, bytes: &[u8]| [&COMPRESSED[..], &[len, 0, 0, 0], bytes].concat();
        let read = |file: &[u8]| {
            let (mut first, mut second) = ([0_i16; 2], [0_i16; 1]);
            let mut reader = FileReader::new(file);
            reader.integers(&mut [&mut first, &mut second], "weights")?;
            reader.end().map(|()| (first, second))
        };
        assert_eq!(read(&block(4, &[2, 0x81, 0x7f, 5])).unwrap(), ([2, -127], [5]));
        assert_eq!(read(&[2, 0, 0x81, 0xff, 5, 0]).unwrap(), ([2, -127], [5]), "plain");
        assert!(matches!(read(&block(3, &[2, 0x81, 0x7f])), Err(NetworkError::Compressed("weights"))));
        assert!(matches!(read(&block(5, &[2, 0x81, 0x7f, 5, 5])), Err(NetworkError::Compressed("weights"))));
        assert!(matches!(read(&block(5, &[2, 0x81, 0x7f, 5])), Err(NetworkError::Truncated { end: 25, .. })));
        assert!(matches!(read(&[2, 0, 3, 0, 5, 0, 7]), Err(NetworkError::Trailing(1))));
    }
}
