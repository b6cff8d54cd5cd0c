//! PEXT tables: the relevant occupancy, packed into low bits, is the table index.
//!
//! The method follows Lorentz Vedeler ("PEXT Tables", 2025): the subsets of the relevant squares are enumerated in the
//! order of PDEP, so that PEXT, its inverse, gives the index of a subset. [`Pext`] uses the processor's instruction,
//! [`SoftPext`] reads the same table on any machine.
// CITE: Lorentz Vedeler (2025).
#![expect(unsafe_code, reason = "the instruction itself, and an index that nothing but its definition bounds")]

use super::{
    Slider, Sliders,
    slider::{FLAT_TABLE, SPAN, by_square, start},
};
#[cfg(target_arch = "x86_64")]
use super::{kogge_stone::KoggeStone, slider};
use crate::types::{Bitboard, Square};

/// The data of a lookup for one slider on one square.
struct PextEntry {
    mask: u64,
    attacks: &'static [Bitboard; SPAN],
}

/// The entries of one square by slider, side by side, as a queen needs both.
#[repr(align(32))]
struct SquareEntries([PextEntry; 2]);

const ROOK: usize = Slider::Rook as usize;
const BISHOP: usize = Slider::Bishop as usize;

static ENTRIES: [SquareEntries; 64] = by_square!(SquareEntries::new);

impl SquareEntries {
    const fn new(square: Square) -> Self {
        let mut entries = [const { PextEntry::new(Slider::Rook, Square::A1) }; 2];
        entries[ROOK] = PextEntry::new(Slider::Rook, square);
        entries[BISHOP] = PextEntry::new(Slider::Bishop, square);
        Self(entries)
    }
}

impl PextEntry {
    const fn new(slider: Slider, square: Square) -> Self {
        let mask = slider.relevant(square);
        assert!(1 << mask.len() <= SPAN);
        Self { mask: mask.0, attacks: FLAT_TABLE.part(start(slider, square)) }
    }
}

/// PEXT in software: gathers the bits of `value` under `mask` into the lowest bits, keeping their order.
///
/// ```
/// # use sleight::attacks::soft_pext;
/// // The bits under the mask, from the top: 1, 0, 1, 1.
/// assert_eq!(soft_pext(0b1011_0110, 0b1100_1010), 0b1001);
/// ```
#[inline]
pub const fn soft_pext(value: u64, mask: u64) -> u64 {
    let mut rest = value & mask;
    let mut packed = 0;
    // One round per set bit of the value, of which a board has fewer than squares under the mask.
    while rest != 0 {
        let below = (rest & rest.wrapping_neg()) - 1;
        packed |= 1 << (mask & below).count_ones();
        rest &= rest - 1;
    }
    packed
}

/// PEXT tables through the processor's own instruction.
///
/// Only [`Pext::detect`] and [`Pext::variants`] make one, so holding one proves that the instruction exists. Attacks of
/// several sliders are computed by a Kogge-Stone fill where the processor has AVX-512 or AVX2: that is faster than to
/// look up each of them.
#[derive(Clone, Copy, Debug)]
pub struct Pext {
    #[cfg(target_arch = "x86_64")]
    kogge_stone: Option<KoggeStone>,
}

impl Pext {
    /// The backend, if this processor has BMI2. Decided at compile time where the build already demands BMI2.
    pub fn detect() -> Option<Self> {
        if !has_bmi2() {
            return None;
        }
        Some(Self {
            #[cfg(target_arch = "x86_64")]
            kogge_stone: KoggeStone::chosen(),
        })
    }

