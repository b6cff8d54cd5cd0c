//! Perft by first move ("divide"), on any number of threads.

use std::{
    io,
    panic::resume_unwind,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread,
};

use crossbeam_channel::bounded;

use super::Perft;
use crate::{movegen::board_moves, position::Board, types::Move};

/// A perft by first move.
///
/// ```
/// # use sleight::{perft::{Divide, Perft}, position::Position};
/// let position = Position::startpos();
/// let perft = Perft { board: position.board(), depth: 2, table: None, stopped: &|| false };
/// let divide = Divide { perft, threads: 1 };
/// assert_eq!(divide.run(&mut |_, nodes| assert_eq!(nodes, 20)).unwrap(), 400);
/// ```
#[derive(Clone, Copy)]
pub struct Divide<'a> {
    /// The perft that is divided.
    pub perft: Perft<'a>,
    /// Number of threads; if it is one, the caller counts.
    pub threads: usize,
}

/// An error of a perft.
#[derive(Debug, thiserror::Error)]
pub enum DivideError {
    /// The operating system starts no further thread.
    #[error("cannot start a thread: {0}")]
    System(#[from] io::Error),
    /// More leaves than 64 bits can count, which only a hash table makes possible in any time.
    #[error("there are more than {} leaves", u64::MAX)]
    TooMany,
    /// [`Perft::stopped`] returned true.
    #[error("stopped")]
    Stopped,
}

/// A subtree: its root, and the index of the first move that leads to it.
type Subtree = (usize, Board);

impl Divide<'_> {
    /// The number of leaves. The count below each first move is passed to `show`, in the order of the moves; by one
    /// thread as soon as it is known.
    ///
    /// # Errors
    /// When it is stopped, there are too many leaves, or the system starts no thread.
    pub fn run(self, show: &mut dyn FnMut(Move, u64)) -> Result<u64, DivideError> {
        if self.perft.depth == 0 {
            return Ok(1);
        }
        let moves = board_moves(self.perft.board);
        let mut counts = if self.threads > 1 { self.count_in_threads(&moves)? } else { Vec::new() }.into_iter();
        let mut total = 0_u64;
        for &mv in &moves {
            let nodes = match counts.next() {
                Some(nodes) => nodes,
                None => self.leaves(&self.perft.board.after(mv), self.perft.depth - 1)?,
            };
            show(mv, nodes);
            total = total.checked_add(nodes).ok_or(DivideError::TooMany)?;
        }
        Ok(total)
    }

    /// The count below each of the first moves.
    fn count_in_threads(self, moves: &[Move]) -> Result<Vec<u64>, DivideError> {
        let (subtrees, depth) = self.subtrees(moves);
        let next = AtomicUsize::new(0);
        let count = || {
            let mut found = Vec::new();
            while let Some((first, board)) = subtrees.get(next.fetch_add(1, Relaxed)) {
                found.push((*first, self.leaves(board, depth)?));
            }
            Ok(found)
        };
        thread::scope(|scope| {
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
            let mut counts = vec![0_u64; moves.len()];
            for thread in threads {
                let found: Result<Vec<(usize, u64)>, DivideError> =
                    thread.join().unwrap_or_else(|panic| resume_unwind(panic));
                for (first, nodes) in found? {
                    counts[first] = counts[first].checked_add(nodes).ok_or(DivideError::TooMany)?;
                }
            }
            Ok(counts)
        })
    }

    /// The subtrees to be counted, and their depth. All threads are busy to the end where there are many for each.
    fn subtrees(self, moves: &[Move]) -> (Vec<Subtree>, u32) {
        const MIN_DEPTH: u32 = 2;
        let mut subtrees: Vec<Subtree> =
            moves.iter().enumerate().map(|(first, &mv)| (first, self.perft.board.after(mv))).collect();
        let mut depth = self.perft.depth - 1;
        while depth > MIN_DEPTH && subtrees.len() < 32 * self.threads {
            let mut deeper = Vec::new();
            for (first, board) in &subtrees {
                deeper.extend(board_moves(board).iter().map(|&mv| (*first, board.after(mv))));
            }
            subtrees = deeper;
            depth -= 1;
        }
        (subtrees, depth)
    }

    fn leaves(self, board: &Board, depth: u32) -> Result<u64, DivideError> {
        let missing = || if (self.perft.stopped)() { DivideError::Stopped } else { DivideError::TooMany };
        Perft { board, depth, ..self.perft }.run().ok_or_else(missing)
    }
}
