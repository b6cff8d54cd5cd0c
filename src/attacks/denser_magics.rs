//! The search for denser magic numbers, whose index has one bit less than the square has relevant squares.
//!
//! Among random candidates there is hardly one: on a1, a bishop's first comes after millions. So bad candidates are
//! made better instead of thrown away, by simulated annealing (Kirkpatrick, Gelatt and Vecchi, 1983): the energy is the
//! number of blocker sets that find their slot taken by another attack set, a step adds or takes away a few powers of
//! two, and steps uphill are forgiven less and less. That takes a hundredth of the candidates.

use super::{Found, Slider};
use crate::{
    types::{Bitboard, Square},
    util::Rng,
};

/// Steps from a fresh candidate to a frozen one.
const STEPS: usize = 3000;

/// Looks for a magic number for `slider` on `square` whose index has one bit less than there are relevant squares,
/// trying no more than `attempts` candidates. The result is decided by `seed` alone.
///
/// ```
/// # use sleight::{attacks::{Slider, find_denser_magic}, types::Square};
/// // 32 slots for the 64 sets of blockers, which leave 19 different attack sets.
/// assert!(find_denser_magic(0, Square::A1, Slider::Bishop, 1_000_000).is_some());
/// ```
pub fn find(seed: u64, square: Square, slider: Slider, attempts: u64) -> Option<Found> {
    let mut trial = Trial::new(square, slider);
    let mut rng = Rng::new(seed);
    let mut tried = 0;
    while tried < attempts {
        let mut magic = sparse(&mut rng).wrapping_sub(sparse(&mut rng));
        let mut energy = trial.collisions(magic, usize::MAX);
        for step in 0..STEPS {
            tried += 1;
            if energy == 0 {
                return Some(Found { magic, attempts: tried });
            }
            // How far uphill a step may lead: at first a twentieth of the energy and a little more, at last not at all.
            let heat = 3 * (energy + 20) * (STEPS - step);
            let limit = energy + rng.below(heat) / (40 * STEPS);
            let candidate = neighbor(magic, &mut rng);
            let collisions = trial.collisions(candidate, limit);
            if collisions <= limit {
                (magic, energy) = (candidate, collisions);
            }
        }
    }
    None
}

/// A number of about eight set bits. The difference of two multiplies as well, by runs of bits too.
fn sparse(rng: &mut Rng) -> u64 {
    rng.next_u64() & rng.next_u64() & rng.next_u64()
}

/// The number with one to three powers of two added, taken away or flipped.
fn neighbor(mut magic: u64, rng: &mut Rng) -> u64 {
    for _ in 0..=rng.below(3) {
        let power = 1 << rng.below(64);
        magic = match rng.below(3) {
            0 => magic.wrapping_add(power),
            1 => magic.wrapping_sub(power),
            _ => magic ^ power,
        };
    }
    magic
}

/// What candidates of one square are tried on.
struct Trial {
    cases: Vec<(u64, Bitboard)>,
    /// Each slot remembers which trial filled it, so that none has to be wiped.
    slots: Vec<(u64, Bitboard)>,
    trials: u64,
    shift: u32,
}

impl Trial {
    fn new(square: Square, slider: Slider) -> Self {
        let mask = slider.relevant(square);
        let bits = mask.len() as u32 - 1;
        let cases = mask.subsets().map(|set| (set.0, slider.attacks(square, set))).collect();
        Self { cases, slots: vec![(0, Bitboard::EMPTY); 1 << bits], trials: 0, shift: 64 - bits }
    }

    /// The sets of blockers whose slot is taken by another attack set; counts until there are more than `limit`.
    fn collisions(&mut self, magic: u64, limit: usize) -> usize {
        self.trials += 1;
        let mut collisions = 0;
        for &(set, attacks) in &self.cases {
            let slot = &mut self.slots[(set.wrapping_mul(magic) >> self.shift) as usize];
            if slot.0 != self.trials {
                *slot = (self.trials, attacks);
            } else if slot.1 != attacks {
                collisions += 1;
                if collisions > limit {
                    break;
                }
            }
        }
        collisions
    }
}