    /// The backend without a fill and with each fill that this processor has, for comparisons; all alike if the build
    /// decides which one is used.
    pub fn variants() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        let variants =
            std::iter::once(None).chain(KoggeStone::available().map(Some)).map(|kogge_stone| Self { kogge_stone });
        #[cfg(not(target_arch = "x86_64"))]
        let variants = std::iter::once(Self {});
        variants.filter(|_| has_bmi2())
    }

    /// True if this processor runs the instruction in microcode, so slowly that magics win: AMD before Zen 3.
    pub fn is_microcoded(self) -> bool {
        processor().is_some_and(|(vendor, signature)| microcoded(vendor, signature))
    }

    /// The name of the Kogge-Stone fill that computes the attacks of several sliders, `avx2` or `avx512`, if there is
    /// one.
    pub fn fill(self) -> Option<&'static str> {
        #[cfg(target_arch = "x86_64")]
        return self.kogge_stone().map(KoggeStone::name);
        #[cfg(not(target_arch = "x86_64"))]
        return None;
    }

    /// Known at compile time where the build demands the instructions.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn kogge_stone(self) -> Option<KoggeStone> {
        KoggeStone::AT_COMPILE_TIME.or(self.kogge_stone)
    }

    #[inline(always)]
    fn lookup<const SLIDER: usize>(self, square: Square, occupied: Bitboard) -> Bitboard {
        let index = self.packed::<SLIDER>(square, occupied);
        // SAFETY: PEXT under a mask of n bits is below 2^n, and `PextEntry::new` has asserted that 2^n is at most
        // `SPAN`.
        unsafe { std::hint::assert_unchecked(index < SPAN) };
        ENTRIES[square.index()].0[SLIDER].attacks[index]
    }

    /// The occupied squares under the slider's mask, packed.
    ///
    /// This is inline assembly because the intrinsic is a function that cannot be inlined into a caller compiled
    /// without BMI2. Its memory operand is the mask, which saves an instruction, worth 5 % of a lookup.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn packed<const SLIDER: usize>(self, square: Square, occupied: Bitboard) -> usize {
        let packed;
        // SAFETY: `self` proves that the processor has BMI2. The instruction reads the mask of an entry of `ENTRIES`,
        // as the pair's index is below 64 and the slider's is checked below, and writes a register.
        unsafe {
            std::arch::asm!(
                "pext {packed}, {occupied}, [{entries} + {pair} + {mask}]",
                packed = lateout(reg) packed,
                occupied = in(reg) occupied.0,
                entries = in(reg) &raw const ENTRIES,
                pair = in(reg) square.index() * size_of::<SquareEntries>(),
                mask = const {
                    assert!(SLIDER < 2);
                    SLIDER * size_of::<PextEntry>() + std::mem::offset_of!(PextEntry, mask)
                },
                options(pure, readonly, nostack, preserves_flags)
            );
        }
        packed
    }

    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    fn packed<const SLIDER: usize>(self, square: Square, occupied: Bitboard) -> usize {
        soft_pext(occupied.0, ENTRIES[square.index()].0[SLIDER].mask) as usize
    }
}

