//! Static exchange evaluation (SEE) against a recursive search of captures on a mailbox board.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use sleight::{
    attacks::Lookup,
    movegen::legal_moves,
    position::Position,
    types::{Color, Move, Piece, PieceType, Square},
    util::Rng,
};

use super::{
    games::{Start, random_move},
    parallel,
};

/// The SEE piece values, found as the gain of capturing an undefended piece.
struct Values([i32; PieceType::COUNT]);

impl Values {
    fn measure() -> Self {
        Self(PieceType::ALL.map(|piece_type| {
            if piece_type == PieceType::King {
                return 0;
            }
            let victim = piece_type.letter().to_ascii_lowercase();
            gain_of(&format!("7k/8/8/8/{victim}7/8/8/R6K w - - 0 1"), "a1a4")
        }))
    }

    fn of(&self, piece_type: PieceType) -> i32 {
        self.0[piece_type.index()]
    }
}

/// The SEE value: the highest threshold that the move reaches.
fn gain_of(fen: &str, name: &str) -> i32 {
    let position = Position::from_fen(fen).unwrap();
    let mv = legal_moves(&position).into_iter().find(|mv| mv.to_string() == name).unwrap();
    (-3000..=3000).rev().find(|&threshold| position.see_ge(mv, threshold)).unwrap()
}

/// A mailbox board; attacks are found by walking square by square.
#[derive(Clone)]
struct Mailbox([Option<Piece>; 64]);

impl Mailbox {
    fn of(position: &Position) -> Self {
        Self(Square::ALL.map(|square| position.piece_at(square)))
    }

    fn at(&self, square: Square) -> Option<Piece> {
        self.0[square.index()]
    }

    /// The board after moving a piece from one square to another.
    fn after(&self, from: Square, to: Square) -> Self {
        let mut next = self.clone();
        next.0[to.index()] = next.0[from.index()].take();
        next
    }

    fn pieces_of(&self, color: Color) -> impl Iterator<Item = (Square, PieceType)> {
        let pieces = Square::ALL.into_iter().filter_map(|square| Some((square, self.at(square)?)));
        pieces.filter(move |(_, piece)| piece.color() == color).map(|(square, piece)| (square, piece.piece_type()))
    }

    /// Returns true if the piece on `from` attacks `to`.
    fn attacks(&self, from: Square, to: Square) -> bool {
        let Some(piece) = self.at(from) else { return false };
        let files = to.file().index() as i8 - from.file().index() as i8;
        let ranks = to.rank().index() as i8 - from.rank().index() as i8;
        let (orthogonal, diagonal) = ((files == 0) != (ranks == 0), files != 0 && files.abs() == ranks.abs());
        let along = match piece.piece_type() {
            PieceType::Pawn => return files.abs() == 1 && ranks == if piece.color() == Color::White { 1 } else { -1 },
            PieceType::Knight => return files.abs() * ranks.abs() == 2,
            PieceType::King => return files.abs().max(ranks.abs()) == 1,
            PieceType::Bishop => diagonal,
            PieceType::Rook => orthogonal,
            PieceType::Queen => orthogonal || diagonal,
        };
        along && {
            let step = |square: &Square| square.offset(files.signum(), ranks.signum());
            let way = std::iter::successors(step(&from), step).take_while(|&square| square != to);
            way.into_iter().all(|square| self.at(square).is_none())
        }
    }

    /// The pieces of `by` that attack a square.
    fn attackers(&self, to: Square, by: Color) -> Vec<(Square, PieceType)> {
        self.pieces_of(by).filter(|&(from, _)| self.attacks(from, to)).collect()
    }

    /// Returns true if SEE considers a capture: by the king, if it cannot be recaptured; by another piece, if it opens
    /// no new attack on its own king. Checks that existed before are ignored.
    fn is_considered(&self, from: Square, to: Square, side: Color) -> bool {
        let after = self.after(from, to);
        let king =
            |board: &Self| board.pieces_of(side).find(|&(_, piece_type)| piece_type == PieceType::King).unwrap().0;
        let (before, now) = (self.attackers(king(self), !side), after.attackers(king(&after), !side));
        if king(self) == from { now.is_empty() } else { now.iter().all(|attacker| before.contains(attacker)) }
    }

    /// The gain of `side` from capturing on `to` with its least valuable attacker, or from standing pat.
    fn best_capture(&self, values: &Values, to: Square, side: Color) -> i32 {
        let least = self
            .attackers(to, side)
            .into_iter()
            .filter(|&(from, _)| self.is_considered(from, to, side))
            .min_by_key(|&(from, piece_type)| (piece_type, from));
        let (Some((from, _)), Some(victim)) = (least, self.at(to)) else { return 0 };
        let gain = values.of(victim.piece_type()) - self.after(from, to).best_capture(values, to, !side);
        gain.max(0)
    }

