//! What the network sees: each man, from each side's point of view.

use super::FEATURES;
use crate::types::{Color, File, Piece, Square};

/// How one side looks at the board: from its own back rank, and through a mirror when its king stands on the right,
/// so that the king is always seen on files a to d. A position and its mirror image look the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    color: Color,
    mirrored: bool,
}

impl View {
    /// The view of `color`, whose king stands on `king`.
    #[inline(always)]
    pub fn new(color: Color, king: Square) -> Self {
        Self { color, mirrored: is_mirrored(king) }
    }

    /// Whose view it is.
    #[inline(always)]
    pub fn color(self) -> Color {
        self.color
    }

    /// Whether left and right change places.
    #[inline(always)]
    pub fn mirrored(self) -> bool {
        self.mirrored
    }

    /// The input that is on when `piece` stands on `square`: own men first, then by type, then by square, as
    /// bullet's mirrored `Chess768` has them.
    #[inline(always)]
    pub fn feature(self, piece: Piece, square: Square) -> usize {
        let theirs = usize::from(piece.color() != self.color);
        let flips = (56 * self.color.index()) ^ (7 * usize::from(self.mirrored));
        384 * theirs + 64 * piece.kind().index() + (square.index() ^ flips)
    }
}

/// Whether a king on that square is seen through the mirror.
#[inline(always)]
pub(super) fn is_mirrored(king: Square) -> bool {
    king.file() >= File::E
}

const _: () = assert!(FEATURES == 2 * 6 * Square::COUNT);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_man_has_its_own_feature() {
        for color in Color::ALL {
            for king in [Square::C1, Square::G8] {
                let view = View::new(color, king);
                let mut seen = [false; FEATURES];
                for piece in Piece::ALL {
                    for square in Square::ALL {
                        assert!(!std::mem::replace(&mut seen[view.feature(piece, square)], true));
                    }
                }
            }
        }
    }

    #[test]
    fn mirror_images_look_the_same() {
        let (left, right) = (View::new(Color::White, Square::B1), View::new(Color::White, Square::G1));
        let black = View::new(Color::Black, Square::G8);
        assert_eq!(left.feature(Piece::WhiteKnight, Square::C3), right.feature(Piece::WhiteKnight, Square::F3));
        assert_eq!(right.feature(Piece::WhiteKnight, Square::F3), black.feature(Piece::BlackKnight, Square::F6));
        assert_eq!(left.feature(Piece::WhitePawn, Square::A2), 8);
        assert_eq!(left.feature(Piece::BlackKing, Square::H8), 384 + 5 * 64 + 63);
    }
}
