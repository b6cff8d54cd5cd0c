//! The formulas of pruning, reductions, extensions and history bonuses: one small function for each rule. The
//! conditions under which a rule is applied stand where it is applied, and its numbers in [`params`](crate::params).

use once_cell::sync::Lazy;

use crate::{
    params::{self, rules},
    types::{Depth, Score},
};

/// Natural logarithms for late move reductions.
static LN: Lazy<[f32; 256]> = Lazy::new(|| std::array::from_fn(|n| (n.max(1) as f32).ln()));

/// Reverse futility pruning (RFP), or static null move pruning: an evaluation above beta by a margin for each ply of
/// depth will stay above it. The returned score lies between evaluation and beta, because the margin was never played
/// out.
// CITE: akimbo, Viridithas - margin per ply, less if improving; Reckless, Berserk - returning a score between
// evaluation and beta. Measured here, with the hand-crafted evaluation: +20 ± 23 Elo.
#[inline]
pub(super) fn reverse_futility(depth: Depth, improving: bool, eval: Score, beta: Score) -> Option<Score> {
    let margin = params::rfp_margin() * depth - if improving { params::rfp_improving() } else { 0 };
    (rules::reverse_futility_pruning()
        && depth <= params::rfp_max_depth()
        && eval - margin.max(params::rfp_min_margin()) >= beta)
        .then(|| eval.lerp(beta, params::rfp_lerp()))
}

/// Razoring: with little depth left and an evaluation far below alpha, only captures could help, and quiescence search
/// tries those. Returns true if it should replace the node.
// CITE: akimbo, Reckless - margin per ply at depths 1 and 2. Measured here, with the second network: 0 ± 28 Elo.
#[inline]
pub(super) fn razor(depth: Depth, eval: Score, alpha: Score) -> bool {
    rules::razoring() && depth <= params::razor_max_depth() && eval + params::razor_margin() * depth < alpha
}

/// Null move pruning (NMP): the depth reduction, in plies, of the search after passing. It grows with the depth and
/// with the evaluation's margin above beta.
// CITE: akimbo, Reckless, Berserk - base, share of the depth, and evaluation above beta.
#[inline]
pub(super) fn null_move_reduction(depth: Depth, eval: Score, beta: Score) -> Depth {
    (params::nmp_base() + params::nmp_depth_factor() * depth) / 1024
        + ((eval - beta) / params::nmp_eval_divisor()).clamp(0, params::nmp_eval_max())
}

/// ProbCut: a capture whose shallow search reaches this raised beta is expected to reach beta at full depth.
// CITE: Michael Buro - ProbCut; Reckless, akimbo, Stash - the margin, less if improving. Not measured here.
#[inline]
pub(super) fn probcut_beta(beta: Score, improving: bool) -> Score {
    beta + params::probcut_margin() - if improving { params::probcut_improving() } else { 0 }
}

/// Late move pruning (LMP): the move count after which quiet moves are skipped at a shallow depth. It grows with the
/// square of the depth, and is halved if the side to move is not improving.
// CITE: akimbo - (3 + depth²) / (2 - improving). Measured here, with the hand-crafted evaluation: +149 ± 27 Elo.
#[inline]
pub(super) fn lmp_limit(depth: Depth, improving: bool) -> usize {
    if !rules::late_move_pruning() {
        return usize::MAX;
    }
    ((params::lmp_base() + params::lmp_depth_factor() * depth * depth) / 1024 / if improving { 1 } else { 2 }) as usize
}

/// Futility pruning (FP): the score that a quiet move is expected to stay below at this late-move-reduced depth.
// CITE: Viridithas, akimbo, Reckless - margin by the depth after LMR. Measured here, with the hand-crafted evaluation, for
// quiet moves and captures together: +26 ± 24 Elo.
#[inline]
pub(super) fn futility_value(depth: Depth, eval: Score) -> Option<Score> {
    (rules::futility_pruning() && depth <= params::futility_max_depth())
        .then(|| eval + params::futility_base() + params::futility_margin() * depth)
}

/// Futility pruning of captures that lose material by SEE.
// CITE: Reckless - futility of captures in the bad noisy stage.
#[inline]
pub(super) fn bad_noisy_futility_value(depth: Depth, eval: Score) -> Option<Score> {
    (rules::futility_pruning() && depth <= params::bad_noisy_futility_max_depth())
        .then(|| eval + params::bad_noisy_futility_base() + params::bad_noisy_futility_margin() * depth)
}

/// SEE pruning: the SEE value below which a move is skipped.
// CITE: akimbo, Viridithas - quadratic and linear thresholds, here quadratic for quiet moves. Measured here, with the
// hand-crafted evaluation: +65 ± 25 Elo.
#[inline]
pub(super) fn see_margin(depth: Depth, quiet: bool) -> i32 {
    if quiet { -params::see_quiet_margin() * depth * depth } else { -params::see_noisy_margin() * depth }
}

/// Late move reductions (LMR): the reduction before adjustments, in 1/1024 ply.
// CITE: akimbo, Viridithas, Berserk - base + ln(depth) * ln(move count) / divisor; Reckless, Viridithas - units of
// 1/1024 ply. Measured here, with the hand-crafted evaluation: +184 ± 27 Elo.
#[inline]
pub(super) fn lmr_base_reduction(depth: Depth, move_number: usize) -> Depth {
    let logs = LN[depth.clamp(0, 255) as usize] * LN[move_number.min(255)];
    params::lmr_base() + (logs * 1024.0 * 1024.0 / params::lmr_divisor() as f32) as Depth
}

/// Singular extensions: the TT move is singular if every other move fails low against this bound.
// CITE: akimbo - TT score less the depth.
#[inline]
pub(super) fn singular_beta(tt_score: Score, depth: Depth) -> Score {
    tt_score - depth * params::singular_margin() / 64
}

/// The history bonus of a move that failed high at this depth.
// CITE: Reckless, akimbo - a linear bonus with an upper limit, and a malus of its own for moves searched in vain.
#[inline]
pub(super) fn history_bonus(depth: Depth) -> i32 {
    (params::history_bonus_factor() * depth - params::history_bonus_offset()).min(params::history_bonus_max())
}

/// The history malus of a move searched before the one that failed high at this depth.
#[inline]
pub(super) fn history_malus(depth: Depth) -> i32 {
    (params::history_malus_factor() * depth - params::history_malus_offset()).min(params::history_malus_max())
}
