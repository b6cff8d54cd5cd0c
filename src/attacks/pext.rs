//! PEXT tables: the relevant occupancy, packed into low bits, is the table index.
//!
//! The method follows Lorentz Vedeler ("PEXT Tables", 2025): the subsets of the relevant squares are enumerated in the
//! order of PDEP, so that PEXT, its inverse, gives the index of a subset.
// CITE: Lorentz Vedeler (2025).
#![expect(unsafe_code, reason = "the instruction itself, and an index that nothing but its definition bounds")]

use std::{
    arch::x86_64::__cpuid,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use super::{
    Slider,
    slider::{FLAT_TABLE, SPAN, by_square},
};
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
        Self { mask: mask.0, attacks: slider.attacks_by_subset(square) }
    }
}

/// PEXT tables through the processor's own instruction.
///
/// Only [`Pext::detect`] and the choice made of it give one, so holding one proves that the instruction exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pext(());

/// True while [`Pext::chosen`] gives one.
static IS_CHOSEN: AtomicBool = AtomicBool::new(false);

impl Pext {
    /// Size in bytes of the lookup tables.
    pub const TABLE_BYTES: usize = size_of_val(&FLAT_TABLE) + size_of_val(&ENTRIES);

    /// True if the build is for processors that have PEXT, and not in microcode.
    ///
    /// SSE4a is AMD's alone, whose first processors with VAES are those with a fast PEXT, Zen 3.
    pub(super) const IS_BUILT_IN: bool =
        cfg!(target_feature = "bmi2") && (!cfg!(target_feature = "sse4a") || cfg!(target_feature = "vaes"));

    /// The lookup, if this processor has BMI2.
    pub fn detect() -> Option<Self> {
        is_x86_feature_detected!("bmi2").then_some(Self(()))
    }

    /// True if this processor runs the instruction in microcode, so slowly that magics win: AMD before Zen 3.
    pub(super) fn is_microcoded() -> bool {
        let (vendor, signature) = processor();
        microcoded(vendor, signature)
    }

    /// Sets what [`Self::chosen`] returns.
    pub(super) fn choose(pext: Option<Self>) {
        IS_CHOSEN.store(pext.is_some(), Relaxed);
    }

    /// The lookup, if sliders are to be looked up with it: known at compile time where the build is for such
    /// processors, a flag elsewhere.
    #[inline(always)]
    pub(super) fn chosen() -> Option<Self> {
        (Self::IS_BUILT_IN || IS_CHOSEN.load(Relaxed)).then_some(Self(()))
    }

    /// The attack set of a rook on `square`.
    #[inline(always)]
    pub fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.lookup::<ROOK>(square, occupied)
    }

    /// The attack set of a bishop on `square`.
    #[inline(always)]
    pub fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.lookup::<BISHOP>(square, occupied)
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
}

/// The processor's vendor and signature, as CPUID gives them in leaves 0 and 1.
fn processor() -> ([u8; 12], u32) {
    let leaf = __cpuid(0);
    let mut vendor = [0; 12];
    for (bytes, register) in vendor.chunks_exact_mut(4).zip([leaf.ebx, leaf.edx, leaf.ecx]) {
        bytes.copy_from_slice(&register.to_le_bytes());
    }
    (vendor, __cpuid(1).eax)
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

    #[test]
    fn the_instruction_follows_its_definition() {
        let Some(pext) = Pext::detect() else {
            println!("skipped: this processor lacks BMI2");
            return;
        };
        let mut rng = Rng::new(3);
        for _ in 0..10_000 {
            let occupied = Bitboard(rng.next_u64());
            for square in Square::ALL {
                let [rook, bishop] = ENTRIES[square.index()].0.each_ref().map(|entry| entry.mask);
                let expected = [rook, bishop].map(|mask| defined(occupied.0, mask));
                let packed = [pext.packed::<ROOK>(square, occupied), pext.packed::<BISHOP>(square, occupied)];
                assert_eq!(packed, expected);
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
