use crate::{search::SearchReport, types::Move};

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
        /// Whether castling is written as king takes rook.
        chess960: bool,
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
