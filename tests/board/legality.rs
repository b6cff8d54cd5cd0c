//! The rules of chess against the `shakmaty` crate, and the stages of the generator against each other, over seeded
//! random games from standard, Chess960 and random positions.

use std::{
    collections::HashSet,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use shakmaty::{Chess, EnPassantMode, Position as _, fen::Fen, uci::UciMove};
use sleight::{
    movegen::{GenType, Noisy, Quiet, generate, is_legal, legal_moves},
    perft::perft,
    position::Position,
    types::{Move, MoveKind, MoveList},
    util::Rng,
};

use super::{
    games::{Start, random_move},
    oracle, parallel,
};

const GAMES: usize = 4_000;

/// Boards with more moves than any of a game: by hand, and by simulated annealing over armies of sixteen.
#[test]
fn the_boards_with_the_most_moves_fit_in_a_list() {
    for (fen, moves) in [
        ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 218),
        ("Q6Q/2k2K2/4Q3/6Q1/1Q6/3Q4/5Q2/Q6Q w - - 0 1", 194),
        ("3k4/Q4Q2/2QK3Q/4Q3/1Q4Q1/3Q4/Q4Q2/2Q4Q w - - 0 1", 215),
        ("2QQ2Q1/Q4Q2/2Q4Q/4Q3/2Q4Q/Q4Q1Q/3Q4/1k1K2Q1 w - - 0 1", 225),
        ("2QQ1Kbk/Q4Qnp/2Q4Q/4Q3/1Q4Q1/3Q4/Q4Q2/2QQ3Q w - - 0 1", 239),
    ] {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(legal_moves(&position).len(), moves, "{fen}");
        assert_eq!(perft(position.board(), 1), moves as u64, "{fen}");
    }
}

/// Counts of rare cases, so that no test passes for lack of them.
#[derive(Default, Debug)]
struct Seen {
    positions: AtomicUsize,
    checks: AtomicUsize,
    double_checks: AtomicUsize,
    mates: AtomicUsize,
    stalemates: AtomicUsize,
    dead: AtomicUsize,
    castling: AtomicUsize,
    en_passant: AtomicUsize,
    promotions: AtomicUsize,
}

impl Seen {
    fn count(&self, position: &Position, moves: &MoveList) {
        let checkers = position.checkers_and_pins().checkers;
        let any = |is: fn(&Move) -> bool| moves.iter().any(is);
        for (counter, seen) in [
            (&self.positions, true),
            (&self.checks, !checkers.is_empty()),
            (&self.double_checks, checkers.more_than_one()),
            (&self.mates, moves.is_empty() && position.in_check()),
            (&self.stalemates, moves.is_empty() && !position.in_check()),
            (&self.dead, position.is_insufficient_material()),
            (&self.castling, any(|mv| mv.is_castle())),
            (&self.en_passant, any(|mv| mv.is_en_passant())),
            (&self.promotions, any(|mv| mv.is_promotion())),
        ] {
            counter.fetch_add(usize::from(seen), Relaxed);
        }
    }

    fn assert_enough(&self) {
        let enough = |counter: &AtomicUsize, least| counter.load(Relaxed) >= least;
        assert!(
            enough(&self.positions, 200_000)
                && enough(&self.checks, 10_000)
                && enough(&self.double_checks, 100)
                && enough(&self.mates, 50)
                && enough(&self.stalemates, 20)
                && enough(&self.dead, 100)
                && enough(&self.castling, 1_000)
                && enough(&self.en_passant, 1_000)
                && enough(&self.promotions, 5_000),
            "{self:?}"
        );
    }
}

/// Plays game number `job` and calls `visit` for every position with the move that follows.
fn walk(job: usize, mut visit: impl FnMut(&Position, Option<Move>)) {
    let mut rng = Rng::new(job as u64);
    let start = Start::ALL[job % Start::ALL.len()];
    let mut position = start.draw(&mut rng);
    // Scattered pieces are interesting mostly at the start of the game.
    let plies = if matches!(start, Start::Scattered) { 30 } else { 200 };
    for _ in 0..plies {
        let next = random_move(&mut rng, &position);
        visit(&position, next);
        match next {
            Some(mv) if !position.is_insufficient_material() => position.make(mv),
            _ => return,
        }
    }
}

