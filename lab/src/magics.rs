//! The search for magic numbers: sparse random candidates, tried until one works.
//!
//! Three random words ANDed together make candidates of about eight set bits, which spread best; a cheap test of the
//! top byte rejects most of the hopeless ones; the rest are tried on every set of blockers. The search is seeded, so
//! that the embedded numbers can be found again.
// CITE: Tord Romstad; chessprogramming.org/Looking_for_Magics.

use sleight::{
    attacks::{MagicNumbers, Slider},
    types::{Bitboard, Square},
    util::Rng,
};

/// The most candidates drawn for one square.
const MAX_ATTEMPTS: u64 = 100_000_000;

/// Set bits that the top byte of mask times candidate must have, or the candidate is not tried.
///
/// The article on magic bitboards (part 6 of a series on an engine in C#) calls the search much slower without this.
/// Here hopeless candidates fail so early that it breaks even: it saves two tries in five for five times the draws.
const MIN_TOP_BITS: u32 = 6;

/// A magic number of one square, and the effort of its search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    /// The number.
    pub(crate) magic: u64,
    /// The number of candidates drawn, this one included.
    pub(crate) attempts: u64,
}

/// No magic number turned up in [`MAX_ATTEMPTS`] candidates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no {bits}-bit magic for a {slider:?} on {square} in {MAX_ATTEMPTS} attempts")]
pub(crate) struct NotFound {
    slider: Slider,
    square: Square,
    /// The number of index bits.
    bits: u32,
}

/// Looks for a magic number for `slider` on `square` with an index of as many bits as the square has relevant squares.
///
/// Two sets of blockers may share an index only when they leave the same attack set. The sequence of candidates, and
/// so the result, is decided by `seed` alone.
///
/// # Errors
/// When no candidate works.
fn find(seed: u64, square: Square, slider: Slider) -> Result<Found, NotFound> {
    let mask = slider.relevant(square);
    let bits = mask.len() as u32;
    let cases: Vec<(u64, Bitboard)> = mask.subsets().map(|set| (set.0, slider.attacks(square, set))).collect();
    // Each slot stores the attempt that filled it, so that the slots need not be cleared between attempts.
    let mut slots = vec![(0, Bitboard::EMPTY); 1 << bits];
    let shift = 64 - bits;
    let mut rng = Rng::new(seed);
    for attempts in 1..=MAX_ATTEMPTS {
        let magic = rng.next_u64() & rng.next_u64() & rng.next_u64();
        if (mask.0.wrapping_mul(magic) >> 56).count_ones() < MIN_TOP_BITS {
            continue;
        }
        let fits = cases.iter().all(|&(set, attacks)| {
            let slot = &mut slots[(set.wrapping_mul(magic) >> shift) as usize];
            if slot.0 != attempts {
                *slot = (attempts, attacks);
            }
            slot.1 == attacks
        });
        if fits {
            return Ok(Found { magic, attempts });
        }
    }
    Err(NotFound { slider, square, bits })
}

/// The seed for one square, different for each.
fn square_seed(seed: u64, slider: Slider, square: Square) -> u64 {
    let number = 64 * slider as u64 + square.index() as u64;
    Rng::new(seed ^ number << 32).next_u64()
}

/// Finds all 128 numbers. `progress` is called for each.
///
/// # Errors
/// As [`find`].
pub(crate) fn find_all(seed: u64, mut progress: impl FnMut(Slider, Square, Found)) -> Result<MagicNumbers, NotFound> {
    let mut numbers = MagicNumbers { seed, rook: [0; 64], bishop: [0; 64] };
    for slider in Slider::ALL {
        for square in Square::ALL {
            let found = find(square_seed(seed, slider, square), square, slider)?;
            progress(slider, square, found);
            match slider {
                Slider::Rook => numbers.rook[square.index()] = found.magic,
                Slider::Bishop => numbers.bishop[square.index()] = found.magic,
            }
        }
    }
    Ok(numbers)
}

/// The text of the engine's `src/attacks/magic_numbers.rs`, with these numbers.
pub(crate) fn source_text(numbers: &MagicNumbers) -> String {
    let mut text = format!(
        "//! Magic numbers as `sleight-lab magics --find` finds them from the seed below.\n\n\
         pub(super) const SEED: u64 = {};\n",
        numbers.seed
    );
    for (name, numbers) in [("ROOK", &numbers.rook), ("BISHOP", &numbers.bishop)] {
        text += &format!("\n#[rustfmt::skip]\npub(super) const {name}: [u64; 64] = [\n");
        for row in numbers.chunks(4) {
            let row: Vec<String> = row.iter().map(|number| format!("{number:#018x},")).collect();
            text += &format!("    {}\n", row.join(" "));
        }
        text += "];\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_finds_the_embedded_numbers_again() {
        let mut told = 0;
        let embedded = MagicNumbers::EMBEDDED;
        assert_eq!(find_all(embedded.seed, |_, _, _| told += 1).unwrap(), embedded);
        assert_eq!(told, 128);
    }

    #[test]
    fn the_listing_is_the_embedded_source() {
        assert_eq!(source_text(&MagicNumbers::EMBEDDED), include_str!("../../src/attacks/magic_numbers.rs"));
    }
}
