//! A cuckoo hash table of all reversible moves, keyed by the change they make to the full key.
// CITE: Marcel van Kervinck, 2013; Stockfish.

use super::zobrist::{piece_key, side_key};
use crate::{
    attacks::empty_board_attacks,
    types::{Bitboard, Color, Key, Piece, PieceType, Square},
};

const SIZE: usize = 8192;

/// Reversible moves: unordered pairs of squares between which a piece other than a pawn moves on an empty board, for
/// each piece and color.
const REVERSIBLE_MOVES: usize = 3668;

struct Cuckoo {
    keys: [Key; SIZE],
    squares: [(Square, Square); SIZE],
}

static CUCKOO: Cuckoo = build();

const fn first_slot(key: Key) -> usize {
    (key & 0x1fff) as usize
}

const fn second_slot(key: Key) -> usize {
    (key >> 16 & 0x1fff) as usize
}

const fn build() -> Cuckoo {
    let mut table = Cuckoo { keys: [0; SIZE], squares: [(Square::A1, Square::A1); SIZE] };
    let mut count = 0;
    let mut piece_index = PieceType::Knight.index() * Color::COUNT;
    while piece_index < Piece::COUNT {
        let piece = Piece::ALL[piece_index];
        let mut from_index = 0;
        while from_index < 64 {
            let from = Square::from_low_bits(from_index);
            // Each pair once: only targets above `from`.
            let mut targets = empty_board_attacks(piece.piece_type(), from).0 & !(u64::MAX >> (63 - from_index));
            while targets != 0 {
                let to = Bitboard(targets).lowest();
                targets &= targets - 1;
                insert(&mut table, piece_key(piece, from) ^ piece_key(piece, to) ^ side_key(), (from, to));
                count += 1;
            }
            from_index += 1;
        }
        piece_index += 1;
    }
    assert!(count == REVERSIBLE_MOVES);
    table
}

const fn insert(table: &mut Cuckoo, key: Key, squares: (Square, Square)) {
    let (mut key, mut squares) = (key, squares);
    let mut slot = first_slot(key);
    let mut rounds = 0;
    loop {
        (table.keys[slot], key) = (key, table.keys[slot]);
        (table.squares[slot], squares) = (squares, table.squares[slot]);
        if key == 0 {
            return;
        }
        slot = if slot == first_slot(key) { second_slot(key) } else { first_slot(key) };
        rounds += 1;
        assert!(rounds < 1000, "the keys do not fit the cuckoo table");
    }
}

/// The two squares of the reversible move that makes this difference between two full keys.
#[inline]
pub(super) fn reversible_move(difference: Key) -> Option<(Square, Square)> {
    let first = first_slot(difference);
    if CUCKOO.keys[first] == difference {
        return Some(CUCKOO.squares[first]);
    }
    let second = second_slot(difference);
    (CUCKOO.keys[second] == difference).then(|| CUCKOO.squares[second])
}
