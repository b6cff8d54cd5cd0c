//! King and pawn against king: a bitbase, made by retrograde analysis when it is first asked for.
//!
//! A set of squares holds all places of the lone king at once, so that one step takes them together: White wins with a
//! move into a set that is won, and Black does not lose if a king's move leads to a square that is not.
// CITE: Ken Thompson - retrograde analysis; Stockfish's bitbase.cpp - such a table. The analysis by sets is our own.

use once_cell::sync::Lazy;

use crate::{
    attacks,
    types::{Bitboard, Color, Rank, Square},
};

/// The squares of the lone king with which White, who has the pawn, wins.
#[derive(Clone, Copy, PartialEq)]
struct Won {
    white_to_move: Bitboard,
    black_to_move: Bitboard,
}

/// By the pawn and White's king.
type Table = [[Won; Square::COUNT]; Square::COUNT];

static TABLE: Lazy<Box<Table>> = Lazy::new(|| {
    let nothing = Won { white_to_move: Bitboard::EMPTY, black_to_move: Bitboard::EMPTY };
    let mut table = Box::new([[nothing; Square::COUNT]; Square::COUNT]);
    // The most advanced pawns first: the others depend on them.
    for pawn in Square::ALL.into_iter().rev().filter(|pawn| !Bitboard::PAWNLESS_RANKS.contains(*pawn)) {
        let mut changes = true;
        while changes {
            changes = false;
            for king in Square::ALL.into_iter().filter(|&king| king != pawn) {
                let won = step(&table, pawn, king);
                changes |= won != table[pawn.index()][king.index()];
                table[pawn.index()][king.index()] = won;
            }
        }
    }
    table
});

/// Returns true if White, with this king and pawn, wins against a king on `lone`.
pub(super) fn wins(pawn: Square, king: Square, lone: Square, white_to_move: bool) -> bool {
    let won = TABLE[pawn.index()][king.index()];
    if white_to_move { won.white_to_move } else { won.black_to_move }.contains(lone)
}

/// One step of the retrograde analysis: the won squares, given the table so far.
fn step(table: &Table, pawn: Square, king: Square) -> Won {
    let checks = attacks::pawn(Color::White, pawn);
    // The squares on which the lone king may stand with Black to move, and to which it may go: the pawn may be taken.
    let legal = !(attacks::king(king) | king.into() | pawn.into());
    let targets = !(attacks::king(king) | king.into() | checks);

    let king_moves =
        attacks::king(king).filter(|&to| to != pawn).map(|to| table[pawn.index()][to.index()].black_to_move);
    let wins = king_moves.fold(pawn_moves(table, pawn, king), |wins, set| wins | set);
    let escapes = targets.without(table[pawn.index()][king.index()].white_to_move);
    Won {
        white_to_move: legal.without(checks) & wins,
        // Without a move it is stalemate: a pawn and a king do not mate.
        black_to_move: (legal & neighbors(targets)).without(neighbors(escapes)),
    }
}

/// The squares of the lone king with which a move of the pawn wins.
fn pawn_moves(table: &Table, pawn: Square, king: Square) -> Bitboard {
    let Some(to) = pawn.offset(0, 1).filter(|&to| to != king) else { return Bitboard::EMPTY };
    if to.rank() == Rank::Eight {
        let is_taken = if attacks::king(king).contains(to) { Bitboard::EMPTY } else { attacks::king(to) };
        return !(is_taken | to.into());
    }
    let double = pawn.offset(0, 2).filter(|&double| pawn.rank() == Rank::Two && double != king);
    let after = |to: Square| table[to.index()][king.index()].black_to_move;
    after(to) | double.map_or(Bitboard::EMPTY, after).without(to.into())
}

/// The squares next to one of a set.
fn neighbors(set: Bitboard) -> Bitboard {
    let beside = set.left() | set.right();
    let row = set | beside;
    beside | row.forward(Color::White) | row.forward(Color::Black)
}
