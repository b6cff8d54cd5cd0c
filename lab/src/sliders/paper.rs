//! A repetition of Table 4 of Trevor Fenner and Mark Levene, "Move Generation with Perfect Hash Functions" (ICGA
//! Journal, 2008).
//!
//! The paper times how the occupancy of a line is gathered into eight bits, which then index the attacks along it: by a
//! loop over the line's squares, or by a hash function whose table holds the eight bits. It does so for the rooks,
//! bishops and queens of 1,001 positions, a hundred times. Its positions come from a book of combinations, ours from
//! random play; its loop ran in Matlab. The further improvement that it proposes, a hash address that indexes the
//! attacks directly, is timed as well.

use std::{
    fmt,
    hint::black_box,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{
    backends::{h1, h1_minimal, h2},
    comparison::median,
    positions::random_play,
};
use sleight::{
    attacks::{Axis, Slider},
    position::Position,
    types::{Bitboard, Square},
};

/// The parameters of a repetition.
#[derive(Clone, Debug)]
pub(crate) struct PaperOptions {
    /// Positions from random play.
    pub positions: usize,
    /// Passes over all positions in one timing.
    pub repeats: u32,
    /// Timings of every row, of which the median counts.
    pub rounds: usize,
    /// The seed of the positions.
    pub seed: u64,
}

impl Default for PaperOptions {
    fn default() -> Self {
        Self { positions: 1001, repeats: 100, rounds: 21, seed: 2008 }
    }
}

/// One row of the table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct PaperRow {
    /// The kind of line, and the hash function.
    pub operation: &'static str,
    /// Lookups in all passes together.
    pub calls: u64,
    /// Seconds with the loop.
    pub looped: f64,
    /// Seconds with the hash function and its table of occupancies.
    pub hashed: f64,
    /// Seconds with the hash address as the index of the attacks.
    pub direct: f64,
    /// The published improvement, in percent.
    pub published: f64,
}

impl PaperRow {
    /// The share of the loop's time that the hash function saves, in percent.
    pub(crate) fn improvement(&self) -> f64 {
        100.0 * (1.0 - self.hashed / self.looped)
    }

    /// The share of the loop's time that direct indexing saves, in percent.
    pub(crate) fn direct_improvement(&self) -> f64 {
        100.0 * (1.0 - self.direct / self.looped)
    }
}

/// The table.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Paper {
    /// Its four rows.
    pub rows: Vec<PaperRow>,
}

impl Paper {
    /// Times all rows. `progress` is called after each.
    pub(crate) fn run(options: &PaperOptions, mut progress: impl FnMut(&PaperRow)) -> Self {
        let positions: Vec<_> = random_play(options.seed).take(options.positions).collect();
        let files = calls(&positions, Slider::Rook, Axis::File);
        let north_east = calls(&positions, Slider::Bishop, Axis::NorthEast);
        let north_west = calls(&positions, Slider::Bishop, Axis::NorthWest);
        let mut rows = Vec::new();
        let mut add = |row| {
            progress(&row);
            rows.push(row);
        };
        add(row("file (h1)", 51.61, &files, options, &Hash::<8, _>::new(h1::<8>)));
        add(row("NE diagonal (h1)", 21.05, &north_east, options, &Hash::<9, _>::new(h1::<9>)));
        add(row("NE diagonal (h1-hat)", 15.72, &north_east, options, &Hash::<9, _>::new(h1_minimal::<9, 8>)));
        add(row("NW diagonal (h2)", 50.53, &north_west, options, &Hash::<7, _>::new(h2::<7>)));
        Self { rows }
    }

    /// The contents of the table, as JSON.
    pub(crate) fn json(&self) -> Value {
        let row = |row: &PaperRow| {
            json!({
                "operation": row.operation,
                "calls": row.calls,
                "loop_seconds": row.looped,
                "hash_seconds": row.hashed,
                "improvement_percent": row.improvement(),
                "published_percent": row.published,
                "direct_seconds": row.direct,
                "direct_improvement_percent": row.direct_improvement(),
            })
        };
        json!({ "rows": self.rows.iter().map(row).collect::<Value>() })
    }
}

/// The table, with the published improvements beside ours.
impl fmt::Display for Paper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [loop_, hash, direct] = ["loop", "hash", "direct"].map(|name| format!("{name}, s"));
        write!(f, "{:21} {:>8} {loop_:>9} {hash:>9} {:>11}", "operation", "calls", "improvement")?;
        writeln!(f, " {:>9} {direct:>9} {:>11}", "published", "improvement")?;
        for row in &self.rows {
            let PaperRow { operation, calls, looped, hashed, direct, published } = row;
            write!(f, "{operation:21} {calls:8} {looped:9.6} {hashed:9.6} {:10.2}%", row.improvement())?;
            writeln!(f, " {published:8.2}% {direct:9.6} {:10.2}%", row.direct_improvement())?;
        }
        Ok(())
    }
}

/// A lookup of the attacks of one slider along one line.
#[derive(Clone, Copy)]
struct Call {
    occupied: Bitboard,
    /// All squares of the line, the slider's included.
    line: Bitboard,
    /// The index of the line's lowest square.
    shift: u32,
    /// The number of the line's squares below the slider.
    place: usize,
}

impl Call {
    fn new(line: Axis, square: Square, occupied: Bitboard) -> Self {
        let line = line.around(square) | square.into();
        let place = (line.0 & (square.bitboard().0 - 1)).count_ones() as usize;
        Self { occupied, line, shift: line.0.trailing_zeros(), place }
    }

    /// The occupancy of the line, shifted so that its lowest square is bit 0.
    #[inline(always)]
    fn bits(&self) -> u64 {
        (self.occupied.0 & self.line.0) >> self.shift
    }
}

