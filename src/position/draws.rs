//! Draws by the rules: repetition, insufficient material, the fifty-move rule; and repetitions that are one move away.

use super::{Position, cuckoo, zobrist::side_key};
use crate::{
    attacks::between,
    types::{Bitboard, Key, PieceType},
};

impl Position {
    /// Returns true if a search scores this position, `ply` plies from its root, as a draw by the rules; at ply 0, if
    /// the game is drawn. Checkmate ends the game before a draw can be claimed: with the last of the fifty moves, a
    /// caller has to test for it.
    #[inline(always)]
    pub fn is_draw(&self, ply: usize) -> bool {
        self.is_repetition(ply) || self.is_insufficient_material() || self.is_fifty_move_draw()
    }

    /// The number of plies back to which an earlier position can equal this one.
    #[inline]
    fn reversible_plies(&self) -> usize {
        usize::from(self.state.halfmoves.min(self.state.since_null)).min(self.key_history.len())
    }

    /// The key `plies` plies ago; 1 is the position before the last move.
    #[inline]
    fn key_before(&self, plies: usize) -> Key {
        self.key_history[self.key_history.len() - plies]
    }

    /// Returns true if a search scores this position, `ply` plies from its root, as a draw by repetition: it has
    /// occurred once before since the root (twofold repetition), or twice before in the game (threefold repetition).
    // CITE: Stockfish - twofold repetition after the root, threefold before it.
    #[inline]
    pub fn is_repetition(&self, ply: usize) -> bool {
        let reversible = self.reversible_plies();
        if reversible < 4 {
            return false;
        }
        // The same side to move: every other position, from four plies ago.
        let keys = &self.key_history[self.key_history.len() - reversible..self.key_history.len() - 3];
        let mut before = 0;
        for (index, &key) in keys.iter().rev().step_by(2).enumerate() {
            if key == self.key() {
                before += 1;
                if 2 * index + 4 < ply || before == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Returns true if any position has occurred twice since the last capture or pawn move.
    pub fn has_repeated(&self) -> bool {
        let keys = &self.key_history[self.key_history.len() - self.reversible_plies()..];
        let all: Vec<Key> = keys.iter().copied().chain([self.key()]).collect();
        all.iter().enumerate().any(|(i, key)| all[i + 1..].contains(key))
    }

    /// Returns true if neither side can give mate by any sequence of legal moves: bare kings, a lone minor piece, or
    /// bishops that all stand on squares of one color.
    pub fn is_insufficient_material(&self) -> bool {
        let board = self.board();
        let heavy = [PieceType::Pawn, PieceType::Rook, PieceType::Queen];
        if heavy.iter().any(|&piece_type| !board.of_type(piece_type).is_empty()) {
            return false;
        }
        let (knights, bishops) = (board.of_type(PieceType::Knight), board.of_type(PieceType::Bishop));
        match knights.len() {
            0 => !bishops.intersects(Bitboard::DARK_SQUARES) || bishops.without(Bitboard::DARK_SQUARES).is_empty(),
            1 => bishops.is_empty(),
            _ => false,
        }
    }

    /// Returns true if fifty moves by each side have passed without a capture or pawn move. Checkmate takes precedence:
    /// see [`Self::is_draw`].
    #[inline(always)]
    pub fn is_fifty_move_draw(&self) -> bool {
        self.state.halfmoves >= 100
    }

    /// Returns true if the side to move can reach an earlier position with one reversible move, so that it can claim a
    /// draw by repetition: one since the root of the search, or one that had itself occurred before. Upcoming
    /// repetition, or game cycle detection.
    // CITE: Marcel van Kervinck - cuckoo tables ("A simple and efficient method to detect upcoming repetitions", 2013);
    // Stockfish.
    pub fn has_upcoming_repetition(&self, ply: usize) -> bool {
        let end = self.reversible_plies();
        if end < 3 {
            return false;
        }
        let occupied = self.board().occupied();
        // The change by all moves of the opponent: zero when its pieces are back where they were.
        let mut other = self.key() ^ self.key_before(1) ^ side_key();
        for plies in (3..=end).step_by(2) {
            other ^= self.key_before(plies - 1) ^ self.key_before(plies) ^ side_key();
            if other != 0 {
                continue;
            }
            let Some((a, b)) = cuckoo::reversible_move(self.key() ^ self.key_before(plies)) else { continue };
            // Before the root, only a position that had occurred twice already is a draw.
            if !between(a, b).intersects(occupied) && (plies < ply || self.had_been_repeated(plies)) {
                return true;
            }
        }
        false
    }

    /// Returns true if the position `plies` plies ago had occurred before.
    fn had_been_repeated(&self, plies: usize) -> bool {
        let key = self.key_before(plies);
        (plies + 4..=self.reversible_plies()).step_by(2).any(|earlier| self.key_before(earlier) == key)
    }
}
