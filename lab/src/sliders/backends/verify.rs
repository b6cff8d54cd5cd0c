//! The exhaustive check of a backend against the classical scan.

use sleight::{
    attacks::{Rays, Slider},
    types::{Bitboard, PieceType, Square},
    util::Rng,
};

use super::{Sliders, WithSliders};

/// Checks a backend on every set of blockers on the rays of every square, board edges included: 1,048,576 for the rook
/// and 71,168 for the bishop. Each is looked up twice, the second time with random occupied squares off the rays, the
/// slider's own among them. Some backends look a queen up in one step, so it is checked with the same squares.
#[derive(Clone, Copy, Debug)]
pub struct Verify;

impl Verify {
    /// The number of cases.
    pub const CASES: usize = 1_119_744;
}

/// A case that a backend computes wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{slider:?} on {square}, wrong by these squares:\n{}with these occupied:\n{occupied}",
    *.expected ^ *.found
)]
pub struct Mismatch {
    /// The kind of slider.
    pub slider: PieceType,
    /// The slider's square.
    pub square: Square,
    /// The occupied squares.
    pub occupied: Bitboard,
    /// The attack set by the classical scan.
    pub expected: Bitboard,
    /// The attack set by the backend.
    pub found: Bitboard,
}

impl WithSliders for Verify {
    type Out = Result<usize, Mismatch>;

    /// Returns the number of cases.
    fn run<S: Sliders>(self, sliders: S) -> Self::Out {
        let mut rng = Rng::new(0x5eed);
        let mut cases = 0;
        for slider in Slider::ALL {
            for square in Square::ALL {
                let rays = slider.attacks(square, Bitboard::EMPTY);
                for blockers in rays.subsets() {
                    let expected = slider.attacks(square, blockers);
                    let noise = Bitboard(rng.next_u64()).without(rays);
                    for occupied in [blockers, blockers | noise] {
                        let queen = Rays.queen(square, occupied);
                        for (slider, expected) in [(slider.piece_type(), expected), (PieceType::Queen, queen)] {
                            let found = sliders.of_type(slider, square, occupied);
                            if found != expected {
                                return Err(Mismatch { slider, square, occupied, expected, found });
                            }
                        }
                    }
                    cases += 1;
                }
            }
        }
        Ok(cases)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wrong in one case only: a rook on h8 that does not see a8 past an otherwise empty rank.
    #[derive(Clone, Copy)]
    struct Flawed;

    impl Sliders for Flawed {
        const NAME: &'static str = "flawed";
        const TABLE_BYTES: usize = 0;

        fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
            let attacks = Rays.rook(square, occupied);
            let flawed = square == Square::H8 && attacks.contains(Square::A8) && attacks.contains(Square::H1);
            if flawed { attacks.without(Square::A8.into()) } else { attacks }
        }

        fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
            Rays.bishop(square, occupied)
        }
    }

    #[test]
    fn a_single_flaw_is_found_and_drawn() {
        let mismatch = Verify.run(Flawed).unwrap_err();
        assert_eq!((mismatch.slider, mismatch.square), (PieceType::Rook, Square::H8));
        assert_eq!(mismatch.expected ^ mismatch.found, Square::A8.bitboard());
        assert!(mismatch.to_string().contains("X . . . . . . .\n"), "{mismatch}");
    }
}
