//! What the slider backends are timed on.

use std::time::{Duration, Instant};

use super::{positions::random_play, sliders::Density};
use crate::{
    attacks::{Sliders, WithSliders},
    types::{Bitboard, Square},
    util::Rng,
};

/// Queens looked up for every set of occupied squares.
const SQUARES: usize = 12;

/// Occupied squares, and the squares to look queens up on.
#[derive(Clone, Copy)]
struct Task {
    occupied: Bitboard,
    squares: Bitboard,
}

/// A list of tasks of one density. The same seed gives the same list.
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
            Task { occupied, squares: some_squares(&mut rng) }
        };
        Self(std::iter::repeat_with(task).take(tasks).collect())
    }

    pub(super) fn lookups(&self) -> usize {
        self.0.len() * SQUARES
    }
}

fn some_squares(rng: &mut Rng) -> Bitboard {
    let mut squares = Bitboard::EMPTY;
    while squares.len() < SQUARES {
        squares |= Square::from_low_bits(rng.below(64)).into();
    }
    squares
}

/// Looks up every queen of the tasks.
///
/// Squares come out of a bitboard one by one, as they do in a move generator; from a list, the compiler would look
/// several up at once with vector instructions, which no engine can do.
#[inline(never)]
fn look_up<S: Sliders>(sliders: S, tasks: &[Task]) -> Bitboard {
    let mut all = Bitboard::EMPTY;
    for task in tasks {
        for square in task.squares {
            all ^= sliders.queen(square, task.occupied);
        }
    }
    all
}

/// The time that lookups took, and what they found.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    pub(super) time: Duration,
    /// The exclusive or of all attack sets, the same for every backend that is right.
    pub(super) found: Bitboard,
}

/// Times a workload some times over, after once without timing, so that all tables are in the caches.
pub(super) struct Warm<'a> {
    pub(super) workload: &'a Workload,
    pub(super) repeats: u32,
}

impl WithSliders for Warm<'_> {
    type Out = Sample;

    fn run<S: Sliders>(self, sliders: S) -> Sample {
        let found = look_up(sliders, &self.workload.0);
        let start = Instant::now();
        for _ in 0..self.repeats {
            std::hint::black_box(look_up(sliders, std::hint::black_box(&self.workload.0)));
        }
        Sample { time: start.elapsed() / self.repeats, found }
    }
}

/// Tasks between two stirs.
const BATCH: usize = 128;

/// Times a workload while another user of the caches, such as the probes of a large hash table, keeps throwing the
/// tables out: before each batch of tasks some of a large memory is touched, which is not timed.
pub(super) struct Pressed<'a> {
    pub(super) workload: &'a Workload,
    pub(super) pressure: &'a mut Pressure,
}

impl WithSliders for Pressed<'_> {
    type Out = Sample;

    fn run<S: Sliders>(self, sliders: S) -> Sample {
        let mut sample = Sample { time: Duration::ZERO, found: Bitboard::EMPTY };
        let clock = clock_cost();
        for batch in self.workload.0.chunks(BATCH) {
            self.pressure.stir();
            let start = Instant::now();
            sample.found ^= look_up(sliders, std::hint::black_box(batch));
            sample.time += start.elapsed().saturating_sub(clock);
        }
        sample
    }
}

/// What reading the clock twice costs, which would count in a batch of some microseconds.
fn clock_cost() -> Duration {
    let cost = || {
        let start = Instant::now();
        start.elapsed()
    };
    std::iter::repeat_with(cost).take(100).min().unwrap_or_default()
}

/// A large memory, random lines of which are touched.
pub(super) struct Pressure {
    memory: Vec<u64>,
    rng: Rng,
}

impl Pressure {
    /// The size of a hash table that no cache holds, in bytes.
    const BYTES: usize = 64 << 20;
    /// Cache lines touched at a time: 2 MiB, more than the caches of a core.
    const LINES: usize = 32 << 10;

    pub(super) fn new() -> Self {
        // Not zero, lest all of it be one page of the system.
        Self { memory: vec![1; Self::BYTES / size_of::<u64>()], rng: Rng::new(1) }
    }

    fn stir(&mut self) {
        for _ in 0..Self::LINES {
            let index = self.rng.below(self.memory.len());
            self.memory[index] ^= index as u64;
        }
    }
}
