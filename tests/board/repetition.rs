//! Repetition and the fifty-move rule against a list of all positions of the game.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use sleight::{
    movegen::legal_moves,
    position::Position,
    types::{Move, PieceType},
    util::Rng,
};

use super::parallel;

/// Starting positions with room to shuffle: few pawns, castling rights to lose, an en-passant square.
const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 0 1",
    "6k1/5ppp/8/8/8/8/q4PPP/3R2K1 w - - 30 60",
    "8/8/2k5/3b4/8/4B3/5K2/8 b - - 90 100",
    "1r2k3/8/8/8/8/8/8/1R2K1R1 w GBb - 12 40",
    "7k/8/8/2n5/8/8/1N1N4/K7 w - - 0 1",
    "k7/p7/P7/8/8/8/8/K5Qq w - - 0 1",
];

/// The record of a game: the texts of its positions, without keys.
struct Record {
    position: Position,
    /// The FEN of every position so far without its counters, the current one last.
    texts: Vec<String>,
    /// The index of the position after the last null move: earlier ones do not count.
    since: usize,
    halfmoves: u16,
}

impl Record {
    fn new(fen: &str) -> Self {
        let position = Position::from_fen(fen).unwrap();
        Self { texts: vec![text(&position)], halfmoves: position.halfmove_clock(), position, since: 0 }
    }

    fn play(&mut self, mv: Move) {
        let irreversible = self.moves_a_pawn(mv) || mv.is_capture();
        self.halfmoves = if irreversible { 0 } else { self.halfmoves + 1 };
        self.position.make(mv);
        self.texts.push(text(&self.position));
    }

    fn pass(&mut self) {
        self.halfmoves += 1;
        self.position.make_null();
        self.texts.push(text(&self.position));
        self.since = self.texts.len() - 1;
    }

    fn moves_a_pawn(&self, mv: Move) -> bool {
        self.position.board().of_type(PieceType::Pawn).contains(mv.from())
    }

    /// The distances in plies to earlier occurrences of the current position, nearest first.
    fn occurrences(&self) -> Vec<usize> {
        let last = self.texts.len() - 1;
        (self.since..last)
            .rev()
            .filter(|&index| self.texts[index] == self.texts[last])
            .map(|index| last - index)
            .collect()
    }

    /// The definition of `Position::is_repetition`: once before since the root, or twice before.
    fn is_repetition(&self, ply: usize) -> bool {
        let occurrences = self.occurrences();
        occurrences.len() >= 2 || occurrences.first().is_some_and(|&plies| plies < ply)
    }

    /// Mostly shuffling: the reverse of the last own move, or another quiet move of a piece.
    fn random_move(&self, rng: &mut Rng, own_last: Option<Move>) -> Option<Move> {
        let moves = legal_moves(&self.position);
        let way_back =
            moves.iter().find(|mv| own_last.is_some_and(|own| (mv.from(), mv.to()) == (own.to(), own.from())));
        if let Some(&mv) = way_back.filter(|_| rng.below(3) > 0) {
            return Some(mv);
        }
        let quiet: Vec<_> =
            moves.iter().filter(|&&mv| mv.is_quiet() && !mv.is_castle() && !self.moves_a_pawn(mv)).copied().collect();
        let choice: &[Move] = if quiet.is_empty() || rng.below(40) == 0 { &moves } else { &quiet };
        choice.get(rng.below(choice.len())).copied()
    }
}

