//! What the source documents state about sliders, each statement a test that names its document.

use std::collections::HashSet;

use super::{Slider, soft_pext};
use crate::types::{Bitboard, Square};

fn distinct_attack_sets(slider: Slider, square: Square) -> (usize, usize) {
    let subsets: Vec<Bitboard> = slider.relevant(square).subsets().collect();
    let distinct: HashSet<Bitboard> = subsets.iter().map(|&set| slider.attacks(square, set)).collect();
    (distinct.len(), subsets.len())
}

/// The article on magic bitboards (part 6 of a series on an engine in C#), "What counts as relevant" and "The hashing
/// problem". Its "corner bishops 6, central ones 9" are right but not the range: the least is 5, on b1 and its like.
mod magic_article {
    use super::*;

    #[test]
    fn relevant_squares_are_counted_right() {
        let count = |slider: Slider, square| slider.relevant(square).len();
        for corner in [Square::A1, Square::H1, Square::A8, Square::H8] {
            assert_eq!((count(Slider::Rook, corner), count(Slider::Bishop, corner)), (12, 6));
        }
        for central in [Square::D4, Square::E4, Square::D5, Square::E5] {
            assert_eq!((count(Slider::Rook, central), count(Slider::Bishop, central)), (10, 9));
        }
        let least = |slider| Square::ALL.map(|square| count(slider, square)).into_iter().min();
        assert_eq!((least(Slider::Rook), least(Slider::Bishop)), (Some(10), Some(5)));
    }

    #[test]
    fn distinct_attack_sets_are_counted_right() {
        assert_eq!(distinct_attack_sets(Slider::Rook, Square::A1), (49, 4096));
        assert_eq!(distinct_attack_sets(Slider::Rook, Square::H8), (49, 4096));
        assert_eq!(distinct_attack_sets(Slider::Bishop, Square::D4), (108, 512));
    }

    /// "~840 KiB": 841, of which the rook takes 800.
    #[test]
    fn tables_take_841_kib() {
        let entries = |slider: Slider| Square::ALL.map(|square| 1usize << slider.relevant(square).len()).iter().sum();
        let (rook, bishop): (usize, usize) = (entries(Slider::Rook), entries(Slider::Bishop));
        assert_eq!((rook, bishop), (102_400, 5_248));
        assert_eq!((rook + bishop) * size_of::<Bitboard>() / 1024, 841);
    }
}

/// Lorentz Vedeler, "PEXT Tables" (2025).
mod pext_article {
    use super::*;

    /// "pext(abcdefgh, 0b11001010) = 0000abeg", for every value of the eight letters.
    #[test]
    fn the_lettered_example_holds() {
        for value in 0..256u64 {
            let bit = |letter: u8| value >> (b'h' - letter) & 1;
            let abeg = bit(b'a') << 3 | bit(b'b') << 2 | bit(b'e') << 1 | bit(b'g');
            assert_eq!(soft_pext(value, 0b1100_1010), abeg);
        }
    }

    /// A rook on a1 has the move mask 0x1010101010101fe: 14 bits, so 16,384 ways to be blocked, 4,096 without edges.
    #[test]
    fn the_rook_on_a1_is_counted_right() {
        let rays = Slider::Rook.attacks(Square::A1, Bitboard::EMPTY);
        assert_eq!((rays, rays.len()), (Bitboard(0x0101_0101_0101_01fe), 14));
        assert_eq!(rays.subsets().count(), 16_384);
        assert_eq!(Slider::Rook.relevant(Square::A1).subsets().count(), 4_096);
    }

    /// Counting with PDEP is the inverse of PEXT: the n-th subset of a mask packs to n.
    #[test]
    fn subsets_come_in_the_order_of_pdep() {
        let mask = Slider::Bishop.relevant(Square::D4);
        assert!(mask.subsets().enumerate().all(|(n, subset)| soft_pext(subset.0, mask.0) == n as u64));
    }
}