    /// The gain of a move after all captures on its target have been played out.
    fn gain(mut self, values: &Values, mv: Move, side: Color) -> i32 {
        if mv.is_castle() {
            return 0;
        }
        let victim = if mv.is_en_passant() { mv.to().backward(side) } else { mv.to() };
        let mut gain = self.0[victim.index()].take().map_or(0, |piece| values.of(piece.piece_type()));
        let mut next = self.after(mv.from(), mv.to());
        if let Some(piece_type) = mv.promotion() {
            gain += values.of(piece_type) - values.of(PieceType::Pawn);
            next.0[mv.to().index()] = Some(Piece::new(piece_type, side));
        }
        gain - next.best_capture(values, mv.to(), !side)
    }
}

#[test]
fn see_equals_playing_out_the_captures() {
    Lookup::detect();
    play_out_captures(1_000);
    Lookup::with_each(|_| play_out_captures(100));
}

fn play_out_captures(games: usize) {
    let values = Values::measure();
    let (captures, long) = (AtomicUsize::new(0), AtomicUsize::new(0));
    parallel::for_each(games, |job| {
        let mut rng = Rng::new(job as u64);
        let mut position = Start::ALL[job % Start::ALL.len()].draw(&mut rng);
        for _ in 0..120 {
            let Some(next) = random_move(&mut rng, &position) else { break };
            // Every capture, and some of the quiet moves.
            for mv in legal_moves(&position).into_iter().filter(|mv| mv.is_capture() || mv.bits() % 8 == 0) {
                let gain = Mailbox::of(&position).gain(&values, mv, position.side_to_move());
                let reaches = |threshold| position.see_ge(mv, threshold);
                assert!(reaches(gain) && !reaches(gain + 1), "{mv:?} gains {gain} in {}", position.fen());
                let threshold = rng.below(2000) as i32 - 1000;
                assert_eq!(reaches(threshold), threshold <= gain, "{mv:?}, {threshold}: {}", position.fen());
                captures.fetch_add(usize::from(mv.is_capture()), Relaxed);
                long.fetch_add(
                    usize::from(Mailbox::of(&position).attackers(mv.to(), !position.side_to_move()).len() > 1),
                    Relaxed,
                );
            }
            position.make(next);
        }
    });
    assert!(captures.into_inner() > 100 * games && long.into_inner() > 100 * games);
}

/// The first two positions are those of <https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>.
#[test]
fn known_exchanges() {
    let values = Values::measure();
    let [pawn, knight, bishop, rook, queen] =
        [PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen]
            .map(|piece_type| values.of(piece_type));
    for (fen, mv, gain, why) in [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", pawn, "undefended"),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", pawn - knight, "defended often enough"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", 0, "castling takes nothing"),
        ("4k3/8/2p5/8/8/8/8/3QK3 w - - 0 1", "d1d5", -queen, "hangs to a pawn"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", pawn, "en passant"),
        ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0, "en passant, recaptured"),
        ("4k2b/3r2P1/8/8/8/8/8/4K3 w - - 0 1", "g7h8q", bishop + queen - pawn, "promotion with a capture"),
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -pawn, "promotion, recaptured"),
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", pawn, "the second rook through the first"),
        ("3rk3/3q4/8/3p4/8/8/3Q4/3RK3 w - - 0 1", "d2d5", pawn - rook, "the queens go, and a rook"),
        ("8/8/4k3/3p4/8/2N5/6B1/6K1 w - - 0 1", "c3d5", pawn, "the king may not recapture"),
        ("3r2k1/8/8/3p4/8/8/3R4/3K4 w - - 0 1", "d2d5", pawn - rook, "a rook for a pawn"),
        ("6k1/8/6n1/8/4Rp2/3N4/8/4K3 w - - 0 1", "d3f4", pawn, "the rook helps"),
        ("4r1k1/8/6n1/8/4Rp2/3N4/8/4K3 w - - 0 1", "d3f4", pawn - knight, "the rook is pinned"),
        // The bishop captures the rook that pinned e4; the king recaptures, and the freed rook may capture it.
        ("3kr3/8/8/1B6/4R3/8/8/4K3 w - - 0 1", "b5e8", rook, "a captured pinner pins no more"),
    ] {
        assert_eq!(gain_of(fen, mv), gain, "{mv} in {fen}: {why}");
    }
}
