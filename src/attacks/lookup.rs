//! The attack sets of rooks, bishops and queens, by what this processor looks them up with fastest.
//!
//! PEXT, where the processor has it and not in microcode, magics elsewhere. A build that requires the instruction has
//! no choice to make; another tests a flag at each lookup, a branch that is always predicted. The flag is set by
//! [`Lookup::detect`]. Before that, magics serve.

use std::sync::{Mutex, PoisonError};

use once_cell::sync::OnceCell;

use super::Magic;
#[cfg(target_arch = "x86_64")]
use super::{Pext, kogge_stone::KoggeStone};
use crate::{
    types::{Bitboard, PieceType, Square},
    util::environment,
};

/// The attack set of a rook on `square`.
///
/// `occupied` may hold any squares, the slider's own included. The first occupied square of each ray belongs to the
/// attack set, whatever the color of its piece.
///
/// ```
/// # use sleight::{attacks::rook, types::{Bitboard, Square}};
/// let occupied = Bitboard::from_diagram(
///     ". . . X . . . .
///      . . . . . . . .
///      . . . X . . . .
///      . . . . . . . .
///      . X . . . . X X
///      . . . . . . . .
///      . . . X . . . .
///      . . . . . . . .",
/// );
/// let attacked = Bitboard::from_diagram(
///     ". . . . . . . .
///      . . . . . . . .
///      . . . X . . . .
///      . . . X . . . .
///      . X X . X X X .
///      . . . X . . . .
///      . . . X . . . .
///      . . . . . . . .",
/// );
/// assert_eq!(rook(Square::D4, occupied), attacked);
/// ```
#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    #[cfg(target_arch = "x86_64")]
    if let Some(pext) = Pext::chosen() {
        return pext.rook(square, occupied);
    }
    Magic.rook(square, occupied)
}

/// The attack set of a bishop on `square`.
#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    #[cfg(target_arch = "x86_64")]
    if let Some(pext) = Pext::chosen() {
        return pext.bishop(square, occupied);
    }
    Magic.bishop(square, occupied)
}

/// The attack set of a queen on `square`.
#[inline(always)]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | bishop(square, occupied)
}

/// The attack set of a bishop or rook on `square`; for any other piece type, that of a queen.
#[inline(always)]
pub fn slider_attacks(piece_type: PieceType, square: Square, occupied: Bitboard) -> Bitboard {
    match piece_type {
        PieceType::Bishop => bishop(square, occupied),
        PieceType::Rook => rook(square, occupied),
        _ => queen(square, occupied),
    }
}

/// The union of the attack sets of several sliders: along ranks and files from `orthogonal`, along diagonals from
/// `diagonal`. Queens are in both.
#[inline(always)]
pub fn attacked_by_sliders(orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> Bitboard {
    #[cfg(target_arch = "x86_64")]
    if let Some(fill) = KoggeStone::chosen()
        && fill.is_faster_for(orthogonal, diagonal)
    {
        return fill.attacked(orthogonal, diagonal, occupied);
    }
    let mut attacked = Bitboard::EMPTY;
    for square in orthogonal {
        attacked |= rook(square, occupied);
    }
    for square in diagonal {
        attacked |= bishop(square, occupied);
    }
    attacked
}

/// The number of pseudo-legal moves of several sliders to `targets`. All sliders must be in `occupied`.
#[inline(always)]
pub fn count_slider_moves(orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard, targets: Bitboard) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(fill) = KoggeStone::chosen()
        && fill.is_faster_for(orthogonal, diagonal)
    {
        return fill.count(orthogonal, diagonal, occupied, targets);
    }
    let mut count = 0;
    for square in orthogonal {
        count += (rook(square, occupied) & targets).len();
    }
    for square in diagonal {
        count += (bishop(square, occupied) & targets).len();
    }
    count
}

/// A way to look sliders up: magics, or PEXT with or without a fill for several sliders at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lookup(Choice);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    Magic,
    #[cfg(target_arch = "x86_64")]
    Pext(Pext, Option<KoggeStone>),
}

/// The environment variable that names the lookup where the build leaves a choice.
const VARIABLE: &str = "SLEIGHT_SLIDERS";

impl Lookup {
    const MAGIC: Self = Self(Choice::Magic);

    /// Decides once what sliders are looked up with: PEXT, or magics if the processor has no PEXT or has it in
    /// microcode; or the one of the two that the environment variable `SLEIGHT_SLIDERS` names. A build for processors
    /// with PEXT has decided already.
    pub fn detect() -> Self {
        static DETECTED: OnceCell<Lookup> = OnceCell::new();
        *DETECTED.get_or_init(|| {
            let detected = Self::wanted(environment(VARIABLE).as_deref());
            detected.activate();
            detected
        })
    }

