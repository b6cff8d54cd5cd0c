//! The rules by which parts of the tree are searched less, or not at all. Each is one small function that says why.
//!
//! What may be tuned is in [`params`](crate::params), by name. The bare numbers here are limits of another sort: the
//! depths up to which a shallow rule may speak at all, and the least margins that keep it from speaking out of noise.

use once_cell::sync::Lazy;

use crate::{
    params::*,
    types::{Depth, Score},
};

/// Natural logarithms, the raw material of reductions and move counts.
static LN: Lazy<[f32; 256]> = Lazy::new(|| std::array::from_fn(|n| (n.max(1) as f32).ln()));

/// Reverse futility: so far above beta that giving the opponent a margin per ply left will not bring it below. What is
/// returned lies part of the way to beta, as the margin was never played out.
#[inline]
pub(super) fn reverse_futility(depth: Depth, improving: bool, eval: Score, beta: Score) -> Option<Score> {
    let margin = rfp_margin() * depth - if improving { rfp_improving() } else { 0 };
    (rules::reverse_futility() && depth <= 8 && eval - margin.max(20) >= beta).then(|| eval.lerp(beta, rfp_softening()))
}

/// Razoring: so far below alpha with so little depth left that only tactics could help, and quiescence sees those.
#[inline]
pub(super) fn is_hopeless(depth: Depth, eval: Score, alpha: Score) -> bool {
    rules::razoring() && depth <= 2 && eval + razor_margin() * depth < alpha
}

/// Null move: by how many plies to reduce when the opponent is given a move for free and still is not expected to
/// catch up. A third of the depth or so, and more the further above beta.
#[inline]
pub(super) fn null_move_reduction(depth: Depth, eval: Score, beta: Score) -> Depth {
    (null_move_base() + null_move_slope() * depth) / 1024 + ((eval - beta) / null_move_eval()).clamp(0, 3)
}

/// ProbCut: a capture that beats beta by this margin in a shallow search will beat beta in the deep one.
#[inline]
pub(super) fn probcut_beta(beta: Score, improving: bool) -> Score {
    beta + probcut_margin() - if improving { probcut_improving() } else { 0 }
}

/// Late move pruning: after so many moves in good order, the remaining quiet ones are not worth a shallow search. The
/// number grows with the square of the depth, as the tree below each of them does; while things get worse, half must do.
#[inline]
pub(super) fn late_move_count(depth: Depth, improving: bool) -> usize {
    if !rules::late_move_pruning() {
        return usize::MAX;
    }
    ((late_move_base() + late_move_slope() * depth * depth) / 1024 / if improving { 1 } else { 2 }) as usize
}

/// Futility: the score a quiet move may hope for at this (reduced) depth.
#[inline]
pub(super) fn futility_score(depth: Depth, eval: Score) -> Option<Score> {
    (rules::futility() && depth <= 8).then(|| eval + futility_base() + futility_margin() * depth)
}

/// The same for a capture that loses material by exchange. Its base is fixed: what it takes is counted by the exchange.
#[inline]
pub(super) fn noisy_futility_score(depth: Depth, eval: Score) -> Option<Score> {
    (rules::futility() && depth <= 8).then(|| eval + 24 + noisy_futility_margin() * depth)
}

/// The exchange result below which a move is not tried, in centipawns.
#[inline]
pub(super) fn exchange_limit(depth: Depth, quiet: bool) -> i32 {
    if quiet { -see_quiet() * depth * depth } else { -see_noisy() * depth }
}

/// Late move reduction before any adjustment, in 1/1024 ply.
#[inline]
pub(super) fn base_reduction(depth: Depth, move_number: usize) -> Depth {
    let logs = LN[depth.clamp(0, 255) as usize] * LN[move_number.min(255)];
    lmr_base() + (logs * 1024.0 * 1024.0 / lmr_divisor() as f32) as Depth
}

/// The bar that all moves but the hash move must fail to reach for that move to count as singular.
#[inline]
pub(super) fn singular_beta(tt_score: Score, depth: Depth) -> Score {
    tt_score - depth * singular_margin() / 64
}

/// The history bonus for a cut at this depth.
#[inline]
pub(super) fn bonus(depth: Depth) -> i32 {
    (history_bonus() * depth - 100).min(history_bonus_max())
}

/// The history malus for having been tried in vain before a cut at this depth.
#[inline]
pub(super) fn malus(depth: Depth) -> i32 {
    (history_malus() * depth - 100).min(history_malus_max())
}
