//! Table 4 of Trevor Fenner and Mark Levene, "Move Generation with Perfect Hash Functions" (ICGA Journal, 2008), again.
//!
//! The paper times how the occupancy of a line becomes eight bits, which then index the moves along it: by a loop over
//! the line's positions, or by a hash function whose table holds the eight bits. It does so for the rooks, bishops and
//! queens of 1,001 positions, a hundred times over. Its positions come from a book of combinations, ours from random
//! play; its loop ran in Matlab. The further improvement that it proposes, to let the hash address index the moves
//! without the eight bits in between, is timed as well.

use std::{
    hint::black_box,
    io::{self, Write},
    time::{Duration, Instant},
};

use super::{json::Json, positions::random_play, sliders::median};
use crate::{
    attacks::{Line, Slider, h1, h1_minimal, h2},
    types::{Bitboard, Square},
};

/// What to repeat and how often.
#[derive(Clone, Debug)]
pub struct PaperOptions {
    /// Positions from random play.
    pub positions: usize,
    /// Times that all moves are generated in one timing, as in the paper.
    pub repeats: u32,
    /// Timings of every row; the median counts.
    pub rounds: usize,
    /// Decides the positions.
    pub seed: u64,
}

impl Default for PaperOptions {
    fn default() -> Self {
        Self { positions: 1001, repeats: 100, rounds: 21, seed: 2008 }
    }
}

/// One row of the table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PaperRow {
    /// What is generated, with the hash function.
    pub operation: &'static str,
    /// Lines looked at in all repeats together.
    pub calls: u64,
    /// Seconds with the loop.
    pub looped: f64,
    /// Seconds with the hash function and its table of occupancies.
    pub hashed: f64,
    /// Seconds with the hash address indexing the moves.
    pub direct: f64,
    /// The improvement that the paper has for this row, in percent.
    pub published: f64,
}

impl PaperRow {
    /// The part of the loop's time that the hash function saves, in percent.
    pub fn improvement(&self) -> f64 {
        100.0 * (1.0 - self.hashed / self.looped)
    }

    /// The part of the loop's time that direct indexing saves, in percent.
    pub fn direct_improvement(&self) -> f64 {
        100.0 * (1.0 - self.direct / self.looped)
    }
}

/// The table.
#[derive(Clone, PartialEq, Debug)]
pub struct Paper {
    /// Its four rows.
    pub rows: Vec<PaperRow>,
}

impl Paper {
    /// Times all rows, telling `progress` of each that is done.
    pub fn run(options: &PaperOptions, mut progress: impl FnMut(&PaperRow)) -> Self {
        let boards: Vec<_> = random_play(options.seed).take(options.positions).collect();
        // The sliders of the side to move, as for pseudo-legal generation.
        let calls = |slider: Slider, line: Line| {
            let of_board = boards.iter().flat_map(move |position| {
                let (board, us) = (position.board(), position.side_to_move());
                let sliders = match slider {
                    Slider::Rook => board.orthogonal_sliders(us),
                    Slider::Bishop => board.diagonal_sliders(us),
                };
                sliders.map(move |square| Call::new(line, square, board.occupied()))
            });
            of_board.collect::<Vec<_>>()
        };
        let (files, north_east) = (calls(Slider::Rook, Line::File), calls(Slider::Bishop, Line::NorthEast));
        let north_west = calls(Slider::Bishop, Line::NorthWest);
        let mut rows = Vec::new();
        let mut add = |row| {
            progress(&row);
            rows.push(row);
        };
        add(row("file (h1)", 51.61, &files, options, Hash::<8, _>::new(h1::<8>)));
        add(row("NE diagonal (h1)", 21.05, &north_east, options, Hash::<9, _>::new(h1::<9>)));
        add(row("NE diagonal (h1-hat)", 15.72, &north_east, options, Hash::<9, _>::new(h1_minimal::<9, 8>)));
        add(row("NW diagonal (h2)", 50.53, &north_west, options, Hash::<7, _>::new(h2::<7>)));
        Self { rows }
    }

    /// Writes the table, with the paper's improvements beside ours.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write_table(&self, out: &mut dyn Write) -> io::Result<()> {
        let [loop_, hash, direct] = ["loop", "hash", "direct"].map(|name| format!("{name}, s"));
        write!(out, "{:21} {:>8} {loop_:>9} {hash:>9} {:>11}", "operation", "calls", "improvement")?;
        writeln!(out, " {:>9} {direct:>9} {:>11}", "published", "improvement")?;
        for row in &self.rows {
            let PaperRow { operation, calls, looped, hashed, direct, published } = row;
            write!(out, "{operation:21} {calls:8} {looped:9.6} {hashed:9.6} {:10.2}%", row.improvement())?;
            writeln!(out, " {published:8.2}% {direct:9.6} {:10.2}%", row.direct_improvement())?;
        }
        Ok(())
    }

    /// Writes the table as one JSON object.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let rows = self.rows.iter().map(|row| {
            Json::Object(vec![
                ("operation", Json::from(row.operation)),
                ("calls", Json::Integer(row.calls)),
                ("loop_seconds", Json::Number(row.looped)),
                ("hash_seconds", Json::Number(row.hashed)),
                ("improvement_percent", Json::Number(row.improvement())),
                ("published_percent", Json::Number(row.published)),
                ("direct_seconds", Json::Number(row.direct)),
                ("direct_improvement_percent", Json::Number(row.direct_improvement())),
            ])
        });
        writeln!(out, "{}", Json::Object(vec![("rows", Json::List(rows.collect()))]))
    }
}

