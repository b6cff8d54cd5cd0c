//! Perft, bench and genfens as tasks of the engine; the text of `help`.

use std::{fmt::Display, sync::Arc};

use super::print::Output;
use crate::{
    bench::{self, Bench},
    engine::Task,
    game::GameError,
    notation::UciMove,
    openings::GenFens,
    perft::{self, Divide, Perft},
    position::Position,
    search::Shared,
    types::Depth,
};

pub(crate) const HELP: &str = "\
uci, isready, ucinewgame, position, go, stop, ponderhit, setoption, debug, register, quit:
                  as in the UCI protocol
perft <depth>     count the leaf nodes by root move; go perft <depth> does the same
bench [depth]     search the bench positions and print the node count
d                 show the board and the FEN; outside a terminal also the hash key and the checkers
eval              show the static evaluation
genfens <count> seed <number> book <None or path>
                  print openings for OpenBench
sliders           show how sliders are looked up
flip              swap the colors
help              show this list";

type OutputRef = Arc<dyn Output>;

/// Makes a task of `work`; nothing of it is done if it has been stopped before its turn. Whatever keeps a stopped task
/// from its end, it was stopped.
fn task<E: Display>(
    name: &'static str,
    output: OutputRef,
    work: impl FnOnce(&dyn Output, &Shared, u64) -> Result<(), E> + Send + 'static,
) -> Task {
    Box::new(move |shared, id| {
        let is_stopped = || shared.control.is_stopped(id);
        match (!is_stopped()).then(|| work(&*output, shared, id)) {
            Some(Ok(())) => {}
            Some(Err(error)) if !is_stopped() => output.error(&error.to_string(), None),
            _ => output.notice(&format!("{name} was stopped")),
        }
    })
}

/// Counts the leaf nodes at `depth` plies by root move ("divide").
pub(super) fn perft(position: Result<Arc<Position>, GameError>, depth: u32, chess960: bool, output: OutputRef) -> Task {
    task("perft", output, move |output, shared, id| {
        let position = position.map_err(|error| error.to_string())?;
        if depth > perft::MAX_DEPTH {
            return Err(format!("perft goes no deeper than {}", perft::MAX_DEPTH));
        }
        let stopped = &|| shared.control.is_stopped(id);
        let perft = Perft { board: position.board(), depth, table: None, stopped };
        let show = &mut |mv, nodes| output.show(&format!("{}: {nodes}", UciMove::new(mv, chess960)));
        let total = Divide { perft, threads: 1 }.run(show).map_err(|error| error.to_string())?;
        output.show(&format!("\nNodes searched: {total}\n"));
        Ok(())
    })
}

/// Searches the bench positions to `depth` plies.
pub(super) fn bench(depth: Option<u32>, output: OutputRef) -> Task {
    task("bench", output, move |output, shared, id| {
        let bench = Bench {
            depth: depth.map_or(bench::DEPTH, |depth| Depth::try_from(depth).unwrap_or(Depth::MAX)),
            network: shared.network.clone(),
            control: shared.control.clone(),
            search_id: id,
        };
        bench.run(|line| output.show(&line)).map(|signature| output.show(&signature.to_string()))
    })
}

pub(super) fn genfens(command: GenFens, output: OutputRef) -> Task {
    task("genfens", output, move |output, shared, id| {
        command.run(shared.control.clone(), id, &mut |line| output.show(line))
    })
}
