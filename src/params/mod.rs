//! Search parameters: tunables, piece values, and the rules that can be switched off to measure them.
//!
//! In a plain build all are constants. With feature `tune`, tunables and rules are UCI options of the same names, and
//! `all` lists the tunables for OpenBench's SPSA.
//!
//! In the names, *margin* is a distance between scores, in internal units (see
//! [`to_centipawns`](crate::eval::to_centipawns)); *base* the constant part of a formula; *factor* what multiplies its
//! variable, mostly the depth; *lerp* a weight between two scores.
//!
//! The comment above a group says where its values come from: SPSA and the numbered experiments are those of
//! `docs/notes/strength.md`, in each case the last that moved the value; what none of them moved was set by hand.

mod tunable;

#[cfg(feature = "tune")]
pub(crate) use tunable::Tunable;
use tunable::parameters;

/// The rules of the search: each returns true if the rule is in force, as all are in a plain build.
pub(crate) mod rules {
    use super::parameters;

    const fn is_on(value: i32) -> bool {
        value == 1
    }

    parameters! {
        bool, is_on;

        /// Null move pruning (NMP).
        null_move_pruning = 1, 0..=1;
        /// Late move reduction (LMR).
        late_move_reduction = 1, 0..=1;
        /// Reverse futility pruning (RFP).
        reverse_futility_pruning = 1, 0..=1;
        /// Late move pruning (LMP).
        late_move_pruning = 1, 0..=1;
        /// Futility pruning (FP) of quiet moves and of losing captures.
        futility_pruning = 1, 0..=1;
        /// SEE pruning of moves that lose material.
        see_pruning = 1, 0..=1;
        /// Pruning of quiet moves with a bad history.
        history_pruning = 1, 0..=1;
        /// ProbCut.
        probcut = 1, 0..=1;
        /// Internal iterative reduction (IIR).
        internal_iterative_reduction = 1, 0..=1;
        /// Hindsight depth adjustment, by the evaluations before and after a reduced move.
        hindsight_adjustment = 1, 0..=1;
        /// Singular extension, with multicut and negative extension.
        singular_extension = 1, 0..=1;
        /// Continuation history.
        continuation_history = 1, 0..=1;
        /// Correction history.
        correction_history = 1, 0..=1;
    }
}

