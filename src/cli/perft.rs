//! The subcommand `perft`, on any number of threads.

use std::{
    error::Error,
    io,
    panic::resume_unwind,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread,
    time::Instant,
};

use clap::Args;
use crossbeam_channel::bounded;

use crate::{
    attacks::Lookup,
    bench::Signature,
    movegen::board_moves,
    notation::UciMove,
    perft::{self, PerftTable},
    position::{Board, Position, STARTPOS},
    types::Move,
    util::print,
};

#[derive(Args, Debug)]
pub(super) struct Perft {
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(perft::MAX_DEPTH)))]
    depth: u32,
    /// The root position; Chess960 castling rights in X-FEN or Shredder-FEN
    #[arg(long, default_value = STARTPOS)]
    fen: String,
    /// Number of threads
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Use a hash table of this size in MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: Option<u32>,
    /// Print the count below each first move
    #[arg(long)]
    divide: bool,
    /// Write castling as king takes rook
    #[arg(long, requires = "divide")]
    chess960: bool,
}

impl Perft {
    pub(super) fn run(&self) -> Result<(), Box<dyn Error>> {
        let position = Position::from_fen(&self.fen)?;
        Lookup::detect();
        let table = |mebibytes: u32| {
            PerftTable::new(mebibytes as usize).map_err(|error| format!("no hash table of {mebibytes} MiB: {error}"))
        };
        let table = self.hash.map(table).transpose()?;
        let start = Instant::now();
        let divide = Divide {
            board: position.board(),
            depth: self.depth,
            threads: usize::from(self.threads),
            table: table.as_ref(),
        };
        let counts = divide.run()?;
        let time = start.elapsed();
        if self.divide {
            for &(mv, nodes) in &counts {
                print(&format!("{}: {nodes}", UciMove::new(mv, self.chess960)));
            }
        }
        let nodes = if self.depth == 0 { 1 } else { total(counts.iter().map(|&(_, nodes)| Some(nodes)))? };
        print(&Signature { nodes, time }.to_string());
        Ok(())
    }
}

/// A perft by first move, on any number of threads.
struct Divide<'a> {
    board: &'a Board,
    depth: u32,
    threads: usize,
    table: Option<&'a PerftTable>,
}

/// A subtree: its root, and the index of the first move that leads to it.
type Subtree = (usize, Board);

impl Divide<'_> {
    fn run(&self) -> Result<Vec<(Move, u64)>, CountError> {
        if self.depth == 0 {
            return Ok(Vec::new());
        }
        let mut counts: Vec<(Move, u64)> = board_moves(self.board).iter().map(|&mv| (mv, 0)).collect();
        let (subtrees, depth) = self.subtrees(&counts);
        let next = AtomicUsize::new(0);
        let count = || {
            let mut found = Vec::new();
            while let Some((root, board)) = subtrees.get(next.fetch_add(1, Relaxed)) {
                found.push((*root, self.leaves(board, depth)));
            }
            Ok(found)
        };
        let found: Vec<(usize, Option<u64>)> = thread::scope(|scope| {
            let count = &count;
            let start = |_| {
                let (starting, started) = bounded::<()>(0);
                let run = move || {
                    drop(starting);
                    count()
                };
                let thread = thread::Builder::new().spawn_scoped(scope, run).inspect_err(|_| {
                    // The threads that did start need not continue.
                    next.store(subtrees.len(), Relaxed);
                })?;
                // The standard library aborts if a thread finds no memory for its signal stack, so the next one must
                // not take it. Nothing is ever sent.
                let _ = started.recv();
                Ok::<_, io::Error>(thread)
            };
            let threads = (0..self.threads).map(start).collect::<Result<Vec<_>, _>>()?;
            let joined = threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
            let found = joined.collect::<Result<Vec<Vec<_>>, CountError>>()?;
            Ok::<_, CountError>(found.into_iter().flatten().collect())
        })?;
        for (root, (_, nodes)) in counts.iter_mut().enumerate() {
            *nodes = total(found.iter().filter(|&&(of, _)| of == root).map(|&(_, nodes)| nodes))?;
        }
        Ok(counts)
    }
}

/// An error of a perft.
#[derive(Debug, thiserror::Error)]
enum CountError {
    /// The operating system starts no further thread.
    #[error("cannot start a thread: {0}")]
    System(#[from] io::Error),
    /// More leaves than 64 bits can count, which only a hash table makes possible in any time.
    #[error("there are more than {} leaves", u64::MAX)]
    TooMany,
}

/// The sum of the counts.
///
/// # Errors
/// When a count is unknown because it overflowed, or the sum overflows.
fn total(mut counts: impl Iterator<Item = Option<u64>>) -> Result<u64, CountError> {
    counts.try_fold(0_u64, |sum, nodes| sum.checked_add(nodes?)).ok_or(CountError::TooMany)
}

impl Divide<'_> {
    /// The subtrees to be counted, and their depth. Several threads are busy to the end where there are many for each.
    fn subtrees(&self, moves: &[(Move, u64)]) -> (Vec<Subtree>, u32) {
        const MIN_DEPTH: u32 = 2;
        let enough = if self.threads == 1 { 0 } else { 32 * self.threads };
        let mut subtrees: Vec<Subtree> =
            moves.iter().enumerate().map(|(root, &(mv, _))| (root, self.board.after(mv))).collect();
        let mut depth = self.depth - 1;
        while depth > MIN_DEPTH && subtrees.len() < enough {
            let mut deeper = Vec::new();
            for (root, board) in &subtrees {
                deeper.extend(board_moves(board).iter().map(|&mv| (*root, board.after(mv))));
            }
            subtrees = deeper;
            depth -= 1;
        }
        (subtrees, depth)
    }

    fn leaves(&self, board: &Board, depth: u32) -> Option<u64> {
        perft::Perft { board, depth, table: self.table, stopped: &|| false }.run()
    }
}
