//! What our own commands do, beside the protocol's.

use std::{io, sync::Arc};

use super::{
    explained::explained,
    input::View,
    print::{Audience, Protocol},
};
use crate::{
    attacks::Unavailable,
    bench::{self, Bench, BenchError},
    datagen::GenFens,
    engine::{Event, Task, TaskContext},
    movegen::legal_moves,
    notation::UciMove,
    perft::{self, Perft},
    position::Position,
    types::{Depth, File, Rank, Square},
};

const HELP: &str = "\
uci, isready, ucinewgame, position, go, stop, ponderhit, setoption, debug, register, quit:
                  as the UCI protocol has them
go perft <depth>  count the leaves of the move tree, by first move; perft <depth> does the same
bench [depth]     search the bench positions and print the number of nodes
d                 draw the board
eval              evaluate the position without searching
genfens <count> seed <number> book <None or path>
                  print openings, as OpenBench asks for them
sliders           name the slider backend in use
flip              exchange the colors
help              print this";

/// Shows what is asked for.
pub(super) fn show(view: View, to: Arc<dyn Audience>) -> Task {
    Task::new(move |context| match (view, &context.position) {
        (View::Help, _) => to.show(HELP),
        (View::Sliders, _) => remark(&*to, format!("sliders {}", context.backend)),
        (View::Board, Some(position)) => to.show(&drawn(position)),
        (View::Eval, Some(position)) => to.show(&explained(position, &context.network)),
        (View::Board | View::Eval, None) => complain(&*to, NO_POSITION),
    })
}

fn remark(to: &dyn Audience, text: String) {
    to.hear(&Event::Message(text));
}

fn complain(to: &dyn Audience, error: impl std::fmt::Display) {
    remark(to, format!("error: {error}"));
}

/// Something that takes its time. Whoever waits for its end hears of it even if it is never begun.
struct Work(Arc<dyn Audience>);

impl Drop for Work {
    fn drop(&mut self) {
        self.0.task_ended();
    }
}

const NO_POSITION: &str = "there is no position";

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
pub(super) fn perft(id: u64, depth: u32, to: Arc<dyn Audience>) -> Task {
    let work = Work(to);
    Task::new(move |context| match &context.position {
        None => complain(&*work.0, NO_POSITION),
        Some(position) => {
            let divided = divide(context, position, id, depth, &*work.0);
            if let Err(error) = divided {
                complain(&*work.0, error);
            }
        }
    })
}

fn divide(
    context: &TaskContext,
    position: &Position,
    id: u64,
    depth: u32,
    to: &dyn Audience,
) -> Result<(), Unavailable> {
    if depth > perft::MAX_DEPTH {
        complain(to, format_args!("perft goes no deeper than {}", perft::MAX_DEPTH));
        return Ok(());
    }
    let stopped = || context.control.is_stopped(id);
    let mut total = u64::from(depth == 0);
    for mv in legal_moves(position).into_iter().filter(|_| depth > 0) {
        let board = position.board().play(mv);
        let subtree = Perft { board: &board, depth: depth - 1, table: None, stopped: &stopped };
        let Some(nodes) = context.backend.with(subtree)? else {
            remark(to, "perft was stopped".to_owned());
            return Ok(());
        };
        to.show(&format!("{}: {nodes}", UciMove::new(mv, context.chess960)));
        total += nodes;
    }
    to.show(&format!("\nNodes searched: {total}\n"));
    Ok(())
}

/// Searches the bench positions. Listens for the stop of search number `id`.
pub(super) fn bench(id: u64, depth: Option<u32>, to: Arc<dyn Audience>) -> Task {
    let work = Work(to);
    Task::new(move |context| {
        let depth = depth.map_or(bench::DEPTH, |depth| Depth::try_from(depth).unwrap_or(Depth::MAX));
        let bench = Bench {
            depth,
            backend: context.backend,
            network: context.network.clone(),
            control: context.control.clone(),
            search_id: id,
        };
        match show_bench(&bench, &*work.0) {
            Err(error @ BenchError::Stopped) => remark(&*work.0, error.to_string()),
            Err(error) => complain(&*work.0, error),
            Ok(()) => {}
        }
    })
}

/// Prints openings. Listens for the stop of search number `id`.
pub(super) fn genfens(id: u64, command: GenFens, to: Arc<dyn Audience>) -> Task {
    let work = Work(to);
    Task::new(move |context| {
        let mut lines = Lines { context, id, begun: Vec::new(), to: &*work.0 };
        match command.write_to(&mut lines) {
            Err(_) if context.control.is_stopped(id) => remark(&*work.0, "genfens was stopped".to_owned()),
            Err(error) => complain(&*work.0, error),
            Ok(()) => {}
        }
    })
}

/// Takes bytes and shows whole lines, until told to stop.
struct Lines<'a> {
    context: &'a TaskContext,
    id: u64,
    begun: Vec<u8>,
    to: &'a dyn Audience,
}

impl io::Write for Lines<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.context.control.is_stopped(self.id) {
            return Err(io::Error::other("told to stop"));
        }
        for &byte in bytes {
            if byte == b'\n' {
                self.to.show(&String::from_utf8_lossy(&self.begun));
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
    show_bench(bench, &Protocol)
}

fn show_bench(bench: &Bench, to: &dyn Audience) -> Result<(), BenchError> {
    let signature = bench.run(|line| to.show(&line))?;
    to.show(&signature.to_string());
    Ok(())
}
