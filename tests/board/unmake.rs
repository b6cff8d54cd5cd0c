//! Make and unmake: incrementally updated state equals a computation from scratch, and unmake restores all of it.

use std::{
    collections::{HashMap, HashSet, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
};

use sleight::{
    movegen::legal_moves,
    position::{Board, CheckersAndPins, Keys, Position},
    types::{Color, Key, Move, MoveKind, PieceType},
};

use super::{
    parallel,
    tables::{Entry, entries},
};

/// The state that unmake has to restore. The audit compares the mailbox with the board.
#[derive(PartialEq, Debug)]
struct Snapshot(Board, Keys, CheckersAndPins, u16, u32);

impl Snapshot {
    fn of(position: &Position) -> Self {
        let (board, keys, checkers_and_pins) = (*position.board(), *position.keys(), *position.checkers_and_pins());
        Self(board, keys, checkers_and_pins, position.halfmove_clock(), position.game_ply())
    }
}

fn audit(position: &Position, after: &dyn std::fmt::Display) {
    if let Err(part) = position.audit() {
        panic!("wrong {part} after {after}, now {}", position.fen());
    }
}

/// Makes and unmakes the whole tree, with a null move at every node that allows one.
fn exercise(position: &mut Position, depth: u32) {
    let before = Snapshot::of(position);
    if !position.in_check() {
        let expected = position.tt_key_after_null();
        position.make_null();
        assert_eq!(position.tt_key(), expected);
        audit(position, &"a null move");
        assert_ne!(position.key(), before.1.full);
        position.unmake();
        audit(position, &"a null move taken back");
        assert_eq!(Snapshot::of(position), before);
    }
    for mv in legal_moves(position) {
        let (change, key) = (position.change_of(mv), position.key());
        let expected = position.tt_key_after(&change);
        position.make(mv);
        audit(position, &mv);
        let plies = position.plies();
        assert_eq!(position.change_at(plies), Some(&change), "{mv} in {}", position.fen());
        assert_eq!([position.key_at(plies), position.key_at(plies - 1)], [position.key(), key]);
        if keeps_rights(&before.0, position.board()) {
            assert_eq!(position.tt_key(), expected, "tt_key_after({mv:?}), now {}", position.fen());
        }
        assert_eq!(applied(&before.0, mv, change.from.0.piece_type()), *position.board(), "{mv:?} in perft");
        assert_eq!(before.0.after(mv), *position.board(), "{mv:?} of the bare board");
        if depth > 1 {
            exercise(position, depth - 1);
        }
        position.unmake();
        audit(position, &format_args!("{mv} taken back"));
        assert_eq!(Snapshot::of(position), before, "{mv} taken back");
    }
}

/// Returns true if `tt_key_after` promises to be exact.
fn keeps_rights(before: &Board, after: &Board) -> bool {
    before.castling_rights() == after.castling_rights() && after.en_passant().is_none()
}

/// The board after a move of that kind, as perft makes it.
fn applied(board: &Board, mv: Move, piece_type: PieceType) -> Board {
    let (mut next, us, from, to) = (*board, board.side_to_move(), mv.from(), mv.to());
    match mv.kind() {
        MoveKind::Quiet => next.apply_quiet(us, piece_type, from, to),
        MoveKind::Capture => next.apply_capture(us, piece_type, from, to),
        MoveKind::DoublePush => next.apply_double_push(us, from, to),
        MoveKind::Castle => next.apply_castling(us, from, to),
        MoveKind::EnPassant => next.apply_en_passant(us, from, to),
        _ => next.apply_promotion(us, from, to, mv.promotion().unwrap()),
    }
    next
}

#[test]
fn every_make_is_consistent_and_every_unmake_restores_the_position() {
    let entries = entries();
    parallel::for_each(entries.len(), |job| {
        let entry: &Entry = &entries[job];
        let (depth, _) = entry.affordable(100_000).last().unwrap();
        let mut position = entry.position.clone();
        exercise(&mut position, depth.min(4));
        assert_eq!(position.fen(), Position::from_fen(entry.fen).unwrap().fen());
    });
}

/// From a halfmove clock of 24 on, `tt_key` depends on it.
#[test]
fn the_tt_key_after_a_move_knows_the_halfmove_clock() {
    for clock in [15, 22, 23, 24, 31, 39, 98] {
        let fen = format!("r3k2r/pp3ppp/2n5/3pb3/3PB3/2N5/PP3PPP/R3K2R w KQkq - {clock} 60");
        let mut position = Position::from_fen(&fen).unwrap();
        exercise(&mut position, 2);
    }
}

#[test]
fn unmaking_at_the_first_position_does_nothing() {
    let mut position = Position::startpos();
    position.unmake();
    audit(&position, &"nothing");
    assert_eq!(Snapshot::of(&position), Snapshot::of(&Position::startpos()));
}

/// A hash of the board independent of the Zobrist keys.
fn fingerprint(board: &Board) -> u64 {
    let mut hasher = DefaultHasher::new();
    PieceType::ALL.map(|piece_type| board.of_type(piece_type)).hash(&mut hasher);
    Color::ALL.map(|color| board.color(color)).hash(&mut hasher);
    (board.side_to_move(), board.castling_rights(), board.en_passant()).hash(&mut hasher);
    hasher.finish()
}

/// Walks the whole tree and collects every key with the fingerprint of its position.
fn collect(position: &mut Position, depth: u32, prints: &mut HashMap<Key, u64>) {
    let print = fingerprint(position.board());
    let known = prints.insert(position.key(), print);
    assert!(known.is_none_or(|known| known == print), "two positions with the key of {}", position.fen());
    if depth == 0 {
        return;
    }
    for mv in legal_moves(position) {
        position.make(mv);
        collect(position, depth - 1, prints);
        position.unmake();
    }
}

#[test]
fn different_positions_have_different_keys() {
    let mut prints = HashMap::new();
    for entry in entries().iter().step_by(2) {
        let (depth, _) = entry.affordable(100_000).last().unwrap();
        collect(&mut entry.position.clone(), depth, &mut prints);
    }
    assert!(prints.len() > 1_000_000, "{}", prints.len());
    let distinct: HashSet<_> = prints.values().collect();
    assert_eq!(distinct.len(), prints.len(), "one position with two keys");
}

#[test]
fn rights_and_side_to_move_are_part_of_the_key() {
    let mut keys = HashSet::new();
    for side in ["w", "b"] {
        for rights in 0..16 {
            let letters: String = ['K', 'Q', 'k', 'q']
                .into_iter()
                .enumerate()
                .filter(|(bit, _)| rights >> bit & 1 != 0)
                .map(|(_, letter)| letter)
                .collect();
            let rights = if letters.is_empty() { "-" } else { &letters };
            let position = Position::from_fen(&format!("r3k2r/8/8/8/8/8/8/R3K2R {side} {rights} - 0 1")).unwrap();
            assert!(keys.insert(position.key()), "{side} {rights}");
            assert_eq!(position.keys().pawn, 0);
        }
    }
}

#[test]
fn en_passant_is_part_of_the_key_where_a_capture_is_legal() {
    let key = |fen: &str| Position::from_fen(fen).unwrap().key();
    let mut keys = HashSet::new();
    for square in ["-", "a6", "c6", "e6", "g6"] {
        let fen = format!("4k3/8/8/pPpPpPpP/8/8/8/4K3 w - {square} 0 1");
        assert!(keys.insert(key(&fen)), "{square}");
    }
    // No pawn next to the pushed one; a capturer that is pinned.
    assert_eq!(key("4k3/8/8/p2P4/8/8/8/4K3 w - a6 0 1"), key("4k3/8/8/p2P4/8/8/8/4K3 w - - 0 1"));
    assert_eq!(key("1r2k3/8/8/pP6/8/8/8/1K6 w - a6 0 1"), key("1r2k3/8/8/pP6/8/8/8/1K6 w - - 0 1"));
}

#[test]
fn partial_keys_depend_on_their_own_pieces_alone() {
    let keys = |fen: &str| *Position::from_fen(fen).unwrap().keys();
    let before = keys("r3k3/1p6/2n5/8/3B4/8/6P1/4K2Q w - - 0 1");
    let queen = keys("r3k3/1p6/2n5/8/3B4/8/6P1/4KQ2 w - - 0 1");
    let knight = keys("r3k3/1p6/8/8/1n1B4/8/6P1/4K2Q w - - 0 1");
    let pawn = keys("r3k3/8/1pn5/8/3B4/8/6P1/4K2Q w - - 0 1");
    let [white, black] = Color::ALL.map(Color::index);
    assert!(queen.non_pawn[white] != before.non_pawn[white] && queen.non_pawn[black] == before.non_pawn[black]);
    assert!(knight.non_pawn[black] != before.non_pawn[black] && knight.non_pawn[white] == before.non_pawn[white]);
    assert!(queen.pawn == before.pawn && knight.pawn == before.pawn);
    assert!(pawn.pawn != before.pawn && pawn.non_pawn == before.non_pawn);
}

#[test]
fn a_copy_into_another_position_is_unmade_as_the_original() {
    let mut copy = Position::from_fen("8/8/4k3/3p4/3P4/4K3/8/8 w - - 5 40").unwrap();
    for start in
        ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 9"]
    {
        let mut position = Position::from_fen(start).unwrap();
        let mut snapshots = Vec::new();
        for ply in 0..20 {
            snapshots.push(Snapshot::of(&position));
            let moves = legal_moves(&position);
            position.make(moves[ply % moves.len()]);
        }
        copy.clone_from(&position);
        assert_eq!(Snapshot::of(&copy), Snapshot::of(&position));
        for snapshot in snapshots.iter().rev() {
            copy.unmake();
            audit(&copy, &start);
            assert_eq!(Snapshot::of(&copy), *snapshot);
        }
        copy.make(legal_moves(&copy)[0]);
    }
}
