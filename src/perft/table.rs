//! The hash table of perft: positions that are reached by several orders of moves are counted once.

use std::{
    io,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use bytemuck::Zeroable;

use crate::{types::Key, util::ZeroedPages};

/// Low bits of a count that hold the number of leaves; the depth is above them.
const NODE_BITS: u32 = 56;

/// A count, and the exclusive or of it and the position's key: a torn write, half of one and half of another, matches
/// no key, except by collision.
// CITE: Robert Hyatt and Tim Mann, "A lock-less transposition table implementation for parallel search chess engines"
// (2002).
#[derive(Debug, Zeroable)]
#[repr(C, align(16))]
struct PerftEntry {
    count: AtomicU64,
    key_and_count: AtomicU64,
}

/// A lock-less hash table of perft counts that any number of threads share. Always replaces.
///
/// Its keys do not include the start squares of castling rooks, so that it serves the tree of one root at a time.
#[derive(Debug)]
pub struct PerftTable(ZeroedPages<PerftEntry>);

impl PerftTable {
    /// An empty table of this size in MiB.
    ///
    /// # Errors
    /// When the memory cannot be allocated.
    pub fn new(mebibytes: usize) -> io::Result<Self> {
        let bytes = mebibytes.checked_mul(1 << 20).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self(ZeroedPages::new((bytes / size_of::<PerftEntry>()).max(1))?))
    }

    /// The entry for a position and a depth: counts of different depths do not replace each other.
    fn entry(&self, key: Key, depth: u32) -> &PerftEntry {
        let entries = self.0.as_slice();
        let spread = key.wrapping_add(u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let index = (u128::from(spread) * entries.len() as u128) >> 64;
        &entries[index as usize]
    }

    /// The number of leaves `depth` plies below the position with this key, if stored.
    pub(super) fn probe(&self, key: Key, depth: u32) -> Option<u64> {
        let entry = self.entry(key, depth);
        let count = entry.count.load(Relaxed);
        let matches = entry.key_and_count.load(Relaxed) ^ count == key && count >> NODE_BITS == u64::from(depth);
        matches.then_some(count & ((1 << NODE_BITS) - 1))
    }

    /// Stores that number, unless it exceeds 56 bits (7.2e16).
    pub(super) fn store(&self, key: Key, depth: u32, nodes: u64) {
        if nodes >> NODE_BITS == 0 {
            let count = u64::from(depth) << NODE_BITS | nodes;
            let entry = self.entry(key, depth);
            entry.count.store(count, Relaxed);
            entry.key_and_count.store(key ^ count, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::util::Rng;

    #[test]
    fn finds_what_was_stored_and_nothing_else() {
        let table = PerftTable::new(1).unwrap();
        assert_eq!(table.probe(0, 3), None, "an empty place is no count");
        table.store(77, 3, 8902);
        assert_eq!(table.probe(77, 3), Some(8902));
        assert_eq!((table.probe(77, 4), table.probe(78, 3)), (None, None));
        table.store(77, 4, (1 << NODE_BITS) - 1);
        assert_eq!((table.probe(77, 3), table.probe(77, 4)), (Some(8902), Some((1 << NODE_BITS) - 1)));
        table.store(5, 9, 1 << NODE_BITS);
        assert_eq!(table.probe(5, 9), None, "too large to keep");
    }

    /// Two writers in one place: what is read belongs to the key it is read for.
    #[test]
    fn torn_writes_are_never_found() {
        let table = PerftTable(ZeroedPages::new(1).unwrap());
        let nodes_of = |key: Key| key.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 8;
        let found: u64 = thread::scope(|scope| {
            let hammer = |seed| {
                let table = &table;
                move || {
                    let mut rng = Rng::new(seed);
                    let mut found = 0;
                    for _ in 0..300_000 {
                        let key = rng.below(4) as Key;
                        table.store(key, 3, nodes_of(key));
                        let other = rng.below(4) as Key;
                        if let Some(nodes) = table.probe(other, 3) {
                            assert_eq!(nodes, nodes_of(other));
                            found += 1;
                        }
                    }
                    found
                }
            };
            let threads = [1, 2, 3].map(|seed| scope.spawn(hammer(seed)));
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert!(found > 0);
    }
}
