//! The features of a network, and how those of two positions differ.
//!
//! Both kinds are seen by each side from its own half of the board, mirrored by the file of its king.
// CITE: HalfKAv2_hm and FullThreats are Stockfish's feature sets; their numbering is part of the file format.

use arrayvec::ArrayVec;

use sleight::{
    attacks::{empty_board_attacks, king, knight, pawn},
    types::{Bitboard, Color, Piece, PieceType, Square},
};

use super::board::Board;

/// The number of features of HalfKAv2_hm: 32 king squares, 11 kinds of pieces, 64 squares.
pub(super) const PIECE_FEATURES: usize = 32 * KING_SQUARE;
/// The number of features of FullThreats.
pub(super) const THREAT_FEATURES: usize = 79_856;

/// Features for each king square; both kings are one kind.
const KING_SQUARE: usize = 11 * 64;

/// The most features of one kind in a position of 32 pieces: each attacks eight pieces at most.
const MAX_ACTIVE: usize = 256;

/// Features that leave and enter from one position to another.
#[derive(Clone, Debug, Default)]
pub(super) struct Difference {
    pub removed: ArrayVec<u32, MAX_ACTIVE>,
    pub added: ArrayVec<u32, MAX_ACTIVE>,
}

impl Difference {
    /// The piece features of `perspective`, whose king stands on the same square in both positions.
    #[inline(always)]
    pub(super) fn of_pieces(&mut self, before: &[u64; Piece::COUNT], after: &Board, perspective: Color) {
        let (view, king) = (PieceView::new(after, perspective), perspective.index());
        self.removed.clear();
        self.added.clear();
        for piece in Piece::ALL {
            let (old, new) = (before[piece.index()], after.pieces(piece));
            let kind = (piece.index() ^ king).min(2 * PieceType::King.index());
            self.removed.extend(Bitboard(old & !new).map(|square| view.index(kind, square)));
            self.added.extend(Bitboard(new & !old).map(|square| view.index(kind, square)));
        }
    }

    /// The threats that `perspective` sees, whose king is on the same half of the board in both positions.
    #[inline(always)]
    pub(super) fn of_threats(&mut self, threats: &Threats, before: &Board, after: &Board, perspective: Color) {
        let view = ThreatView::new(threats, after, perspective);
        self.removed.clear();
        self.added.clear();
        let changed = before.changed_squares(after);
        for from in Bitboard(before.occupied() | after.occupied()).map(Square::index) {
            let (old, new) = (before.attacks(from), after.attacks(from));
            let differing = if changed >> from & 1 != 0 { !0 } else { old ^ new | changed };
            let features = |board: &Board, targets: u64, list: &mut ArrayVec<u32, MAX_ACTIVE>| {
                let attacker = board.piece_at(from);
                for to in Bitboard(targets).map(Square::index) {
                    let index = view.index(attacker, from, board.piece_at(to), to);
                    if index != EXCLUDED {
                        list.push(index);
                    }
                }
            };
            features(before, old & differing, &mut self.removed);
            features(after, new & differing, &mut self.added);
        }
    }
}

/// How a side sees the pieces.
struct PieceView {
    flip: usize,
    king: usize,
}

impl PieceView {
    fn new(board: &Board, perspective: Color) -> Self {
        let (king, turn) = (board.king(perspective), 56 * perspective.index());
        let (file, rank) = (king % 8, (king ^ turn) / 8);
        let to_king_side = if file < 4 { 7 } else { 0 };
        Self { flip: turn ^ to_king_side, king: KING_SQUARE * (4 * (7 - rank) + file.min(7 - file)) }
    }

    #[inline(always)]
    fn index(&self, kind: usize, square: Square) -> u32 {
        (self.king + 64 * kind + (square.index() ^ self.flip)) as u32
    }
}

/// The mirrored half of the board that a side's king is on.
pub(super) fn threat_half(board: &Board, perspective: Color) -> usize {
    board.king(perspective) % 8 / 4
}

/// How a side sees the threats.
struct ThreatView<'a> {
    threats: &'a Threats,
    flip: usize,
    swap: usize,
}

impl<'a> ThreatView<'a> {
    fn new(threats: &'a Threats, board: &Board, perspective: Color) -> Self {
        let to_queen_side = 7 * threat_half(board, perspective);
        Self { threats, flip: (56 * perspective.index()) ^ to_queen_side, swap: perspective.index() }
    }

    #[inline(always)]
    fn index(&self, attacker: usize, from: usize, attacked: usize, to: usize) -> u32 {
        self.threats.index(attacker ^ self.swap, from ^ self.flip, attacked ^ self.swap, to ^ self.flip)
    }
}

/// Not a feature.
const EXCLUDED: u32 = u32::MAX;