    /// `magic` or `pext`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Choice::Magic => "magic",
            #[cfg(target_arch = "x86_64")]
            Choice::Pext(..) => "pext",
        }
    }

    /// The Kogge-Stone fill that computes the attacks of several sliders, `avx2` or `avx512`, if there is one.
    pub fn fill(self) -> Option<&'static str> {
        match self.0 {
            Choice::Magic => None,
            #[cfg(target_arch = "x86_64")]
            Choice::Pext(_, fill) => fill.map(KoggeStone::name),
        }
    }

    /// The lookups that this build has on this machine: magics, then PEXT without a fill and with each one; or the one
    /// that is built in.
    pub fn available() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        if let Some(pext) = Pext::detect() {
            if KoggeStone::BUILT_IN.is_some() {
                return vec![Self(Choice::Pext(pext, KoggeStone::BUILT_IN))];
            }
            let magic = (!Pext::IS_BUILT_IN).then_some(Self::MAGIC);
            let fills = [None].into_iter().chain(KoggeStone::available().map(Some));
            return magic.into_iter().chain(fills.map(|fill| Self(Choice::Pext(pext, fill)))).collect();
        }
        vec![Self::MAGIC]
    }

    /// Calls `test` once for each lookup, with which all threads look sliders up meanwhile: a switch from one to
    /// another changes nothing but the speed. Ends with the detected one.
    pub fn with_each(mut test: impl FnMut(Self)) {
        static TURN: Mutex<()> = Mutex::new(());
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let detected = Self::detect();
        for lookup in Self::available() {
            lookup.activate();
            test(lookup);
        }
        detected.activate();
    }

    /// Looks sliders up like this from now on.
    fn activate(self) {
        #[cfg(target_arch = "x86_64")]
        {
            let (pext, fill) = match self.0 {
                Choice::Magic => (None, None),
                Choice::Pext(pext, fill) => (Some(pext), fill),
            };
            Pext::choose(pext);
            KoggeStone::choose(fill);
        }
    }

    #[cfg(target_arch = "x86_64")]
    fn wanted(name: Option<&str>) -> Self {
        let with_fill = |pext| Self(Choice::Pext(pext, KoggeStone::detect()));
        match (name, Pext::detect()) {
            (None, Some(pext)) if Pext::IS_BUILT_IN || !Pext::is_microcoded() => with_fill(pext),
            (Some("pext"), Some(pext)) => with_fill(pext),
            (Some(name), Some(pext)) if Pext::IS_BUILT_IN => {
                log::warn!("{VARIABLE}: this build plays with pext alone, not with {name:?}");
                with_fill(pext)
            }
            (None | Some("magic"), _) => Self::MAGIC,
            (Some(name), pext) => {
                let known = if pext.is_some() { "magic or pext" } else { "magic" };
                log::warn!("{VARIABLE}: this machine plays with {known}, not with {name:?}; taking magic");
                Self::MAGIC
            }
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn wanted(name: Option<&str>) -> Self {
        if let Some(name) = name.filter(|&name| name != "magic") {
            log::warn!("{VARIABLE}: this machine plays with magic, not with {name:?}");
        }
        Self::MAGIC
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{attacks::Slider, util::Rng};

    /// Every set of blockers on the rays of every square, board edges included: 1,048,576 for the rook and 71,168 for
    /// the bishop; each again with random occupied squares off the rays, the slider's own among them.
    fn check(look_up: impl Fn(Slider, Square, Bitboard) -> Bitboard) {
        let mut rng = Rng::new(0x5eed);
        let mut cases = 0;
        for slider in Slider::ALL {
            for square in Square::ALL {
                let rays = slider.attacks(square, Bitboard::EMPTY);
                for blockers in rays.subsets() {
                    let expected = slider.attacks(square, blockers);
                    for occupied in [blockers, blockers | Bitboard(rng.next_u64()).without(rays)] {
                        let found = look_up(slider, square, occupied);
                        assert_eq!(found, expected, "{slider:?} on {square}, occupied:\n{occupied}");
                    }
                    cases += 1;
                }
            }
        }
        assert_eq!(cases, 1_119_744);
    }

    /// Also where the build or the processor would take the other.
    #[test]
    fn magics_agree_with_the_scan() {
        check(|slider, square, occupied| match slider {
            Slider::Rook => Magic.rook(square, occupied),
            Slider::Bishop => Magic.bishop(square, occupied),
        });
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn pext_agrees_with_the_scan() {
        let Some(pext) = Pext::detect() else {
            println!("skipped: this processor lacks BMI2");
            return;
        };
        check(|slider, square, occupied| match slider {
            Slider::Rook => pext.rook(square, occupied),
            Slider::Bishop => pext.bishop(square, occupied),
        });
    }

    #[test]
    fn every_choice_agrees_with_the_scan() {
        Lookup::with_each(|_| {
            check(|slider, square, occupied| {
                let attacked = slider_attacks(slider.piece_type(), square, occupied);
                let [rook, bishop] = Slider::ALL.map(|slider| slider.attacks(square, occupied));
                assert_eq!(queen(square, occupied), rook | bishop, "queen on {square}, occupied:\n{occupied}");
                attacked
            });
        });
    }

    /// Random sets of sliders, from none to a crowd.
    #[test]
    fn several_at_once_are_what_each_is() {
        let mut rng = Rng::new(74);
        let mut sparse = |ands: usize| Bitboard((0..=ands).fold(!0, |squares, _| squares & rng.next_u64()));
        Lookup::with_each(|lookup| {
            for round in 0..20_000 {
                let (orthogonal, diagonal) = (sparse(1 + round % 5), sparse(1 + round / 5 % 5));
                let (occupied, targets) = (orthogonal | diagonal | sparse(round / 25 % 4), sparse(0));
                let rooks = orthogonal.into_iter().map(|square| Slider::Rook.attacks(square, occupied));
                let bishops = diagonal.into_iter().map(|square| Slider::Bishop.attacks(square, occupied));
                let each: Vec<Bitboard> = rooks.chain(bishops).collect();
                let all = each.iter().fold(Bitboard::EMPTY, |all, &attacks| all | attacks);
                let count: usize = each.iter().map(|&attacks| (attacks & targets).len()).sum();
                let found = attacked_by_sliders(orthogonal, diagonal, occupied);
                let counted = count_slider_moves(orthogonal, diagonal, occupied, targets);
                assert_eq!((found, counted), (all, count), "{lookup:?}, round {round}");
            }
        });
    }

    #[test]
    fn the_detected_lookup_is_available() {
        let available = Lookup::available();
        assert!(available.contains(&Lookup::detect()));
        let mut seen = Vec::new();
        Lookup::with_each(|lookup| seen.push(lookup));
        assert_eq!(seen, available);
    }
}