impl Sliders for Pext {
    const NAME: &'static str = "pext";
    const TABLE_BYTES: usize = SoftPext::TABLE_BYTES;
    const NEEDS: &'static str = "BMI2";

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.lookup::<ROOK>(square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.lookup::<BISHOP>(square, occupied)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn attacked(self, orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> Bitboard {
        match self.kogge_stone() {
            Some(kogge_stone) if kogge_stone.is_faster_for(orthogonal, diagonal) => {
                kogge_stone.attacked(orthogonal, diagonal, occupied)
            }
            _ => slider::attacked_by_each(self, orthogonal, diagonal, occupied),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn count(self, orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard, targets: Bitboard) -> usize {
        match self.kogge_stone() {
            Some(kogge_stone) if kogge_stone.is_faster_for(orthogonal, diagonal) => {
                kogge_stone.count(orthogonal, diagonal, occupied, targets)
            }
            _ => slider::count_of_each(self, orthogonal, diagonal, occupied, targets),
        }
    }
}

/// PEXT tables through [`soft_pext`], for any machine.
///
/// Of the bishop's nine relevant squares, b2, e3, c5 and g7 are the first, fourth, fifth and ninth.
///
/// ```
/// # use sleight::{attacks::{Slider, Sliders, SoftPext, soft_pext}, types::{Bitboard, Square}};
/// let occupied = Bitboard::from_diagram(
///     ". . . . . . . .
///      . . . . . . X .
///      . . . . . . . .
///      . . X . . . . .
///      . . . . . . . .
///      . . . . X . . .
///      . X . . . . . .
///      . . . . . . . .",
/// );
/// let attacked = Bitboard::from_diagram(
///     ". . . . . . . .
///      . . . . . . X .
///      . . . . . X . .
///      . . X . X . . .
///      . . . . . . . .
///      . . X . X . . .
///      . X . . . . . .
///      . . . . . . . .",
/// );
/// assert_eq!(soft_pext(occupied.0, Slider::Bishop.relevant(Square::D4).0), 0b1_0001_1001);
/// assert_eq!(SoftPext.bishop(Square::D4, occupied), attacked);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SoftPext;

impl SoftPext {
    #[inline(always)]
    fn lookup<const SLIDER: usize>(square: Square, occupied: Bitboard) -> Bitboard {
        let entry = &ENTRIES[square.index()].0[SLIDER];
        entry.attacks[soft_pext(occupied.0, entry.mask) as usize]
    }
}

impl Sliders for SoftPext {
    const NAME: &'static str = "soft-pext";
    const TABLE_BYTES: usize = size_of_val(&FLAT_TABLE) + size_of_val(&ENTRIES);

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        Self::lookup::<ROOK>(square, occupied)
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        Self::lookup::<BISHOP>(square, occupied)
    }
}

/// True if the processor has BMI2.
fn has_bmi2() -> bool {
    #[cfg(target_arch = "x86_64")]
    return cfg!(target_feature = "bmi2") || std::arch::is_x86_feature_detected!("bmi2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// The processor's vendor and signature, as CPUID gives them in leaves 0 and 1.
fn processor() -> Option<([u8; 12], u32)> {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::__cpuid;
        let leaf = __cpuid(0);
        let mut vendor = [0; 12];
        for (bytes, register) in vendor.chunks_exact_mut(4).zip([leaf.ebx, leaf.edx, leaf.ecx]) {
            bytes.copy_from_slice(&register.to_le_bytes());
        }
        Some((vendor, __cpuid(1).eax))
    }
    #[cfg(not(target_arch = "x86_64"))]
    None
}

/// True if a processor with BMI2 runs PEXT in microcode: Excavator (family 15h), Zen and Zen 2 (17h), and the Zen
/// that Hygon builds (18h). Zen 3 (19h) and all of Intel have it in hardware.
fn microcoded(vendor: [u8; 12], signature: u32) -> bool {
    let base = signature >> 8 & 0xf;
    let family = if base == 0xf { base + (signature >> 20 & 0xff) } else { base };
    match &vendor {
        b"AuthenticAMD" => family <= 0x17,
        b"HygonGenuine" => family <= 0x18,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::Rng;

    /// As the manuals define the instruction: bit by bit under the mask, from the lowest.
    fn defined(value: u64, mask: u64) -> usize {
        let bits = Bitboard(mask).into_iter().enumerate();
        bits.map(|(to, from)| ((value >> from.index() & 1) as usize) << to).sum()
    }

    /// The instruction too, where the processor has it.
    #[test]
    fn hardware_and_software_follow_the_definition() {
        let pext = Pext::detect();
        let mut rng = Rng::new(3);
        for _ in 0..10_000 {
            let occupied = Bitboard(rng.next_u64());
            for square in Square::ALL {
                let [rook, bishop] = ENTRIES[square.index()].0.each_ref().map(|entry| entry.mask);
                let expected = [rook, bishop].map(|mask| defined(occupied.0, mask));
                assert_eq!([rook, bishop].map(|mask| soft_pext(occupied.0, mask) as usize), expected);
                if let Some(pext) = pext {
                    let packed = [pext.packed::<ROOK>(square, occupied), pext.packed::<BISHOP>(square, occupied)];
                    assert_eq!(packed, expected);
                }
            }
        }
    }

    /// Signatures as the makers publish them.
    #[test]
    fn knows_the_microcoded_processors() {
        for (vendor, signature, slow) in [
            (b"AuthenticAMD", 0x0066_0f01, true),  // Excavator, 15h
            (b"AuthenticAMD", 0x0080_0f11, true),  // Zen, 17h
            (b"AuthenticAMD", 0x0083_0f10, true),  // Zen 2, 17h
            (b"HygonGenuine", 0x0090_0f02, true),  // Dhyana, 18h
            (b"AuthenticAMD", 0x00a2_0f10, false), // Zen 3, 19h
            (b"AuthenticAMD", 0x00b0_0f21, false), // Zen 5, 1Ah
            (b"GenuineIntel", 0x0003_06c3, false), // Haswell
        ] {
            assert_eq!(microcoded(*vendor, signature), slow, "{signature:#x}");
        }
    }
}
