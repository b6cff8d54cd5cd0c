use std::{fmt, time::Duration};

use super::error::EngineError;
use crate::{
    attacks::Backend,
    nnue::Kernel,
    position::FenRepair,
    search::{Limits, SearchReport},
    types::{Color, Depth, Move},
};

/// An event of the engine, for the frontend.
#[derive(Debug)]
pub(crate) enum Event<'a> {
    /// The answer to [`Command::Identify`](super::Command::Identify).
    Identity,
    /// The answer to [`Command::Ready`](super::Command::Ready).
    Ready,
    /// The best lines of a search so far.
    Report(&'a SearchReport),
    /// How far a long search has come.
    Progress(Progress),
    /// The end of a search. Every [`Command::Go`](super::Command::Go) is answered by exactly one of these.
    BestMove {
        /// The move; `None` where there is no legal one, or no position.
        best: Option<Move>,
        /// The expected reply, to ponder on.
        ponder: Option<Move>,
    },
    /// Information, not an error.
    Notice(Notice),
    /// Something that could not be done.
    Error(EngineError),
}

/// How far a long search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Progress {
    /// The iteration, in plies.
    pub depth: Depth,
    /// The root move that is being searched.
    pub current_move: Move,
    /// Its number, from 1.
    pub number: u16,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Time since `go` was read.
    pub time: Duration,
    /// Entries of this search in a sample of the transposition table, in permille.
    pub hashfull: u32,
    /// Positions found in the tablebases.
    pub tbhits: u64,
}

/// Information for the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Notice {
    /// What the first search of the process runs on, besides the network kernel and the slider backend in use.
    Machine {
        /// The number of search threads.
        threads: usize,
        /// The size of the transposition table in MiB.
        hash: usize,
    },
    /// With `debug on`: how a `go` was understood.
    SearchStarted {
        /// The number of the search.
        id: u64,
        /// The limits in effect.
        limits: Limits,
    },
    /// A defect of a FEN that was repaired.
    FenRepaired(FenRepair),
    /// Tablebases were opened.
    TablebasesOpened {
        /// Number of table files.
        files: usize,
        /// Pieces of the largest tables, kings included.
        max_pieces: usize,
    },
    /// The slider backend in use.
    SliderBackend(Backend),
    /// The task of this name was stopped before its end.
    TaskStopped(&'static str),
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Machine { threads, hash } => {
                let (kernel, sliders) = (Kernel::detect().name(), Backend::detect());
                write!(f, "kernel {kernel}, sliders {sliders}, threads {threads}, hash {hash} MiB")
            }
            Self::SearchStarted { id, limits } => write!(f, "search {id}: {}", go(limits)),
            Self::FenRepaired(repair) => write!(f, "FEN repaired: {repair}"),
            Self::TablebasesOpened { files, max_pieces } => {
                write!(f, "{files} tablebase files, up to {max_pieces} pieces")
            }
            Self::SliderBackend(backend) => write!(f, "sliders {backend}"),
            Self::TaskStopped(task) => write!(f, "{task} was stopped"),
        }
    }
}

/// The limits as the command `go`.
fn go(limits: &Limits) -> String {
    let number = |name: &str, value: Option<i64>| value.map(|value| format!("{name} {value}"));
    let flag = |name: &str, on: bool| on.then(|| name.to_owned());
    let [white, black] = limits.increment.map(|gain| Some(gain).filter(|&gain| gain != 0));
    let large = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
    let moves = limits.search_moves.iter().map(|mv| format!(" {mv}")).collect::<String>();
    let said = [
        Some("go".to_owned()),
        flag("infinite", limits.infinite),
        flag("ponder", limits.ponder),
        number("wtime", limits.time[Color::White.index()]),
        number("btime", limits.time[Color::Black.index()]),
        number("winc", white),
        number("binc", black),
        number("movestogo", limits.moves_to_go.map(i64::from)),
        number("movetime", limits.move_time),
        number("depth", limits.depth.map(i64::from)),
        number("nodes", limits.nodes.map(large)),
        number("mate", limits.mate.map(i64::from)),
        flag(&format!("searchmoves{moves}"), !moves.is_empty()),
    ];
    said.into_iter().flatten().collect::<Vec<_>>().join(" ")
}
