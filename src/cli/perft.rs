use std::{
    error::Error,
    panic::resume_unwind,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread,
    time::Instant,
};

use clap::Args;

use crate::{
    attacks::{Backend, Sliders, WithSliders},
    bench::Signature,
    notation::UciMove,
    perft::{self, divide, perft},
    position::{Board, Position, STARTPOS},
    types::Move,
    uci::print,
};

#[derive(Args, Debug)]
pub(super) struct Perft {
    /// Plies
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(perft::MAX_DEPTH)))]
    depth: u32,
    /// The position; Chess960 castling rights in X-FEN or Shredder-FEN
    #[arg(long, default_value = STARTPOS)]
    fen: String,
    /// The slider backend, by default the fastest on this processor
    #[arg(long)]
    sliders: Option<Backend>,
    /// Threads that count
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Print the count of each first move
    #[arg(long)]
    divide: bool,
    /// Write castling as king takes rook
    #[arg(long, requires = "divide")]
    chess960: bool,
}

impl Perft {
    pub(super) fn run(&self) -> Result<(), Box<dyn Error>> {
        let position = Position::from_fen(&self.fen)?;
        let backend = self.sliders.unwrap_or_else(Backend::detect);
        let start = Instant::now();
        let counts =
            backend.with(Count { board: position.board(), depth: self.depth, threads: usize::from(self.threads) })?;
        let time = start.elapsed();
        if self.divide {
            for &(mv, nodes) in &counts {
                print(&format!("{}: {nodes}", UciMove::new(mv, self.chess960)));
            }
        }
        let nodes = if self.depth == 0 { 1 } else { counts.iter().map(|(_, nodes)| nodes).sum() };
        print(&Signature { nodes, time }.to_string());
        Ok(())
    }
}

/// Counts by first move.
struct Count<'a> {
    board: &'a Board,
    depth: u32,
    threads: usize,
}

impl WithSliders for Count<'_> {
    type Out = Vec<(Move, u64)>;

    fn run<S: Sliders>(self, sliders: S) -> Self::Out {
        match (self.depth, self.threads) {
            (0, _) => Vec::new(),
            (1 | 2, _) | (_, 1) => divide(sliders, self.board, self.depth),
            _ => self.run_threads(sliders),
        }
    }
}

impl Count<'_> {
    /// Two plies give some hundred pieces of work, enough to keep many threads busy to the end.
    fn run_threads<S: Sliders>(&self, sliders: S) -> Vec<(Move, u64)> {
        let mut counts = divide(sliders, self.board, 1);
        let mut work = Vec::new();
        for (root, (mv, count)) in counts.iter_mut().enumerate() {
            *count = 0;
            let board = self.board.play(*mv);
            work.extend(divide(sliders, &board, 1).into_iter().map(|(reply, _)| (root, board.play(reply))));
        }
        let next = AtomicUsize::new(0);
        let found = thread::scope(|scope| {
            let count = || {
                let mut found = Vec::new();
                while let Some((root, board)) = work.get(next.fetch_add(1, Relaxed)) {
                    found.push((*root, perft(sliders, board, self.depth - 2)));
                }
                found
            };
            let threads: Vec<_> = (0..self.threads).map(|_| scope.spawn(count)).collect();
            let joined = threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
            joined.flatten().collect::<Vec<_>>()
        });
        for (root, nodes) in found {
            counts[root].1 += nodes;
        }
        counts
    }
}
