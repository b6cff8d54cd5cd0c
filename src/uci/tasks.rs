//! The commands that are not part of the UCI protocol.

use std::sync::Arc;

#[cfg(not(target_family = "wasm"))]
use super::print::UciOutput;
use super::{
    eval_trace::{eval_trace, grid, letter},
    print::{Output, report_game_error},
};
use crate::{
    attacks::Backend,
    bench::{self, Bench, BenchError},
    engine::{GameError, Task},
    movegen::legal_moves,
    nnue::Network,
    notation::UciMove,
    openings::{GenFens, GenFensError},
    perft::{self, Perft},
    position::Position,
    search::Control,
    types::Depth,
};

/// The list of commands.
pub(crate) const HELP: &str = "\
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

type OutputRef = Arc<dyn Output>;
/// The current position, unless the last one could not be set up.
type Current = Option<Arc<Position>>;

/// Shows the board from White's side with FEN, hash key and checkers.
pub(super) fn display(position: Current, output: OutputRef) -> Task {
    Box::new(move |_| match position {
        Some(position) => output.show(&board(&position)),
        None => report_game_error(&*output, &GameError::NoPosition),
    })
}

fn board(position: &Position) -> String {
    let checkers: Vec<String> = position.checkers_and_pins().checkers.map(|square| square.to_string()).collect();
    let board = grid(3, |square| [letter(position, square)]);
    format!("{board}Fen: {}\nKey: {:016X}\nCheckers: {}", position.fen(), position.key(), checkers.join(" "))
}

/// Shows the static evaluation.
pub(super) fn eval(position: Current, output: OutputRef) -> Task {
    Box::new(move |network| match position {
        Some(position) => output.show(&eval_trace(&position, network)),
        None => report_game_error(&*output, &GameError::NoPosition),
    })
}

/// Shows the slider backend in use.
pub(super) fn sliders(output: OutputRef) -> Task {
    Box::new(move |_| output.notice(&format!("sliders {}", Backend::detect())))
}

/// A task that may take long, and how it is stopped.
struct LongTask {
    output: OutputRef,
    control: Arc<Control>,
    id: u64,
    network: Arc<Network>,
}

/// Why a task has not been done.
enum NotDone {
    Stopped,
    Failed(String),
}

impl LongTask {
    fn is_stopped(&self) -> bool {
        self.control.is_stopped(self.id)
    }
}

/// Makes a long task of `work`; nothing of it is done if it has been stopped before its turn.
fn long_task(
    name: &'static str,
    output: OutputRef,
    work: impl FnOnce(&LongTask) -> Result<(), NotDone> + Send + 'static,
) -> impl FnOnce(Arc<Control>, u64) -> Task {
    move |control, id| {
        Box::new(move |network| {
            let task = LongTask { output, control, id, network: network.clone() };
            match if task.is_stopped() { Err(NotDone::Stopped) } else { work(&task) } {
                Ok(()) => {}
                Err(NotDone::Stopped) => task.output.notice(&format!("{name} was stopped")),
                Err(NotDone::Failed(error)) => task.output.error(&error, None),
            }
        })
    }
}

/// Counts the leaf nodes at `depth` plies by root move ("divide").
pub(super) fn perft(
    position: Current,
    depth: u32,
    chess960: bool,
    output: OutputRef,
) -> impl FnOnce(Arc<Control>, u64) -> Task {
    long_task("perft", output, move |task| {
        let position = position.ok_or_else(|| NotDone::Failed(GameError::NoPosition.to_string()))?;
        if depth > perft::MAX_DEPTH {
            return Err(NotDone::Failed(format!("perft goes no deeper than {}", perft::MAX_DEPTH)));
        }
        let mut total = u64::from(depth == 0);
        for mv in legal_moves(&position).into_iter().filter(|_| depth > 0) {
            let board = position.board().play(mv);
            let subtree = Perft { board: &board, depth: depth - 1, table: None, stopped: &|| task.is_stopped() };
            let nodes = Backend::with_detected(subtree).ok_or(NotDone::Stopped)?;
            task.output.show(&format!("{}: {nodes}", UciMove::new(mv, chess960)));
            total += nodes;
        }
        task.output.show(&format!("\nNodes searched: {total}\n"));
        Ok(())
    })
}

/// Searches the bench positions to `depth` plies.
pub(super) fn bench(depth: Option<u32>, output: OutputRef) -> impl FnOnce(Arc<Control>, u64) -> Task {
    long_task("bench", output, move |task| {
        let bench = Bench {
            depth: depth.map_or(bench::DEPTH, |depth| Depth::try_from(depth).unwrap_or(Depth::MAX)),
            backend: Backend::detect(),
            network: task.network.clone(),
            control: task.control.clone(),
            search_id: task.id,
        };
        show_bench(&bench, &*task.output).map_err(|error| match error {
            BenchError::Stopped => NotDone::Stopped,
            error => NotDone::Failed(error.to_string()),
        })
    })
}

/// Prints openings.
pub(super) fn genfens(command: GenFens, output: OutputRef) -> impl FnOnce(Arc<Control>, u64) -> Task {
    long_task("genfens", output, move |task| {
        let show = &mut |line: &str| task.output.show(line);
        command.run(task.control.clone(), task.id, show).map_err(|error| match error {
            GenFensError::Stopped => NotDone::Stopped,
            _ if task.is_stopped() => NotDone::Stopped,
            error => NotDone::Failed(error.to_string()),
        })
    })
}

/// Runs a bench and prints a line for each position, and last the signature.
///
/// # Errors
/// Those of [`Bench::run`].
#[cfg(not(target_family = "wasm"))]
pub(crate) fn run_bench(bench: &Bench) -> Result<(), BenchError> {
    show_bench(bench, &UciOutput)
}

fn show_bench(bench: &Bench, output: &dyn Output) -> Result<(), BenchError> {
    let signature = bench.run(|line| output.show(&line))?;
    output.show(&signature.to_string());
    Ok(())
}