/// The lookups of one pass of pseudo-legal move generation: for all sliders of the side to move, queens included.
fn calls(positions: &[Position], slider: Slider, line: Axis) -> Vec<Call> {
    let of_position = |position: &Position| {
        let (board, us) = (position.board(), position.side_to_move());
        let sliders = match slider {
            Slider::Rook => board.orthogonal_sliders(us),
            Slider::Bishop => board.diagonal_sliders(us),
        };
        let occupied = board.occupied();
        sliders.map(move |square| Call::new(line, square, occupied))
    };
    positions.iter().flat_map(of_position).collect()
}

/// A hash function with its tables, for lines whose squares are K bits apart.
struct Hash<const K: u32, F> {
    function: F,
    tables: Tables,
}

struct Tables {
    /// The occupancy of a line, in eight bits, by its hash address.
    occupancies: Vec<u8>,
    /// The attacks by place and hash address.
    by_address: [Vec<u8>; 8],
    /// The attacks by place and occupancy.
    by_occupancy: [[u8; 256]; 8],
}

impl Tables {
    fn new(k: u32, address: &dyn Fn(u64) -> usize) -> Self {
        let spread = |occupancy: u8| (0..8).filter(|i| occupancy >> i & 1 == 1).map(|i| 1 << (i * k)).sum();
        let addresses: Vec<usize> = (0..=255).map(|occupancy| address(spread(occupancy))).collect();
        let len = addresses.iter().max().map_or(0, |most| most + 1);
        let mut occupancies = vec![0; len];
        for (occupancy, &address) in (0..=255).zip(&addresses) {
            occupancies[address] = occupancy;
        }
        let by_occupancy: [[u8; 256]; 8] = std::array::from_fn(|place| {
            std::array::from_fn(|occupancy| {
                let on_rank = Slider::Rook.attacks(Square::from_low_bits(place), Bitboard(occupancy as u64));
                (on_rank.0 & 0xff) as u8
            })
        });
        let by_address = by_occupancy.map(|attacks| occupancies.iter().map(|&o| attacks[usize::from(o)]).collect());
        Self { occupancies, by_address, by_occupancy }
    }
}

impl<const K: u32, F: Fn(u64) -> usize> Hash<K, F> {
    fn new(function: F) -> Self {
        Self { tables: Tables::new(K, &function), function }
    }

    /// The paper's baseline: a loop over the squares of the line.
    #[inline(always)]
    fn looped(&self, call: &Call) -> u8 {
        let bits = call.bits();
        let occupancy = (0..8).fold(0, |occupancy, i| occupancy | (bits >> (i * K) & 1) << i);
        self.tables.by_occupancy[call.place][occupancy as usize]
    }

    #[inline(always)]
    fn hashed(&self, call: &Call) -> u8 {
        let occupancy = self.tables.occupancies[(self.function)(call.bits())];
        self.tables.by_occupancy[call.place][usize::from(occupancy)]
    }

    #[inline(always)]
    fn direct(&self, call: &Call) -> u8 {
        self.tables.by_address[call.place][(self.function)(call.bits())]
    }
}

/// Times one row, the three methods in turn.
fn row<const K: u32>(
    operation: &'static str,
    published: f64,
    calls: &[Call],
    options: &PaperOptions,
    hash: &Hash<K, impl Fn(u64) -> usize>,
) -> PaperRow {
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..options.rounds.max(1) {
        times[0].push(time(calls, options.repeats, |call| hash.looped(call)));
        times[1].push(time(calls, options.repeats, |call| hash.hashed(call)));
        times[2].push(time(calls, options.repeats, |call| hash.direct(call)));
    }
    let [looped, hashed, direct] = times.map(|times| median(&times).as_secs_f64());
    let calls = calls.len() as u64 * u64::from(options.repeats);
    PaperRow { operation, calls, looped, hashed, direct, published }
}

#[inline(never)]
fn time(calls: &[Call], repeats: u32, attacks: impl Fn(&Call) -> u8) -> Duration {
    let start = Instant::now();
    for _ in 0..repeats {
        for call in calls {
            // One by one, as in a move generator, and not several calls in one vector instruction.
            black_box(attacks(black_box(call)));
        }
    }
    start.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_methods_give_the_same_attacks() {
        fn check<const K: u32>(hash: &Hash<K, impl Fn(u64) -> usize>, line: Axis) {
            for position in random_play(1).take(200) {
                for square in Square::ALL {
                    let call = Call::new(line, square, position.board().occupied());
                    assert_eq!(hash.looped(&call), hash.hashed(&call));
                    assert_eq!(hash.looped(&call), hash.direct(&call));
                }
            }
        }
        check(&Hash::<8, _>::new(h1::<8>), Axis::File);
        check(&Hash::<9, _>::new(h1::<9>), Axis::NorthEast);
        check(&Hash::<9, _>::new(h1_minimal::<9, 8>), Axis::NorthEast);
        check(&Hash::<7, _>::new(h2::<7>), Axis::NorthWest);
    }

    #[test]
    fn a_small_table_is_written_in_both_forms() {
        let options = PaperOptions { positions: 50, repeats: 1, rounds: 1, seed: 3 };
        let mut rows = 0;
        let paper = Paper::run(&options, |_| rows += 1);
        assert_eq!((rows, paper.rows.len()), (4, 4));
        assert!(paper.rows.iter().all(|row| row.calls > 0));
        let table = paper.to_string();
        assert!(table.contains("NE diagonal (h1-hat)") && table.contains("50.53%"), "{table}");
        assert_eq!(paper.json()["rows"][0]["operation"], "file (h1)");
    }
}
