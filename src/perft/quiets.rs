//! The last two plies: the replies to all quiet moves of one piece, counted at once.
//!
//! The replies to a move from one square to another are those on the board without the piece, which are generated once,
//! changed by what the piece does on its target. On most targets it neither checks nor pins: it stands in the way of
//! sliders and pawns, pawns may take it, and the king may not enter the squares that it attacks.
// CITE: own. What it is worth is in docs/notes/performance.md.

use super::counter::Counter;
use crate::{
    attacks::{
        attacked_by_sliders, between, count_slider_moves, empty_board_attacks, king, knight, line, slider_attacks,
    },
    movegen::{GenType, generate_as},
    position::{Board, CheckersAndPins},
    types::{Bitboard, CastlingSide, PieceType, Rank, Side, Square},
};

/// A board whose bitboards fill one cache line, wherever the stack begins. Without it some runs of perft took a third
/// more cycles, probably for store forwarding across two cache lines.
#[repr(align(64))]
pub(super) struct Aligned(pub(super) Board);

/// The number of replies to quiet moves of a piece other than a pawn to some of the targets, and the rest of these.
#[inline(never)]
pub(super) fn count_replies<K: GenType, C: Side>(
    board: &Board,
    piece_type: PieceType,
    from: Square,
    targets: Bitboard,
) -> (u64, Bitboard) {
    let enemy_king = board.king(C::THEM);
    let mut lifted = Aligned(*board);
    lifted.0.lift(C::US, piece_type, from);
    let board = &lifted.0;
    let checkers_and_pins = CheckersAndPins::of_side(board, C::THEM);
    // Squares from which it may give check, or pin.
    let mut rest = empty_board_attacks(piece_type, enemy_king);
    // Squares on which it may end a pin.
    for pinned in checkers_and_pins.pinned {
        rest |= line(enemy_king, pinned);
    }
    if !checkers_and_pins.checkers.is_empty() || !targets.without(rest).more_than_one() {
        return (0, targets);
    }
    let mut replies = Counter::default();
    generate_as::<K, C::Them>(board, &checkers_and_pins, &mut replies);
    let lifted = Lifted { board, piece_type, replies };
    // Squares on which it may prevent a promotion, or be taken by one: these count four times.
    let ahead = board.pieces(C::THEM, PieceType::Pawn).without(checkers_and_pins.pinned).forward(C::THEM);
    let promotions = ahead & Rank::Eight.relative_to(C::THEM).bitboard();
    rest |= promotions | promotions.left() | promotions.right();
    rest |= lifted.changes_king_moves::<K, C>();
    let counted = targets.without(rest);
    (lifted.sum::<C>(counted, ahead), targets.without(counted))
}

/// The board without the piece, and the replies on it.
struct Lifted<'a> {
    board: &'a Board,
    piece_type: PieceType,
    replies: Counter,
}

impl Lifted<'_> {
    /// The squares that the piece attacks from a square.
    #[inline(always)]
    fn attacks(&self, square: Square) -> Bitboard {
        match self.piece_type {
            PieceType::Knight => knight(square),
            PieceType::King => king(square),
            piece_type => slider_attacks(piece_type, square, self.board.occupied()),
        }
    }

    /// Squares on which the piece may prevent castling, or open a square to the king, in front of a slider.
    #[inline(always)]
    fn changes_king_moves<K: GenType, C: Side>(&self) -> Bitboard {
        let (board, replies) = (self.board, &self.replies);
        let enemy_king = board.king(C::THEM);
        let mut changes = Bitboard::EMPTY;
        let mut closed = king(enemy_king).without(board.color(C::THEM) | replies.king_targets);
        if K::CASTLING {
            let (mut paths, mut crossed) = (0, Bitboard::EMPTY);
            for side in CastlingSide::ALL {
                if board.has_clear_castling_path(C::THEM, side) {
                    paths += 1;
                    crossed |= between(enemy_king, side.king_to(C::THEM)) | side.king_to(C::THEM).into();
                    changes |= Rank::One.relative_to(C::THEM).bitboard();
                }
            }
            for square in crossed {
                changes |= self.attacks(square);
            }
            if replies.castlings < paths {
                closed |= crossed;
            }
        }
        if !closed.is_empty() {
            let (orthogonal, diagonal) = (board.orthogonal_sliders(C::US), board.diagonal_sliders(C::US));
            let occupied = board.occupied() ^ enemy_king.into();
            let closers = attacked_by_sliders(orthogonal, diagonal, occupied);
            changes |= closers & attacked_by_sliders(closed, closed, occupied);
        }
        changes
    }

    /// The replies with the piece on each of the targets; `ahead` is in front of the pawns that are not pinned.
    #[inline(always)]
    fn sum<C: Side>(&self, targets: Bitboard, ahead: Bitboard) -> u64 {
        let (replies, occupied) = (&self.replies, self.board.occupied());
        let number = |set: Bitboard| (targets & set).len() as u64;
        let [pushes, double_pushes] = replies.pushes;
        let mut sum = number(Bitboard::ALL) * replies.moves + number(ahead.left()) + number(ahead.right())
            - number(pushes)
            - number(double_pushes)
            - number(double_pushes.forward(C::US));
        for square in replies.king_targets {
            sum -= number(self.attacks(square));
        }
        let [orthogonal, diagonal] = replies.sliders;
        for to in targets & attacked_by_sliders(orthogonal, diagonal, occupied) {
            let moves = count_slider_moves(orthogonal, diagonal, occupied | to.into(), replies.slider_targets);
            sum = sum + moves as u64 - replies.slider_moves;
        }
        sum
    }
}
