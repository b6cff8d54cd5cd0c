//! The transposition table (TT): results of earlier searches by position.
//!
//! A cluster is half a cache line: three entries of one 64-bit word each, and a word of their keys, the sixteen low
//! bits of each position's Zobrist key. All words are relaxed atomics, so threads share the TT without locks and
//! without a data race. A key and an entry may then come from different writers, which is rarer than a collision of
//! sixteen-bit keys. The move of a hit is checked for legality before it is played; its score is used unchecked, as in
//! other engines.
// CITE: Stockfish, by way of Reckless - clusters of three entries, sixteen-bit keys, five bits of age, replacement
// policy, raw evaluations; Reckless - 8-byte entries beside a word of keys; the relaxed atomics are our own.

use std::{
    io,
    sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed},
};

use bytemuck::Zeroable;

use crate::{
    params,
    types::{Bound, Depth, Key, Move, Score},
    util::{TouchedPages, prefetch},
};

/// Entries of a cluster.
const ENTRIES: usize = 3;
/// The age is a counter of searches modulo this.
const AGES: u8 = 32;

/// The stored result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// The best move; may belong to another position, so check it for legality.
    pub mv: Option<Move>,
    /// The score, with mates counted from the root of the search, and its bound; `None` for an evaluation alone.
    pub score: Option<(Score, Bound)>,
    /// The raw static evaluation, before any correction; `None` in check.
    pub raw_eval: Option<Score>,
    /// The depth of the search, in plies.
    pub depth: Depth,
    /// True if the position was ever searched as a PV node (`tt_pv`).
    pub pv: bool,
}

/// Three entries and their keys.
#[derive(Debug, Zeroable)]
#[repr(C, align(32))]
struct Cluster {
    entries: [AtomicU64; ENTRIES],
    keys: AtomicU64,
}

impl AsRef<AtomicU64> for Cluster {
    fn as_ref(&self) -> &AtomicU64 {
        &self.keys
    }
}

/// The transposition table, shared by all search threads.
#[derive(Debug)]
pub struct TranspositionTable {
    clusters: TouchedPages<Cluster>,
    age: AtomicU8,
}

const NO_EVAL: i16 = i16::MIN;
/// Added to stored depths, so that the -1 of an entry with an evaluation alone fits, and no used entry is zero.
const DEPTH_OFFSET: Depth = 4;

impl TranspositionTable {
    /// Creates an empty TT of at most `mebibytes`.
    ///
    /// # Errors
    /// If the system does not provide the memory.
    pub fn new(mebibytes: usize) -> io::Result<Self> {
        let bytes = mebibytes.checked_mul(1 << 20).ok_or(io::ErrorKind::OutOfMemory)?;
        let clusters = TouchedPages::new((bytes / size_of::<Cluster>()).max(1))?;
        Ok(Self { clusters, age: AtomicU8::new(0) })
    }

    /// Clears the TT by writing zeros, which touches all its pages.
    pub fn clear(&self) {
        self.clear_part(0, 1);
        self.clusters.set_touched();
    }

    /// Clears part number `part` of `parts` equal ones by writing zeros. Part 0 includes the age.
    pub fn clear_part(&self, part: usize, parts: usize) {
        let clusters = self.clusters.as_slice();
        let end = |parts_before: usize| (clusters.len() as u128 * parts_before as u128 / parts as u128) as usize;
        for Cluster { entries, keys } in &clusters[end(part)..end(part + 1)] {
            keys.store(0, Relaxed);
            entries.iter().for_each(|entry| entry.store(0, Relaxed));
        }
        if part == 0 {
            self.age.store(0, Relaxed);
        }
    }

    /// Touches some memory that no thread has touched, so that no search waits for the system to provide it. Any number
    /// of idle threads may call it at any time.
    pub(crate) fn touch_some(&self) {
        self.clusters.touch_next();
    }

    /// True if [`Self::touch_some`] has something to do.
    pub(crate) fn is_left_to_touch(&self) -> bool {
        self.clusters.is_left_to_touch()
    }

    /// True if all memory has been touched.
    pub(crate) fn is_touched(&self) -> bool {
        self.clusters.is_touched()
    }

