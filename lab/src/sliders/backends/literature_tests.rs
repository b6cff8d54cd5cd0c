//! What the source documents state about sliders, each statement a test that names its document.

use std::collections::HashSet;

use sleight::{
    attacks::Slider,
    types::{Bitboard, Square},
};

use super::soft_pext;

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

    /// "pdep(0000abcd, 0b10101010) = a0b0c0d0", by its inverse, whatever stands between.
    #[test]
    fn the_other_lettered_example_holds() {
        for value in 0..256u64 {
            let bit = |letter: u8| value >> (b'h' - letter) & 1;
            let abcd = bit(b'a') << 3 | bit(b'c') << 2 | bit(b'e') << 1 | bit(b'g');
            assert_eq!(soft_pext(value, 0b1010_1010), abcd);
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

/// Trevor Fenner and Mark Levene, "Move Generation with Perfect Hash Functions" (2008).
mod hashing_paper {
    use super::{
        super::{h1, h1_minimal, h2, h2_minimal},
        *,
    };

    /// Each of the 2^n sets of n squares k bits apart, the lowest on bit 0.
    fn sets(k: u32, n: u32) -> impl Iterator<Item = u64> {
        (0..1u64 << n).map(move |digits| (0..n).filter(|i| digits >> i & 1 == 1).map(|i| 1 << (i * k)).sum())
    }

    /// The addresses below `modulus` that no set has; panics when two sets share one.
    fn unused(sets: impl Iterator<Item = u64>, hash: impl Fn(u64) -> usize, modulus: usize) -> Vec<usize> {
        let mut used = vec![false; modulus];
        for set in sets {
            assert!(!std::mem::replace(&mut used[hash(set)], true), "{set:#x} is not alone at its address");
        }
        (0..modulus).filter(|&address| !used[address]).collect()
    }

    /// Sections 3.1 to 3.3: "a single gap of length 2 at the values 86 and 87", "from 86 to 343", "a single unused
    /// address at 172".
    #[test]
    fn gaps_lie_where_the_paper_has_them() {
        assert_eq!(unused(sets(8, 8), h1::<8>, 258), [86, 87]);
        assert_eq!(unused(sets(9, 8), h1::<9>, 514), (86..=343).collect::<Vec<_>>());
        assert_eq!(unused(sets(7, 8), h2::<7>, 257), [172]);
    }

    /// Section 2.3: the minimal functions are onto 0..2^N.
    #[test]
    fn minimal_functions_leave_no_gap() {
        assert!(unused(sets(8, 8), h1_minimal::<8, 8>, 256).is_empty());
        assert!(unused(sets(9, 8), h1_minimal::<9, 8>, 256).is_empty());
        assert!(unused(sets(7, 8), h2_minimal::<7, 8>, 256).is_empty());
        assert!(unused(sets(7, 7), h2_minimal::<7, 7>, 128).is_empty());
    }

    /// Sections 2.1 and 2.2: one-to-one for all N up to K and to K + 1, on other boards too.
    #[test]
    fn both_functions_are_one_to_one_wherever_they_should_be() {
        for n in 1..=7 {
            unused(sets(7, n), h1::<7>, 130);
            unused(sets(9, n), h2::<9>, 1025);
            unused(sets(10, n), h1::<10>, 1026);
        }
        unused(sets(9, 8), h2::<9>, 1025);
        unused(sets(6, 7), h2::<6>, 129);
    }

    /// The end of section 2: h2 may be taken without moving the line to bit 0, h1 when N is at most K - 1.
    #[test]
    fn unmoved_lines_hash_as_well() {
        for bit in 0..8 {
            unused(sets(7, 8).map(|set| set << bit), h2::<7>, 257);
            unused(sets(8, 7).map(|set| set << bit), h1::<8>, 258);
            unused(sets(9, 7).map(|set| set << bit), h1::<9>, 514);
        }
        // The condition is needed: a whole file that starts on b1 has two sets at one address.
        let second_file: HashSet<usize> = sets(8, 8).map(|set| h1::<8>(set << 1)).collect();
        assert!(second_file.len() < 256);
    }
}
