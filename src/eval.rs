//! Static evaluation, and its conversion to centipawns and win probabilities.
//!
//! Scores are in internal units; [`to_centipawns`] is the one place that converts them to centipawns.

mod endings;

use crate::{
    nnue::AccumulatorStack,
    params,
    position::{Board, Position},
    types::Score,
};

/// The raw static evaluation for the side to move, in internal units: the network's output, or that of a small
/// evaluation of elementary endings. `accumulators` are brought up to date with `position`.
#[inline]
pub fn evaluate(position: &Position, accumulators: &mut AccumulatorStack) -> Score {
    let board = position.board();
    match endings::known_score(board) {
        Some(score) => score,
        None => endings::below_known_win(accumulators.evaluate(position) + endings::queen_against_rook(board)),
    }
}

/// Returns true if the side to move has won an elementary ending: it has a queen, a rook, two bishops or bishop and
/// knight, and the opponent a lone king.
pub fn is_known_win(board: &Board) -> bool {
    endings::known_score(board).is_some_and(|score| score > Score::ZERO && endings::is_known_result(score))
}

/// Returns true for a loss that is proven or known: by a lone king against mating material. Pruning on the strength of
/// such a score might skip the only move that draws.
#[inline]
pub fn is_known_loss(score: Score) -> bool {
    endings::is_known_result(score) && score < Score::ZERO
}

/// The static evaluation, given the raw one: damped towards a draw as the fifty-move rule comes nearer, and corrected
/// by `correction` internal units of the correction history.
// CITE: Stockfish, by way of Reckless and Viridithas - evaluation * (200 - halfmove clock) / 200. Not measured here.
#[inline]
pub fn static_eval(position: &Position, raw_eval: Score, correction: i32) -> Score {
    // A pawn move or a capture would seem to win what the fifty-move rule takes here; and there is nothing to correct
    // in a known win or draw. Corrected, the scores of draws would feed on themselves, as nothing else comes back.
    if endings::is_known_result(raw_eval) || raw_eval == Score::ZERO {
        return raw_eval;
    }
    let clock = i32::from(position.halfmove_clock().min(100));
    let damping = params::fifty_move_damping();
    Score(raw_eval.0 * (damping - clock) / damping + correction).clamp_eval()
}

/// The score at which half of all games are won, and the change of score by which the odds of winning grow e-fold, in
/// internal units. `sleight-lab data` fits both to self-play games of the network with 500 nodes a move.
// CITE: Stockfish - centipawns by the odds of winning, and the logistic WDL model; ours does not depend on material or
// ply.
const NORMALIZE_TO_PAWN: i32 = 82;
const WDL_SPREAD: f64 = 81.0;

/// Converts internal units to displayed centipawns: at 100 centipawns, half of all games are won.
///
/// ```
/// # use sleight::{eval::{to_centipawns, win_draw_loss}, types::Score};
/// let even_odds = (0..1000).find(|&score| win_draw_loss(Score(score))[0] >= 500).unwrap();
/// assert!((99..=100).contains(&to_centipawns(even_odds)));
/// ```
pub const fn to_centipawns(internal: i32) -> i32 {
    internal * 100 / NORMALIZE_TO_PAWN
}

/// A tablebase win at the root, in displayed centipawns: one that is reached in `n` plies is shown as `20000 - n`.
// CITE: Stockfish - tablebase wins as 20,000 centipawns minus plies, which GUIs and scripts know.
const TABLEBASE_WIN: i32 = 20_000;

/// Displayed centipawns of a score that is not a mate. No evaluation is shown as a tablebase win.
///
/// ```
/// # use sleight::{eval::displayed_centipawns, types::Score};
/// assert_eq!(displayed_centipawns(Score::TB_WIN - 3), 19_997);
/// assert_eq!(displayed_centipawns(-Score::TB_WIN), -20_000);
/// assert!(displayed_centipawns(Score::MAX_EVAL) < displayed_centipawns(Score::MIN_TB_WIN));
/// ```
pub const fn displayed_centipawns(score: Score) -> i32 {
    let most = TABLEBASE_WIN - (Score::TB_WIN.0 - Score::MAX_EVAL.0);
    if score.is_win() {
        TABLEBASE_WIN - (Score::TB_WIN.0 - score.0)
    } else if score.is_loss() {
        -TABLEBASE_WIN + (Score::TB_WIN.0 + score.0)
    } else {
        let centipawns = to_centipawns(score.0);
        if centipawns > most {
            most
        } else if centipawns < -most {
            -most
        } else {
            centipawns
        }
    }
}

/// Probabilities of win, draw and loss at a score, in permille: win and loss are logistic functions of the score.
///
/// ```
/// # use sleight::{eval::win_draw_loss, types::Score};
/// let [win, draw, loss] = win_draw_loss(Score(200));
/// assert!(win > 600 && draw > 100 && loss < 150 && win + draw + loss == 1000);
/// assert_eq!(win_draw_loss(Score::mate_in(3)), [1000, 0, 0]);
/// ```
pub fn win_draw_loss(score: Score) -> [u32; 3] {
    if score.is_decisive() {
        return if score.is_win() { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let chance =
        |ahead: i32| (1000.0 / (1.0 + libm::exp(f64::from(NORMALIZE_TO_PAWN - ahead) / WDL_SPREAD))).round() as u32;
    let (win, loss) = (chance(score.0), chance(-score.0));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Network;

    fn value(fen: &str) -> Score {
        let position = Position::from_fen(fen).unwrap();
        evaluate(&position, &mut AccumulatorStack::new(Network::embedded()))
    }

    #[test]
    fn chances_add_up_and_grow_with_the_score() {
        let mut last = 0;
        for points in (-3000..=3000).step_by(10) {
            let [win, draw, loss] = win_draw_loss(Score(points));
            assert_eq!(win + draw + loss, 1000);
            assert_eq!([loss, draw, win], win_draw_loss(Score(-points)));
            assert!(win >= last);
            last = win;
        }
    }

    #[test]
    fn a_hundred_centipawns_win_half_the_games() {
        assert_eq!(to_centipawns(NORMALIZE_TO_PAWN), 100);
        assert!((499..=501).contains(&win_draw_loss(Score(NORMALIZE_TO_PAWN))[0]));
    }

    #[test]
    fn evaluations_fade_towards_the_fifty_move_rule() {
        let eval = |clock: u16, correction| {
            let fen = format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 80");
            static_eval(&Position::from_fen(&fen).unwrap(), Score(400), correction)
        };
        assert_eq!([0, 50, 100].map(|clock| eval(clock, 0)), [400, 300, 200].map(Score));
        assert_eq!(eval(100, -17), Score(183), "the correction is not damped");
        let draw = Position::from_fen("k7/8/8/P7/8/8/8/K7 w - - 0 1").unwrap();
        assert_eq!(static_eval(&draw, Score::ZERO, 40), Score::ZERO, "a known draw is not corrected");
        assert_eq!(eval(0, 100_000), Score::MAX_EVAL, "no evaluation looks like a proof");
    }

    #[test]
    fn colors_are_treated_alike() {
        assert_eq!(value("4k3/2p5/8/8/3N4/8/PP6/4K2R w - - 0 1"), value("4k2r/pp6/8/3n4/8/8/2P5/4K3 b - - 0 1"));
    }

    /// No network that is fit to be embedded fails to see these.
    #[test]
    fn a_queen_is_worth_something() {
        let start = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let queen_up = value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let queen_down = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1");
        assert!(start.0.abs() < 150, "{start:?}");
        assert!(queen_up.0 > 400 && queen_down.0 < -400, "{queen_up:?} {queen_down:?}");
    }
}
