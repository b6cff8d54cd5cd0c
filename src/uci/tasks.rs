//! The commands that are not part of the UCI protocol.

use std::{io, sync::Arc};

#[cfg(not(target_family = "wasm"))]
use super::print::UciOutput;
use super::{eval_trace::eval_trace, input::View, print::OutputSink};
use crate::{
    attacks::Backend,
    bench::{self, Bench, BenchError},
    engine::{EngineError, Event, GameError, Notice, Task, TaskContext},
    movegen::legal_moves,
    notation::UciMove,
    openings::GenFens,
    perft::{self, Perft},
    position::Position,
    types::{Depth, File, Rank, Square},
};

/// The list of commands.
pub(super) const HELP: &str = "\
uci, isready, ucinewgame, position, go, stop, ponderhit, setoption, debug, register, quit:
                  as in the UCI protocol
perft <depth>     count the leaf nodes by root move; go perft <depth> does the same
bench [depth]     search the bench positions and print the node count
d                 show the board and the FEN; outside a terminal also the hash key and the checkers
eval              show the static evaluation
genfens <count> seed <number> book <None or path>
                  print openings for OpenBench
sliders           show the slider backend in use
flip              swap the colors
help              show this list";

/// Shows a view of the engine's state.
pub(super) fn show(view: View, sink: Arc<dyn OutputSink>) -> Task {
    Task::new(move |context| {
        let output = Output { sink: &*sink, context };
        match (view, &context.position) {
            (View::Help, _) => sink.show(HELP),
            (View::Sliders, _) => output.notice(Notice::SliderBackend(Backend::detect())),
            (View::Board, Some(position)) => sink.show(&board(position)),
            (View::Eval, Some(position)) => sink.show(&eval_trace(position, &context.network)),
            (View::Board | View::Eval, None) => output.error(GameError::NoPosition.into()),
        }
    })
}

/// Where a task's output goes, and the state it runs on.
#[derive(Clone, Copy)]
struct Output<'a> {
    sink: &'a dyn OutputSink,
    context: &'a TaskContext,
}

impl Output<'_> {
    fn notice(self, notice: Notice) {
        self.sink.on_event(&Event::Notice(notice), &self.context.options);
    }

    fn error(self, error: EngineError) {
        self.sink.on_event(&Event::Error(error), &self.context.options);
    }
}

/// Reports the end of a task when it is dropped, even if it never ran.
struct EndGuard(Arc<dyn OutputSink>);

impl Drop for EndGuard {
    fn drop(&mut self) {
        self.0.on_task_end();
    }
}

/// A task that may take long, until search number `id` is stopped; nothing of it is done if that has happened before.
fn long_task(
    id: u64,
    name: &'static str,
    sink: Arc<dyn OutputSink>,
    work: impl FnOnce(Output<'_>) + Send + 'static,
) -> Task {
    let guard = EndGuard(sink);
    Task::new(move |context| {
        let output = Output { sink: &*guard.0, context };
        if context.control.is_stopped(id) {
            output.notice(Notice::TaskStopped(name));
        } else {
            work(output);
        }
    })
}

/// An error of a task itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
enum TaskError {
    #[error("perft goes no deeper than {}", perft::MAX_DEPTH)]
    PerftTooDeep,
}

/// The board from White's side with FEN, hash key and checkers.
fn board(position: &Position) -> String {
    const EDGE: &str = "+---+---+---+---+---+---+---+---+\n";
    let mut text = String::from(EDGE);
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            let piece = position.piece_at(Square::new(file, rank));
            text += &format!("| {} ", piece.map_or(' ', |piece| piece.letter()));
        }
        text += &format!("| {}\n{EDGE}", rank.index() + 1);
    }
    let checkers: Vec<String> = position.checkers_and_pins().checkers.map(|square| square.to_string()).collect();
    text += "  a   b   c   d   e   f   g   h\n\n";
    text += &format!("Fen: {}\nKey: {:016X}\nCheckers: {}", position.fen(), position.key(), checkers.join(" "));
    text
}

/// Counts the leaf nodes at `depth` plies by root move, until search number `id` is stopped.
pub(super) fn perft(id: u64, depth: u32, sink: Arc<dyn OutputSink>) -> Task {
    long_task(id, "perft", sink, move |output| match &output.context.position {
        None => output.error(GameError::NoPosition.into()),
        Some(_) if depth > perft::MAX_DEPTH => output.error(EngineError::Frontend(Box::new(TaskError::PerftTooDeep))),
        Some(position) => divide(output, position, id, depth),
    })
}

/// Perft by root move ("divide").
fn divide(output: Output<'_>, position: &Position, id: u64, depth: u32) {
    let Output { sink, context } = output;
    let stopped = || context.control.is_stopped(id);
    let mut total = u64::from(depth == 0);
    for mv in legal_moves(position).into_iter().filter(|_| depth > 0) {
        let board = position.board().play(mv);
        let subtree = Perft { board: &board, depth: depth - 1, table: None, stopped: &stopped };
        let Some(nodes) = Backend::with_detected(subtree) else {
            return output.notice(Notice::TaskStopped("perft"));
        };
        sink.show(&format!("{}: {nodes}", UciMove::new(mv, context.options.chess960)));
        total += nodes;
    }
    sink.show(&format!("\nNodes searched: {total}\n"));
}

/// Searches the bench positions to `depth` plies, until search number `id` is stopped.
pub(super) fn bench(id: u64, depth: Option<u32>, sink: Arc<dyn OutputSink>) -> Task {
    long_task(id, "bench", sink, move |output| {
        let bench = Bench {
            depth: depth.map_or(bench::DEPTH, |depth| Depth::try_from(depth).unwrap_or(Depth::MAX)),
            backend: Backend::detect(),
            network: output.context.network.clone(),
            control: output.context.control.clone(),
            search_id: id,
        };
        match show_bench(&bench, output.sink) {
            Err(BenchError::Stopped) => output.notice(Notice::TaskStopped("bench")),
            Err(error) => output.error(EngineError::Frontend(Box::new(error))),
            Ok(()) => {}
        }
    })
}

/// Prints openings, until search number `id` is stopped.
pub(super) fn genfens(id: u64, command: GenFens, sink: Arc<dyn OutputSink>) -> Task {
    long_task(id, "genfens", sink, move |output| {
        match command.write_until_stopped(
            &mut LineWriter { output, id, line: Vec::new() },
            output.context.control.clone(),
            id,
        ) {
            Err(_) if output.context.control.is_stopped(id) => output.notice(Notice::TaskStopped("genfens")),
            Err(error) => output.error(EngineError::Frontend(Box::new(error))),
            Ok(()) => {}
        }
    })
}

/// Shows whole lines of the bytes it is given; fails once search number `id` is stopped.
struct LineWriter<'a> {
    output: Output<'a>,
    id: u64,
    line: Vec<u8>,
}

impl io::Write for LineWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.output.context.control.is_stopped(self.id) {
            return Err(io::Error::other("stopped"));
        }
        for &byte in bytes {
            if byte == b'\n' {
                self.output.sink.show(&String::from_utf8_lossy(&self.line));
                self.line.clear();
            } else {
                self.line.push(byte);
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
#[cfg(not(target_family = "wasm"))]
pub(crate) fn run_bench(bench: &Bench) -> Result<(), BenchError> {
    show_bench(bench, &UciOutput)
}

fn show_bench(bench: &Bench, sink: &dyn OutputSink) -> Result<(), BenchError> {
    let signature = bench.run(|line| sink.show(&line))?;
    sink.show(&signature.to_string());
    Ok(())
}
