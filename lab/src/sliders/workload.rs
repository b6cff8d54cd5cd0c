//! The workloads that the slider backends are timed with.

use std::{
    fmt,
    time::{Duration, Instant},
};

use super::{
    backends::{Sliders, WithSliders},
    positions::random_play,
};
use sleight::{
    types::{Bitboard, Square},
    util::Rng,
};

/// Queen lookups for each set of occupied squares.
const SQUARES: usize = 12;

/// The number of occupied squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Density {
    /// Random squares, 8 of 64 on average.
    Sparse,
    /// Positions from random play.
    Game,
    /// Random squares, 32 of 64 on average.
    Dense,
}

/// The conditions of a measurement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Setting {
    /// The occupied squares.
    pub density: Density,
    /// True if other memory accesses evict the lookup tables from the caches.
    pub cache_pressure: bool,
}

impl Setting {
    /// All settings, those without cache pressure first.
    pub(crate) const ALL: [Self; 6] = {
        let mut all = [Self { density: Density::Sparse, cache_pressure: false }; 6];
        let mut index = 0;
        while index < 6 {
            let density = [Density::Sparse, Density::Game, Density::Dense][index % 3];
            all[index] = Self { density, cache_pressure: index >= 3 };
            index += 1;
        }
        all
    };
}

/// `sparse`, `game` or `dense`, with an asterisk under cache pressure.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let density = match self.density {
            Density::Sparse => "sparse",
            Density::Game => "game",
            Density::Dense => "dense",
        };
        f.pad(&format!("{density}{}", if self.cache_pressure { "*" } else { "" }))
    }
}

/// Occupied squares, and the squares of the queens to look up.
#[derive(Clone, Copy)]
struct Task {
    occupied: Bitboard,
    queens: Bitboard,
}

/// A list of tasks of one density, determined by the seed.
pub(super) struct Workload(Vec<Task>);

impl Workload {
    pub(super) fn new(density: Density, tasks: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut games = random_play(seed);
        let task = || {
            let occupied = match density {
                Density::Sparse => Bitboard(rng.next_u64() & rng.next_u64() & rng.next_u64()),
                Density::Game => games.next().map_or(Bitboard::EMPTY, |position| position.board().occupied()),
                Density::Dense => Bitboard(rng.next_u64()),
            };
            Task { occupied, queens: random_squares(&mut rng) }
        };
        Self(std::iter::repeat_with(task).take(tasks).collect())
    }

    /// Queen lookups in one pass over all tasks.
    pub(super) fn lookups(&self) -> usize {
        self.0.len() * SQUARES
    }
}

fn random_squares(rng: &mut Rng) -> Bitboard {
    let mut squares = Bitboard::EMPTY;
    while squares.len() < SQUARES {
        squares |= Square::from_low_bits(rng.below(64)).into();
    }
    squares
}

/// Looks up every queen of the tasks; returns the exclusive or of the attack sets.
///
/// Squares are taken from a bitboard one by one, as in a move generator. From an array, the compiler would look several
/// up at once with vector instructions, which no engine can do.
#[inline(never)]
fn look_up<S: Sliders>(sliders: S, tasks: &[Task]) -> Bitboard {
    let mut all = Bitboard::EMPTY;
    for task in tasks {
        for square in task.queens {
            all ^= sliders.queen(square, task.occupied);
        }
    }
    all
}

/// One timed pass over a workload.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    pub(super) time: Duration,
    /// The exclusive or of all attack sets, the same for every correct backend.
    pub(super) attacks: Bitboard,
}

/// Times a number of passes over a workload after an untimed one, which brings the lookup tables into the caches.
pub(super) struct TimeWarm<'a> {
    pub(super) workload: &'a Workload,
    pub(super) repeats: u32,
}

impl WithSliders for TimeWarm<'_> {
    type Out = Sample;

    fn run<S: Sliders>(self, sliders: S) -> Sample {
        let attacks = look_up(sliders, &self.workload.0);
        let start = Instant::now();
        for _ in 0..self.repeats {
            std::hint::black_box(look_up(sliders, std::hint::black_box(&self.workload.0)));
        }
        Sample { time: start.elapsed() / self.repeats, attacks }
    }
}

/// Tasks between two evictions.
const BATCH: usize = 128;

/// Times a workload under cache pressure: before each batch of tasks a part of a large memory is accessed, untimed, as
/// the probes of a transposition table would.
pub(super) struct TimeUnderPressure<'a> {
    pub(super) workload: &'a Workload,
    pub(super) pressure: &'a mut CachePressure,
}

impl WithSliders for TimeUnderPressure<'_> {
    type Out = Sample;

    fn run<S: Sliders>(self, sliders: S) -> Sample {
        let mut sample = Sample { time: Duration::ZERO, attacks: Bitboard::EMPTY };
        let overhead = clock_overhead();
        for batch in self.workload.0.chunks(BATCH) {
            self.pressure.evict();
            let start = Instant::now();
            sample.attacks ^= look_up(sliders, std::hint::black_box(batch));
            sample.time += start.elapsed().saturating_sub(overhead);
        }
        sample
    }
}

/// The time between two readings of the clock, which is not negligible for a batch of a few microseconds.
fn clock_overhead() -> Duration {
    let measured = || {
        let start = Instant::now();
        start.elapsed()
    };
    std::iter::repeat_with(measured).take(100).min().unwrap_or_default()
}

/// A large memory whose cache lines are accessed at random.
pub(super) struct CachePressure {
    memory: Vec<u64>,
    rng: Rng,
}

impl CachePressure {
    /// Bytes of the memory, which fit no cache.
    const BYTES: usize = 64 << 20;
    /// Cache lines per eviction: 2 MiB, more than the caches of a core.
    const LINES: usize = 32 << 10;

    pub(super) fn new() -> Self {
        // Zeros could all be one page of the system.
        Self { memory: vec![1; Self::BYTES / size_of::<u64>()], rng: Rng::new(1) }
    }

    fn evict(&mut self) {
        for _ in 0..Self::LINES {
            let index = self.rng.below(self.memory.len());
            self.memory[index] ^= index as u64;
        }
    }
}
