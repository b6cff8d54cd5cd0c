//! Quiescence search: captures and promotions, or evasions, until the static evaluation can be trusted.

use super::{
    cutoffs::{draw_or_max_ply, enter_node, mate_distance_pruning, upcoming_repetition},
    evaluation::evaluate_position,
    state::{Evaluation, NodeKind, TtData, TtScore},
};
use crate::{
    eval::is_known_loss,
    movegen::legal_moves,
    params,
    position::Position,
    search::{
        ordering::{MovePicker, Stage},
        search_state::Aborted,
        tree::Tree,
        window::Window,
        worker::Worker,
    },
    types::{Bound, Depth, Move, PieceType, Score},
};

/// The depth under which quiescence results are stored.
const QSEARCH_DEPTH: Depth = 0;

/// The score of the current position once all captures are resolved, and checks answered.
// CITE: Slate and Atkin (Chess 4.5) - quiescence search of captures with stand pat; Stockfish - few quiet evasions;
// Reckless - a stand-pat score between evaluation and beta.
pub(super) fn qsearch<N: NodeKind>(worker: &mut Worker, mut window: Window, ply: usize) -> Result<Score, Aborted> {
    enter_node::<N>(worker, ply)?;

    // Step 1. Draw detection, maximum ply; upcoming repetition, mate distance pruning.
    let Worker { tree, state } = &mut *worker;
    if let Some(score) = draw_or_max_ply(tree, state, ply)
        .or_else(|| upcoming_repetition(tree, state, &mut window, ply))
        .or_else(|| mate_distance_pruning(&mut window, ply))
    {
        return Ok(score);
    }

    // Step 2. Stalemate.
    if is_stalemate(&tree.position, ply) {
        return Ok(Score::ZERO);
    }

    // Step 3. TT probe and cutoff.
    let tt = TtData::probe::<N>(tree, state, ply, None);
    if let Some(score) = qsearch_tt_cutoff::<N>(&tt, window) {
        return Ok(score);
    }

    // Step 4. Stand pat: out of check, the side to move may decline all captures.
    let Evaluation { raw_eval, adjusted_eval, .. } = evaluate_position(tree, &tt, ply);
    if window.fails_high(adjusted_eval) {
        let score = stand_pat_fail_high(adjusted_eval, window.beta);
        // CITE: Stockfish, Reckless - storing the stand-pat score as a lower bound. Measured here: +6 ± 7 Elo.
        if !tt.hit {
            tt.store(state, raw_eval, None, Some((score, Bound::Lower)), QSEARCH_DEPTH);
        }
        return Ok(score);
    }

    // Step 5. Noisy moves; in check, all evasions.
    window.alpha = window.alpha.max(adjusted_eval);
    let (best, best_move) = qsearch_moves::<N>(worker, window, ply, tt.mv, adjusted_eval)?;

    // Step 6. Checkmate.
    if best == -Score::INFINITE {
        return Ok(Score::mated_in(ply));
    }

    // Step 7. TT store. No exact scores: the quiet moves were not searched.
    let bound = if window.fails_high(best) { Bound::Lower } else { Bound::Upper };
    tt.store(&worker.state, raw_eval, best_move, Some((best, bound)), QSEARCH_DEPTH);
    Ok(best)
}

/// The score of a child of the node at `ply`, after its move was made. Window and score are the parent's.
#[inline(always)]
pub(super) fn qsearch_child<N: NodeKind>(worker: &mut Worker, window: Window, ply: usize) -> Result<Score, Aborted> {
    Ok(-qsearch::<N>(worker, -window, ply + 1)?)
}

/// Returns true for a stalemate after a root move, whose score is shown, or of a king with blocked pawns. Others are
/// rare, and not looked for.
// CITE: Stockfish - stalemate of a king with blocked pawns in quiescence search.
fn is_stalemate(position: &Position, ply: usize) -> bool {
    let board = position.board();
    let us = board.side_to_move();
    let may_be = || {
        let pawns = board.pieces(us, PieceType::Pawn);
        !position.has_non_pawn_material() && pawns.forward(us).without(board.occupied()).is_empty()
    };
    !position.in_check() && (ply == 1 || may_be()) && legal_moves(position).is_empty()
}

