//! Singular extensions, multicut and negative extensions.

use super::{
    search_node,
    state::{Node, NodeKind, NonPv},
};
use crate::{
    params::{self, rules},
    search::{search_state::Aborted, window::Window, worker::Worker},
    types::{Bound, Depth, Move, Score},
};

/// The outcome of the singular search.
pub(super) enum SingularOutcome {
    /// Extend the move by this many plies; a negative number reduces it.
    Extend(Depth),
    /// Multicut: the score of the node, which fails high without searching the move.
    Multicut(Score),
}

/// Singular extension of the TT move, if its score, from a search deep enough, is at least a lower bound: a reduced
/// search of all other moves, with a window below the TT score. If it fails low, the TT move is singular and is
/// extended, the more the further below. If it fails high, another move is about as good. The search runs on the stack
/// entry of this node: there it changes what every move sets anew, and the counts of fail highs, but neither the static
/// evaluation nor the threats. No line is extended to more than twice the depth of the iteration, so that extensions do
/// not make it endless.
// CITE: Anantharaman, Campbell and Hsu - singular extensions; Björnsson and Marsland - multicut; Stockfish, by way of
// akimbo, Reckless and Berserk - both by one search below the TT score, with double, triple and negative extensions,
// and the limit of the ply.
// Measured here, all together, with the hand-crafted evaluation: +44 ± 24 Elo.
pub(super) fn singular_extension<N: NodeKind>(
    worker: &mut Worker,
    node: &Node,
    mv: Move,
) -> Result<SingularOutcome, Aborted> {
    let &Node { ply, depth, window: Window { beta, .. }, .. } = node;
    let Some(tt) = node.tt.score else { return Ok(SingularOutcome::Extend(0)) };
    let applies = rules::singular_extension()
        && Some(mv) == node.tt.mv
        && !N::ROOT
        && node.excluded.is_none()
        && depth >= params::singular_min_depth()
        && ply < 2 * worker.state.root.depth as usize
        && tt.depth >= depth - params::singular_tt_depth_margin()
        && tt.bound != Bound::Upper
        && !tt.score.is_decisive();
    if !applies {
        return Ok(SingularOutcome::Extend(0));
    }

    // CITE: Stockfish, by way of akimbo - TT score less a margin per ply.
    let singular_beta = tt.score - depth * params::singular_margin() / 64;
    worker.tree.stack[ply].excluded = Some(mv);
    let singular_depth = ((depth - 1) * params::singular_depth_factor() / 1024).max(1);
    let score = search_node::<NonPv>(worker, Window::null_below(singular_beta), singular_depth, ply, node.cut_node);
    worker.tree.stack[ply].excluded = None;
    let score = score?;

    if score < singular_beta {
        // Singular extension; double extension; triple extension of quiet moves. In PV nodes, where an extension costs
        // most, only the first.
        let below_by = |margin| !N::PV && score < singular_beta - margin;
        let double = below_by(params::double_extension_margin());
        let triple = mv.is_quiet() && below_by(params::triple_extension_margin());
        return Ok(SingularOutcome::Extend(1 + Depth::from(double) + Depth::from(triple)));
    }
    // Multicut: another move than the TT move reaches beta in a reduced search.
    if score >= beta && !score.is_decisive() {
        return Ok(SingularOutcome::Multicut(score));
    }
    // Negative extension: where the node is expected to fail high, and another move may do so as well as the TT move,
    // less depend on this one.
    let reduction = if tt.score >= beta {
        params::negative_extension_tt_fail_high()
    } else if node.cut_node {
        params::negative_extension_cut_node()
    } else {
        0
    };
    Ok(SingularOutcome::Extend(-reduction))
}
