//! Static evaluation, and its conversion to centipawns and win probabilities (`wdl`).
//!
//! Scores are in internal units; [`to_centipawns`] is the one place that converts them to centipawns.

mod endings;
mod wdl;

pub use wdl::{displayed_centipawns, to_centipawns, win_draw_loss};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Network;

    fn value(fen: &str) -> Score {
        let position = Position::from_fen(fen).unwrap();
        evaluate(&position, &mut AccumulatorStack::new(Network::embedded()))
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