fn text(position: &Position) -> String {
    position.fen().split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// Plays shuffling games and calls `visit` for each position.
fn shuffle(games: usize, visit: impl Fn(&mut Record) + Sync) {
    parallel::for_each(games, |game| {
        let mut rng = Rng::new(game as u64);
        let mut record = Record::new(STARTS[game % STARTS.len()]);
        let mut last = [None; 2];
        for _ in 0..150 {
            visit(&mut record);
            if rng.below(60) == 0 && !record.position.in_check() {
                record.pass();
                last.swap(0, 1);
                continue;
            }
            let Some(mv) = record.random_move(&mut rng, last[0]) else { break };
            record.play(mv);
            last = [last[1], Some(mv)];
        }
    });
}

/// Distances from the root of a search to test.
fn plies(record: &Record) -> impl Iterator<Item = usize> + use<> {
    (0..record.texts.len().min(14)).chain([40, 200])
}

#[test]
fn repetitions_are_those_of_the_record() {
    let (repetitions, threefold) = (AtomicUsize::new(0), AtomicUsize::new(0));
    shuffle(2_000, |record| {
        for ply in plies(record) {
            let expected = record.is_repetition(ply);
            assert_eq!(record.position.is_repetition(ply), expected, "ply {ply} of {:#?}", record.texts);
            repetitions.fetch_add(usize::from(expected), Relaxed);
        }
        threefold.fetch_add(usize::from(record.is_repetition(0)), Relaxed);
    });
    assert!(repetitions.into_inner() > 100_000 && threefold.into_inner() > 10_000);
}

#[test]
fn the_fifty_move_counter_is_that_of_the_record() {
    let draws = AtomicUsize::new(0);
    shuffle(500, |record| {
        assert_eq!(record.position.halfmove_clock(), record.halfmoves);
        assert_eq!(record.position.is_fifty_move_draw(), record.halfmoves >= 100);
        draws.fetch_add(usize::from(record.halfmoves >= 100), Relaxed);
    });
    assert!(draws.into_inner() > 1_000);
}

/// The cuckoo tables find an upcoming repetition exactly when a legal move makes one: a repeating move is a reversible
/// one of those in the tables, and a move back to a legal position is itself legal.
#[test]
fn upcoming_repetitions_are_found_exactly_when_a_move_repeats() {
    let (found, games) = (AtomicUsize::new(0), 400);
    shuffle(games, |record| {
        let mut makes_repetition = [false; 256];
        let asked: Vec<_> = plies(record).collect();
        for mv in legal_moves(&record.position) {
            record.position.make(mv);
            for &ply in &asked {
                makes_repetition[ply] |= record.position.is_repetition(ply + 1);
            }
            record.position.unmake();
        }
        for ply in asked {
            let upcoming = record.position.has_upcoming_repetition(ply);
            assert_eq!(upcoming, makes_repetition[ply], "ply {ply} of {:#?}", record.texts);
            found.fetch_add(usize::from(upcoming), Relaxed);
        }
    });
    assert!(found.into_inner() > 50_000);
}

#[test]
fn a_textbook_threefold_repetition() {
    let mut record = Record::new("6k1/8/8/8/8/8/8/R5K1 w - - 0 1");
    let mut seen = Vec::new();
    for name in ["a1a2", "g8g7", "a2a1", "g7g8", "a1a2", "g8g7", "a2a1", "g7g8"] {
        let mv = legal_moves(&record.position).into_iter().find(|mv| mv.to_string() == name).unwrap();
        record.play(mv);
        seen.push((record.position.is_repetition(0), record.position.is_repetition(9)));
    }
    // Every position from the fourth move on has occurred before; only the last one twice.
    let (once, twice): (Vec<_>, Vec<_>) = seen.into_iter().map(|(twice, once)| (once, twice)).unzip();
    assert_eq!(once, [false, false, false, true, true, true, true, true]);
    assert_eq!(twice, [false, false, false, false, false, false, false, true]);
}

/// After a capture or a pawn move no earlier position can occur again, so that nothing changes if they are forgotten.
#[test]
fn forgotten_positions_are_no_repetitions() {
    let mut rng = Rng::new(9);
    let mut repetitions = 0;
    for start in STARTS.iter().cycle().take(40) {
        let mut position = Position::from_fen(start).unwrap();
        let mut short = position.clone();
        for _ in 0..150 {
            let moves = legal_moves(&position);
            // Few moves to choose from, so that some are taken back.
            let Some(&mv) = moves.get(rng.below(moves.len().min(4))) else { break };
            position.make(mv);
            short.make(mv);
            if short.halfmove_clock() == 0 {
                short.forget_history();
            }
            assert_eq!(short.is_repetition(100), position.is_repetition(100), "{}", position.fen());
            assert_eq!(short.has_upcoming_repetition(100), position.has_upcoming_repetition(100), "{}", position.fen());
            repetitions += u32::from(position.is_repetition(100));
        }
        assert_eq!(short.audit(), Ok(()));
    }
    assert!(repetitions > 20, "{repetitions}");

    let mut position = Position::startpos();
    for (ply, text) in ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(8).enumerate() {
        let mv = legal_moves(&position).into_iter().find(|mv| mv.to_string() == text).unwrap();
        position.make(mv);
        assert_eq!(position.is_repetition(0), ply == 7);
    }
    position.forget_history();
    assert!(!position.is_repetition(0));
}
