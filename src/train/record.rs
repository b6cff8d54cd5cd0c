//! A position as the trainer keeps it in memory: 32 bytes, in the layout of bulletformat's `ChessBoard`.

use bytemuck::{Pod, Zeroable};

use crate::{
    position::Position,
    types::{Bitboard, Color, File, Piece, PieceType, Rank, Square},
};

/// A position with its score and the game's result, both for the side to move. The board is turned so that this side
/// plays up it; there are no castling rights and no en passant, since the network sees neither.
///
/// In a file the integers are little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Record {
    occupied: u64,
    /// For each man, in the order of the squares, 4 bits: the type, and 8 for the other side's men.
    men: [u8; 16],
    /// Centipawns.
    score: i16,
    /// 0 for a loss, 1 for a draw, 2 for a win.
    result: u8,
    our_king: u8,
    /// As the other side sees it: turned once more.
    their_king: u8,
    unused: [u8; 3],
}

const THEIRS: u8 = 8;

/// The inputs that are on in one position, as the side to move sees them and as the other side does: the two that
/// belong to one man have the same place in both lists.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Inputs {
    ours: [u16; 32],
    theirs: [u16; 32],
    len: usize,
}

impl Inputs {
    #[inline(always)]
    pub(super) fn ours(&self) -> &[u16] {
        &self.ours[..self.len.min(32)]
    }

    #[inline(always)]
    pub(super) fn theirs(&self) -> &[u16] {
        &self.theirs[..self.len.min(32)]
    }
}

impl Record {
    /// The record of a position, with a score in centipawns and a result of 0, 1 or 2 half points, both for White.
    /// None when there are more men than a game can have.
    pub fn new(position: &Position, white_score: i16, white_result: u8) -> Option<Self> {
        let us = position.side_to_move();
        let occupied = position.board().occupied();
        if occupied.len() > 32 {
            return None;
        }
        let turned = if us == Color::White { occupied } else { occupied.flip_rank() };
        let mut men = [0; 16];
        for (i, square) in turned.enumerate() {
            let piece = position.piece_at(square.relative_to(us))?;
            let side = if piece.color() == us { 0 } else { THEIRS };
            men[i / 2] |= (piece.kind() as u8 | side) << (4 * (i % 2));
        }
        Some(Self {
            occupied: turned.0,
            men,
            score: if us == Color::White { white_score } else { white_score.saturating_neg() },
            result: if us == Color::White { white_result } else { 2 - white_result.min(2) },
            our_king: position.board().king(us).relative_to(us) as u8,
            their_king: position.board().king(!us).relative_to(!us) as u8,
            unused: [0; 3],
        })
    }

    /// Reads 32 bytes of a file. None when they are no position.
    pub fn from_bytes(bytes: [u8; 32]) -> Option<Self> {
        let mut record: Self = bytemuck::cast(bytes);
        record.occupied = u64::from_le(record.occupied);
        record.score = i16::from_le(record.score);
        record.is_sound().then_some(record)
    }

    /// The 32 bytes that a file has.
    pub fn to_bytes(mut self) -> [u8; 32] {
        self.occupied = self.occupied.to_le();
        self.score = self.score.to_le();
        bytemuck::cast(self)
    }

    fn is_sound(&self) -> bool {
        let king_of = |side| {
            let mut kings = self.men().filter(|&(_, man)| man == PieceType::King as u8 | side);
            kings.next().filter(|_| kings.next().is_none()).map(|(square, _)| square)
        };
        Bitboard(self.occupied).len() <= 32
            && self.result <= 2
            && self.men().all(|(_, man)| man % THEIRS <= PieceType::King as u8)
            && king_of(0).is_some_and(|king| king as u8 == self.our_king)
            && king_of(THEIRS).is_some_and(|king| king.flip_rank() as u8 == self.their_king)
    }

    /// Each man's square and 4 bits.
    #[inline(always)]
    fn men(&self) -> impl Iterator<Item = (Square, u8)> {
        Bitboard(self.occupied).enumerate().map(|(i, square)| (square, self.men[i / 2 % 16] >> (4 * (i % 2)) & 15))
    }

    /// Multiplies the score.
    pub(super) fn scale_score(&mut self, factor: f32) {
        self.score = (f32::from(self.score) * factor).round() as i16;
    }

    /// The score, in centipawns for the side to move.
    #[inline(always)]
    pub fn score(&self) -> i16 {
        self.score
    }

    /// What the side to move got: 0, 0.5 or 1.
    #[inline(always)]
    pub fn points(&self) -> f32 {
        f32::from(self.result) / 2.0
    }

    /// How many men are on the board.
    #[inline(always)]
    pub fn men_count(&self) -> usize {
        Bitboard(self.occupied).len()
    }

    /// Lists the inputs that are on. [`Perspective`](crate::nnue::Perspective) says the same, man by man.
    #[inline(always)]
    pub(super) fn inputs(&self) -> Inputs {
        let mirror = |king: u8| if king % 8 >= File::E as u8 { 7 } else { 0 };
        let (our_flip, their_flip) = (mirror(self.our_king), 56 ^ mirror(self.their_king));
        let mut inputs = Inputs { ours: [0; 32], theirs: [0; 32], len: self.men_count().min(32) };
        for (i, (square, man)) in self.men().take(32).enumerate() {
            let (theirs, kind) = (u16::from(man / THEIRS), u16::from(man % THEIRS));
            let square = square as u16;
            inputs.ours[i] = 384 * theirs + 64 * kind + (square ^ our_flip);
            inputs.theirs[i] = 384 * (1 - theirs) + 64 * kind + (square ^ their_flip);
        }
        inputs
    }

    /// The position again, with the side to move as White and without the right to castle. None when the rules do not
    /// allow it, which never happens to a record that was made from a position.
    pub fn position(&self) -> Option<Position> {
        let mut squares = [None; Square::COUNT];
        for (square, man) in self.men() {
            let color = if man < THEIRS { Color::White } else { Color::Black };
            squares[square.index()] =
                PieceType::from_index(usize::from(man % THEIRS)).map(|kind| Piece::new(kind, color));
        }
        let row = |rank: &Rank| -> String {
            File::ALL.map(|file| squares[Square::new(file, *rank).index()].map_or('1', Piece::letter)).iter().collect()
        };
        let board = Rank::ALL.iter().rev().map(row).collect::<Vec<_>>().join("/");
        Position::from_fen(&format!("{board} w - - 0 1")).ok()
    }
}