    /// Begins another search: the entries of older ones are replaced first.
    pub fn new_search(&self) {
        self.clusters.use_small_pages_for_rest();
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// The cluster of a key: chosen by its high bits, so that the low bits, which the entry keeps, are independent of
    /// it.
    // CITE: Daniel Lemire - a multiplication in place of the remainder.
    #[inline(always)]
    fn cluster(&self, key: Key) -> &Cluster {
        let clusters = self.clusters.as_slice();
        let index = (u128::from(key) * clusters.len() as u128) >> 64;
        &clusters[index as usize]
    }

    /// Prefetches the cluster of a key into the cache.
    // CITE: akimbo, Berserk - prefetch of the child's cluster before its move is made.
    #[inline(always)]
    pub fn prefetch(&self, key: Key) {
        prefetch(self.cluster(key));
    }

    /// The entry of a position, if there is one, for a search that has reached it at `ply` plies from its root.
    #[inline]
    pub fn probe(&self, key: Key, ply: usize) -> Option<TtEntry> {
        let cluster = self.cluster(key);
        let slot = slot_of(cluster.keys.load(Relaxed), key)?;
        let word = cluster.entries[slot].load(Relaxed);
        (word != 0).then(|| unpack(word, ply))
    }

    /// Stores a result of a search at `ply` plies from its root. The move of an older entry of the same position is
    /// kept if there is no new one. A much shallower bound does not overwrite an entry of the same position and search.
    // CITE: Stockfish, by way of Reckless - replacement by depth, PV and age.
    pub fn store(&self, key: Key, ply: usize, entry: TtEntry) {
        let cluster = self.cluster(key);
        let keys = cluster.keys.load(Relaxed);
        let age = self.age.load(Relaxed);
        let mut new = entry;
        let slot = match slot_of(keys, key) {
            Some(slot) => {
                let word = cluster.entries[slot].load(Relaxed);
                let old = unpack(word, ply);
                let exact = matches!(entry.score, Some((_, Bound::Exact)));
                if word != 0 && age_of(word) == age && !exact {
                    let pv_margin = Depth::from(entry.pv) * params::tt_replace_pv_margin();
                    let keep = entry.depth + params::tt_replace_depth_margin() + pv_margin <= old.depth;
                    if keep {
                        return;
                    }
                }
                new.mv = entry.mv.or(if word == 0 { None } else { old.mv });
                slot
            }
            None => self.least_valuable(cluster, age),
        };
        cluster.entries[slot].store(pack(&new, ply, age), Relaxed);
        let shift = 16 * slot;
        let keys = keys & !(0xffff << shift) | (key & 0xffff) << shift;
        cluster.keys.store(keys, Relaxed);
    }

    /// The entry to replace: the shallowest, with a penalty for age.
    fn least_valuable(&self, cluster: &Cluster, age: u8) -> usize {
        let worth = |slot: usize| {
            let word = cluster.entries[slot].load(Relaxed);
            if word == 0 {
                return Depth::MIN;
            }
            let searches_ago = (AGES + age - age_of(word)) % AGES;
            depth_of(word) - params::tt_age_penalty() * Depth::from(searches_ago)
        };
        (0..ENTRIES).min_by_key(|&slot| worth(slot)).unwrap_or(0)
    }

    /// Share of entries that were stored by this search, in permille, from the first thousand clusters.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = self.clusters.as_slice().iter().take(1000).flat_map(|cluster| &cluster.entries);
        let (mut used, mut seen) = (0, 0);
        for word in sample.map(|word| word.load(Relaxed)) {
            used += u32::from(word != 0 && age_of(word) == age);
            seen += 1;
        }
        used * 1000 / seen.max(1)
    }

    /// The size in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.clusters.as_slice())
    }
}

/// The index of the entry whose key equals the low bits of `key`.
#[inline(always)]
fn slot_of(keys: u64, key: Key) -> Option<usize> {
    let low = key & 0xffff;
    (0..ENTRIES).find(|&slot| keys >> (16 * slot) & 0xffff == low)
}

// Bits of an entry: move 0-15, score 16-31, raw evaluation 32-47, depth 48-55, bound 56-57, PV 58, age 59-63.

#[inline(always)]
fn pack(entry: &TtEntry, ply: usize, age: u8) -> u64 {
    let (score, bound) = match entry.score {
        None => (Score::ZERO, 0),
        Some((score, Bound::Upper)) => (score, 1),
        Some((score, Bound::Lower)) => (score, 2),
        Some((score, Bound::Exact)) => (score, 3),
    };
    let score = shift_distance(score, ply as i32).0;
    let eval = entry.raw_eval.map_or(NO_EVAL, |eval| eval.0 as i16);
    u64::from(entry.mv.map_or(0, Move::bits))
        | u64::from(score as i16 as u16) << 16
        | u64::from(eval as u16) << 32
        | ((entry.depth + DEPTH_OFFSET).clamp(1, 255) as u64) << 48
        | bound << 56
        | u64::from(entry.pv) << 58
        | u64::from(age) << 59
}

#[inline(always)]
fn unpack(word: u64, ply: usize) -> TtEntry {
    let score = shift_distance(Score(i32::from((word >> 16) as i16)), -(ply as i32));
    let eval = (word >> 32) as i16;
    TtEntry {
        mv: Move::from_bits(word as u16),
        score: match word >> 56 & 3 {
            1 => Some((score, Bound::Upper)),
            2 => Some((score, Bound::Lower)),
            3 => Some((score, Bound::Exact)),
            _ => None,
        },
        raw_eval: (eval != NO_EVAL).then(|| Score(i32::from(eval))),
        depth: depth_of(word),
        pv: word >> 58 & 1 != 0,
    }
}

/// The score with the distance of a mate or tablebase result counted from a position `plies` before. Entries count it
/// from their own position, which a search may reach at several plies: Stockfish's `value_to_tt` and `value_from_tt`.
#[inline(always)]
fn shift_distance(score: Score, plies: i32) -> Score {
    if score.is_win() {
        score + plies
    } else if score.is_loss() {
        score - plies
    } else {
        score
    }
}