/// The move loop: the best score, at least `adjusted_eval`, and the move that raised alpha last.
fn qsearch_moves<N: NodeKind>(
    worker: &mut Worker,
    mut window: Window,
    ply: usize,
    tt_move: Option<Move>,
    adjusted_eval: Score,
) -> Result<(Score, Option<Move>), Aborted> {
    let in_check = worker.tree.position.in_check();
    let mut best = adjusted_eval;
    let mut best_move = None;
    let futility_base = best + params::qsearch_futility_margin();
    let mut picker = MovePicker::noisy(&worker.tree, tt_move, -params::qsearch_see_margin(), in_check);
    if in_check {
        worker.tree.update_threats(ply);
    }
    let mut searched = 0;
    while let Some(mv) = picker.next(&worker.tree, ply) {
        if !is_known_loss(best) {
            if qsearch_see_pruning(picker.stage(), in_check, searched) {
                break;
            }
            // `best` is raised to what the capture might have reached, so that the bound stays sound.
            if !in_check && let Some(value) = delta_pruning(&worker.tree, mv, futility_base, window.alpha) {
                best = best.max(value);
                continue;
            }
            // Once an evasion does not lose, at most one more quiet evasion is searched.
            if in_check && mv.is_quiet() {
                picker.skip_quiets();
            }
        }
        searched += 1;
        let score = worker.after_move(mv, ply, |worker| qsearch_child::<N::Next>(worker, window, ply))?;
        if score > best {
            best = score;
            if score > window.alpha {
                best_move = Some(mv);
                if N::PV {
                    worker.tree.stack.extend_pv(ply, mv);
                }
                if window.fails_high(score) {
                    break;
                }
                window.alpha = score;
            }
        }
    }
    Ok((best, best_move))
}

/// The TT score of a non-PV node, if its bound fails high or low; no entry is too shallow.
// CITE: Reckless.
#[inline(always)]
fn qsearch_tt_cutoff<N: NodeKind>(tt: &TtData, window: Window) -> Option<Score> {
    let TtScore { score, bound, .. } = tt.score?;
    let applies = !N::PV && bound.allows_cutoff(score, window.beta);
    applies.then_some(score)
}

/// SEE pruning: returns true if the losing captures, which come last, are to be left out. In check they are searched if
/// no other evasion was.
// CITE: akimbo, Reckless. Measured here: no losing capture out of check, +19 ± 7 Elo.
#[inline(always)]
fn qsearch_see_pruning(stage: Stage, in_check: bool, searched: usize) -> bool {
    let applies = stage == Stage::BadNoisy;
    applies && (!in_check || searched > 0)
}

/// Delta pruning (futility): the score that a capture might reach, if that is at most alpha even though it wins the
/// captured piece for nothing, or because it wins nothing by SEE.
// CITE: Stockfish.
fn delta_pruning(tree: &Tree, mv: Move, futility_base: Score, alpha: Score) -> Option<Score> {
    let applies = !mv.is_promotion();
    if !applies {
        return None;
    }
    let victim = tree.captured_type(mv);
    let futility_value =
        futility_base + victim.map_or(0, |piece_type| params::qsearch_futility_values()[piece_type.index()]);
    if futility_value <= alpha {
        return Some(futility_value);
    }
    let wins_nothing = || !tree.position.see_ge(mv, 1);
    (futility_base <= alpha && wins_nothing()).then_some(futility_base)
}

/// The score of a node that fails high by standing pat: between evaluation and beta, unless beta is a proven result.
#[inline]
fn stand_pat_fail_high(stand_pat: Score, beta: Score) -> Score {
    if beta.is_decisive() { stand_pat } else { stand_pat.lerp(beta, params::stand_pat_lerp()) }
}
