//! What scores mean: centipawns, and probabilities of win, draw and loss (WDL).

use crate::types::Score;

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
}
