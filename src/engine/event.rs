use std::time::Duration;

use crate::{search::SearchReport, types::Move};

/// How the user wants to see what a search finds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Style {
    /// Whether castling is written as king takes rook.
    pub chess960: bool,
    /// Whether the chances of winning, drawing and losing are shown.
    pub wdl: bool,
}

/// What the engine says.
#[derive(Debug)]
pub enum Event<'a> {
    /// The answer to [`Command::Identify`](super::Command::Identify).
    Identity,
    /// The answer to [`Command::Ready`](super::Command::Ready).
    Ready,
    /// Something the user should know.
    Message(String),
    /// How a search is going.
    Report {
        /// What was found.
        report: &'a SearchReport,
        /// How it is to be written.
        style: Style,
    },
    /// A search has been going on for a while.
    Progress {
        /// The move of the root that is being searched.
        current: Move,
        /// Its number, from 1.
        number: u32,
        /// Nodes searched by all threads.
        nodes: u64,
        /// Time since the search was asked for.
        time: Duration,
        /// How full the hash table is, in permille.
        hashfull: u32,
        /// Positions found in the tablebases.
        tbhits: u64,
        /// How it is to be written.
        style: Style,
    },
    /// A search is over. Every [`Command::Go`](super::Command::Go) ends in exactly one of these.
    BestMove {
        /// The move; none where there is no legal one, or no position.
        best: Option<Move>,
        /// The reply that is expected.
        ponder: Option<Move>,
        /// Whether castling is written as king takes rook.
        chess960: bool,
    },
}
