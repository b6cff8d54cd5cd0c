//! A training position in memory: 32 bytes, in the layout of bulletformat's `ChessBoard`.

use bytemuck::{Pod, Zeroable};

use sleight::{
    nnue::{FEATURES, FLIP_FILE, FLIP_RANK, Perspective, SIDE_FEATURES},
    position::{Position, Setup},
    types::{Bitboard, Color, Piece, PieceType, Square},
};

/// A position with its score and the game's result, both for the side to move. The board is flipped so that the side to
/// move is White. Castling rights and the en-passant square are not kept, since the network's features have neither.
///
/// In a file the integers are little-endian.
// CITE: `ChessBoard` of the crate bulletformat (Jamie Whiting), which the tests compare with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Record {
    occupied: u64,
    /// For each piece, in the order of the squares, 4 bits: its type, plus 8 for the opponent's.
    pieces: [u8; 16],
    /// Internal units, for the side to move.
    score: i16,
    /// 0 for a loss, 1 for a draw, 2 for a win.
    result: u8,
    our_king: u8,
    /// From the opponent's perspective: its rank flipped.
    their_king: u8,
    unused: [u8; 3],
}

const THEIRS: u8 = 8;

/// The active features of a position, from the perspectives of the side to move and the opponent. A piece has the same
/// index in both lists.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct ActiveFeatures {
    lists: [[u16; 32]; 2],
    len: usize,
}

impl ActiveFeatures {
    /// Those of the side to move (0) or the opponent (1).
    #[inline(always)]
    pub(crate) fn of(&self, side: usize) -> &[u16] {
        &self.lists[side][..self.len.min(32)]
    }
}

impl Record {
    /// The record of a position, with a score in internal units and a result of 0, 1 or 2 half points, both for White.
    /// None if there are more than 32 pieces.
    pub(crate) fn new(position: &Position, white_score: i16, white_result: u8) -> Option<Self> {
        let us = position.side_to_move();
        let occupied = position.board().occupied();
        if occupied.len() > 32 {
            return None;
        }
        let flipped = if us == Color::White { occupied } else { occupied.flip_rank() };
        let mut pieces = [0; 16];
        for (i, square) in flipped.enumerate() {
            let piece = position.piece_at(square.relative_to(us))?;
            let side = if piece.color() == us { 0 } else { THEIRS };
            pieces[i / 2] |= (piece.piece_type() as u8 | side) << (4 * (i % 2));
        }
        Some(Self {
            occupied: flipped.0,
            pieces,
            score: if us == Color::White { white_score } else { white_score.saturating_neg() },
            result: if us == Color::White { white_result } else { 2 - white_result.min(2) },
            our_king: position.board().king(us).relative_to(us) as u8,
            their_king: position.board().king(!us).relative_to(!us) as u8,
            unused: [0; 3],
        })
    }

    /// Reads 32 bytes of a file. None if they are not a position.
    pub(crate) fn from_bytes(bytes: [u8; 32]) -> Option<Self> {
        let mut record: Self = bytemuck::cast(bytes);
        record.occupied = u64::from_le(record.occupied);
        record.score = i16::from_le(record.score);
        record.is_valid().then_some(record)
    }

    /// The record as 32 bytes of a file.
    pub(crate) fn to_bytes(mut self) -> [u8; 32] {
        self.occupied = self.occupied.to_le();
        self.score = self.score.to_le();
        bytemuck::cast(self)
    }

    fn is_valid(&self) -> bool {
        let king_of = |side| {
            let mut kings = self.pieces().filter(|&(_, piece)| piece == PieceType::King as u8 | side);
            kings.next().filter(|_| kings.next().is_none()).map(|(square, _)| square)
        };
        Bitboard(self.occupied).len() <= 32
            && self.result <= 2
            && self.pieces().all(|(_, piece)| piece % THEIRS <= PieceType::King as u8)
            && king_of(0).is_some_and(|king| king as u8 == self.our_king)
            && king_of(THEIRS).is_some_and(|king| king.flip_rank() as u8 == self.their_king)
    }

    /// Each piece's square and 4 bits.
    #[inline(always)]
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (Square, u8)> {
        Bitboard(self.occupied).enumerate().map(|(i, square)| (square, self.pieces[i / 2 % 16] >> (4 * (i % 2)) & 15))
    }

    /// Multiplies the score, to convert it to another scale.
    pub(crate) fn scale_score(&mut self, factor: f32) {
        self.score = (f32::from(self.score) * factor).round() as i16;
    }

    /// The same position and result with another score, in internal units for the side to move.
    pub(crate) fn with_score(self, score: i16) -> Self {
        Self { score, ..self }
    }

    /// The score, in internal units for the side to move.
    #[inline(always)]
    pub(crate) fn score(&self) -> i16 {
        self.score
    }

    /// The points that the side to move got: 0, 0.5 or 1.
    #[inline(always)]
    pub(crate) fn points(&self) -> f32 {
        f32::from(self.result) / 2.0
    }

    /// The number of pieces on the board.
    #[inline(always)]
    pub(crate) fn piece_count(&self) -> usize {
        Bitboard(self.occupied).len()
    }

    /// The active features, the same as those of [`Perspective`]; with one input bucket, those of its first.
    #[inline(always)]
    pub(crate) fn active_features(&self, input_buckets: usize) -> ActiveFeatures {
        const OF_SIDE: u16 = SIDE_FEATURES as u16;
        const OF_KIND: u16 = Square::COUNT as u16;
        let perspective = |king: u8, flip: usize| {
            let king = Square::from_index(usize::from(king)).unwrap_or(Square::A1);
            let perspective = Perspective::new(Color::White, king);
            let first = if input_buckets == 1 { 0 } else { FEATURES * perspective.bucket() };
            (first as u16, (flip ^ if perspective.mirrored() { FLIP_FILE } else { 0 }) as u16)
        };
        let (our_first, our_flip) = perspective(self.our_king, 0);
        let (their_first, their_flip) = perspective(self.their_king, FLIP_RANK);
        let mut features = ActiveFeatures { lists: [[0; 32]; 2], len: self.piece_count().min(32) };
        for (i, (square, piece)) in self.pieces().take(32).enumerate() {
            let (theirs, kind) = (u16::from(piece / THEIRS), u16::from(piece % THEIRS));
            let square = square as u16;
            features.lists[0][i] = our_first + OF_SIDE * theirs + OF_KIND * kind + (square ^ our_flip);
            features.lists[1][i] = their_first + OF_SIDE * (1 - theirs) + OF_KIND * kind + (square ^ their_flip);
        }
        features
    }

    /// The position, with White to move and without castling rights. None if it is not a legal one, which never happens
    /// to a record that was made from a position.
    pub(crate) fn position(&self) -> Option<Position> {
        let mut setup = Setup::empty();
        for (square, piece) in self.pieces() {
            let color = if piece < THEIRS { Color::White } else { Color::Black };
            let kind = PieceType::from_index(usize::from(piece % THEIRS));
            setup.pieces[square.index()] = kind.map(|kind| Piece::new(kind, color));
        }
        setup.position().ok()
    }
}
