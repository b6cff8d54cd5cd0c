//! What a position is worth without searching.
//!
//! The bootstrap: material and tapered piece-square values, hand-set from a few plain ideas, only there to play the
//! first games. A network learned from those takes its place.

use once_cell::sync::Lazy;

use crate::{
    position::{Change, Observer, Position},
    types::{Color, MAX_PLY, Piece, PieceType, Score, Square},
};

/// A middlegame and an endgame value, in centipawns, and how much the man counts towards a middlegame.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
struct Tapered {
    middle: i32,
    end: i32,
    phase: i32,
}

/// The sum of all men's phases at the start of a game.
const FULL_PHASE: i32 = 24;
/// What having the move is worth, in centipawns.
const TEMPO: i32 = 10;

/// From White's side, for every piece on every square.
static VALUES: Lazy<[[Tapered; Square::COUNT]; Piece::COUNT]> =
    Lazy::new(|| Piece::ALL.map(|piece| Square::ALL.map(|square| value(piece, square))));

/// The piece's worth on that square, positive for White.
fn value(piece: Piece, square: Square) -> Tapered {
    let from_own_side = square.relative_to(piece.color());
    let (file, rank) = (from_own_side.file().index() as i32, from_own_side.rank().index() as i32);
    // 0 at the edge of the board, 3 in the middle.
    let (file_center, rank_center) = (file.min(7 - file), rank.min(7 - rank));
    let center = file_center + rank_center;
    let advance = rank - 1;
    let (middle, end, phase) = match piece.kind() {
        PieceType::Pawn => {
            let passed_hope = [0, 2, 6, 16, 34, 60, 0][advance.clamp(0, 6) as usize];
            let central = if file_center == 3 { 7 * advance.min(2) } else { 0 };
            (82 + central + passed_hope / 2 + 3 * file_center, 95 + 2 * passed_hope - 2 * file_center, 0)
        }
        PieceType::Knight => (305 + 11 * center - if rank == 0 { 8 } else { 0 }, 280 + 8 * center, 1),
        PieceType::Bishop => (328 + 5 * center - if rank == 0 { 10 } else { 0 }, 300 + 4 * center, 1),
        PieceType::Rook => {
            (470 + 5 * file_center + if rank == 6 { 18 } else { 0 }, 515 + if rank >= 5 { 10 } else { 0 }, 2)
        }
        PieceType::Queen => (975 + 2 * center, 940 + 8 * center, 4),
        PieceType::King => (18 * (2 - file_center) - 28 * rank.min(4), 12 * center + 2 * rank, 0),
    };
    let sign = if piece.color() == Color::White { 1 } else { -1 };
    Tapered { middle: sign * middle, end: sign * end, phase }
}

/// The running sums along the line that is being searched.
#[derive(Clone, Debug)]
pub struct Accumulators {
    stack: Vec<Tapered>,
}

impl Accumulators {
    /// The sums of a position.
    pub fn new(position: &Position) -> Self {
        let mut accumulators = Self { stack: Vec::with_capacity(MAX_PLY + 8) };
        accumulators.reset(position);
        accumulators
    }

    /// Starts again from another position.
    pub fn reset(&mut self, position: &Position) {
        let mut sum = Tapered::default();
        for square in position.board().occupied() {
            if let Some(piece) = position.piece_at(square) {
                sum.add(piece, square);
            }
        }
        self.stack.clear();
        self.stack.push(sum);
    }

    fn current(&self) -> Tapered {
        self.stack.last().copied().unwrap_or_default()
    }
}

impl Tapered {
    fn add(&mut self, piece: Piece, square: Square) {
        let value = VALUES[piece.index()][square.index()];
        self.middle += value.middle;
        self.end += value.end;
        self.phase += value.phase;
    }

    fn remove(&mut self, piece: Piece, square: Square) {
        let value = VALUES[piece.index()][square.index()];
        self.middle -= value.middle;
        self.end -= value.end;
        self.phase -= value.phase;
    }
}

impl Observer for Accumulators {
    fn on_make(&mut self, _: &Position, change: &Change) {
        let mut sum = self.current();
        sum.remove(change.piece, change.from);
        sum.add(change.becomes, change.to);
        if let Some((piece, square)) = change.captured {
            sum.remove(piece, square);
        }
        if let Some((from, to)) = change.castled_rook {
            let rook = Piece::new(PieceType::Rook, change.piece.color());
            sum.remove(rook, from);
            sum.add(rook, to);
        }
        self.stack.push(sum);
    }

    fn on_unmake(&mut self) {
        self.stack.pop();
    }
}

/// The static evaluation for the side to move. `accumulators` have followed `position`.
pub fn evaluate(position: &Position, accumulators: &Accumulators) -> Score {
    let sum = accumulators.current();
    let phase = sum.phase.min(FULL_PHASE);
    let white = (sum.middle * phase + sum.end * (FULL_PHASE - phase)) / FULL_PHASE;
    let ours = if position.side_to_move() == Color::White { white } else { -white };
    Score(ours + TEMPO).clamp_eval()
}

/// The chances of winning, drawing and losing at a score, in permille.
///
/// Win and loss are logistic curves, half won at 130 centipawns. The two numbers reproduce what 38,000 positions of
/// self-play at 1,200 nodes a move came to: the side ahead scored 69 % at 100 to 149 centipawns and 88 % at 200 to 399.
///
/// ```
/// # use sleight::{eval::win_draw_loss, types::Score};
/// assert_eq!(win_draw_loss(Score(0)), [269, 462, 269]);
/// assert_eq!(win_draw_loss(Score::mate_in(3)), [1000, 0, 0]);
/// ```
pub fn win_draw_loss(score: Score) -> [u32; 3] {
    const HALF_WON: f64 = 130.0;
    const STEEPNESS: f64 = 130.0;
    if score.is_decisive() {
        return if score.is_win() { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let chance = |ahead: i32| (1000.0 / (1.0 + ((HALF_WON - f64::from(ahead)) / STEEPNESS).exp())).round() as u32;
    let (win, loss) = (chance(score.0), chance(-score.0));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::legal_moves;

    #[test]
    fn following_equals_starting_again() {
        let mut position =
            Position::from_fen("r3k2r/1P1pqpb1/bn2pnp1/2pPN3/1p2P3/2N2Q1p/1PPBBPPP/R3K2R w KQkq c6 0 1").unwrap();
        let mut accumulators = Accumulators::new(&position);
        for mv in legal_moves(&position) {
            position.make(mv, &mut accumulators);
            assert_eq!(accumulators.current(), Accumulators::new(&position).current(), "{mv}");
            position.unmake(&mut accumulators);
        }
        assert_eq!(accumulators.stack.len(), 1);
    }

    #[test]
    fn chances_add_up_and_grow_with_the_score() {
        let mut last = 0;
        for points in (-3000..=3000).step_by(10) {
            let [win, draw, loss] = win_draw_loss(Score(points));
            assert_eq!(win + draw + loss, 1000);
            assert_eq!([loss, draw, win], win_draw_loss(Score(-points)));
            assert!(win >= last);
            last = win;
        }
    }

    #[test]
    fn colors_are_treated_alike() {
        let white = Position::from_fen("4k3/2p5/8/8/3N4/8/PP6/4K2R w K - 0 1").unwrap();
        let black = Position::from_fen("4k2r/pp6/8/3n4/8/8/2P5/4K3 b k - 0 1").unwrap();
        let evaluation = |position: &Position| evaluate(position, &Accumulators::new(position));
        assert_eq!(evaluation(&white), evaluation(&black));
        assert_eq!(evaluation(&Position::startpos()), Score(TEMPO));
    }
}