/// A slider on a line, to be asked for its moves.
#[derive(Clone, Copy)]
struct Call {
    occupied: Bitboard,
    /// The line, the slider's square with it.
    line: Bitboard,
    /// The lowest bit of the line.
    shift: u32,
    /// The slider's place on the line, from the lowest up.
    place: usize,
}

impl Call {
    fn new(line: Line, square: Square, occupied: Bitboard) -> Self {
        let line = line.around(square) | square.into();
        let place = (line.0 & (square.bitboard().0 - 1)).count_ones() as usize;
        Self { occupied, line, shift: line.0.trailing_zeros(), place }
    }

    /// The line's bits, moved so that the lowest is bit 0.
    #[inline(always)]
    fn bits(&self) -> u64 {
        (self.occupied.0 & self.line.0) >> self.shift
    }
}

/// One of the hash functions with its tables, for lines whose squares lie K bits apart.
struct Hash<const K: u32, F> {
    function: F,
    /// The occupancy of a line, eight bits, by its address.
    occupancies: Vec<u8>,
    /// The moves by place and address.
    by_address: [Vec<u8>; 8],
    /// The moves by place and occupancy.
    by_occupancy: [[u8; 256]; 8],
}

impl<const K: u32, F: Fn(u64) -> usize> Hash<K, F> {
    fn new(function: F) -> Self {
        let spread = |occupancy: u8| (0..8).filter(|i| occupancy >> i & 1 == 1).map(|i| 1 << (i * K)).sum();
        let addresses: Vec<usize> = (0..=255).map(|occupancy| function(spread(occupancy))).collect();
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
        let by_address = by_occupancy.map(|moves| occupancies.iter().map(|&bits| moves[usize::from(bits)]).collect());
        Self { function, occupancies, by_address, by_occupancy }
    }

    /// The loop that the paper starts from: position by position along the line.
    #[inline(always)]
    fn looped(&self, call: &Call) -> u8 {
        let bits = call.bits();
        let occupancy = (0..8).fold(0, |occupancy, i| occupancy | (bits >> (i * K) & 1) << i);
        self.by_occupancy[call.place][occupancy as usize]
    }

    #[inline(always)]
    fn hashed(&self, call: &Call) -> u8 {
        self.by_occupancy[call.place][usize::from(self.occupancies[(self.function)(call.bits())])]
    }

    #[inline(always)]
    fn direct(&self, call: &Call) -> u8 {
        self.by_address[call.place][(self.function)(call.bits())]
    }
}

/// Times one row, the three ways by turns.
fn row<const K: u32>(
    operation: &'static str,
    published: f64,
    calls: &[Call],
    options: &PaperOptions,
    hash: Hash<K, impl Fn(u64) -> usize>,
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

fn time(calls: &[Call], repeats: u32, moves: impl Fn(&Call) -> u8) -> Duration {
    let start = Instant::now();
    for _ in 0..repeats {
        for call in calls {
            // Each by itself, as a move generator would: not several calls in one vector instruction.
            black_box(moves(black_box(call)));
        }
    }
    start.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_ways_give_the_same_moves() {
        fn check<const K: u32>(hash: &Hash<K, impl Fn(u64) -> usize>, line: Line) {
            for position in random_play(1).take(200) {
                for square in Square::ALL {
                    let call = Call::new(line, square, position.board().occupied());
                    assert_eq!(hash.looped(&call), hash.hashed(&call));
                    assert_eq!(hash.looped(&call), hash.direct(&call));
                }
            }
        }
        check(&Hash::<8, _>::new(h1::<8>), Line::File);
        check(&Hash::<9, _>::new(h1::<9>), Line::NorthEast);
        check(&Hash::<9, _>::new(h1_minimal::<9, 8>), Line::NorthEast);
        check(&Hash::<7, _>::new(h2::<7>), Line::NorthWest);
    }

    #[test]
    fn a_small_table_is_written_in_both_forms() {
        let options = PaperOptions { positions: 50, repeats: 1, rounds: 1, seed: 3 };
        let mut told = 0;
        let paper = Paper::run(&options, |_| told += 1);
        assert_eq!((told, paper.rows.len()), (4, 4));
        assert!(paper.rows.iter().all(|row| row.calls > 0));
        let (mut table, mut json) = (Vec::new(), Vec::new());
        paper.write_table(&mut table).unwrap();
        paper.write_json(&mut json).unwrap();
        let (table, json) = (String::from_utf8(table).unwrap(), String::from_utf8(json).unwrap());
        assert!(table.contains("NE diagonal (h1-hat)") && table.contains("50.53%"), "{table}");
        assert!(json.starts_with(r#"{"rows":[{"operation":"file (h1)","calls":"#), "{json}");
    }
}
