//! The input features of the network: each piece on its square, from each side's perspective.

#[cfg(doc)]
use super::architecture::INPUTS;
use super::architecture::{FEATURES, king_bucket};
use crate::types::{Color, File, Piece, PieceType, Square};

/// The perspective of one side: the board seen from its own back rank, horizontally mirrored when its king is on files
/// e to h, so that the king is always seen on files a to d. A position and its mirror image have the same features.
/// The king's square selects a king bucket, a set of weights.
// CITE: perspectives after Stockfish's NNUE; horizontal mirroring as in bullet's mirrored `Chess768` inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    color: Color,
    mirrored: bool,
    bucket: u8,
}

/// Features of the pieces of one side.
pub const SIDE_FEATURES: usize = PieceType::COUNT * Square::COUNT;
/// Flips the rank of a square's index, as Black sees the board.
pub const FLIP_RANK: usize = 0b111_000;
/// Flips the file of a square's index.
pub const FLIP_FILE: usize = 0b000_111;

impl Perspective {
    /// The perspective of `color`, whose king is on `king`.
    #[inline(always)]
    pub fn new(color: Color, king: Square) -> Self {
        let mirrored = king.file() >= File::E;
        let file = king.file().index() ^ (FLIP_FILE * usize::from(mirrored));
        Self { color, mirrored, bucket: KING_BUCKETS[king.relative_to(color).rank().index()][file] }
    }

    /// The side whose perspective it is.
    #[inline(always)]
    pub fn color(self) -> Color {
        self.color
    }

    /// Returns true if the files are mirrored.
    #[inline(always)]
    pub fn mirrored(self) -> bool {
        self.mirrored
    }

    /// The king bucket.
    #[inline(always)]
    pub fn bucket(self) -> usize {
        usize::from(self.bucket)
    }

    /// The index of the feature that is active when `piece` is on `square`, below [`INPUTS`]: by king bucket, own
    /// pieces first, then by piece type, then by square.
    // CITE: bullet's `Chess768` order.
    #[inline(always)]
    pub fn feature(self, piece: Piece, square: Square) -> usize {
        let theirs = usize::from(piece.color() != self.color);
        let flips = (FLIP_RANK * self.color.index()) ^ (FLIP_FILE * usize::from(self.mirrored));
        FEATURES * self.bucket()
            + SIDE_FEATURES * theirs
            + Square::COUNT * piece.piece_type().index()
            + (square.index() ^ flips)
    }
}

/// [rank][file]
const KING_BUCKETS: [[u8; 4]; 8] = {
    let mut buckets = [[0; 4]; 8];
    let mut i = 0;
    while i < 32 {
        buckets[i / 4][i % 4] = king_bucket(i / 4, i % 4) as u8;
        i += 1;
    }
    buckets
};

const _: () = assert!(FEATURES == 2 * SIDE_FEATURES);

#[cfg(test)]
mod tests {
    use super::{super::architecture::INPUTS, *};

    #[test]
    fn every_piece_and_square_has_its_own_feature() {
        for color in Color::ALL {
            for king in [Square::C1, Square::G8] {
                let perspective = Perspective::new(color, king);
                let mut seen = [false; INPUTS];
                for piece in Piece::ALL {
                    for square in Square::ALL {
                        assert!(!std::mem::replace(&mut seen[perspective.feature(piece, square)], true));
                    }
                }
            }
        }
    }

    #[test]
    fn mirror_images_have_the_same_features() {
        let (left, right) = (Perspective::new(Color::White, Square::B1), Perspective::new(Color::White, Square::G1));
        let black = Perspective::new(Color::Black, Square::G8);
        assert_eq!(left.feature(Piece::WhiteKnight, Square::C3), right.feature(Piece::WhiteKnight, Square::F3));
        assert_eq!(right.feature(Piece::WhiteKnight, Square::F3), black.feature(Piece::BlackKnight, Square::F6));
        let bucket = FEATURES * left.bucket();
        assert_eq!(left.feature(Piece::WhitePawn, Square::A2), bucket + 8);
        assert_eq!(left.feature(Piece::BlackKing, Square::H8), bucket + 384 + 5 * 64 + 63);
    }
}