parameters! {
    i32, std::convert::identity;

    // Window and growth: experiment 9. The others by hand.
    /// Aspiration windows: least depth, in plies.
    aspiration_min_depth = 5, 2..=10;
    /// Aspiration windows: first half-width, in internal units.
    aspiration_window = 12, 5..=50;
    /// Aspiration windows: growth of the half-width after a fail high or low, in 1/1024.
    aspiration_growth = 512, 128..=2048;
    /// Aspiration windows: half-width beyond which a side opens fully, in internal units.
    aspiration_max_window = 800, 200..=2000;
    /// Aspiration windows: largest depth reduction after repeated fail highs, in plies.
    aspiration_max_reduction = 3, 0..=6;

    // By hand.
    /// TT replacement: plies that a bound must be shallower than an entry of the same position to leave it in place.
    tt_replace_depth_margin = 4, 1..=8;
    /// TT replacement: further plies where the new entry is one of a PV node.
    tt_replace_pv_margin = 2, 0..=6;
    /// TT replacement: penalty for each search since the entry was stored, in plies.
    tt_age_penalty = 4, 1..=16;
    /// TT cutoffs: halfmove clock from which there are none.
    tt_cutoff_max_clock = 90, 40..=100;
    /// Tablebases: plies added to the depth of a score that is stored in the TT.
    tablebase_depth_bonus = 6, 0..=12;

    // By hand.
    /// Static evaluation: divisor of the halfmove clock in the damping towards a draw, in plies.
    fifty_move_damping = 200, 100..=1000;

    // Experiments 2 and 3; the least depth by hand.
    /// Hindsight: reduction of the previous move from which a node may be searched deeper, in 1/1024 ply.
    hindsight_deeper_reduction = 2830, 1024..=6144;
    /// Hindsight: reduction of the previous move from which a node may be searched less deep, in 1/1024 ply.
    hindsight_shallower_reduction = 2043, 1024..=6144;
    /// Hindsight: least depth of a node that is searched less deep, in plies.
    hindsight_min_depth = 2, 1..=6;
    /// Hindsight: cost of the previous move from which a node is searched less deep, in internal units.
    hindsight_margin = 62, 10..=250;

    // Experiments 2 and 3.
    /// Reverse futility: greatest depth, in plies.
    rfp_max_depth = 7, 4..=16;
    /// Reverse futility: margin per ply of depth, in internal units.
    rfp_margin = 77, 30..=150;
    /// Reverse futility: how much less margin an improving position needs, in internal units.
    rfp_improving = 78, 0..=150;
    /// Reverse futility: least margin, in internal units.
    rfp_min_margin = 27, 0..=60;
    /// Reverse futility: how far towards beta the returned score is moved, in 1/1024.
    rfp_lerp = 427, 0..=1024;

    // Experiments 2 and 3; the least depth, `nmp_eval_max` and the verification by hand.
    /// Null move: least depth, in plies.
    nmp_min_depth = 3, 1..=6;
    /// Null move: reduction at depth 0, in 1/1024 ply.
    nmp_base = 4316, 2048..=6144;
    /// Null move: reduction per ply of depth, in 1/1024 ply.
    nmp_depth_factor = 260, 100..=450;
    /// Null move: internal units above beta for one more ply of reduction.
    nmp_eval_divisor = 203, 80..=400;
    /// Null move: most plies of reduction for an evaluation above beta.
    nmp_eval_max = 3, 0..=8;
    /// Null move: how far the static evaluation must lie above beta at depth 0, in internal units.
    nmp_margin = 136, 0..=400;
    /// Null move: how much less far it must lie above beta per ply of depth, in internal units.
    nmp_depth_margin = 24, 0..=50;
    /// Null move: depth from which a fail high is verified, in plies.
    nmp_verification_depth = 15, 8..=30;
    /// Null move: share of the reduced depth within which the verification tries no null move, in 1/1024.
    nmp_verification_plies = 768, 256..=1024;

    // Experiments 2 and 3; the depths by hand.
    /// ProbCut: least depth, in plies.
    probcut_min_depth = 5, 3..=10;
    /// ProbCut: depth reduction of its search, in plies.
    probcut_reduction = 4, 2..=6;
    /// ProbCut: internal units above beta that its search must reach.
    probcut_margin = 205, 80..=400;
    /// ProbCut: how much less margin an improving position needs, in internal units.
    probcut_improving = 45, 0..=150;

    // Experiment 2.
    /// Internal iterative reduction: least depth, in plies.
    iir_min_depth = 5, 2..=10;

    // By hand.
    /// Pruning of moves: halfmove clock from which there is none.
    pruning_max_clock = 96, 60..=100;

    // Experiments 2 and 3; the greatest depths by hand.
    /// Late move pruning: move count at depth 0, in 1/1024 move.
    lmp_base = 3156, 1024..=8192;
    /// Late move pruning: further moves per squared ply, in 1/1024 move.
    lmp_depth_factor = 1460, 400..=2048;
    /// History pruning: greatest depth, in plies.
    history_pruning_max_depth = 5, 1..=12;
    /// History pruning: negative history per ply of depth from which a quiet move is skipped.
    history_pruning_margin = 2876, 1000..=8000;
    /// Futility: greatest depth after LMR, in plies.
    futility_max_depth = 8, 4..=16;
    /// Futility: margin at depth 0, in internal units.
    futility_base = 65, 20..=250;
    /// Futility: margin per ply of depth after LMR, in internal units.
    futility_margin = 77, 30..=200;
    /// Futility of losing captures: greatest depth, in plies.
    bad_noisy_futility_max_depth = 8, 4..=16;
    /// Futility of losing captures: margin at depth 0, in internal units.
    bad_noisy_futility_base = 24, 0..=150;
    /// Futility of losing captures: margin per ply of depth, in internal units.
    bad_noisy_futility_margin = 84, 30..=250;
    /// SEE pruning: greatest depth, in plies, of quiet moves after LMR.
    see_max_depth = 8, 4..=16;
    /// SEE pruning: loss per squared ply that a quiet move may risk, in units of [`see_values`].
    see_quiet_margin = 18, 5..=80;
    /// SEE pruning: loss per ply that a noisy move may risk, in units of [`see_values`].
    see_noisy_margin = 101, 30..=200;

    // Experiments 2 and 3; `singular_tt_depth_margin`, `singular_depth_factor` and the negative extensions by hand.
    /// Singular extension: least depth, in plies.
    singular_min_depth = 6, 4..=12;
    /// Singular extension: plies that the TT score may be shallower than the node.
    singular_tt_depth_margin = 3, 1..=6;
    /// Singular extension: depth of the search of all other moves, in 1/1024 of that of the TT move.
    singular_depth_factor = 512, 256..=768;
    /// Singular extension: how far below the TT score all other moves must stay, per ply, in 1/64 internal unit.
    singular_margin = 62, 20..=160;
    /// Double extension: how much further below the TT score than for a single one, in internal units.
    double_extension_margin = 20, 4..=60;
    /// Triple extension of quiet moves: how much further below the TT score than for a single one, in internal units.
    triple_extension_margin = 107, 40..=250;
    /// Negative extension if the TT score is at least beta, in plies.
    negative_extension_tt_fail_high = 2, 0..=4;
    /// Negative extension in a cut node, in plies.
    negative_extension_cut_node = 1, 0..=4;

    // Experiments 2 and 3, `lmr_base` 11; `lmr_min_depth`, `lmr_cutoff_count`, `lmr_deeper_depth_margin`,
    // `lmr_shallower_margin` and the depths after alpha was raised by hand.
    /// Late move reduction: least depth, in plies.
    lmr_min_depth = 2, 1..=5;
    /// Late move reduction: constant part, in 1/1024 ply.
    lmr_base = 960, 200..=1600;
    /// Late move reduction: divisor of ln(depth) * ln(move count), in 1/1024.
    lmr_divisor = 2180, 1400..=4000;
    /// Late move reduction: share that noisy moves are reduced by, in 1/1024.
    lmr_noisy_factor = 585, 0..=1024;
    /// Late move reduction: less for noisy moves, after that factor, in 1/1024 ply.
    lmr_noisy = 234, 0..=1500;
    /// Late move reduction: history that is worth one ply.
    lmr_history_divisor = 9690, 4000..=24000;
    /// Late move reduction: more in cut nodes, in 1/1024 ply.
    lmr_cut_node = 1514, 0..=3000;
    /// Late move reduction: more if the side to move is not improving, in 1/1024 ply.
    lmr_not_improving = 615, 0..=1500;
    /// Late move reduction: less in nodes that are or were PV nodes, in 1/1024 ply.
    lmr_tt_pv = 1028, 0..=2500;
    /// Late move reduction: less in PV nodes, in 1/1024 ply.
    lmr_pv = 518, 0..=2000;
    /// Late move reduction: less for a move that gives check, in 1/1024 ply.
    lmr_check = 651, 0..=2500;
    /// Late move reduction: more if the TT move is noisy, in 1/1024 ply.
    lmr_noisy_tt_move = 488, 0..=2000;
    /// Late move reduction: fail highs of a node's children above which later ones are reduced more.
    lmr_cutoff_count = 2, 0..=8;
    /// Late move reduction: more after that many fail highs of a node's children, in 1/1024 ply.
    lmr_cutoffs = 792, 0..=2500;
    /// Late move reduction: how far above alpha a reduced move is searched again a ply deeper than its full depth, in
    /// internal units.
    lmr_deeper_margin = 47, 0..=120;
    /// Late move reduction: how much further above alpha that is per ply of the full depth, in internal units.
    lmr_deeper_depth_margin = 2, 0..=8;
    /// Late move reduction: how close above the best score a reduced move is searched again a ply less deep, in
    /// internal units.
    lmr_shallower_margin = 8, 0..=60;
    /// A ply less for the moves after one that raised alpha: least depth, in plies.
    alpha_raise_min_depth = 3, 2..=6;
    /// A ply less for the moves after one that raised alpha: greatest depth, in plies.
    alpha_raise_max_depth = 11, 6..=20;

    // Experiments 2 and 3.
    /// Quiescence search, futility: margin above evaluation and captured piece, in internal units.
    qsearch_futility_margin = 184, 50..=400;
    /// Quiescence search, SEE: loss that a capture may risk, in units of [`see_values`].
    qsearch_see_margin = 38, 0..=150;
    /// Quiescence search: how far towards beta a stand-pat score above it is moved, in 1/1024.
    stand_pat_lerp = 441, 0..=1024;

    // Experiments 2 and 3; `order_butterfly`, `order_continuation_2` and `order_capture`: SPSA; the other continuation
    // histories by hand.
    /// Move ordering, quiet moves: weight of the butterfly history, in 1/8.
    order_butterfly = 17, 0..=48;
    /// Move ordering, quiet moves: weight of the pawn history, in 1/8.
    order_pawn = 6, 0..=32;
    /// Move ordering, quiet moves: weight of the continuation history one ply back, in 1/8.
    order_continuation_1 = 16, 0..=48;
    /// Move ordering, quiet moves: weight of the continuation history two plies back, in 1/8.
    order_continuation_2 = 9, 0..=32;
    /// Move ordering, quiet moves: weight of the continuation history four plies back, in 1/8.
    order_continuation_4 = 8, 0..=32;
    /// Move ordering, quiet moves: weight of the continuation history six plies back, in 1/8.
    order_continuation_6 = 4, 0..=32;
    /// Move ordering, quiet moves: bonus for a direct check.
    order_check = 14595, 0..=48000;
    /// Move ordering, quiet moves: loss that a check with a bonus may risk, in units of [`see_values`].
    order_check_see_margin = 33, 0..=150;
    /// Move ordering, quiet moves: bonus for a knight or bishop that leaves the attack of a pawn.
    order_escape_minor = 12185, 0..=48000;
    /// Move ordering, quiet moves: bonus for a rook that leaves the attack of a lesser piece.
    order_escape_rook = 21335, 0..=48000;
    /// Move ordering, quiet moves: bonus for a queen that leaves the attack of a lesser piece.
    order_escape_queen = 32915, 0..=64000;
    /// Move ordering, quiet moves: malus for a move into the attack of a lesser piece.
    order_en_prise = 16379, 0..=48000;
    /// Move ordering, noisy moves: weight of [`mvv_values`].
    order_mvv = 14, 4..=64;
    /// Move ordering, noisy moves: value of a promotion, in units of [`mvv_values`].
    order_promotion = 791, 0..=1200;
    /// Move ordering, noisy moves: weight of the capture history, in 1/16.
    order_capture = 7, 0..=24;

    // By hand.
    /// Butterfly history: what a search keeps of the one before, in 1/1024.
    history_ageing = 768, 0..=1024;

    // Experiments 2 and 3.
    /// Histories: bonus per ply of depth.
    history_bonus_factor = 256, 100..=500;
    /// Histories: subtracted from the bonus at every depth.
    history_bonus_offset = 104, 0..=400;
    /// Histories: largest bonus.
    history_bonus_max = 1930, 800..=4000;
    /// Histories: malus per ply of depth.
    history_malus_factor = 341, 100..=600;
    /// Histories: subtracted from the malus at every depth.
    history_malus_offset = 103, 0..=400;
    /// Histories: largest malus.
    history_malus_max = 1583, 600..=4000;

    // Experiments 2 and 3.
    /// Histories: decay d of the malus of quiet moves; that of the n-th is divided by (1 + n d / 1024)².
    history_malus_decay = 52, 0..=300;
    /// Fail-low bonus, for the opponent's last move: part of any move, in 1/128 of the bonus for a best move.
    fail_low_base = 85, 0..=300;
    /// Fail-low bonus: more per number of the move, in 1/128.
    fail_low_move_count = 16, 0..=60;
    /// Fail-low bonus: cap of the part by move number, in 1/128.
    fail_low_move_count_max = 267, 0..=600;
    /// Fail-low bonus: more for the TT move, in 1/128.
    fail_low_tt_move = 82, 0..=400;
    /// Fail-low bonus: more if the score lies a margin below the evaluation, in 1/128.
    fail_low_eval = 141, 0..=500;
    /// Fail-low bonus: how far below the evaluation, in internal units.
    fail_low_eval_margin = 96, 0..=300;
    /// Fail-low bonus: more if the score lies a margin below the evaluation before the move, in 1/128.
    fail_low_opponent_eval = 329, 0..=800;
    /// Fail-low bonus: how far below the evaluation before the move, in internal units.
    fail_low_opponent_eval_margin = 141, 0..=400;
    /// Bonus after LMR, for a quiet move whose reduced search beats alpha: per ply of its full depth.
    lmr_bonus_factor = 436, 100..=1000;
    /// Bonus after LMR: subtracted at every depth.
    lmr_bonus_offset = 156, 0..=400;
    /// Bonus after LMR: largest.
    lmr_bonus_max = 3311, 800..=6000;
    /// History by evaluation, before and after a quiet move: bonus per internal unit of gain.
    eval_history_factor = 14, 0..=40;
    /// History by evaluation: largest bonus.
    eval_history_max_bonus = 846, 0..=2000;
    /// History by evaluation: largest malus.
    eval_history_max_malus = 260, 0..=2000;
    /// History by evaluation: depth below which a TT hit does not prevent it, in plies.
    eval_history_max_depth = 4, 0..=20;

    // Experiments 2 and 3; the divisor by hand.
    /// Correction history: weight of the pawn structure's error, in 1/128.
    correction_pawn = 46, 0..=160;
    /// Correction history: weight of the errors by each side's other pieces, in 1/128.
    correction_non_pawn = 64, 0..=160;
    /// Correction history: weight of the error by the last two moves, in 1/128.
    correction_continuation = 67, 0..=160;
    /// Correction history: divisor of error * depth in an update.
    correction_update_divisor = 8, 4..=64;
    /// Correction history: largest update, in internal units.
    correction_update_max = 23, 6..=96;

    // By hand.
    /// Lazy SMP voting: internal units added to a thread's score above the worst.
    vote_score_offset = 12, 1..=60;

    // `time_soft_share`, `time_effort_base`, `time_trend_max`: experiment 4; `time_hard_share`: 12. The others by hand.
    /// Time: soft limit per time left, in permille.
    time_soft_share = 38, 15..=80;
    /// Time: soft limit per increment, in permille.
    time_soft_increment = 550, 200..=1000;
    /// Time: hard limit per time left, in permille.
    time_hard_share = 450, 100..=750;
    /// Time: hard limit per increment, in permille.
    time_hard_increment = 800, 200..=1000;
    /// Time, with moves to go: most moves that the time left is divided by.
    time_cyclic_max_moves = 50, 20..=80;
    /// Time, with moves to go: share of the increment in a move's share of time, in permille.
    time_cyclic_increment = 800, 200..=1000;
    /// Time, with moves to go: soft limit per share, in permille.
    time_cyclic_soft = 800, 300..=1500;
    /// Time, with moves to go: hard limit per share, in permille.
    time_cyclic_hard = 4000, 1500..=8000;
    /// Time, with more than one move to go: largest hard limit per time left, in permille.
    time_cyclic_hard_max = 650, 300..=850;
    /// Time: largest limit of any kind per time left, in permille.
    time_max_share = 850, 500..=950;
    /// Time, best move's share of nodes: factor of the soft limit at a share of 0, in permille.
    time_effort_base = 2050, 1200..=3000;
    /// Time, best move's share of nodes: how much less at a share of 1, in permille.
    time_effort_slope = 1400, 500..=2500;
    /// Time, best move's share of nodes: least factor, in permille.
    time_effort_min = 500, 200..=1000;
    /// Time, best move's stability: factor right after it changed, in permille.
    time_stability_0 = 1600, 800..=3000;
    /// Time, best move's stability: factor after one iteration, in permille.
    time_stability_1 = 1250, 800..=2000;
    /// Time, best move's stability: factor after two iterations, in permille.
    time_stability_2 = 1050, 600..=1500;
    /// Time, best move's stability: factor after three iterations, in permille.
    time_stability_3 = 950, 600..=1500;
    /// Time, best move's stability: factor after four iterations, in permille.
    time_stability_4 = 880, 500..=1300;
    /// Time, best move's stability: factor after five and more iterations, in permille.
    time_stability_5 = 820, 500..=1300;
    /// Time, score trend: more time per internal unit that the score dropped, in permille.
    time_trend = 12, 0..=40;
    /// Time, score trend: largest change of score that counts, in internal units.
    time_trend_max_drop = 200, 50..=600;
    /// Time, score trend: least factor, in permille.
    time_trend_min = 800, 500..=1000;
    /// Time, score trend: largest factor, in permille.
    time_trend_max = 1750, 1000..=3000;

    // By hand.
    /// SEE: value of a pawn.
    see_pawn = 100, 50..=200;
    /// SEE: value of a knight.
    see_knight = 320, 200..=600;
    /// SEE: value of a bishop.
    see_bishop = 330, 200..=600;
    /// SEE: value of a rook.
    see_rook = 500, 350..=900;
    /// SEE: value of a queen.
    see_queen = 950, 700..=1500;
    /// MVV: value of a pawn.
    mvv_pawn = 100, 50..=200;
    /// MVV: value of a knight.
    mvv_knight = 350, 200..=600;
    /// MVV: value of a bishop.
    mvv_bishop = 370, 200..=600;
    /// MVV: value of a rook.
    mvv_rook = 550, 350..=900;
    /// MVV: value of a queen.
    mvv_queen = 1000, 700..=1500;
    /// Futility pruning in quiescence search: value of a captured pawn, in internal units.
    qsearch_futility_pawn = 110, 50..=200;
    /// Futility pruning in quiescence search: value of a captured knight, in internal units.
    qsearch_futility_knight = 350, 200..=600;
    /// Futility pruning in quiescence search: value of a captured bishop, in internal units.
    qsearch_futility_bishop = 370, 200..=600;
    /// Futility pruning in quiescence search: value of a captured rook, in internal units.
    qsearch_futility_rook = 560, 350..=900;
    /// Futility pruning in quiescence search: value of a captured queen, in internal units.
    qsearch_futility_queen = 1050, 700..=1500;
}

/// Piece values of static exchange evaluation (SEE), pawn to king, where a pawn is about 100; a king is never captured.
#[inline(always)]
pub(crate) fn see_values() -> [i32; 6] {
    [see_pawn(), see_knight(), see_bishop(), see_rook(), see_queen(), 0]
}

/// Most valuable victim (MVV): piece values in the order of captures, pawn to king.
#[inline(always)]
pub(crate) fn mvv_values() -> [i32; 6] {
    [mvv_pawn(), mvv_knight(), mvv_bishop(), mvv_rook(), mvv_queen(), 0]
}

/// Values of captured pieces in the futility pruning of quiescence search, in internal units, pawn to king.
#[inline(always)]
pub(crate) fn qsearch_futility_values() -> [i32; 6] {
    [
        qsearch_futility_pawn(),
        qsearch_futility_knight(),
        qsearch_futility_bishop(),
        qsearch_futility_rook(),
        qsearch_futility_queen(),
        0,
    ]
}

#[cfg(all(test, feature = "tune"))]
mod tests;