#[test]
fn moves_states_and_outcomes_agree_with_shakmaty() {
    let seen = Seen::default();
    parallel::for_each(GAMES, |job| {
        let mut chess = None;
        walk(job, |position, next| {
            let chess: &mut Chess = chess.get_or_insert_with(|| oracle::of(position));
            compare(position, chess);
            seen.count(position, &legal_moves(position));
            if let Some(mv) = next {
                let theirs: UciMove = mv.to_string().parse().unwrap();
                chess.play_unchecked(theirs.to_move(chess).unwrap());
            }
        });
    });
    seen.assert_enough();
}

fn compare(position: &Position, chess: &Chess) {
    let fen = position.fen();
    assert_eq!(fen, Fen::from_position(chess, EnPassantMode::Legal).to_string());
    let mut moves: Vec<_> = legal_moves(position).iter().map(Move::to_string).collect();
    moves.sort();
    assert_eq!(moves, oracle::moves(chess), "{fen}");
    assert_eq!(position.checkers_and_pins().checkers.0, chess.checkers().0, "{fen}");
    let over = moves.is_empty();
    assert_eq!(
        (over && position.in_check(), over && !position.in_check()),
        (chess.is_checkmate(), chess.is_stalemate())
    );
    assert_eq!(position.is_insufficient_material(), chess.is_insufficient_material(), "{fen}");
}

/// The moves of one stage, each once.
fn stage<K: GenType>(position: &Position) -> HashSet<Move> {
    let mut moves = MoveList::new();
    generate::<K>(position, &mut moves);
    let set: HashSet<_> = moves.iter().copied().collect();
    assert_eq!(set.len(), moves.len(), "a move came twice: {}", position.fen());
    set
}

#[test]
fn stages_and_counts_add_up() {
    parallel::for_each(GAMES / 10, |job| {
        walk(job, |position, _| {
            let fen = position.fen();
            let list = legal_moves(position);
            let all: HashSet<_> = list.iter().copied().collect();
            assert_eq!(all.len(), list.len(), "a move came twice: {fen}");
            assert_eq!(perft(position.board(), 1), list.len() as u64, "{fen}");
            let (noisy, quiet): (HashSet<_>, _) = all.into_iter().partition(|mv| mv.is_noisy());
            assert_eq!((stage::<Noisy>(position), stage::<Quiet>(position)), (noisy, quiet), "{fen}");
        });
    });
}

#[test]
fn is_legal_equals_the_generator_on_every_bit_pattern() {
    let visited = AtomicUsize::new(0);
    parallel::for_each(GAMES / 10, |job| {
        let mut plies = 0;
        walk(job, |position, _| {
            plies += 1;
            // Positions in check are rarer, and have more illegal moves.
            if plies % if position.in_check() { 4 } else { 16 } != 0 {
                return;
            }
            visited.fetch_add(1, Relaxed);
            let moves = legal_moves(position);
            for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
                assert_eq!(is_legal(position, mv), moves.contains(&mv), "{mv:?} in {}", position.fen());
            }
        });
    });
    assert!(visited.into_inner() >= 3_000);
}

/// The properties of a move by its bits and by the board.
#[test]
fn move_kinds_agree_with_the_board() {
    parallel::for_each(GAMES / 100, |job| {
        walk(job, |position, _| {
            for mv in legal_moves(position) {
                let change = position.change_of(mv);
                let fen = position.fen();
                assert_eq!(mv.is_capture(), change.captured().is_some(), "{mv:?} in {fen}");
                assert_eq!(mv.is_promotion(), change.to.0 != change.from.0, "{mv:?} in {fen}");
                assert_eq!(mv.is_castle(), change.other_to.is_some(), "{mv:?} in {fen}");
                assert_eq!(mv.is_en_passant(), change.captured().is_some_and(|(_, square)| square != mv.to()));
                let ranks = mv.from().rank().index().abs_diff(mv.to().rank().index());
                let pawn = change.from.0.piece_type() == sleight::types::PieceType::Pawn;
                assert_eq!(mv.kind() == MoveKind::DoublePush, pawn && ranks == 2, "{mv:?} in {fen}");
            }
        });
    });
}