/// The place of each attacked piece type among those that are features of an attacker's type.
const TARGETS: [[Option<u32>; PieceType::COUNT]; PieceType::COUNT] = [
    [Some(0), Some(1), None, Some(2), None, None],
    [Some(0), Some(1), Some(2), Some(3), Some(4), Some(5)],
    [Some(0), Some(1), Some(2), Some(3), None, Some(4)],
    [Some(0), Some(1), Some(2), Some(3), None, Some(4)],
    [Some(0), Some(1), Some(2), Some(3), Some(4), Some(5)],
    [Some(0), Some(1), Some(2), Some(3), None, None],
];

/// The numbering of the threats.
///
/// They are ordered by the attacker, then by the attacked piece, then by the attacker's square, and last by the
/// attacked square, among those that the attacker reaches on an empty board. Of two equal pieces that attack each
/// other, only the one on the higher square counts, unless they are pawns of one color.
pub(super) struct Threats {
    /// By attacker, attacked piece, and whether the attacker's square is the lower one.
    first: [[[u32; 2]; PIECES]; PIECES],
    /// By attacker and its square.
    offset: [[u32; 64]; PIECES],
    /// The attacks on an empty board.
    reach: [[u64; 64]; PIECES],
}

/// The pieces by their index, padded.
const PIECES: usize = 16;

impl Threats {
    pub(super) fn new() -> Self {
        let mut threats =
            Self { first: [[[EXCLUDED; 2]; PIECES]; PIECES], offset: [[0; 64]; PIECES], reach: [[0; 64]; PIECES] };
        let mut next = 0;
        // In the order of the file format: by color, then by type.
        for attacker in Color::ALL.into_iter().flat_map(|color| PieceType::ALL.map(|kind| Piece::new(kind, color))) {
            next = threats.add(attacker, next);
        }
        debug_assert_eq!(next as usize, THREAT_FEATURES);
        threats
    }

    /// Numbers the threats by one piece from `first` on; returns the number after the last one.
    fn add(&mut self, attacker: Piece, first: u32) -> u32 {
        let (index, attacker_type) = (attacker.index(), attacker.piece_type());
        let mut sum = 0;
        for square in Square::ALL {
            self.reach[index][square.index()] = reach(attacker, square).0;
            self.offset[index][square.index()] = sum;
            sum += reach(attacker, square).len() as u32;
        }
        let targets = TARGETS[attacker_type.index()];
        let kinds = targets.iter().flatten().count() as u32;
        for attacked in Piece::ALL {
            let Some(place) = targets[attacked.piece_type().index()] else { continue };
            let number = first + (kinds * attacked.color().index() as u32 + place) * sum;
            let mutual = attacked.piece_type() == attacker_type
                && (attacked.color() != attacker.color() || attacker_type != PieceType::Pawn);
            self.first[index][attacked.index()] = [number, if mutual { EXCLUDED } else { number }];
        }
        first + 2 * kinds * sum
    }

    #[inline(always)]
    fn index(&self, attacker: usize, from: usize, attacked: usize, to: usize) -> u32 {
        let (attacker, from) = (attacker % PIECES, from % 64);
        match self.first[attacker][attacked % PIECES][usize::from(from < to)] {
            EXCLUDED => EXCLUDED,
            first => {
                let below = self.reach[attacker][from] & ((1 << (to % 64)) - 1);
                first + self.offset[attacker][from] + below.count_ones()
            }
        }
    }
}

/// The squares that a piece attacks on an empty board; nothing for a pawn where none can stand.
fn reach(piece: Piece, square: Square) -> Bitboard {
    match piece.piece_type() {
        PieceType::Pawn if Bitboard::PAWNLESS_RANKS.contains(square) => Bitboard::EMPTY,
        PieceType::Pawn => pawn(piece.color(), square),
        PieceType::Knight => knight(square),
        PieceType::King => king(square),
        slider => empty_board_attacks(slider, square),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every threat that is a feature has a number of its own, and every number is a threat.
    #[test]
    fn threats_are_numbered_without_gaps() {
        let threats = Threats::new();
        let mut numbers = BTreeSet::new();
        let mut count = 0;
        for (attacker, from) in Piece::ALL.into_iter().flat_map(|piece| Square::ALL.map(|square| (piece, square))) {
            for to in reach(attacker, from) {
                for attacked in Piece::ALL {
                    let index = threats.index(attacker.index(), from.index(), attacked.index(), to.index());
                    if index != EXCLUDED {
                        numbers.insert(index);
                        count += 1;
                    }
                }
            }
        }
        assert_eq!(numbers.len(), count, "a number for two threats");
        assert!(numbers.last().is_some_and(|&last| (last as usize) < THREAT_FEATURES));
    }
}
