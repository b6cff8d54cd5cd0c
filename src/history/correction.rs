//! Correction history: by how much the search's results differ from the static evaluation, by features of the
//! position.

use bytemuck::Zeroable;

use super::{Context, Stat};
use crate::{
    params::*,
    types::{Color, Depth, Key, Piece, Score, Square},
};

const SLOTS: usize = 16_384;
/// What stands for a centipawn.
const GRAIN: i32 = 128;
const MAX: i32 = 96 * GRAIN;

type ErrorStat = Stat<MAX>;

/// The features by which errors are remembered.
#[derive(Clone, Copy, Debug)]
pub struct CorrectionKeys {
    /// The side to move.
    pub side: Color,
    /// The key of the pawns.
    pub pawn: Key,
    /// The keys of each side's other men.
    pub non_pawn: [Key; Color::COUNT],
    /// The last move.
    pub last: Context,
    /// The move before it.
    pub before_last: Context,
}

/// Remembered errors of the evaluation.
#[derive(Zeroable)]
#[repr(C)]
pub struct Correction {
    /// Side to move; low bits of the pawn key.
    pawn: [[ErrorStat; SLOTS]; Color::COUNT],
    /// Side to move; whose men; low bits of their key.
    non_pawn: [[[ErrorStat; SLOTS]; Color::COUNT]; Color::COUNT],
    /// The opponent's last move, and ours before it: piece and target of each.
    continuation: [[[[ErrorStat; Square::COUNT]; Piece::COUNT]; Square::COUNT]; Piece::COUNT],
}

impl Correction {
    /// What to add to the static evaluation, in centipawns.
    #[inline]
    pub fn get(&self, keys: &CorrectionKeys) -> i32 {
        let side = keys.side.index();
        let non_pawn = |color: Color| self.non_pawn[side][color.index()][slot(keys.non_pawn[color.index()])].get();
        let sum = correction_pawn() * self.pawn[side][slot(keys.pawn)].get()
            + correction_non_pawn() * (non_pawn(Color::White) + non_pawn(Color::Black))
            + correction_continuation() * self.continuation(keys).map_or(0, Stat::get);
        sum / (128 * GRAIN)
    }

    /// Learns that a search of `depth` found `score` where the evaluation, corrected, said `eval`.
    #[inline]
    pub fn update(&mut self, keys: &CorrectionKeys, depth: Depth, eval: Score, score: Score) {
        if !rules::correction_history() {
            return;
        }
        let bonus = ((score - eval) * depth * GRAIN / 8).clamp(-MAX / 4, MAX / 4);
        let side = keys.side.index();
        self.pawn[side][slot(keys.pawn)].update(bonus);
        for color in Color::ALL {
            let color = color.index();
            self.non_pawn[side][color][slot(keys.non_pawn[color])].update(bonus);
        }
        if let (Some((piece, to)), Some((earlier, square))) = (keys.last.0, keys.before_last.0) {
            self.continuation[piece.index()][to.index()][earlier.index()][square.index()].update(bonus);
        }
    }

    #[inline(always)]
    fn continuation(&self, keys: &CorrectionKeys) -> Option<ErrorStat> {
        let ((piece, to), (earlier, square)) = (keys.last.0?, keys.before_last.0?);
        Some(self.continuation[piece.index()][to.index()][earlier.index()][square.index()])
    }
}

#[inline(always)]
fn slot(key: Key) -> usize {
    key as usize % SLOTS
}