#[inline(always)]
fn depth_of(word: u64) -> Depth {
    (word >> 48 & 0xff) as Depth - DEPTH_OFFSET
}

#[inline(always)]
fn age_of(word: u64) -> u8 {
    (word >> 59) as u8
}

const _: () = assert!(size_of::<Cluster>() == 32);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        types::{MAX_PLY, MoveKind, Square},
        util::Rng,
    };

    fn entry(depth: Depth) -> TtEntry {
        let mv = Some(Move::new(Square::E2, Square::E4, MoveKind::DoublePush));
        TtEntry { mv, score: Some((Score(-31), Bound::Lower)), raw_eval: Some(Score(12)), depth, pv: true }
    }

    #[test]
    fn packing_loses_nothing() {
        let mut rng = Rng::new(3);
        for _ in 0..if cfg!(miri) { 1_000 } else { 100_000 } {
            let bound = [None, Some(Bound::Upper), Some(Bound::Lower), Some(Bound::Exact)][rng.below(4)];
            let score = Score(rng.below(64_003) as i32 - 32_001);
            let sample = TtEntry {
                mv: Move::from_bits(rng.next_u64() as u16),
                score: bound.map(|bound| (score, bound)),
                raw_eval: [None, Some(Score(rng.below(60_000) as i32 - 30_000))][rng.below(2)],
                depth: rng.below(250) as Depth - 2,
                pv: rng.below(2) == 1,
            };
            let age = rng.below(32) as u8;
            let ply = rng.below(MAX_PLY);
            let word = pack(&sample, ply, age);
            assert!(word != 0);
            assert_eq!((unpack(word, ply), age_of(word)), (sample, age));
        }
    }

    #[test]
    fn finds_what_was_stored_and_nothing_else() {
        let table = TranspositionTable::new(1).unwrap();
        let key = 0x1234_5678_9abc_def0;
        assert_eq!(table.probe(key, 0), None);
        table.store(key, 0, entry(5));
        assert_eq!(table.probe(key, 0), Some(entry(5)));
        assert_eq!(table.probe(key ^ 1, 0), None);
        for (stored, found) in [(Score::mate_in(9), Score::mate_in(5)), (Score::mated_in(9), Score::mated_in(5))] {
            table.store(key, 4, TtEntry { score: Some((stored, Bound::Exact)), ..entry(5) });
            let read = |ply| table.probe(key, ply).unwrap().score;
            assert_eq!((read(4), read(0)), (Some((stored, Bound::Exact)), Some((found, Bound::Exact))));
        }
    }

    #[test]
    fn keeps_moves_and_deep_results() {
        let table = TranspositionTable::new(1).unwrap();
        let key = 77 << 40;
        table.store(key, 0, entry(20));
        table.store(key, 0, TtEntry { pv: false, ..entry(3) });
        assert_eq!(table.probe(key, 0).unwrap().depth, 20, "a much shallower bound does not replace a deep one");
        table.store(key, 0, TtEntry { mv: None, score: Some((Score(1), Bound::Exact)), ..entry(3) });
        let found = table.probe(key, 0).unwrap();
        assert_eq!((found.depth, found.mv), (3, entry(3).mv), "an exact score does, and the old move stays");
    }

    /// A search in a table that was cleared looks for a stop as seldom as in one whose pages were touched.
    #[cfg_attr(miri, ignore = "takes half an hour")]
    #[test]
    fn clearing_touches_all_pages() {
        let table = TranspositionTable::new(7).unwrap();
        assert!(!table.clusters.is_touched() && table.clusters.touch_next());
        table.clear();
        assert!(table.clusters.is_touched() && !table.clusters.touch_next());
    }

    #[test]
    fn parts_clear_the_whole() {
        let table = TranspositionTable::new(1).unwrap();
        let keys: Vec<_> = (0..100_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        keys.iter().for_each(|&key| table.store(key, 0, entry(5)));
        let found = || keys.iter().filter(|&&key| table.probe(key, 0).is_some()).count();
        assert_eq!(found(), 100);
        table.clear_part(1, 3);
        assert!((1..100).contains(&found()));
        [0, 2].into_iter().for_each(|part| table.clear_part(part, 3));
        assert_eq!(found(), 0);
    }

    #[test]
    fn old_and_shallow_entries_yield() {
        let table = TranspositionTable::new(1).unwrap();
        let key = |n: u64| 5 << 44 | n;
        for (n, depth) in [(1, 9), (2, 4), (3, 7)] {
            table.store(key(n), 0, entry(depth));
        }
        table.store(key(4), 0, entry(1));
        assert!(table.probe(key(2), 0).is_none() && table.probe(key(1), 0).is_some());
        (0..3).for_each(|_| table.new_search());
        table.store(key(5), 0, entry(1));
        assert!(table.probe(key(4), 0).is_none(), "the shallowest old entry goes first");
        assert!(table.hashfull() <= 1);
    }
}
