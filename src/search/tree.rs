//! The tree that one thread searches: the position, what is known on the way to it, and what earlier moves have taught.

use std::{io, sync::Arc};

use super::{job::Job, stack::Stack};
use crate::{
    history::{ButterflyKey, CONTINUATION_PLIES, ContinuationKeys, CorrectionKeys, Histories},
    nnue::{AccumulatorStack, Network},
    position::Position,
    types::{Move, Piece, PieceType},
};

/// The position that one thread searches, and all that changes with its moves.
pub(super) struct Tree {
    pub(super) position: Position,
    pub(super) accumulators: AccumulatorStack,
    pub(super) histories: Box<Histories>,
    pub(super) stack: Stack,
    /// The least ply at which a null move is tried; nonzero only during the verification search of null move pruning.
    pub(super) nmp_min_ply: usize,
}

impl Tree {
    /// # Errors
    /// If there is not enough memory for the histories and the stack.
    pub(super) fn new(network: Arc<Network>) -> io::Result<Self> {
        Ok(Self {
            position: Position::startpos(),
            accumulators: AccumulatorStack::new(network),
            histories: Histories::new()?,
            stack: Stack::new()?,
            nmp_min_ply: 0,
        })
    }

    /// Begins another search.
    pub(super) fn begin(&mut self, job: &Job, network: &Arc<Network>) {
        self.position.clone_from(&job.position);
        self.accumulators.set_network(network);
        self.histories.age();
        self.stack.clear();
        self.nmp_min_ply = 0;
    }

    /// The piece moved by a move of the current position.
    #[inline(always)]
    pub(super) fn moved_piece(&self, mv: Move) -> Option<Piece> {
        self.position.piece_at(mv.from())
    }

    /// The type of the piece captured by a move of the current position.
    #[inline(always)]
    pub(super) fn captured_type(&self, mv: Move) -> Option<PieceType> {
        if mv.is_en_passant() {
            return Some(PieceType::Pawn);
        }
        if !mv.is_capture() {
            return None;
        }
        self.position.piece_at(mv.to()).map(Piece::piece_type)
    }

    /// Updates the squares attacked by the opponent, which index the butterfly history.
    #[inline]
    pub(super) fn update_threats(&mut self, ply: usize) {
        let board = self.position.board();
        self.stack[ply].threats = board.attacked_squares(!board.side_to_move(), board.occupied());
    }

    /// The index of the butterfly history of a quiet move of the side to move.
    #[inline]
    pub(super) fn butterfly_key(&self, mv: Move, ply: usize) -> ButterflyKey {
        ButterflyKey { side: self.position.side_to_move(), mv, threats: self.stack[ply].threats }
    }

    /// The index of the butterfly history of the opponent's last move, if that was quiet.
    #[inline]
    pub(super) fn previous_butterfly_key(&self, mv: Move, ply: usize) -> ButterflyKey {
        ButterflyKey { side: !self.position.side_to_move(), mv, threats: self.stack.before(ply, 1).threats }
    }

    /// The moves that index the continuation histories of a node's quiet moves.
    #[inline]
    pub(super) fn continuation_keys(&self, ply: usize) -> ContinuationKeys {
        CONTINUATION_PLIES.map(|back| self.stack.before(ply, back).moved)
    }

    /// The index of the position's correction histories.
    #[inline]
    pub(super) fn correction_keys(&self, ply: usize) -> CorrectionKeys {
        let keys = self.position.keys();
        CorrectionKeys {
            side: self.position.side_to_move(),
            pawn: keys.pawn,
            non_pawn: keys.non_pawn,
            last: self.stack.before(ply, 1).moved,
            before_last: self.stack.before(ply, 2).moved,
        }
    }
}
