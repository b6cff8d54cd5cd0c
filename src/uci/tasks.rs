//! What our own commands do, beside the protocol's.

use std::io;

use super::{explained::explained, print::print};
use crate::{
    attacks::{Sliders, WithSliders},
    bench::{self, Bench, BenchError},
    datagen::GenFens,
    engine::{Task, TaskContext},
    movegen::legal_moves,
    notation::UciMove,
    perft,
    position::Position,
    types::{Depth, File, Rank, Square},
};

const HELP: &str = "\
uci, isready, ucinewgame, position, go, stop, ponderhit, setoption, debug, quit: as the UCI protocol has them
go perft <depth>  count the leaves of the move tree, by first move; perft <depth> does the same
bench [depth]     search the bench positions and print the number of nodes
d                 draw the board
eval              evaluate the position without searching
genfens <count> seed <number> book <None or path>
                  print openings, as OpenBench asks for them
sliders           name the slider backend in use
flip              exchange the colors
help              print this";

pub(super) fn help() -> Task {
    Task::new(|_| print(HELP))
}

pub(super) fn sliders() -> Task {
    Task::new(|context| print(&format!("info string sliders {}", context.backend)))
}

pub(super) fn display() -> Task {
    Task::new(|context| match &context.position {
        Some(position) => print(&drawn(position)),
        None => print(NO_POSITION),
    })
}

pub(super) fn eval() -> Task {
    Task::new(|context| match &context.position {
        Some(position) => print(&explained(position, &context.network)),
        None => print(NO_POSITION),
    })
}

const NO_POSITION: &str = "info string error: there is no position";

/// The board as White sees it, and what cannot be seen.
fn drawn(position: &Position) -> String {
    const EDGE: &str = "+---+---+---+---+---+---+---+---+\n";
    let mut text = String::from(EDGE);
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            let piece = position.piece_at(Square::new(file, rank));
            text += &format!("| {} ", piece.map_or(' ', |piece| piece.letter()));
        }
        text += &format!("| {}\n{EDGE}", rank.index() + 1);
    }
    let checkers: Vec<String> = position.masks().checkers.map(|square| square.to_string()).collect();
    text += "  a   b   c   d   e   f   g   h\n\n";
    text += &format!("Fen: {}\nKey: {:016X}\nCheckers: {}", position.fen(), position.key(), checkers.join(" "));
    text
}

/// Counts the leaves of the tree of depth `depth` by first move. Listens for the stop of search number `id`.
pub(super) fn perft(id: u64, depth: u32) -> Task {
    Task::new(move |context| match &context.position {
        None => print(NO_POSITION),
        Some(position) => {
            let count = Divide { context, position, id, depth };
            if let Err(error) = context.backend.with(count) {
                print(&format!("info string error: {error}"));
            }
        }
    })
}

struct Divide<'a> {
    context: &'a TaskContext,
    position: &'a Position,
    id: u64,
    depth: u32,
}

impl WithSliders for Divide<'_> {
    type Out = ();

    fn run<S: Sliders>(self, sliders: S) {
        if self.depth > perft::MAX_DEPTH {
            return print(&format!("info string error: perft goes no deeper than {}", perft::MAX_DEPTH));
        }
        let board = self.position.board();
        let stopped = || self.context.control.is_stopped(self.id);
        let mut total = u64::from(self.depth == 0);
        for mv in legal_moves(self.position).into_iter().filter(|_| self.depth > 0) {
            let Some(nodes) = perft::perft_unless(sliders, &board.play(mv), self.depth - 1, &stopped) else {
                return print("info string perft was stopped");
            };
            print(&format!("{}: {nodes}", UciMove::new(mv, self.context.chess960)));
            total += nodes;
        }
        print(&format!("\nNodes searched: {total}\n"));
    }
}

/// Searches the bench positions. Listens for the stop of search number `id`.
pub(super) fn bench(id: u64, depth: Option<u32>) -> Task {
    Task::new(move |context| {
        let depth = depth.map_or(bench::DEPTH, |depth| Depth::try_from(depth).unwrap_or(Depth::MAX));
        let bench = Bench { depth, backend: context.backend, control: context.control.clone(), id };
        if let Err(error) = run_bench(&bench) {
            print(&format!("info string error: {error}"));
        }
    })
}

/// Prints openings. Listens for the stop of search number `id`.
pub(super) fn genfens(id: u64, command: GenFens) -> Task {
    Task::new(move |context| {
        let mut lines = Lines { context, id, begun: Vec::new() };
        if let Err(error) = command.write_to(&mut lines) {
            print(&format!("info string error: {error}"));
        }
    })
}

/// Takes bytes and prints whole lines, until told to stop.
struct Lines<'a> {
    context: &'a TaskContext,
    id: u64,
    begun: Vec<u8>,
}

impl io::Write for Lines<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.context.control.is_stopped(self.id) {
            return Err(io::Error::other("told to stop"));
        }
        for &byte in bytes {
            if byte == b'\n' {
                print(&String::from_utf8_lossy(&self.begun));
                self.begun.clear();
            } else {
                self.begun.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs a bench and prints a line for each position, and last the signature.
///
/// # Errors
/// Those of [`Bench::run`].
pub fn run_bench(bench: &Bench) -> Result<(), BenchError> {
    let signature = bench.run(|line| print(&line))?;
    print(&signature.to_string());
    Ok(())
}
