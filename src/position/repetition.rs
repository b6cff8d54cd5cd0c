//! Draws by repetition, by the fifty-move rule, and repetitions that are one move away.

use super::{Position, cuckoo, zobrist::side_key};
use crate::attacks::between;

impl Position {
    /// Half-moves back to which an earlier position could equal this one.
    #[inline]
    fn reversible_plies(&self) -> usize {
        usize::from(self.state.halfmoves.min(self.state.since_null)).min(self.earlier.len())
    }

    /// The full key `plies` half-moves ago; 1 is the position before the last move.
    #[inline]
    fn earlier_key(&self, plies: usize) -> u64 {
        self.earlier[self.earlier.len() - plies]
    }

    /// Whether this position is to be scored as a draw by repetition in a search `ply` half-moves from its root:
    /// it occurred before, after the root, or twice before, wherever.
    #[inline]
    pub fn is_repetition(&self, ply: usize) -> bool {
        let reversible = self.reversible_plies();
        if reversible < 4 {
            return false;
        }
        // The same side to move means every other position, from four half-moves ago.
        let keys = &self.earlier[self.earlier.len() - reversible..self.earlier.len() - 3];
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

    /// Whether any position has occurred twice since the last capture or pawn move.
    pub fn has_repeated(&self) -> bool {
        let keys = &self.earlier[self.earlier.len() - self.reversible_plies()..];
        let all: Vec<u64> = keys.iter().copied().chain([self.key()]).collect();
        all.iter().enumerate().any(|(i, key)| all[i + 1..].contains(key))
    }

    /// Whether fifty moves by each side have passed without capture or pawn move. Mate on the board takes
    /// precedence; the caller tests for that.
    #[inline(always)]
    pub fn is_fifty_move_draw(&self) -> bool {
        self.state.halfmoves >= 100
    }

    /// Whether the side to move can reach an earlier position with one reversible move, so that it has a draw in
    /// hand: one after the root of the search, or one that had itself occurred before.
    ///
    /// Source: Marcel van Kervinck's cuckoo tables ("The design and implementation of the Rookie 2.0 chess
    /// playing program", chapter on cycle detection).
    pub fn has_upcoming_repetition(&self, ply: usize) -> bool {
        let end = self.reversible_plies();
        if end < 3 {
            return false;
        }
        let occupied = self.board.occupied();
        // What the opponent's moves changed, taken together: nothing when its men are back where they were.
        let mut other = self.key() ^ self.earlier_key(1) ^ side_key();
        for plies in (3..=end).step_by(2) {
            other ^= self.earlier_key(plies - 1) ^ self.earlier_key(plies) ^ side_key();
            if other != 0 {
                continue;
            }
            let Some((a, b)) = cuckoo::reversible_move(self.key() ^ self.earlier_key(plies)) else { continue };
            // Before the root, only a position that had occurred twice already is a draw.
            if !between(a, b).meets(occupied) && (plies < ply || self.had_been_repeated(plies)) {
                return true;
            }
        }
        false
    }

    /// Whether the position `plies` half-moves ago had occurred before that.
    fn had_been_repeated(&self, plies: usize) -> bool {
        let key = self.earlier_key(plies);
        (plies + 4..=self.reversible_plies()).step_by(2).any(|earlier| self.earlier_key(earlier) == key)
    }
}
